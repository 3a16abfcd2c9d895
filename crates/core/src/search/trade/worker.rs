//! The recursive search of one thread.
//!
//! The contract of [`Worker::visit`] is that of the search of boards: fail-soft scores of the player to move, proven bounds
//! whatever the window. A node is one call for a position, as there; offers and answers that are looked at from
//! the position before them do not count.

use super::code::{code, move_of};
use super::evaluation::evaluate;
use super::node::{Earlier, Node, Path};
use super::order::Sowings;
use super::table::{Key, TradeTable};
use crate::board::{Pit, Pits};
use crate::rules::Move;
use crate::rules::gore::{Gore, State};
use crate::search::MAX_PLY;
use crate::search::lines::Lines;
use crate::search::negamax::settled;
use crate::search::node::Window;
use crate::search::order::Memory;
use crate::search::probe::Probe;
use crate::search::root::{Explorer, Root, RootMove};
use crate::search::score::{FREE, Fold, Outcome, UNITS};
use crate::search::time::{Control, Counter};
use crate::search::tt::{Bound, Hit};

/// Below every score.
const NOTHING: i32 = -49 * UNITS;
/// Plies a turn can take: an offer and its answer.
const TURN: usize = 2;

/// What all threads of a search have in common.
pub(super) struct Shared<'a, P> {
    pub(super) gore: Gore,
    pub(super) probe: &'a P,
    pub(super) table: &'a TradeTable,
    pub(super) control: &'a Control<'a>,
}

/// One thread's search.
pub(super) struct Worker<'a, P> {
    pub(super) shared: &'a Shared<'a, P>,
    memory: Memory,
    pub(super) path: Path,
    pub(super) lines: Lines<u16>,
    pub(super) counter: Counter<'a>,
    /// Stones of boards and stores together.
    total: u8,
}

/// What is known of the moves of a position tried so far.
pub(super) struct Turn {
    pub(super) window: Window,
    pub(super) score: i32,
    pub(super) best: Option<Move>,
    pub(super) fold: Fold,
    /// Whether every move will have been counted in the end.
    pub(super) complete: bool,
}

impl Turn {
    fn new(window: Window, bounds: (i8, i8)) -> Self {
        Self { window, score: NOTHING, best: None, fold: Fold::new(bounds.0, bounds.1), complete: true }
    }

    /// Counts a move, seen from the player who makes it; whether it is better than what he has.
    #[inline]
    pub(super) fn add(&mut self, of_move: Outcome, action: Move) -> bool {
        self.fold.add(of_move);
        self.score = self.score.max(i32::from(of_move.score));
        let better = i32::from(of_move.score) > self.window.alpha;
        if better {
            self.best = Some(action);
            self.window.alpha = i32::from(of_move.score);
        }
        better
    }

    #[inline]
    pub(super) const fn is_cut(&self) -> bool {
        self.score >= self.window.beta
    }
}

/// The bounds that hold of a position by itself: nobody has to give up what is in his store.
#[inline]
pub(super) const fn least_and_most(state: State, total: u8) -> (i8, i8) {
    (2 * state.own_store as i8 - total as i8, total as i8 - 2 * state.other_store as i8)
}

/// Stones of board and stores together.
pub(super) fn total(state: State) -> u8 {
    state.board.total() + state.own_store + state.other_store
}

/// The root of a search among the moves given, which must be legal, before the first iteration.
pub(super) fn root<'a, P: Probe>(
    shared: &Shared<'_, P>,
    state: State,
    moves: &[Move],
    lines: usize,
) -> Option<Root<Worker<'a, P>>> {
    let restricted = shared.gore.moves(state).any(|action| !moves.contains(&action));
    let total = total(state);
    let root_moves = moves.iter().map(|&action| root_move(shared, state, total, action)).collect();
    Root::new(root_moves, least_and_most(state, total).1, restricted, lines)
}

