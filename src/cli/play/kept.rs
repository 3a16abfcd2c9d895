//! Games on disk: those saved by name, and those kept when they were left before their end, in `kpe/games` in the user's
//! data directory.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use kpe::record::Record;
use kpe::table::AtomicFile;

use crate::cli::exit::Refused;
use crate::cli::system;

const PREFIX: &str = "unfinished-";
const SUFFIX: &str = ".kpg";

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
pub(super) fn keep(record: &Record, before: Option<&Path>) -> anyhow::Result<PathBuf> {
    let path = match before {
        Some(path) => path.to_owned(),
        None => {
            let directory = directory()?;
            fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
            directory.join(format!("{PREFIX}{}-{}{SUFFIX}", system::moment(), std::process::id()))
        }
    };
    write(&path, record)?;
    Ok(path)
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
