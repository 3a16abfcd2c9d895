//! Runs: stretches of consecutive positions that differ in pits 3 and 7 only, and their moves all at once.
//!
//! A sowing from pit 0, 1 or 2 does the same to every position of a run but for what it captures in pits 3 and 7,
//! and its children are a stretch of another layer, or of the same, in reverse order. So one sowing and one rank
//! serve a dozen positions. Only pit 3 is sown position by position.

use crate::board::{Board, Pit, Pits};
use crate::index::{self, RUN_PIT};
use crate::rules::Rules;

/// Most positions a run can have.
pub const LONGEST_RUN: usize = 49;
const PIT_7: Pit = Pit::new(7);

/// Consecutive positions of a layer in which pit 3 counts up from nothing while pit 7 counts down.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    board: Board,
}

impl Run {
    /// The first run of the boards with `stones` loose stones.
    #[must_use]
    pub fn first(stones: u8) -> Self {
        Self { board: index::unrank(0, stones) }
    }

    /// The run that holds `loose`.
    #[must_use]
    pub fn of(loose: Board) -> Self {
        let own = loose.stones(RUN_PIT);
        let moved = Board::single(RUN_PIT, own);
        Self { board: loose.minus(moved).plus(Board::single(PIT_7, own)) }
    }

    /// Number of positions in the run.
    #[inline]
    #[must_use]
    pub fn positions(&self) -> usize {
        self.board.stones(PIT_7) as usize + 1
    }

    /// Most stones pit 3 has in the run.
    #[inline]
    #[must_use]
    pub fn most(&self) -> u8 {
        self.board.stones(PIT_7)
    }

    /// The loose board with `own` stones in pit 3.
    #[inline]
    #[must_use]
    pub fn at(&self, own: u8) -> Board {
        const STEP: u64 = (1 << 56) - (1 << 24);
        Board::from_bits(self.board.bits() - u64::from(own) * STEP)
    }

    /// The run that follows in the numbering, `None` after the last.
    #[inline]
    #[must_use]
    pub fn next(&self) -> Option<Self> {
        // Pits 2 6 1 5 0 4: the first with a stone gives one to the pit before it, which also gets the run's own.
        const SLOWER: [u32; 7] = [7, 2, 6, 1, 5, 0, 4];
        let bits = self.board.bits();
        let stones = bits >> 56;
        let at = (1..7).find(|&at| bits >> (8 * SLOWER[at]) & 0x3f != 0)?;
        let emptied = (bits & !(0xff << 56)) - (1 << (8 * SLOWER[at]));
        Some(Self { board: Board::from_bits(emptied + ((stones + 1) << (8 * SLOWER[at - 1]))) })
    }

    /// Whether some position of the run may be over, oblige to feed or force a pass: then [`Self::sowings`] does not
    /// say which moves are legal. `base` is the layer's.
    #[inline]
    pub fn is_special<R: Rules>(&self, rules: R, base: Board) -> bool {
        const CONSTANT: u64 = 0x00ff_ffff_00ff_ffff;
        let board = Board::from_bits(self.board.plus(base).bits() & CONSTANT);
        board.own_is_empty() || board.opponent_is_empty() || rules.over(board).is_some()
    }

    /// Every sowing of every position: `found(pit, from, to, captures)` says that the positions with `from` to `to`
    /// stones in pit 3 can sow `pit` and take the stones of `captures`.
    #[inline]
    pub fn sowings<R: Rules>(&self, rules: R, base: Board, mut found: impl FnMut(Pit, u8, u8, Pits)) {
        let board = self.board.plus(base);
        for pit in [Pit::new(0), Pit::new(1), Pit::new(2)] {
            if board.stones(pit) > 0 {
                self.constant_sowing(rules, base, pit, &mut found);
            }
        }
        let may_capture = rules.may_capture(board, RUN_PIT);
        let first = u8::from(board.stones(RUN_PIT) == 0);
        for own in first..=self.most() {
            let (sown, last) = self.at(own).plus(base).sow(RUN_PIT, rules.origin());
            let captures = if last.is_own() || !may_capture { Pits::NONE } else { rules.captures(sown, last) };
            found(RUN_PIT, own, own, captures);
        }
    }

