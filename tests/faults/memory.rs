//! Memory that the system refuses.

use std::process::Command;

use crate::{KPE, assert_goes_on, builder, files, ran, small, told};

/// A command under a limit of its address space, in KiB.
fn limited(kib: u32, args: &[&str]) -> (i32, String, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v $0 && exec \"$@\""]).arg(kib.to_string()).arg(KPE).args(args);
    shell.env_remove("KPE_TABLES").env("HOME", "/nonexistent").env_remove("RUST_BACKTRACE");
    told(&shell.output().unwrap())
}

/// Limits from hardly more than the program needs to start to plenty, in KiB.
fn limits() -> impl Iterator<Item = u32> {
    let least = (5..500).map(|step| 2000 * step).find(|&kib| limited(kib, &["--version"]).0 == 0);
    let least = least.expect("the program starts in a gigabyte");
    [4, 10, 20, 50, 100, 150, 220, 400, 900].into_iter().map(move |more| least + 1000 * more)
}

#[test]
fn a_build_that_is_refused_memory_loses_nothing() {
    let whole = {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(ran(&mut builder(root.path(), "16")).0, 0);
        files(root.path())
    };
    let mut refused = 0;
    for kib in limits() {
        let root = tempfile::tempdir().unwrap();
        let args = ["tables", "build", "--stones", "16", "--threads", "2", "--memory", "8GiB", "--tables"];
        let (status, _, err) = limited(kib, &[&args[..], &[root.path().to_str().unwrap()]].concat());
        if status != 0 {
            refused += 1;
            assert_eq!(status, 5, "{kib} KiB: {err}");
            assert!(["memory", "threads"].iter().any(|what| err.contains(what)), "{kib} KiB: {err}");
            assert!(["raise the limit", "--memory"].iter().any(|what| err.contains(what)), "{kib} KiB: {err}");
        }
        assert_goes_on(root.path(), "16", &whole);
    }
    assert!((2..9).contains(&refused), "{refused} builds were refused memory");
}

#[test]
fn whoever_is_refused_memory_says_so() {
    let root = small().to_str().unwrap();
    let mut refused = 0;
    for args in [
        &["tables", "verify", "--tables", root][..],
        &["tables", "stats", "--tables", root],
        &["tables", "digests", "--tables", root],
        &["tables", "info", "--tables", root],
        &["best", "6-6-6-6-6-6-6-6-0-0-S", "--nodes", "1000", "--memory", "256MiB"],
        &["best", "--game", "gore", "--nodes", "1000", "--memory", "256MiB"],
        &["best", "--game", "gore", "--nodes", "1000"],
        &["opening"],
        &["perft", "3"],
    ] {
        for kib in limits().step_by(2) {
            let (status, _, err) = limited(kib, args);
            if status != 0 {
                refused += 1;
                assert_eq!(status, 5, "{args:?}, {kib} KiB: {err}");
                assert!(["memory", "threads"].iter().any(|what| err.contains(what)), "{args:?}, {kib} KiB: {err}");
                assert!(!err.contains("panicked"), "{args:?}, {kib} KiB: {err}");
            }
        }
    }
    assert!(refused > 8, "{refused} commands were refused memory");
}
