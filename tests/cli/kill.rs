//! Builds that are killed, interrupted, or started twice.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::empty;

const SET: &str = "kpe-skip-same-remains";

fn builder(root: &Path, stones: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    command.args(["tables", "build", "--memory", "64GiB", "--stones", stones, "--tables"]).arg(root);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn build(root: &Path, stones: &str) {
    let output = builder(root, stones).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Name and bytes of every file of the set but the lock.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(root.join(SET)).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    named.filter(|(name, _)| name != ".lock").collect()
}

/// Waits until the builder has written this file.
fn wait_for(root: &Path, name: &str) {
    let path = root.join(SET).join(name);
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no {name} after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_killed_build_goes_on_and_ends_with_the_same_bytes() {
    let whole = empty("kill-whole");
    let begun = Instant::now();
    build(&whole, "18");
    let length = begun.elapsed();
    let root = empty("kill");
    // Moments spread over the whole build, earlier ones more often, since each run finds more done.
    for part in [2u32, 5, 11, 19, 31, 47, 67, 83] {
        let mut child = builder(&root, "18").spawn().unwrap();
        std::thread::sleep(length * part / 100);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    build(&root, "18");
    assert!(files(&root) == files(&whole), "the files differ");
}

#[test]
fn a_second_builder_is_refused() {
    let root = empty("two");
    let first = builder(&root, "32").spawn().unwrap();
    wait_for(&root, "n00.kpt");
    let (status, told) = ended(builder(&root, "4").spawn().unwrap());
    assert_eq!(status, Some(5), "{told}");
    assert!(told.contains(&format!("in use by another build (process {})", first.id())), "{told}");
    interrupt(&first);
    assert_eq!(ended(first).0, Some(130));
}

#[test]
fn an_interrupt_ends_a_build_cleanly() {
    let root = empty("interrupt");
    let child = builder(&root, "32").spawn().unwrap();
    wait_for(&root, "n16.kpt");
    interrupt(&child);
    let (status, told) = ended(child);
    assert_eq!(status, Some(130), "{told}");
    assert!(told.contains("what is finished stays. To go on:"), "{told}");
    assert!(told.contains(&format!("--stones 32 --tables {}", root.display())), "{told}");
    assert!(files(&root).keys().all(|name| name.ends_with(".kpt")), "{:?}", files(&root).keys());
    // What is there is used.
    build(&root, "16");
    let whole = empty("interrupt-whole");
    build(&whole, "16");
    let found = files(&root);
    assert!(files(&whole).iter().filter(|(name, _)| name.ends_with(".kpt")).all(|(name, bytes)| found[name] == *bytes));
}

/// The status is 128 and the number of the signal, whether a command ends by itself or not.
#[test]
fn a_request_to_end_is_heard_like_an_interrupt() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let root = empty("request");
        let child = builder(&root, "32").spawn().unwrap();
        wait_for(&root, "n16.kpt");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let (ended, told) = ended(child);
        assert_eq!(ended, Some(status), "{told}");
        assert!(told.contains("what is finished stays. To go on:"), "{told}");
        assert!(files(&root).keys().all(|name| name.ends_with(".kpt")), "{:?}", files(&root).keys());
    }
    for args in [
        &["best", "--game", "gore", "--time", "100s"][..],
        &["trade", "--time", "100s"],
        &["perft", "40"],
        &["bench", "--depth", "60"],
        &["match", "--level", "10", "--level", "10", "--nodes", "99999999999"],
        &["engine"],
    ] {
        for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
            let child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let child = child.spawn().unwrap();
            std::thread::sleep(Duration::from_millis(300));
            kill_process(Pid::from_child(&child), signal).unwrap();
            let output = child.wait_with_output().unwrap();
            // As a shell tells it.
            let code = output.status.code().or_else(|| output.status.signal().map(|signal| 128 + signal));
            assert_eq!(code, Some(status), "{args:?}");
        }
    }
}

/// Who starts a build by `nohup` wants it to outlive the terminal.
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let root = empty("nohup");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" tables build --stones 20 --tables \"$1\""]);
    let child = shell.arg(env!("CARGO_BIN_EXE_kpe")).arg(&root).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    wait_for(&root, "n08.kpt");
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    let (status, told) = ended(child);
    assert_eq!(status, Some(0), "{told}");
}

#[test]
fn a_second_interrupt_ends_it_at_once() {
    let root = empty("twice");
    let child = builder(&root, "40").spawn().unwrap();
    wait_for(&root, "n20.kpt");
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(50));
    // It may have come to its clean end already.
    let _ = kill_process(Pid::from_child(&child), Signal::INT);
    let begun = Instant::now();
    assert_eq!(ended(child).0, Some(130));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}
