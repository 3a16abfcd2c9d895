//! Directories of tables from outside: building, finding, refusing.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use kpe::board::{Origin, Pits};
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::table::{MANIFEST, Manifest, SUMS, TableBuilder, TableError, TableSet};
use kpe::value::{Distance, Entry, Value};

fn game() -> Game {
    Game::Kpe(Kpe::default())
}

fn other_game() -> Game {
    Game::Kpe(Kpe { origin: Origin::Sow, ..Kpe::default() })
}

fn layer(unsown: u8, stones: u8) -> Layer {
    Layer::new(Pits(unsown), stones).unwrap()
}

/// The same entry throughout a layer, to tell files apart.
fn fill(layer: Layer, distance: u16) -> Vec<Entry> {
    vec![Entry::new(Value(1), Distance(distance)); layer.positions() as usize]
}

fn write(builder: &TableBuilder, layer: Layer, distance: u16) {
    let entries = fill(layer, distance);
    let mut sections = vec![(layer, entries.as_slice())];
    if !layer.is_symmetric() {
        sections.push((layer.mirror(), &entries));
    }
    builder.write_pair(&sections).unwrap();
}

/// A finished set of two layers below `root`; returns its directory.
fn build(root: &Path, game: &Game, distance: u16) -> std::path::PathBuf {
    let builder = TableBuilder::start(root, game).unwrap();
    write(&builder, layer(0, 4), distance);
    write(&builder, layer(0x01, 8), distance);
    builder.finish().unwrap();
    builder.directory().to_owned()
}

fn distance(set: &TableSet, layer: Layer) -> Option<u16> {
    set.probe(layer, 3).unwrap().map(|entry| entry.distance().0)
}

#[test]
fn a_set_answers_from_both_layers_of_a_file_and_knows_what_it_lacks() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), &game(), 9);
    let set = TableSet::new(&game()).and_directory(root.path());
    for layer in [layer(0, 4), layer(0x01, 8), layer(0x10, 8)] {
        assert_eq!(distance(&set, layer), Some(9));
    }
    assert_eq!(distance(&set, layer(0, 6)), None);
    let error = set.require(layer(0, 6)).unwrap_err();
    assert!(matches!(error, TableError::Missing { .. }));
    assert!(error.to_string().starts_with("no table for n06 in "), "{error}");
    let names: Vec<_> = set.files().unwrap().iter().map(|file| file.path().file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["n04.kpt", "n08_A_-.kpt"]);
}

#[test]
fn the_first_place_that_has_a_layer_serves_it() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build(one.path(), &game(), 1);
    let builder = TableBuilder::start(two.path(), &game()).unwrap();
    write(&builder, layer(0, 4), 2);
    write(&builder, layer(0, 6), 2);
    let bytes = fs::read(builder.directory().join("n06.kpt")).unwrap();
    let embedded: &[(&str, &[u8])] = vec![("kpe-skip-same-remains/n06.kpt", &*bytes.leak())].leak();
    let set = TableSet::new(&game()).and_directory("/nonexistent").and_directory(one.path()).and_directory(two.path());
    assert_eq!((distance(&set, layer(0, 4)), distance(&set, layer(0, 6))), (Some(1), Some(2)));
    let set = TableSet::new(&game()).and_directory(one.path());
    assert_eq!(distance(&set, layer(0, 6)), None);
    let set = set.and_embedded(embedded);
    assert_eq!((distance(&set, layer(0, 4)), distance(&set, layer(0, 6))), (Some(1), Some(2)));
    assert_eq!(set.files().unwrap().len(), 3);
    let other = TableSet::new(&other_game()).and_embedded(embedded);
    assert_eq!(distance(&other, layer(0, 6)), None);
}

#[test]
fn a_damaged_file_is_not_replaced_by_another() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let directory = build(one.path(), &game(), 1);
    build(two.path(), &game(), 2);
    fs::write(directory.join("n04.kpt"), "rubbish").unwrap();
    let set = TableSet::new(&game()).and_directory(one.path()).and_directory(two.path());
    for _ in 0..2 {
        assert!(matches!(set.probe(layer(0, 4), 3), Err(TableError::Damaged { .. })));
    }
    assert_eq!(distance(&set, layer(0x01, 8)), Some(1));
}

#[test]
fn tables_of_other_rules_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let other = build(root.path(), &other_game(), 1);
    let set = TableSet::new(&game()).and_directory(root.path());
    let error = set.require(layer(0, 4)).unwrap_err();
    assert!(matches!(error, TableError::OtherRules { .. }), "{error}");
    // A directory under the wrong name.
    fs::rename(&other, root.path().join("kpe-skip-same-remains")).unwrap();
    let set = TableSet::new(&game()).and_directory(root.path());
    let error = set.probe(layer(0, 4), 3).unwrap_err();
    assert!(matches!(error, TableError::OtherRules { .. }), "{error}");
    assert!(error.to_string().contains("found kpe with origin=sow,"), "{error}");
    assert!(matches!(TableBuilder::start(root.path(), &game()), Err(TableError::OtherRules { .. })));
}

