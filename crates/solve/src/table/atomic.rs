//! Files that are either whole under their name or not there. The only module that imports `tempfile`.
//!
//! A file is written under a temporary name in its own directory, synced, renamed, and then its directory is synced. A
//! process killed on the way leaves at most a temporary name, which the next builder removes.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use kpe_core::table::TableError;

const TEMPORARY_PREFIX: &str = ".kpe-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// A file being written, to appear under its name all at once. Dropped uncommitted it vanishes.
#[derive(Debug)]
pub struct AtomicFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl AtomicFile {
    /// Begins the file that shall be called `name` in `directory`.
    ///
    /// # Errors
    /// [`TableError::Io`], [`TableError::DiskFull`].
    pub fn create(directory: &Path, name: &str) -> Result<Self, TableError> {
        let path = directory.join(name);
        let temporary = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(TEMPORARY_SUFFIX)
            // Like any other new file; the user's umask applies.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(directory)
            .map_err(|source| TableError::io(&path, source))?;
        Ok(Self { temporary, path })
    }

    /// The name the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file to write to.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Gives the file its name, durably; it replaces what had the name before.
    ///
    /// # Errors
    /// As [`AtomicFile::create`].
    pub fn commit(self) -> Result<PathBuf, TableError> {
        let Self { temporary, path } = self;
        temporary.as_file().sync_all().map_err(|source| TableError::io(&path, source))?;
        temporary.persist(&path).map_err(|error| TableError::io(&path, error.error))?;
        sync_directory(path.parent().unwrap_or(Path::new(".")))?;
        Ok(path)
    }
}

/// Makes the names in `directory` durable.
pub(super) fn sync_directory(directory: &Path) -> Result<(), TableError> {
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(|source| TableError::io(directory, source))
}

/// Whether a file of this name was left behind by a writer that was killed.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}
