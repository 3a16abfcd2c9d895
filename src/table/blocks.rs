//! Where the blocks of a table file lie.
//!
//! Behind the metadata stands the *table of blocks*, twelve bytes a block: where it ends, counted from the end of the
//! table (four bytes), and its checksum (eight), little-endian. The first block begins where the table ends, every
//! other one where the block before it ends, and the last one ends with the file. The blocks of the second section
//! follow those of the first; a section begins with a block of its own.

use std::ops::Range;

use super::checksum::checksum;
use super::error::Defect;
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
    /// By block: where it ends, counted from `data`, and its checksum. Empty before [`Blocks::with_table`].
    ends: Vec<u32>,
    checksums: Vec<u64>,
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
        let data = metadata_end + first * ROW;
        Self { sections, block_positions, table: metadata_end, data, ends: Vec::new(), checksums: Vec::new() }
    }

    /// The blocks with their table, the bytes of a file from [`Blocks::table`] to [`Blocks::data`], checked: checksum, order,
    /// and end in a file of `length` bytes.
    pub(super) fn with_table(mut self, table: &[u8], expected: u64, length: u64) -> Result<Self, Defect> {
        let found = checksum(table);
        if found != expected {
            return Err(wrong_checksum("checksum of the table of blocks", found, expected));
        }
        let mut before = 0;
        for (block, row) in table.chunks_exact(ROW).enumerate() {
            let Some((end, checksum)) = row.split_first_chunk::<4>() else { break };
            let end = u32::from_le_bytes(*end);
            if end < before {
                return Err(Defect::new(format!("end of block {block}"), end, format!("at least {before}")));
            }
            before = end;
            let checksum = checksum.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            self.ends.push(end);
            self.checksums.push(checksum);
        }
        let data_length = length - self.data as u64;
        if u64::from(before) != data_length {
            return Err(Defect::new("end of the last block", before, data_length));
        }
        Ok(self)
    }

    /// Blocks in the file.
    pub(super) fn count(&self) -> usize {
        (self.data - self.table) / ROW
    }

    /// Where the table of blocks begins in the file, in bytes.
    pub(super) fn table(&self) -> usize {
        self.table
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

    /// Where in the file consecutive blocks lie.
    pub(super) fn place(&self, blocks: Range<usize>) -> Range<u64> {
        let end = |blocks: usize| self.data as u64 + blocks.checked_sub(1).map_or(0, |last| u64::from(self.ends[last]));
        end(blocks.start)..end(blocks.end)
    }

    /// The checksum a block ought to have.
    pub(super) fn checksum(&self, block: usize) -> u64 {
        self.checksums[block]
    }
}

/// The row of the table of blocks for a block that ends at `end` and has this checksum.
pub(super) fn row_bytes(end: u32, checksum: u64) -> [u8; ROW] {
    let mut row = [0; ROW];
    row[..4].copy_from_slice(&end.to_le_bytes());
    row[4..].copy_from_slice(&checksum.to_le_bytes());
    row
}
