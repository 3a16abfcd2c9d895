//! What can go wrong with table files, each with what was found, what was expected and what to do.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a table could not be written, opened or read.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// No file holds what was asked for.
    #[error("no table for {what} in {place}; build it with `kpe tables build`")]
    Missing {
        /// The layer or file looked for.
        what: String,
        /// Where it was looked for.
        place: String,
    },
    /// The tables are of another game or of other rule options.
    #[error("{file}: tables of other rules: found {found}, expected {expected}; build a set for these rules or name another directory", file = file.display())]
    OtherRules {
        /// The file or directory looked at.
        file: PathBuf,
        /// Game and options found.
        found: String,
        /// Game and options asked for.
        expected: String,
    },
    /// The bytes are not what was written.
    #[error("{file}: damaged table: {what} is {found}, expected {expected}; remove the file and build it again", file = file.display())]
    Damaged {
        /// The damaged file.
        file: PathBuf,
        /// The field or part that is wrong.
        what: String,
        /// What stands there.
        found: String,
        /// What ought to stand there.
        expected: String,
    },
    /// The file is sound but was written by a later version of this program.
    #[error("{file}: made by a newer program: found {found}, this one reads {expected}; update kpe or build the tables again", file = file.display())]
    NewerFormat {
        /// The file looked at.
        file: PathBuf,
        /// The format or codec found.
        found: String,
        /// What this program knows.
        expected: String,
    },
    /// The operating system refused to read or write.
    #[error("{path}: {source}; check the path, its permissions and the device", path = path.display())]
    Io {
        /// The file or directory in hand.
        path: PathBuf,
        /// The reason given.
        source: Arc<io::Error>,
    },
    /// The disk has no room for the tables.
    #[error("{path}: disk full: {found}, expected {expected}; free some space or name another directory with --tables, then build again: what is finished stays", path = path.display())]
    DiskFull {
        /// The file or directory in hand.
        path: PathBuf,
        /// The room there is.
        found: String,
        /// The room needed.
        expected: String,
    },
    /// Another builder works in the directory.
    #[error("{directory}: in use by another build ({found}), expected to be alone; wait for it or stop it", directory = directory.display())]
    Locked {
        /// The directory of the set.
        directory: PathBuf,
        /// Who holds it, as far as known.
        found: String,
    },
    /// An unpacked layer does not fit in memory.
    #[error(
        "no memory for a layer: {bytes} bytes were refused, expected to get them; close other programs or raise the limit"
    )]
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
    },
    /// What was handed to the writer is not a layer pair.
    #[error("not a layer pair: {what} is {found}, expected {expected}; this is a mistake in the calling program")]
    Unwritable {
        /// The part that is wrong.
        what: &'static str,
        /// What was handed over.
        found: String,
        /// What the format asks for.
        expected: String,
    },
}

impl TableError {
    /// The error for a failed system call on `path`: a full disk is told from the rest.
    pub fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            // A limit of the size of files is a disk that is full for this process.
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Self::DiskFull {
                path: path.to_owned(),
                found: source.to_string(),
                expected: "room for the file being written".to_owned(),
            },
            _ => Self::Io { path: path.to_owned(), source: source.into() },
        }
    }

    /// `defect` in the file at `path`.
    pub fn damaged(path: &Path, defect: Defect) -> Self {
        let Defect { what, found, expected } = defect;
        Self::Damaged { file: path.to_owned(), what, found, expected }
    }
}

/// One wrong thing in a file's bytes, before the file's name is known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Defect {
    /// The field or part that is wrong.
    pub what: String,
    /// What stands there.
    pub found: String,
    /// What ought to stand there.
    pub expected: String,
}

impl Defect {
    /// The defect `what`, with what stands there and what ought to.
    pub fn new(what: impl Into<String>, found: impl ToString, expected: impl ToString) -> Self {
        Self { what: what.into(), found: found.to_string(), expected: expected.to_string() }
    }
}

/// Why bytes are not a table file this program reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Something in them is wrong.
    Defect(Defect),
    /// They are sound, but of a later format or codec.
    Newer {
        /// The format or codec found.
        found: String,
        /// What this program knows.
        expected: String,
    },
}

impl From<Defect> for Refusal {
    fn from(defect: Defect) -> Self {
        Self::Defect(defect)
    }
}

impl Refusal {
    /// The error once the file is known.
    pub fn in_file(self, path: &Path) -> TableError {
        match self {
            Self::Defect(defect) => TableError::damaged(path, defect),
            Self::Newer { found, expected } => TableError::NewerFormat { file: path.to_owned(), found, expected },
        }
    }
}
