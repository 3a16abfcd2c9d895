//! The time that a whole game may take, and how much of it each of its moves.

use std::time::Duration;

/// The least a search is given, however little is left.
const LEAST: Duration = Duration::from_millis(1);

/// Time to search all moves of a game in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// For one search at most.
    pub each: Duration,
    /// For all of them together.
    pub total: Duration,
}

impl Allowance {
    /// What one of the positions that are still to be searched may take of the time that is left, this one among
    /// `positions`. If its move may have to be searched by itself as well (`twice`), the greater part is for the first search.
    ///
    /// What searches did not need, because tables answered, is for those that come after. One that took longer than
    /// it was given, because the machine is busy, leaves less to them.
    pub(super) fn share(&self, elapsed: Duration, positions: usize, twice: bool) -> Duration {
        let left = self.total.saturating_sub(elapsed);
        let share = left / u32::try_from(positions.max(1)).unwrap_or(u32::MAX);
        let share = if twice { share * 2 / 3 } else { share };
        share.min(self.each).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Allowance = Allowance { each: Duration::from_millis(200), total: Duration::from_secs(8) };

    /// The time a game takes whose searches take so many hundredths of what they are given, but for those that need none.
    fn played(positions: usize, hundredths: u32, needs: impl Fn(usize) -> bool) -> (Duration, Vec<Duration>) {
        let (mut elapsed, mut given) = (Duration::ZERO, Vec::new());
        for at in (0..positions).filter(|&at| needs(at)) {
            for twice in [true, false] {
                let share = ALLOWANCE.share(elapsed, positions - at, twice);
                elapsed += share * hundredths / 100;
                given.push(share);
            }
        }
        (elapsed, given)
    }

    #[test]
    fn no_game_takes_longer_than_it_may() {
        for positions in [1, 2, 40, 65, 300, 1000] {
            let (elapsed, given) = played(positions, 100, |_| true);
            // Of very long games some moves have the least only.
            assert!(elapsed <= ALLOWANCE.total + LEAST * positions as u32, "{positions}: {elapsed:?}");
            assert!(given.iter().all(|&share| share <= ALLOWANCE.each));
            let (busy, _) = played(positions, 170, |_| true);
            assert!(busy <= ALLOWANCE.total + ALLOWANCE.total / 10 + LEAST * positions as u32, "{positions}: {busy:?}");
        }
        assert!(played(65, 100, |_| true).0 > ALLOWANCE.total / 2);
    }

    #[test]
    fn what_tables_answer_leaves_time_to_the_others() {
        let (_, all) = played(200, 100, |_| true);
        let (_, some) = played(200, 100, |at| at >= 150);
        assert!(some[0] > all[0] && some[0] <= ALLOWANCE.each, "{:?} {:?}", some[0], all[0]);
        let (elapsed, few) = played(10, 100, |_| true);
        assert!(few.iter().all(|&share| share == ALLOWANCE.each) && elapsed < ALLOWANCE.total);
    }
}
