//! Help, wrong usage, hostile arguments, and standard output that goes nowhere.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use crate::{GORE, golden, kpe, ran, run, small_sets};

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
        &["tables", "verify", "--sample", "0"],
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
    for moves in [&["A", "e"][..], &["A,e"], &["A,", "e"]] {
        let told = refused(&[&["best", "--moves"], moves].concat());
        let number = if moves == ["A,", "e"] {
            "move 2: found nothing more, expected"
        } else {
            "move 2: found \"e\", expected one of a, b, c, d\n\n  e\n  ^\n"
        };
        assert!(told.contains(number), "{told}");
    }
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
#[cfg(target_os = "linux")]
fn a_closed_output_is_an_error_where_there_is_something_to_say() {
    let program = env!("CARGO_BIN_EXE_kpe");
    let ended = |command: &str| {
        let script = format!("exec '{program}' {command} >&-");
        let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let server: &[&str] = if cfg!(feature = "serve") { &["serve --port 0"] } else { &[] };
    for command in [
        "best 0-0-0-1-1-0-1-1-20-24-S",
        "moves --json",
        "perft 2",
        "--help",
        "--version",
        "completions bash",
        "man",
        "tables info",
        "tables info <&-",
    ]
    .iter()
    .chain(server)
    {
        let (status, told) = ended(command);
        assert_eq!(status, Some(5), "{command}: {told}");
        assert!(told.contains("standard output is closed"), "{command}: {told}");
    }
    // Mistakes are told elsewhere; the engine has something to say when it is asked.
    assert_eq!(ended("best nonsense").0, Some(2));
    let engine = format!("echo uci | '{program}' engine >&-");
    assert_eq!(Command::new("sh").args(["-c", &engine]).status().unwrap().code(), Some(5));
    // A file that takes everything is no closed one, however it was opened.
    for null in ["> /dev/null", "1<> /dev/null"] {
        let script = format!("'{program}' moves {null}");
        assert_eq!(Command::new("sh").args(["-c", &script]).status().unwrap().code(), Some(0), "{null}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = "/dev/full";
    for args in [
        &["perft", "2"][..],
        &["--help"],
        &["best", "--help"],
        &["--version"],
        &["--version", "--verbose"],
        &["completions", "bash"],
        &["man"],
        &["moves", "--json"],
        &["tables", "info"],
        &["tables", "export", "n02"],
        &["tables", "digests", "--tables", small_sets()],
    ] {
        let out = std::fs::File::options().write(true).open(full).expect("Linux has /dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_kpe")).args(args).stdout(out).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{args:?}: {told}");
        assert!(told.starts_with("kpe: cannot write to standard output: No space left"), "{args:?}: {told}");
    }
    let export = ran(&["tables", "export", "n02", "--out", full]);
    assert_eq!(export.status, 5);
    assert!(export.err.contains("cannot write to /dev/full: No space left"), "{}", export.err);
}

/// Every option that takes a number says which numbers it takes, and nothing is said in the words of a library.
#[test]
fn numbers_out_of_range_are_told_with_their_range() {
    for (args, least, most) in [
        (&["perft"][..], "0", "200"),
        (&["best", "--depth"], "1", "255"),
        (&["best", "--threads"], "1", "1024"),
        (&["best", "--nodes"], "0", "18446744073709551615"),
        (&["trade", "--depth"], "1", "255"),
        (&["bench", "--depth"], "1", "255"),
        (&["engine", "--threads"], "1", "1024"),
        (&["annotate", "x", "--threads"], "1", "1024"),
        (&["play", "--seed"], "0", "18446744073709551615"),
        (&["match", "--plies"], "0", "4294967295"),
        (&["match", "--random"], "1", "1000000"),
        (&["match", "--games"], "2", "4294967295"),
        (&["match", "--seed"], "0", "18446744073709551615"),
        (&["match", "--nodes"], "0", "18446744073709551615"),
        (&["match", "--concurrency"], "1", "1024"),
        (&["opening", "tree", "--plies"], "0", "10"),
        (&["opening", "delay", "--turns"], "5", "60"),
        (&["opening", "delay", "--positions"], "0", "18446744073709551615"),
        (&["opening", "tempo", "--plies"], "0", "12"),
        (&["opening", "tempo", "--layers"], "1", "18446744073709551615"),
        (&["opening", "traps", "--most"], "0", "18446744073709551615"),
        (&["tables", "build", "--stones"], "0", "48"),
        (&["tables", "build", "--threads"], "1", "1024"),
        (&["tables", "digests", "--stones"], "0", "48"),
        (&["tables", "verify", "--sample"], "1", "1000000000000"),
        (&["tables", "verify", "--sample", "1", "--seed"], "0", "18446744073709551615"),
        (&["tables", "stats", "--threads"], "1", "1024"),
        #[cfg(feature = "serve")]
        (&["serve", "--port"], "0", "65535"),
        #[cfg(feature = "serve")]
        (&["serve", "--searches"], "1", "1024"),
    ] {
        let beyond = [if least == "0" { "x" } else { "0" }, "99999999999999999999", "", "1.5"];
        for value in beyond {
            // In one word, for a sign would be taken for another option; a position has no option's name.
            let args: Vec<String> = match args {
                ["perft"] => vec!["perft".to_owned(), value.to_owned()],
                [before @ .., option] => {
                    before.iter().map(|&word| word.to_owned()).chain([format!("{option}={value}")]).collect()
                }
                [] => unreachable!("every row has a command"),
            };
            let told = refused(&args);
            assert!(told.contains(&format!("expected a whole number from {least} to {most}")), "{args:?}: {told}");
            assert!(told.contains(&format!("found {value:?}")), "{args:?}: {told}");
            for foreign in ["digit", "parse", "too large", "target type", "invalid float"] {
                assert!(!told.contains(foreign), "{args:?}: {told}");
            }
        }
    }
    for option in ["--alpha", "--beta", "--elo0", "--elo1"] {
        assert!(
            refused(&["match", &format!("{option}=x")]).contains("found \"x\", expected a number from "),
            "{option}"
        );
    }
}

/// Whatever is long is cut, and whatever a terminal would obey is escaped, wherever it comes from.
#[test]
fn foreign_text_is_told_short_and_tame() {
    let long = "7".repeat(100_000);
    let wild = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\u{2028}";
    for text in [long.as_str(), wild] {
        for args in [
            &["moves", text][..],
            &["moves", "--", text],
            &["best", "--moves", text],
            &["best", "--level", text],
            &["best", "--threads", text],
            &["best", "--memory", text],
            &["best", "--time", text],
            &["best", "--game", text],
            &["best", "--origin", text],
            &["best", &format!("--{text}")],
            &[text],
            &["tables", text],
            &["tables", "export", text],
            &["tables", "verify", "--shard", text],
            &["perft", "1", "startpos", text],
            &["completions", text],
        ] {
            let told = refused(args);
            let of: Vec<String> = args.iter().map(|arg| arg.chars().take(20).collect()).collect();
            assert!(told.len() < 3000, "{of:?}: {} bytes", told.len());
            let tame = |c: char| c == '\n' || !(c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c));
            assert!(told.chars().all(tame), "{of:?}: {told:?}");
        }
    }
    let engine = ran(&["match", "--engine", &format!("'{long}"), "--level", "1"]);
    assert!(
        engine.status == 5 && engine.err.len() < 1000 && engine.err.contains("no command in \"'777"),
        "{}",
        engine.status
    );
    // Names of files are not cut, for whoever is told must find them.
    let file = ran(&["annotate", "/nowhere/\u{1b}[31m\u{202e}x"]);
    assert_eq!(file.status, 5);
    assert!(file.err.contains("/nowhere/\\u{1b}[31m\\u{202e}x"), "{:?}", file.err);
}

/// The names of players and what is said of moves.
#[test]
fn a_record_cannot_turn_the_terminal() {
    let record = "[South \"A\u{202e}ma\"]\n1. A {to the \u{202e}left\u{2028}x} b *\n";
    let shown = run(kpe(["annotate", "-", "--time", "1ms"]).write_stdin(record));
    assert_eq!((shown.status, shown.err.as_str()), (0, ""));
    assert!(shown.out.contains("A\\u{202e}ma (South)") && shown.out.contains("to the \\u{202e}left"), "{}", shown.out);
    let directory = crate::empty("turned");
    std::fs::write(directory.join("x.kpg"), record).unwrap();
    let played = run(kpe(["play", "--load"]).arg(directory.join("x.kpg")).write_stdin("quit\n"));
    assert!(!played.out.contains('\u{202e}') && !played.err.contains('\u{202e}'), "{}", played.out);
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
