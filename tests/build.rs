//! Whole builds of small sets: the same bytes however they are made, and nothing lost when they are interrupted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kpe::build::{BuildError, BuildOptions, Progress, build};
use kpe::rules::Game;
use kpe::rules::gore::{Gore, Trade};
use kpe::rules::kpe::Kpe;
use kpe::table::{directory_name, embedded};

const PLENTY: u64 = 8 << 30;

fn kpe() -> Game {
    Game::Kpe(Kpe::default())
}

fn options<'a>(root: &'a Path, stones: u8, threads: usize, stop: &'a AtomicBool) -> BuildOptions<'a> {
    BuildOptions { root, stones, odd: false, threads, memory: PLENTY, stop, observe: &|_| () }
}

/// Name and bytes of every file of a set but the lock.
fn files(root: &Path, game: &Game) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(root.join(directory_name(game))).unwrap();
    entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name != ".lock")
        .collect()
}

fn built(game: &Game, stones: u8, threads: usize) -> BTreeMap<String, Vec<u8>> {
    let root = tempfile::tempdir().unwrap();
    build(game, &options(root.path(), stones, threads, &AtomicBool::new(false))).unwrap();
    files(root.path(), game)
}

/// Bytes that `set` takes on a disk that gives room in pieces of 4 KiB.
fn on_disk(set: &BTreeMap<String, Vec<u8>>) -> u64 {
    set.values().map(|bytes| (bytes.len() as u64).next_multiple_of(4 << 10)).sum()
}

#[test]
fn the_disk_announced_suffices() {
    for (game, odd) in
        [(kpe(), false), (kpe(), true), (Game::Gore(Gore { trade: Trade::Off, ..Gore::default() }), false)]
    {
        for stones in [4, 12, 20] {
            let root = tempfile::tempdir().unwrap();
            let (stop, announced) = (AtomicBool::new(false), AtomicU64::new(0));
            let observe = |progress| {
                if let Progress::Start { disk, .. } = progress {
                    announced.store(disk, Ordering::Relaxed);
                }
            };
            build(&game, &BuildOptions { odd, observe: &observe, ..options(root.path(), stones, 2, &stop) }).unwrap();
            let (announced, written) = (announced.into_inner(), on_disk(&files(root.path(), &game)));
            assert!(written <= announced, "{game} {stones}: {written} written, at most {announced} announced");
            assert!(announced < 2 * written + (1 << 20), "{game} {stones}: {written} written, {announced} announced");
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for game in [kpe(), Game::Gore(Gore { trade: Trade::Off, ..Gore::default() })] {
        let one = built(&game, 20, 1);
        assert!(one.contains_key("n20.kpt") && one.contains_key("SHA256SUMS"));
        for threads in [2, 3, 7] {
            assert!(built(&game, 20, threads) == one, "{threads} threads");
        }
    }
}

#[test]
fn the_embedded_tables_are_those_of_a_fresh_build() {
    let mut left: BTreeMap<&str, &[u8]> = embedded().iter().copied().collect();
    assert_eq!(left.len(), 26);
    for game in [kpe(), Game::Gore(Gore { trade: Trade::Off, ..Gore::default() })] {
        for (name, bytes) in built(&game, 24, 2) {
            if let Some(shipped) = left.remove(format!("{}/{name}", directory_name(&game)).as_str()) {
                assert!(shipped == bytes, "{name}: run scripts/embed");
            }
        }
    }
    assert!(left.is_empty(), "{:?}", left.keys());
}

#[test]
fn a_stopped_build_goes_on_and_ends_with_the_same_bytes() {
    let whole = built(&kpe(), 16, 2);
    for pause in [1, 2_000, 30_000, 300_000] {
        let root = tempfile::tempdir().unwrap();
        let (stop, halves) = (AtomicBool::new(false), AtomicU64::new(0));
        let observe = |progress| {
            if let Progress::Halves(more) = progress
                && halves.fetch_add(more, Ordering::Relaxed) + more >= pause
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let error =
            build(&kpe(), &BuildOptions { observe: &observe, ..options(root.path(), 16, 2, &stop) }).unwrap_err();
        assert!(error.is_stop(), "{error}");
        assert!(files(root.path(), &kpe()).len() < whole.len());
        build(&kpe(), &options(root.path(), 16, 2, &AtomicBool::new(false))).unwrap();
        assert!(files(root.path(), &kpe()) == whole, "after {pause}");
    }
}

#[test]
fn a_smaller_set_grows_into_a_larger_one() {
    let whole = built(&kpe(), 18, 1);
    let root = tempfile::tempdir().unwrap();
    for stones in [10, 18] {
        build(&kpe(), &options(root.path(), stones, 1, &AtomicBool::new(false))).unwrap();
    }
    assert!(files(root.path(), &kpe()) == whole);
}

#[test]
fn a_build_that_does_not_fit_is_refused_before_it_begins() {
    let root = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let little = BuildOptions { memory: 70 << 20, ..options(root.path(), 30, 1, &stop) };
    let error = build(&kpe(), &little).unwrap_err();
    assert!(matches!(error, BuildError::Memory { .. }), "{error}");
    assert!(!files(root.path(), &kpe()).contains_key("n00.kpt"));
}

#[test]
fn trades_cannot_be_solved_by_layers() {
    let root = tempfile::tempdir().unwrap();
    let error = build(&Game::Gore(Gore::default()), &options(root.path(), 4, 1, &AtomicBool::new(false))).unwrap_err();
    assert!(matches!(error, BuildError::NotLayered(_)), "{error}");
}

#[test]
fn a_damaged_file_stops_the_build_that_would_need_it() {
    let root = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    build(&kpe(), &options(root.path(), 8, 1, &stop)).unwrap();
    let path = root.path().join(directory_name(&kpe())).join("n08.kpt");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = build(&kpe(), &options(root.path(), 10, 1, &stop)).unwrap_err();
    assert!(error.to_string().contains("n08.kpt"), "{error}");
}

/// No list may vouch for a file that is not what was written, though nothing else is left to be solved.
#[test]
fn a_damaged_file_is_found_by_the_build_that_only_lists_it() {
    let root = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    build(&kpe(), &options(root.path(), 8, 1, &stop)).unwrap();
    let whole = files(root.path(), &kpe());
    let directory = root.path().join(directory_name(&kpe()));
    for (name, sound) in whole.iter().filter(|(name, _)| name.ends_with(".kpt")) {
        let mut bytes = sound.clone();
        let at = bytes.len() - 1;
        bytes[at] ^= 1;
        std::fs::write(directory.join(name), bytes).unwrap();
        let error = build(&kpe(), &options(root.path(), 8, 1, &stop)).unwrap_err();
        assert!(error.to_string().contains(&format!("{name}: damaged table")), "{error}");
        // What it says to do helps.
        std::fs::remove_file(directory.join(name)).unwrap();
        build(&kpe(), &options(root.path(), 8, 1, &stop)).unwrap();
        assert!(files(root.path(), &kpe()) == whole, "{name}");
    }
}
