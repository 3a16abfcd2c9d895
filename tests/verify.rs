//! The certificate passes a built set and no set with anything wrong in it, however well sealed.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use kpe::board::Pits;
use kpe::build::{BuildOptions, build};
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::gore::{Gore, Trade};
use kpe::rules::kpe::Kpe;
use kpe::table::testing::change_entry;
use kpe::table::{TableSet, directory_name, file_name, first_of_pair};
use kpe::value::{Distance, Entry, Value};
use kpe::verify::{Finding, Report, Shard, VerifyError, VerifyOptions, verify, verify_sample};

fn built(game: &Game, stones: u8) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let observe = &|_| ();
    build(
        game,
        &BuildOptions { root: root.path(), stones, odd: false, threads: 2, memory: 4 << 30, stop: &stop, observe },
    )
    .unwrap();
    root
}

fn check(root: &Path, game: &Game, shard: Shard) -> Result<Report, VerifyError> {
    let set = TableSet::new(game).and_directory(root);
    verify(&set, &VerifyOptions { shard, stop: &AtomicBool::new(false), observe: &|_| () })
}

#[test]
fn built_sets_pass_whole_and_in_shards() {
    for game in [Game::Kpe(Kpe::default()), Game::Gore(Gore { trade: Trade::Off, ..Gore::default() })] {
        let root = built(&game, 18);
        let whole = check(root.path(), &game, Shard::ALL).unwrap();
        assert_eq!(whole.faults, []);
        let mut sum = Report::default();
        for number in 1..=5 {
            let part = check(root.path(), &game, format!("{number}/5").parse().unwrap()).unwrap();
            sum.positions += part.positions;
            sum.files += part.files;
            sum.faults.extend(part.faults);
        }
        assert_eq!(sum, whole);
        let set = TableSet::new(&game).and_directory(root.path());
        let options = VerifyOptions { shard: Shard::ALL, stop: &AtomicBool::new(false), observe: &|_| () };
        let sample = verify_sample(&set, 2_000, 7, &options).unwrap();
        assert_eq!((sample.positions, sample.faults), (2_000, vec![]));
    }
}

#[test]
fn one_wrong_entry_anywhere_is_found() {
    let game = Game::Kpe(Kpe::default());
    let root = built(&game, 12);
    for (unsown, stones) in [(0u8, 12), (0, 8), (0, 2), (0x01, 12), (0x80, 10), (0x08, 8), (0x30, 12)] {
        let layer = Layer::new(Pits(unsown), stones).unwrap();
        let path = root.path().join(directory_name(&game)).join(file_name(first_of_pair(layer)));
        let sound = std::fs::read(&path).unwrap();
        let set = TableSet::new(&game).and_directory(root.path());
        for number in (0..layer.positions()).step_by((layer.positions() as usize / 12).max(1)) {
            let right = set.probe(layer, number).unwrap().unwrap();
            let (value, distance) = (right.value().0, right.distance().0);
            let mut wrong =
                vec![(if value > 0 { value - 2 } else { value + 2 }, distance.max(1)), (value, distance + 1)];
            wrong.push((-value, distance + 1));
            // A position of value 0 has no distance that could be wrong.
            for (value, distance) in wrong.into_iter().filter(|&(v, _)| v != 0 || value != 0) {
                let distance = if value == 0 { 0 } else { distance };
                change_entry(&path, &game, layer, number, Entry::new(Value(value), Distance(distance))).unwrap();
                let report = check(root.path(), &game, Shard::ALL).unwrap();
                assert!(!report.faults.is_empty(), "{layer:?} {number}: {right:?} became {value} in {distance}");
                std::fs::write(&path, &sound).unwrap();
            }
        }
    }
    assert_eq!(check(root.path(), &game, Shard::ALL).unwrap().faults, []);
}

#[test]
fn a_wrong_fixed_point_is_found() {
    // Two positions that vouch for each other: a win by a move inside the layer that leads nowhere.
    let game = Game::Kpe(Kpe::default());
    let root = built(&game, 8);
    let layer = Layer::new(Pits::NONE, 8).unwrap();
    let path = root.path().join(directory_name(&game)).join(file_name(layer));
    let set = TableSet::new(&game).and_directory(root.path());
    let draws: Vec<u32> =
        (0..layer.positions()).filter(|&n| set.probe(layer, n).unwrap().unwrap().value() == Value(0)).collect();
    for (at, &number) in draws.iter().enumerate().step_by(101) {
        let value = if at % 2 == 0 { 2 } else { -2 };
        change_entry(&path, &game, layer, number, Entry::new(Value(value), Distance(2))).unwrap();
    }
    let report = check(root.path(), &game, Shard::ALL).unwrap();
    assert!(report.faults.iter().any(|fault| matches!(fault.finding, Finding::Entry { .. })));
}

#[test]
fn a_set_with_a_layer_missing_is_an_error() {
    let game = Game::Kpe(Kpe::default());
    let root = built(&game, 10);
    std::fs::remove_file(root.path().join(directory_name(&game)).join("n06.kpt")).unwrap();
    let error = check(root.path(), &game, Shard::ALL).unwrap_err();
    assert!(error.to_string().contains("n06"), "{error}");
}
