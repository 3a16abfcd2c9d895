//! Search of Goré with trades: positions with owners, stores and offers.
//!
//! What differs from the search of boards:
//!
//! * A value is the mover's final total minus the opponent's, for stores pay for pits. It has no need of captures on the way.
//! * After an answer the same player is to move, so there a value keeps its sign. Depth counts turns: an answer costs none.
//! * An offer that is declined is a turn passed. So whatever he offers, a player gets no more than from passing, and one search of
//!   the pass answers all offers that it refutes. Only where a pass would be good are the offers told apart, by what
//!   the other gets by accepting (`offers.rs`).
//! * Stores go up and down, so a line may go in a circle in which the store difference changes. Where it ends by repetition is then
//!   a matter of where it began. The score of such an end is the difference where the circle closes, as in a game; proofs
//!   count the least and the greatest difference on the way round.
//!
//! # Proof
//!
//! *A player can make sure of at least v* is to say: he can play so that whatever the other does either the game ends with v or
//! more, or it goes on for ever and from some time on every position has a store difference of v or more. A bound that
//! holds in this sense, for both players, holds wherever the players agree to end a circle; where lower and upper bound meet,
//! the value does not depend on it.
//!
//! `score.rs` shows that a bound folded from a subtree is true of its top if all repetitions it rests on close in the
//! subtree. Only the last step, a line that never leaves, is different here. Take the lower bound v of the position A.
//! A play that for ever jumps from repetitions back to their first occurrence has a last ply p* to which it jumps again and again. Take
//! any position Y that comes up again and again, at ply r ≥ p*. After each of its visits there is a first jump to a ply ≤ r,
//! from a repetition whose circle holds Y: in the tree it was counted with the least difference of that circle, so at
//! most with that at Y; and no repetition in the tree counts less than v. Hence the difference at Y is v or more. □
//!
//! Never accepting is a strategy too: who has s of T stones in his store can make sure of 2s − T. All bounds begin there.

mod code;
mod evaluation;
mod node;
mod offers;
mod order;
mod table;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;

use super::{Limits, Probe, Report, parallel};
use crate::rules::Move;
use crate::rules::gore::{Gore, State};
use crate::search::time::Control;
pub use node::Earlier;
pub use table::TradeTable;
use worker::{Shared, Worker};

/// The state and the result of a search with trades: moves, and the position after each from the view of whoever is to move.
pub type TradeReport = Report<Move, State>;

/// What a search with trades works with.
pub struct TradeSetup<'a, P> {
    /// The rules.
    pub gore: Gore,
    /// Tables of the game without trades under the same rules; the evaluation asks them.
    pub probe: &'a P,
    /// What is remembered from one search to the next; must not come from other rules.
    pub table: &'a TradeTable,
    /// What the game had before: coming back to it ends the game (RULES 3.6). Proofs suppose that beyond the first turns
    /// nobody wants to.
    pub earlier: &'a [Earlier],
}

impl<P> fmt::Debug for TradeSetup<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TradeSetup").field("gore", &self.gore).finish_non_exhaustive()
    }
}

/// Searches a position among the moves given, which must be legal; `None` if there are none.
///
/// Scores and bounds are the mover's final total minus the opponent's. `observe` is called after every finished iteration; the flag `stop` ends the
/// search within a millisecond or so. With one thread, no time limit and a cleared table the result is the same every time.
pub fn search_trades<P: Probe>(
    setup: &TradeSetup<'_, P>,
    state: State,
    moves: &[Move],
    limits: &Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&TradeReport),
) -> Option<TradeReport> {
    let control = Control::new(limits, stop);
    let shared = Shared { gore: setup.gore, probe: setup.probe, table: setup.table, control: &control };
    setup.table.begin_search();
    let root = || worker::root(&shared, state, moves, limits.lines);
    parallel::run(|| Worker::new(&shared, state, setup.earlier), root, &control, limits, observe)
}
