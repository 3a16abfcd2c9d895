//! The bytes of a table file: mapped into memory, or already there.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::memory::FileMap;

/// All bytes of a table file.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Embedded in the program, or made by a test.
    Memory(Cow<'static, [u8]>),
    /// Mapped from a file, which is kept open so that its length can be asked again.
    Mapped { map: FileMap, file: File },
}

impl Bytes {
    /// Maps the file at `path`.
    pub(super) fn map(path: &Path) -> io::Result<Self> {
        // Asked by name first: opening a named pipe would wait for a writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        let map = FileMap::new(&file)?;
        Ok(Self::Mapped { map, file })
    }

    /// The bytes.
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::Mapped { map, .. } => map,
        }
    }

    /// The length of the file now, which is another than that of the bytes if somebody cut the file after it was mapped.
    ///
    /// Touching a page beyond the end of a cut file kills the process, so a reader asks before it touches a block it
    /// has not unpacked yet.
    pub(super) fn length_now(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::Mapped { file, .. } => Ok(file.metadata()?.len()),
        }
    }
}