    /// A sowing from pit 0, 1 or 2.
    #[inline]
    fn constant_sowing<R: Rules>(&self, rules: R, base: Board, pit: Pit, found: &mut impl FnMut(Pit, u8, u8, Pits)) {
        let board = self.board.plus(base);
        let (sown, last) = board.sow(pit, rules.origin());
        if last.is_own() || !rules.may_capture(board, pit) {
            found(pit, 0, self.most(), Pits::NONE);
        } else if last == PIT_7 {
            self.sowing_into_pit_7(rules, base, pit, sown.stones(PIT_7), found);
        } else {
            let captures = rules.captures(sown, last);
            // Beside a captured pit lies one that changes along the run: each position for itself.
            if R::TWO_ARMED && !captures.and(Pits(0b1101_1000)).is_empty() {
                (0..=self.most()).for_each(|own| found(pit, own, own, self.captures_at(rules, base, pit, own)));
            } else {
                found(pit, 0, self.most(), captures);
            }
        }
    }

    /// Only where pit 7 comes to two or four is anything captured; it holds `reached` where pit 3 has nothing.
    #[inline]
    fn sowing_into_pit_7<R: Rules>(
        &self,
        rules: R,
        base: Board,
        pit: Pit,
        reached: u8,
        found: &mut impl FnMut(Pit, u8, u8, Pits),
    ) {
        let mut from = 0;
        for target in [4, 2] {
            let Some(own) = reached.checked_sub(target).filter(|&own| own <= self.most()) else { continue };
            if own > from {
                found(pit, from, own - 1, Pits::NONE);
            }
            found(pit, own, own, self.captures_at(rules, base, pit, own));
            from = own + 1;
        }
        if from <= self.most() {
            found(pit, from, self.most(), Pits::NONE);
        }
    }

    fn captures_at<R: Rules>(&self, rules: R, base: Board, pit: Pit, own: u8) -> Pits {
        let (sown, last) = self.at(own).plus(base).sow(pit, rules.origin());
        rules.captures(sown, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Layer, successor};
    use crate::rules::kpe::Kpe;
    use std::collections::BTreeMap;

    #[test]
    fn runs_cover_a_layer_in_order() {
        let mut run = Some(Run::first(13));
        let mut board = Some(index::unrank(0, 13));
        while let Some(current) = run {
            for own in 0..=current.most() {
                assert_eq!(board, Some(current.at(own)));
                assert_eq!(Run::of(current.at(own)).at(0), current.at(0));
                board = board.and_then(successor);
            }
            run = current.next();
        }
        assert_eq!(board, None);
    }

    #[test]
    fn sowings_of_a_run_are_those_of_its_positions() {
        for (unsown, stones) in [(0u8, 14), (0x01, 17), (0x08, 18), (0x80, 16), (0x11, 24), (0x0c, 21)] {
            let layer = Layer::new(Pits(unsown), stones).unwrap();
            let mut run = Some(Run::first(layer.loose_stones()));
            while let Some(current) = run {
                let mut found: BTreeMap<(u8, usize), u8> = BTreeMap::new();
                current.sowings(Kpe::default(), layer.base(), |pit, from, to, captures| {
                    for own in from..=to {
                        let sown = current.at(own).plus(layer.base()).sow(pit, Kpe::default().origin).0;
                        assert_eq!(found.insert((own, pit.index()), sown.take(captures).1), None);
                    }
                });
                for own in 0..=current.most() {
                    let board = current.at(own).plus(layer.base());
                    for pit in board.occupied().and(Pits::OWN) {
                        let captured = Kpe::default().play(board, pit).captured;
                        assert_eq!(found.remove(&(own, pit.index())), Some(captured), "{board:?} {pit:?}");
                    }
                }
                assert!(found.is_empty());
                run = current.next();
            }
        }
    }
}