#[test]
fn a_file_under_the_name_of_another_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let directory = build(root.path(), &game(), 1);
    fs::rename(directory.join("n04.kpt"), directory.join("n06.kpt")).unwrap();
    let set = TableSet::new(&game()).and_directory(root.path());
    assert!(matches!(set.probe(layer(0, 6), 3), Err(TableError::Damaged { .. })));
    let builder = TableBuilder::start(root.path(), &game()).unwrap();
    assert!(matches!(builder.finished(layer(0, 6)), Err(TableError::Damaged { .. })));
    assert!(matches!(builder.finish(), Err(TableError::Damaged { .. })));
}

#[test]
fn a_builder_knows_what_is_finished() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), &game(), 1);
    let builder = TableBuilder::start(root.path(), &game()).unwrap();
    assert!(builder.finished(layer(0x10, 8)).unwrap().is_some());
    assert!(builder.finished(layer(0, 6)).unwrap().is_none());
}

#[test]
fn the_lists_name_every_file_and_a_lost_one_is_missed() {
    let root = tempfile::tempdir().unwrap();
    let directory = build(root.path(), &game(), 1);
    let manifest = Manifest::read(&directory).unwrap().unwrap();
    assert_eq!((manifest.game.as_str(), manifest.options.as_str()), ("kpe", "origin=skip,unlock=same,feed=remains"));
    let file = &manifest.files[1];
    assert_eq!((file.name.as_str(), file.stones, file.mover_unsown.as_str()), ("n08_A_-.kpt", 8, "A"));
    assert_eq!((file.opponent_unsown.as_str(), file.positions), ("", 72));
    manifest.check_files(&directory).unwrap();
    let sums = fs::read_to_string(directory.join(SUMS)).unwrap();
    let names: Vec<_> = sums.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(names, ["n04.kpt", "n08_A_-.kpt", MANIFEST]);
    if let Ok(status) = Command::new("sha256sum").args(["-c", "--status", SUMS]).current_dir(&directory).status() {
        assert!(status.success());
    }
    fs::remove_file(directory.join("n04.kpt")).unwrap();
    assert!(matches!(manifest.check_files(&directory), Err(TableError::Missing { .. })));
    fs::write(directory.join("n04.kpt"), "short").unwrap();
    assert!(matches!(manifest.check_files(&directory), Err(TableError::Damaged { .. })));
}

#[test]
fn building_again_gives_the_same_lists() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let one = build(one.path(), &game(), 1);
    let two = build(&two.path().join("a/new/root"), &game(), 1);
    for list in [SUMS, MANIFEST] {
        assert_eq!(fs::read(one.join(list)).unwrap(), fs::read(two.join(list)).unwrap());
    }
}

#[test]
fn manifests_that_make_no_sense_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let directory = build(root.path(), &game(), 1);
    let path = directory.join(MANIFEST);
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    assert!(matches!(Manifest::read(&directory), Err(TableError::Damaged { .. })));
    fs::write(&path, good.replace("\"format\": 1", "\"format\": 2")).unwrap();
    assert!(matches!(Manifest::read(&directory), Err(TableError::NewerFormat { .. })));
}

#[test]
fn many_threads_probe_one_set() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), &game(), 5);
    // One place in the cache: the threads drive out each other's blocks.
    let set = TableSet::with_cache(&game(), 1).and_directory(root.path());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for rank in 0..72 {
                    let layer = if rank % 2 == 0 { layer(0, 4) } else { layer(0x01, 8) };
                    let entry = set.probe(layer, rank % layer.positions()).unwrap().unwrap();
                    assert_eq!(entry, Entry::new(Value(1), Distance(5)));
                }
            });
        }
    });
}

/// Names the root for the process that [`holder`] is.
const HOLD: &str = "KPE_TEST_HOLD_LOCK";

/// Not a test of its own: run by [`the_lock_does_not_survive_a_kill`] as another process, it holds a lock until killed.
#[test]
fn holder() {
    let Some(root) = std::env::var_os(HOLD) else { return };
    let _builder = TableBuilder::start(Path::new(&root), &game()).unwrap();
    println!("\nlocked");
    std::thread::sleep(std::time::Duration::from_secs(60));
}

#[test]
fn the_lock_does_not_survive_a_kill() {
    let root = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "holder", "--nocapture"])
        .env(HOLD, root.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "locked"));
    let error = TableBuilder::start(root.path(), &game()).unwrap_err();
    assert!(error.to_string().contains(&format!("process {}", child.id())), "{error}");
    // On Unix this is SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    TableBuilder::start(root.path(), &game()).unwrap();
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(TableBuilder::start(&file, &game()), Err(TableError::Io { .. })));
}
