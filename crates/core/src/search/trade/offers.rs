//! Offers within the search.
//!
//! The receiver of an offer is the one to move after his answer, whatever it is. If he declines, he moves in the same
//! position, as if the other had passed. So every offer is worth what passing is or less, and less only where accepting it is better still for
//! the receiver. One search of the pass comes first. If it does not exceed alpha, no offer does. Else each offer
//! is worth the lesser of the pass and of the position after its acceptance.

use super::node::Node;
use super::order::{Proposal, proposals};
use super::worker::{Turn, Worker, least_and_most, total};
use crate::board::Pits;
use crate::rules::Move;
use crate::rules::gore::State;
use crate::search::node::Window;
use crate::search::probe::Probe;
use crate::search::score::{FREE, Fold, Outcome};

/// Depth from which passes and acceptances are searched a turn less deep.
const LESS_DEPTH: i32 = 4;
/// Depth from which every offer is tried.
const ALL_DEPTH: i32 = 5;
/// Offers tried below that depth.
const FEW: usize = 2;

impl<P: Probe> Worker<'_, P> {
    /// Tries the offers of a position, of which there must be one; `best` first.
    #[inline(never)]
    pub(super) fn offers(&mut self, node: Node, turn: &mut Turn, depth: i32, best: Option<Move>) {
        let gore = self.shared.gore;
        let Some(any) = gore.offers(node.state).next() else { return };
        let rest = depth - 1 - i32::from(depth >= LESS_DEPTH);
        let asked = node.after_offer(gore.play(node.state, Move::Offer(any)).state);
        self.path.set(asked);
        let declined = asked.after_answer(State { offered: Pits::NONE, ..asked.state }, false);
        let scout = turn.best.is_some();
        let declining = self.scout(declined, turn.window.after(0), rest, scout);
        if self.counter.is_stopped() {
            return;
        }
        let pass = declining.of_move(0);
        if i32::from(pass.score) <= turn.window.alpha {
            // True of all offers; of each, nothing is known from below.
            let low = least_and_most(node.state, total(node.state)).0;
            turn.fold.add(Outcome { low, low_base: FREE, ..pass });
            turn.score = turn.score.max(i32::from(pass.score));
            return;
        }
        for (i, proposal) in proposals(gore, node.state, best).into_iter().enumerate() {
            if depth < ALL_DEPTH && i >= FEW {
                turn.complete = false;
                return;
            }
            self.offer(node, turn, rest, proposal, declining);
            if turn.is_cut() || self.counter.is_stopped() {
                return;
            }
        }
    }

    /// Tries an offer, of which is known what declining it is worth to the receiver.
    fn offer(&mut self, node: Node, turn: &mut Turn, depth: i32, proposal: Proposal, declining: Outcome) {
        let asked = node.after_offer(proposal.asked);
        self.path.set(asked);
        let accepted = asked.after_answer(proposal.accepted, true);
        // Accepting is of interest only as far as it is better than declining.
        let window = turn.window.after(0);
        let window = Window { alpha: window.alpha.max(i32::from(declining.score).min(window.beta - 1)), ..window };
        let accepting = self.visit(accepted, window, depth);
        if self.counter.is_stopped() {
            return;
        }
        let (least, most) = least_and_most(asked.state, total(asked.state));
        let mut fold = Fold::new(least, most);
        fold.add(declining);
        fold.add(accepting);
        let score = i32::from(declining.score.max(accepting.score));
        let of_offer = fold.finish(score, true, asked.ply).of_move(0);
        let window = turn.window;
        if turn.add(of_offer, Move::Offer(proposal.pits)) {
            let accepts = accepting.score > declining.score;
            if !accepts {
                self.lines.clear(asked.ply + 1);
            }
            self.keep_line(asked.ply, if accepts { Move::Accept } else { Move::Decline }, window);
            self.keep_line(node.ply, Move::Offer(proposal.pits), window);
        }
    }
}
