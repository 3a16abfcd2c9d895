//! Ending a game before its end, when its result is known.
//!
//! What tables know is the result of perfect play. Where a contestant errs it is not that of the game: a match adjudicated by it
//! alone measures the openings, not the contestants. So tables decide only between contestants who play perfectly where
//! the tables know the position, and otherwise a game goes on until the lead is beyond reach.

use crate::engine::TableProbe;
use crate::index::Layer;
use crate::notation::{Position, Side};
use crate::value::Value;

/// When a game is ended early.
#[derive(Clone, Copy, Default)]
pub struct Adjudication<'a> {
    /// As soon as it is certain who wins: one player has more than half of all stones in a store that nobody takes from, or
    /// both contestants play perfectly and these tables know the position.
    pub certain: Option<&'a TableProbe>,
    /// As soon as both contestants have agreed on the result for some time.
    pub agreement: Option<Agreement>,
}

/// When two contestants agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Both say that the same one will win by at least so many stones …
    pub stones: u8,
    /// … in so many moves one after the other.
    pub plies: u32,
}

impl Adjudication<'_> {
    /// Who has won whatever happens, as more than half of all stones are in that player's store; not while pits are sold, for
    /// then stones come back from the stores.
    #[must_use]
    pub fn beyond_reach(&self, position: &Position) -> Option<Side> {
        self.certain?;
        position.solver_board()?;
        let stores = position.stores().map(u16::from);
        let all = u16::from(position.board().total()) + stores[0] + stores[1];
        [Side::South, Side::North].into_iter().find(|&side| 2 * stores[side as usize] > all)
    }

    /// South's and North's final totals in half stones by tables, if they know the position: those of two contestants who play
    /// perfectly, in a game that cannot repeat what was there before this position.
    #[must_use]
    pub fn by_tables(&self, position: &Position) -> Option<[u8; 2]> {
        let (probe, board) = (self.certain?, position.solver_board()?);
        let layer = Layer::of(board);
        let value = probe.probe_tables(layer, layer.rank(board))?.value();
        Some(totals(position, value))
    }
}

/// The final totals in half stones if the player to move will still take so much more.
fn totals(position: &Position, value: Value) -> [u8; 2] {
    // In half stones the mover takes left + value: an odd rest that is shared gives halves.
    let (left, value) = (i16::from(position.board().total()), i16::from(value.0));
    let takes = match position.side() {
        Side::South => [left + value, left - value],
        Side::North => [left - value, left + value],
    };
    let stores = position.stores().map(i16::from);
    [0, 1].map(|side| (2 * stores[side] + takes[side]) as u8)
}

/// Whom the contestants have thought to win, and for how long.
#[derive(Default)]
pub(super) struct Opinions {
    winner: Option<Side>,
    plies: u32,
}

impl Opinions {
    /// The player to move of `position` thinks he will still take so much more; the winner, if both have agreed long enough.
    pub(super) fn add(&mut self, position: &Position, value: Option<Value>, agreement: Agreement) -> Option<Side> {
        let [south, north] = position.stores().map(i16::from);
        let side = position.side();
        let lead = match (side, position.solver_board()) {
            // While pits are sold a value is one of final totals.
            (_, None) => 0,
            (Side::South, Some(_)) => south - north,
            (Side::North, Some(_)) => north - south,
        };
        let score = value.map_or(0, |value| lead + i16::from(value.0));
        let winner = match score {
            score if score >= i16::from(agreement.stones.max(1)) => Some(side),
            score if score <= -i16::from(agreement.stones.max(1)) => Some(side.other()),
            _ => None,
        };
        self.plies = if winner.is_some() && winner == self.winner { self.plies + 1 } else { 1 };
        self.winner = winner;
        winner.filter(|_| self.plies >= agreement.plies.max(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::table::{TableSet, embedded};

    fn position(text: &str) -> Position {
        Position::parse(text, Game::named("kpe").unwrap()).unwrap()
    }

    #[test]
    fn totals_are_those_of_perfect_play() {
        assert_eq!(totals(&position("1-1-0-0-1-0-0-0-23-22-S"), Value(0)), [49, 47]);
        assert_eq!(totals(&position("1-1-0-0-2-0-0-0-20-24-N"), Value(-2)), [46, 50]);
        let probe = TableProbe::new(TableSet::new(&Game::named("kpe").unwrap()).and_embedded(embedded())).unwrap();
        let by_tables = Adjudication { certain: Some(&probe), agreement: None };
        // South captures two and North has nothing left.
        assert_eq!(by_tables.by_tables(&position("0-0-0-1-1-0-0-0-23-23-S")), Some([50, 46]));
        assert_eq!(by_tables.by_tables(&Position::start(Game::named("kpe").unwrap())), None);
    }

    #[test]
    fn a_lead_is_beyond_reach_with_more_than_half_of_all_stones() {
        let probe = TableProbe::new(TableSet::new(&Game::named("kpe").unwrap()).and_embedded(embedded())).unwrap();
        let certain = Adjudication { certain: Some(&probe), agreement: None };
        assert_eq!(certain.beyond_reach(&position("1-1-0-0-1-0-0-0-25-20-N")), Some(Side::South));
        assert_eq!(certain.beyond_reach(&position("1-1-0-0-1-0-0-0-20-25-N")), Some(Side::North));
        // Half of them need not win; of fewer stones fewer are enough.
        assert_eq!(certain.beyond_reach(&position("1-1-0-0-1-1-0-0-24-20-S")), None);
        assert_eq!(certain.beyond_reach(&position("1-1-0-0-1-0-0-0-4-0-S")), Some(Side::South));
        assert_eq!(Adjudication::default().beyond_reach(&position("1-1-0-0-1-0-0-0-25-20-N")), None);
        // Stones in a store pay for pits.
        let gore = Position::parse("1-1-0-0-5-0-0-0-31-10-S@ABCD", Game::named("gore").unwrap()).unwrap();
        assert_eq!(certain.beyond_reach(&gore), None);
    }

    #[test]
    fn both_must_agree_for_some_time() {
        let agreement = Agreement { stones: 8, plies: 3 };
        let (south, north) = (position("6-6-6-0-6-0-0-0-14-10-S"), position("6-6-6-0-6-0-0-0-14-10-N"));
        let mut opinions = Opinions::default();
        let mut add = |position: &Position, value| opinions.add(position, Some(Value(value)), agreement);
        assert_eq!([add(&south, 4), add(&north, -4), add(&south, 9)], [None, None, Some(Side::South)]);
        assert_eq!([add(&north, -3), add(&south, 9), add(&north, -9)], [None; 3]);
        assert_eq!(add(&south, 9), Some(Side::South));
    }
}
