//! The commands of the documents, run by a shell in a directory of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::extract::{Shown, commands};
use crate::{DOCUMENTS, read, root};

/// Commands that are not run here, and the file that covers each.
const ELSEWHERE: [(&str, &str); 39] = [
    ("cargo run --release -- best", "scripts/release"),
    ("cargo run --release -- play", "tests/cli/play.rs"),
    ("cargo install --path .", "scripts/release"),
    ("scripts/check", ".ci/run"),
    (".ci/run", "CONTRIBUTING.md"),
    ("cargo fmt --check", "scripts/check"),
    ("INSTA_UPDATE=always cargo test", "CONTRIBUTING.md"),
    ("scripts/browser-test", "scripts/check"),
    ("scripts/browser-test play.test.js", "scripts/browser-test"),
    ("scripts/embed", "tests/build.rs"),
    ("scripts/mutants", "CONTRIBUTING.md"),
    ("scripts/release", "CONTRIBUTING.md"),
    ("scripts/reproduce", "tests/tables_commands/digests.rs"),
    ("scripts/reproduce --stones N", "tests/tables_commands/digests.rs"),
    ("scripts/probe.py", "tests/python_reader.rs"),
    ("kpe opening book --out FILE", "tests/opening_book.rs"),
    ("cargo doc --open", "scripts/check"),
    ("scripts/figures", "scripts/figures"),
    ("scripts/figures DIR", "scripts/figures"),
    ("scripts/load", "scripts/figures"),
    ("cargo run --release --example load", "scripts/figures"),
    ("cargo run --release --example load -- --tables DIR", "scripts/figures"),
    ("cargo run --release --example loss -- TABLES 5000 1600000n", "scripts/figures"),
    ("cargo run --release --example loss -- TABLES 250 16000000n 7", "scripts/figures"),
    ("cargo run --release --example against_random -- gore trade=on 1000 50ms", "scripts/figures"),
    ("cargo bench", "scripts/figures"),
    ("KPE_TABLES=DIR cargo bench --bench probe", "scripts/figures"),
    ("cargo bench --bench search_speed -- 22 24 64 2", "scripts/figures"),
    ("cargo bench --bench trade_speed", "scripts/figures"),
    ("cargo test --test fuzz", "tests/fuzz/main.rs"),
    ("scripts/fuzz", "CONTRIBUTING.md"),
    ("cargo test --test structure", "tests/structure.rs"),
    ("cargo test --test documents", "tests/documents/main.rs"),
    ("kpe serve", "tests/web/commands.rs"),
    ("kpe serve --port 4848 --tables /path/to/tables &", "tests/web/commands.rs"),
    // GNU parallel and Slurm; the shards and their merging are tested without them.
    (
        "parallel -j2 kpe tables verify --threads 1 --json --shard {}/8 '>' shard-{}.json ::: $(seq 8)",
        "tests/tables_commands/verify.rs",
    ),
    (
        "kpe tables verify --threads \"$SLURM_CPUS_PER_TASK\" --json --shard \"$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT\" > \"shard-$SLURM_ARRAY_TASK_ID.json\"",
        "tests/tables_commands/verify.rs",
    ),
    ("sbatch --wait verify.sbatch; kpe tables verify --merge shard-*.json", "tests/tables_commands/verify.rs"),
    ("kpe tables verify --merge shard-*.json", "tests/tables_commands/verify.rs"),
];

/// What stands for something else in a command, and what is put there.
const PLACEHOLDERS: [(&str, &str); 17] = [
    (" [POSITION]", " 2-4-3-5-1-4-2-3-12-12-S"),
    (" [LAYER...]", " n04"),
    (" [--out FILE]", ""),
    ("export LAYER --format F", "export n04 --format csv"),
    ("export LAYER", "export n04 --format csv"),
    (" DEPTH", " 3"),
    ("probe POSITION", "probe 2-0-0-0-1-0-0-1-22-22-S"),
    (" SHELL", " bash"),
    (" COMMAND", " best"),
    (" FILE", " game.kpg"),
    (" DIR", " set"),
    ("--level N --level N-1", "--level 2 --level 1"),
    ("build --stones N", "build --stones 4"),
    ("--stones 36", "--stones 4"),
    ("--clock 10s --increment 100ms", "--clock 1s --increment 10ms"),
    ("sha256sum -c", "cd home/.local/share/kpe/tables/kpe-skip-same-remains && sha256sum -c"),
    // Nothing is left to go on with unless a game was left.
    ("kpe play --resume", "printf 'C\\nB\\n' | kpe play --level 3 >/dev/null; kpe play --resume"),
];

/// Words added to commands that begin so, unless they have the first of them: the same thing, but less of it.
const SMALLER: [(&str, &str); 4] = [
    ("kpe tables build", " --stones 4"),
    ("kpe bench", " --depth 3"),
    ("kpe match", " --games 2"),
    ("kpe trade", " --depth 1"),
];

