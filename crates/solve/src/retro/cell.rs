//! What the solver knows of one position while its layer is being solved, in the 16-bit word of an [`Entry`].

use crate::value::{Distance, Entry, Value};

/// A position of the layer in hand: final (its word is the [`Entry`]) or open with its best exit and open moves.
///
/// Layout of an open cell: bits 9–15 the best exit plus 64 (0: no exit), bits 0–8 511 minus the number of moves
/// inside the layer whose outcome is still open. Distances above [`Entry::MAX_DISTANCE`] tell the two apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Cell(u16);

/// The best exit of a position without one: worse than any value.
pub(super) const NO_EXIT: i8 = -64;

impl Cell {
    /// An open position with this best exit (or [`NO_EXIT`]) and number of open inner moves.
    #[inline]
    pub(super) fn open(exit: i8, inner: u8) -> Self {
        Self(((exit + 64) as u16) << 9 | (511 - u16::from(inner)))
    }

    /// A position whose value and distance are known.
    #[inline]
    pub(super) fn decided(value: i8, distance: u16) -> Self {
        Self(bytemuck::cast(Entry::new(Value(value), Distance(distance))))
    }

    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.0 & 0x1ff > Entry::MAX_DISTANCE
    }

    /// Best exit of an open cell.
    #[inline]
    pub(super) fn exit(self) -> i8 {
        (self.0 >> 9) as i8 - 64
    }

    /// Open inner moves of an open cell.
    #[inline]
    pub(super) fn inner(self) -> u8 {
        (511 - (self.0 & 0x1ff)) as u8
    }

    /// The open cell with one inner move fewer.
    #[inline]
    pub(super) fn one_fewer(self) -> Self {
        Self(self.0 + 1)
    }

    /// What the table says once nothing more can be decided: exits speak for themselves, the rest is a draw.
    #[inline]
    pub(super) fn settle(self) -> Entry {
        if !self.is_open() {
            return bytemuck::cast(self.0);
        }
        let exit = self.exit();
        if exit > 0 || (self.inner() == 0 && exit != 0) {
            Entry::new(Value(exit), Distance(1))
        } else {
            Entry::new(Value::ZERO, Distance(0))
        }
    }
}
