//! Faults of the machine and of files: a disk without room, memory refused, directories that cannot be written, files that
//! are others than they should be, or become so while they are in use. Whatever happens, a command ends with the status
//! for it and says what to do, nothing that was finished is lost, and no answer is wrong.
//!
//! The faults are real ones. Some need a file system of their own, which not every system lets a test have: where it does not,
//! the test says so on standard error, past the capture of output.

mod disk;
mod files;
mod hostile;
mod limits;
mod locks;
mod memory;
mod open;
mod places;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The directory of the set of Kpé with the standard options.
const SET: &str = "kpe-skip-same-remains";
/// The program.
const KPE: &str = env!("CARGO_BIN_EXE_kpe");

/// The program with an environment that holds nothing of the user's.
fn kpe<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(KPE);
    command.args(args).env_remove("KPE_TABLES").env_remove("XDG_DATA_HOME").env("HOME", "/nonexistent");
    command
}

/// `kpe tables build` of so many stones below `root`.
fn builder(root: &Path, stones: &str) -> Command {
    let mut command = kpe(["tables", "build", "--threads", "2", "--memory", "64GiB", "--stones", stones, "--tables"]);
    command.arg(root);
    command
}

/// Status, standard output, standard error; a signal counts as a shell counts it.
fn told(output: &Output) -> (i32, String, String) {
    use std::os::unix::process::ExitStatusExt;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let status = output.status.code().or_else(|| output.status.signal().map(|signal| 128 + signal));
    (status.expect("it has ended"), text(&output.stdout), text(&output.stderr))
}

fn ran(command: &mut Command) -> (i32, String, String) {
    told(&command.output().expect("the program starts"))
}

/// Name and bytes of every file of a set but the lock.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(root.join(SET)) else { return BTreeMap::new() };
    let named = entries.map(|entry| entry.unwrap()).filter(|entry| entry.file_type().unwrap().is_file());
    let named = named.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    named.filter(|(name, _)| name != ".lock").collect()
}

/// Sets that are built once: of the standard rules up to 12 stones, and of others.
fn small() -> &'static Path {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        for origin in ["skip", "sow"] {
            let (status, _, err) = ran(builder(root.path(), "12").args(["--origin", origin]));
            assert_eq!(status, 0, "{err}");
        }
        root
    });
    root.path()
}

/// A copy of the sets to do harm to.
fn copied() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    copy_tree(small(), root.path());
    root
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A file of the set of the standard rules.
fn file(root: &Path, name: &str) -> PathBuf {
    root.join(SET).join(name)
}

/// Asserts that what lies below `root` after a fault is sound as far as it goes, and that the same build goes on to its end with
/// the same bytes as if nothing had happened.
#[track_caller]
fn assert_goes_on(root: &Path, stones: &str, whole: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files(root).iter().filter(|(name, _)| !name.ends_with(".tmp")) {
        assert!(
            name == "manifest.json" || name == "SHA256SUMS" || whole.get(name) == Some(bytes),
            "{name} is not whole"
        );
    }
    let (status, _, err) = ran(&mut builder(root, stones));
    assert_eq!(status, 0, "{err}");
    assert!(files(root) == *whole, "the files differ from those of a build without faults");
}

/// A command in a name space of its own, in which file systems can be mounted; `None` where the system does not let one have
/// that, which is said.
fn with_mounts(test: &str, script: &str) -> Option<Command> {
    let command = || {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c"]);
        command
    };
    let directory = tempfile::tempdir().unwrap();
    let probe = command().arg("mount -t tmpfs none \"$0\"").arg(directory.path()).output();
    if probe.is_ok_and(|probe| probe.status.success()) {
        let mut command = command();
        command.arg(script).env_remove("KPE_TABLES").env("KPE", KPE);
        return Some(command);
    }
    say(&format!("{test}: this system lets nobody mount a file system, so this was NOT tested"));
    None
}

/// A line on standard error, past the capture of tests.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "\n{line}");
}
