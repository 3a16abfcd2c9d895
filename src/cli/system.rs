//! What the machine has: memory to spare, processors, the user's data directory, a clock. The only module that imports
//! `chrono`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

/// Bytes a build may use when the system does not say what it has.
const UNKNOWN_MEMORY: u64 = 4 << 30;
/// The most that is left to others.
const LARGEST_RESERVE: u64 = 1 << 30;

/// Where this program keeps tables unless told otherwise: `kpe/tables` in `$XDG_DATA_HOME` or `~/.local/share`.
pub(super) fn data_directory() -> Option<PathBuf> {
    Some(own_directory()?.join("tables"))
}

/// Where `kpe play` keeps games that were left before their end: `kpe/games` beside the tables.
pub(super) fn games_directory() -> Option<PathBuf> {
    Some(own_directory()?.join("games"))
}

fn own_directory() -> Option<PathBuf> {
    let directory = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = directory("XDG_DATA_HOME").or_else(|| Some(directory("HOME")?.join(".local/share")));
    Some(data?.join("kpe"))
}

/// Today as game records have it: `2026.11.30`.
pub(super) fn today() -> String {
    chrono::Local::now().format("%Y.%m.%d").to_string()
}

/// The moment as part of a file's name: `2026-11-30-174509.123`; later ones come later in the order of names.
pub(super) fn moment() -> String {
    chrono::Local::now().format("%Y-%m-%d-%H%M%S%.3f").to_string()
}

/// A number that is another one at every start.
pub(super) fn arbitrary_number() -> u64 {
    chrono::Utc::now().timestamp_micros().unsigned_abs()
}

/// Threads the machine runs at once.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A pool of threads for a command; without a number as many as the machine runs at once.
///
/// # Errors
/// If the system has not so many to give.
pub(super) fn pool(asked: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    let number = asked.map_or_else(threads, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build();
    pool.with_context(|| format!("cannot start {number} threads; ask for fewer with --threads or raise the limit"))
}

/// Bytes of memory a build may use without driving others out: what is available less a reserve.
pub(super) fn spare_memory() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_in(&text));
    let available = [machine, group_memory()].into_iter().flatten().min().unwrap_or(UNKNOWN_MEMORY);
    available - (available / 8).min(LARGEST_RESERVE)
}

/// The bytes `/proc/meminfo` calls available.
fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// What the control group of a container still allows, if it has a limit. Cached files that nobody needs are given back.
fn group_memory() -> Option<u64> {
    let read = |name| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let limit: u64 = read("max")?.trim().parse().ok()?;
    let used: u64 = read("current")?.trim().parse().ok()?;
    let stat = read("stat")?;
    let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse::<u64>().ok());
    Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let text = "MemTotal:       24576000 kB\nMemFree: 1 kB\nMemAvailable:   20480000 kB\n";
        assert_eq!(available_in(text), Some(20_480_000 << 10));
        assert_eq!(available_in("MemFree: 1 kB\n"), None);
        assert!(spare_memory() > 0 && threads() > 0);
    }
}
