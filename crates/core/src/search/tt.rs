//! The transposition table: what the search has found out about positions, shared by all its threads.
//!
//! An entry is one `AtomicU64`, read and written whole with relaxed ordering: no lock, no torn entry, no checksum.
//!
//! # No wrong hit
//!
//! A position is its flags (8 bits), its stones (6 bits) and its number within the layer (at most C(55, 7) < 2^28):
//! an *identity* of 42 bits, different for different positions. [`mix`] is a bijection on 42 bits. The upper k bits of a
//! mixed identity select one of 2^k buckets, the lower 42 − k bits are stored. Bucket and stored bits together are
//! the mixed identity and so the position itself: two positions can never be taken for each other. With at least
//! 2^16 buckets the stored part has at most 26 bits, which leaves 38 for what is known:
//!
//! | bits  | content                                                                       |
//! |-------|-------------------------------------------------------------------------------|
//! | 38–63 | the lower 42 − k bits of the mixed identity                                   |
//! | 31–37 | proven lower bound in stones, plus 64 (never 0, so no entry is the word 0)    |
//! | 24–30 | proven upper bound in stones, plus 64                                         |
//! | 15–23 | score in quarters of a stone, plus 256                                        |
//! | 8–14  | depth of the search the score comes from                                      |
//! | 6–7   | what the score is: nothing, at least, at most, the value at that depth        |
//! | 3–5   | best move (0–3 pit, 4 none)                                                   |
//! | 0–2   | age                                                                           |
//!
//! Proven bounds are true of the position for ever, by whichever line it was reached (see `score.rs`); a score is
//! an estimate and binds only a search that is content with its depth.
//!
//! # Replacement
//!
//! A bucket is one cache line of eight entries. A position already there is overwritten (the proven bounds were read
//! before and are handed back merged, the move is kept if there is no new one). Else an empty entry is taken, else
//! the one with the least depth, each search since it was last written counting as eight plies less. Ages count
//! searches modulo 8.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::board::{Board, MAX_STONES};
use crate::index::{self, UNSOWN_STONES};
use crate::memory::{AtomicPages, Line, prefetch};

const IDENTITY_BITS: u32 = 42;
const IDENTITY: u64 = (1 << IDENTITY_BITS) - 1;
/// Entries in a bucket.
const WAYS: usize = 8;
const BUCKET_BYTES: usize = size_of::<Line>();
const LEAST_INDEX_BITS: u32 = 16;
const MOST_INDEX_BITS: u32 = 36;
const DATA_BITS: u32 = 38;
/// Plies of depth that a search since the last write weighs.
const AGE_WEIGHT: u64 = 8;
/// Written for no best move.
const NO_MOVE: u8 = 4;

/// Why there is no transposition table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranspositionError {
    /// The limit leaves too few buckets to store whole identities.
    #[error("a transposition table needs {least} bytes at least, not {given}; raise the memory limit")]
    TooSmall {
        /// Bytes allowed.
        given: usize,
        /// Bytes needed.
        least: usize,
    },
    /// The system refused the memory.
    #[error("the system has no {bytes} bytes for the transposition table; lower the memory limit")]
    NoMemory {
        /// Bytes asked for.
        bytes: usize,
    },
}

/// A position as the table knows it: its mixed identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key(u64);

impl Key {
    /// The mixed identity.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }
}

/// Flags, stones and number of a position: everything that tells it from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Identity {
    pub(super) flags: u8,
    pub(super) stones: u8,
    pub(super) number: u32,
}

impl Identity {
    /// The identity of a board that holds so many stones.
    #[inline]
    pub(super) fn of(board: Board, stones: u8) -> Self {
        debug_assert_eq!(board.total(), stones);
        let flags = board.bits() & 0x8080_8080_8080_8080;
        // Six stones and the flag off every unsown pit, as `Layer::base` has them.
        let loose = Board::from_bits(board.bits() - flags - (flags >> 7) * u64::from(UNSOWN_STONES));
        Self { flags: board.flags().0, stones, number: index::rank(loose) }
    }

    /// The key of the table.
    #[inline]
    pub(super) fn key(self) -> Key {
        Key(mix(u64::from(self.flags) << 34 | u64::from(self.stones) << 28 | u64::from(self.number)))
    }
}

/// A bijection on 42 bits: odd multiplications and an exclusive-or with the upper half can each be undone.
#[inline]
const fn mix(identity: u64) -> u64 {
    let mut x = identity.wrapping_mul(0x2c8_9e37_79b9) & IDENTITY;
    x ^= x >> 21;
    x = x.wrapping_mul(0x1d3_5a2d_4c95) & IDENTITY;
    x ^ x >> 21
}

