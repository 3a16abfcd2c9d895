//! The server under load: a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

/// A server; it ends when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// Memory of a process, in KiB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// What is its own.
    pub(crate) own: u64,
    /// That and the parts of table files that are in memory, which the system takes back when it needs them.
    pub(crate) resident: u64,
}

impl Server {
    pub(crate) fn start(program: Option<&Path>, tables: Option<&Path>) -> anyhow::Result<Self> {
        let program = program_or_same_build(program)?;
        let mut command = Command::new(&program);
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped());
        if let Some(tables) = tables {
            command.arg("--tables").arg(tables);
        }
        let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("it has an output")?).read_line(&mut line)?;
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        Ok(Self { address: address.parse().with_context(|| format!("it says {line:?}"))?, child })
    }

    /// Time of processors it has taken, all threads together.
    pub(crate) fn processor(&self) -> anyhow::Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name before may hold anything; user and system time are the 12th and 13th field after it.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: u64 =
            fields.get(11..13).context("no times")?.iter().filter_map(|time| time.parse::<u64>().ok()).sum();
        Ok(Duration::from_millis(ticks * 10))
    }

    pub(crate) fn memory(&self) -> anyhow::Result<Memory> {
        memory(self.child.id())
    }
}

/// Memory of the process with this number.
pub(crate) fn memory(process: u32) -> anyhow::Result<Memory> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).with_context(|| format!("no {name}"))?;
        anyhow::Ok(line.trim().trim_end_matches(" kB").parse::<u64>()?)
    };
    Ok(Memory { own: field("RssAnon:")?, resident: field("VmRSS:")? })
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program that is named, or `kpe` beside the directory of this example.
pub(crate) fn program_or_same_build(program: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(program) = program {
        return Ok(program.to_owned());
    }
    let here = std::env::current_exe()?;
    let directory = here.parent().and_then(Path::parent).context("examples lie in a directory of the build")?;
    Ok(directory.join("kpe"))
}
