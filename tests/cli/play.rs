//! `kpe play`: games through a pipe, on a terminal, and interrupted.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use kpe::record::Record;
use rustix::process::{Pid, Signal, kill_process};

use crate::{Ran, empty, kpe, run};

/// A game that is played by these lines.
pub(super) fn played(home: &Path, args: &[&str], lines: &str) -> Ran {
    run(kpe([&["play"], args].concat()).env("HOME", home).write_stdin(lines))
}

/// The games that are kept.
pub(super) fn kept(home: &Path) -> Vec<PathBuf> {
    let directory = home.join(".local/share/kpe/games");
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    // A game that is just being written has another name.
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "kpg")).collect()
}

pub(super) fn record(path: &Path) -> Record {
    Record::read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is said of a game between two people from this position.
fn told(name: &str, args: &[&str], lines: &str) -> String {
    let ended = played(&empty(name), &[&["--side", "both"], args].concat(), lines);
    assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{}", ended.out);
    assert!(ended.out.lines().all(|line| line.chars().count() <= 80), "{}", ended.out);
    assert!(!ended.out.contains('\u{1b}'), "{}", ended.out);
    ended.out
}

#[test]
fn a_game_is_told_in_plain_lines() {
    let lines = "help\nA\na\nmoves\nB\nundo\nb\nboard\nB\nb\nC\nc\nD\nd\nvalues\nhint\nx\nA\nresign\nA\nundo\nrecord\nresign\nquit\n";
    insta::assert_snapshot!(
        told("play-plain", &["--seed", "1"], lines)
            .replace(&date(&told("play-date", &[], "record\nresign\n")), "[Date]")
    );
}

/// The line with today's date, which is another one every day.
fn date(out: &str) -> String {
    out.lines().find(|line| line.starts_with("[Date ")).unwrap().to_owned()
}

#[test]
fn endings_are_explained() {
    for (name, args, lines, said) in [
        (
            "play-rules",
            &["0-0-0-1-1-0-0-0-22-24-S"][..],
            "D\n",
            &[
                "2 stones captured from a. The game is over: no stones are left on the board.",
                "North 24; it is a draw.",
            ][..],
        ),
        (
            "play-row",
            &["1-0-0-0-0-0-2-0-22-23-N"],
            "c\n",
            &[
                "North sows c, 2 stones, the last in A. 2 stones captured from A.",
                "South has no stones to move. What lies in North's row, 1 stone, is North's.",
            ],
        ),
        (
            "play-split",
            &["1-1-0-0-1-0-0-0-23-22-S"],
            "A\na\nB\nb\nC\nc\nD\nd\nA\na\nB\nb\nC\nc\nD\nd\n",
            &[
                "this position was there before. What is left, 3 stones, is shared equally.",
                "South has 24½ stones, North 23½; South wins.",
            ],
        ),
        (
            "play-own",
            &["1-1-0-0-1-0-0-0-23-22-S", "--loops", "own"],
            "A\na\nB\nb\nC\nc\nD\nd\nA\na\nB\nb\nC\nc\nD\nd\n",
            &["goes to the players in whose rows it lies", "South has 25 stones, North 23; South wins."],
        ),
        (
            "play-glory",
            &["3-3-3-3-3-3-3-3-18-6-S@ABCD", "--game", "gore"],
            "offer A\ndecline\noffer:a\ndecline\n",
            &[
                "South offers A for 6 stones.",
                "North must accept or decline A",
                "North declines.",
                "a victory without glory",
            ],
        ),
        (
            "play-sold",
            &["3-3-3-3-3-3-3-3-6-18-S@ABCD", "--game", "gore"],
            "offer AB\naccept\nquit\nresign\n",
            &["North accepts and pays 12 stones; A and B are North's now.", "North: A 9, B 9, a 3"],
        ),
    ] {
        let out = played(&empty(name), &[&["--side", "both"], args].concat(), lines).out;
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in said {
            assert!(words.contains(part), "{part:?} in {out}");
        }
    }
}

#[test]
fn locks_are_told() {
    let out = told("play-locked", &["2-0-7-2-1-0-1-1-17-17-S:C", "--unlock", "next"], "D\na\nC\nresign\n");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("South: A 2, B 0, C 7, D 2; 17 captured. Locked: not yet sown from C."), "{out}");
    assert!(
        words.contains("South sows D, 2 stones, the last in b. South")
            || words.contains("South sows D, 2 stones, the last in b. North"),
        "{out}"
    );
    assert!(words.contains("South has now sown from every pit and may capture."), "{out}");
    let locked = told("play-nothing", &["2-0-7-2-1-1-1-1-17-16-S:C"], "D\nresign\n");
    assert!(locked.contains("the last in b. Nothing is captured, for\nSouth is locked.\n"), "{locked}");
}

