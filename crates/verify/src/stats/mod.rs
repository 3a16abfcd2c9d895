//! What the positions of a set are like: who wins, by how much, how soon, and how often a single move is best.
//!
//! The counts are taken in one parallel pass forward through the moves of every position (the certificate is another).

mod counts;

pub use crate::forward::{PassError, Progress};
pub use counts::{Counts, LARGEST_VALUE, Longest};

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use crate::forward::{Claim, Forward, Pass, Tally, layered};
use crate::index::Layer;
use crate::rules::with_rules;
use crate::table::{TableSet, first_of_pair};

/// The counts of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerStats {
    /// The layer.
    pub layer: Layer,
    /// What its positions are like.
    pub counts: Counts,
}

/// Counts `layers` of `set`, those without unsown pits first, then in the order of stones.
///
/// The work is done on rayon's current pool; the numbers do not hang on it.
///
/// # Errors
/// If a file that is needed (also those of the layers that moves lead to) is missing, damaged or cannot be read, without
/// memory, or when stopped.
pub fn stats(
    set: &TableSet,
    layers: &[Layer],
    stop: &AtomicBool,
    observe: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<LayerStats>, PassError> {
    let layered = layered(set.game())?;
    let wanted: HashSet<Layer> = layers.iter().copied().collect();
    let mut pairs: Vec<Layer> = layers.iter().copied().map(first_of_pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut all = Vec::with_capacity(wanted.len());
    Pass::new(set, stop, observe).each(pairs, |pass, _, side| {
        if !wanted.contains(&side.layer) {
            return Ok(());
        }
        let chunks = with_rules!(layered, rules => {
            let forward = Forward { rules, side };
            pass.chunks(side, |range| {
                let mut counts = Counts::default();
                forward.sweep(range, |number, entry, choice: Choice| counts.add(side.layer, number, entry, choice));
                counts
            })
        })?;
        let counts = chunks.into_iter().fold(Counts::default(), Counts::plus);
        all.push(LayerStats { layer: side.layer, counts });
        Ok::<(), PassError>(())
    })?;
    Ok(all)
}

/// The moves of a position and how many of them are as good as the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Choice {
    best: Claim,
    /// All moves, a pass among them.
    moves: u16,
    /// Those that keep the value.
    keeping: u16,
    /// Those that keep the value and have the best distance.
    fastest: u16,
}

impl Tally for Choice {
    const NONE: Self = Self { best: Claim::NONE, moves: 0, keeping: 0, fastest: 0 };

    #[inline]
    fn finished(claim: Claim) -> Self {
        Self { best: claim, ..Self::NONE }
    }

    #[inline]
    fn add(&mut self, claim: Claim) {
        let (value, best) = (claim.value(), self.best.value());
        self.keeping = if value > best { 1 } else { self.keeping + u16::from(value == best) };
        self.fastest = if claim > self.best { 1 } else { self.fastest + u16::from(claim == self.best) };
        self.best = self.best.max(claim);
        self.moves += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(claims: &[(i8, u16)]) -> [u16; 3] {
        let mut choice = Choice::NONE;
        claims.iter().for_each(|&(value, plies)| choice.add(Claim::new(value, plies)));
        [choice.moves, choice.keeping, choice.fastest]
    }

    #[test]
    fn best_moves_are_counted_in_any_order() {
        assert_eq!(choice(&[(2, 3), (4, 5), (4, 7), (-2, 1)]), [4, 2, 1]);
        assert_eq!(choice(&[(4, 7), (4, 5), (2, 3)]), [3, 2, 1]);
        assert_eq!(choice(&[(0, 1), (0, 9), (-2, 1)]), [3, 2, 2]);
        assert_eq!(choice(&[(-4, 1), (-4, 9), (-4, 9)]), [3, 3, 2]);
        assert_eq!(choice(&[]), [0, 0, 0]);
    }
}
