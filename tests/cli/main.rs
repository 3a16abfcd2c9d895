//! The program as its user meets it: what goes in, what comes out, and with which exit status.

mod annotate;
mod best;
mod games;
mod kill;
mod matches;
mod moves;
mod opening;
mod perft;
mod play;
mod play_together;
mod readme;
mod tables;
mod trade;
mod usage;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::Command;
use serde_json::Value;

/// The rule options of Goré that has tables.
const GORE: [&str; 4] = ["--game", "gore", "--trade", "off"];

/// The program with an environment that holds nothing of the user's.
fn kpe<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    for name in ["KPE_TABLES", "NO_COLOR", "CLICOLOR_FORCE", "XDG_DATA_HOME", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("HOME", scratch("home")).args(args);
    command
}

/// How a run ended.
struct Ran {
    status: i32,
    out: String,
    err: String,
}

/// Runs a command to its end.
fn run(command: &mut Command) -> Ran {
    let output = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let status = output.status.code().unwrap_or_else(|| panic!("ended by a signal: {:?}", output.status));
    Ran { status, out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program with these arguments.
fn ran(args: &[&str]) -> Ran {
    run(&mut kpe(args))
}

/// The one document that a command prints which must succeed.
fn document(args: &[&str]) -> Value {
    let Ran { status, out, err } = ran(args);
    assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

/// The documents that a command prints for lines of standard input, and its status.
fn batch(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, Vec<Value>) {
    let Ran { status, out, err } = run(kpe(args).write_stdin(input));
    assert_eq!(err, "", "{args:?}");
    (status, out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A directory of this test program's own; its name is used by one test.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name)
}

/// An empty directory of this test program's own.
fn empty(name: &str) -> PathBuf {
    let path = scratch(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A directory with the sets of Kpé and of Goré without trades up to 12 stones, built once by the program itself.
fn small_sets() -> &'static str {
    static ROOT: OnceLock<String> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = empty("small").into_os_string().into_string().unwrap();
        for game in [&GORE[..], &[]] {
            let ran = run(kpe(["tables", "build", "--stones", "12", "--tables", &root]).args(game));
            assert_eq!(ran.status, 0, "{}", ran.err);
        }
        root
    })
}

/// A golden file's text.
fn golden(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)).unwrap()
}

/// The flags for rule options written as in files: `origin=sow,trade=off`.
fn flags(game: &str, options: &str) -> Vec<String> {
    let options = options.split(',').filter(|option| option.contains('=') && !option.starts_with("loops"));
    let options = options.map(|option| format!("--{option}"));
    std::iter::once(format!("--game={game}")).chain(options).collect()
}
