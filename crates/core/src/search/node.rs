//! Positions in a line of play, and windows of scores.

use super::score::UNITS;
use super::tt::{Identity, Key};
use crate::board::Board;

/// A position in a line.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) stones: u8,
    /// Plies from the root.
    pub(super) ply: u8,
    /// The ply at which the line entered the layer it is in.
    pub(super) since: u8,
}

/// What the caller expects: scores outside need not be told apart.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Every score.
    pub(super) const OPEN: Self = Self { alpha: -49 * UNITS, beta: 49 * UNITS };

    /// The window for the position after a move that captured so much.
    #[inline]
    pub(super) const fn after(self, captured: u8) -> Self {
        let captured = captured as i32 * UNITS;
        Self { alpha: captured - self.beta, beta: captured - self.alpha }
    }

    /// Only whether the score is above alpha.
    #[inline]
    pub(super) const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window, nobody getting more than these bounds in stones: no score outside is worth telling apart.
    #[inline]
    pub(super) fn within(self, low: i8, high: i8) -> Self {
        let (least, most) = (i32::from(low) * UNITS - 1, i32::from(high) * UNITS + 1);
        Self { alpha: self.alpha.max(least), beta: self.beta.min(most) }
    }

    #[inline]
    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

impl Node {
    /// The root of a search.
    pub(super) fn root(board: Board) -> Self {
        Self { board, stones: board.total(), ply: 0, since: 0 }
    }

    /// The node after a move to this board, which leaves the layer or not.
    #[inline]
    pub(super) fn after(self, board: Board, captured: u8, leaves: bool) -> Self {
        let (ply, stones) = (self.ply + 1, self.stones - captured);
        let since = if leaves { ply } else { self.since };
        Self { board, stones, ply, since }
    }

    /// The key of the transposition table.
    #[inline]
    pub(super) fn key(self) -> Key {
        Identity::of(self.board, self.stones).key()
    }
}
