//! The directory of one set while it is built: one builder at a time, whole files only. The only module that imports
//! `rustix` for files.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock, statvfs};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::atomic::{is_leftover, sync_directory};
use super::manifest::{Manifest, write_lists};
use super::writer::{BLOCK_POSITIONS, FileSummary, Unsealed, pack_pair, write_pair};
use crate::index::Layer;
use crate::rules::Game;
use crate::value::Entry;
use kpe_core::table::{TableError, TableFile, directory_name, entries, file_name, layer_name};

/// The file whose lock a builder holds. It stays when the builder is gone; the lock does not.
const LOCK: &str = ".lock";
/// What the number of the holder's process follows in the lock file.
const HOLDER: &str = "process ";
/// How often and after which pauses a builder that is kept out looks for that number.
const HOLDER_LOOKS: usize = 20;
const HOLDER_PAUSE: Duration = Duration::from_millis(10);

/// The right to write tables of one game into one directory.
///
/// The right ends when the builder is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct TableBuilder {
    directory: PathBuf,
    game: Game,
    /// Open for as long as the lock is held.
    _lock: File,
}

impl TableBuilder {
    /// Begins or resumes the set for `game` below `root`: makes its directory, locks it and removes what a killed builder
    /// left half-written.
    ///
    /// # Errors
    /// [`TableError::Locked`] if another builder works there, [`TableError::OtherRules`] if the directory was filled for
    /// other rules, [`TableError::Io`], [`TableError::DiskFull`].
    pub fn start(root: &Path, game: &Game) -> Result<Self, TableError> {
        let directory = root.join(directory_name(game));
        std::fs::create_dir_all(&directory).map_err(|source| TableError::io(&directory, source))?;
        sync_directory(root)?;
        let lock = lock(&directory)?;
        if let Some(manifest) = Manifest::read(&directory)? {
            manifest.check_rules(&directory, game)?;
        }
        for name in entries(&directory)?.iter().filter(|name| is_leftover(name)) {
            let path = directory.join(name);
            std::fs::remove_file(&path).map_err(|source| TableError::io(&path, source))?;
        }
        Ok(Self { directory, game: *game, _lock: lock })
    }

