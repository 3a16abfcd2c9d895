//! One table file, open for reading: a layer and its mirror image.
//!
//! Opening is cheap: it checks prefix, metadata and length. A row of the table of blocks is read when its block is asked for, and
//! a block is checked whenever it is read; where a row is wrong its block is not what its checksum says. So a file that is
//! damaged, or changed while it is open, gives an error and never a wrong entry. [`TableFile::verify_checksums`] checks all.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::blocks::{Blocks, Rows, SectionBlocks};
use super::bytes::Bytes;
use super::cache::{BlockCache, BlockId};
use super::checksum::checksum;
use super::codec::Codec;
use super::error::{Defect, Refusal, TableError};
use super::metadata::{Metadata, Section};
use super::names::{layer_name, rules_text};
use super::prefix::{MAX_METADATA, PREFIX_LENGTH, Prefix, RawPrefix, metadata_length, wrong_checksum};
use super::statistics::Statistics;
use crate::index::Layer;
use crate::rules::{Game, Layered};
use crate::value::{Distance, Entry, Value};

/// Unpacked blocks a file keeps when it is opened alone.
const OWN_CACHE_BLOCKS: usize = 256;
/// Blocks that are read at once where all of a layer is wanted.
const GROUP: usize = 64;

/// An open table file.
///
/// It may be used from many threads at once. As long as it is open it costs one file descriptor.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    bytes: Bytes,
    metadata: Metadata,
    blocks: Blocks,
    /// The rules of the file, and the codec of each section, made when its first block is unpacked.
    rules: Layered,
    codecs: Box<[OnceLock<Codec>]>,
    cache: Arc<BlockCache>,
    /// Tells the blocks of this file from those of others in a shared cache.
    id: u64,
}

