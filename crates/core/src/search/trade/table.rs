//! The transposition table of the search with trades.
//!
//! # No wrong hit
//!
//! A position is eight pits of 6 bits, 8 owners, 8 pits on offer and two stores of 6 bits: 76 bits, which with what is known
//! of it do not go into one word. An entry is therefore two words, and both together hold the whole position:
//!
//! | word   | bits  | content                                                                        |
//! |--------|-------|--------------------------------------------------------------------------------|
//! | first  | all   | the board's word, with the pits on offer in bit 6 of their lanes (never 0)     |
//! | second | 58–63 | the mover's store                                                              |
//! |        | 52–57 | the opponent's store                                                           |
//! |        | 38–46 | the best move                                                                  |
//! |        | 0–37  | proven bounds, score, depth, kind of score and age, as in the table for boards |
//!
//! Nothing is hashed away, so entries of two positions differ. That the two words read are of one entry, though other threads
//! write, is ensured by a version for each bucket: it is odd while somebody writes, and goes up with each write. A reader
//! takes the version before and after; if both are not the same even number he has found nothing. A version has
//! 64 bits and does not come round again. A writer who finds the version odd or changed gives up: a table
//! may forget. The orderings are those of a sequence lock (Boehm, "Can seqlocks get along with programming language memory models?", 2012).
//!
//! A bucket is one cache line: the version, three entries, one word to spare.

use std::sync::atomic::{
    AtomicU8,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

use super::code::{code, move_of};
use crate::board::Board;
use crate::memory::{AtomicPages, Line, prefetch};
use crate::rules::Move;
use crate::rules::gore::State;
use crate::search::tt::{Hit, TranspositionError, worth};

const BUCKET_BYTES: usize = size_of::<Line>();
const LEAST_BUCKETS: usize = 1 << 10;
/// Entries in a bucket.
const WAYS: usize = 3;
const STORES_SHIFT: u32 = 52;
const MOVE_SHIFT: u32 = 38;
const MOVE_MASK: u64 = 0x1ff;
/// What an entry says of its position, the move left out.
const KNOWN: u64 = (1 << MOVE_SHIFT) - 1;

/// A position as the table knows it: all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    board: u64,
    stores: u64,
}

impl Key {
    #[inline]
    pub(super) fn of(state: State) -> Self {
        let offered = Board::each(state.offered, 0x40);
        Self {
            board: state.board.bits() | offered.bits(),
            stores: u64::from(state.own_store) << 6 | u64::from(state.other_store),
        }
    }

    #[inline]
    const fn spread(self) -> u64 {
        let x = (self.board ^ self.stores.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// What searches with trades remember of positions; shared by the threads of a search, kept from one to the next.
///
/// Searches of other rules make its proofs worthless: clear it.
#[derive(Debug)]
pub struct TradeTable {
    buckets: AtomicPages,
    age: AtomicU8,
}

impl TradeTable {
    /// The least memory a table can do with, in bytes.
    pub const LEAST_BYTES: usize = BUCKET_BYTES * LEAST_BUCKETS;

    /// A table of the largest power of two of bytes within the limit.
    ///
    /// # Errors
    /// If the limit is below [`TradeTable::LEAST_BYTES`] or the system has not so much.
    pub fn new(memory_limit: usize) -> Result<Self, TranspositionError> {
        if memory_limit < Self::LEAST_BYTES {
            return Err(TranspositionError::TooSmall { given: memory_limit, least: Self::LEAST_BYTES });
        }
        let buckets = 1 << (memory_limit / BUCKET_BYTES).ilog2();
        let pages =
            AtomicPages::zeroed(buckets).map_err(|_| TranspositionError::NoMemory { bytes: BUCKET_BYTES * buckets })?;
        Ok(Self { buckets: pages, age: AtomicU8::new(0) })
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
        self.buckets.iter().flatten().for_each(|word| word.store(0, Relaxed));
        *self.age.get_mut() = 0;
    }

    /// Makes what is in the table one search older.
    pub(super) fn begin_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) & 7, Relaxed);
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        let bits = self.buckets.len().trailing_zeros();
        (key.spread() >> (64 - bits)) as usize & (self.buckets.len() - 1)
    }

