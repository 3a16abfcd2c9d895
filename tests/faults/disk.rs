//! Disks without room, and directories that cannot be written.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::{KPE, SET, assert_goes_on, builder, copied, copy_tree, files, kpe, ran, small, told, with_mounts};

fn whole(stones: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(ran(&mut builder(root.path(), stones)).0, 0);
    files(root.path())
}

/// A file system that has room for so many files and no more: the disk is full at each of them once, at the manifest and the
/// sums too.
#[test]
fn a_disk_that_is_full_at_any_file_loses_nothing() {
    let whole = whole("8");
    let mut full = 0;
    for files_there_may_be in 2..whole.len() + 6 {
        let (disk, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let script = "mount -t tmpfs -o size=64m,nr_inodes=$1 none \"$0\" || exit 99
            \"$KPE\" tables build --stones 8 --threads 2 --memory 8GiB --tables \"$0\"; status=$?
            cp -a \"$0/.\" \"$2\"; exit $status";
        let Some(mut command) = with_mounts("a_disk_that_is_full_at_any_file_loses_nothing", script) else { return };
        let command = command.arg(disk.path()).arg(files_there_may_be.to_string()).arg(kept.path());
        let (status, _, err) = told(&command.output().unwrap());
        if status != 0 {
            full += 1;
            assert_eq!(status, 5, "{files_there_may_be} files: {err}");
            assert!(err.contains("disk full: No space left on device") && err.contains("free some space"), "{err}");
            assert!(err.contains("then build again: what is finished stays"), "{err}");
        }
        assert_goes_on(kept.path(), "8", &whole);
    }
    assert!(full > whole.len(), "{full} of these disks were full");
}

/// Somebody else fills the disk while the build is under way.
#[test]
fn a_disk_that_fills_up_loses_nothing() {
    let whole = whole("26");
    let (disk, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let script = "mount -t tmpfs -o size=64m none \"$0\" || exit 99
        \"$KPE\" tables build --stones 26 --threads 1 --memory 8GiB --tables \"$0\" & builder=$!
        while ! [ -e \"$0/$2/n14.kpt\" ]; do sleep 0.01; done
        cat /dev/zero > \"$0/filler\" 2>/dev/null
        wait $builder; status=$?
        rm \"$0/filler\"; cp -a \"$0/.\" \"$1\"; exit $status";
    let Some(mut command) = with_mounts("a_disk_that_fills_up_loses_nothing", script) else { return };
    let (status, _, err) = told(&command.arg(disk.path()).arg(kept.path()).arg(SET).output().unwrap());
    assert_eq!(status, 5, "{err}");
    assert!(err.contains("disk full: No space left on device"), "{err}");
    assert!(files(kept.path()).len() < whole.len());
    assert_goes_on(kept.path(), "26", &whole);
}

/// A limit of the size of files needs no privilege and cuts a file anywhere.
#[test]
fn a_limit_of_the_size_of_files_is_a_full_disk() {
    let whole = whole("14");
    let mut cut = 0;
    for blocks in [0, 1, 2, 3, 5, 8, 13, 30, 60] {
        let root = tempfile::tempdir().unwrap();
        let script = "ulimit -f $1; exec \"$KPE\" tables build --stones 14 --threads 2 --memory 8GiB --tables \"$0\"";
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", script]).arg(root.path()).arg(blocks.to_string()).env("KPE", KPE);
        let (status, _, err) = told(&shell.output().unwrap());
        if status != 0 {
            cut += 1;
            assert_eq!(status, 5, "{blocks} blocks: {err}");
            assert!(err.contains("disk full: File too large") && err.contains("free some space"), "{err}");
        }
        assert!(files(root.path()).keys().all(|name| !name.ends_with(".tmp")), "something half-written was left");
        assert_goes_on(root.path(), "14", &whole);
    }
    assert!(cut > 5, "{cut} builds met the limit");
}

#[test]
fn a_disk_that_is_too_small_is_told_before_the_work() {
    let disk = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=256k none \"$0\" || exit 99
        \"$KPE\" tables build --stones 12 --memory 8GiB --tables \"$0\"; status=$?
        ls \"$0/$1\"; exit $status";
    let Some(mut command) = with_mounts("a_disk_that_is_too_small_is_told_before_the_work", script) else { return };
    let (status, out, err) = told(&command.arg(disk.path()).arg(SET).output().unwrap());
    assert_eq!((status, out.as_str()), (5, ""), "{err}");
    assert!(err.contains("bytes free, expected") && err.contains("name another directory with --tables"), "{err}");
}

/// A set on a disk that can only be read serves, and says so to whoever wants to write.
#[test]
fn a_disk_that_can_only_be_read_serves_and_is_not_written() {
    let root = copied();
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" || exit 99; exec \"$KPE\" \"$@\" --tables \"$0\"";
    let run = |args: &[&str]| {
        let command = with_mounts("a_disk_that_can_only_be_read_serves_and_is_not_written", script);
        command.map(|mut command| told(&command.arg(root.path()).args(args).output().unwrap()))
    };
    let Some((status, _, err)) = run(&["tables", "build", "--stones", "14"]) else { return };
    assert_eq!(status, 5, "{err}");
    assert!(err.contains("Read-only file system") && err.contains("check the path, its permissions"), "{err}");
    for args in [&["tables", "verify"][..], &["tables", "probe", "0-0-0-1-1-0-0-0-20-26-S"], &["tables", "digests"]] {
        let (status, _, err) = run(args).unwrap();
        assert_eq!(status, 0, "{args:?}: {err}");
    }
}

/// The program for a user who is not root; modes of files hold for him alone.
fn unprivileged(place: &Path) -> Command {
    let program = place.join("kpe");
    std::fs::copy(KPE, &program).unwrap();
    std::fs::set_permissions(place, Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(program);
    command.env_remove("KPE_TABLES").env_remove("XDG_DATA_HOME").env("HOME", "/nonexistent").current_dir("/");
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command
}

#[test]
fn directories_without_permission_are_told() {
    let (place, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let set = root.path().join("set");
    copy_tree(small(), &set);
    let mode = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    mode(root.path(), 0o755);
    let run = |args: &[&str]| ran(unprivileged(place.path()).args(args).arg("--tables").arg(&set));
    // It may be read and not written, also where its lock lies already.
    for path in [set.clone(), set.join(SET)] {
        mode(&path, 0o555);
    }
    mode(&set.join(SET).join(".lock"), 0o444);
    let (status, _, err) = run(&["tables", "build", "--stones", "14"]);
    assert!(status == 5 && err.contains("Permission denied (os error 13); check the path, its permissions"), "{err}");
    let (status, _, err) = run(&["tables", "build", "--stones", "4", "--feed", "sown"]);
    assert!(status == 5 && err.contains("Permission denied"), "{err}");
    assert_eq!(run(&["tables", "verify"]).0, 0);
    assert_eq!(run(&["tables", "probe", "0-0-0-1-1-0-0-0-20-26-S"]).1, "+2 for South, distance 1\n");
    // One file cannot be read: what rests on it is not told, what does not is.
    mode(&set.join(SET).join("n12.kpt"), 0o000);
    for args in [
        &["tables", "probe", "0-0-0-0-0-0-6-6-18-18-N"][..],
        &["best", "0-0-0-0-0-0-6-6-18-18-N"],
        &["tables", "verify"],
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (5, ""), "{args:?}: {err}");
        assert!(err.contains("n12.kpt: Permission denied"), "{args:?}: {err}");
    }
    assert_eq!(run(&["best", "0-0-0-1-1-0-0-0-20-26-S"]).0, 0);
    // Nor can the directory be looked into.
    mode(&set.join(SET), 0o000);
    for args in [&["tables", "info"][..], &["tables", "verify"], &["best"], &["tables", "digests"]] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (5, ""), "{args:?}: {err}");
        assert!(err.contains("Permission denied") && err.contains("check the path"), "{args:?}: {err}");
    }
    mode(&set.join(SET), 0o755);
}

#[test]
fn a_full_disk_loses_no_file_that_an_export_would_replace() {
    let disk = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=64k none \"$0\" || exit 99; echo kept > \"$0/n12.csv\"
        \"$KPE\" tables export n12 --tables \"$1\" --out \"$0/n12.csv\"; status=$?
        cat \"$0/n12.csv\"; ls \"$0\"; exit $status";
    let Some(mut command) = with_mounts("a_full_disk_loses_no_file_that_an_export_would_replace", script) else {
        return;
    };
    let (status, out, err) = told(&command.arg(disk.path()).arg(small()).output().unwrap());
    assert_eq!((status, out.as_str()), (5, "kept\nn12.csv\n"), "{err}");
    assert!(err.contains("n12.csv: No space left on device"), "{err}");
    let (status, _, err) = ran(kpe(["tables", "export", "n12", "--out", "/nowhere/x.csv", "--tables"]).arg(small()));
    assert!(status == 5 && err.contains("cannot write to /nowhere/x.csv"), "{err}");
}