#[test]
fn the_program_plays_the_other_side_and_the_same_game_for_a_seed() {
    for side in ["south", "north"] {
        let moves = if side == "south" { "A\nB\nC\nD\n" } else { "a\nb\nc\nd\n" };
        let args = ["--side", side, "--level", "1", "--seed", "7"];
        let game = |name: &str| played(&empty(name), &args, &format!("{moves}quit\n")).out;
        let (one, two) = (game(&format!("play-{side}-1")), game(&format!("play-{side}-2")));
        assert_eq!(one, two);
        let other = if side == "south" { "North sows" } else { "South sows" };
        assert!(one.matches(other).count() >= 4, "{one}");
    }
    // The program against itself needs nobody to type.
    for game in ["kpe", "gore"] {
        let args = ["--side", "none", "--level", "2", "--seed", "3", "--game", game, "--time", "50ms"];
        let out = played(&empty("play-none"), &args, "").out;
        assert!(out.contains("The game is over"), "{out}");
        assert!(kept(&empty("play-none")).is_empty());
    }
}

#[test]
fn games_are_saved_and_loaded_and_nothing_is_replaced() {
    let home = empty("play-save");
    let file = home.join("my game.kpg");
    let name = file.to_str().unwrap();
    let lines = format!("A\na\nsave {name}\nB\nsave\nsave {name}\nquit\n");
    let ended = played(&home, &["--side", "both"], &lines);
    assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{}", ended.out);
    assert_eq!(record(&file).playing().made().len(), 3);
    assert!(kept(&home).is_empty(), "it was saved");
    // Another game does not replace it, and is not lost.
    let other = played(&home, &["--side", "both"], &format!("C\nsave {name}\nload {name}\nb\nsave\n"));
    assert!(other.out.contains("is there already; choose another name"), "{}", other.out);
    assert_eq!((record(&file).playing().made().len(), kept(&home).len()), (4, 1));
    assert_eq!(record(&kept(&home)[0]).playing().made().len(), 1);
    let loaded = played(&home, &["--load", name, "--side", "both"], "record\nresign\n");
    assert!(loaded.out.contains("\n1. A a 2. B b *\n"), "{}", loaded.out);
    for (lines, said) in [
        ("save /no/such/place/x\n", "Not saved: cannot write to /no/such/place/x: No such file or directory"),
        ("save\n", "save needs the name of a file"),
        ("load /no/such/file\n", "Not loaded: /no/such/file"),
        ("load\n", "load needs the name of a file"),
        ("undo\n", "no move of yours"),
    ] {
        let out = played(&empty("play-unsaved"), &["--side", "both"], lines).out;
        assert!(out.contains(said), "{said:?} in {out}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    for (args, said) in [
        (&["--resume"][..], "no game was left"),
        (&["--load", "/no/such/file"], "/no/such/file"),
        (&["--resume", "startpos"], "cannot be used with"),
        (&["--load", "x", "--game", "gore"], "the record of a game says its rules"),
        (&["6-6"], "wrong position"),
        (&["--side", "east"], "south"),
        (&["--level", "11"], "from 1 to 10"),
        (&["--game", "gore", "--feed", "sown"], "gore has no option"),
    ] {
        let ended = played(&empty("play-wrong"), args, "");
        assert!(ended.status != 0 && ended.out.is_empty() && ended.err.contains(said), "{args:?}: {}", ended.err);
    }
}

#[test]
fn hostile_lines_are_answered() {
    let mut input = b"\xff\xfe\nA\0B\n\x1b[31mred\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\n  \n; rm -rf\nA\nresign\n");
    let ended = run(kpe(["play", "--side", "both"]).env("HOME", empty("play-hostile")).write_stdin(input));
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("South sows A") && ended.out.contains("longer than 4096 bytes"), "{}", ended.out);
    assert!(!ended.out.contains('\u{1b}') && !ended.out.contains('\0'), "{}", ended.out);
}

