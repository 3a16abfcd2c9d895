//! `kpe best`.

use serde_json::Value;

use crate::{GORE, batch, document, ran, small_sets};

/// `best --json` with the small sets and no other.
fn best(args: &[&str]) -> Value {
    let all: Vec<&str> = ["best", "--json", "--tables", small_sets()].into_iter().chain(args.iter().copied()).collect();
    document(&all)
}

#[test]
fn tables_answer_exactly() {
    for (game, suffix) in [(&[][..], ""), (&GORE[..], "@ABCD")] {
        let position = format!("1-1-3-0-2-2-3-0-18-18-N{suffix}");
        let args: Vec<&str> = [position.as_str()].into_iter().chain(game.iter().copied()).collect();
        let answer = best(&args);
        assert_eq!((&answer["schema"], &answer["position"]), (&"kpe.best/1".into(), &position.as_str().into()));
        assert_eq!(
            (&answer["kind"], &answer["source"], &answer["nodes"]),
            (&"exact".into(), &"table".into(), &0.into())
        );
        let moves = answer["moves"].as_array().unwrap();
        let values: Vec<i64> = moves.iter().map(|valued| valued["value"].as_i64().unwrap()).collect();
        assert!(values.is_sorted_by(|a, b| a >= b) && answer["value"] == values[0], "{answer}");
        assert_eq!((&answer["best"], &answer["best"]), (&moves[0]["move"], &answer["line"][0]));
        // Every move's value is what the tables say of the position after it.
        for valued in moves {
            let result = valued["result"].as_str().unwrap();
            let args: Vec<&str> = ["tables", "probe", "--json", "--tables", small_sets(), result]
                .into_iter()
                .chain(game.iter().copied())
                .collect();
            let theirs = document(&args)["value"].as_i64().unwrap();
            assert_eq!(valued["value"].as_i64().unwrap(), valued["captured"].as_i64().unwrap() - theirs, "{valued}");
        }
    }
}

#[test]
fn the_start_is_known_from_the_opening_book() {
    let answer = best(&[]);
    assert_eq!(answer["position"], "6-6-6-6-6-6-6-6-0-0-S:ABCDabcd");
    assert_eq!((answer["moves"].as_array().unwrap().len(), &answer["source"]), (4, &"table".into()));
    assert_eq!((&answer["value"], &answer["kind"]), (&0.into(), &"exact".into()));
    // The book is of the standard rules only.
    let next = document(&["best", "--json", "--depth", "6", "--unlock", "next"]);
    assert_eq!(next["source"], "search");
    assert!(next["nodes"].as_u64().unwrap() > 0);
    let gore = best(&[&["--depth", "4"], &GORE[..]].concat());
    assert_eq!(gore["position"], "6-6-6-6-6-6-6-6-0-0-S@ABCD");
}

#[test]
fn with_one_thread_and_a_limit_of_nodes_the_answer_is_always_the_same() {
    let args = ["3-3-2-2-3-3-2-2-14-14-S", "--nodes", "20000", "--threads", "1"];
    let answer = best(&args);
    assert_eq!(answer["nodes"].as_u64().unwrap(), 20000.min(answer["nodes"].as_u64().unwrap()));
    assert_eq!(best(&args), answer);
}

#[test]
fn a_finished_game_has_no_best_move() {
    let answer = best(&["0-4-0-0-0-0-0-0-3-41-N"]);
    assert_eq!((&answer["best"], &answer["value"], &answer["distance"]), (&Value::Null, &(-4).into(), &0.into()));
    let shown = ran(&["best", "0-4-0-0-0-0-0-0-3-41-N"]);
    assert!(shown.status == 0 && shown.out.contains("North wins"), "{}", shown.out);
    for command in [
        &["best", "0-4-0-0-0-0-0-0-3-41-N"][..],
        &["moves", "0-4-0-0-0-0-0-0-3-41-N"],
        &["best", "2-0-0-0-0-0-0-0-20-26-S", "--game=gore"],
    ] {
        let shown = ran(command);
        assert_eq!(shown.out.matches("game is over").count(), 1, "{}", shown.out);
    }
}

