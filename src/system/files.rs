//! Files that a user names and locks on them.
//!
//! A file is written under a fresh name in its own directory, synced, renamed, and then its directory is synced: it is whole
//! under its name or what was there before is still there. The fresh name is one that nobody else can have: it is made, never
//! found. A process killed on the way leaves at most such a name, hidden. The only module that imports `tempfile`.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use tempfile::NamedTempFile;

/// How the fresh names of files that a user names begin and end.
const PREFIX: &str = ".kpe-";
const SUFFIX: &str = ".new";

/// A file being written, to appear under its name all at once. Dropped uncommitted it vanishes.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// Begins the file that shall be called `path`; its name until then ends with `suffix`.
    ///
    /// # Errors
    /// If the directory lets nobody make a file in it.
    pub fn create(path: &Path, suffix: &str) -> io::Result<Self> {
        let temporary = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(suffix)
            // Like any other new file: the user's umask applies. An error is the system's own, without the fresh name, which would
            // only puzzle the reader of a message.
            .make_in(directory_of(path), |fresh| File::options().read(true).write(true).create_new(true).open(fresh))?;
        Ok(Self { temporary, path: path.to_owned() })
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
    /// If the system refuses to sync or to rename it.
    pub fn commit(self) -> io::Result<PathBuf> {
        let Self { temporary, path } = self;
        temporary.as_file().sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        sync_directory(directory_of(&path))?;
        Ok(path)
    }
}

/// Where a command writes what it was asked to write to a file: a new file, or what is no regular file and is written to as
/// it is, such as a pipe.
///
/// A link is written through: the file it leads to is replaced and the link stays. One that leads nowhere is refused.
#[derive(Debug)]
pub enum Target {
    /// A file that appears when it is whole.
    New(NewFile),
    /// A device, a pipe, or the file that standard output goes to.
    Direct(File),
}

impl Target {
    /// Begins to write to what is called `path`, which is none of `inputs`.
    ///
    /// # Errors
    /// If it is an input or a directory, must not be written, or its directory lets nobody make a file in it.
    pub fn create(path: &Path, inputs: &[&Path]) -> io::Result<Self> {
        let found = match std::fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if path.symlink_metadata().is_ok() {
                    return Err(io::Error::new(error.kind(), "a link to nothing, expected a file; remove the link"));
                }
                return NewFile::create(path, SUFFIX).map(Self::New);
            }
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory, expected the name of a file"));
        }
        let identity = (found.dev(), found.ino());
        let same = |other: &&Path| std::fs::metadata(other).is_ok_and(|other| (other.dev(), other.ino()) == identity);
        if found.is_file() && inputs.iter().any(same) {
            let what = "an input of this command, which would be lost; name another file to write to";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        // The shell has opened this one, and others may write to it too: it is not ours to replace.
        if let Some(output) = standard_output(identity)? {
            return Ok(Self::Direct(output));
        }
        // What must not be written is not replaced either, although its directory would allow it.
        let open = File::options().write(true).open(path)?;
        if !found.is_file() {
            return Ok(Self::Direct(open));
        }
        let new = NewFile::create(&std::fs::canonicalize(path)?, SUFFIX)?;
        new.file().set_permissions(found.permissions())?;
        Ok(Self::New(new))
    }

    /// Ends the file: from now on it has its name.
    ///
    /// # Errors
    /// As [`NewFile::commit`].
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::New(new) => new.commit().map(drop),
            Self::Direct(mut file) => file.flush(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::New(new) => new.file().write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a whole file; see [`Target`].
///
/// # Errors
/// As [`Target::create`], or if the disk is full.
pub fn write(path: &Path, inputs: &[&Path], bytes: &[u8]) -> io::Result<()> {
    let mut target = Target::create(path, inputs)?;
    target.write_all(bytes)?;
    target.finish()
}

/// Standard output, if it is the file of this device and number.
fn standard_output(identity: (u64, u64)) -> io::Result<Option<File>> {
    let Ok(output) = io::stdout().as_fd().try_clone_to_owned() else { return Ok(None) };
    let output = File::from(output);
    let found = output.metadata()?;
    Ok(((found.dev(), found.ino()) == identity && found.is_file()).then_some(output))
}

/// The directory a file lies in.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in `directory` durable, where the system can do that.
///
/// # Errors
/// If the disk fails.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    settled(File::open(directory).and_then(|directory| directory.sync_all()))
}

/// Whether the names are as durable as they can be: systems that cannot sync a directory say so in many ways, and the file is there.
fn settled(synced: io::Result<()>) -> io::Result<()> {
    const CANNOT: [Errno; 6] =
        [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS, Errno::BADF, Errno::ACCESS];
    synced.or_else(|error| if is_one_of(&error, &CANNOT) { Ok(()) } else { Err(error) })
}

fn is_one_of(error: &io::Error, list: &[Errno]) -> bool {
    Errno::from_io_error(error).is_some_and(|error| list.contains(&error))
}

