//! Moves taken back: the positions of the same layer from which a position can arise.

use crate::board::{Board, MAX_STONES, Origin, Pit, Pits};
use crate::rules::Rules;

/// What un-sowing needs to know of the layer a position lies in.
#[derive(Clone, Copy)]
pub(super) struct Unsowing<R> {
    rules: R,
    /// Opponent's pits he has sown from: only they can have been the origin of an inner move.
    origins: Pits,
    /// Own pits in which a last stone captures when it makes two or four; empty if the opponent is locked.
    traps: Pits,
    /// The base of the predecessors' layer.
    base: Board,
}

impl<R: Rules> Unsowing<R> {
    /// For positions whose unsown pits are `unsown`; `base` is that of the mirror layer.
    pub(super) fn new(rules: R, unsown: Pits, base: Board) -> Self {
        let locked = !unsown.and(Pits::OPPONENT).is_empty();
        let traps = if locked { Pits::NONE } else { Pits(Pits::OWN.0 & !unsown.0) };
        Self { rules, origins: Pits(Pits::OPPONENT.0 & !unsown.0), traps, base }
    }

    /// Whether `loose` can have predecessors at all; cheap, and never wrongly `false`.
    #[inline]
    pub(super) fn is_possible(&self, loose: Board) -> bool {
        match self.rules.origin() {
            Origin::Skip => self.origins.0 & !loose.occupied().0 != 0,
            Origin::Sow => true,
        }
    }

    /// Calls `found` with each predecessor of `loose` inside the layer (a loose board, mover's view).
    #[inline]
    pub(super) fn each(&self, loose: Board, mut found: impl FnMut(Board)) {
        let barred = loose.twos_and_fours().and(self.traps);
        match self.rules.origin() {
            Origin::Skip => {
                for pit in Pits(self.origins.0 & !loose.occupied().0) {
                    self.unsow(loose, pit, 0, barred, &mut found);
                }
            }
            Origin::Sow => {
                for pit in self.origins {
                    self.unsow(loose, pit, loose.stones(pit), barred, &mut found);
                }
            }
        }
        if R::PASSES && loose.opponent_is_empty() {
            found(loose.rotate());
        }
    }

    /// Takes back all sowings from `pit` that left `laps` stones in it.
    #[inline]
    fn unsow(&self, loose: Board, pit: Pit, laps: u8, barred: Pits, found: &mut impl FnMut(Board)) {
        let origin = self.rules.origin();
        let mut rest = loose.bits();
        let mut stones = 0;
        if laps > 0 {
            // Every full lap gave each pit one stone; the hand was at least that long.
            if laps > MAX_STONES / 8 {
                return;
            }
            stones = 8 * laps;
            match loose.checked_minus(origin.sown(pit, stones)) {
                Some(board) => rest = board.bits(),
                None => return,
            }
            self.found_at(rest, pit, stones, barred, found);
        }
        loop {
            stones += 1;
            let last = pit.ahead(origin.last(stones));
            let one = 1u64 << (8 * last.index());
            if last == pit || rest & (one * 0x3f) == 0 {
                return;
            }
            rest -= one;
            self.found_at(rest, pit, stones, barred, found);
        }
    }

    /// One candidate: `rest` is the board before the hand of `stones` lay in `pit`.
    #[inline]
    fn found_at(&self, rest: u64, pit: Pit, stones: u8, barred: Pits, found: &mut impl FnMut(Board)) {
        if barred.contains(pit.ahead(self.rules.origin().last(stones))) {
            return;
        }
        let before = Board::from_bits(rest).plus(Board::single(pit, stones)).rotate();
        // Obliged to feed? Rare, so the rules themselves are asked.
        if before.opponent_is_empty() {
            let full = before.plus(self.base);
            if full.opponent_is_empty() && !self.rules.moves(full).contains(pit.opposite_view()) {
                return;
            }
        }
        found(before);
    }
}
