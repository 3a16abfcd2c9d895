//! Goré without trades (RULES 3), written down plainly for tests of passing; both players keep their rows, no flag is used.

use kpe::board::{Board, Origin, Pit, Pits};
use kpe::rules::{Played, Rules};

/// Goré with `origin=skip,trade=off`.
#[derive(Clone, Copy, Debug)]
pub struct PlainGore;

impl Rules for PlainGore {
    const PASSES: bool = true;

    fn origin(&self) -> Origin {
        Origin::Skip
    }

    fn over(&self, board: Board) -> Option<i8> {
        let over = board.lanes().iter().all(|&stones| stones < 3);
        over.then(|| board.own() as i8 - board.opponents() as i8)
    }

    fn moves(&self, board: Board) -> Pits {
        board.occupied().and(Pits::OWN)
    }

    fn may_capture(&self, _: Board, _: Pit) -> bool {
        true
    }

    fn captures(&self, sown: Board, last: Pit) -> Pits {
        let capturable = sown.twos_and_fours();
        if last.is_own() || !capturable.contains(last) {
            return Pits::NONE;
        }
        let mut taken = Pits::NONE.with(last);
        for step in [1, 7] {
            let mut pit = last.ahead(step);
            while capturable.contains(pit) && !taken.contains(pit) {
                taken = taken.with(pit);
                pit = pit.ahead(step);
            }
        }
        taken
    }

    fn play(&self, board: Board, pit: Pit) -> Played {
        let (sown, last) = board.sow(pit, Origin::Skip);
        let (rest, captured) = sown.take(self.captures(sown, last));
        Played { board: rest.rotate(), captured }
    }
}
