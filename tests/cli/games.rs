//! Every command with every game: it works, or says why it cannot.

use crate::{document, kpe, ran, run, small_sets};

/// The flags of the games.
const GAMES: [&[&str]; 3] = [&[], &["--game", "gore", "--trade", "off"], &["--game", "gore"]];

fn names(game: &[&str]) -> &'static str {
    if game.is_empty() { "kpe" } else { "gore" }
}

#[test]
fn positions_are_answered_in_every_game() {
    for game in GAMES {
        for command in [&["best", "--depth", "4", "--json"][..], &["moves", "--json"], &["perft", "3", "--json"]] {
            let answer = document(&[command, game].concat());
            assert_eq!(answer["game"], names(game), "{command:?} {game:?}");
            assert!(answer["options"].as_str().unwrap().contains("origin=skip"));
        }
        for people in [&["best", "--depth", "4"][..], &["moves"], &["perft", "2", "--divide"]] {
            let ran = ran(&[people, game].concat());
            assert!(ran.status == 0 && ran.err.is_empty() && ran.out.lines().count() > 4, "{people:?} {game:?}");
        }
    }
}

#[test]
fn matches_are_played_in_every_game() {
    for game in GAMES {
        let contest =
            ["match", "--level", "3", "--level", "1", "--games", "4", "--random", "2", "--nodes", "500", "--json"];
        let answer = document(&[&contest[..], game].concat());
        assert_eq!(answer["game"], names(game));
        let sum: u64 = ["wins", "draws", "losses"].iter().map(|of| answer[of].as_u64().unwrap()).sum();
        assert_eq!(sum, 4, "{answer}");
    }
}

#[test]
fn games_are_played_and_annotated_in_every_game() {
    for game in GAMES {
        let level = ["play", "--level", "1", "--time", "10ms", "--seed", "1"];
        let played = run(kpe([&level[..], game].concat()).write_stdin("B\nrecord\nquit\n"));
        assert_eq!(played.status, 0, "{}", played.err);
        let record = played.out.find("[Game ").map(|at| &played.out[at..]).unwrap_or_else(|| panic!("{}", played.out));
        assert!(record.contains(names(game)) && record.contains("1. B "), "{record}");
        let options = game
            .iter()
            .skip_while(|flag| **flag != "--trade")
            .nth(1)
            .map_or(String::new(), |word| format!("[Options \"trade={word}\"]\n"));
        let text = format!("[Game \"{}\"]\n{options}\n1. B c 2. D *\n", names(game));
        let annotated = run(kpe(["annotate", "--json", "--time", "10ms", "-"]).write_stdin(text));
        assert_eq!(annotated.status, 0, "{}", annotated.err);
        let answer: serde_json::Value = serde_json::from_str(annotated.out.lines().next().unwrap()).unwrap();
        assert_eq!((&answer["schema"], &answer["game"]), (&"kpe.annotate/1".into(), &names(game).into()), "{answer}");
    }
}

#[test]
fn engines_play_every_game() {
    for (options, game) in ["", "game gore\ntrade off", "game gore"].into_iter().zip(GAMES) {
        let mut input: String = options
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(n, v)| format!("setoption name {n} value {v}\n"))
            .collect();
        input += "position startpos moves A b\ngo depth 3\nquery gameover\nquit\n";
        let ran = run(kpe(["engine"]).write_stdin(input));
        assert_eq!(ran.status, 0);
        let best = ran
            .out
            .lines()
            .find(|line| line.starts_with("bestmove "))
            .unwrap_or_else(|| panic!("{game:?} {}", ran.out));
        assert!(best.split(' ').count() == 2 && !best.ends_with("0000"), "{best}");
        assert!(!ran.out.contains("error"), "{}", ran.out);
    }
}

#[test]
fn tables_are_there_for_the_games_that_have_them() {
    let layer = ["--json", "0-0-0-1-1-0-0-0-20-26-S"];
    for game in GAMES {
        let commands: [&[&str]; 5] = [
            &["tables", "info", "--json"],
            &["tables", "verify", "--sample", "5", "--json"],
            &["tables", "stats", "--json"],
            &["tables", "digests"],
            &["tables", "probe", layer[0], layer[1]],
        ];
        for command in commands {
            let ran = ran(&[command, game, &["--tables", small_sets()]].concat());
            let layered = game != GAMES[2];
            assert_eq!(ran.status, if layered { 0 } else { 2 }, "{command:?} {game:?} {}", ran.err);
            assert!(layered || ran.err.contains("--trade off"), "{}", ran.err);
        }
    }
    assert_eq!(ran(&["trade", "--game", "kpe"]).status, 2);
    assert_eq!(ran(&["opening", "--game", "gore"]).status, 2);
}
