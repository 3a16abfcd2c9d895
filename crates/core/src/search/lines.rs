//! The principal variations of one thread's search: by ply, the moves expected from there on.

use super::MAX_PLY;

/// Moves by ply, each in whatever code the game's search has for it.
pub(super) struct Lines<C> {
    codes: Box<[[C; MAX_PLY + 1]]>,
    lengths: [u8; MAX_PLY + 2],
}

impl<C: Copy + Default> Lines<C> {
    /// No line is known.
    pub(super) fn new() -> Self {
        let codes = vec![[C::default(); MAX_PLY + 1]; MAX_PLY + 2].into_boxed_slice();
        Self { codes, lengths: [0; MAX_PLY + 2] }
    }

    /// Forgets the line from `ply` on.
    #[inline]
    pub(super) fn clear(&mut self, ply: u8) {
        self.lengths[usize::from(ply)] = 0;
    }

    /// The line at `ply` is this move and then the line at the next one.
    #[cold]
    pub(super) fn keep(&mut self, ply: u8, code: C) {
        let ply = usize::from(ply);
        let length = usize::from(self.lengths[ply + 1]).min(MAX_PLY);
        let (above, below) = self.codes.split_at_mut(ply + 1);
        above[ply][0] = code;
        above[ply][1..=length].copy_from_slice(&below[0][..length]);
        self.lengths[ply] = length as u8 + 1;
    }

    /// The line from `ply` on.
    pub(super) fn from(&self, ply: usize) -> &[C] {
        &self.codes[ply][..usize::from(self.lengths[ply])]
    }
}