/// A game whose input stays open.
pub(super) struct Open {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Open {
    pub(super) fn new(home: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
        command.arg("play").args(args).env("HOME", home).env_remove("XDG_DATA_HOME").env_remove("KPE_TABLES");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    pub(super) fn types(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
    }

    /// Waits for a line that begins so.
    pub(super) fn hears(&mut self, said: &str) {
        let mut line = String::new();
        while !line.starts_with(said) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended before {said:?}");
        }
    }

    pub(super) fn signalled(self, signal: Signal) -> (Option<i32>, String) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        let begun = Instant::now();
        // Its input stays open until it has ended.
        let Self { child, input, output } = self;
        let ended = child.wait_with_output().unwrap();
        drop((input, output));
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }
}

#[test]
fn a_signal_keeps_the_game_and_resume_goes_on_with_it() {
    for (name, signal, expected) in [("hup", Signal::HUP, 129), ("term", Signal::TERM, 143), ("int", Signal::INT, 130)]
    {
        let home = empty(&format!("play-{name}"));
        let mut game = Open::new(&home, &["--side", "north", "--level", "1", "--seed", "1"]);
        game.hears("North to move.");
        game.types("a\n");
        game.hears("North sows a");
        game.hears("North to move.");
        let (status, told) = game.signalled(signal);
        assert_eq!(status, Some(expected), "{told}");
        let files = kept(&home);
        assert_eq!(files.len(), 1);
        assert!(told.contains(files[0].to_str().unwrap()) && told.contains("kpe play --resume"), "{told}");
        assert_eq!(record(&files[0]).playing().made().len(), 3);
        // A new game says that there is one; resumed it is still North's against level 1.
        assert!(played(&home, &[], "").out.contains("--resume goes on with it"));
        let resumed = played(&home, &["--resume"], "b\n");
        assert!(
            resumed.out.contains("you play North (above) against") && resumed.out.contains("North sows b"),
            "{}",
            resumed.out
        );
        // Left again it is kept once, as the last; given up it is kept no more.
        let again = kept(&home);
        assert!(again.len() == 1 && again > files, "{again:?} {files:?}");
        assert!(record(&again[0]).playing().made().len() >= 5);
        let over = played(&home, &["--resume"], "resign\n");
        assert!(over.out.contains("North resigns, South wins"), "{}", over.out);
        assert!(kept(&home).is_empty());
    }
}

#[test]
fn a_signal_ends_the_programs_thinking() {
    let home = empty("play-thinking");
    let mut game = Open::new(&home, &["--game", "gore", "--level", "10", "--time", "600s"]);
    game.types("A\n");
    game.hears("South sows A");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(game.signalled(Signal::HUP).0, Some(129));
    assert_eq!(record(&kept(&home)[0]).playing().made().len(), 1);
}

#[test]
fn what_nobody_has_begun_is_not_kept() {
    let home = empty("play-nothing-kept");
    for lines in ["", "quit\n", "A\nundo\nquit\n", "A\nresign\nquit\n"] {
        assert_eq!(played(&home, &["--side", "both"], lines).status, 0);
        assert!(kept(&home).is_empty(), "{lines:?}");
    }
    // A place that cannot be written to is told.
    std::fs::write(home.join(".local"), "").unwrap();
    let ended = played(&home, &["--side", "both"], "A\n");
    assert!(ended.status == 5 && ended.err.contains(".local"), "{}", ended.err);
}

/// On a terminal of its own.
fn terminal(home: &Path, no_color: bool) -> rexpect::session::PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    command.args(["play", "--level", "1", "--seed", "1"]).env("HOME", home).env("TERM", "xterm");
    command.env_remove("XDG_DATA_HOME").env_remove("KPE_TABLES").env_remove("NO_COLOR");
    if no_color {
        command.env("NO_COLOR", "1");
    }
    rexpect::session::spawn_command(command, Some(120_000)).unwrap()
}

