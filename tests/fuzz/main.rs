//! Fuzzing on stable Rust: inputs changed at random, from seeds and from a corpus, must never end in a panic.
//!
//! Every test replays `tests/corpus/TARGET/*` first and then tries changed inputs for `KPE_FUZZ_SECONDS` (5 unless set), ten at least.
//! An input that panics is written to `target/fuzz/TARGET`; once the fault is mended it belongs into the corpus. What is tried, and
//! what may never happen, is in `targets.rs`; `scripts/fuzz` tries the same guided by coverage, and the corpus is what it found.

mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use targets::{TARGETS, Target};

/// No input takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit.max(1)
    }
}

/// One to eight changes of an input: bytes, numbers, pieces moved, doubled, cut, or taken from another seed or the words.
fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str], random: &mut Random) {
    for _ in 0..=random.below(8) {
        let at = random.below(input.len() + 1);
        let end = (at + random.below(16)).min(input.len());
        match random.below(9) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 if at < input.len() => input[at] = random.next() as u8,
            2 => input.insert(at, random.next() as u8),
            3 => drop(input.drain(at..end)),
            4 => {
                let piece = input[at..end].to_vec();
                let to = random.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            5 => input.truncate(at),
            6 if !words.is_empty() => drop(input.splice(at..at, words[random.below(words.len())].bytes())),
            7 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                drop(input.splice(at..end, other[from..(from + random.below(64)).min(other.len())].iter().copied()));
            }
            _ if at + 4 <= input.len() => {
                let number = [0u32, 1, 255, 65_535, 1 << 31, u32::MAX][random.below(6)];
                input[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            _ => {}
        }
        if input.len() > 1 << 16 {
            input.truncate(1 << 16);
        }
    }
}

/// Reads inputs; one that panics or takes too long is kept and ends the test.
struct Reader {
    target: &'static Target,
    /// What is read now, for whoever watches the time.
    under_way: Sender<Option<Vec<u8>>>,
}

impl Reader {
    fn new(target: &'static Target) -> Self {
        let (under_way, changes) = mpsc::channel();
        thread::spawn(move || watch(target, &changes));
        Self { target, under_way }
    }

    fn read(&self, input: &[u8]) {
        self.under_way.send(Some(input.to_vec())).unwrap();
        if catch_unwind(AssertUnwindSafe(|| (self.target.read)(input))).is_err() {
            panic!("{}: this input panics: {}", self.target.name, keep(self.target, input).display());
        }
        self.under_way.send(None).unwrap();
    }
}

/// Ends the program when an input takes too long.
fn watch(target: &Target, changes: &Receiver<Option<Vec<u8>>>) {
    let mut input = None;
    loop {
        match changes.recv_timeout(PATIENCE) {
            Ok(next) => input = next,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let Some(input) = &input else { continue };
                let path = keep(target, input);
                eprintln!("{}: this input takes longer than {PATIENCE:?}: {}", target.name, path.display());
                std::process::exit(1);
            }
        }
    }
}

/// Writes an input that is not to be lost.
fn keep(target: &Target, input: &[u8]) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/fuzz").join(target.name);
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(format!("{:016x}", xxhash_rust::xxh3::xxh3_64(input)));
    std::fs::write(&path, input).unwrap();
    path
}

/// Fuzzes one target.
fn fuzz(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let mut seeds = (target.seeds)();
    write_seeds(name, &seeds);
    seeds.extend(corpus(name));
    let reader = Reader::new(target);
    seeds.iter().for_each(|seed| reader.read(seed));
    let seconds = std::env::var("KPE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (begin, mut random, mut tried) = (Instant::now(), Random(0x9e37_79b9_7f4a_7c15), 0u64);
    while begin.elapsed() < Duration::from_secs(seconds) || tried < 10 {
        let mut input = seeds[random.below(seeds.len())].clone();
        change(&mut input, &seeds, target.words, &mut random);
        reader.read(&input);
        tried += 1;
    }
    println!("{name}: {tried} inputs");
}

/// Inputs that once reached something, in order.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let Ok(files) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Writes right inputs to the directory that `KPE_FUZZ_SEEDS` names, for other fuzzers to begin with.
fn write_seeds(name: &str, seeds: &[Vec<u8>]) {
    let Some(directory) = std::env::var_os("KPE_FUZZ_SEEDS") else { return };
    let directory = Path::new(&directory).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(directory.join(format!("seed-{number}")), seed).unwrap();
    }
}

/// A test of each target; [`every_target_is_tried`] sees to it that none is left out.
macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test] fn $name() { fuzz(stringify!($name)); })*
        const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

tests! { positions records protocol tables packed book }

#[cfg(feature = "serve")]
mod http {
    use super::fuzz;
    tests! { requests queries }
    pub(super) const ALL: &[&str] = TRIED;
}
#[cfg(not(feature = "serve"))]
mod http {
    pub(super) const ALL: &[&str] = &[];
}

#[test]
fn every_target_is_tried() {
    assert!(TARGETS.iter().map(|target| target.name).eq(TRIED.iter().chain(http::ALL).copied()));
}