    /// Asks the processor to load what [`TradeTable::get`] will read.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(&self.buckets, self.place(key));
    }

    /// What is known of a position, and its best move.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<(Hit, Option<Move>)> {
        let bucket = &self.buckets[self.place(key)];
        let version = bucket[0].load(Acquire);
        for way in 0..WAYS {
            if bucket[1 + 2 * way].load(Relaxed) != key.board {
                continue;
            }
            let word = bucket[2 + 2 * way].load(Relaxed);
            if word >> STORES_SHIFT == key.stores {
                fence(Acquire);
                let whole = version & 1 == 0 && bucket[0].load(Relaxed) == version;
                return whole.then(|| (Hit::unpack(word & KNOWN), move_of((word >> MOVE_SHIFT & MOVE_MASK) as u16)));
            }
        }
        None
    }

    /// Stores what is known of a position, unless another thread writes to the same bucket.
    #[inline]
    pub(super) fn put(&self, key: Key, known: Hit, best: Option<Move>) {
        let age = self.age.load(Relaxed);
        let bucket = &self.buckets[self.place(key)];
        let version = bucket[0].load(Relaxed);
        let free = version & 1 == 0;
        if !free || bucket[0].compare_exchange(version, version + 1, Acquire, Relaxed).is_err() {
            return;
        }
        fence(Release);
        let mut best = best.map_or(0, code);
        let (mut victim, mut least) = (0, u64::MAX);
        for way in 0..WAYS {
            let word = bucket[2 + 2 * way].load(Relaxed);
            if bucket[1 + 2 * way].load(Relaxed) == key.board && word >> STORES_SHIFT == key.stores {
                if best == 0 {
                    best = (word >> MOVE_SHIFT & MOVE_MASK) as u16;
                }
                victim = way;
                break;
            }
            let worth = worth(word & KNOWN, age);
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        let word = key.stores << STORES_SHIFT | u64::from(best) << MOVE_SHIFT | known.pack(age);
        bucket[1 + 2 * victim].store(key.board, Relaxed);
        bucket[2 + 2 * victim].store(word, Relaxed);
        bucket[0].store(version + 2, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::search::tt::Bound;

    fn state(i: u64) -> State {
        let pits = [i % 5, i / 5 % 5, i / 25 % 5, i / 125 % 5, 3, 2, 1, 0].map(|stones| stones as u8);
        let offered = if i.is_multiple_of(3) { Pits(0x30) } else { Pits::NONE };
        let own_store = (i % 7) as u8;
        State { board: Board::new(pits, Pits(0x0f)), own_store, other_store: 20 - own_store, offered }
    }

    fn known(i: u64) -> Hit {
        let low = (state(i).board.bits() % 41) as i8 - 40;
        Hit { low, high: low + 3, score: i16::from(low) * 4, depth: (i % 100) as u8, bound: Bound::Both, best: None }
    }

    #[test]
    fn a_position_comes_back_with_what_was_stored() {
        let table = TradeTable::new(TradeTable::LEAST_BYTES).unwrap();
        let mut kept = 0;
        for i in 0..4375 {
            let best = Some(Move::Offer(Pits((i % 255) as u8 + 1)));
            table.put(Key::of(state(i)), known(i), best);
            assert_eq!(table.get(Key::of(state(i))), Some((known(i), best)));
            let earlier = i.wrapping_mul(0x5851_f42d_4c95_7f2d) % (i + 1);
            let Some((hit, _)) = table.get(Key::of(state(earlier))) else { continue };
            assert_eq!(hit, known(earlier));
            kept += 1;
        }
        assert!(kept > 1000, "{kept}");
        table.put(Key::of(state(4374)), known(4374), None);
        let best = table.get(Key::of(state(4374))).unwrap().1;
        assert_eq!(best, Some(Move::Offer(Pits((4374 % 255) as u8 + 1))), "a move is kept if there is no new one");
    }

    #[test]
    fn everything_tells_positions_apart() {
        let one = state(3);
        let others = [
            State { own_store: one.own_store + 1, ..one },
            State { other_store: one.other_store - 1, ..one },
            State { offered: Pits(0x10), ..one },
            State { board: one.board.with_flags(Pits(0x07)), ..one },
            State { board: one.board.plus(Board::single(crate::board::Pit::new(2), 1)), ..one },
        ];
        assert!(others.into_iter().all(|other| Key::of(other) != Key::of(one)));
    }

    /// Threads that write and read the same few buckets never read what was not written as one.
    #[test]
    fn threads_never_read_half_an_entry() {
        let table = TradeTable::new(TradeTable::LEAST_BYTES).unwrap();
        std::thread::scope(|scope| {
            for seed in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for step in 0..200_000u64 {
                        let i = (step * 7919 + seed * 13) % 4375;
                        table.put(Key::of(state(i)), known(i), None);
                        let j = (step * 104_729 + seed) % 4375;
                        if let Some((hit, _)) = table.get(Key::of(state(j))) {
                            assert_eq!(hit, known(j));
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn too_little_memory_is_refused() {
        let given = TradeTable::LEAST_BYTES - 1;
        assert_eq!(TradeTable::new(given).err(), Some(TranspositionError::TooSmall { given, least: given + 1 }));
    }
}