/// What a stored score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// There is no score.
    None,
    /// The score is a lower estimate.
    Lower,
    /// The score is an upper estimate.
    Upper,
    /// The score lay within its window.
    Both,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hit {
    pub(super) low: i8,
    pub(super) high: i8,
    pub(super) score: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move's pit, 0–3.
    pub(super) best: Option<u8>,
}

impl Hit {
    #[inline]
    pub(super) fn pack(self, age: u8) -> u64 {
        ((i64::from(self.low) + 64) as u64) << 31
            | ((i64::from(self.high) + 64) as u64) << 24
            | ((i64::from(self.score) + 256) as u64) << 15
            | u64::from(self.depth & 0x7f) << 8
            | (self.bound as u64) << 6
            | u64::from(self.best.unwrap_or(NO_MOVE)) << 3
            | u64::from(age)
    }

    #[inline]
    pub(super) fn unpack(word: u64) -> Self {
        let best = (word >> 3) as u8 & 7;
        Self {
            low: (word >> 31 & 0x7f) as i8 - 64,
            high: (word >> 24 & 0x7f) as i8 - 64,
            score: (word >> 15 & 0x1ff) as i16 - 256,
            depth: (word >> 8) as u8 & 0x7f,
            bound: match word >> 6 & 3 {
                0 => Bound::None,
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Both,
            },
            best: (best < NO_MOVE).then_some(best),
        }
    }
}

/// How much an entry, as [`Hit::pack`] has it, deserves to be kept at this age; an empty one least.
#[inline]
pub(super) const fn worth(word: u64, age: u8) -> u64 {
    let searches = (age as u64).wrapping_sub(word) & 7;
    if word == 0 { 0 } else { (word >> 8 & 0x7f) + 8 * AGE_WEIGHT - searches * AGE_WEIGHT }
}

/// The table. Sharing it between searches of different rules, options or tables makes its proofs worthless: clear it.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: AtomicPages,
    index_bits: u32,
    age: AtomicU8,
}

impl TranspositionTable {
    /// The least memory a table can do with, in bytes.
    pub const LEAST_BYTES: usize = BUCKET_BYTES << LEAST_INDEX_BITS;

    /// A table of the largest power of two of bytes within the limit. The memory is taken from the system zeroed, page by
    /// page as it is first used, on huge pages if it grants them.
    ///
    /// # Errors
    /// If the limit is below [`TranspositionTable::LEAST_BYTES`] or the system has not so much.
    pub fn new(memory_limit: usize) -> Result<Self, TranspositionError> {
        if memory_limit < Self::LEAST_BYTES {
            return Err(TranspositionError::TooSmall { given: memory_limit, least: Self::LEAST_BYTES });
        }
        let index_bits = (memory_limit / BUCKET_BYTES).ilog2().min(MOST_INDEX_BITS);
        let buckets = AtomicPages::zeroed(1 << index_bits)
            .map_err(|_| TranspositionError::NoMemory { bytes: BUCKET_BYTES << index_bits })?;
        Ok(Self { buckets, index_bits, age: AtomicU8::new(0) })
    }

    /// Takes the memory from the system now.
    pub fn make_ready(&self) {
        self.buckets.touch();
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.iter().flatten().for_each(|entry| entry.store(0, Relaxed));
        *self.age.get_mut() = 0;
    }

