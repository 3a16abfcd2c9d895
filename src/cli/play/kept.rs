//! Games on disk: those saved by name, and those kept when they were left before their end, in `kpe/games` in the user's
//! data directory.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kpe::record::Record;
use kpe::system::files::{self, Claim};

use crate::cli::exit::Refused;
use crate::cli::output::write_file;
use crate::cli::progress::tell;
use crate::cli::system;

use super::files::Saved;

const PREFIX: &str = "unfinished-";
const SUFFIX: &str = ".kpg";
/// What stands before the number in a name, and the digits of that.
const NUMBERED: &str = "n";
const DIGITS: usize = 10;

/// A kept game that this process goes on with, and no other meanwhile. The right ends with the value or the process.
pub(super) struct Kept {
    path: PathBuf,
    /// Locked for as long as it is open.
    _lock: File,
}

impl Kept {
    /// The right to go on with the game of a file; `None` if another process has it or has brought the game to its end.
    fn claim(path: &Path) -> io::Result<Option<Self>> {
        loop {
            // Some file systems lock only what is open for writing.
            let file = match files::open_lock(path, false) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => file?,
            };
            match files::claim(&file)? {
                Claim::Taken => return Ok(None),
                Claim::Held => {}
                Claim::NoLocks => tell(&format!(
                    "The file system of {} has no locks: go on with this game in one place only.",
                    path.display()
                )),
            }
            // Before it was locked another process may have written it anew, under the same name, or removed it.
            if files::is_named(&file, path) {
                return Ok(Some(Self { path: path.to_owned(), _lock: file }));
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The game has come to its end and is kept no more.
    pub(super) fn remove(self) {
        // If it cannot be removed it is there to be resumed, and over: no harm.
        fs::remove_file(&self.path).ok();
    }
}

/// The game that was left last of those nobody goes on with, and how many were left later that somebody does.
pub(super) fn last() -> anyhow::Result<(Option<Kept>, usize)> {
    let mut taken = 0;
    for path in all()?.into_iter().rev() {
        // What is no file, such as a named pipe, might never be read to its end.
        let claimed = match fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            true => Err(io::Error::other("not a file")),
            false => Kept::claim(&path),
        };
        match claimed.map_err(anyhow::Error::from).and_then(|kept| kept.map(is_game).transpose()) {
            Ok(Some(kept)) => return Ok((Some(kept), taken)),
            Ok(None) => taken += usize::from(path.exists()),
            // One that is damaged does not stand in the way of the others.
            Err(error) => tell(&format!("{} is passed over: {error:#}", path.display())),
        }
    }
    Ok((None, taken))
}

/// The same, if there is a game in its file.
fn is_game(kept: Kept) -> anyhow::Result<Kept> {
    Saved::load(kept.path())?;
    Ok(kept)
}

/// Writes a game to a file, whole or not at all; it replaces what was there.
pub(super) fn write(path: &Path, record: &Record) -> anyhow::Result<()> {
    write_file(path, &[], record.to_string().as_bytes())
}

/// Keeps an unfinished game, as the one that was left last: in the file it came from, which gets a new name, else in a new one.
pub(super) fn keep(record: &Record, before: Option<&Kept>) -> anyhow::Result<PathBuf> {
    let directory = directory()?;
    fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    let path = unused(&directory)?;
    // Renamed first, while it is locked. Where that cannot be done it is kept all the same, only not as the last.
    let path = match before {
        Some(kept) if fs::rename(&kept.path, &path).is_err() => kept.path.clone(),
        _ => path,
    };
    write(&path, record)?;
    Ok(path)
}

/// A name for a game that is left now, with a higher number than those before. No clock decides: it may have been wrong.
fn unused(directory: &Path) -> anyhow::Result<PathBuf> {
    let last = all()?.iter().filter_map(|path| number(path.file_name()?.to_str()?)).max().unwrap_or(0);
    let next = (last + 1).min(10u64.pow(DIGITS as u32) - 1);
    let now = format!("{PREFIX}{NUMBERED}{:0DIGITS$}-{}", next, std::process::id());
    let mut paths = (0..).map(|number| directory.join(format!("{now}-{number}{SUFFIX}")));
    Ok(paths.find(|path| path.symlink_metadata().is_err()).expect("numbers do not end"))
}

/// The number in the name of a kept game, higher in those left later. Versions before had the moment there.
fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(PREFIX)?.strip_prefix(NUMBERED)?.get(..DIGITS)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// The games that are kept, the one that was left last at the end.
pub(super) fn all() -> anyhow::Result<Vec<PathBuf>> {
    let directory = directory()?;
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| directory.display().to_string()),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| directory.display().to_string())?;
        let name = entry.file_name();
        if let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            found.push((number(name), name.to_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(.., path)| path).collect())
}

fn directory() -> Result<PathBuf, Refused> {
    let unknown = || Refused::Usage("no home directory to keep games in; set HOME or XDG_DATA_HOME".to_owned());
    system::games_directory().ok_or_else(unknown)
}
