//! Many games of two engine processes, one after the other: every game must end by the rules of the game, and the memory of
//! the processes must stay what it is.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

use crate::server::{Memory, memory, program_or_same_build};
use crate::soak::is_flat;

/// Time between two looks at the memory.
const LOOK: Duration = Duration::from_millis(500);
/// Looks from one line about it to the next.
const TOLD: usize = 120;

/// Plays so many games; `false` if one ended as none should, or memory grew.
pub(crate) fn run(program: Option<&Path>, tables: Option<&Path>, game: &str, games: u32) -> anyhow::Result<bool> {
    let program = program_or_same_build(program)?;
    let engine = format!("{} engine", program.display());
    let log = tempfile::NamedTempFile::new()?;
    let mut command = Command::new(&program);
    command.args(["match", "--engine", &engine, "--engine", &engine, "--game", game, "--adjudicate", "off"]);
    // Longer openings, for there are not so many short ones.
    command.args(["--concurrency", "1", "--nodes", "10000", "--plies", "8"]);
    command.args(["--random", &games.to_string(), "--games", &games.to_string()]);
    command.arg("--log").arg(log.path()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(tables) = tables {
        command.env("KPE_TABLES", tables);
    }
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let mut seen = Vec::new();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        sleep(LOOK);
        // The processes may end while they are looked at.
        let Ok(now) = family(child.id()) else { continue };
        seen.push(now);
        if seen.len().is_multiple_of(TOLD) {
            let played = BufReader::new(log.reopen()?).lines().count();
            println!("{played} games, {} KiB own, {} KiB with files", now.own, now.resident);
        }
    };
    let reasons = reasons(log.path())?;
    reasons.iter().for_each(|(reason, count)| println!("{count:>6} games ended by {reason}"));
    let total: u64 = reasons.values().sum();
    let right = ["rules", "repetition", "length"];
    let wrong = reasons.keys().any(|reason| !right.contains(&reason.as_str()));
    println!("{total} games of {game}, the match ended with {status}");
    Ok(is_flat(&seen) && status.success() && total == u64::from(games) && !wrong)
}

/// Memory of a process and those that its threads have started.
fn family(process: u32) -> anyhow::Result<Memory> {
    let mut sum = memory(process)?;
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
        for child in std::fs::read_to_string(thread?.path().join("children"))?.split_whitespace() {
            let child = memory(child.parse()?)?;
            sum.own += child.own;
            sum.resident += child.resident;
        }
    }
    Ok(sum)
}

/// How the games of a log have ended.
fn reasons(log: &Path) -> anyhow::Result<BTreeMap<String, u64>> {
    let mut reasons = BTreeMap::new();
    for line in BufReader::new(std::fs::File::open(log)?).lines() {
        let document: serde_json::Value = serde_json::from_str(&line?)?;
        if let Some(reason) = document["reason"].as_str() {
            *reasons.entry(reason.to_owned()).or_default() += 1;
        }
    }
    Ok(reasons)
}
