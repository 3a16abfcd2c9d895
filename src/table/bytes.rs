//! The bytes of a table file: on disk, or already in memory.
//!
//! Files are read at positions and not mapped: touching a page beyond the end of a mapped file that somebody cut kills the
//! process, and a block that was found sound could be another one when it is read again. What is read here is a copy.
//!
//! A file may be closed between two readings to make room for others. When it is opened again it must be the file it was.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::checksum::checksum;
use super::handles::{Handle, Handles};

/// All bytes of a table file.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Embedded in the program, or made by a test.
    Memory(Cow<'static, [u8]>),
    /// In a file.
    File(Stored),
}

/// The bytes of a file.
#[derive(Debug)]
pub(super) struct Stored {
    path: PathBuf,
    handle: Handle,
    /// How many they were when it was first opened.
    length: u64,
    /// How many of them tell the file from every other, and their checksum.
    head: OnceLock<(usize, u64)>,
}

impl Bytes {
    /// Those of the file at `path`.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::open_among(path, Handles::of_process())
    }

    fn open_among(path: &Path, handles: &'static Handles) -> io::Result<Self> {
        let handle = Handle::new(handles);
        let length = handle.get(path, |_| Ok(()))?.metadata()?.len();
        Ok(Self::File(Stored { path: path.to_owned(), handle, length, head: OnceLock::new() }))
    }

    /// Tells that these bytes, with which the file begins, are different in every file with other content.
    pub(super) fn recognise(&self, beginning: &[u8]) {
        if let Self::File(stored) = self {
            stored.head.get_or_init(|| (beginning.len(), checksum(beginning)));
        }
    }

    /// How many there are, or were when the file was opened.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(stored) => stored.length,
        }
    }

    /// The bytes of a range, as they are now.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before; [`io::ErrorKind::InvalidData`] if it had to be opened again and is
    /// another one; what the system says.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
        if range.start > range.end || range.end > self.length() {
            return Err(ended());
        }
        match self {
            // The range lies inside the slice.
            Self::Memory(bytes) => Ok(Cow::Borrowed(&bytes[range.start as usize..range.end as usize])),
            Self::File(stored) => {
                let file = stored.handle.get(&stored.path, |file| stored.check(file))?;
                let mut bytes = vec![0; (range.end - range.start) as usize];
                file.read_exact_at(&mut bytes, range.start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

impl Stored {
    /// Whether a file that has been opened again is the one it was.
    fn check(&self, file: &File) -> io::Result<()> {
        let (bytes, expected) = self.head.get().copied().unwrap_or((0, checksum(&[])));
        let mut head = vec![0; bytes];
        file.read_exact_at(&mut head, 0)?;
        if file.metadata()?.len() == self.length && checksum(&head) == expected {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "another file than when it was first opened"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that was closed and became another one gives an error, never the bytes of the other.
    #[test]
    fn a_file_opened_again_must_be_the_one_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let handles: &'static Handles = Box::leak(Box::new(Handles::new(1)));
        std::fs::write(path("other"), "something else").unwrap();
        for (text, failed) in [
            ("head and body", None),
            ("HEAD and body", Some(io::ErrorKind::InvalidData)),
            ("head and a body", Some(io::ErrorKind::InvalidData)),
            ("hea", Some(io::ErrorKind::UnexpectedEof)),
        ] {
            std::fs::write(path("table"), "head and body").unwrap();
            let bytes = Bytes::open_among(&path("table"), handles).unwrap();
            bytes.recognise(b"head");
            // There is room for one.
            Bytes::open_among(&path("other"), handles).unwrap().read(0..3).unwrap();
            std::fs::write(path("new"), text).unwrap();
            std::fs::rename(path("new"), path("table")).unwrap();
            let read = bytes.read(5..8);
            assert_eq!(read.as_ref().err().map(io::Error::kind), failed, "{text}");
            assert!(read.is_err() || *read.unwrap() == b"and"[..]);
        }
        std::fs::write(path("table"), "head and body").unwrap();
        let bytes = Bytes::open_among(&path("table"), handles).unwrap();
        Bytes::open_among(&path("other"), handles).unwrap();
        std::fs::remove_file(path("table")).unwrap();
        assert_eq!(bytes.read(0..1).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
