//! What a position looks worth where the search must stop: a sum of one weight for each pit.
//!
//! The weight of a pit depends on which pit it is, how many stones it holds, whether its owner has still to sow
//! from it, and how many stones lie on the board. That is one lookup a pit in a table that fits into the fastest cache, and it
//! is linear in the weights, so they can be fitted to exact values.
//!
//! The weights here are guesses, to be replaced by fitted ones: a small share of the stones in one's own row, which are safe
//! from capture by oneself and count at the end; a share of the stones in a pit that one more stone makes capturable;
//! something for having the move.

use super::score::UNITS;
use crate::board::{Board, MAX_STONES, PITS};

/// Parts of a stone that weights count.
pub const WEIGHT_UNITS: i32 = 64;

/// The weights for a range of stones on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// By pit (0–3 the mover's) and content (bits 0–5 stones, bit 7 unsown), in 64ths of a stone, mover's view.
    pub pits: [[i16; 256]; PITS],
    /// For having the move, in 64ths of a stone.
    pub tempo: i16,
}

/// A linear evaluation, one set of weights for each range of stones.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// By stones on the board: which weights.
    range: [u8; 64],
    weights: Vec<Weights>,
}

impl Evaluation {
    /// An evaluation from ranges of stones and their weights: each pair begins at its number of stones and reaches
    /// to the next.
    ///
    /// # Panics
    /// If there are no ranges, the first does not begin at 0, or they do not ascend.
    #[must_use]
    pub fn new(ranges: Vec<(u8, Weights)>) -> Self {
        assert!(ranges.first().is_some_and(|range| range.0 == 0), "the first range begins at 0 stones");
        assert!(ranges.windows(2).all(|pair| pair[0].0 < pair[1].0), "ranges ascend");
        let mut range = [0; 64];
        for (i, &(first, _)) in ranges.iter().enumerate() {
            range[usize::from(first)..].fill(i as u8);
        }
        Self { range, weights: ranges.into_iter().map(|(_, weights)| weights).collect() }
    }

    /// The guessed weights described above, the same for every number of stones.
    #[must_use]
    pub fn guessed() -> Self {
        let mut pits = [[0; 256]; PITS];
        for (pit, weights) in pits.iter_mut().enumerate() {
            let sign = if pit < 4 { 1 } else { -1 };
            for (content, weight) in weights.iter_mut().enumerate() {
                let stones = (content & 0x3f) as i16;
                let exposed = if matches!(stones, 1 | 3) { 8 * (stones + 1) } else { 0 };
                *weight = sign * (8 * stones - exposed);
            }
        }
        Self::new(vec![(0, Weights { pits, tempo: 24 })])
    }

    /// The estimate for a board of so many stones, in quarters of a stone, mover's view.
    #[inline]
    pub(super) fn evaluate(&self, board: Board, stones: u8) -> i32 {
        debug_assert!(stones <= MAX_STONES);
        let weights = &self.weights[usize::from(self.range[usize::from(stones & 63)])];
        let lanes = board.bits().to_le_bytes();
        let sum = (0..PITS)
            .fold(i32::from(weights.tempo), |sum, pit| sum + i32::from(weights.pits[pit][usize::from(lanes[pit])]));
        (sum * UNITS) >> WEIGHT_UNITS.trailing_zeros()
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::guessed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;

    #[test]
    fn ranges_reach_to_the_next() {
        let weights = |tempo| Weights { pits: [[0; 256]; PITS], tempo };
        let evaluation = Evaluation::new(vec![(0, weights(64)), (10, weights(128))]);
        let board = |stones| Board::new([stones, 0, 0, 0, 0, 0, 0, 0], Pits::NONE);
        assert_eq!([0, 9, 10, 48].map(|stones| evaluation.evaluate(board(stones), stones)), [4, 4, 8, 8]);
    }

    #[test]
    fn the_guess_is_the_same_for_both_players_but_for_the_move() {
        let evaluation = Evaluation::guessed();
        let board = Board::new([9, 1, 0, 2, 3, 3, 0, 7], Pits(0x81));
        let (ours, theirs) = (evaluation.evaluate(board, 25), evaluation.evaluate(board.rotate(), 25));
        assert!((ours + theirs - 3).abs() <= 1, "{ours} {theirs}");
    }
}
