//! Fuzzing on stable Rust: inputs changed at random, from seeds and from a corpus, must never end in a panic.
//!
//! Every test replays `tests/corpus/TARGET/*` first and then tries changed inputs for `KPE_FUZZ_SECONDS` (5 unless set), ten at least.
//! An input that panics is written to `target/fuzz/TARGET`; once the fault is mended it belongs into the corpus.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::opening::book::Book;
use kpe::protocol::{Host, serve};
use kpe::record::Records;
use kpe::rules::Game;
use kpe::table::testing::reseal;
use kpe::table::{TableFile, embedded};

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

/// Fuzzes one target; `try_it` is the code that must not panic.
fn fuzz(name: &str, mut seeds: Vec<Vec<u8>>, words: &[&str], try_it: impl Fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if let Ok(corpus) = std::fs::read_dir(root.join("tests/corpus").join(name)) {
        let mut paths: Vec<_> = corpus.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        seeds.extend(paths.iter().map(|path| std::fs::read(path).unwrap()));
    }
    let survive = |input: &[u8]| {
        if catch_unwind(AssertUnwindSafe(|| try_it(input))).is_err() {
            let directory = root.join("target/fuzz").join(name);
            std::fs::create_dir_all(&directory).unwrap();
            let path = directory.join(format!("{:016x}", xxhash_rust::xxh3::xxh3_64(input)));
            std::fs::write(&path, input).unwrap();
            panic!("{name}: this input panics: {}", path.display());
        }
    };
    seeds.iter().for_each(|seed| survive(seed));
    let seconds = std::env::var("KPE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (begin, mut random, mut tried) = (Instant::now(), Random(0x9e37_79b9_7f4a_7c15), 0u64);
    while begin.elapsed() < Duration::from_secs(seconds) || tried < 10 {
        let mut input = seeds[random.below(seeds.len())].clone();
        change(&mut input, &seeds, words, &mut random);
        survive(&input);
        tried += 1;
    }
    println!("{name}: {tried} inputs");
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const POSITIONS: [&str; 6] = [
    "startpos",
    "6-6-6-6-6-6-6-6-0-0-S:ABCDabcd",
    "0-3-8-1-2-4-1-3-12-14-N",
    "3-3-3-3-3-3-3-3-12-12-N@ABCD~CD",
    "9-1-2-0-3-6-0-3-12-12-S@ABCa",
    "0-0-0-0-1-2-0-3-20-22-S",
];

#[test]
fn positions_and_moves() {
    let games = ["kpe", "gore"].map(|name| Game::named(name).unwrap());
    let words = ["offer:AB", "accept", "decline", "pass", "-0-", "-48-", "~", "@", ":", " A", "½", "+1"];
    fuzz("positions", texts(&POSITIONS), &words, |input| {
        let Ok(text) = std::str::from_utf8(input) else { return };
        let (position, action) = text.rsplit_once(' ').unwrap_or((text, "A"));
        for game in games {
            match Position::parse(position, game) {
                Ok(position) => {
                    assert_eq!(Position::parse(&position.to_string(), game), Ok(position));
                    if let Ok(action) = position.parse_move(action) {
                        let played = position.play(action).map(|outcome| outcome.result.to_string());
                        assert!(played.is_err() || Position::parse(&played.unwrap(), game).is_ok());
                    }
                }
                Err(error) => drop((error.to_string(), error.caret(position))),
            }
        }
    });
}

#[test]
fn protocol_lines() {
    let seeds = texts(&[
        "ugi\nisready\nsetoption name Level value 3\nposition startpos moves A b\ngo depth 2\nd\n",
        "setoption name Game value gore\nposition fen 3-3-3-3-3-3-3-3-12-12-S@ABCD moves offer:A\ngo nodes 50\n",
        "go perft 2\neval\nquery result\nuginewgame\ngo searchmoves A depth 1\n",
    ]);
    let words =
        ["go ", "nodes 10", "movetime 1", "stop\n", "position ", "moves ", "value ", "\n", "0", "-1", "wtime 5"];
    fuzz("protocol", seeds, &words, |input| {
        // Searches without an end would end with the input; long ones are not what is tested here.
        let text = String::from_utf8_lossy(input);
        let slow = ["perft", "depth", "nodes", "time", "Hash", "Threads", "mate"];
        let long = |line: &str| {
            slow.iter().any(|word| line.contains(word)) && line.bytes().filter(u8::is_ascii_digit).count() > 2
        };
        let lines: Vec<&str> = text.lines().filter(|line| !long(line) && !line.contains("Tables")).collect();
        let host = Host { tables: None, threads: 1 };
        serve(lines.join("\n").as_bytes(), std::io::sink(), host).unwrap();
    });
}

#[test]
fn game_records() {
    let seeds = texts(&[
        "[Game \"kpe\"]\n[South \"Ann\"]\n\n1. A b 2. C {well} d *\n",
        "[Game \"gore\"]\n[Options \"trade=on\"]\n[Start \"3-3-3-3-3-3-3-3-12-12-S@ABCD\"]\n\n1. offer:A decline b *\n",
    ]);
    let words =
        ["{", "}", "(", ")", "[Result \"1-0\"]\n", "1...", "$3", "24-24", "*", "; x\n", "\u{feff}", "\r\n", "\"", "\\"];
    fuzz("records", seeds, &words, |input| match Records::all(input) {
        Ok(games) => games.iter().for_each(|game| {
            let text = game.to_string();
            let again = Records::all(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again[0].to_string(), text);
        }),
        Err(error) => drop((error.to_string(), error.caret())),
    });
}

/// Changed table files, as they are and with right checksums.
#[test]
fn table_files() {
    let small: Vec<Vec<u8>> =
        embedded().iter().filter(|(_, bytes)| bytes.len() < 20_000).map(|(_, bytes)| bytes.to_vec()).collect();
    assert!(small.len() > 3);
    fuzz("tables", small, &[], |input| {
        let mut sealed = input.to_vec();
        reseal(&mut sealed);
        for bytes in [input.to_vec(), sealed] {
            let Ok(file) = TableFile::from_vec("fuzzed", bytes) else { continue };
            for stones in 0..=8 {
                let Some(layer) = Layer::new(Pits::NONE, stones) else { continue };
                for number in (0..layer.positions()).step_by(37) {
                    if let Err(error) = file.probe(layer, number) {
                        drop(error.to_string());
                        break;
                    }
                }
            }
            drop(file.verify_checksums());
        }
    });
}

#[test]
fn books() {
    let book = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/opening.book")).unwrap();
    fuzz("books", vec![book[..4096].to_vec(), book[..200].to_vec(), book], &[], |input| {
        drop(Book::from_bytes("fuzzed", input).map_err(|error| error.to_string()));
    });
}
