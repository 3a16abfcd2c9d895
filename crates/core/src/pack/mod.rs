//! Packing: entries of a layer as independent blocks of about a bit and a half a position.
//!
//! A block is a stretch of consecutive positions. Each value is coded by a range coder (rANS) under the distribution
//! of its *context*: the values of three positions that differ by one stone and the most that a single sowing could
//! capture; each distance (of a value that is not 0) under the value, that capture, and the distances of two of the
//! neighbours where these have the same value. The distributions are fixed for a section of a file: they are counted
//! on a sample of its blocks and stored with it, so that every block can be read alone. What the sample has not seen is
//! coded as an escape. The format is described byte by byte in `tables/README.md`.
//!
//! Bytes from a file are foreign: [`Model::from_bytes`] and [`Model::unpack`] accept nothing that [`Model::to_bytes`] and
//! [`Model::pack`] could not have written, and never panic.

pub(crate) mod contexts;
pub(crate) mod rans;
mod walk;

use crate::index::Layer;
use crate::rules::Rules;
use crate::value::{Distance, Entry, Value};
use contexts::{Counts, Distributions};
use rans::{Decoder, Encoder};
use walk::{Neighbours, walk};

/// Positions a section must have before only a sample of it is counted.
const SAMPLE: usize = 1 << 21;
/// Codes of values in contexts.
const CODES: usize = 49;
/// How many steps of two the values of the position above and of the diagonal one are told from the one before.
const ABOVE_STEPS: i32 = 4;
const DIAGONAL_STEPS: i32 = 2;
/// Hints in contexts: stones of the best capture, halved and cut off.
const HINTS: usize = 8;
/// Distances in contexts: 0–9, more, or of a neighbour that has another value.
const NEAR: usize = 12;

/// Why packed bytes were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: found {found}, expected {expected}")]
pub struct PackError {
    /// The part that is wrong.
    pub what: &'static str,
    /// What stands there.
    pub found: String,
    /// What could stand there.
    pub expected: String,
}

impl PackError {
    pub(crate) fn new(what: &'static str, found: impl ToString, expected: impl ToString) -> Self {
        Self { what, found: found.to_string(), expected: expected.to_string() }
    }
}

/// The distributions under which the blocks of one section are coded.
#[derive(Debug, PartialEq, Eq)]
pub struct Model {
    values: Distributions,
    distances: Distributions,
}

/// Work space for packing and unpacking blocks; keep one a thread.
#[derive(Debug, Default)]
pub struct Scratch {
    entries: Vec<Entry>,
    encoder: Encoder,
}

/// The context of a value within the contexts of its section.
#[inline]
fn value_context(near: &Neighbours<'_>, hint: u8) -> usize {
    let (before, above, diagonal) = near.entries();
    let code = code(before.value());
    // How far another neighbour is from the one before, cut off on both sides.
    let step = |value, most: i32| (self::code(value) - code).clamp(-most, most) + most;
    let above = step(above.value(), ABOVE_STEPS);
    let diagonal = step(diagonal.value(), DIAGONAL_STEPS);
    let neighbours = (code * (2 * ABOVE_STEPS + 1) + above) * (2 * DIAGONAL_STEPS + 1) + diagonal;
    neighbours as usize * HINTS + hint as usize
}

/// A value in steps of two, so that all even values and all odd ones fit: 0 to 48.
#[inline]
fn code(value: Value) -> i32 {
    i32::from(value.0 >> 1) + 24
}

/// The coarser context behind a value's: the value before and the hint.
#[inline]
fn coarse_value_context(context: usize) -> usize {
    context / (NEIGHBOURS * HINTS) * HINTS + context % HINTS
}

/// The context of the distance of a position worth `value`.
#[inline]
fn distance_context(near: &Neighbours<'_>, hint: u8, value: Value) -> usize {
    let (before, above, _) = near.entries();
    let seen = |entry: Entry| {
        if entry.value() == value { (entry.distance().0 as usize).min(NEAR - 2) } else { NEAR - 1 }
    };
    ((code(value) as usize * HINTS + hint as usize) * NEAR + seen(before)) * NEAR + seen(above)
}

/// The coarser context behind a distance's: the value and the hint.
#[inline]
fn coarse_distance_context(context: usize) -> usize {
    context / (NEAR * NEAR)
}

