//! Counts over the entries of a layer, kept in a file's metadata so that nobody has to unpack it to know them.

use rayon::prelude::*;

use crate::value::Entry;

/// Counts over one layer, from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Statistics {
    /// Positions of positive value.
    pub wins: u64,
    /// Positions of value 0.
    pub draws: u64,
    /// Positions of negative value.
    pub losses: u64,
    /// Sum of the squares of all values, in stones².
    pub sum_value_squared: u64,
    /// The largest distance in plies; a draw counts as 0.
    pub max_distance: u16,
    /// Sum of all distances in plies; a draw counts as 0.
    pub sum_distance: u64,
}

impl Statistics {
    /// The counts over `entries`, taken in parallel on rayon's current pool.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        entries
            .par_chunks(1 << 16)
            .map(|chunk| chunk.iter().fold(Self::default(), |sum, &entry| sum.with(entry)))
            .reduce(Self::default, Self::plus)
    }

    /// Positions counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        // Saturating, because a hostile file may claim anything.
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// These counts with one more position.
    fn with(mut self, entry: Entry) -> Self {
        let value = i64::from(entry.value().0);
        self.wins += u64::from(value > 0);
        self.draws += u64::from(value == 0);
        self.losses += u64::from(value < 0);
        self.sum_value_squared += (value * value) as u64;
        let distance = if value == 0 { 0 } else { entry.distance().0 };
        self.max_distance = self.max_distance.max(distance);
        self.sum_distance += u64::from(distance);
        self
    }

    /// The counts over both parts.
    fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            sum_value_squared: self.sum_value_squared + other.sum_value_squared,
            max_distance: self.max_distance.max(other.max_distance),
            sum_distance: self.sum_distance + other.sum_distance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Distance, Value};

    #[test]
    fn a_draw_counts_with_distance_nothing() {
        let entry = |value, distance| Entry::new(Value(value), Distance(distance));
        let found = Statistics::of(&[entry(3, 2), entry(-2, 7), entry(0, 9), entry(0, 0)]);
        let expected =
            Statistics { wins: 1, draws: 2, losses: 1, sum_value_squared: 13, max_distance: 7, sum_distance: 9 };
        assert_eq!(found, expected);
    }
}
