//! The log of a match: one JSON document a line, written as each game ends.
//!
//! A log holds one match. A file that already holds something is refused and left as it is: it may not be a log at all, and a
//! line that was cut when an earlier match was ended would spoil the first one of this match. Losing the log does
//! not lose the match: what went wrong is told at once, the match goes on without, and ends with the status of a failure.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use super::exit::Refused;
use super::progress::tell;

/// Where the games of a match are written.
pub(super) struct Log {
    path: PathBuf,
    file: Option<File>,
    /// Why it is not written any more.
    failure: Option<io::Error>,
}

impl Log {
    /// A new file, an empty one, or a pipe or device.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => existing(path)?,
            opened => opened.map_err(|error| anyhow::Error::new(error).context(path.display().to_string()))?,
        };
        Ok(Self { path: path.to_owned(), file: Some(file), failure: None })
    }

    /// Writes a document as one line, if nothing went wrong so far.
    pub(super) fn write(&mut self, document: &impl Serialize) {
        let Some(file) = &mut self.file else { return };
        let written = serde_json::to_vec(document).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            file.write_all(&line)
        });
        if let Err(error) = written {
            tell(&format!("{}: {error}; the match goes on without its log", self.path.display()));
            self.file = None;
            self.failure = Some(error);
        }
    }

    /// Whether all was written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.failure {
            None => Ok(()),
            Some(error) => {
                let what = format!("{}: the log of the match is not complete", self.path.display());
                Err(anyhow::Error::new(error).context(what))
            }
        }
    }
}

/// Opens what is there, unless that would add to what somebody wrote.
fn existing(path: &Path) -> anyhow::Result<File> {
    let named = |error: io::Error| anyhow!(error).context(path.display().to_string());
    let what = path.metadata().map_err(named)?;
    if what.is_file() && what.len() > 0 {
        let name = path.display();
        return Err(Refused::Usage(format!(
            "{name} is already there and not empty; a log holds one match, name a new file"
        ))
        .into());
    }
    OpenOptions::new().append(true).open(path).map_err(named)
}