impl TableFile {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// [`TableError::Missing`] if there is none, [`TableError::Damaged`] or [`TableError::NewerFormat`] if this program
    /// cannot read it, [`TableError::Io`] if the system refuses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::open_with(path.as_ref(), Arc::new(BlockCache::new(OWN_CACHE_BLOCKS)))
    }

    /// The file whose bytes are embedded in the program; `name` stands for its path in messages.
    ///
    /// # Errors
    /// As [`TableFile::open`].
    pub fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self, TableError> {
        Self::from_memory(name, bytes.into(), Arc::new(BlockCache::new(OWN_CACHE_BLOCKS)))
    }

    /// The file whose bytes are in memory, for tests and fuzzing; `name` stands for its path in messages.
    ///
    /// # Errors
    /// As [`TableFile::open`].
    pub fn from_vec(name: &str, bytes: Vec<u8>) -> Result<Self, TableError> {
        Self::from_memory(name, bytes.into(), Arc::new(BlockCache::new(OWN_CACHE_BLOCKS)))
    }

    /// Opens the file at `path` with a cache shared with others.
    pub(super) fn open_with(path: &Path, cache: Arc<BlockCache>) -> Result<Self, TableError> {
        let bytes = Bytes::open(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                let place = path.parent().unwrap_or(path).display().to_string();
                TableError::Missing { what: name_of(path), place }
            }
            _ => TableError::io(path, source),
        })?;
        Self::new(path.to_owned(), bytes, cache)
    }

    /// The file with these bytes and a cache shared with others.
    pub(super) fn from_memory(
        name: &str,
        bytes: Cow<'static, [u8]>,
        cache: Arc<BlockCache>,
    ) -> Result<Self, TableError> {
        Self::new(PathBuf::from(name), Bytes::Memory(bytes), cache)
    }

    fn new(path: PathBuf, bytes: Bytes, cache: Arc<BlockCache>) -> Result<Self, TableError> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let (metadata, blocks, rules) = match parse(&bytes) {
            Ok(parsed) => parsed.map_err(|refusal| refusal.in_file(&path))?,
            Err(error) => return Err(TableError::io(&path, error)),
        };
        let codecs = metadata.sections.iter().map(|_| OnceLock::new()).collect();
        let id = OPENED.fetch_add(1, Ordering::Relaxed);
        Ok(Self { path, bytes, metadata, blocks, rules, codecs, cache, id })
    }

    /// Where the file lies; for an embedded one its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file says of itself: game, options, layers, counts.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.bytes.length()
    }

    /// Bytes of the packed blocks of one layer, without the file's head; 0 if the file does not hold the layer.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the file's table of blocks is not sound, [`TableError::Io`].
    pub fn packed_length(&self, layer: Layer) -> Result<u64, TableError> {
        let Some((_, section)) = self.blocks.section(layer) else { return Ok(0) };
        let begin = self.rows(section, 0..1)?.place().start;
        let end = self.rows(section, section.count - 1..section.count)?.place().end;
        end.checked_sub(begin).ok_or_else(|| self.damaged(Defect::new("end of the last block", end, begin)))
    }

    /// Refuses a file made for other rules than `game`.
    ///
    /// # Errors
    /// [`TableError::OtherRules`].
    pub fn check_rules(&self, game: &Game) -> Result<(), TableError> {
        let found = rules_text(&self.metadata.game, &self.metadata.options);
        let expected = rules_text(game.name(), &game.to_string());
        if found == expected {
            Ok(())
        } else {
            Err(TableError::OtherRules { file: self.path.clone(), found, expected })
        }
    }

    /// Refuses a file that does not hold `layer`, for instance one that was renamed.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn check_layer(&self, layer: Layer) -> Result<(), TableError> {
        self.section(layer).map(|_| ())
    }

    /// Value (from the mover's point of view) and distance of the position with number `rank` in `layer`.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if the block is not sound or the file does not hold the layer, [`TableError::Io`].
    ///
    /// # Panics
    /// If the layer has no position of that number.
    pub fn probe(&self, layer: Layer, rank: u32) -> Result<Entry, TableError> {
        assert!(rank < layer.positions(), "layer has {} positions, asked for number {rank}", layer.positions());
        let (number, section) = self.section(layer)?;
        let block = (rank / self.blocks.block_positions) as usize;
        let at = (rank % self.blocks.block_positions) as usize;
        let id = BlockId { file: self.id, block: section.first + block };
        if let Some(entry) = self.cache.get(id, at) {
            return Ok(entry);
        }
        // Up to the entry asked for; if the block's beginning was in the cache, the next probes go beyond it: all of it.
        let length = if self.cache.holds(id) { self.blocks.positions(section, block).len() } else { at + 1 };
        let mut entries = vec![EMPTY; length].into_boxed_slice();
        let rows = self.rows(section, block..block + 1)?;
        let bytes = self.read(rows.place())?;
        self.unpack((number, section, block), &bytes, rows.block(section.first + block).1, &mut entries)?;
        let entry = entries[at];
        self.cache.put(id, entries);
        Ok(entry)
    }

    /// Shows `visit` the entries of `layer` in the order of their numbers, a block at a time, with the number of the first
    /// one. No more than a block is unpacked at once. Ends with the first error, of the file or of `visit`.
    ///
    /// # Errors
    /// As [`TableFile::probe`], and those of `visit`.
    pub fn each_block<E: From<TableError>>(
        &self,
        layer: Layer,
        mut visit: impl FnMut(u32, &[Entry]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (number, section) = self.section(layer)?;
        let mut entries = vec![EMPTY; self.blocks.block_positions.min(layer.positions()) as usize];
        for block in 0..section.count {
            let positions = self.blocks.positions(section, block);
            let entries = &mut entries[..positions.len()];
            let rows = self.rows(section, block..block + 1)?;
            let bytes = self.read(rows.place())?;
            self.unpack((number, section, block), &bytes, rows.block(section.first + block).1, entries)?;
            visit(positions.start, entries)?;
        }
        Ok(())
    }

    /// All entries of `layer` in the order of their numbers, unpacked in parallel on rayon's current pool.
    ///
    /// # Errors
    /// As [`TableFile::probe`]; [`TableError::OutOfMemory`].
    pub fn read_section(&self, layer: Layer) -> Result<Vec<Entry>, TableError> {
        self.section(layer)?;
        let positions = layer.positions() as usize;
        // Memory the system has not handed out yet: a damaged file is refused long before all of it is touched.
        let mut entries: Vec<Entry> = bytemuck::allocation::try_zeroed_vec(positions)
            .map_err(|()| TableError::OutOfMemory { bytes: positions * size_of::<Entry>() })?;
        self.read_entries(layer, &mut entries)?;
        Ok(entries)
    }

    /// All entries of `layer` in the order of their numbers, unpacked into `entries` in parallel on rayon's current pool.
    ///
    /// # Errors
    /// As [`TableFile::probe`].
    ///
    /// # Panics
    /// If `entries` has another length than the layer.
    pub fn read_entries(&self, layer: Layer, entries: &mut [Entry]) -> Result<(), TableError> {
        assert_eq!(entries.len(), layer.positions() as usize, "one place for each position of the layer");
        let block_positions = self.blocks.block_positions as usize;
        entries.par_chunks_mut(block_positions * GROUP).enumerate().try_for_each(|(group, entries)| {
            self.each_of_group(layer, group, |block, unpack| {
                let first = (block % GROUP) * block_positions;
                let last = entries.len().min(first + block_positions);
                unpack(&mut entries[first..last])
            })
        })
    }

    /// The values of `layer` in the order of their numbers, in stones from the mover's point of view, unpacked into
    /// `values` in parallel on rayon's current pool.
    ///
    /// # Errors
    /// As [`TableFile::probe`].
    ///
    /// # Panics
    /// If `values` has another length than the layer.
    pub fn read_values(&self, layer: Layer, values: &mut [i8]) -> Result<(), TableError> {
        assert_eq!(values.len(), layer.positions() as usize, "one place for each position of the layer");
        let block_positions = self.blocks.block_positions as usize;
        values.par_chunks_mut(block_positions * GROUP).enumerate().try_for_each_init(
            || vec![EMPTY; block_positions],
            |entries, (group, values)| {
                self.each_of_group(layer, group, |block, unpack| {
                    let values = values[(block % GROUP) * block_positions..].iter_mut().take(block_positions);
                    let entries = &mut entries[..values.len()];
                    unpack(entries)?;
                    values.zip(entries).for_each(|(value, entry)| *value = entry.value().0);
                    Ok(())
                })
            },
        )
    }

    /// Reads a group of blocks of `layer` at once and asks `take` for the place of each one's entries.
    fn each_of_group(
        &self,
        layer: Layer,
        group: usize,
        mut take: impl FnMut(usize, &dyn Fn(&mut [Entry]) -> Result<(), TableError>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let (number, section) = self.section(layer)?;
        let blocks = group * GROUP..section.count.min((group + 1) * GROUP);
        let rows = self.rows(section, blocks.clone())?;
        let bytes = self.read(rows.place())?;
        for block in blocks {
            let (place, checksum) = rows.block(section.first + block);
            take(block, &|entries| self.unpack((number, section, block), &bytes[place.clone()], checksum, entries))?;
        }
        Ok(())
    }

    /// Checks every block: its checksum, that it unpacks, and that all together have the counts of the metadata.
    ///
    /// It says nothing about whether the values are *right*; that is the certificate's business.
    ///
    /// # Errors
    /// As [`TableFile::read_section`].
    pub fn verify_checksums(&self) -> Result<(), TableError> {
        let table = self.read(self.blocks.table() as u64..self.blocks.data() as u64)?;
        let checked = self.blocks.check(&table, self.metadata.table_checksum, self.length());
        checked.map_err(|defect| self.damaged(defect))?;
        for section in &self.metadata.sections {
            let found = Statistics::of(&self.read_section(section.layer)?);
            if found != section.statistics {
                let what = format!("counts of {}", layer_name(section.layer));
                let text = |statistics: &Statistics| format!("{statistics:?}");
                return Err(self.damaged(Defect::new(what, text(&found), text(&section.statistics))));
            }
        }
        Ok(())
    }

    /// Shows `visit` all bytes of the file in their order, each part after its checksums were checked: nothing is unpacked.
    ///
    /// # Errors
    /// [`TableError::Damaged`] at the first part that is not what was written, [`TableError::Io`].
    #[doc(hidden)]
    pub fn each_checked(&self, mut visit: impl FnMut(&[u8])) -> Result<(), TableError> {
        // Read again: what was found sound when the file was opened may be something else by now.
        let head = self.read(0..self.blocks.data() as u64)?;
        let (metadata, blocks, _) =
            parse_metadata(&head, self.length()).map_err(|refusal| refusal.in_file(&self.path))?;
        if metadata != self.metadata {
            return Err(self.damaged(Defect::new("metadata", "other than when it was opened", "the same")));
        }
        let failed = |defect| self.damaged(defect);
        blocks.check(&head[blocks.table()..], metadata.table_checksum, self.length()).map_err(failed)?;
        visit(&head);
        for first in (0..blocks.count()).step_by(GROUP) {
            let group = first..blocks.count().min(first + GROUP);
            let place = blocks.rows_place(&group);
            let rows = blocks.rows(group.clone(), &head[place.start as usize..place.end as usize]).map_err(failed)?;
            let bytes = self.read(rows.place())?;
            for block in group {
                let (place, expected) = rows.block(block);
                let found = checksum(&bytes[place]);
                if found != expected {
                    return Err(failed(wrong_checksum(format!("checksum of block {block}"), found, expected)));
                }
            }
            visit(&bytes);
        }
        Ok(())
    }

    /// The rows of consecutive blocks of a section.
    fn rows(&self, section: SectionBlocks, blocks: Range<usize>) -> Result<Rows, TableError> {
        let blocks = section.first + blocks.start..section.first + blocks.end;
        let bytes = self.read(self.blocks.rows_place(&blocks))?;
        self.blocks.rows(blocks, &bytes).map_err(|defect| self.damaged(defect))
    }

    /// Bytes of the file.
    fn read(&self, place: Range<u64>) -> Result<Cow<'_, [u8]>, TableError> {
        let end = place.end;
        self.bytes.read(place).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged(Defect::new(
                "length",
                "fewer bytes than when it was opened",
                format!("{end} bytes at least"),
            )),
            _ => TableError::io(&self.path, error),
        })
    }

    /// Unpacks the beginning of a block of a section from all its bytes, whose checksum is checked.
    fn unpack(
        &self,
        (number, section, block): (usize, SectionBlocks, usize),
        bytes: &[u8],
        expected: u64,
        entries: &mut [Entry],
    ) -> Result<(), TableError> {
        let positions = self.blocks.positions(section, block);
        let found = checksum(bytes);
        let sound = if found == expected { Ok(()) } else { Err(wrong_checksum("checksum", found, expected)) };
        sound
            .and_then(|()| self.codec(number)?.decode_block(positions.start, (bytes, positions.len()), entries))
            .map_err(|defect| {
                let what = format!("{}, block {block} of {}", defect.what, layer_name(section.layer));
                self.damaged(Defect { what, ..defect })
            })
    }

    /// The codec of a section.
    fn codec(&self, number: usize) -> Result<&Codec, Defect> {
        if let Some(codec) = self.codecs[number].get() {
            return Ok(codec);
        }
        let Section { layer, codec_parameters, .. } = &self.metadata.sections[number];
        let codec = Codec::new(self.rules, *layer, codec_parameters)?;
        // Another thread may have made the same one.
        Ok(self.codecs[number].get_or_init(|| codec))
    }

    fn section(&self, layer: Layer) -> Result<(usize, SectionBlocks), TableError> {
        self.blocks.section(layer).ok_or_else(|| {
            let names: Vec<_> = self.blocks.sections.iter().map(|section| layer_name(section.layer)).collect();
            self.damaged(Defect::new("layer", names.join(" and "), layer_name(layer)))
        })
    }

    fn damaged(&self, defect: Defect) -> TableError {
        TableError::damaged(&self.path, defect)
    }
}

