//! Directories of tables that are none, and files that are no files.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::{SET, builder, copied, file, files, kpe, ran, small};

const POSITION: &str = "0-0-0-0-0-0-5-5-19-19-N";

/// Puts something in place of a file.
type Harm<'a> = &'a dyn Fn(&Path);

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What stands in place of `n10.kpt`, and what is said of it.
#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let harms: [(&str, Harm<'_>, &str); 5] = [
        ("a directory", &|path| std::fs::create_dir(path).unwrap(), "not a regular file"),
        ("a named pipe", &fifo, "not a regular file"),
        ("a device", &|path| symlink("/dev/zero", path).unwrap(), "not a regular file"),
        ("a loop", &|path| symlink(path, path).unwrap(), "symbolic links"),
        ("a link to a directory", &|path| symlink("/", path).unwrap(), "not a regular file"),
    ];
    for (what, harm, told) in harms {
        let root = copied();
        let path = file(root.path(), "n10.kpt");
        std::fs::remove_file(&path).unwrap();
        harm(&path);
        for args in [
            &["tables", "probe", POSITION][..],
            &["best", POSITION],
            &["tables", "verify"],
            &["tables", "digests"],
            &["tables", "info"],
            &["tables", "build", "--stones", "14"],
        ] {
            let (status, _, err) = ran(kpe(args).arg("--tables").arg(root.path()));
            assert_eq!(status, 5, "{what}, {args:?}: {err}");
            assert!(err.contains(told) && err.contains("n10.kpt") && err.contains("check the path"), "{what}: {err}");
        }
    }
    // A link that leads nowhere is a file that is missing: it is built.
    let root = copied();
    let path = file(root.path(), "n10.kpt");
    std::fs::remove_file(&path).unwrap();
    symlink("nowhere", &path).unwrap();
    assert_eq!(
        ran(kpe(["tables", "probe", POSITION, "--tables"]).arg(root.path())).0,
        0,
        "from the tables in the program"
    );
    assert_eq!(ran(&mut builder(root.path(), "12")).0, 0);
    assert!(files(root.path()) == files(small()));
}

#[test]
fn lists_and_locks_that_are_no_files_are_refused() {
    for name in ["manifest.json", ".lock"] {
        let harms: [(&str, Harm<'_>); 4] = [
            ("a directory", &|path| std::fs::create_dir(path).unwrap()),
            ("a named pipe", &fifo),
            ("a loop", &|path| symlink(path, path).unwrap()),
            ("endless", &|path| symlink("/dev/zero", path).unwrap()),
        ];
        for (what, harm) in harms {
            let root = copied();
            let path = file(root.path(), name);
            std::fs::remove_file(&path).unwrap();
            harm(&path);
            let (status, _, err) = ran(&mut builder(root.path(), "14"));
            assert_eq!(status, 5, "{name} is {what}: {err}");
            assert!(err.contains(name) && err.contains("check the path"), "{name} is {what}: {err}");
            assert!(!file(root.path(), "n14.kpt").exists());
        }
    }
    // A file too large to be a list is not read to its end.
    let root = copied();
    let manifest = std::fs::File::create(file(root.path(), "manifest.json")).unwrap();
    manifest.set_len(1 << 40).unwrap();
    let (status, _, err) = ran(&mut builder(root.path(), "14"));
    assert!(status == 5 && err.contains("not a regular file of at most"), "{err}");
}

#[test]
fn places_that_are_none_are_told() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name).into_os_string();
    std::fs::write(at("file"), "").unwrap();
    symlink("loop", at("loop")).unwrap();
    fifo(Path::new(&at("pipe")));
    let long = at(&"x".repeat(300));
    for place in
        [at("file"), at("loop"), at("pipe"), at("file/below"), "/dev/null".into(), "/proc/nothing".into(), long]
    {
        let (status, out, err) = ran(kpe(["tables", "build", "--stones", "4", "--tables"]).arg(&place));
        assert_eq!((status, out.as_str()), (5, ""), "{place:?}: {err}");
        assert!(err.contains("check the path"), "{place:?}: {err}");
        for args in
            [&["tables", "info"][..], &["best"], &["tables", "verify"], &["tables", "probe", POSITION], &["engine"]]
        {
            let (status, out, err) = ran(kpe(args).arg("--tables").arg(&place));
            assert_eq!((status, out.as_str()), (3, ""), "{args:?} {place:?}: {err}");
            assert!(err.contains("no directory of tables at") && err.contains("kpe tables build"), "{err}");
        }
    }
}

/// Files that the user names besides tables: what is endless is not read to its end.
#[test]
fn endless_and_unreadable_input_is_refused() {
    let root = small().to_str().unwrap();
    for args in [
        &["annotate"][..],
        &["match", "--level", "1", "--level", "1", "--openings"],
        &["opening", "book", "--check"],
        &["tables", "digests", "--tables", root, "--compare"],
        &["tables", "verify", "--merge"],
        &["play", "--load"],
    ] {
        for (file, status, told) in
            [("/dev/zero", 2, "larger than"), ("/", 5, "Is a directory"), ("/nowhere", 5, "No such file")]
        {
            let (found, out, err) = ran(kpe(args).arg(file));
            assert_eq!((found, out.as_str()), (status, ""), "{args:?} {file}: {err}");
            assert!(err.contains(told) && err.contains(file), "{args:?} {file}: {err}");
        }
    }
    for args in [&["moves", "-"][..], &["best", "-"], &["tables", "probe", "-"], &["annotate", "-"]] {
        let (found, _, err) = ran(kpe(args).stdin(std::fs::File::open("/").unwrap()));
        assert!(found == 5 && err.contains("standard input") && err.contains("Is a directory"), "{args:?}: {err}");
    }
}

/// Names that are odd but names.
#[test]
fn odd_names_of_places_are_names() {
    let scratch = tempfile::tempdir().unwrap();
    for name in
        [&b"with blanks  "[..], b"-", b"--tables", b"\xff\xfe", b"'quoted\"", "ক".as_bytes(), b"line\nend", b"\x1b[31m"]
    {
        let place = scratch.path().join(OsString::from_vec(name.to_vec()));
        // Relative as well, so that the name itself is the argument.
        for place in [place.clone(), Path::new("./").join(place.file_name().unwrap())] {
            let mut command = kpe(["tables", "build", "--stones", "4", "--json", "--tables"]);
            let (status, _, err) = ran(command.arg(&place).current_dir(scratch.path()));
            assert_eq!(status, 0, "{place:?}: {err}");
            assert!(!err.contains('\u{1b}'), "{err:?}");
            let mut command = kpe(["tables", "probe", "0-0-0-1-1-0-0-0-20-26-S", "--tables"]);
            assert_eq!(ran(command.arg(&place).current_dir(scratch.path())).0, 0);
            assert!(scratch.path().join(OsString::from_vec(name.to_vec())).join(SET).join("n04.kpt").exists());
        }
    }
}
