//! What is an unsown pit worth?
//!
//! For a position with unsown pits, the *difference* is the value of the same stones with locks lifted minus the value of the
//! position itself, both from the mover's point of view: what the mover gains if the locks fall by magic. Three kinds: the mover's
//! lock lifted, the opponent's, both. A kind is counted only where it lifts something. Positions are grouped by the numbers of
//! unsown pits of mover and opponent. Now and then a player is better off locked: a capture is not a choice, and one that leaves the
//! opponent without stones can cost more than it takes.
//!
//! Two sets of positions: those *within N plies* of the start, each once however it is reached; and those of the *full layers* of 48
//! stones, whether they can arise or not, every S-th in the order of the layers (S = 1 takes all 4.9 billion).

use std::collections::BTreeMap;

use serde::Serialize;

use super::values::{OpeningError, Values};
use crate::board::{Board, MAX_STONES, Pits};
use crate::index::Layer;
use crate::rules::Rules;
use crate::rules::kpe::Kpe;
use hashbrown::HashSet;

/// Whose lock is lifted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lifted {
    /// The mover's.
    Mover,
    /// The opponent's.
    Opponent,
    /// Both players'.
    Both,
}

impl Lifted {
    /// In the order of reports.
    pub const ALL: [Self; 3] = [Self::Mover, Self::Opponent, Self::Both];

    /// The word of JSON and text.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mover => "mover",
            Self::Opponent => "opponent",
            Self::Both => "both",
        }
    }

    const fn pits(self) -> Pits {
        match self {
            Self::Mover => Pits::OWN,
            Self::Opponent => Pits::OPPONENT,
            Self::Both => Pits(0xff),
        }
    }

    /// The position without these locks, `None` if it has none of them.
    fn lift(self, board: Board) -> Option<Board> {
        let lifted = board.flags().and(self.pits());
        (!lifted.is_empty()).then(|| board.with_flags(Pits(board.flags().0 & !lifted.0)))
    }
}

/// The differences of one kind in one group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TempoRow {
    /// Unsown pits of the mover.
    pub mover_unsown: u32,
    /// Unsown pits of the opponent.
    pub opponent_unsown: u32,
    /// Whose lock is lifted.
    pub lifted: Lifted,
    /// Positions counted.
    pub positions: u64,
    /// The mean difference in thousandths of a stone.
    pub mean_thousandths: i64,
    /// How often each difference occurred, ascending.
    pub histogram: Vec<(i8, u64)>,
}

/// All differences over one set of positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tempo {
    /// Plies from the start, or none for the full layers.
    pub plies: Option<u8>,
    /// Every how many-th position of the full layers was taken.
    pub stride: Option<u64>,
    /// By unsown pits of mover and opponent and by kind.
    pub rows: Vec<TempoRow>,
}

/// The differences over all positions within so many plies. It needs the full tables.
///
/// # Errors
/// [`OpeningError`].
pub fn within_plies(values: &Values<'_>, plies: u8) -> Result<Tempo, OpeningError> {
    let rules = values.rules();
    let mut seen: HashSet<Board> = HashSet::from_iter([Kpe::start()]);
    let mut all = vec![Kpe::start()];
    let mut from = 0;
    for _ in 0..plies {
        let to = all.len();
        for at in from..to {
            let board: Board = all[at];
            for pit in rules.moves(board) {
                let next = rules.play(board, pit).board;
                if seen.insert(next) {
                    all.push(next);
                }
            }
        }
        from = to;
    }
    Ok(Tempo { plies: Some(plies), stride: None, rows: count(values, &all)? })
}

/// The differences over every `stride`-th position of all layers of 48 stones with unsown pits. It needs the full tables.
///
/// # Errors
/// [`OpeningError`].
pub fn over_layers(values: &Values<'_>, stride: u64) -> Result<Tempo, OpeningError> {
    let mut all = Vec::new();
    let stride = stride.max(1);
    let mut number: u64 = 0;
    for unsown in 1..=255 {
        let Some(layer) = Layer::new(Pits(unsown), MAX_STONES) else { continue };
        let positions = u64::from(layer.positions());
        let first = number.next_multiple_of(stride) - number;
        all.extend((first..positions).step_by(stride as usize).map(|rank| layer.unrank(rank as u32)));
        number += positions;
    }
    Ok(Tempo { plies: None, stride: Some(stride), rows: count(values, &all)? })
}

fn count(values: &Values<'_>, boards: &[Board]) -> Result<Vec<TempoRow>, OpeningError> {
    let own = values.of_all(boards)?;
    let mut counts: BTreeMap<(u32, u32, Lifted), BTreeMap<i8, u64>> = BTreeMap::new();
    for kind in Lifted::ALL {
        let lifted: Vec<_> =
            boards.iter().enumerate().filter_map(|(at, &board)| Some((at, kind.lift(board)?))).collect();
        let without = values.of_all(&lifted.iter().map(|&(_, board)| board).collect::<Vec<_>>())?;
        for (&(at, _), without) in lifted.iter().zip(without) {
            let flags = boards[at].flags();
            let group = (flags.and(Pits::OWN).len(), flags.and(Pits::OPPONENT).len(), kind);
            *counts.entry(group).or_default().entry(without.0 - own[at].0).or_default() += 1;
        }
    }
    Ok(counts.into_iter().map(row).collect())
}

fn row(((mover_unsown, opponent_unsown, lifted), counts): ((u32, u32, Lifted), BTreeMap<i8, u64>)) -> TempoRow {
    let positions: u64 = counts.values().sum();
    let sum: i64 = counts.iter().map(|(&difference, &count)| i64::from(difference) * count as i64).sum();
    let mean_thousandths = (sum as f64 * 1000.0 / positions.max(1) as f64).round() as i64;
    let histogram = counts.into_iter().collect();
    TempoRow { mover_unsown, opponent_unsown, lifted, positions, mean_thousandths, histogram }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifting_takes_away_the_right_flags() {
        let board = Board::new([6; 8], Pits(0x93));
        assert_eq!(Lifted::Mover.lift(board).unwrap().flags(), Pits(0x90));
        assert_eq!(Lifted::Opponent.lift(board).unwrap().flags(), Pits(0x03));
        assert_eq!(Lifted::Both.lift(board).unwrap().flags(), Pits::NONE);
        assert_eq!(Lifted::Mover.lift(board.with_flags(Pits(0x10))), None);
    }

    #[test]
    fn rows_add_up() {
        let found = row(((1, 2, Lifted::Both), BTreeMap::from([(-2, 1), (0, 2), (4, 3)])));
        assert_eq!((found.positions, found.mean_thousandths), (6, 1667));
    }
}