fn root_move<'a, P: Probe>(shared: &Shared<'_, P>, state: State, total: u8, action: Move) -> RootMove<Worker<'a, P>> {
    let step = shared.gore.play(state, action);
    let node = match action {
        Move::Accept | Move::Decline => Node::root(state).after_answer(step.state, action == Move::Accept),
        Move::Sow(_) | Move::Pass => Node::root(state).after_turn(step.state, step.captured),
        Move::Offer(_) => Node::root(state).after_offer(step.state),
    };
    let (low, high) = least_and_most(step.state, total);
    let outcome = match shared.gore.over(step.state) {
        Some(value) => Outcome::exact(value),
        None => Outcome::within(evaluate(shared.probe, step.state, step.state.board.total()), low, high),
    };
    let answer = action.is_answer();
    let of_move = if answer { outcome } else { outcome.of_move(0) };
    RootMove::new(action, step.captured, step.state, (node, answer), of_move)
}

impl<P: Probe> Explorer for Worker<'_, P> {
    type Step = Move;
    type Board = State;
    /// The node, and whether the root's mover is to move there as well.
    type Node = (Node, bool);

    fn explore(&mut self, (node, same): (Node, bool), _: u8, window: Window, depth: u8) -> Outcome {
        if same {
            return self.visit(node, window, i32::from(depth));
        }
        self.visit(node, window.after(0), i32::from(depth) - 1).of_move(0)
    }

    fn line_below(&self) -> impl Iterator<Item = Move> + '_ {
        self.lines.from(1).iter().filter_map(|&code| move_of(code))
    }

    fn is_stopped(&self) -> bool {
        self.counter.is_stopped()
    }

    fn report_nodes(&mut self) {
        self.counter.report();
    }

    fn fade(&mut self) {
        self.memory.fade();
    }
}

impl<'a, P: Probe> Worker<'a, P> {
    /// A thread that will search lines from this root.
    pub(super) fn new(shared: &'a Shared<'a, P>, root: State, earlier: &[Earlier]) -> Self {
        let mut path = Path::new(earlier);
        path.set(Node::root(root));
        Self {
            shared,
            memory: Memory::new(),
            path,
            lines: Lines::new(),
            counter: Counter::new(shared.control),
            total: total(root),
        }
    }

    /// An outcome that says nothing of the position.
    #[inline]
    pub(super) fn unknown(&self, state: State, score: i32) -> Outcome {
        let (low, high) = least_and_most(state, self.total);
        Outcome::within(score, low, high)
    }

    /// The outcome of a position searched to a depth.
    pub(super) fn visit(&mut self, node: Node, window: Window, depth: i32) -> Outcome {
        self.lines.clear(node.ply);
        if !self.counter.count() {
            return self.unknown(node.state, 0);
        }
        if let Some(value) = self.shared.gore.over(node.state) {
            return Outcome::exact(value);
        }
        let answers = !node.state.offered.is_empty();
        if usize::from(node.ply) + TURN >= MAX_PLY || depth <= 0 && !answers {
            // Who has to answer may decline, so what he then takes is a lower bound, and the rest an estimate.
            return self.captures_only(State { offered: Pits::NONE, ..node.state }, window);
        }
        match self.path.repetition(node) {
            Some(outcome) => outcome,
            None if depth == 1 && !answers => self.frontier(node, window),
            None => self.expand(node, window, depth),
        }
    }

    /// A position a turn above the horizon: too little work lies below it to be worth remembering, and offers lead too far.
    #[inline(never)]
    fn frontier(&mut self, node: Node, window: Window) -> Outcome {
        let gore = self.shared.gore;
        let mut turn = Turn::new(window, least_and_most(node.state, self.total));
        turn.complete = gore.most_offered(node.state) == 0;
        let sowings = gore.sowings(node.state);
        if sowings.is_empty() {
            return self.pass(node, turn, 1).0;
        }
        self.lines.clear(node.ply + 1);
        for pit in sowings {
            let step = gore.sow(node.state, pit);
            let of_move = self.leaf(step.state, turn.window.after(0)).of_move(0);
            if turn.add(of_move, Move::Sow(pit)) {
                self.keep_line(node.ply, Move::Sow(pit), window);
            }
            if turn.is_cut() {
                return turn.fold.finish(turn.score, false, node.ply);
            }
        }
        turn.fold.finish(turn.score, turn.complete && !self.counter.is_stopped(), node.ply)
    }

