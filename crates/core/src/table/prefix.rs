//! The 32 bytes every table file begins with, in every version of the format.
//!
//! ```text
//!  0  8  magic             89 4B 50 54 0D 0A 1A 0A
//!  8  4  format version
//! 12  4  metadata length   bytes, directly behind the prefix
//! 16  8  file length       bytes, all of it
//! 24  8  checksum          of bytes 0–23 followed by the metadata
//! ```
//!
//! Numbers are little-endian. This layout and its checksum belong to the magic, not to the format version, so that a
//! program of today can tell a sound file of tomorrow from a damaged one.

use super::checksum::checksum_of_two;
use super::error::{Defect, Refusal};

/// Length of the prefix in bytes.
pub const PREFIX_LENGTH: usize = 32;
/// Bytes of the prefix under the checksum: all before it.
const SEALED: usize = 24;
/// The first bytes of a table file. As in PNG they break when a transfer alters line ends or drops bit 7.
const MAGIC: [u8; 8] = *b"\x89KPT\r\n\x1a\n";
/// The format this program writes, and the latest it reads.
pub const FORMAT_VERSION: u32 = 1;
/// The longest metadata this program reads, in bytes.
pub const MAX_METADATA: usize = 1 << 20;

/// The fields of a prefix as they stand in a file, beside what they ought to agree with. Any of them may be wrong.
#[derive(Debug)]
pub struct RawPrefix {
    magic: [u8; 8],
    version: u32,
    metadata_length: u32,
    file_length: u64,
    checksum: u64,
    actual_length: u64,
    actual_checksum: u64,
}

impl RawPrefix {
    /// Reads the prefix from the beginning of a file of `length` bytes, which holds the metadata as well.
    ///
    /// # Errors
    /// If the file is shorter than a prefix.
    pub fn read(beginning: &[u8], length: u64) -> Result<Self, Defect> {
        let short = || Defect::new("length", format!("{length} bytes"), "at least 32 bytes");
        let (prefix, rest) = beginning.split_first_chunk::<PREFIX_LENGTH>().ok_or_else(short)?;
        let metadata_length = u32_at(prefix, 12);
        let metadata = &rest[..rest.len().min(metadata_length as usize)];
        Ok(Self {
            magic: array_at(prefix, 0),
            version: u32_at(prefix, 8),
            metadata_length,
            file_length: u64::from_le_bytes(array_at(prefix, 16)),
            checksum: u64::from_le_bytes(array_at(prefix, 24)),
            actual_length: length,
            actual_checksum: checksum_of_two(&prefix[..SEALED], metadata),
        })
    }
}

/// What the beginning of a file says of the length of its metadata, in bytes; `None` if it is too short to say.
pub fn metadata_length(beginning: &[u8]) -> Option<usize> {
    beginning.first_chunk::<PREFIX_LENGTH>().map(|prefix| u32_at(prefix, 12) as usize)
}

fn array_at<const N: usize>(prefix: &[u8; PREFIX_LENGTH], at: usize) -> [u8; N] {
    std::array::from_fn(|i| prefix[at + i])
}

fn u32_at(prefix: &[u8; PREFIX_LENGTH], at: usize) -> u32 {
    u32::from_le_bytes(array_at(prefix, at))
}

/// A sound prefix: the metadata lies inside the file, is whole and of a format this program reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prefix {
    metadata_length: u32,
}

impl TryFrom<RawPrefix> for Prefix {
    type Error = Refusal;

    fn try_from(raw: RawPrefix) -> Result<Self, Refusal> {
        if raw.magic != MAGIC {
            return Err(Defect::new("beginning", raw.magic.escape_ascii(), MAGIC.escape_ascii()).into());
        }
        if raw.file_length != raw.actual_length {
            let bytes = |n: u64| format!("{n} bytes");
            return Err(Defect::new("length", bytes(raw.actual_length), bytes(raw.file_length)).into());
        }
        let room = raw.actual_length - PREFIX_LENGTH as u64;
        if u64::from(raw.metadata_length) > room {
            return Err(Defect::new("metadata length", raw.metadata_length, format!("at most {room}")).into());
        }
        if raw.metadata_length as usize > MAX_METADATA {
            return Err(Defect::new("metadata length", raw.metadata_length, format!("at most {MAX_METADATA}")).into());
        }
        if raw.checksum != raw.actual_checksum {
            return Err(wrong_checksum("checksum of the metadata", raw.actual_checksum, raw.checksum).into());
        }
        if raw.version == 0 {
            return Err(Defect::new("format version", 0, format!("1 to {FORMAT_VERSION}")).into());
        }
        if raw.version > FORMAT_VERSION {
            let format = |version| format!("format {version}");
            return Err(Refusal::Newer { found: format(raw.version), expected: format(FORMAT_VERSION) });
        }
        Ok(Self { metadata_length: raw.metadata_length })
    }
}

impl Prefix {
    /// Where the metadata ends in the file, in bytes from its beginning.
    pub fn metadata_end(self) -> usize {
        PREFIX_LENGTH + self.metadata_length as usize
    }
}

/// The prefix that seals `metadata` in a file of `file_length` bytes of format `version`.
pub fn prefix_bytes(version: u32, metadata: &[u8], file_length: u64) -> [u8; PREFIX_LENGTH] {
    let mut prefix = [0; PREFIX_LENGTH];
    prefix[..8].copy_from_slice(&MAGIC);
    prefix[8..12].copy_from_slice(&version.to_le_bytes());
    // The writer keeps metadata below MAX_METADATA.
    prefix[12..16].copy_from_slice(&(metadata.len() as u32).to_le_bytes());
    prefix[16..24].copy_from_slice(&file_length.to_le_bytes());
    let checksum = checksum_of_two(&prefix[..SEALED], metadata);
    prefix[24..].copy_from_slice(&checksum.to_le_bytes());
    prefix
}

/// The defect of a part whose checksum differs from the one written down.
pub fn wrong_checksum(what: impl Into<String>, found: u64, expected: u64) -> Defect {
    Defect::new(what, format!("{found:016x}"), format!("{expected:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &[u8]) -> Result<Prefix, Refusal> {
        Prefix::try_from(RawPrefix::read(file, file.len() as u64)?)
    }

    fn file(version: u32) -> Vec<u8> {
        let mut file = prefix_bytes(version, b"meta", 40).to_vec();
        file.extend(b"metatail");
        file
    }

    #[test]
    fn a_prefix_is_read_as_written() {
        let prefix = parse(&file(1)).unwrap();
        assert_eq!(prefix.metadata_end(), 36);
    }

    #[test]
    fn every_change_under_the_seal_is_a_defect() {
        for at in 0..36 {
            for bit in 0..8 {
                let mut bad = file(1);
                bad[at] ^= 1 << bit;
                assert!(matches!(parse(&bad), Err(Refusal::Defect(_))), "byte {at} bit {bit}");
            }
        }
        for length in 0..40 {
            assert!(matches!(parse(&file(1)[..length]), Err(Refusal::Defect(_))));
        }
    }

    #[test]
    fn a_sound_later_format_is_told_from_damage() {
        assert!(matches!(parse(&file(2)), Err(Refusal::Newer { .. })));
        assert!(matches!(parse(&file(0)), Err(Refusal::Defect(_))));
    }
}
