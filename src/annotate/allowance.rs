//! The time that a whole game may take, and how much of it each of its moves.

use std::time::Duration;

use crate::search::{Budget, Limits};

/// The least a search is given while it is limited by time alone.
const LEAST: Duration = Duration::from_millis(1);
/// A share so short is too short for more than one thread.
const SHORT: Duration = Duration::from_millis(10);
/// Nodes of a search for which less than [`LEAST`] is left: a look at the next moves.
const FEW: u64 = 32;

/// Time to search all moves of a game in, by the wall clock.
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
        share.min(self.each)
    }

    /// What limits that search, in a game of so many moves that their shares are next to nothing also its nodes.
    pub(super) fn limits(&self, elapsed: Duration, positions: usize, twice: bool, usual: &Limits) -> Limits {
        let share = self.share(elapsed, positions, twice);
        let few = usual.nodes.map_or(FEW, |nodes| nodes.min(FEW));
        Limits {
            time: Some(Budget::fixed(share.max(LEAST))),
            nodes: if share < LEAST { Some(few) } else { usual.nodes },
            threads: if share < SHORT { 1 } else { usual.threads },
            ..usual.clone()
        }
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
            assert!(elapsed <= ALLOWANCE.total, "{positions}: {elapsed:?}");
            assert!(given.iter().all(|&share| share <= ALLOWANCE.each));
            let (busy, _) = played(positions, 170, |_| true);
            assert!(busy <= ALLOWANCE.total + ALLOWANCE.total / 10, "{positions}: {busy:?}");
        }
        assert!(played(65, 100, |_| true).0 > ALLOWANCE.total / 2);
    }

    #[test]
    fn where_no_time_is_left_nodes_end_a_search() {
        let usual = Limits { threads: 2, ..Limits::default() };
        let limits = |elapsed, positions| ALLOWANCE.limits(elapsed, positions, true, &usual);
        let (roomy, long, late) =
            (limits(Duration::ZERO, 40), limits(Duration::ZERO, 3000), limits(ALLOWANCE.total * 2, 40));
        assert_eq!((roomy.nodes, roomy.threads), (None, 2));
        assert_eq!(roomy.time, Some(Budget::fixed(ALLOWANCE.total / 40 * 2 / 3)));
        assert_eq!((long.nodes, long.threads), (None, 1));
        assert_eq!((late.nodes, late.threads), (Some(FEW), 1));
        assert_eq!(limits(Duration::ZERO, 6000).nodes, Some(FEW));
        let fewer = Limits { nodes: Some(7), ..usual.clone() };
        assert_eq!(ALLOWANCE.limits(ALLOWANCE.total, 40, false, &fewer).nodes, Some(7));
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
