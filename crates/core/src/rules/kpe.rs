//! Kpé (RULES 2): feeding, opening lock, capture by twos and fours.

use super::{Played, Rules};
use crate::board::{Board, Origin, Pit, Pits};

/// When the move that sows a player's last unsown pit may capture (RULES 2.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Unlock {
    /// That very move may.
    #[default]
    Same,
    /// Only later moves may.
    Next,
}

/// When a move feeds an opponent who has no stones (RULES 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Feed {
    /// The opponent has a stone after the move, captures included.
    #[default]
    Remains,
    /// A stone was dropped in his row.
    Sown,
}

/// The rules of Kpé under one choice of options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kpe {
    /// Treatment of the pit a long hand was lifted from.
    pub origin: Origin,
    /// When the last first sowing may capture.
    pub unlock: Unlock,
    /// What counts as feeding.
    pub feed: Feed,
}

impl Kpe {
    /// The position of the start: six stones in every pit, all of them unsown.
    #[must_use]
    pub fn start() -> Board {
        Board::new([6; 8], Pits(0xff))
    }

    /// Whether sowing `pit` gives a stone to an opponent who has none.
    fn feeds(&self, board: Board, pit: Pit) -> bool {
        match self.feed {
            Feed::Remains => !self.play(board, pit).board.own_is_empty(),
            Feed::Sown => !board.sow(pit, self.origin).0.opponent_is_empty(),
        }
    }

    #[cold]
    fn feeding_moves(&self, board: Board) -> Pits {
        let all = board.occupied().and(Pits::OWN);
        let feeding: Pits = all.into_iter().filter(|&pit| self.feeds(board, pit)).collect();
        if feeding.is_empty() { all } else { feeding }
    }
}

/// `CHAIN[capturable opponent pits][last - 4]`: the captured ones, as bits 0–3 for pits 4–7.
const CHAIN: [[u8; 4]; 16] = chain_table();

const fn chain_table() -> [[u8; 4]; 16] {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let mut last = 0;
        while last < 4 {
            let mut pit = last as i32;
            while pit >= 0 && set >> pit & 1 != 0 {
                table[set][last] |= 1 << pit;
                pit -= 1;
            }
            last += 1;
        }
        set += 1;
    }
    table
}

impl Rules for Kpe {
    const PASSES: bool = false;
    const TWO_ARMED: bool = false;

    #[inline]
    fn origin(&self) -> Origin {
        self.origin
    }

    #[inline]
    fn over(&self, board: Board) -> Option<i8> {
        board.own_is_empty().then(|| -(board.opponents() as i8))
    }

    #[inline]
    fn moves(&self, board: Board) -> Pits {
        if board.opponent_is_empty() {
            return self.feeding_moves(board);
        }
        board.occupied().and(Pits::OWN)
    }

    #[inline]
    fn may_capture(&self, board: Board, pit: Pit) -> bool {
        let unsown = board.flags().and(Pits::OWN);
        match self.unlock {
            Unlock::Same => unsown.without(pit).is_empty(),
            Unlock::Next => unsown.is_empty(),
        }
    }

    #[inline]
    fn captures(&self, sown: Board, last: Pit) -> Pits {
        if last.is_own() {
            return Pits::NONE;
        }
        Pits(CHAIN[(sown.twos_and_fours().0 >> 4) as usize][last.index() - 4] << 4)
    }

    #[inline]
    fn play(&self, board: Board, pit: Pit) -> Played {
        let (sown, last) = board.sow(pit, self.origin);
        let flagless = sown.minus(Board::from_bits(sown.bits() & 0x80 << (8 * pit.index())));
        if last.is_own() || !self.may_capture(board, pit) {
            return Played { board: flagless.rotate(), captured: 0 };
        }
        let (rest, captured) = flagless.take(self.captures(flagless, last));
        Played { board: rest.rotate(), captured }
    }
}