#[test]
fn on_a_terminal_there_are_prompts_a_drawing_and_colour() {
    for no_color in [false, true] {
        let home = empty(&format!("play-terminal-{no_color}"));
        let mut game = terminal(&home, no_color);
        let before = game.exp_string("South> ").unwrap();
        assert!(before.contains("A    B    C    D"), "{before}");
        assert_eq!(before.contains('\u{1b}'), !no_color, "{before}");
        game.send_line("C").unwrap();
        game.exp_string("South sows C, 6 stones").unwrap();
        game.exp_string("South> ").unwrap();
        game.send_line("resign").unwrap();
        let over = game.exp_string("North wins").unwrap();
        // That it is over is said once.
        assert_eq!(over.matches("The game is over").count(), 1, "{over}");
        assert!(over.contains("A    B    C    D") && !over.contains(" to move") && !over.contains('▸'), "{over}");
        game.exp_string("Game over> ").unwrap();
        game.send_line("new").unwrap();
        game.exp_string("South> ").unwrap();
        game.send_line("quit").unwrap();
        game.exp_eof().unwrap();
    }
}

#[test]
fn a_closed_terminal_keeps_the_game() {
    let home = empty("play-closed");
    let mut game = terminal(&home, true);
    game.exp_string("South> ").unwrap();
    game.send_line("C").unwrap();
    game.exp_string("South> ").unwrap();
    // What the kernel sends when the terminal goes.
    game.process_mut().signal(rexpect::process::Signal::SIGHUP).unwrap();
    game.exp_eof().unwrap();
    assert_eq!(record(&kept(&home)[0]).playing().made().len(), 2);
}

#[test]
fn the_end_of_input_on_a_terminal_keeps_it_too() {
    let home = empty("play-eof");
    let mut game = terminal(&home, true);
    game.exp_string("South> ").unwrap();
    game.send_line("C").unwrap();
    game.exp_string("South> ").unwrap();
    game.send_control('d').unwrap();
    game.exp_string("kpe play --resume").unwrap();
    game.exp_eof().unwrap();
    assert_eq!(kept(&home).len(), 1);
}

#[test]
fn another_game_and_the_rules_are_a_word_away() {
    let home = empty("play-new");
    let args = ["--side", "both", "--game", "gore", "--trade", "off", "--loops", "own"];
    let out = played(&home, &args, "A\nnew\nB\nresign\nnew\nrecord\nrules\nquit\n").out;
    assert_eq!(kept(&home).len(), 1, "the first was not over");
    assert_eq!(out.matches("A new game.").count(), 2);
    let record = out.split("A new game.").nth(2).unwrap();
    assert!(record.contains("[Loops \"own\"]") && record.contains("trade=off") && record.contains("\n*\n"), "{record}");
    let words = record.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("what is left goes to the owners of the pits then.") && !words.contains("offer"), "{out}");
    // Begun from a position, it begins there again.
    let out = told("play-new-start", &["0-0-0-1-1-0-0-0-22-24-S"], "D\nnew\nboard\nresign\n");
    assert_eq!(out.matches("South: A 0, B 0, C 0, D 1; 22 captured.").count(), 3, "{out}");
}

#[test]
fn hints_stay_the_same_and_offers_are_understood() {
    let args = ["--game", "gore", "3-3-3-3-3-3-3-3-12-12-S@ABCD", "--time", "30ms"];
    let out = told(
        "play-hints",
        &args,
        "values\nrules\nvalues\nA\nundo\nvalues\noffer D, C\ndecline\noffer aa\noffer\nresign\n",
    );
    let lists: Vec<String> = out
        .split("South to move.")
        .flat_map(|part| part.split("Sowing:"))
        .map(|part| {
            part.lines()
                .filter(|line| line.starts_with("offer:") || line.starts_with("A: "))
                .collect::<Vec<_>>()
                .join("\n")
        })
        .filter(|list| !list.is_empty())
        .collect();
    assert!(lists.len() == 3 && lists.iter().all(|list| *list == lists[0]), "{out}");
    assert!(out.contains("South offers C and D for 12 stones."), "{out}");
    assert!(out.contains("a is named twice") && out.contains("found no pit"), "{out}");
}

#[test]
fn strange_signs_in_a_record_are_escaped() {
    let home = empty("play-signs");
    let file = home.join("x.kpg");
    std::fs::write(&file, "[South \"A\u{202e}\"][Termination \"\u{2066}late\"] A {b\u{2029}c} 1-0").unwrap();
    let out = played(&home, &["--side", "both", "--load", file.to_str().unwrap()], "record\nquit\n").out;
    for part in ["A\\u{202e}", "South wins (\\u{2066}late)", "c}"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert!(!out.contains(['\u{202e}', '\u{2029}', '\u{2066}']), "{out}");
}
