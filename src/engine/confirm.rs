//! What the search of Goré with trades claims of a game in play, looked at again by its rules alone.
//!
//! The search remembers proofs of other games, and a proof may go through a position that this game has had and that ends it
//! (RULES 3.6). So where there is a history a claim counts only if a plain search of the game itself, which remembers nothing,
//! comes to it as well within a number of positions; else it is told as an estimate.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{TradeAnalysis, TradeEngine};
use crate::board::Board;
use crate::rules::gore::{Gore, State};
use crate::rules::{Loops, Move};
use crate::search::Probe;
use crate::search::trade::Earlier;
use crate::value::Kind;

/// Positions looked at for one answer: some ten milliseconds.
const POSITIONS: u32 = 40_000;
/// Plies looked ahead, answers included.
const DEEPEST: u8 = 40;

/// The game and the line that is looked at.
struct Check<'a> {
    gore: Gore,
    loops: Loops,
    /// The positions of the game and of the line, and whether it is the turn of the player who is not to move now.
    seen: HashSet<(State, bool)>,
    /// Whether that one is the claimant.
    claimant: bool,
    /// By how many stones the claimant is to be ahead in the end.
    lead: i8,
    room: u32,
    stop: &'a AtomicBool,
}

impl<P: Probe> TradeEngine<P> {
    /// The same analysis with no claim that is not true of a game that had the `earlier` positions and goes on by this rule of
    /// loops.
    #[must_use]
    pub fn confirmed(
        &self,
        state: State,
        earlier: &[Earlier],
        loops: Loops,
        mut analysis: TradeAnalysis,
        stop: &AtomicBool,
    ) -> TradeAnalysis {
        if analysis.best.is_none() || earlier.is_empty() && loops == Loops::Split {
            return analysis;
        }
        let mut seen: HashSet<(State, bool)> = earlier.iter().map(|past| (past.state, past.turned)).collect();
        seen.insert((state, false));
        let (claimant, lead) = (false, 0);
        let mut check = Check { gore: self.gore(), loops, seen, claimant, lead, room: POSITIONS, stop };
        let (value, kind) = (analysis.value, analysis.kind);
        let reached = |action: Move| (self.gore().play(state, action).state, !action.is_answer());
        if kind != Kind::Estimate {
            let best = analysis.best.map(reached);
            let low = kind != Kind::AtMost && best.is_some_and(|best| check.takes(best, value.0) == Some(true));
            let high = kind != Kind::AtLeast
                && analysis.moves.iter().all(|m| check.takes(reached(m.action), value.0 + 1) == Some(false));
            analysis.kind = told(low, high);
        }
        for m in &mut analysis.moves {
            if m.kind != Kind::Estimate {
                let low = m.kind != Kind::AtMost && check.takes(reached(m.action), m.value.0) == Some(true);
                let high = m.kind != Kind::AtLeast && check.takes(reached(m.action), m.value.0 + 1) == Some(false);
                m.kind = told(low, high);
            }
        }
        analysis
    }
}

const fn told(low: bool, high: bool) -> Kind {
    match (low, high) {
        (true, true) => Kind::Exact,
        (true, false) => Kind::AtLeast,
        (false, true) => Kind::AtMost,
        (false, false) => Kind::Estimate,
    }
}

impl Check<'_> {
    /// Whether the player to move now is ahead by so many stones or more in the end of a game that comes to this position; `None` if that is not
    /// found out.
    fn takes(&mut self, (state, turned): (State, bool), lead: i8) -> Option<bool> {
        self.lead = lead;
        (1..=DEEPEST).find_map(|depth| self.holds(state, turned, depth))
    }

    /// Whether the lead is enough, if it is the mover's.
    fn is_enough(&self, lead: i8, turned: bool) -> bool {
        (if turned == self.claimant { lead } else { -lead }) >= self.lead
    }

    fn holds(&mut self, state: State, turned: bool, depth: u8) -> Option<bool> {
        if let Some(value) = self.gore.over(state) {
            return Some(self.is_enough(value, turned));
        }
        if self.seen.contains(&(state, turned)) {
            return Some(self.is_enough(share(state, self.loops), turned));
        }
        // Nobody has to give up what they have captured.
        let total = (state.board.total() + state.own_store + state.other_store) as i8;
        let (least, most) = (2 * state.own_store as i8 - total, total - 2 * state.other_store as i8);
        let (least, most) = (self.is_enough(least, turned), self.is_enough(most, turned));
        if least == most {
            return Some(least);
        }
        if depth == 0 || self.room == 0 || self.stop.load(Relaxed) {
            return None;
        }
        self.room -= 1;
        let mine = turned == self.claimant;
        let mut holds = Some(!mine);
        self.seen.insert((state, turned));
        let gore = self.gore;
        for action in gore.moves(state) {
            let next = gore.play(state, action).state;
            match self.holds(next, turned == action.is_answer(), depth - 1) {
                Some(found) if found == mine => {
                    holds = Some(mine);
                    break;
                }
                Some(_) => {}
                None => holds = None,
            }
        }
        self.seen.remove(&(state, turned));
        holds
    }
}

/// The mover's lead if the game ends here because it repeats itself (RULES 3.6).
fn share(state: State, loops: Loops) -> i8 {
    let lead = state.own_store as i8 - state.other_store as i8;
    match loops {
        Loops::Split => lead,
        Loops::Own => {
            let own: Board = state.board.take(state.board.flags()).0;
            let (total, theirs) = (state.board.total() as i8, own.total() as i8);
            lead + total - 2 * theirs
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;

    #[test]
    fn a_repetition_is_shared_by_the_rule_of_the_game() {
        let board = Board::new([3, 0, 0, 1, 2, 0, 0, 5], Pits::OWN);
        let state = State { board, own_store: 10, other_store: 4, offered: Pits::NONE };
        assert_eq!((share(state, Loops::Split), share(state, Loops::Own)), (6, 3));
    }
}
