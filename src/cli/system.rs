//! What a command takes from the machine: threads, the user's data directory, a clock. The only module that imports `jiff`.

use std::path::PathBuf;

use anyhow::Context;
use kpe::system::limits;

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
    jiff::ZonedDateTime::now().strftime("%Y.%m.%d").to_string()
}

/// A number that is another one at every start.
pub(super) fn arbitrary_number() -> u64 {
    jiff::Timestamp::now().as_microsecond().unsigned_abs()
}

/// Threads to work with: as many as were asked for, as far as the processors have use for them; without a number as many as the
/// machine runs at once.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(limits::processors, |asked| limits::workers(asked.into()))
}

/// A pool of so many [`threads`] for a command.
///
/// # Errors
/// If the system has not so many to give.
pub(super) fn pool(asked: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    let number = threads(asked);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build();
    pool.with_context(|| format!("cannot start {number} threads; ask for fewer with --threads or raise the limit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_workers_than_the_processors_have_use_for() {
        assert_eq!(threads(None), limits::processors());
        assert_eq!(threads(Some(1)), 1);
        assert_eq!(threads(Some(1024)), (4 * limits::processors()).min(1024));
    }
}
