//! Where the blocks of a table file lie.
//!
//! Behind the metadata stands the *table of blocks*, twelve bytes a block: where it ends, counted from the end of the
//! table (four bytes), and its checksum (eight), little-endian. The first block begins where the table ends, every
//! other one where the block before it ends, and the last one ends with the file. The blocks of the second section
//! follow those of the first; a section begins with a block of its own.

use std::ops::Range;

use super::checksum::checksum;
use super::error::Defect;
use super::metadata::Metadata;
use super::prefix::wrong_checksum;
use crate::index::Layer;

/// Bytes a block takes in the table of blocks.
pub(super) const ROW: usize = 12;

/// The blocks of one layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionBlocks {
    pub(super) layer: Layer,
    /// Number in the file of the section's first block.
    pub(super) first: usize,
    /// Blocks of the section, at least one.
    pub(super) count: usize,
}

/// The blocks of a file: how many, for which positions, and where they lie.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) sections: Vec<SectionBlocks>,
    pub(super) block_positions: u32,
    /// Where the table of blocks begins in the file, in bytes.
    table: usize,
    /// Where the blocks begin in the file, in bytes.
    data: usize,
}

impl Blocks {
    /// The blocks of a file whose metadata ends at byte `metadata_end`. Nothing of the file is looked at.
    pub(super) fn new(layers: impl Iterator<Item = Layer>, block_positions: u32, metadata_end: usize) -> Self {
        let mut first = 0;
        let sections: Vec<_> = layers
            .map(|layer| {
                let count = layer.positions().div_ceil(block_positions) as usize;
                first += count;
                SectionBlocks { layer, first: first - count, count }
            })
            .collect();
        Self { sections, block_positions, table: metadata_end, data: metadata_end + first * ROW }
    }

    /// The blocks of `file` with this metadata, their table checked: checksum, order and end.
    pub(super) fn read(file: &[u8], metadata: &Metadata, metadata_end: usize) -> Result<Self, Defect> {
        let layers = metadata.sections.iter().map(|section| section.layer);
        let blocks = Self::new(layers, metadata.block_positions, metadata_end);
        let table = file.get(blocks.table..blocks.data).ok_or_else(|| {
            Defect::new("length", format!("{} bytes", file.len()), format!("at least {} bytes", blocks.data))
        })?;
        let found = checksum(table);
        if found != metadata.table_checksum {
            return Err(wrong_checksum("checksum of the table of blocks", found, metadata.table_checksum));
        }
        let mut before = 0;
        for block in 0..blocks.count() {
            let (end, _) = blocks.row(file, block)?;
            if end < before {
                return Err(Defect::new(format!("end of block {block}"), end, format!("at least {before}")));
            }
            before = end;
        }
        let data_length = file.len() - blocks.data;
        if before != data_length {
            return Err(Defect::new("end of the last block", before, data_length));
        }
        Ok(blocks)
    }

    /// Blocks in the file.
    pub(super) fn count(&self) -> usize {
        (self.data - self.table) / ROW
    }

    /// Where the blocks begin in the file, in bytes.
    pub(super) fn data(&self) -> usize {
        self.data
    }

    /// The section that holds `layer` and its number in the file; `None` if the file does not hold it.
    pub(super) fn section(&self, layer: Layer) -> Option<(usize, SectionBlocks)> {
        self.sections.iter().position(|section| section.layer == layer).map(|at| (at, self.sections[at]))
    }

    /// Numbers in the layer of the positions in a section's `block`, counted from the section's first.
    pub(super) fn positions(&self, section: SectionBlocks, block: usize) -> Range<u32> {
        let first = block as u32 * self.block_positions;
        first..section.layer.positions().min(first + self.block_positions)
    }

    /// The bytes of a block of `file` and the checksum they ought to have.
    pub(super) fn block<'a>(&self, file: &'a [u8], block: usize) -> Result<(&'a [u8], u64), Defect> {
        let begin = if block == 0 { 0 } else { self.row(file, block - 1)?.0 };
        let (end, checksum) = self.row(file, block)?;
        let outside = || Defect::new(format!("block {block}"), format!("at {begin}..{end}"), "inside the file");
        let bytes = file.get(self.data..).and_then(|data| data.get(begin..end)).ok_or_else(outside)?;
        Ok((bytes, checksum))
    }

    /// End (from the beginning of the blocks) and checksum of a block, as the table gives them.
    fn row(&self, file: &[u8], block: usize) -> Result<(usize, u64), Defect> {
        let missing = || Defect::new("length", format!("{} bytes", file.len()), "room for the table of blocks");
        let row = file.get(self.table..self.data).and_then(|table| table.get(block * ROW..)).ok_or_else(missing)?;
        let (end, rest) = row.split_first_chunk::<4>().ok_or_else(missing)?;
        let checksum = rest.first_chunk::<8>().ok_or_else(missing)?;
        Ok((u32::from_le_bytes(*end) as usize, u64::from_le_bytes(*checksum)))
    }
}

/// The row of the table of blocks for a block that ends at `end` and has this checksum.
pub(super) fn row_bytes(end: u32, checksum: u64) -> [u8; ROW] {
    let mut row = [0; ROW];
    row[..4].copy_from_slice(&end.to_le_bytes());
    row[4..].copy_from_slice(&checksum.to_le_bytes());
    row
}
