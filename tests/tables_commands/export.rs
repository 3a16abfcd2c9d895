//! `kpe tables export`: what is written is what the table says, in every form.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::table::{TableSet, parse_layer_name};

use super::{Built, game, text};

/// Value and distance of every position of a layer, as the table has them; no distance for value 0.
fn entries(built: &Built, layer: Layer) -> Vec<(i8, Option<u16>)> {
    let set = TableSet::new(&game()).and_directory(built.root.path());
    let entries = set.require(layer).unwrap().read_section(layer).unwrap();
    let pair = |entry: &kpe::value::Entry| {
        let value = entry.value().0;
        (value, (value != 0).then_some(entry.distance().0))
    };
    entries.iter().map(pair).collect()
}

/// The number in `layer` of the position with this text.
fn number(layer: Layer, position: &str) -> u32 {
    let board = Position::parse(position, game()).unwrap().solver_board().unwrap();
    assert_eq!(Layer::of(board), layer, "{position}");
    layer.rank(board)
}

#[test]
fn every_form_says_what_the_table_says() {
    let built = Built::new(14);
    for name in ["n10", "n12_AB_-", "n14_-_c", "n00"] {
        let layer = parse_layer_name(name).unwrap();
        let expected = entries(&built, layer);
        let csv = text(&built.tables(&["export", name]), 0);
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("position,value,distance"));
        let rows: Vec<_> = lines
            .map(|line| {
                let [position, value, distance] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
                (number(layer, position), (value.parse().unwrap(), distance.parse().ok()))
            })
            .collect();
        assert_eq!(rows, (0..).zip(expected.iter().copied()).collect::<Vec<_>>());

        let jsonl = text(&built.tables(&["export", name, "--format", "jsonl"]), 0);
        let rows = jsonl.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let distance = row["distance"].as_u64().map(|plies| plies as u16);
            (row["value"].as_i64().unwrap() as i8, distance, number(layer, row["position"].as_str().unwrap()))
        });
        let rows: Vec<_> = rows.collect();
        let with_numbers = |(number, &(value, distance))| (value, distance, number);
        assert_eq!(rows, (0..).zip(&expected).map(with_numbers).collect::<Vec<_>>());

        let raw = built.tables(&["export", name, "--format", "raw"]).stdout;
        let words = raw.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]]));
        let words: Vec<_> = words.map(|word| ((word >> 9) as i8 - 64, word & 0x1ff)).collect();
        let numbers: Vec<_> = expected.iter().map(|&(value, distance)| (value, distance.unwrap_or(0))).collect();
        assert_eq!(words, numbers);
        check_npy(&built.tables(&["export", name, "--format", "npy"]).stdout, &numbers);
    }
}

/// Reads a NumPy file by hand as its description says (NEP 1, version 1.0).
fn check_npy(bytes: &[u8], expected: &[(i8, u16)]) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let data = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(data % 64, 0);
    let header = std::str::from_utf8(&bytes[10..data]).unwrap();
    let literal = format!("{{'descr': '<i2', 'fortran_order': False, 'shape': ({}, 2), }}", expected.len());
    assert_eq!(header.trim_end_matches(' ').trim_end(), literal);
    assert!(header.ends_with('\n'));
    let numbers: Vec<i16> = bytes[data..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    let expected: Vec<i16> = expected.iter().flat_map(|&(value, plies)| [value.into(), plies as i16]).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn a_file_is_there_only_when_it_is_whole() {
    let built = Built::new(10);
    let out = built.root.path().join("n10.npy");
    let path = out.to_str().unwrap();
    assert_eq!(text(&built.tables(&["export", "n10", "--format", "npy", "--out", path]), 0), "");
    assert_eq!(fs::read(&out).unwrap(), built.tables(&["export", "n10", "--format", "npy"]).stdout);
    fs::remove_file(&out).unwrap();

    let table = built.directory().join("n10.kpt");
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    text(&built.tables(&["export", "n10", "--format", "npy", "--out", path]), 4);
    assert!(fs::read_dir(built.root.path()).unwrap().all(|entry| entry.unwrap().path() == built.directory()));
    text(&built.tables(&["export", "n48_ABCD_abc"]), 3);
    text(&built.tables(&["export", "n4"]), 2);
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let built = Built::new(14);
    let mut command = Command::new(cargo_bin("kpe"));
    command.env("KPE_TABLES", built.root.path()).args(["tables", "export", "n14"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 20];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"position,value,dista");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
