//! The bytes of a table file: on disk, or already in memory.
//!
//! Files are read at positions and not mapped: touching a page beyond the end of a mapped file that somebody cut kills the
//! process, and a block that was found sound could be another one when it is read again. What is read here is a copy.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// All bytes of a table file.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Embedded in the program, or made by a test.
    Memory(Cow<'static, [u8]>),
    /// In a file, and how many they were when it was opened.
    File { file: File, length: u64 },
}

impl Bytes {
    /// Those of the file at `path`.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // Asked by name first: opening a named pipe would wait for a writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self::File { file, length })
    }

    /// How many there are, or were when the file was opened.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File { length, .. } => *length,
        }
    }

    /// The bytes of a range, as they are now.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before; what the system says.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
        if range.start > range.end || range.end > self.length() {
            return Err(ended());
        }
        match self {
            // The range lies inside the slice.
            Self::Memory(bytes) => Ok(Cow::Borrowed(&bytes[range.start as usize..range.end as usize])),
            Self::File { file, .. } => {
                let mut bytes = vec![0; (range.end - range.start) as usize];
                read_exact_at(file, &mut bytes, range.start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

/// Fills `bytes` from so far into the file, whatever other threads read.
#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Fills `bytes` from so far into the file, whatever other threads read.
#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, at) = (&mut bytes[read..], at + read as u64),
        }
    }
    Ok(())
}

/// There are no files here.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