const NEIGHBOURS: usize = ((2 * ABOVE_STEPS + 1) * (2 * DIAGONAL_STEPS + 1)) as usize;
const VALUE_CONTEXTS: usize = CODES * NEIGHBOURS * HINTS;
const DISTANCE_CONTEXTS: usize = CODES * HINTS * NEAR * NEAR;
/// Values are symbols from 0 on.
const VALUE_OFFSET: i16 = 48;
/// Symbols of values: −48 to 48.
const VALUE_SYMBOLS: u16 = 97;
/// Symbols of distances.
const DISTANCE_SYMBOLS: u16 = Entry::MAX_DISTANCE + 1;

impl Model {
    /// The model of a section: counted on a sample of blocks of `block` positions.
    #[must_use]
    pub fn train<R: Rules>(rules: R, layer: Layer, entries: &[Entry], block: usize, scratch: &mut Scratch) -> Self {
        let mut values = Counts::new();
        let mut distances = Counts::new();
        let stride = entries.len().div_ceil(SAMPLE).max(1);
        for (number, chunk) in entries.chunks(block).enumerate().step_by(stride) {
            scratch.load(chunk);
            walk(rules, layer, (number * block) as u32, chunk.len(), |near, hint| {
                let near = near.of(&scratch.entries);
                let entry = near.own();
                values.add(value_context(&near, hint), symbol_of(entry.value()));
                if entry.value() != Value::ZERO {
                    distances.add(distance_context(&near, hint, entry.value()), entry.distance().0);
                }
                true
            });
        }
        Self {
            values: values.distributions(VALUE_CONTEXTS, coarse_value_context, stride),
            distances: distances.distributions(DISTANCE_CONTEXTS, coarse_distance_context, stride),
        }
    }

    /// The model as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.values.write(&mut bytes);
        self.distances.write(&mut bytes);
        bytes
    }

    /// The model in these bytes.
    ///
    /// # Errors
    /// If [`Model::to_bytes`] could not have written them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PackError> {
        let mut rest = bytes;
        let values = Distributions::read(&mut rest, VALUE_CONTEXTS, VALUE_SYMBOLS, coarse_value_context)?;
        let distances = Distributions::read(&mut rest, DISTANCE_CONTEXTS, DISTANCE_SYMBOLS, coarse_distance_context)?;
        if !rest.is_empty() {
            return Err(PackError::new("model", format!("{} bytes too many", rest.len()), "its end"));
        }
        Ok(Self { values, distances })
    }

    /// Appends to `out` the packed block of `entries`, the positions of `layer` from number `first` on.
    pub fn pack<R: Rules>(
        &self,
        rules: R,
        layer: Layer,
        first: u32,
        entries: &[Entry],
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) {
        scratch.load(entries);
        let Scratch { entries: local, encoder } = scratch;
        walk(rules, layer, first, entries.len(), |near, hint| {
            let near = near.of(local);
            let entry = near.own();
            encoder.put(&self.values, value_context(&near, hint), symbol_of(entry.value()));
            if entry.value() != Value::ZERO {
                encoder.put(&self.distances, distance_context(&near, hint, entry.value()), entry.distance().0);
            }
            true
        });
        encoder.finish(out);
    }

    /// Fills `entries`, the positions of `layer` from number `first` on, from a packed block. Where `entries` is shorter
    /// than the block, only that much is read and the block's end is not checked; `block` says how long the block is.
    ///
    /// # Errors
    /// If [`Model::pack`] could not have written the bytes.
    pub fn unpack<R: Rules>(
        &self,
        rules: R,
        layer: Layer,
        first: u32,
        (bytes, block): (&[u8], usize),
        scratch: &mut Scratch,
        entries: &mut [Entry],
    ) -> Result<(), PackError> {
        let local = &mut scratch.entries;
        local.clear();
        local.resize(entries.len() + 1, Entry::default());
        let mut decoder = Decoder::new(bytes)?;
        let done = walk(rules, layer, first, entries.len(), |near, hint| {
            let seen = near.of(local);
            let symbol = decoder.get(&self.values, value_context(&seen, hint));
            let Some(value) = value_of(symbol) else { return false };
            let mut distance = 0;
            if value != Value::ZERO {
                distance = decoder.get(&self.distances, distance_context(&seen, hint, value));
            }
            if distance >= DISTANCE_SYMBOLS {
                return false;
            }
            local[near.at()] = Entry::new(value, Distance(distance));
            true
        });
        if !done {
            return Err(PackError::new("packed block", "a value or distance out of range", "-48 to 48 and 0 to 505"));
        }
        if entries.len() == block {
            decoder.finish()?;
        }
        entries.copy_from_slice(&local[1..]);
        Ok(())
    }
}

