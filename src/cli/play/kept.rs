//! Games on disk: those saved by name, and those kept when they were left before their end, in `kpe/games` in the user's
//! data directory. The one module of the command line that imports `rustix`, for locks.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kpe::record::Record;
use kpe::table::AtomicFile;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::cli::exit::Refused;
use crate::cli::progress::tell;
use crate::cli::system;

use super::files::Saved;

const PREFIX: &str = "unfinished-";
const SUFFIX: &str = ".kpg";

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
            let file = match File::open(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => file?,
            };
            // Where the file system knows no locks, one can only hope.
            if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
                return Ok(None);
            }
            // Before it was locked another process may have written it anew, under the same name, or removed it.
            let (locked, named) = (file.metadata()?, fs::metadata(path).ok());
            if named.is_some_and(|named| (named.dev(), named.ino()) == (locked.dev(), locked.ino())) {
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
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Refused::Usage(format!("{} is no name of a file", path.display())))?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = AtomicFile::create(directory, name)?;
    file.file().write_all(record.to_string().as_bytes()).with_context(|| path.display().to_string())?;
    file.commit()?;
    Ok(())
}

/// Keeps an unfinished game: in the file it came from, else in a new one.
pub(super) fn keep(record: &Record, before: Option<&Kept>) -> anyhow::Result<PathBuf> {
    let path = match before {
        Some(kept) => kept.path.clone(),
        None => {
            let directory = directory()?;
            fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
            unused(&directory)
        }
    };
    write(&path, record)?;
    Ok(path)
}

/// A name for a game that is left now. More than one may be left in a millisecond.
fn unused(directory: &Path) -> PathBuf {
    let now = format!("{PREFIX}{}-{}", system::moment(), std::process::id());
    let mut paths = (0..).map(|number| directory.join(format!("{now}-{number}{SUFFIX}")));
    paths.find(|path| !path.exists()).expect("numbers do not end")
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
        if name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            // A game that is left again keeps its name, so the time of writing decides.
            let written = entry.metadata().and_then(|data| data.modified()).ok();
            found.push((written, entry.path()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn directory() -> Result<PathBuf, Refused> {
    let unknown = || Refused::Usage("no home directory to keep games in; set HOME or XDG_DATA_HOME".to_owned());
    system::games_directory().ok_or_else(unknown)
}