/// Commands that want words after them and are only named.
const ONLY_NAMED: [&str; 3] = ["kpe annotate", "kpe completions", "kpe match"];

/// Programs other than kpe that documents name, as shell scripts.
const STAND_INS: [(&str, &str); 3] =
    [("other-engine", "kpe engine"), ("kpe-new", "kpe \"$@\""), ("kpe-old", "kpe \"$@\"")];

/// A directory with what the commands ask for, in which they run one after the other.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
        let _ = fs::remove_dir_all(&place);
        for directory in ["bin", "home", "tables"] {
            fs::create_dir_all(place.join(directory)).unwrap();
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kpe"), place.join("bin/kpe")).unwrap();
        for (name, does) in STAND_INS {
            let path = place.join("bin").join(name);
            fs::write(&path, format!("#!/bin/sh\nexec {does}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(place.join("game.kpg"), "1. C b 2. D d *\n").unwrap();
        Self(place)
    }

    fn run(&self, command: &str) -> Output {
        let path = format!("{}:{}", self.0.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&self.0).stdin(Stdio::null());
        shell.env("PATH", path).env("HOME", self.0.join("home"));
        for name in ["KPE_TABLES", "NO_COLOR", "CLICOLOR_FORCE", "XDG_DATA_HOME", "COLUMNS"] {
            shell.env_remove(name);
        }
        shell.output().expect("there is a shell")
    }
}

/// What is run for a command as documented.
fn runnable(documented: &str) -> String {
    if ONLY_NAMED.contains(&documented) {
        return format!("{documented} --help");
    }
    let mut command = documented.to_owned();
    for (from, to) in PLACEHOLDERS {
        // A word, not the beginning of one.
        let at = command.find(from).filter(|at| !command[at + from.len()..].starts_with(|c: char| c.is_alphanumeric()));
        if let Some(at) = at {
            command.replace_range(at..at + from.len(), to);
        }
    }
    for (beginning, words) in SMALLER {
        let option = words.split_whitespace().next().unwrap_or_default();
        if command.starts_with(beginning) && !command.contains(option) && !command.contains("--help") {
            command += words;
        }
    }
    command
}

fn all() -> Vec<(&'static str, Shown)> {
    let of = |name: &'static str| commands(&read(name)).into_iter().map(move |shown| (name, shown));
    DOCUMENTS.into_iter().flat_map(of).collect()
}

#[test]
fn every_command_works() {
    let place = Place::new("all");
    // Verifying, counting and probing want a set, which the documents build before.
    assert!(place.run("kpe tables build --stones 4; kpe tables build --stones 4 --tables set").status.success());
    let (mut done, mut failed): (Vec<String>, Vec<String>) = Default::default();
    for (document, Shown { command, output }) in all() {
        let covered = ELSEWHERE.iter().any(|(known, _)| *known == command);
        let run = runnable(&command);
        if covered || output.is_some() || done.contains(&run) {
            continue;
        }
        let ended = place.run(&run);
        let told = String::from_utf8_lossy(&ended.stderr);
        if !ended.status.success() {
            failed.push(format!("{document} says `{command}`, run as `{run}`:\n{told}"));
        }
        done.push(run);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(done.len() > 30, "{done:#?}");
}

#[test]
fn what_is_shown_is_what_is_printed() {
    let place = Place::new("shown");
    let mut compared = 0;
    for (document, Shown { command, output }) in all() {
        if let Some(expected) = output {
            let ended = place.run(&command);
            assert_eq!(String::from_utf8_lossy(&ended.stdout), expected, "{document}: {command}");
            compared += 1;
        }
    }
    assert!(compared >= 2, "{compared}");
}

#[test]
fn what_is_listed_is_documented_and_covered() {
    let documented = all();
    for (command, covered_by) in ELSEWHERE {
        assert!(documented.iter().any(|(_, shown)| shown.command == command), "no document says {command:?} any more");
        assert!(root().join(covered_by).is_file(), "{covered_by} is to cover {command:?}");
    }
}

#[test]
fn commands_are_found_where_documents_have_them() {
    let text = "a `kpe man`, `kpe opening\nreport` and `x`\n```sh\nkpe best   # so\nkpe a \\\n  b\n```\n\n    kpe c > d\n\n```text\n$ kpe e\nf\n```\n";
    let found: Vec<(String, Option<String>)> = commands(text).into_iter().map(|s| (s.command, s.output)).collect();
    let plain = |words: &str| (words.to_owned(), None);
    let shown = ("kpe e".to_owned(), Some("f\n".to_owned()));
    let expected = ["kpe man", "kpe opening report", "kpe best", "kpe a b", "kpe c > d"];
    assert_eq!(found, expected.into_iter().map(plain).chain([shown]).collect::<Vec<_>>());
    assert_eq!(runnable("kpe tables export LAYER"), "kpe tables export n04 --format csv");
    assert_eq!(runnable("kpe tables build --threads 2"), "kpe tables build --threads 2 --stones 4");
}