#[test]
fn moves_are_played_first() {
    let mut position = "startpos".to_owned();
    for letter in ["A", "b", "C"] {
        let answer = document(&["moves", "--json", &position]);
        let next = answer["moves"].as_array().unwrap().iter().find(|after| after["move"] == letter).unwrap();
        position = next["result"].as_str().unwrap().to_owned();
    }
    assert_eq!(best(&["--depth", "2", "--moves", "A", "b", "C"])["position"], position);
    assert_eq!(best(&["--depth", "2", "--moves", "A,b,C"])["position"], position);
}

#[test]
fn a_level_tells_of_the_move_it_makes() {
    for level in ["1", "2", "3"] {
        for position in ["startpos", "7-1-8-8-0-8-8-8-0-0-S:ACDbcd", "3-2-0-4-2-14-0-7-4-12-N"] {
            let answer = best(&["--level", level, position]);
            let chosen =
                answer["moves"].as_array().unwrap().iter().find(|valued| valued["move"] == answer["best"]).unwrap();
            assert_eq!((&answer["value"], &answer["line"][0]), (&chosen["value"], &answer["best"]), "{answer}");
        }
    }
}

#[test]
fn a_repetition_is_told() {
    // The line of a draw ends where it repeats.
    let position = "1-0-0-0-1-0-0-0-23-23-S";
    let answer = best(&[position]);
    assert_eq!(answer["value"], 0);
    let line: Vec<&str> = answer["line"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let args = [&["best", position, "--tables", small_sets(), "--moves"], &line[..]].concat();
    let (whole, shorter) = (ran(&args), ran(&args[..args.len() - 1]));
    assert_eq!((whole.status, shorter.status, shorter.err.as_str()), (0, 0, ""));
    assert!(whole.err.contains("repeat a position"), "{}", whole.err);
}

#[test]
fn people_see_board_move_and_values_without_escape_codes() {
    let shown = ran(&["best", "1-1-3-0-2-2-3-0-18-18-N", "--tables", small_sets()]);
    assert_eq!((shown.status, shown.err.as_str()), (0, ""));
    insta::assert_snapshot!(shown.out);
    for position in ["startpos", "10-9-9-8-0-2-5-5-0-0-S", "0-0-1-2-0-0-4-2-20-19-N"] {
        let shown = ran(&["best", position, "--depth", "3", "--tables", small_sets()]);
        assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
        assert!(!shown.out.contains('\u{1b}'));
    }
}

#[test]
fn lines_are_answered_in_order() {
    let args = ["best", "-", "--tables", small_sets(), "--depth", "2"];
    let (status, answers) = batch(&args, "1-0-1-0-0-0-1-1-22-22-S\nwrong\nstartpos\n");
    assert_eq!((status, answers.len()), (1, 3));
    assert_eq!((&answers[0]["kind"], &answers[2]["source"]), (&"exact".into(), &"table".into()));
    assert!(answers[1]["error"].is_string());
}

#[test]
fn head_and_list_do_not_contradict_each_other() {
    let told = |args: &[&str]| {
        let ended = ran(&[&["best", "--tables", small_sets()], args].concat());
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{}", ended.out);
        assert!(ended.out.lines().all(|line| line.chars().count() <= 80), "{}", ended.out);
        ended.out
    };
    // A level that does not name the move it should.
    let out = told(&["5-3-3-2-4-3-2-2-12-12-S", "--level", "2"]);
    let head = "Move       C\n           level 2 misjudges moves; A is worth more, +4\n";
    assert!(out.contains(head) && !out.contains("Best move"), "{out}");
    assert!(out.contains("(searched 1 ply, "), "{out}");
    // A move of which more is known than of the position.
    let out = told(&["5-1-2-2-7-1-2-6-11-11-S", "--nodes", "300", "--threads", "1"]);
    let head =
        "at least 4 stones more than North\n           D itself is worth +4 exactly; another move may be worth more\n";
    assert!(out.contains("Best move  D\n") && out.contains(head), "{out}");
}
