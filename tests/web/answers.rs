//! What the requests of the API answer.

use std::net::SocketAddr;
use std::process::Command;

use kpe::notation::Position;
use kpe::record::Playing;
use kpe::rules::{Game, Loops};
use kpe::web::Settings;
use serde_json::{Value, json};

use crate::client::{Client, get};
use crate::{scratch, served, settings};

/// What the command line answers, with the tables of the program alone.
fn command(args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    let output = command.args(args).env_remove("KPE_TABLES").env("HOME", scratch("home")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn letters(list: &Value) -> String {
    list.as_array().unwrap().iter().map(|letter| letter.as_str().unwrap()).collect()
}

fn play(address: SocketAddr, parameters: &str) -> Value {
    get(address, &format!("/api/v1/play?{parameters}")).json()
}

/// Random numbers that are the same on every run.
fn next(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// The moves of a random game, and the game.
fn random_game(game: Game, loops: Loops, seed: &mut u64) -> (String, Playing) {
    let mut playing = Playing::new(Position::start(game), loops);
    while playing.ending().is_none() && playing.made().len() < 120 {
        let moves = playing.moves();
        playing.play(moves[next(seed, moves.len())]).unwrap();
    }
    let texts: Vec<String> = playing.made().iter().map(|made| made.text().to_string()).collect();
    (texts.join(","), playing)
}

/// The pits after a sowing, by what its document says: lifted, dropped one by one, captured.
fn sown(ply: &Value) -> Vec<u64> {
    let stones = |pit: &Value| pit["stones"].as_u64().unwrap();
    let mut pits: Vec<u64> = ply["board"]["pits"].as_array().unwrap().iter().map(stones).collect();
    let place = |letter: char| "ABCDabcd".find(letter).unwrap();
    if let Some(origin) = ply["origin"].as_str() {
        let lifted = std::mem::take(&mut pits[place(origin.chars().next().unwrap())]);
        let path = letters(&ply["path"]);
        assert_eq!(path.len() as u64, lifted);
        path.chars().for_each(|letter| pits[place(letter)] += 1);
        let taken: u64 = letters(&ply["pits"]).chars().map(|letter| std::mem::take(&mut pits[place(letter)])).sum();
        assert_eq!(taken, ply["captured"].as_u64().unwrap());
    }
    pits
}

#[test]
fn a_wrong_address_is_answered_with_the_right_ones() {
    let server = served(settings());
    let detail = get(server.address(), "/api/v1/").problem().1["detail"].as_str().unwrap().to_owned();
    for endpoint in ["annotate", "choose", "health", "play", "position", "record", "stats"] {
        assert!(detail.contains(endpoint), "{detail}");
        assert_ne!(get(server.address(), &format!("/api/v1/{endpoint}")).status, 404, "{endpoint}");
    }
}

#[test]
fn whole_games_are_played() {
    let server = served(settings());
    let mut client = Client::new(server.address());
    let mut seed = 5;
    for (name, options) in [("kpe", ""), ("kpe", "origin=sow,unlock=next"), ("gore", ""), ("gore", "trade=off")] {
        let game = Game::parse(name, options).unwrap();
        for loops in [Loops::Split, Loops::Own] {
            let (moves, playing) = random_game(game, loops, &mut seed);
            let url = format!("/api/v1/play?game={name}&options={game}&loops={loops}&moves={moves}");
            let document = client.get(&url).json();
            assert_eq!(document["position"], playing.position().to_string());
            let legal: Vec<&str> =
                document["legal"].as_array().unwrap().iter().map(|legal| legal["move"].as_str().unwrap()).collect();
            let side = playing.position().side();
            assert_eq!(legal, playing.moves().iter().map(|m| m.text(side).to_string()).collect::<Vec<_>>());
            let over = playing.ending().map(|ending| json!(ending.halves));
            assert_eq!(document["over"]["totals_halves"], over.unwrap_or_default());
            let plies = document["plies"].as_array().unwrap();
            assert_eq!(plies.len(), playing.made().len());
            for ply in plies {
                let result: Vec<u64> =
                    ply["result"].as_str().unwrap().split('-').take(8).map(|number| number.parse().unwrap()).collect();
                if ply["kind"] != "accept" {
                    assert_eq!(sown(ply), result, "{ply}");
                }
            }
        }
    }
}

#[test]
fn locks_owners_and_offers_are_seen() {
    let server = served(settings());
    let address = server.address();
    let unlocking = play(address, "start=0-1-8-8-8-8-1-8-0-6-S:C&moves=C");
    let ply = &unlocking["plies"][0];
    assert_eq!((&ply["unlocked"], &ply["board"]["unlocked"]), (&json!(true), &json!({ "S": false, "N": true })));
    assert_eq!((letters(&ply["path"]), &ply["board"]["pits"][2]["locked"]), ("DabcdABD".to_owned(), &json!(true)));
    assert_eq!(unlocking["board"]["unlocked"], json!({ "S": true, "N": true }));

    let offered = play(address, "game=gore&start=3-3-3-3-3-3-3-3-6-18-S@ABCD&moves=offer:AB");
    let answers: Vec<&str> =
        offered["legal"].as_array().unwrap().iter().map(|legal| legal["kind"].as_str().unwrap()).collect();
    assert_eq!((letters(&offered["board"]["offer"]), answers), ("AB".to_owned(), vec!["accept", "decline"]));
    let accepted = play(address, "game=gore&start=3-3-3-3-3-3-3-3-6-18-S@ABCD&moves=offer:AB,accept");
    let owners: String =
        accepted["board"]["pits"].as_array().unwrap().iter().map(|pit| pit["owner"].as_str().unwrap()).collect();
    assert_eq!((owners.as_str(), &accepted["board"]["stores"]), ("NNSSNNNN", &json!({ "S": 6, "N": 6 })));
    assert_eq!((&accepted["board"]["offer"], &accepted["board"]["side"]), (&Value::Null, &json!("N")));
    let over = play(address, "game=gore&start=3-3-3-3-3-3-3-3-18-6-S@ABCD&moves=offer:A,decline,offer:a,decline");
    let expected = json!({ "reason": "repetition", "totals_halves": [60, 36], "winner": "S", "without_glory": true });
    assert_eq!((&over["over"], &over["legal"]), (&expected, &json!([])));
}

#[test]
fn positions_are_answered_as_by_the_command() {
    let server = served(settings());
    for (position, flags) in [
        ("startpos", &[][..]),
        ("0-3-8-1-2-4-1-3-12-14-N", &[]),
        ("0-0-0-0-1-2-0-3-20-22-S", &[]),
        ("6-6-6-6-6-6-6-6-0-0-S", &["--depth", "6", "--threads", "1", "--nodes", "100"]),
    ] {
        let answer = get(server.address(), &format!("/api/v1/position?position={position}&time_ms=50")).json();
        let args: Vec<&str> = ["best", "--json", position].iter().chain(flags).copied().collect();
        let expected = command(&args);
        if expected["source"] == "search" {
            assert_eq!((&answer["source"], &answer["position"]), (&expected["source"], &expected["position"]));
        } else {
            assert_eq!(answer, expected);
            // The second answer comes from memory.
            assert_eq!(get(server.address(), &format!("/api/v1/position?position={position}")).json(), expected);
        }
    }
    let moved = get(server.address(), "/api/v1/position?moves=A,b").json();
    assert_eq!(moved["position"], "1-8-8-8-8-0-8-7-0-0-S:BCDacd");
    let gore = get(server.address(), "/api/v1/position?game=gore&time_ms=20").json();
    assert_eq!((&gore["source"], &gore["options"]), (&json!("search"), &json!("origin=skip,trade=on")));
}

#[test]
fn levels_choose_legal_moves() {
    let server = served(settings());
    let mut client = Client::new(server.address());
    for (game, moves) in [("kpe", "A,b"), ("gore", "A,b"), ("kpe", ""), ("gore", "")] {
        for level in [1, 4, 8, 10] {
            let url = format!("/api/v1/choose?game={game}&moves={moves}&level={level}&time_ms=20");
            let chosen = client.get(&url).json();
            assert_eq!((&chosen["schema"], &chosen["level"]), (&json!("kpe.choose/1"), &json!(level)));
            let moves = format!("{moves},{}", chosen["move"].as_str().unwrap());
            let after = client.get(&format!("/api/v1/play?game={game}&moves={}", moves.trim_start_matches(',')));
            assert_eq!(after.status, 200, "{chosen}");
        }
    }
    // Whoever is ahead does not repeat a position, though tables think it as good.
    let loop_ = "start=1-1-0-0-1-0-0-0-23-22-S&moves=A,a,B,b,C,c,D,d,A,a,B,b,C,c,D";
    let chosen = client.get(&format!("/api/v1/choose?{loop_}")).json();
    assert_ne!(chosen["move"], "");
    // Value, best move and the move made are those of the game: d alone saves North.
    let game = "start=1-1-0-1-0-0-1-0-22-22-S&moves=B,c,D,a,A,b,C,c,D,a,B,b,C";
    let chosen = client.get(&format!("/api/v1/choose?{game}")).json();
    assert_eq!((&chosen["best"], &chosen["move"], &chosen["line"][0]), (&json!("d"), &json!("d"), &json!("d")));
    assert_eq!((&chosen["value"], &chosen["kind"]), (&json!(0), &json!("exact")));
    let over = client.get(&format!("/api/v1/choose?{loop_},d"));
    assert_eq!(over.refused(400), "move");
}

#[test]
fn records_are_read_and_written() {
    let server = served(settings());
    let address = server.address();
    let record = play(address, "game=gore&loops=own&moves=A,b,C")["record"].as_str().unwrap().to_owned();
    let text: String = record.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let read = get(address, &format!("/api/v1/record?text={text}")).json();
    assert_eq!(
        (&read["moves"], &read["loops"], &read["game"]),
        (&json!(["A", "b", "C"]), &json!("own"), &json!("gore"))
    );
    let wrong = get(address, "/api/v1/record?text=1.+A+b%0A2.+Q");
    assert_eq!(wrong.refused(400), "record");
    assert_eq!((&wrong.problem().1["line"], &wrong.problem().1["column"]), (&json!(2), &json!(4)));
    assert_eq!(get(address, "/api/v1/record").refused(400), "parameter");
}

#[test]
fn games_are_annotated_as_by_the_command() {
    let server = served(settings());
    let (start, moves) = ("0-3-8-1-2-4-1-3-12-14-N", "d,A,b");
    let answer = get(server.address(), &format!("/api/v1/annotate?start={start}&moves={moves}")).json();
    let file = scratch("annotated.kpg");
    std::fs::create_dir_all(scratch("")).unwrap();
    let text = play(server.address(), &format!("start={start}&moves={moves}"))["record"].as_str().unwrap().to_owned();
    std::fs::write(&file, text).unwrap();
    assert_eq!(answer, command(&["annotate", "--json", file.to_str().unwrap()]));
    let gore = get(server.address(), "/api/v1/annotate?game=gore&moves=A,b,C&time_ms=10").json();
    assert_eq!((gore["plies"].as_array().unwrap().len(), gore["leads"].as_array().unwrap().len()), (3, 4));
}

#[test]
fn tables_are_described_as_by_the_command() {
    let server = served(settings());
    let stats = get(server.address(), "/api/v1/stats").json();
    assert_eq!(stats, command(&["tables", "info", "--json"]));
    assert_eq!(get(server.address(), "/api/v1/stats?game=gore").refused(400), "game");
    assert_eq!(get(server.address(), "/api/v1/stats?options=origin=sow").refused(404), "not-found");
    let health = get(server.address(), "/api/v1/health").json();
    let games = health["games"].as_array().unwrap();
    assert_eq!(games.len(), 8 + 4);
    let known: Vec<&Value> = games.iter().filter(|game| game["tables"] != "none").collect();
    let names: Vec<&Value> = known.iter().map(|game| &game["options"]).collect();
    assert_eq!(names, ["origin=skip,unlock=same,feed=remains", "origin=skip,trade=off"]);
    assert_eq!((&known[0]["tables"], &known[0]["stones"]), (&json!("partial"), &json!(24)));
    assert_eq!(known[0]["positions"], stats["positions"]);
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_wrong_parameter_is_told_with_its_place() {
    let server = served(settings());
    let problem = |url: &str, kind: &str| {
        let answer = get(server.address(), &format!("/api/v1/{url}"));
        assert_eq!(answer.refused(400), kind, "{url}");
        answer.problem().1
    };
    let wrong = problem("position?position=6-12-02-8-0-0-0-0-1-19-S", "position");
    assert_eq!((&wrong["parameter"], &wrong["at"]), (&json!("position"), &json!([5, 7])));
    let wrong = problem("play?moves=A,b,E,c", "move");
    assert_eq!((&wrong["parameter"], &wrong["ply"]), (&json!("moves"), &json!(2)));
    let wrong = problem("position?moves=A,E", "move");
    assert_eq!((&wrong["ply"], &wrong["at"]), (&json!(1), &json!([0, 1])));
    assert!(wrong["detail"].as_str().unwrap().contains("expected one of a, b, c, d"), "{wrong}");
    assert_eq!(problem("position?game=oware", "game")["parameter"], "game");
    assert_eq!(problem("position?options=trade=on", "game")["parameter"], "options");
    for (url, parameter) in [
        ("position?level=0", "level"),
        ("position?time_ms=-1", "time_ms"),
        ("position?time_ms=0", "time_ms"),
        ("position?start=startpos", "start"),
        ("play?loops=none", "loops"),
        ("play?game=kpe&game=kpe", "game"),
        ("health?x=1", "x"),
        ("choose?moves=%ff", "moves"),
    ] {
        assert_eq!(problem(url, "parameter")["parameter"], parameter, "{url}");
    }
    assert_eq!(get(server.address(), "/api/v1/nothing").refused(404), "not-found");
    assert_eq!(get(server.address(), "/api/v2/health").refused(404), "not-found");
}

#[test]
fn a_damaged_table_is_told_and_the_rest_goes_on() {
    let root = scratch("damaged");
    let set = root.join("kpe-skip-same-remains");
    std::fs::create_dir_all(&set).unwrap();
    std::fs::write(set.join("n26.kpt"), "no table at all, but long enough to have a prefix of one").unwrap();
    let server = served(Settings { tables: Some(root), ..settings() });
    let mut client = Client::new(server.address());
    assert_eq!(client.get("/api/v1/position?position=0-0-0-1-25-0-0-0-22-0-S").refused(500), "table");
    assert_eq!(client.get("/api/v1/position?position=1-0-0-0-1-0-0-0-22-0-S").json()["source"], "table");
}