    #[inline(never)]
    fn expand(&mut self, node: Node, window: Window, depth: i32) -> Outcome {
        let depth = depth.max(0);
        let key = Key::of(node.state);
        // What earlier searches found out does not know where the game has been in the meantime.
        let fresh = usize::from(node.ply) <= TURN && self.path.has_history();
        let found = if fresh { None } else { self.shared.table.get(key) };
        let hit = found.map(|(hit, _)| hit);
        let bounds = hit.map_or_else(|| least_and_most(node.state, self.total), |hit| (hit.low, hit.high));
        if let Some(outcome) = settled(hit, bounds, window, depth) {
            return outcome;
        }
        let inner = Window {
            alpha: window.alpha.max(i32::from(bounds.0) * UNITS - 1),
            beta: window.beta.min(i32::from(bounds.1) * UNITS + 1),
        };
        self.path.set(node);
        let turn = Turn::new(inner, bounds);
        let best = found.and_then(|(_, best)| best);
        let (outcome, best) = if node.state.offered.is_empty() {
            self.try_moves(node, turn, depth, best)
        } else {
            self.answers(node, turn, depth)
        };
        if !self.counter.is_stopped() {
            self.store(key, outcome, bounds, inner, depth, best);
        }
        outcome
    }

    fn try_moves(&mut self, node: Node, mut turn: Turn, depth: i32, best: Option<Move>) -> (Outcome, Option<Move>) {
        let gore = self.shared.gore;
        let pits = gore.sowings(node.state);
        if pits.is_empty() {
            return self.pass(node, turn, depth);
        }
        let can_offer = gore.most_offered(node.state) > 0;
        let offer_first = can_offer && matches!(best, Some(Move::Offer(_)));
        if offer_first {
            self.offers(node, &mut turn, depth, best);
        }
        if !turn.is_cut() && !self.counter.is_stopped() {
            self.sowings(node, &mut turn, depth, Sowings::new(gore, node, pits, best, &self.memory));
        }
        if can_offer && !offer_first && !turn.is_cut() && !self.counter.is_stopped() {
            self.offers(node, &mut turn, depth, None);
        }
        let complete = turn.complete && !turn.is_cut() && !self.counter.is_stopped();
        (turn.fold.finish(turn.score, complete, node.ply), turn.best)
    }

    fn sowings(&mut self, node: Node, turn: &mut Turn, depth: i32, sowings: Sowings) {
        if depth > 2 {
            sowings.rest().for_each(|sowing| self.shared.table.prefetch(Key::of(sowing.state)));
        }
        let mut tried = Pits::NONE;
        for sowing in sowings {
            let next = node.after_turn(sowing.state, sowing.captured);
            let scout = turn.score > NOTHING;
            let of_move = self.scout(next, turn.window.after(0), depth - 1, scout).of_move(0);
            if self.counter.is_stopped() {
                return;
            }
            tried = tried.with(sowing.pit);
            let window = turn.window;
            if turn.add(of_move, Move::Sow(sowing.pit)) {
                self.keep_line(node.ply, Move::Sow(sowing.pit), window);
            }
            if turn.is_cut() {
                if sowing.captured == 0 {
                    self.learn(node, sowing.pit, tried, depth);
                }
                return;
            }
        }
    }

    /// A position's outcome within its mover's window: at once, or first whether it is worth the trouble.
    #[inline]
    pub(super) fn scout(&mut self, node: Node, window: Window, depth: i32, scout: bool) -> Outcome {
        if scout && !window.is_null() {
            // The player who moved here wants to exceed his alpha, which is beta here.
            let outcome = self.visit(node, Window { alpha: window.beta - 1, beta: window.beta }, depth);
            let score = i32::from(outcome.score);
            if score >= window.beta || score <= window.alpha || self.counter.is_stopped() {
                return outcome;
            }
        }
        self.visit(node, window, depth)
    }

