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
    assert!(out.contains("the last of 2 games; 2\nmoves made."), "{out}");
    assert!(out.contains("holds 2 games; choose another name.") && out.contains("Not loaded: found -"), "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), several);
}
