//! Unpacked blocks kept for the next probe, shared by all files of a set and by all threads.
//!
//! The cache is direct-mapped: a block has one place, a lock each, and drives out what was there. Probes of a search
//! gather in few blocks, so this is as good as a list of uses and costs one uncontended lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::value::Entry;

/// Names a block among all files open in the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockId {
    /// Number of the open file.
    pub(super) file: u64,
    /// Number of the block in it.
    pub(super) block: usize,
}

type Slot = Mutex<Option<(BlockId, Box<[Entry]>)>>;

/// The most blocks a cache can hold: far more than the complete set has.
const MOST_BLOCKS: usize = 1 << 22;

/// A bounded store of unpacked blocks.
#[derive(Debug)]
pub struct BlockCache {
    slots: Box<[Slot]>,
}

impl BlockCache {
    /// A cache for `blocks` blocks (at least one, at most four million), 2 KiB each at 1024 positions a block.
    #[must_use]
    pub fn new(blocks: usize) -> Self {
        Self { slots: (0..blocks.clamp(1, MOST_BLOCKS)).map(|_| Slot::default()).collect() }
    }

    /// Whether a beginning of the block is here.
    pub(super) fn holds(&self, id: BlockId) -> bool {
        matches!(&*self.slot(id), Some((here, _)) if *here == id)
    }

    /// The entry at place `at` of a block, if so much of the block is here.
    pub(super) fn get(&self, id: BlockId, at: usize) -> Option<Entry> {
        match &*self.slot(id) {
            Some((here, entries)) if *here == id => entries.get(at).copied(),
            _ => None,
        }
    }

    /// Keeps a block, or its beginning, unpacked.
    pub(super) fn put(&self, id: BlockId, entries: Box<[Entry]>) {
        *self.slot(id) = Some((id, entries));
    }

    fn slot(&self, id: BlockId) -> MutexGuard<'_, Option<(BlockId, Box<[Entry]>)>> {
        // Fibonacci hashing: neighbouring blocks of one file spread, and so do equal blocks of different files.
        let mixed = (id.file << 32 ^ id.block as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (mixed >> 32) as usize % self.slots.len();
        // A slot is replaced as a whole, so a panic elsewhere cannot leave one half-written.
        self.slots[at].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Distance, Value};

    #[test]
    fn a_block_is_found_until_another_takes_its_place() {
        let cache = BlockCache::new(1);
        let id = |block| BlockId { file: 1, block };
        let entries = |value| vec![Entry::new(Value(value), Distance(1)); 2].into_boxed_slice();
        cache.put(id(0), entries(5));
        assert_eq!(cache.get(id(0), 1), Some(Entry::new(Value(5), Distance(1))));
        assert_eq!(cache.get(id(0), 2), None);
        assert_eq!(cache.get(id(1), 0), None);
        cache.put(id(1), entries(6));
        assert_eq!(cache.get(id(0), 0), None);
    }
}