    /// The only thing a player whose pits are all empty can do.
    fn pass(&mut self, node: Node, mut turn: Turn, depth: i32) -> (Outcome, Option<Move>) {
        self.path.set(node);
        let next = self.shared.gore.play(node.state, Move::Pass).state;
        let window = turn.window;
        let of_move = self.visit(node.after_turn(next, 0), window.after(0), depth - 1).of_move(0);
        if turn.add(of_move, Move::Pass) {
            self.keep_line(node.ply, Move::Pass, window);
        }
        (turn.fold.finish(turn.score, !self.counter.is_stopped(), node.ply), turn.best)
    }

    /// A position in which the mover must accept or decline; it is his turn afterwards.
    fn answers(&mut self, node: Node, mut turn: Turn, depth: i32) -> (Outcome, Option<Move>) {
        for action in [Move::Decline, Move::Accept] {
            let next = self.shared.gore.play(node.state, action).state;
            let window = turn.window;
            let outcome = self.visit(node.after_answer(next, action == Move::Accept), window, depth);
            if self.counter.is_stopped() {
                turn.complete = false;
                break;
            }
            if turn.add(outcome, action) {
                self.keep_line(node.ply, action, window);
            }
            if turn.is_cut() && action == Move::Decline {
                turn.complete = false;
                break;
            }
        }
        (turn.fold.finish(turn.score, turn.complete, node.ply), turn.best)
    }

    /// The line at a ply is this move and then that at the next ply, if anybody wants to know.
    #[inline]
    pub(super) fn keep_line(&mut self, ply: u8, action: Move, window: Window) {
        if !window.is_null() {
            self.lines.keep(ply, code(action));
        }
    }

    /// The quiet move from `pit` was too good, those of the other pits tried before it were not.
    #[inline]
    fn learn(&mut self, node: Node, pit: Pit, tried: Pits, depth: i32) {
        self.memory.reward(node.state.board, pit, node.ply, depth);
        for other in tried.without(pit) {
            self.memory.punish(node.state.board, other, depth);
        }
    }

    #[inline]
    fn store(&self, key: Key, outcome: Outcome, prior: (i8, i8), window: Window, depth: i32, best: Option<Move>) {
        // Bounds that hold in this line only stay out of the table.
        let low = if outcome.low_base == FREE { outcome.low } else { prior.0 };
        let high = if outcome.high_base == FREE { outcome.high } else { prior.1 };
        let score = i32::from(outcome.score);
        let bound = match () {
            () if score <= window.alpha => Bound::Upper,
            () if score >= window.beta => Bound::Lower,
            () => Bound::Both,
        };
        let hit = Hit { low, high, score: outcome.score, depth: depth as u8, bound, best: None };
        self.shared.table.put(key, hit, best);
    }

    /// A position at the horizon or after a capture beyond it.
    fn leaf(&mut self, state: State, window: Window) -> Outcome {
        if !self.counter.count() {
            return self.unknown(state, 0);
        }
        match self.shared.gore.over(state) {
            Some(value) => Outcome::exact(value),
            None => self.captures_only(state, window),
        }
    }

    /// At the horizon: the evaluation, or what a capture makes better than it. Nobody pays here, so it comes to an end.
    fn captures_only(&mut self, state: State, window: Window) -> Outcome {
        let (mut low, high) = least_and_most(state, self.total);
        let stones = self.total - state.own_store - state.other_store;
        let estimate = evaluate(self.shared.probe, state, stones);
        let mut score = estimate.clamp(i32::from(low) * UNITS, i32::from(high) * UNITS);
        if score < window.beta {
            let gore = self.shared.gore;
            for pit in gore.sowings(state) {
                let step = gore.sow(state, pit);
                if step.captured == 0 {
                    continue;
                }
                let window = Window { alpha: window.alpha.max(score), beta: window.beta };
                let of_move = self.leaf(step.state, window.after(0)).of_move(0);
                low = low.max(of_move.low);
                score = score.max(i32::from(of_move.score));
                if score >= window.beta {
                    break;
                }
            }
        }
        Outcome::within(score, low, high)
    }
}
