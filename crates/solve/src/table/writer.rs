//! Writes one table file: a layer and its mirror image, packed.
//!
//! Blocks are packed in parallel and written in order, a group at a time, so that the packed file is never in memory as
//! a whole. Each block depends on its entries and the parameters alone: the bytes are the same for any number of threads.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::atomic::AtomicFile;
use crate::index::Layer;
use crate::rules::{Game, Layered};
use crate::value::Entry;
use kpe_core::table::Statistics;
use kpe_core::table::checksum;
use kpe_core::table::codec;
use kpe_core::table::metadata::{MAX_BLOCK_POSITIONS, Metadata, Section, check_pair};
use kpe_core::table::prefix::{FORMAT_VERSION, MAX_METADATA, PREFIX_LENGTH, prefix_bytes};
use kpe_core::table::{Blocks, ROW, row_bytes};
use kpe_core::table::{Defect, TableError};
use kpe_core::table::{file_name, layer_name};

/// Positions in a block of the files this program writes.
pub const BLOCK_POSITIONS: u32 = 1024;
/// Blocks packed before they are written: enough for all threads, little enough to hold.
const GROUP: usize = 1024;

/// A table file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileSummary {
    /// Where it lies.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// Its layers and their counts, in the order of the file.
    pub layers: Vec<(Layer, Statistics)>,
}

/// Writes the file of a layer pair into `directory`: both layers in either order, or the symmetric one alone, each with
/// its entries in the order of their numbers. The file appears under its name when it is whole and on the disk.
///
/// # Errors
/// [`TableError::Unwritable`] if the sections are not a layer pair or of the wrong length, [`TableError::DiskFull`],
/// [`TableError::Io`].
pub fn write_pair(directory: &Path, game: &Game, sections: &[(Layer, &[Entry])]) -> Result<FileSummary, TableError> {
    write_pair_in_blocks(directory, game, sections, BLOCK_POSITIONS)
}

/// [`write_pair`] with another number of positions in a block, for tests of small files with many blocks.
#[doc(hidden)]
pub fn write_pair_in_blocks(
    directory: &Path,
    game: &Game,
    sections: &[(Layer, &[Entry])],
    block_positions: u32,
) -> Result<FileSummary, TableError> {
    pack_pair(directory, game, sections, block_positions)?.seal()
}

/// A file that is packed and written but has not got its name yet; dropped unsealed it vanishes.
pub struct Unsealed {
    file: AtomicFile,
    length: u64,
    layers: Vec<(Layer, Statistics)>,
}

impl Unsealed {
    /// Waits until the file is on the disk and gives it its name.
    ///
    /// # Errors
    /// [`TableError::DiskFull`], [`TableError::Io`].
    pub fn seal(self) -> Result<FileSummary, TableError> {
        let path = self.file.commit()?;
        Ok(FileSummary { path, length: self.length, layers: self.layers })
    }
}

/// Does all of [`write_pair`] but the waiting for the disk.
pub(super) fn pack_pair(
    directory: &Path,
    game: &Game,
    sections: &[(Layer, &[Entry])],
    block_positions: u32,
) -> Result<Unsealed, TableError> {
    let mut sections = sections.to_vec();
    sections.sort_unstable_by_key(|&(layer, _)| layer);
    check_sections(&sections, block_positions)?;
    let rules = game.layered().ok_or_else(|| unwritable("game", game, "one that is solved by layers"))?;
    let metadata = describe(game, rules, &sections, block_positions);
    let file = AtomicFile::create(directory, &file_name(sections[0].0))?;
    let length = write_file(file.file(), rules, metadata.clone(), &sections).map_err(|source| match source {
        WriteError::Io(source) => TableError::io(file.path(), source),
        WriteError::TooLong(what, found) => unwritable(what, found, "less than 4 GiB of blocks, 1 MiB of metadata"),
    })?;
    let layers = metadata.sections.iter().map(|section| (section.layer, section.statistics)).collect();
    Ok(Unsealed { file, length, layers })
}