/// What asking for a lock came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is held until the file is closed or the process ends.
    Held,
    /// Another process has it.
    Taken,
    /// The file system has no locks: nobody can be kept out.
    NoLocks,
}

/// Asks for the lock of a file for one process alone; the file must be open for writing.
///
/// # Errors
/// If the system refuses for a reason of its own.
pub fn claim(file: &File) -> io::Result<Claim> {
    loop {
        let error = match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Claim::Held),
            Err(Errno::INTR) => continue,
            Err(error) => error,
        };
        return claimed(error);
    }
}

/// What a refused lock means.
fn claimed(error: Errno) -> io::Result<Claim> {
    match error {
        Errno::WOULDBLOCK => Ok(Claim::Taken),
        Errno::NOLCK | Errno::NOSYS | Errno::NOTSUP | Errno::INVAL | Errno::BADF => Ok(Claim::NoLocks),
        error => Err(error.into()),
    }
}

/// Opens the file `path` to be locked, made if need be, never emptied. No link is followed, and what is no regular file is refused.
///
/// # Errors
/// If it is a link or no regular file, or the system refuses to open it for writing.
pub fn open_lock(path: &Path, create: bool) -> io::Result<File> {
    // A pipe without a reader would be waited for.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let mut options = File::options();
    options.read(true).write(true).create(create).truncate(false).custom_flags(flags);
    let file = options.open(path).map_err(|error| match is_one_of(&error, &[Errno::LOOP]) {
        true => io::Error::new(io::ErrorKind::InvalidInput, "a link, expected a file of its own; remove the link"),
        false => error,
    })?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file; remove it"));
    }
    Ok(file)
}

/// Whether `path` is still the name of the open file.
#[must_use]
pub fn is_named(file: &File, path: &Path) -> bool {
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    let (open, named) = (file.metadata().map(identity).ok(), path.symlink_metadata().map(identity).ok());
    open.is_some() && open == named
}

/// Reads from the beginning of a file, whatever was read before.
///
/// # Errors
/// If the system does not let it be read.
pub fn read_head(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    file.read_at(bytes, 0)
}

/// Writes over the beginning of a file; the rest stays.
///
/// # Errors
/// If the system does not let it be written.
pub fn write_head(file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn systems_without_locks_are_told_from_other_holders() {
        for error in [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP, Errno::INVAL, Errno::BADF] {
            assert_eq!(claimed(error).unwrap(), Claim::NoLocks, "{error}");
            assert!(error == Errno::NOLCK || settled(Err(error.into())).is_ok(), "{error}");
        }
        assert_eq!(claimed(Errno::WOULDBLOCK).unwrap(), Claim::Taken);
        assert!(claimed(Errno::IO).is_err() && settled(Err(Errno::IO.into())).is_err());
        assert!(settled(Err(Errno::NOSPC.into())).is_err());
    }

    #[test]
    fn a_lock_is_no_link_and_is_never_emptied() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::write(at("victim"), "precious").unwrap();
        symlink("victim", at("link")).unwrap();
        assert!(open_lock(&at("link"), true).unwrap_err().to_string().contains("a link"));
        assert!(open_lock(place.path(), true).is_err());
        let first = open_lock(&at("victim"), true).unwrap();
        assert_eq!(claim(&first).unwrap(), Claim::Held);
        assert_eq!(claim(&open_lock(&at("victim"), true).unwrap()).unwrap(), Claim::Taken);
        assert_eq!(std::fs::read_to_string(at("victim")).unwrap(), "precious");
        assert!(is_named(&first, &at("victim")) && !is_named(&first, &at("link")));
    }

    #[test]
    fn what_is_named_is_replaced_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        write(&at("new"), &[], b"one").unwrap();
        // Dropped on the way, nothing has happened.
        let mut target = Target::create(&at("new"), &[]).unwrap();
        target.write_all(b"two").unwrap();
        drop(target);
        assert_eq!(std::fs::read(at("new")).unwrap(), b"one");
        // Through a link, with the permissions there were.
        std::fs::set_permissions(at("new"), Permissions::from_mode(0o640)).unwrap();
        symlink("new", at("link")).unwrap();
        write(&at("link"), &[], b"three").unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(std::fs::read(at("new")).unwrap(), b"three");
        assert_eq!(at("new").metadata().unwrap().permissions().mode() & 0o777, 0o640);
        // Never an input, whatever it is called; never a directory; never through a link to nowhere.
        for (path, told) in [("new", "an input"), ("link", "an input")] {
            let error = write(&at(path), &[&at("link")], b"x").unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(write(place.path(), &[], b"x").unwrap_err().to_string().contains("a directory"));
        symlink("nowhere", at("dangling")).unwrap();
        assert!(write(&at("dangling"), &[], b"x").unwrap_err().to_string().contains("a link to nothing"));
        write(Path::new("/dev/null"), &[], b"x").unwrap();
        let mut names: Vec<_> = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["dangling", "link", "new"]);
    }
}