/// Fills memory that a block is about to be unpacked into; never seen by a caller.
const EMPTY: Entry = Entry::new(Value::ZERO, Distance(0));

/// Everything the head of a file says, or why it is refused; an error if the file cannot be read.
fn parse(bytes: &Bytes) -> io::Result<Result<(Metadata, Blocks, Layered), Refusal>> {
    let length = bytes.length();
    let mut beginning = bytes.read(0..length.min(PREFIX_LENGTH as u64))?;
    if let Some(metadata) = metadata_length(&beginning) {
        // However long it says it is, no more is read than a sound file can have.
        let end = PREFIX_LENGTH + metadata.min(MAX_METADATA);
        beginning = bytes.read(0..length.min(end as u64))?;
    }
    let parsed = parse_metadata(&beginning, length);
    let Ok((metadata, blocks, rules)) = parsed else { return Ok(parsed) };
    if length < blocks.data() as u64 {
        let found = format!("{length} bytes");
        return Ok(Err(Defect::new("length", found, format!("at least {} bytes", blocks.data())).into()));
    }
    Ok(Ok((metadata, blocks, rules)))
}

fn parse_metadata(beginning: &[u8], length: u64) -> Result<(Metadata, Blocks, Layered), Refusal> {
    let prefix = Prefix::try_from(RawPrefix::read(beginning, length)?)?;
    // A sound prefix promises that the metadata is here.
    let metadata = Metadata::decode(&beginning[PREFIX_LENGTH..prefix.metadata_end()])?;
    let rules = metadata.rules()?;
    let layers = metadata.sections.iter().map(|section| section.layer);
    let blocks = Blocks::new(layers, metadata.block_positions, prefix.metadata_end());
    Ok((metadata, blocks, rules))
}

/// The last part of a path, for messages.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
