//! The engine protocol: the sessions of PROTOCOL.md, and lines nobody should send.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use proptest::prelude::*;

const PATIENCE: Duration = Duration::from_secs(60);

/// The program as an engine.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
        command
            .arg("engine")
            .env_remove("KPE_TABLES")
            .env("HOME", env!("CARGO_TARGET_TMPDIR"))
            .env_remove("XDG_DATA_HOME");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in std::io::BufRead::lines(output) {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// The lines up to one that begins so, that one included.
    fn hear_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// What the engine had to say to `line`: all it says until it is ready, or its best move if that is asked for.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        if line.starts_with("go") && line != "go infinite" && !line.contains("perft") || line == "stop" {
            return self.hear_until("bestmove");
        }
        if line.contains("perft") {
            return self.hear_until("nodes");
        }
        self.say("isready");
        let mut lines = self.hear_until("readyok");
        lines.pop();
        if line == "isready" {
            lines.extend(self.hear_until("readyok"));
        }
        lines
    }

    /// Closes the input and waits for the end; the last lines and whether it ended well.
    fn end(mut self) -> (Vec<String>, bool) {
        self.input = None;
        let lines: Vec<String> = self.lines.iter().collect();
        (lines, self.child.wait().unwrap().success())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line is as a pattern says, in which `…` stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last == Some("")
}

#[test]
fn the_sessions_of_the_documentation_are_true() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/PROTOCOL.md")).unwrap();
    let mut sessions = 0;
    let mut asked = 0;
    for block in text.split("```session\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut engine = Engine::start();
        sessions += 1;
        for exchange in block.split("> ").skip(1) {
            let mut expected = exchange.lines();
            let line = expected.next().unwrap();
            if line == "quit" {
                engine.say(line);
                let status = engine.child.wait().unwrap();
                assert!(status.success() && expected.next().is_none());
                break;
            }
            let expected: Vec<&str> = expected.filter(|line| !line.is_empty()).collect();
            if line.starts_with("go") && expected.is_empty() {
                engine.say(line);
                continue;
            }
            let mut answer = engine.ask(line);
            // Several searches end with one `stop`.
            for _ in expected.iter().filter(|line| line.starts_with("bestmove")).skip(1) {
                answer.extend(engine.hear_until("bestmove"));
            }
            asked += 1;
            if expected.first() == Some(&"…") {
                let kept = answer.len() - (expected.len() - 1);
                answer.drain(..kept);
                answer.insert(0, String::new());
            }
            let fit = expected.len() == answer.len() && expected.iter().zip(&answer).all(|(e, a)| fits(e, a));
            assert!(fit, "{line}\nexpected\n{}\nfound\n{}", expected.join("\n"), answer.join("\n"));
        }
    }
    assert!(sessions >= 7 && asked >= 25, "{sessions} {asked}");
}

#[test]
fn a_search_listens() {
    let mut engine = Engine::start();
    engine.say("setoption name OwnBook value false");
    engine.say("go infinite");
    engine.hear_until("info depth 3");
    let start = Instant::now();
    engine.say("isready");
    engine.say("query p1turn");
    assert!(engine.hear_until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    assert!(engine.hear_until("response").last().unwrap().ends_with("true"));
    engine.say("stop");
    let best = engine.hear_until("bestmove").pop().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20) && best.split(' ').count() == 2, "{best}");
    // A proven result waits for stop as well.
    engine.say("position fen 0-3-8-1-2-4-1-3-12-14-N");
    engine.say("go infinite");
    engine.hear_until("info string value");
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    engine.say("stop");
    assert_eq!(engine.hear(), "bestmove b");
}

