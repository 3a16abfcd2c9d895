//! Help for tests of everything that reads tables: files that are damaged and yet sealed. No part of the public API.

use std::path::Path;

pub use super::writer::write_pair_in_blocks;
use crate::index::Layer;
use crate::rules::Game;
use crate::value::Entry;
use kpe_core::table::metadata::Metadata;
use kpe_core::table::prefix::{FORMAT_VERSION, PREFIX_LENGTH, Prefix, RawPrefix, prefix_bytes};
use kpe_core::table::{Blocks, ROW, TableError, TableFile, checksum, row_bytes};

/// Changes the entry with number `rank` of `layer` in the file at `path`, which is of `game`, and seals the file again:
/// every checksum and count is right, only the entry is wrong.
///
/// # Errors
/// Those of reading and writing the file.
pub fn change_entry(path: &Path, game: &Game, layer: Layer, rank: u32, entry: Entry) -> Result<(), TableError> {
    let file = TableFile::open(path)?;
    file.check_rules(game)?;
    let mut sections = Vec::new();
    for section in &file.metadata().sections {
        sections.push((section.layer, file.read_section(section.layer)?));
    }
    for (_, entries) in sections.iter_mut().filter(|(here, _)| *here == layer) {
        entries[rank as usize] = entry;
    }
    let sections: Vec<_> = sections.iter().map(|(layer, entries)| (*layer, entries.as_slice())).collect();
    let directory = path.parent().unwrap_or(Path::new("."));
    write_pair_in_blocks(directory, game, &sections, file.metadata().block_positions).map(|_| ())
}

/// Makes every checksum of a table file right again after its bytes were changed, and its length too.
///
/// Fields other than checksums stay as they are, so a reader's checks of them can be tested. If the metadata or the
/// table of blocks makes no sense, only what stands before them is sealed.
pub fn reseal(file: &mut [u8]) {
    let Some(metadata_length) = file.get(12..16).and_then(|bytes| bytes.first_chunk().copied()) else { return };
    let end = PREFIX_LENGTH.saturating_add(u32::from_le_bytes(metadata_length) as usize).min(file.len());
    if end < PREFIX_LENGTH {
        return;
    }
    if let Ok(mut metadata) = Metadata::decode(&file[PREFIX_LENGTH..end])
        && let Some(sum) = reseal_table(file, &metadata, end)
    {
        metadata.table_checksum = sum;
        file[PREFIX_LENGTH..end].copy_from_slice(&metadata.encode());
    }
    let prefix = prefix_bytes(FORMAT_VERSION, &file[PREFIX_LENGTH..end], file.len() as u64);
    file[..PREFIX_LENGTH].copy_from_slice(&prefix);
    debug_assert!(RawPrefix::read(file, file.len() as u64).is_ok_and(|raw| Prefix::try_from(raw).is_ok()));
}

/// Makes a sound table file one of another version of the format, by its head alone.
pub fn seal_as(file: &mut [u8], version: u32) {
    let Some(metadata_length) = file.get(12..16).and_then(|bytes| bytes.first_chunk().copied()) else { return };
    let end = PREFIX_LENGTH + u32::from_le_bytes(metadata_length) as usize;
    let prefix = prefix_bytes(version, &file[PREFIX_LENGTH..end], file.len() as u64);
    file[..PREFIX_LENGTH].copy_from_slice(&prefix);
}

/// Writes the checksum of each block that lies inside the file into the table of blocks; returns that of the table.
fn reseal_table(file: &mut [u8], metadata: &Metadata, table: usize) -> Option<u64> {
    let layers = metadata.sections.iter().map(|section| section.layer);
    let blocks = Blocks::new(layers, metadata.block_positions, table);
    let mut begin = 0;
    for block in 0..blocks.count() {
        let row = table + block * ROW;
        let end = u32::from_le_bytes(*file.get(row..)?.first_chunk()?);
        let place = blocks.data() + begin as usize..blocks.data() + end as usize;
        begin = end;
        let Some(sum) = file.get(place).map(checksum) else { continue };
        file.get_mut(row..row + ROW)?.copy_from_slice(&row_bytes(end, sum));
    }
    file.get(table..blocks.data()).map(checksum)
}
