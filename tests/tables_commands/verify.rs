//! `kpe tables verify`.

use std::fs;
use std::path::PathBuf;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::table::testing::change_entry;
use kpe::value::{Distance, Entry, Value};

use super::{Built, game, text};

fn json(output: &str) -> serde_json::Value {
    serde_json::from_str(output).unwrap()
}

/// Makes one entry of the unlocked layer of ten stones wrong and seals the file again; what must be told of it.
fn spoil(built: &Built) -> (u32, Entry, Entry) {
    let layer = Layer::new(Pits::NONE, 10).unwrap();
    let path = built.directory().join("n10.kpt");
    let file = kpe::table::TableFile::open(&path).unwrap();
    let (number, right) =
        (5_000..).map(|number| (number, file.probe(layer, number).unwrap())).find(|(_, e)| e.value().0 > 2).unwrap();
    let wrong = Entry::new(Value(right.value().0 - 2), Distance(right.distance().0));
    change_entry(&path, &game(), layer, number, wrong).unwrap();
    (number, wrong, right)
}

#[test]
fn a_sound_set_passes_whole_by_sample_and_in_shards() {
    let built = Built::new(12);
    let said = text(&built.tables(&["verify"]), 0);
    assert!(said.ends_with(": no fault\n"), "{said}");
    let said = text(&built.tables(&["verify", "--sample", "500", "--seed", "3"]), 0);
    assert_eq!(said, "500 positions checked: no fault\n");

    let whole = json(&text(&built.tables(&["verify", "--json"]), 0));
    assert_eq!(whole["sound"], true);
    let files = shards(&built, 3);
    let mut arguments = vec!["verify", "--json", "--merge"];
    arguments.extend(files.iter().rev().map(|file| file.to_str().unwrap()));
    assert_eq!(json(&text(&built.tables(&arguments), 0)), whole);
}

/// The reports of all shards, each in a file.
fn shards(built: &Built, count: usize) -> Vec<PathBuf> {
    let report = |number| {
        let output = built.tables(&["verify", "--json", "--shard", &format!("{number}/{count}")]);
        let path = built.root.path().join(format!("shard-{number}.json"));
        fs::write(&path, output.stdout).unwrap();
        path
    };
    (1..=count).map(report).collect()
}

#[test]
fn a_missing_or_doubled_shard_is_refused() {
    let built = Built::new(8);
    let files = shards(&built, 3);
    let path = |at: usize| files[at].to_str().unwrap();
    for (parts, reason) in [
        (vec![path(0), path(2)], "found the shards 1/3 3/3, expected each of 1/3 to 3/3 once"),
        (vec![path(0), path(1), path(2), path(1)], "found the shards 1/3 2/3 2/3 3/3"),
    ] {
        let output = built.tables(&[&["verify", "--merge"], &parts[..]].concat());
        text(&output, 2);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(reason), "{errors}");
    }
    // Reports one after the other in one file are as good.
    let all = built.root.path().join("all.json");
    fs::write(&all, files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<String>()).unwrap();
    text(&built.tables(&["verify", "--merge", all.to_str().unwrap()]), 0);
    // A set that was changed between two shards is another set.
    spoil_shortest(&built);
    let changed = built.tables(&["verify", "--json", "--shard", "2/3"]);
    fs::write(path(1), changed.stdout).unwrap();
    text(&built.tables(&["verify", "--merge", path(0), path(1), path(2)]), 2);
    fs::write(&all, "{\"schema\": 1}").unwrap();
    text(&built.tables(&["verify", "--merge", all.to_str().unwrap()]), 2);
    text(&built.tables(&["verify", "--merge", "nowhere.json"]), 5);
    text(&built.tables(&["verify", "--shard", "4/3"]), 2);
}

/// Seals a wrong entry into the file of eight stones.
fn spoil_shortest(built: &Built) {
    let layer = Layer::new(Pits::NONE, 8).unwrap();
    let path = built.directory().join("n08.kpt");
    change_entry(&path, &game(), layer, 77, Entry::new(Value(8), Distance(3))).unwrap();
}

#[test]
fn a_wrong_entry_is_told_with_its_place_however_well_sealed() {
    let built = Built::new(12);
    let (number, wrong, right) = spoil(&built);
    let report = json(&text(&built.tables(&["verify", "--json"]), 4));
    assert_eq!(report["sound"], false);
    let faults = report["faults"].as_array().unwrap();
    let fault = faults.iter().find(|fault| fault["number"] == number).expect("the entry itself is a fault");
    let entry = |entry: Entry| serde_json::json!({ "value": entry.value().0, "distance": entry.distance().0 });
    assert_eq!((&fault["layer"], &fault["found"], &fault["expected"]), (&"n10".into(), &entry(wrong), &entry(right)));

    let said = text(&built.tables(&["verify"]), 4);
    let position = fault["position"].as_str().unwrap();
    let line = format!(
        "layer n10, position {number}, {position}: found value {:+} distance {}, expected value {:+} distance {}",
        wrong.value().0,
        wrong.distance().0,
        right.value().0,
        right.distance().0
    );
    assert!(said.lines().any(|told| told == line), "{said}\n{line}");
    let probed = text(&super::run(built.root.path(), &["probe", position]), 0);
    assert!(probed.starts_with(&format!("{} for South", wrong.value())), "{probed}");

    let files = shards(&built, 2);
    let merge = ["verify", "--merge", files[0].to_str().unwrap(), files[1].to_str().unwrap()];
    text(&built.tables(&merge), 4);
}

#[test]
fn a_missing_file_is_told_once_with_its_remedy_and_nothing_is_checked() {
    let built = Built::new(10);
    fs::remove_file(built.directory().join("n08.kpt")).unwrap();
    let root = built.root.path().display();
    let told = format!(
        "incomplete: n08.kpt is listed in manifest.json but missing; \
         kpe tables build --stones 10 --tables {root} makes it again; nothing was checked"
    );
    for arguments in [&["verify"][..], &["verify", "--sample", "100"]] {
        assert_eq!(text(&built.tables(arguments), 3), format!("{told}\n"));
    }
    let report = json(&text(&built.tables(&["verify", "--json"]), 3));
    assert_eq!(
        (&report["sound"], &report["damaged"], &report["positions"]),
        (&false.into(), &[told].into(), &0.into())
    );
}

#[test]
fn every_damaged_file_is_told() {
    let built = Built::new(10);
    for name in ["n06.kpt", "n10.kpt"] {
        let path = built.directory().join(name);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let report = json(&text(&built.tables(&["verify", "--json"]), 4));
    let damaged: Vec<_> = report["damaged"].as_array().unwrap().iter().map(|d| d.as_str().unwrap()).collect();
    assert_eq!(damaged.len(), 2, "{damaged:?}");
    assert!(
        damaged[0].contains("n06.kpt: damaged table") && damaged[1].contains("n10.kpt: damaged table"),
        "{damaged:?}"
    );
    fs::remove_file(built.directory().join("n06.kpt")).unwrap();
    assert_ne!(built.tables(&["verify"]).status.code(), Some(0));
}
