//! `kpe tables verify`, `stats`, `export` and `digests` as somebody at a shell sees them.

mod digests;
mod export;
mod stats;
mod verify;

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use kpe::build::{BuildOptions, build};
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::table::directory_name;

/// Kpé with the standard options.
fn game() -> Game {
    Game::Kpe(Kpe::default())
}

/// A set with at most so many stones, in a directory that goes away with it.
struct Built {
    root: tempfile::TempDir,
}

impl Built {
    fn new(stones: u8) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (stop, observe) = (AtomicBool::new(false), &|_| ());
        let options =
            BuildOptions { root: root.path(), stones, odd: false, threads: 2, memory: 4 << 30, stop: &stop, observe };
        build(&game(), &options).unwrap();
        Self { root }
    }

    /// The directory of the set.
    fn directory(&self) -> PathBuf {
        self.root.path().join(directory_name(&game()))
    }

    /// `kpe tables` with these arguments on this set.
    fn tables(&self, arguments: &[&str]) -> Output {
        run(self.root.path(), arguments)
    }
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("kpe").unwrap();
    command.env("KPE_TABLES", root).arg("tables").args(arguments).output().unwrap()
}

/// What a run that must end with this status wrote.
#[track_caller]
fn text(output: &Output, status: i32) -> String {
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{out}\n{errors}");
    out.into_owned()
}
