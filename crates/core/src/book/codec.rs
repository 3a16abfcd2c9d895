//! Entries of a book as bits: each value as what it exceeds its floor by, in steps of two, each distance under its value.
//!
//! The *floor* of a position is the largest of (stones just captured − value) over the moves that lead to it from the ply
//! before: no position is worth more than it is, so every value is at or above its floor, and of the positions one move on at
//! least one lies at it. A little over a bit tells the rest. Symbols are coded by [`crate::pack`]'s coder.

use crate::board::{Board, Pits};
use crate::pack::PackError;
use crate::pack::contexts::{Counts, Distributions};
use crate::pack::rans::{Decoder, Encoder};
use crate::value::{Distance, Entry, Value};

/// Values in contexts, in steps of two.
const CODES: usize = 49;
/// Unsown pits of one player in contexts: 0 to 4.
const UNSOWN: usize = 5;
/// Excesses of the position before in contexts: 0, 1, 2, more.
const BEFORE: usize = 4;
const VALUE_CONTEXTS: usize = CODES * UNSOWN * UNSOWN * BEFORE;
const DISTANCE_CONTEXTS: usize = CODES * UNSOWN * UNSOWN;
/// Excesses of a value over its floor: 0 to 96, in steps of two.
const EXCESSES: u16 = 49;
const DISTANCES: u16 = Entry::MAX_DISTANCE + 1;

/// The distributions of a book.
pub(super) struct Model {
    values: Distributions,
    distances: Distributions,
}

/// What is known of a position before its entry is.
#[derive(Clone, Copy)]
pub(super) struct Hint {
    /// The least it can be worth.
    pub(super) floor: Value,
    /// Unsown pits of both players.
    unsown: usize,
}

impl Hint {
    pub(super) fn new(board: Board, floor: Value) -> Self {
        let flags = board.flags();
        let (own, others) = (flags.and(Pits::OWN).len(), flags.and(Pits::OPPONENT).len());
        Self { floor, unsown: own as usize * UNSOWN + others as usize }
    }

    fn value_context(self, before: u16) -> usize {
        let before = usize::from(before).min(BEFORE - 1);
        (code(self.floor) * UNSOWN * UNSOWN + self.unsown) * BEFORE + before
    }

    fn distance_context(self, value: Value) -> usize {
        code(value) * UNSOWN * UNSOWN + self.unsown
    }
}

fn code(value: Value) -> usize {
    (value.0.clamp(-48, 48) + 48) as usize / 2
}

/// The coarser context behind a value's: floor and unsown pits.
fn coarse_value(context: usize) -> usize {
    context / BEFORE
}

/// The coarser context behind a distance's: the value.
fn coarse_distance(context: usize) -> usize {
    context / (UNSOWN * UNSOWN)
}

/// How far a value lies above its floor, in steps of two; `None` if that cannot be.
pub(super) fn excess(value: Value, floor: Value) -> Option<u16> {
    let above = i16::from(value.0) - i16::from(floor.0);
    (above >= 0 && above % 2 == 0).then_some(above as u16 / 2)
}

impl Model {
    /// Counts the entries of a whole book.
    pub(super) fn train(hints: &[Hint], entries: &[Entry]) -> Self {
        let (mut values, mut distances) = (Counts::new(), Counts::new());
        let mut before = 0;
        for (hint, entry) in hints.iter().zip(entries) {
            let symbol = excess(entry.value(), hint.floor).unwrap_or_default();
            values.add(hint.value_context(before), symbol);
            if entry.value() != Value::ZERO {
                distances.add(hint.distance_context(entry.value()), entry.distance().0);
            }
            before = symbol;
        }
        Self {
            values: values.distributions(VALUE_CONTEXTS, coarse_value, 1),
            distances: distances.distributions(DISTANCE_CONTEXTS, coarse_distance, 1),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.values.write(&mut bytes);
        self.distances.write(&mut bytes);
        bytes
    }

    /// # Errors
    /// If [`Model::to_bytes`] could not have written the bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, PackError> {
        let mut rest = bytes;
        let values = Distributions::read(&mut rest, VALUE_CONTEXTS, EXCESSES, coarse_value)?;
        let distances = Distributions::read(&mut rest, DISTANCE_CONTEXTS, DISTANCES, coarse_distance)?;
        if !rest.is_empty() {
            return Err(PackError::new("model", format!("{} bytes too many", rest.len()), "its end"));
        }
        Ok(Self { values, distances })
    }

    /// The entries as bytes, each with its hint.
    pub(super) fn pack(&self, hints: &[Hint], entries: &[Entry]) -> Vec<u8> {
        let mut encoder = Encoder::default();
        let mut before = 0;
        for (hint, entry) in hints.iter().zip(entries) {
            let symbol = excess(entry.value(), hint.floor).unwrap_or_default();
            encoder.put(&self.values, hint.value_context(before), symbol);
            if entry.value() != Value::ZERO {
                encoder.put(&self.distances, hint.distance_context(entry.value()), entry.distance().0);
            }
            before = symbol;
        }
        let mut bytes = Vec::new();
        encoder.finish(&mut bytes);
        bytes
    }
}

/// Reads the entries of a book one after the other.
pub(super) struct Reader<'a> {
    model: &'a Model,
    decoder: Decoder<'a>,
    before: u16,
}

impl<'a> Reader<'a> {
    /// # Errors
    /// If the bytes are too few.
    pub(super) fn new(model: &'a Model, bytes: &'a [u8]) -> Result<Self, PackError> {
        Ok(Self { model, decoder: Decoder::new(bytes)?, before: 0 })
    }

    /// The next entry.
    ///
    /// # Errors
    /// If its value or distance is out of range.
    pub(super) fn entry(&mut self, hint: Hint) -> Result<Entry, PackError> {
        let symbol = self.decoder.get(&self.model.values, hint.value_context(self.before));
        self.before = symbol;
        let value = i32::from(hint.floor.0) + 2 * i32::from(symbol);
        if value > 48 {
            return Err(PackError::new("value in a book", value, "at most 48"));
        }
        let value = Value(value as i8);
        if value == Value::ZERO {
            return Ok(Entry::default());
        }
        let distance = self.decoder.get(&self.model.distances, hint.distance_context(value));
        if distance >= DISTANCES {
            return Err(PackError::new("distance in a book", distance, format!("below {DISTANCES}")));
        }
        Ok(Entry::new(value, Distance(distance)))
    }

    /// Checks that the bytes end here.
    ///
    /// # Errors
    /// If they do not.
    pub(super) fn finish(&self) -> Result<(), PackError> {
        self.decoder.finish()
    }
}
