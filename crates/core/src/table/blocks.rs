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
pub const ROW: usize = 12;

/// The blocks of one layer.
#[derive(Clone, Copy, Debug)]
pub struct SectionBlocks {
    /// The layer.
    pub layer: Layer,
    /// Number in the file of the section's first block.
    pub first: usize,
    /// Blocks of the section, at least one.
    pub count: usize,
}

/// The blocks of a file: how many, for which positions, and where they lie.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// One or two.
    pub sections: Vec<SectionBlocks>,
    /// Positions in each block but the last of a section.
    pub block_positions: u32,
    /// Where the table of blocks begins in the file, in bytes.
    table: usize,
    /// Where the blocks begin in the file, in bytes.
    data: usize,
}

/// Where some consecutive blocks lie in a file and what their checksums ought to be, as its table says.
#[derive(Debug)]
pub struct Rows {
    /// Number of the first block.
    first: usize,
    /// Where it begins in the file.
    begin: u64,
    /// By block: where it ends in the file, and its checksum.
    rows: Vec<(u64, u64)>,
}

impl Blocks {
    /// The blocks of a file whose metadata ends at byte `metadata_end`. Nothing of the file is looked at.
    pub fn new(layers: impl Iterator<Item = Layer>, block_positions: u32, metadata_end: usize) -> Self {
        let mut first = 0;
        let sections: Vec<_> = layers
            .map(|layer| {
                let count = layer.positions().div_ceil(block_positions) as usize;
                first += count;
                SectionBlocks { layer, first: first - count, count }
            })
            .collect();
        let data = metadata_end + first * ROW;
        Self { sections, block_positions, table: metadata_end, data }
    }

    /// Checks the whole table, the bytes of a file from [`Blocks::table`] to [`Blocks::data`]: checksum, order, and end in a file
    /// of `length` bytes.
    pub fn check(&self, table: &[u8], expected: u64, length: u64) -> Result<(), Defect> {
        let found = checksum(table);
        if found != expected {
            return Err(wrong_checksum("checksum of the table of blocks", found, expected));
        }
        let rows = self.rows(0..self.count(), table)?;
        match rows.place().end {
            end if end == length => Ok(()),
            end => Err(Defect::new("end of the last block", end, length)),
        }
    }

    /// Where in a file the rows lie that say where these blocks lie: theirs, and the one before.
    pub fn rows_place(&self, blocks: &Range<usize>) -> Range<u64> {
        let at = |row: usize| (self.table + row * ROW) as u64;
        at(blocks.start.saturating_sub(1))..at(blocks.end)
    }

    /// The rows of these blocks, read from [`Blocks::rows_place`].
    pub fn rows(&self, blocks: Range<usize>, bytes: &[u8]) -> Result<Rows, Defect> {
        let mut rows = bytes.as_chunks::<ROW>().0.iter().map(|row| {
            let end = u32::from_le_bytes(std::array::from_fn(|i| row[i]));
            (self.data as u64 + u64::from(end), u64::from_le_bytes(std::array::from_fn(|i| row[4 + i])))
        });
        let begin = if blocks.start == 0 { Some(self.data as u64) } else { rows.next().map(|row| row.0) };
        let begin =
            begin.ok_or_else(|| Defect::new("table of blocks", "its end", format!("block {}", blocks.start)))?;
        let rows: Vec<(u64, u64)> = rows.collect();
        let mut before = begin;
        for (block, &(end, _)) in blocks.clone().zip(&rows) {
            if end < before {
                return Err(Defect::new(format!("end of block {block}"), end, format!("at least {before}")));
            }
            before = end;
        }
        if rows.len() != blocks.len() {
            return Err(Defect::new("rows in the table of blocks", rows.len(), blocks.len()));
        }
        Ok(Rows { first: blocks.start, begin, rows })
    }

    /// Blocks in the file.
    pub fn count(&self) -> usize {
        (self.data - self.table) / ROW
    }

    /// Where the table of blocks begins in the file, in bytes.
    pub fn table(&self) -> usize {
        self.table
    }

    /// Where the blocks begin in the file, in bytes.
    pub fn data(&self) -> usize {
        self.data
    }

    /// The section that holds `layer` and its number in the file; `None` if the file does not hold it.
    pub fn section(&self, layer: Layer) -> Option<(usize, SectionBlocks)> {
        self.sections.iter().position(|section| section.layer == layer).map(|at| (at, self.sections[at]))
    }

    /// Numbers in the layer of the positions in a section's `block`, counted from the section's first.
    pub fn positions(&self, section: SectionBlocks, block: usize) -> Range<u32> {
        let first = block as u32 * self.block_positions;
        first..section.layer.positions().min(first + self.block_positions)
    }
}

impl Rows {
    /// Where in the file all of these blocks lie.
    pub fn place(&self) -> Range<u64> {
        self.begin..self.rows.last().map_or(self.begin, |row| row.0)
    }

    /// Where in the bytes of all of these blocks one of them lies, and its checksum.
    pub fn block(&self, block: usize) -> (Range<usize>, u64) {
        let at = block - self.first;
        let begin = if at == 0 { self.begin } else { self.rows[at - 1].0 };
        let (end, checksum) = self.rows[at];
        ((begin - self.begin) as usize..(end - self.begin) as usize, checksum)
    }
}

/// The row of the table of blocks for a block that ends at `end` and has this checksum.
pub fn row_bytes(end: u32, checksum: u64) -> [u8; ROW] {
    let mut row = [0; ROW];
    row[..4].copy_from_slice(&end.to_le_bytes());
    row[4..].copy_from_slice(&checksum.to_le_bytes());
    row
}