/// Who has sent a second `go` too early is heard all the same.
#[test]
fn a_search_with_a_limit_listens_whatever_was_sent_after_it() {
    let long = "go movetime 3600000";
    let mut engine = Engine::start();
    engine.say("setoption name OwnBook value false");
    engine.say(long);
    engine.hear_until("info depth 3");
    engine.say(&format!("{long}\nsetoption name Game value gore\nd\n{long}\nisready"));
    let lines = engine.hear_until("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove") && !line.starts_with("game")), "{lines:?}");
    engine.say("stop");
    let mut lines = engine.hear_until("bestmove");
    lines.extend(engine.hear_until("bestmove"));
    assert!(lines.iter().all(|line| !line.starts_with("game")), "{lines:?}");
    assert!(engine.hear().starts_with("game gore"), "what waited is carried out in its order");
    engine.hear_until("bestmove");
    // What comes after `stop` is not stopped.
    engine.say("setoption name Game value kpe\ngo depth 3");
    assert!(engine.hear_until("bestmove").iter().any(|line| line.starts_with("info depth 3")));
    engine.say(&format!("{long}\n{long}\n{long}\nquit"));
    let start = Instant::now();
    assert!(engine.child.wait().unwrap().success() && start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_list_longer_than_may_wait_is_worked_off() {
    let mut engine = Engine::start();
    engine.say("setoption name OwnBook value false");
    // Some 8 MiB of lines.
    let long = format!("position startpos moves{}", " A".repeat(1 << 18));
    let mut input = engine.input.take().unwrap();
    let lines: String = (0..16).map(|_| format!("go depth 2\n{long} Z\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    for _ in 0..16 {
        engine.hear_until("bestmove");
    }
    writer.join().unwrap().unwrap();
    assert!(engine.end().1);
}

/// A directory that looks like that of one set.
fn scratch_set() -> String {
    let set = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("protocol-one/set");
    std::fs::create_dir_all(&set).unwrap();
    std::fs::write(set.join("n02.kpt"), "").unwrap();
    set.into_os_string().into_string().unwrap()
}

#[test]
fn senseless_limits_are_told_and_every_go_is_answered() {
    let mut engine = Engine::start();
    engine.say("setoption name OwnBook value false");
    for go in [
        "depth -1",
        "depth 99999999999999999999",
        "nodes",
        "nodes depth 3",
        "movetime 0",
        "movetime x",
        "searchmoves",
        "searchmoves Z",
        "searchmoves infinite depth 2",
        "infinite depth 2",
        "p2time 100",
        "winc 100",
        "movestogo 3",
        "mate 2",
        "ever",
        "depth 2 depth 3",
    ] {
        let lines = engine.ask(&format!("go {go}"));
        assert!(lines[0].starts_with("info string error: go: ") && lines[0].contains("expected"), "{go}: {lines:?}");
        assert!(lines.iter().filter(|line| line.starts_with("info depth")).count() <= 3, "{go}: {lines:?}");
    }
    let one_set = format!("setoption name Tables value {}", scratch_set());
    for (line, told) in [
        ("d now", "found \"now\", expected nothing more"),
        ("setoption name Hash 7", "found nothing more, expected value"),
        ("setoption name Tables value /no/such/place", "no directory of tables at /no/such/place, expected"),
        (
            "setoption name Tables value /a\u{1b}[31m\u{202e}",
            "no directory of tables at /a\\u{1b}[31m\\u{202e}, expected",
        ),
        (one_set.as_str(), "is the directory of one set; Tables wants the one above it: "),
        ("setoption name Nonsense value 1", "expected one of those that ugi lists"),
        ("position startpos moves A Z", "move 2: found \"Z\", expected one of a, b, c, d"),
    ] {
        let lines = engine.ask(line);
        assert!(lines[0].starts_with("info string error: ") && lines[0].contains(told), "{line}: {lines:?}");
    }
    // Nothing of that has changed anything.
    assert!(engine.ask("go depth 3").iter().any(|line| line.starts_with("info depth 3")));
}

#[test]
fn times_are_kept() {
    let mut engine = Engine::start();
    engine.ask("isready");
    for go in ["go movetime 200", "go wtime 4000 btime 1 winc 0 binc 0", "go p1time 2000 p2time 10 p1inc 50 p2inc 50"] {
        let start = Instant::now();
        engine.ask(go);
        assert!(start.elapsed() < Duration::from_millis(2500), "{go} {:?}", start.elapsed());
    }
    for go in ["go wtime 0 btime 0", "go movetime 0", "go nodes 0", "go depth 1 movestogo 0 wtime -3"] {
        assert!(engine.ask(go).pop().unwrap().starts_with("bestmove "), "{go}");
    }
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let mut engine = Engine::start();
    engine.say("setoption name OwnBook value false");
    engine.say("go depth 9");
    engine.say("position startpos moves A");
    engine.say("go depth 9");
    let (lines, well) = engine.end();
    assert!(well);
    let depths = lines.iter().filter(|line| line.starts_with("info depth 9")).count();
    assert_eq!((depths, lines.iter().filter(|line| line.starts_with("bestmove")).count()), (2, 2));
    let mut engine = Engine::start();
    engine.say("go infinite");
    let (lines, well) = engine.end();
    assert!(well && lines.last().unwrap().starts_with("bestmove"));
    let mut engine = Engine::start();
    engine.say("go movetime 1000000\nquit");
    let start = Instant::now();
    assert!(engine.child.wait().unwrap().success() && start.elapsed() < Duration::from_secs(20));
}

/// What is told of a game in play is told of that game, and of the move that is named.
#[test]
fn values_are_those_of_the_game_in_play() {
    let mut engine = Engine::start();
    for (game, value) in [
        ("0-1-1-1-0-0-0-1-22-22-S moves D d C a B b A", "0 exact by rules"),
        ("1-1-2-0-0-0-0-0-22-22-S moves C a B b C c A d D a", "0 exact by table"),
        ("1-1-0-1-0-0-1-0-22-22-S moves B c D a A b C c D a B b C", "0 exact by rules"),
    ] {
        engine.say(&format!("position fen {game}"));
        let lines = engine.ask("go depth 4");
        let [.., info, told, best] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!(*told, format!("info string value {value}"), "{lines:?}");
        let action = best.strip_prefix("bestmove ").unwrap();
        assert!(info.contains(" score cp 0 ") && info.contains(&format!(" pv {action}")), "{lines:?}");
    }
}

#[test]
fn a_level_plays_the_same_every_time() {
    let play = |level: u8, seed: u8| {
        let mut engine = Engine::start();
        engine.say(&format!("setoption name Level value {level}\nsetoption name Seed value {seed}"));
        let mut moves = String::new();
        for _ in 0..30 {
            engine.say(&format!("position startpos moves{moves}"));
            let best = engine.ask("go movetime 60000").pop().unwrap();
            moves = format!("{moves} {}", best.split(' ').nth(1).unwrap());
        }
        moves
    };
    assert_eq!(play(3, 1), play(3, 1));
    assert_ne!(play(3, 1), play(3, 2));
}

/// Lines that begin like commands and go on anyhow, or are no text at all.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let command = prop::sample::select(vec![
        "go",
        "position",
        "position startpos moves",
        "position fen",
        "setoption name",
        "setoption name Hash value",
        "setoption name Level value",
        "query",
        "go depth",
        "go perft",
        "ugi",
        "d",
        "eval",
        "stop",
        "go searchmoves",
        "position startpos",
        "go movetime 1",
        "setoption name Game value gore",
        "setoption name Trade value off",
    ]);
    let word = prop_oneof![
        "[ -~]{0,12}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..20),
        prop::sample::select(vec!["A", "b", "moves", "99999999999999999999", "-1", "1", "accept", "offer:AB", "value"])
            .prop_map(|word| word.as_bytes().to_vec()),
    ];
    (command, prop::collection::vec(word, 0..5)).prop_map(|(command, words)| {
        let mut line = command.as_bytes().to_vec();
        for word in words {
            line.push(b' ');
            line.extend(word.into_iter().filter(|&byte| byte != b'\n'));
        }
        line.push(b'\n');
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn nothing_makes_it_panic(lines in prop::collection::vec(hostile(), 1..60)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
        command.arg("engine").env("HOME", env!("CARGO_TARGET_TMPDIR"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        let writer = std::thread::spawn(move || {
            for line in lines {
                // A search without a limit, a long count or an early quit must not hold the test up.
                let _ = input.write_all(&line).and_then(|()| input.write_all(b"stop\n"));
            }
            let _ = input.write_all(b"quit\n");
        });
        let mut told = Vec::new();
        let mut said = Vec::new();
        output.read_to_end(&mut said).unwrap();
        errors.read_to_end(&mut told).unwrap();
        writer.join().unwrap();
        prop_assert!(child.wait().unwrap().success());
        prop_assert_eq!(String::from_utf8_lossy(&told), "");
    }
}

#[test]
fn long_lines_are_passed_over() {
    let mut engine = Engine::start();
    engine.say(&format!("position startpos moves {}", "A ".repeat(1 << 20)));
    assert_eq!(engine.hear(), "info string error: a line is longer than 1048576 bytes");
    assert_eq!(engine.ask("query p1turn"), ["response true"]);
}

/// Whoever closes both pipes waits for nothing: long work ends although it has nothing to say.
#[test]
fn work_ends_when_both_pipes_are_closed() {
    for go in ["go perft 200", "go depth 200"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kpe"));
        command.arg("engine").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), format!("{go}\n").as_bytes()).unwrap();
        drop((child.stdin.take(), child.stdout.take()));
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while child.try_wait().unwrap().is_none() {
            if std::time::Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{go} goes on");
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
