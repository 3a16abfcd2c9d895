//! `kpe moves`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{batch, document, flags, golden, ran};

/// The vectors of a file by the flags of their rules.
fn vectors(name: &str) -> BTreeMap<Vec<String>, Vec<Value>> {
    let mut groups: BTreeMap<_, Vec<Value>> = BTreeMap::new();
    for line in golden(name).lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let options = vector["options"].as_object().unwrap();
        let options: Vec<_> = options.iter().map(|(name, word)| format!("{name}={}", word.as_str().unwrap())).collect();
        groups.entry(flags(vector["game"].as_str().unwrap(), &options.join(","))).or_default().push(vector);
    }
    groups
}

fn agree(name: &str, expected: usize) {
    let mut seen = 0;
    for (flags, vectors) in vectors(name) {
        let lines: String =
            vectors.iter().map(|vector| format!("{}\n", vector["position"].as_str().unwrap())).collect();
        let args: Vec<&str> = ["moves", "-"].into_iter().chain(flags.iter().map(String::as_str)).collect();
        let (status, answers) = batch(&args, lines);
        assert_eq!((status, answers.len()), (0, vectors.len()), "{args:?}");
        for (answer, vector) in answers.iter().zip(&vectors) {
            assert_eq!(answer["schema"], "kpe.moves/1");
            for field in ["game", "position", "over", "final", "moves"] {
                assert_eq!(answer[field], vector[field], "{field} of {vector}");
            }
            seen += 1;
        }
    }
    assert_eq!(seen, expected);
}

#[test]
fn the_vectors_of_kpe_are_answered() {
    agree("kpe.jsonl", 2100);
}

#[test]
fn the_vectors_of_gore_are_answered() {
    agree("gore.jsonl", 1200);
}

#[test]
fn one_position_has_one_document() {
    let answer = document(&["moves", "--json"]);
    assert_eq!(answer["position"], "6-6-6-6-6-6-6-6-0-0-S:ABCDabcd");
    assert_eq!(answer["options"], "origin=skip,unlock=same,feed=remains");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 4);
    let answer = document(&["moves", "--json", "--game", "gore", "0-0-0-0-0-0-2-2-22-22-N"]);
    assert_eq!((answer["over"].as_bool(), answer["final"].to_string()), (Some(true), "[22,26]".to_owned()));
}

#[test]
fn people_see_the_board_and_the_moves() {
    let shown = ran(&["moves", "6-12-2-8-0-0-0-0-1-19-S"]);
    assert_eq!((shown.status, shown.err.as_str()), (0, ""));
    insta::assert_snapshot!(shown.out);
    let over = ran(&["moves", "0-4-0-0-0-0-0-0-3-41-N"]);
    assert!(over.out.ends_with("The game is over: South has 7 stones, North 41; North wins.\n"), "{}", over.out);
}

#[test]
fn a_bad_line_has_an_error_line_in_its_place() {
    let input = b"startpos\n1-2-x-4\n\n\xff\xfe\n  startpos \r\n1-0-0-0-1-0-0-0-0-0-S".to_vec();
    let (status, answers) = batch(&["moves", "-"], input);
    assert_eq!((status, answers.len()), (1, 6));
    let failed: Vec<bool> = answers.iter().map(|answer| answer["schema"] == "kpe.error/1").collect();
    assert_eq!(failed, [false, true, true, true, false, false]);
    assert_eq!(answers[1]["position"], "1-2-x-4");
    assert_eq!(answers[1]["error"], "found \"x\", expected a number of stones, 0 to 48");
    assert_eq!(answers[1]["at"].to_string(), "[4,5]");
    assert_eq!((&answers[3]["position"], &answers[3]["at"]), (&Value::Null, &Value::Null));
    assert_eq!(answers[4], answers[0]);
    assert_eq!(batch(&["moves", "-"], "").0, 0);
}