    /// The directory of the set.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of `layer` and its mirror image, opened, if it has been written already.
    ///
    /// # Errors
    /// [`TableError::Damaged`], [`TableError::NewerFormat`] or [`TableError::OtherRules`] if what lies under its name is
    /// not it, [`TableError::Io`].
    pub fn finished(&self, layer: Layer) -> Result<Option<TableFile>, TableError> {
        let file = match TableFile::open(self.directory.join(file_name(layer))) {
            Ok(file) => file,
            Err(TableError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        file.check_rules(&self.game)?;
        file.check_layer(layer)?;
        Ok(Some(file))
    }

    /// The file of `layer` and its mirror image, which must have been written already.
    ///
    /// # Errors
    /// [`TableError::Missing`] and those of [`TableBuilder::finished`].
    pub fn require(&self, layer: Layer) -> Result<TableFile, TableError> {
        let missing = || TableError::Missing { what: layer_name(layer), place: self.directory.display().to_string() };
        self.finished(layer)?.ok_or_else(missing)
    }

    /// Writes the file of a layer pair; see [`write_pair`].
    ///
    /// # Errors
    /// Those of [`write_pair`].
    pub fn write_pair(&self, sections: &[(Layer, &[Entry])]) -> Result<FileSummary, TableError> {
        write_pair(&self.directory, &self.game, sections)
    }

    /// Packs and writes the file of a layer pair but leaves it without its name until [`Unsealed::seal`].
    ///
    /// # Errors
    /// Those of [`write_pair`].
    pub fn pack_pair(&self, sections: &[(Layer, &[Entry])]) -> Result<Unsealed, TableError> {
        pack_pair(&self.directory, &self.game, sections, BLOCK_POSITIONS)
    }

    /// Writes the manifest and `SHA256SUMS` for all table files in the directory.
    ///
    /// # Errors
    /// Those of [`TableFile::open`] if a file is not sound, [`TableError::OtherRules`], [`TableError::DiskFull`].
    pub fn finish(&self) -> Result<Manifest, TableError> {
        write_lists(&self.directory, &self.game)
    }

    /// Refuses to go on when the disk has less than `bytes` free.
    ///
    /// # Errors
    /// [`TableError::DiskFull`], [`TableError::Io`].
    pub fn require_space(&self, bytes: u64) -> Result<(), TableError> {
        require_space(&self.directory, bytes)
    }
}

/// Opens the lock file of `directory` and locks it.
fn lock(directory: &Path) -> Result<File, TableError> {
    let path = directory.join(LOCK);
    let failed = |source| TableError::io(&path, source);
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => {
            let found = holder(&file).unwrap_or_else(|| "it does not say which process it is".to_owned());
            return Err(TableError::Locked { directory: directory.to_owned(), found });
        }
        Err(error) => return Err(failed(error.into())),
    }
    let holder = format!("{HOLDER}{}\n", std::process::id());
    file.set_len(0).and_then(|()| file.write_all_at(holder.as_bytes(), 0)).map_err(failed)?;
    Ok(file)
}

/// What the holder of the lock calls itself; it only helps the reader of a message.
///
/// Between taking the lock and writing its number a builder needs a moment, in which the file is empty or names the
/// builder before it.
fn holder(lock: &File) -> Option<String> {
    for _ in 0..HOLDER_LOOKS {
        let mut bytes = [0; 64];
        let length = lock.read_at(&mut bytes, 0).ok()?;
        let text = str::from_utf8(&bytes[..length]).ok()?.trim();
        let number = text.strip_prefix(HOLDER).and_then(|number| Pid::from_raw(number.parse().ok()?));
        // A process that may not be asked is there too.
        if number.is_some_and(|number| test_kill_process(number) != Err(Errno::SRCH)) {
            return Some(text.to_owned());
        }
        std::thread::sleep(HOLDER_PAUSE);
    }
    None
}

/// Bytes that a user without privileges can still write to the disk of `path`, which must exist.
///
/// # Errors
/// [`TableError::Io`].
pub fn free_bytes(path: &Path) -> Result<u64, TableError> {
    let status = statvfs(path).map_err(|error| TableError::io(path, error.into()))?;
    Ok(status.f_bavail.saturating_mul(status.f_frsize))
}

/// Refuses to go on when the disk of `path`, which must exist, has less than `bytes` free.
///
/// # Errors
/// [`TableError::DiskFull`], [`TableError::Io`].
pub fn require_space(path: &Path, bytes: u64) -> Result<(), TableError> {
    let free = free_bytes(path)?;
    if free >= bytes {
        return Ok(());
    }
    let (found, expected) = (format!("{free} bytes free"), format!("{bytes} bytes"));
    Err(TableError::DiskFull { path: path.to_owned(), found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Origin;
    use crate::rules::kpe::Kpe;

    fn game() -> Game {
        Game::Kpe(Kpe::default())
    }

    #[test]
    fn a_second_builder_is_kept_out_until_the_first_is_gone() {
        let root = tempfile::tempdir().unwrap();
        let first = TableBuilder::start(root.path(), &game()).unwrap();
        let error = TableBuilder::start(root.path(), &game()).unwrap_err();
        assert!(matches!(error, TableError::Locked { .. }));
        assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
        // Other rules have a directory of their own.
        let other = Game::Kpe(Kpe { origin: Origin::Sow, ..Kpe::default() });
        TableBuilder::start(root.path(), &other).unwrap();
        drop(first);
        TableBuilder::start(root.path(), &game()).unwrap();
    }

    #[test]
    fn leftovers_are_removed_and_other_files_are_not() {
        let root = tempfile::tempdir().unwrap();
        let directory = TableBuilder::start(root.path(), &game()).unwrap().directory().to_owned();
        for name in [".kpe-abc123.tmp", "notes.txt", "n02.kpt.old"] {
            std::fs::write(directory.join(name), "x").unwrap();
        }
        TableBuilder::start(root.path(), &game()).unwrap();
        assert_eq!(entries(&directory).unwrap(), [".lock", "n02.kpt.old", "notes.txt"]);
    }

    #[test]
    fn free_space_is_asked_for() {
        let root = tempfile::tempdir().unwrap();
        assert!(free_bytes(root.path()).unwrap() > 0);
        require_space(root.path(), 1).unwrap();
        assert!(matches!(require_space(root.path(), u64::MAX), Err(TableError::DiskFull { .. })));
    }
}
