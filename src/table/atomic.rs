//! Table files and their lists, written through the door for all files with the errors of tables.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::error::TableError;
use crate::system::files::{self, NewFile};

const TEMPORARY_PREFIX: &str = ".kpe-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// A file being written, to appear under its name all at once. Dropped uncommitted it vanishes.
#[derive(Debug)]
pub struct AtomicFile(NewFile);

impl AtomicFile {
    /// Begins the file that shall be called `name` in `directory`.
    ///
    /// # Errors
    /// [`TableError::Io`], [`TableError::DiskFull`].
    pub fn create(directory: &Path, name: &str) -> Result<Self, TableError> {
        let path = directory.join(name);
        NewFile::create(&path, TEMPORARY_SUFFIX).map(Self).map_err(|source| TableError::io(&path, source))
    }

    /// The name the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The file to write to.
    #[must_use]
    pub fn file(&self) -> &File {
        self.0.file()
    }

    /// Gives the file its name, durably; it replaces what had the name before.
    ///
    /// # Errors
    /// As [`AtomicFile::create`].
    pub fn commit(self) -> Result<PathBuf, TableError> {
        let path = self.path().to_owned();
        self.0.commit().map_err(|source| TableError::io(&path, source))
    }
}

/// Makes the names in `directory` durable.
pub(super) fn sync_directory(directory: &Path) -> Result<(), TableError> {
    files::sync_directory(directory).map_err(|source| TableError::io(directory, source))
}

/// Whether a file of this name was left behind by a writer that was killed.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}
