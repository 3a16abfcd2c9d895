//! Files that become others while a program has them open: it goes on with what it checked, or says that it cannot.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::Value;

use crate::{copied, file, kpe, small};

/// A batch that is answered line by line.
struct Batch {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Batch {
    fn new(command: &[&str], root: &Path) -> Self {
        let mut command = kpe(command);
        let command = command.arg("-").arg("--tables").arg(root).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn ask(&mut self, position: &str) -> Value {
        writeln!(self.input, "{position}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ended(mut self) -> Option<i32> {
        drop(self.input);
        self.child.wait().unwrap().code()
    }
}

/// Positions of 12 stones from all over the layer, which has many blocks.
fn positions() -> Vec<String> {
    let mut positions = Vec::new();
    for (a, b, c) in (0..13).flat_map(|a| (0..13 - a).flat_map(move |b| (0..13 - a - b).map(move |c| (a, b, c)))) {
        positions.push(format!("{a}-{b}-0-{c}-0-{}-0-0-18-18-S", 12 - a - b - c));
    }
    positions.into_iter().step_by(7).collect()
}

/// What is known of these positions from sound tables.
fn known(command: &[&str]) -> Vec<Value> {
    let mut batch = Batch::new(command, small());
    let answers = positions().iter().map(|position| batch.ask(position)).collect();
    assert_eq!(batch.ended(), Some(0));
    answers
}

/// Asks for one position, does something to the file, asks for all: whatever is answered is right. Returns how many are not
/// answered, and the status.
fn harmed(command: &[&str], harm: impl Fn(&Path)) -> (usize, Option<i32>) {
    let (expected, root) = (known(command), copied());
    let mut batch = Batch::new(command, root.path());
    assert_eq!(batch.ask(&positions()[0]), expected[0]);
    harm(&file(root.path(), "n12.kpt"));
    let mut unanswered = 0;
    for (position, expected) in positions().iter().zip(&expected) {
        let found = batch.ask(position);
        if let Some(error) = found["error"].as_str() {
            unanswered += 1;
            assert!(error.contains("n12.kpt: damaged table") && error.contains("build it again"), "{error}");
        } else {
            assert_eq!(found, *expected);
        }
    }
    (unanswered, batch.ended())
}

/// The nodes of a search are counted, and with one thread always the same.
const COMMANDS: [&[&str]; 2] = [&["tables", "probe"], &["best", "--nodes", "2000", "--threads", "1"]];

#[test]
fn a_file_cut_while_it_is_open() {
    for command in COMMANDS {
        for length in [0, 40, 2000] {
            let cut = |path: &Path| std::fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
            let (unanswered, status) = harmed(command, cut);
            assert!(unanswered > 10 && status == Some(4), "{command:?}, {length} bytes: {unanswered}, {status:?}");
        }
    }
}

#[test]
fn a_file_overwritten_while_it_is_open() {
    for command in COMMANDS {
        // Of another layer, of other rules, and of nothing.
        for other in ["kpe-skip-same-remains/n10.kpt", "kpe-sow-same-remains/n12.kpt", "/dev/null"] {
            let overwrite = |path: &Path| std::fs::write(path, std::fs::read(small().join(other)).unwrap()).unwrap();
            let (unanswered, status) = harmed(command, overwrite);
            assert!(unanswered > 10 && status == Some(4), "{command:?}, {other}: {unanswered}, {status:?}");
        }
        let spoil = |path: &Path| {
            let mut bytes = std::fs::read(path).unwrap();
            bytes.iter_mut().skip(2000).for_each(|byte| *byte ^= 0x55);
            std::fs::write(path, bytes).unwrap();
        };
        let (unanswered, status) = harmed(command, spoil);
        assert!(unanswered > 10 && status == Some(4), "{command:?}: {unanswered}, {status:?}");
    }
}

/// A file that was open stays what it was, whatever takes its name.
#[test]
fn a_file_replaced_or_removed_while_it_is_open() {
    for command in COMMANDS {
        let replace = |path: &Path| {
            let other = path.with_file_name("new");
            std::fs::copy(small().join("kpe-sow-same-remains/n12.kpt"), &other).unwrap();
            std::fs::rename(other, path).unwrap();
        };
        assert_eq!(harmed(command, replace), (0, Some(0)));
        assert_eq!(harmed(command, |path| std::fs::remove_file(path).unwrap()), (0, Some(0)));
        assert_eq!(harmed(command, |path| std::fs::remove_dir_all(path.parent().unwrap()).unwrap()), (0, Some(0)));
    }
}