#[inline]
fn symbol_of(value: Value) -> u16 {
    (i16::from(value.0) + VALUE_OFFSET) as u16
}

#[inline]
fn value_of(symbol: u16) -> Option<Value> {
    (symbol < VALUE_SYMBOLS).then(|| Value((symbol as i16 - VALUE_OFFSET) as i8))
}

impl Scratch {
    /// Copies a block behind the entry that stands for what lies before it.
    fn load(&mut self, entries: &[Entry]) {
        self.entries.clear();
        self.entries.push(Entry::default());
        self.entries.extend_from_slice(entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::rules::kpe::Kpe;
    use proptest::prelude::*;

    const BLOCK: usize = 512;

    /// Entries as a table could hold them, wild ones among them.
    fn entries(layer: Layer, seed: u64) -> Vec<Entry> {
        let mut state = seed | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..layer.positions())
            .map(|_| {
                let value = if next() % 50 == 0 { (next() % 97) as i8 - 48 } else { (next() % 5) as i8 * 2 - 4 };
                let distance = if next() % 50 == 0 { next() % 506 } else { next() % 4 } as u16;
                Entry::new(Value(value), Distance(if value == 0 { 0 } else { distance }))
            })
            .collect()
    }

    fn pack_all(model: &Model, layer: Layer, entries: &[Entry], scratch: &mut Scratch) -> Vec<Vec<u8>> {
        let blocks = entries.chunks(BLOCK).enumerate();
        blocks
            .map(|(number, chunk)| {
                let mut out = Vec::new();
                model.pack(Kpe::default(), layer, (number * BLOCK) as u32, chunk, scratch, &mut out);
                out
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_was_packed_is_unpacked(seed: u64, unsown in prop::sample::select(vec![0u8, 1, 0x80, 0x33]), loose in 0u8..9) {
            let pits = Pits(unsown);
            let layer = Layer::new(pits, loose + 6 * pits.len() as u8).unwrap();
            let entries = entries(layer, seed);
            let mut scratch = Scratch::default();
            let model = Model::train(Kpe::default(), layer, &entries, BLOCK, &mut scratch);
            prop_assert_eq!(&Model::from_bytes(&model.to_bytes()).unwrap(), &model);
            for (number, block) in pack_all(&model, layer, &entries, &mut scratch).iter().enumerate() {
                let expected = &entries[number * BLOCK..entries.len().min((number + 1) * BLOCK)];
                for length in [expected.len(), expected.len() / 2, 1] {
                    let mut found = vec![Entry::default(); length];
                    let first = (number * BLOCK) as u32;
                    model.unpack(Kpe::default(), layer, first, (block, expected.len()), &mut scratch, &mut found).unwrap();
                    prop_assert_eq!(&found[..], &expected[..length]);
                }
            }
        }

        #[test]
        fn foreign_bytes_do_no_harm(seed: u64, at: prop::sample::Index, flip in 1u8.., cut: prop::sample::Index) {
            let layer = Layer::new(Pits(0x10), 13).unwrap();
            let entries = entries(layer, seed);
            let mut scratch = Scratch::default();
            let model = Model::train(Kpe::default(), layer, &entries, BLOCK, &mut scratch);
            let mut bytes = model.to_bytes();
            let place = at.index(bytes.len());
            bytes[place] ^= flip;
            // Another model may come out, or a refusal; either way blocks are unpacked or refused, never more.
            let other = Model::from_bytes(&bytes);
            let _ = Model::from_bytes(&bytes[..cut.index(bytes.len())]);
            for (number, mut block) in pack_all(&model, layer, &entries, &mut scratch).into_iter().enumerate() {
                let place = at.index(block.len());
                block[place] ^= flip;
                let length = entries.len().min((number + 1) * BLOCK) - number * BLOCK;
                let mut found = vec![Entry::default(); length];
                for model in [Some(&model), other.as_ref().ok()].into_iter().flatten() {
                    let first = (number * BLOCK) as u32;
                    let _ = model.unpack(Kpe::default(), layer, first, (&block, length), &mut scratch, &mut found);
                    let short = &block[..cut.index(block.len())];
                    let _ = model.unpack(Kpe::default(), layer, first, (short, length), &mut scratch, &mut found);
                }
            }
        }
    }
}