enum WriteError {
    Io(io::Error),
    TooLong(&'static str, usize),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn unwritable(what: &'static str, found: impl ToString, expected: impl ToString) -> TableError {
    TableError::Unwritable { what, found: found.to_string(), expected: expected.to_string() }
}

fn check_sections(sections: &[(Layer, &[Entry])], block_positions: u32) -> Result<(), TableError> {
    if !(1..=MAX_BLOCK_POSITIONS).contains(&block_positions) {
        return Err(unwritable("positions in a block", block_positions, format!("1 to {MAX_BLOCK_POSITIONS}")));
    }
    let layers: Vec<_> = sections.iter().map(|&(layer, _)| layer).collect();
    check_pair(&layers).map_err(|Defect { found, expected, .. }| unwritable("list of layers", found, expected))?;
    for &(layer, entries) in sections {
        if entries.len() != layer.positions() as usize {
            let expected = format!("{} for {}", layer.positions(), layer_name(layer));
            return Err(unwritable("number of entries", entries.len(), expected));
        }
        let stones = layer.stones();
        let wrong = |entry: &&Entry| {
            let (value, distance) = (entry.value().0, entry.distance().0);
            value.unsigned_abs() > stones || distance > Entry::MAX_DISTANCE || (value == 0 && distance > 0)
        };
        if let Some(entry) = entries.par_iter().find_any(wrong) {
            let expected = format!("value within {stones}, distance within {}, none at 0", Entry::MAX_DISTANCE);
            return Err(unwritable("entry", format!("{entry:?}"), expected));
        }
    }
    Ok(())
}

/// The metadata but for the checksum of the table of blocks.
fn describe(game: &Game, rules: Layered, sections: &[(Layer, &[Entry])], block_positions: u32) -> Metadata {
    let section = |&(layer, entries): &(Layer, &[Entry])| {
        let parameters = codec::train(rules, layer, entries, block_positions as usize);
        Section::new(layer, Statistics::of(entries), parameters)
    };
    Metadata::new(game, block_positions, sections.iter().map(section).collect())
}

/// Writes all of the file and returns its length in bytes.
fn write_file(
    file: &File,
    rules: Layered,
    mut metadata: Metadata,
    sections: &[(Layer, &[Entry])],
) -> Result<u64, WriteError> {
    let metadata_length = metadata.encode().len();
    if metadata_length > MAX_METADATA {
        return Err(WriteError::TooLong("length of the metadata", metadata_length));
    }
    let layers = sections.iter().map(|&(layer, _)| layer);
    let blocks = Blocks::new(layers, metadata.block_positions, PREFIX_LENGTH + metadata_length);
    // The head needs the checksums of the blocks, so it is written last, into the room left for it.
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.seek(SeekFrom::Start(blocks.data() as u64))?;
    let mut table = Vec::with_capacity(blocks.count() * ROW);
    let mut end = 0;
    for (number, &(_, entries)) in sections.iter().enumerate() {
        for packed in pack_groups(rules, &metadata, number, entries) {
            for block in packed {
                out.write_all(&block)?;
                end += block.len();
                let end = u32::try_from(end).map_err(|_| WriteError::TooLong("length of the blocks", end))?;
                table.extend(row_bytes(end, checksum(&block)));
            }
        }
    }
    let length = blocks.data() as u64 + end as u64;
    metadata.table_checksum = checksum(&table);
    let metadata = metadata.encode();
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&prefix_bytes(FORMAT_VERSION, &metadata, length))?;
    out.write_all(&metadata)?;
    out.write_all(&table)?;
    out.flush()?;
    Ok(length)
}

/// The packed blocks of a section in order, a group at a time.
fn pack_groups<'a>(
    rules: Layered,
    metadata: &Metadata,
    section: usize,
    entries: &'a [Entry],
) -> impl Iterator<Item = Vec<Vec<u8>>> + use<'a> {
    let block_positions = metadata.block_positions as usize;
    let Section { layer, codec_parameters, .. } = &metadata.sections[section];
    let codec = codec::Codec::new(rules, *layer, codec_parameters).expect("the codec takes its own parameters");
    entries.chunks(block_positions * GROUP).enumerate().map(move |(group, entries)| {
        let first = group * GROUP;
        let pack = |(at, block)| codec.encode_block(((first + at) * block_positions) as u32, block);
        entries.par_chunks(block_positions).enumerate().map(pack).collect()
    })
}
