//! Help, wrong usage, hostile arguments, and standard output that goes nowhere.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use crate::{GORE, golden, kpe, ran, run};

const COMMANDS: &[&[&str]] = &[
    &["annotate"],
    &["bench"],
    &["best"],
    &["completions"],
    &["engine"],
    &["man"],
    &["match"],
    &["moves"],
    &["perft"],
    &["play"],
    &["trade"],
    &["tables"],
    &["tables", "build"],
    &["tables", "info"],
    &["tables", "verify"],
    &["tables", "probe"],
    #[cfg(feature = "serve")]
    &["serve"],
];

#[test]
fn the_first_help_names_the_commands() {
    let help = ran(&["--help"]);
    assert_eq!(help.status, 0);
    // Without the server one command is missing.
    #[cfg(feature = "serve")]
    insta::assert_snapshot!(help.out);
    assert_eq!(ran(&["--version"]).out, format!("kpe {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_build_says_what_it_is() {
    let said = ran(&["--version", "--verbose"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    for line in ["commit ", "tables    format 1, codec 1", "kpe       origin=skip,unlock=same,feed=remains"] {
        assert!(said.out.lines().any(|found| found.starts_with(line)), "{}", said.out);
    }
    assert_eq!(ran(&["--verbose"]).status, 2);
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = ran(&["completions", shell]);
        assert!(script.status == 0 && script.out.contains("perft"), "{shell}");
    }
    let page = ran(&["man"]);
    assert!(page.status == 0 && page.out.starts_with(".ie") || page.out.contains(".TH kpe 1"), "{}", page.out);
    let directory = crate::empty("man");
    assert_eq!(run(kpe(["man", "--directory"]).arg(&directory)).status, 0);
    let page = std::fs::read_to_string(directory.join("kpe-tables-build.1")).unwrap();
    assert!(page.contains("stones"), "{page}");
    // A file where the directory should be.
    assert_eq!(run(kpe(["man", "--directory"]).arg(directory.join("kpe.1"))).status, 5);
}

#[test]
fn every_command_has_help_that_fits_a_terminal() {
    for &command in COMMANDS {
        for flag in ["-h", "--help"] {
            let help = run(kpe(command).arg(flag));
            assert_eq!((help.status, help.err.as_str()), (0, ""), "{command:?}");
            assert!(help.out.contains("Usage: kpe"), "{}", help.out);
            assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{}", help.out);
        }
    }
}

/// Refused with status 2, something on standard error that ends with a line, and nothing on standard output.
fn refused<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(args: &[S]) -> String {
    let refused = run(&mut kpe(args));
    assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{args:?}: {}", refused.err);
    assert!(refused.err.ends_with('\n') && !refused.err.contains("panicked"), "{args:?}: {}", refused.err);
    refused.err
}

#[test]
fn wrong_usage_is_refused() {
    let wrong: &[&[&str]] = &[
        &[],
        &["nonsense"],
        &["moves", "--game", "oware"],
        &["moves", "--origin", "jump"],
        &["moves", "--trade", "on"],
        &["moves", "startpos", "startpos"],
        &["moves", "--game", "gore", "--unlock", "same"],
        &["perft"],
        &["perft", "-1"],
        &["perft", "201"],
        &["perft", "three"],
        &["tables"],
        &["tables", "build", "--stones", "49"],
        &["tables", "build", "--memory", "lots"],
        &["tables", "build", "--threads", "0"],
        &["tables", "build", "--game", "gore"],
        &["tables", "info", "--game", "gore"],
        &["tables", "verify", "--game", "gore"],
        &["tables", "probe", "--game", "gore"],
        &["trade", "--trade", "off"],
        &["best", "--time", "soon"],
        &["best", "--depth", "0"],
        &["best", "--memory", "1"],
        &["best", "--moves"],
        &["best", "--moves", "Z"],
    ];
    for args in wrong {
        refused(args);
    }
}

#[test]
fn a_wrong_position_is_shown_with_its_place() {
    for command in [&["moves"][..], &["perft", "2"], &["best"], &["tables", "probe"]] {
        let args: Vec<&str> = command.iter().copied().chain(["6-6-07-6-6-6-6-6-0-0-S"]).collect();
        let told = refused(&args);
        assert!(told.contains("found \"07\", expected a number without leading zeros"), "{told}");
        assert!(told.contains("\n  6-6-07-6-6-6-6-6-0-0-S\n      ^^\n"), "{told}");
    }
    let told = refused(&["best", "--moves", "A", "e"]);
    assert!(told.contains("wrong move: found \"e\", expected one of a, b, c, d\n\n  e\n  ^\n"), "{told}");
}

#[test]
fn hostile_arguments_are_refused() {
    let long = "6-".repeat(60_000);
    for text in [
        "",
        " ",
        "🎲",
        "6‑6‑6‑6‑6‑6‑6‑6‑0‑0‑S",
        "６-6-6-6-6-6-6-6-0-0-S",
        "99999999999999999999999-0-0-0-0-0-0-0-0-0-S",
        "49-0-0-0-0-0-0-0-0-0-S",
        "6-6-6-6-6-6-6-6-0-0-S:",
        "6-6-6-6-6-6-6-6-0-0-S@ABCD",
        "\u{1b}[31m6-6",
        "../../../etc/passwd",
        &long,
    ] {
        for command in [&["moves"][..], &["perft", "2"], &["best"], &["tables", "probe"]] {
            let args: Vec<&str> = command.iter().copied().chain([text]).collect();
            assert!(!refused(&args).contains('\u{1b}'), "{text:?}");
        }
    }
    refused(&[OsString::from("moves"), OsString::from_vec(b"6-6\xff".to_vec())]);
    refused(&["moves", "-6-6"]);
    refused(&["moves", "--", "-6-6"]);
}

/// Standard output whose reader is gone already.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_closed_pipe_is_no_error() {
    let trade: Vec<&str> = ["best", "0-0-0-1-1-0-0-0-20-26-S", "--depth", "3"].into_iter().chain(GORE).collect();
    for args in [&["perft", "4", "--divide"][..], &["perft", "3", "--json"], &["moves"], &["--help"], &trade] {
        let output = Command::new(env!("CARGO_BIN_EXE_kpe")).args(args).stdout(closed()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
    let positions: String = golden("kpe.jsonl").lines().map(|_| "startpos\n").collect();
    let input = crate::scratch("positions.txt");
    std::fs::create_dir_all(input.parent().unwrap()).unwrap();
    std::fs::write(&input, positions).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    let output = command.args(["moves", "-"]).stdin(std::fs::File::open(input).unwrap()).stdout(closed()).output();
    let output = output.unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_kpe")).args(["perft", "2"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("kpe: "));
}

/// A limit of the size of files stands for a full disk: the game is told where it cannot be kept.
#[test]
fn a_game_that_cannot_be_kept_is_told() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 0; printf 'A\\nquit\\n' | \"$0\" play --side both"]).arg(env!("CARGO_BIN_EXE_kpe"));
    let output = shell.env("HOME", crate::empty("full")).env_remove("XDG_DATA_HOME").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert!(told.contains("could not be kept") && told.contains("1. A"), "{told}");
}
