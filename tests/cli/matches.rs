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

/// A file for a log, not there yet.
fn log_file(name: &str) -> std::path::PathBuf {
    let path = scratch("logs");
    std::fs::create_dir_all(&path).unwrap();
    let path = path.join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn levels_play_and_the_better_one_wins() {
    let log = log_file("levels.jsonl");
    let log_name = log.to_str().unwrap();
    let play = |concurrency: &str| {
        let _ = std::fs::remove_file(&log);
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
        let is_decided_early = game["reason"] == "beyond-reach";
        assert_eq!(game["halves"].is_null(), is_decided_early, "{game}");
        if let Some(halves) = game["halves"].as_array() {
            assert_eq!(halves.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 96);
        }
    }
    let endings = result["endings"].as_object().unwrap();
    assert_eq!(endings.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 40);
    assert_eq!((&result["adjudicated"], &result["faults"]), (&endings["beyond-reach"], &serde_json::json!([{}, {}])));
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
        ("sleep 1.9; echo bestmove A", "time"),
        ("while :; do echo info string noise; done", "no-answer"),
    ] {
        let log = log_file(&format!("{reason}{}.jsonl", go.len()));
        let engine = script(go);
        let args =
            ["match", "--engine", &engine, "--level", "1", "--games", "2", "--time", "50ms", "--margin", "1s", "--log"];
        let ended = ran(&[&args[..], &[log.to_str().unwrap()]].concat());
        assert_eq!(ended.status, 0, "{go}: {}", ended.err);
        let games = lines(&log);
        let south = if games[0]["south"] == "level 1" { "S" } else { "N" };
        assert_eq!((games[0]["reason"].as_str(), games[0]["winner"].as_str()), (Some(reason), Some(south)), "{go}");
        assert_eq!(games[2]["losses"], 2, "{go}");
        assert_eq!(games[2]["endings"], serde_json::json!({ reason: 2 }), "{go}");
        assert_eq!(games[2]["faults"], serde_json::json!([{ reason: 2 }, {}]), "{go}");
        assert!(ended.out.contains(&format!("games ended by {reason} 2; 0 adjudicated")), "{go}: {}", ended.out);
        if reason == "time" {
            assert!(games[2]["late"][0] == 2 && games[2]["overrun_ms"][0].as_u64().unwrap() >= 1700, "{}", games[2]);
        }
    }
}

/// Late by less than the margin costs no game, but is told.
#[test]
fn a_move_that_is_late_within_the_margin_is_told() {
    let engine = script("sleep 0.1; echo bestmove Z");
    let args =
        ["match", "--engine", &engine, "--level", "1", "--games", "2", "--time", "10ms", "--margin", "1m", "--json"];
    let result = document(&args);
    assert_eq!(result["endings"], serde_json::json!({ "illegal-move": 2 }));
    assert!(result["late"][0].as_u64() >= Some(2) && result["overrun_ms"][0].as_u64() >= Some(80), "{result}");
}

/// What a program says without end is not kept.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_options_takes_no_memory() {
    let flood = "sh -c 'read -r word; exec yes \"option name an option nobody asked for type string default x\"'";
    let limited = |command: &str| {
        let mut shell = std::process::Command::new("sh");
        let kpe = env!("CARGO_BIN_EXE_kpe");
        // The rooms a process may address; the program itself maps some.
        shell
            .arg("-c")
            .arg(format!("ulimit -v 1500000; exec '{kpe}' match --engine \"$0\" --level 1 --games 2"))
            .arg(command);
        shell.output().unwrap()
    };
    let ended = limited(flood);
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.code() == Some(5) && told.contains("did not answer ugi"), "{:?}: {told}", ended.status);
}

/// Between a player who errs and a better one tables decide nothing, however many stones they know.
#[test]
fn tables_decide_only_between_perfect_players() {
    let play = |other: &str| {
        let openings = scratch("openings-12");
        std::fs::write(&openings, "1-2-0-3-2-1-1-2-18-18-S\n2-1-3-0-1-2-2-1-18-18-S\n0-3-1-2-3-1-1-1-18-18-S\n")
            .unwrap();
        document(&["match", "--level", "10", "--level", other, "--openings", openings.to_str().unwrap(), "--json"])
    };
    let unequal = play("1");
    assert!(unequal["endings"]["tables"].is_null(), "{unequal}");
    let perfect = play("10");
    assert_eq!((&perfect["endings"], &perfect["adjudicated"]), (&serde_json::json!({ "tables": 6 }), &6.into()));
}

#[test]
fn a_log_that_is_there_is_left_as_it_is() {
    let log = log_file("there.jsonl");
    let args = ["match", "--level", "1", "--level", "2", "--games", "2", "--log", log.to_str().unwrap()];
    std::fs::write(&log, "").unwrap();
    assert_eq!(ran(&args).status, 0);
    let before = std::fs::read(&log).unwrap();
    let ended = ran(&args);
    assert!(
        ended.status == 2 && ended.out.is_empty() && ended.err.contains("there.jsonl is already there"),
        "{}",
        ended.err
    );
    assert_eq!(std::fs::read(&log).unwrap(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_lost_log_does_not_lose_the_result() {
    let ended = ran(&["match", "--level", "1", "--level", "2", "--games", "2", "--log", "/dev/full", "--json"]);
    let result: Value = serde_json::from_str(&ended.out).unwrap();
    assert!(result["complete"] == true && ended.status != 0, "{}", ended.err);
    assert!(ended.err.contains("/dev/full: No space left on device"), "{}", ended.err);
    assert!(ended.err.contains("the log of the match is not complete"), "{}", ended.err);
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
