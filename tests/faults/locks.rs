//! File systems without locks, links where files are expected, and files of the user that must not be lost. What a file system
//! lacks is injected by `strace`; where that is missing the test says so.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::{KPE, SET, builder, copied, file, kpe, ran, say, small};

/// The program with errors injected into its system calls; `None`, which is said, where that cannot be done.
fn injected(test: &str, inject: &[&str], args: &[&str]) -> Option<Command> {
    let probe = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        say(&format!("{test}: strace is missing or may not be used here, so this was NOT tested"));
        return None;
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null"]);
    command.args(inject.iter().flat_map(|inject| ["-e", inject]));
    command.arg(KPE).args(args).env_remove("KPE_TABLES").env_remove("XDG_DATA_HOME").env("HOME", "/nonexistent");
    Some(command)
}

#[test]
fn a_file_system_without_locks_is_told_and_built_on() {
    for error in ["ENOLCK", "ENOSYS", "EOPNOTSUPP", "EINVAL", "EBADF"] {
        let root = tempfile::tempdir().unwrap();
        let inject = format!("inject=flock:error={error}");
        let args = ["tables", "build", "--stones", "4", "--threads", "1", "--memory", "1GiB", "--tables"];
        let test = "a_file_system_without_locks_is_told_and_built_on";
        let Some(mut command) = injected(test, &[&inject], &args) else { return };
        let (status, _, err) = ran(command.arg(root.path()));
        assert!(status == 0 && err.contains("has no locks"), "{error}: {err}");
        assert!(file(root.path(), "n04.kpt").exists());
    }
}

#[test]
fn a_directory_that_cannot_be_synced_is_no_failure() {
    let root = tempfile::tempdir().unwrap();
    let args = ["tables", "build", "--stones", "2", "--threads", "1", "--memory", "1GiB", "--tables"];
    // Each thread syncs a file, then its directory, in turn.
    let inject = ["inject=fsync:error=EINVAL:when=2+2"];
    let Some(mut command) = injected("a_directory_that_cannot_be_synced_is_no_failure", &inject, &args) else { return };
    let (status, _, err) = ran(command.arg(root.path()));
    assert_eq!(status, 0, "{err}");
}

#[test]
fn a_lock_follows_no_link() {
    let root = copied();
    let victim = root.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let lock = file(root.path(), ".lock");
    std::fs::remove_file(&lock).unwrap();
    symlink("../victim", &lock).unwrap();
    let (status, _, err) = ran(&mut builder(root.path(), "14"));
    assert!(status == 5 && err.contains(".lock: a link, expected a file of its own"), "{err}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}

#[test]
fn an_export_touches_its_own_file_alone() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let whole = ran(kpe(["tables", "export", "n08", "--tables"]).arg(small())).1;
    std::fs::write(at("x.csv.part"), "mine").unwrap();
    std::fs::write(at("victim"), "precious").unwrap();
    symlink("victim", at("y.csv.part")).unwrap();
    let export = |name: &str| {
        let mut command = kpe(["tables", "export", "n08", "--tables"]);
        command.arg(small()).arg("--out").arg(at(name)).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    // Several at once leave the whole of one.
    let mut running: Vec<_> = ["x.csv", "y.csv", "x.csv", "x.csv"].map(|name| export(name).spawn().unwrap()).into();
    assert!(running.iter_mut().all(|child| child.wait().unwrap().success()));
    for name in ["x.csv", "y.csv"] {
        assert!(std::fs::read_to_string(at(name)).unwrap() == whole, "{name}");
    }
    assert_eq!(std::fs::read_to_string(at("x.csv.part")).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(at("victim")).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 5);
    // Standard output by its name, a table under another name, a directory.
    let (status, out, err) = ran(kpe(["tables", "export", "n08", "--out", "/dev/stdout", "--tables"]).arg(small()));
    assert!(status == 0 && out == whole, "{err}");
    let root = copied();
    let table = file(root.path(), "n08.kpt");
    symlink(&table, at("z.csv")).unwrap();
    for (target, told) in [(at("z.csv"), "name of a table file"), (place.path().to_owned(), "a directory")] {
        let (status, _, err) =
            ran(kpe(["tables", "export", "n08", "--tables"]).arg(root.path()).arg("--out").arg(target));
        assert!(status == 2 && err.contains(told), "{err}");
    }
    assert!(std::fs::read(table).unwrap() == std::fs::read(small().join(SET).join("n08.kpt")).unwrap());
}

#[test]
fn a_page_never_replaces_the_record_it_is_of() {
    let place = tempfile::tempdir().unwrap();
    let record = place.path().join("y.kpg");
    std::fs::write(&record, "1. A b *\n").unwrap();
    symlink("y.kpg", place.path().join("link")).unwrap();
    for page in ["y.kpg", "link", "./y.kpg"] {
        let mut command = kpe(["annotate", "--time", "1ms", "--html"]);
        let (status, out, err) = ran(command.arg(place.path().join(page)).arg(&record));
        assert!(status == 2 && out.is_empty() && err.contains("an input of this command"), "{page}: {err}");
    }
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "1. A b *\n");
}
