//! The file a game was saved to or loaded from, and what stands in the way of writing it anew.

use std::fs;
use std::path::{Path, PathBuf};

use kpe::record::Record;

use super::kept;
use crate::cli::annotate::{bytes, records};
use crate::cli::args::STANDARD_INPUT;
use crate::cli::exit::Refused;

/// A file and what stood in it when this process last wrote or read it.
pub(super) struct Saved {
    path: PathBuf,
    content: Vec<u8>,
    games: usize,
}

impl Saved {
    /// The last game of a file, and the file unless that is standard input.
    pub(super) fn load(path: &Path) -> anyhow::Result<(Record, Option<Self>)> {
        let content = bytes(path)?;
        let mut games = records(path, &content)?;
        let (count, last) = (games.len(), games.pop());
        let last = last.ok_or_else(|| Refused::Usage(format!("no game in {}", path.display())))?;
        let is_file = path.as_os_str() != STANDARD_INPUT;
        Ok((last, is_file.then(|| Self { path: path.to_owned(), content, games: count })))
    }

    /// Writes a game to a file.
    pub(super) fn write(path: PathBuf, record: &Record) -> anyhow::Result<Self> {
        kept::write(&path, record)?;
        Ok(Self { path, content: record.to_string().into_bytes(), games: 1 })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Games there were in it.
    pub(super) const fn games(&self) -> usize {
        self.games
    }

    /// Why one game must not take the place of what is in the file.
    pub(super) fn objection(&self) -> Option<String> {
        if self.games > 1 {
            return Some(format!("{} holds {} games", self.path.display(), self.games));
        }
        match fs::read(&self.path) {
            Ok(found) if found != self.content => Some(format!("{} has been changed meanwhile", self.path.display())),
            // One that is gone, or cannot be read, replaces nothing.
            _ => None,
        }
    }
}