    /// Makes what is in the table one search older.
    pub(super) fn begin_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) & 7, Relaxed);
    }

    /// Share of a sample of the entries that the current search wrote, in thousandths.
    #[must_use]
    pub fn fill(&self) -> u32 {
        let age = u64::from(self.age.load(Relaxed));
        let sample = &self.buckets[..1000];
        let used = sample.iter().flatten().filter(|entry| {
            let word = entry.load(Relaxed);
            word != 0 && word & 7 == age
        });
        (used.count() / WAYS) as u32
    }

    #[inline]
    fn place(&self, key: Key) -> (&Line, u64) {
        let rest_bits = IDENTITY_BITS - self.index_bits;
        // The mask changes nothing: it spares the bounds check.
        let bucket = &self.buckets[(key.0 >> rest_bits) as usize & (self.buckets.len() - 1)];
        (bucket, key.0 & ((1 << rest_bits) - 1))
    }

    /// Asks the processor to load what [`TranspositionTable::get`] will read.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(&self.buckets, (key.0 >> (IDENTITY_BITS - self.index_bits)) as usize);
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Hit> {
        let (bucket, rest) = self.place(key);
        for entry in bucket {
            let word = entry.load(Relaxed);
            if word >> DATA_BITS == rest && word != 0 {
                return Some(Hit::unpack(word));
            }
        }
        None
    }

    /// Stores what is known of a position.
    #[inline]
    pub(super) fn put(&self, key: Key, mut known: Hit) {
        debug_assert!(known.low <= known.high && known.high.unsigned_abs() <= MAX_STONES);
        let age = self.age.load(Relaxed);
        let (bucket, rest) = self.place(key);
        let mut victim = 0;
        let mut least = u64::MAX;
        for (i, entry) in bucket.iter().enumerate() {
            let word = entry.load(Relaxed);
            if word >> DATA_BITS == rest && word != 0 {
                known.best = known.best.or(Hit::unpack(word).best);
                victim = i;
                break;
            }
            let worth = worth(word, age);
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        bucket[victim].store(rest << DATA_BITS | known.pack(age), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::index::Layer;
    use proptest::prelude::*;

    /// The inverse of an odd number modulo 2^42, by Newton's iteration.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))) & IDENTITY
    }

    fn unmix(mixed: u64) -> u64 {
        let mut x = mixed ^ mixed >> 21;
        x = x.wrapping_mul(inverse(0x1d3_5a2d_4c95)) & IDENTITY;
        x ^= x >> 21;
        x.wrapping_mul(inverse(0x2c8_9e37_79b9)) & IDENTITY
    }

    fn hit() -> impl Strategy<Value = Hit> {
        let bound = prop_oneof![Just(Bound::None), Just(Bound::Lower), Just(Bound::Upper), Just(Bound::Both)];
        (-48i8..=48, -48i8..=48, -192i16..=192, 0u8..128, bound, proptest::option::of(0u8..4)).prop_map(
            |(a, b, score, depth, bound, best)| Hit { low: a.min(b), high: a.max(b), score, depth, bound, best },
        )
    }

    proptest! {
        #[test]
        fn mixing_loses_nothing(identity in 0..=IDENTITY) {
            prop_assert!(mix(identity) <= IDENTITY);
            prop_assert_eq!(unmix(mix(identity)), identity);
        }

        #[test]
        fn an_entry_survives_its_word(hit in hit(), age in 0u8..8) {
            prop_assert_eq!(Hit::unpack(hit.pack(age)), hit);
            prop_assert!(hit.pack(age) != 0 && hit.pack(age) >> DATA_BITS == 0);
        }

        #[test]
        fn identities_are_those_of_the_layers(unsown in any::<u8>(), stones in 0u8..=48, at in any::<u32>()) {
            if let Some(layer) = Layer::new(Pits(unsown), stones) {
                let number = at % layer.positions();
                let identity = Identity::of(layer.unrank(number), stones);
                prop_assert_eq!(identity, Identity { flags: unsown, stones, number });
            }
        }
    }

    /// Whatever was put in last under an identity comes out, or nothing; never what belongs to another.
    #[test]
    fn no_identity_answers_for_another() {
        let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
        let key = |i: u64| {
            // Identities that fall into few buckets, so that they fight for room.
            let mixed = (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 & 3) << 26 | i;
            Key(mixed)
        };
        let known = |i: u64| Hit {
            low: (i % 7) as i8 - 3,
            high: (i % 11) as i8 + 4,
            score: (i % 300) as i16 - 150,
            depth: (i % 120) as u8,
            bound: Bound::Both,
            best: Some((i & 3) as u8),
        };
        let mut found = 0;
        for i in 0..60_000u64 {
            table.put(key(i), known(i));
            assert_eq!(table.get(key(i)), Some(known(i)));
            let earlier = i.wrapping_mul(0x5851_f42d_4c95_7f2d) % (i + 1);
            if let Some(hit) = table.get(key(earlier)) {
                assert_eq!(hit, known(earlier));
                found += 1;
            }
        }
        assert!(found > 5, "{found}");
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
        let known = |depth| Hit { low: -1, high: 1, score: 0, depth, bound: Bound::Both, best: None };
        for i in 0..8 {
            table.put(Key(i), known(10 + i as u8));
        }
        table.put(Key(8), known(1));
        assert_eq!((table.get(Key(0)), table.get(Key(1)).is_some()), (None, true));
        for _ in 0..3 {
            table.begin_search();
        }
        table.put(Key(9), known(1));
        table.put(Key(10), known(1));
        assert!(table.get(Key(9)).is_some() && table.get(Key(8)).is_none() && table.get(Key(1)).is_none());
    }

    #[test]
    fn too_little_memory_is_refused() {
        let given = TranspositionTable::LEAST_BYTES - 1;
        let error = TranspositionTable::new(given).err();
        assert_eq!(error, Some(TranspositionError::TooSmall { given, least: given + 1 }));
        assert_eq!(TranspositionTable::new(3 * (given + 1)).unwrap().bytes(), 2 * (given + 1));
    }
}
