//! `kpe match` and `kpe bench`.

use serde_json::Value;

use crate::{ran, scratch};

fn lines(path: &std::path::Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The document of a match, which may say on standard error how far it is.
fn document(args: &[&str]) -> Value {
    let ended = ran(args);
    assert_eq!(ended.status, 0, "{}", ended.err);
    serde_json::from_str(&ended.out).unwrap()
}

/// A file for a log.
fn log_file(name: &str) -> std::path::PathBuf {
    let path = scratch("logs");
    std::fs::create_dir_all(&path).unwrap();
    path.join(name)
}

#[test]
fn levels_play_and_the_better_one_wins() {
    let log = log_file("levels.jsonl");
    let log_name = log.to_str().unwrap();
    let play = |concurrency: &str| {
        document(&[
            "match",
            "--level",
            "5",
            "--level",
            "1",
            "--games",
            "40",
            "--concurrency",
            concurrency,
            "--log",
            log_name,
            "--json",
        ])
    };
    let result = play("1");
    let number = |name: &str| result[name].as_u64().unwrap();
    assert_eq!((&result["schema"], number("openings")), (&"kpe.match/1".into(), 20));
    assert_eq!(result["contestants"], serde_json::json!(["level 5", "level 1"]));
    assert_eq!(number("wins") + number("draws") + number("losses"), 40);
    assert!(number("wins") > 2 * number("losses") && result["complete"] == true, "{result}");
    let games = lines(&log);
    assert_eq!(games.len(), 41);
    assert_eq!(games[40], result);
    let wins = games[..40].iter().filter(|game| {
        let winner = if game["winner"] == "S" { &game["south"] } else { &game["north"] };
        !game["winner"].is_null() && winner == "level 5"
    });
    assert_eq!(wins.count() as u64, number("wins"));
    for game in &games[..40] {
        assert_eq!(game["schema"], "kpe.game/1");
        let halves: Vec<u64> = game["halves"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert_eq!(halves.iter().sum::<u64>(), 96);
    }
    // Two threads play the same games as one.
    assert_eq!(play("2"), result);
}

#[test]
fn every_game_of_the_log_is_one_by_the_rules() {
    use kpe::{
        notation::Position,
        record::Playing,
        rules::{Game, Loops},
    };
    let log = log_file("whole.jsonl");
    let args =
        ["match", "--level", "2", "--level", "3", "--random", "8", "--plies", "6", "--adjudicate", "off", "--log"];
    assert_eq!(ran(&[&args[..], &[log.to_str().unwrap()]].concat()).status, 0);
    let games = lines(&log);
    for game in &games[..16] {
        let start = Position::parse(game["opening"].as_str().unwrap(), Game::named("kpe").unwrap()).unwrap();
        let mut playing = Playing::new(start, Loops::Split);
        for text in game["moves"].as_array().unwrap() {
            playing.play_text(text.as_str().unwrap()).unwrap();
        }
        let ending = playing.ending().expect("the game is played to its end");
        assert_eq!(game["halves"], serde_json::json!(ending.halves));
        assert_eq!(game["reason"], ending.reason.word());
    }
}

#[test]
fn the_program_plays_itself_through_the_protocol() {
    let engine = format!("'{}' engine", env!("CARGO_BIN_EXE_kpe"));
    for limits in [&["--nodes", "300"][..], &["--time", "5ms"], &["--clock", "2s", "--increment", "10ms"]] {
        let args = ["match", "--engine", &engine, "--level", "10", "--games", "4", "--json"];
        let result = document(&[&args[..], limits].concat());
        let games = ["wins", "draws", "losses"].map(|name| result[name].as_u64().unwrap());
        assert_eq!(games.iter().sum::<u64>(), 4, "{limits:?}");
    }
}

/// A shell script that speaks the protocol and answers `go` in this way.
fn script(go: &str) -> String {
    let read = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; quit) exit;; ";
    format!("sh -c \"{read} go) {go};; esac; done\"")
}

#[test]
fn whoever_misbehaves_loses() {
    for (go, reason) in [
        ("echo bestmove Z", "illegal-move"),
        ("echo bestmove", "illegal-move"),
        ("exit", "crash"),
        ("sleep 9", "no-answer"),
        ("while :; do echo info string noise; done", "no-answer"),
    ] {
        let log = log_file(&format!("{reason}{}.jsonl", go.len()));
        let engine = script(go);
        let args = ["match", "--engine", &engine, "--level", "1", "--games", "2", "--time", "50ms", "--log"];
        let ended = ran(&[&args[..], &[log.to_str().unwrap()]].concat());
        assert_eq!(ended.status, 0, "{go}: {}", ended.err);
        let games = lines(&log);
        let south = if games[0]["south"] == "level 1" { "S" } else { "N" };
        assert_eq!((games[0]["reason"].as_str(), games[0]["winner"].as_str()), (Some(reason), Some(south)), "{go}");
        assert_eq!(games[2]["losses"], 2, "{go}");
    }
}

#[test]
fn a_test_ends_the_match_early() {
    let args = ["match", "--level", "6", "--level", "1", "--elo0", "0", "--elo1", "50", "--random", "2000", "--json"];
    let result = document(&args);
    assert_eq!((&result["test"], &result["complete"]), (&"H1".into(), &false.into()));
    assert!(result["llr"].as_i64().unwrap() >= 2944);
}

#[test]
fn wrong_matches_are_refused() {
    for (args, told) in [
        (&["--level", "3"][..], "found 1 contestant, expected two"),
        (&["--level", "3", "--level", "4", "--level", "5"], "3 contestants"),
        (&["--level", "0", "--level", "3"], "from 1 to 10"),
        (&["--level", "1", "--level", "2", "--elo0", "5", "--elo1", "1"], "elo1 must be greater"),
        (&["--level", "1", "--level", "2", "--plies", "60"], "more than"),
        (&["--level", "1", "--level", "2", "--increment", "1s"], "--clock"),
        (&["--level", "1", "--level", "2", "--openings", "/no/such/file"], "/no/such/file"),
        (&["--level", "1", "--engine", "/no/such/engine"], "does not start"),
    ] {
        let ended = ran(&[&["match"], args].concat());
        assert!(ended.status != 0 && ended.out.is_empty(), "{args:?}");
        assert!(ended.err.contains(told), "{args:?}: {}", ended.err);
    }
}

#[test]
fn the_bench_is_the_same_every_time() {
    let nodes = || document(&["bench", "--depth", "6", "--json"])["nodes"].as_u64().unwrap();
    assert_eq!(nodes(), nodes());
    let shown = ran(&["bench", "--depth", "6"]).out;
    assert_eq!(shown.lines().count(), kpe::bench::POSITIONS.len() + 1);
    assert!(shown.lines().last().unwrap().starts_with(&format!("{} nodes, ", nodes())), "{shown}");
}
