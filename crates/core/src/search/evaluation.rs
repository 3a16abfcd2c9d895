//! What a position looks worth where the search must stop: a sum of one weight for each pit.
//!
//! The weight of a pit depends on which pit it is, how many stones it holds, whether its owner has still to sow
//! from it, and how many stones lie on the board. That is one lookup a pit in a table that fits into the fastest cache, and it
//! is linear in the weights, so they can be fitted to exact values.
//!
//! The weights are fitted to exact values from the complete tables of Kpé: `weights.txt` says how, `scripts/fit.rs` does it.

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

impl Weights {
    /// Reads the number of a pit and its weights, `content:weight` each.
    fn read_pit<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) -> Option<()> {
        let pit = self.pits.get_mut(words.next()?.parse::<usize>().ok()?)?;
        for word in words {
            let (content, weight) = word.split_once(':')?;
            pit[usize::from(content.parse::<u8>().ok()?)] = weight.parse().ok()?;
        }
        Some(())
    }
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

    /// The fitted weights.
    #[must_use]
    pub fn fitted() -> Self {
        Self::parse(include_str!("weights.txt")).unwrap_or_else(|line| panic!("weights.txt, line {line}"))
    }

    /// The weights in the text that `scripts/fit.rs` writes.
    ///
    /// # Errors
    /// The number of the first line that is wrong, from 1; one past the last if something is missing.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut ranges: Vec<(u8, Weights)> = Vec::new();
        let mut lines = 0;
        for (at, line) in text.lines().enumerate() {
            lines = at + 1;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("stones") => {
                    let first = words.next().and_then(|word| word.parse().ok()).ok_or(lines)?;
                    if ranges.last().map_or(first != 0, |(before, _)| *before >= first) {
                        return Err(lines);
                    }
                    ranges.push((first, Weights { pits: [[0; 256]; PITS], tempo: 0 }));
                }
                Some("move") => {
                    let (_, weights) = ranges.last_mut().ok_or(lines)?;
                    weights.tempo = words.next().and_then(|word| word.parse().ok()).ok_or(lines)?;
                }
                Some("pit") => {
                    let (_, weights) = ranges.last_mut().ok_or(lines)?;
                    weights.read_pit(words).ok_or(lines)?;
                }
                Some(word) if !word.starts_with('#') => return Err(lines),
                _ => {}
            }
        }
        if ranges.is_empty() { Err(lines + 1) } else { Ok(Self::new(ranges)) }
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
        Self::fitted()
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
    fn weights_are_read_as_they_are_written() {
        let evaluation =
            Evaluation::parse("# made\nstones 0\nmove 64\npit 0 1:-64 129:640\nstones 9\nmove 0\n").unwrap();
        let board = |stones, unsown| Board::new([stones, 0, 0, 0, 0, 0, 0, 0], Pits(unsown));
        assert_eq!(evaluation.evaluate(board(1, 0), 1), 0);
        assert_eq!(evaluation.evaluate(board(1, 1), 1), 44);
        assert_eq!(evaluation.evaluate(board(9, 1), 9), 0);
        for (text, line) in [
            ("", 1),
            ("stones 3", 1),
            ("stones 0\nstones 0", 2),
            ("pit 0 1:1", 1),
            ("stones 0\npit 8 1:1", 2),
            ("x", 1),
        ] {
            assert_eq!(Evaluation::parse(text).unwrap_err(), line, "{text}");
        }
    }

    #[test]
    fn more_stones_for_the_mover_are_worth_more() {
        let evaluation = Evaluation::fitted();
        let ours = evaluation.evaluate(Board::new([9, 8, 7, 8, 1, 1, 1, 1], Pits::NONE), 36);
        let theirs = evaluation.evaluate(Board::new([1, 1, 1, 1, 9, 8, 7, 8], Pits::NONE), 36);
        assert!(ours > theirs, "{ours} {theirs}");
    }
}
