//! `kpe play` by several processes at once: none writes over what another has written.

use std::path::Path;

use rustix::process::Signal;

use crate::empty;
use crate::play::{Open, kept, played, record};

/// A game of one move that is left.
fn left(home: &Path, first: &str) {
    assert_eq!(played(home, &["--side", "both"], &format!("{first}\nquit\n")).status, 0);
}

#[test]
fn two_processes_never_go_on_with_the_same_game() {
    let home = empty("play-twice");
    left(&home, "A");
    left(&home, "B");
    let resume = |lines: &str| played(&home, &["--resume", "--side", "both"], lines);
    let mut first = Open::new(&home, &["--resume", "--side", "both"]);
    first.hears("North to move.");
    first.types("a\n");
    first.hears("North sows a");
    // The second has the game before, and brings it to its end.
    let second = resume("record\nresign\nquit\n");
    assert!(
        second.out.contains("1. A *") && second.err.contains("Another kpe play goes on"),
        "{}{}",
        second.out,
        second.err
    );
    assert_eq!(kept(&home).len(), 1);
    // Nothing is left for a third.
    let third = resume("");
    assert!(
        third.status == 2 && third.err.contains("another kpe play goes on with the game that was left"),
        "{}",
        third.err
    );
    assert_eq!(first.signalled(Signal::TERM).0, Some(143));
    assert_eq!(record(&kept(&home)[0]).playing().made().len(), 2);
    // The first has gone, its game is free.
    assert!(resume("record\nquit\n").out.contains("1. B a *"));
}

#[test]
fn save_loses_nothing_that_others_wrote() {
    let home = empty("play-others");
    let file = home.join("game.kpg");
    let name = file.to_str().unwrap();
    let mut first = Open::new(&home, &["--side", "both"]);
    first.types(&format!("A\nsave {name}\n"));
    first.hears("Saved to");
    assert!(played(&home, &["--load", name, "--side", "both"], "a\nsave\n").out.contains("Saved to"));
    // It ends whatever it says, and so does this test.
    first.types("b\nsave\nquit\n");
    first.hears(&format!("{name} has been changed meanwhile; choose another name."));
    first.signalled(Signal::TERM);
    assert_eq!(record(&file).playing().made().len(), 2);
    let several = "1. A a *\n\n1. B b *\n";
    std::fs::write(&file, several).unwrap();
    let out = played(&home, &["--side", "both"], &format!("load {name}\nA\nsave\nload -\n")).out;
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("the last of 2 games; 2 moves made."), "{out}");
    assert!(out.contains("holds 2 games; choose another name.") && out.contains("Not loaded: found -"), "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), several);
}

#[test]
fn every_game_that_is_left_has_a_file() {
    // Many in a millisecond.
    let home = empty("play-many");
    let ended = played(&home, &["--side", "both"], &"A\nnew\n".repeat(60));
    assert_eq!((ended.err.matches("is kept in").count(), kept(&home).len()), (60, 60));
}

#[test]
fn a_damaged_file_does_not_hide_the_games_before() {
    let home = empty("play-damaged");
    left(&home, "B");
    let games = kept(&home)[0].parent().unwrap().to_owned();
    std::fs::write(games.join("unfinished-n0000000007-1-0.kpg"), "no game {").unwrap();
    std::fs::create_dir(games.join("unfinished-n0000000008-1-0.kpg")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(games.join("unfinished-n9999999999-1-0.kpg")).status().unwrap();
    assert!(pipe.success());
    let resumed = played(&home, &["--resume", "--side", "both"], "record\nresign\nquit\n");
    assert!(resumed.status == 0 && resumed.out.contains("1. B *"), "{}{}", resumed.out, resumed.err);
    assert_eq!(resumed.err.matches("is passed over: ").count(), 3, "{}", resumed.err);
}

#[test]
fn the_game_left_last_is_resumed_whatever_the_clock_said() {
    let home = empty("play-clock");
    left(&home, "A");
    let games = kept(&home)[0].parent().unwrap().to_owned();
    // As versions before named it, and by a clock that was wrong.
    let old = games.join("unfinished-2099-01-01-120000.000-1-0.kpg");
    std::fs::rename(&kept(&home)[0], &old).unwrap();
    left(&home, "B");
    left(&home, "C");
    let future = std::time::SystemTime::now() + std::time::Duration::from_secs(1 << 30);
    for path in kept(&home).iter().filter(|path| !record(path).to_string().contains("1. C *")) {
        std::fs::File::options().append(true).open(path).unwrap().set_modified(future).unwrap();
    }
    let resumed = |lines: &str| played(&home, &["--resume", "--side", "both"], lines).out;
    assert!(resumed("record\nresign\nquit\n").contains("1. C *"));
    assert!(resumed("record\nresign\nquit\n").contains("1. B *"));
    // One that is left again is the last again.
    assert!(resumed("b\nquit\n").contains("North sows b"));
    assert!(!old.exists());
    left(&home, "D");
    assert!(resumed("record\nresign\nquit\n").contains("1. D *"));
    assert!(resumed("record\nquit\n").contains("1. A b *"));
}

#[test]
fn a_file_whose_name_is_no_text_is_saved_to() {
    use std::os::unix::ffi::OsStrExt;
    let home = empty("play-bytes");
    let path = home.join(std::ffi::OsStr::from_bytes(b"g\xff.kpg"));
    std::fs::write(&path, "1. A *\n").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("kpe"));
    command.args(["play", "--side", "both", "--load"]).arg(&path).env("HOME", &home).env_remove("XDG_DATA_HOME");
    let output = assert_cmd::Command::from_std(command).write_stdin("b\nsave\nquit\n").output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && out.contains("Saved to"), "{out}");
    assert_eq!(record(&path).playing().made().len(), 2);
}

#[test]
fn a_game_gone_on_with_is_kept_as_it_is_though_it_was_saved() {
    let home = empty("play-saved-too");
    left(&home, "A");
    let name = home.join("saved.kpg");
    let resumed = played(&home, &["--resume", "--side", "both"], &format!("b\nC\nsave {}\nquit\n", name.display()));
    assert_eq!((resumed.status, kept(&home).len()), (0, 1), "{}", resumed.err);
    for path in [&name, &kept(&home)[0]] {
        assert_eq!(record(path).playing().made().len(), 3);
    }
}
