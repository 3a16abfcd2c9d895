//! Moves of the full game as small numbers, for tables and lines of play.

use crate::board::{Pit, Pits};
use crate::rules::Move;

const SOW: u16 = 1;
const PASS: u16 = 9;
const ACCEPT: u16 = 10;
const DECLINE: u16 = 11;
const OFFER: u16 = 0x100;

/// The number of a move: below 2^9, never 0, which stands for none.
#[inline]
pub(super) const fn code(action: Move) -> u16 {
    match action {
        Move::Sow(pit) => SOW + pit.index() as u16,
        Move::Pass => PASS,
        Move::Accept => ACCEPT,
        Move::Decline => DECLINE,
        Move::Offer(pits) => OFFER | pits.0 as u16,
    }
}

/// The move with this number.
#[inline]
pub(super) const fn move_of(code: u16) -> Option<Move> {
    match code {
        SOW..PASS => Some(Move::Sow(Pit::new((code - SOW) as u8))),
        PASS => Some(Move::Pass),
        ACCEPT => Some(Move::Accept),
        DECLINE => Some(Move::Decline),
        OFFER.. => Some(Move::Offer(Pits(code as u8))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_survive_their_numbers() {
        let sowings = (0..8).map(|pit| Move::Sow(Pit::new(pit)));
        let offers = (1..=255).map(|set| Move::Offer(Pits(set)));
        for action in sowings.chain(offers).chain([Move::Pass, Move::Accept, Move::Decline]) {
            assert!(code(action) > 0 && code(action) < 1 << 9);
            assert_eq!(move_of(code(action)), Some(action));
        }
        assert_eq!(move_of(0), None);
    }
}
