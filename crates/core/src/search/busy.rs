//! Which positions the threads of a search are at, so that they do not all search the same one at the same time.
//!
//! Before a thread searches a move that is not the first of its position it looks whether another one is at the position that the
//! move leads to. If so it puts the move off until it has tried the others; by then the transposition table may know the
//! result. (Simplified ABDADA, after J.-C. Weill and T. Kerrigan.)
//!
//! Nothing is proven from this: a slot that is lost to another position costs time only.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::tt::Key;

/// Slots; far more than threads have positions in hand.
const SLOTS: usize = 1 << 12;

/// The positions that are being searched.
pub(super) struct Busy {
    /// By the low bits of the key: the key plus one, 0 for none. No slots if there is one thread only.
    slots: Box<[AtomicU64]>,
}

impl Busy {
    /// Nothing is being searched; with one thread nothing will be said to be.
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether several threads search.
    #[inline]
    pub(super) const fn is_shared(&self) -> bool {
        !self.slots.is_empty()
    }

    #[inline]
    fn slot(&self, key: Key) -> Option<(&AtomicU64, u64)> {
        let bits = key.bits();
        self.slots.get(bits as usize & (SLOTS - 1)).map(|slot| (slot, bits + 1))
    }

    /// Whether a thread is at this position.
    #[inline]
    pub(super) fn has(&self, key: Key) -> bool {
        self.slot(key).is_some_and(|(slot, word)| slot.load(Relaxed) == word)
    }

    /// A thread begins with this position.
    #[inline]
    pub(super) fn enter(&self, key: Key) {
        if let Some((slot, word)) = self.slot(key) {
            slot.store(word, Relaxed);
        }
    }

    /// The thread is done with it.
    #[inline]
    pub(super) fn leave(&self, key: Key) {
        if let Some((slot, word)) = self.slot(key)
            && slot.load(Relaxed) == word
        {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Pits};
    use crate::search::tt::Identity;

    #[test]
    fn a_position_is_busy_from_entering_to_leaving() {
        let key = |lanes| Identity::of(Board::new(lanes, Pits::NONE), 8).key();
        let (one, other) = (key([8, 0, 0, 0, 0, 0, 0, 0]), key([0, 8, 0, 0, 0, 0, 0, 0]));
        let busy = Busy::new(2);
        busy.enter(one);
        assert!(busy.has(one) && !busy.has(other));
        busy.leave(other);
        assert!(busy.has(one));
        busy.leave(one);
        assert!(!busy.has(one));
        let alone = Busy::new(1);
        alone.enter(one);
        assert!(!alone.has(one) && !alone.is_shared());
    }
}
