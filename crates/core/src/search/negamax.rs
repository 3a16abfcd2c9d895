//! The recursive search of one thread.
//!
//! Contract of [`Worker::visit`], always from the view of the player to move at the node: with a window
//! (alpha, beta) the score of the outcome is fail-soft. At most alpha, it is an upper estimate of the score a search with
//! an open window to the same depth would give; at least beta, a lower one; in between, that score. The bounds of the outcome are
//! proven whatever the window was, in the sense of `score.rs`: always if they are free, in this line if they are not.
//!
//! A *node* is one call for a position: one [`Worker::visit`] or, at the horizon and for the captures beyond it, one [`Worker::leaf`].
//! Moves that are only generated, or skipped because they capture nothing, do not count.

use super::busy::Busy;
use super::evaluation::Evaluation;
use super::lines::Lines;
use super::node::{Node, Window};
use super::order::{Choice, Memory, Picker, PutOff};
use super::probe::{Access, Probe};
use super::root::{Explorer, Root, RootMove};
use super::score::{FREE, Fold, Outcome, UNITS};
use super::time::{Control, Counter};
use super::tt::{Bound, Hit, Key, TranspositionTable};
use super::{MAX_PLY, Setup, Step};
use crate::board::{Board, Pit, Pits};
use crate::index::Layer;
use crate::rules::Rules;

/// Remaining depth from which positions are remembered. Below it a look into the transposition table, which is seldom in a
/// cache, costs more than it saves: remembering from 2 on takes 2 to 7 % fewer nodes and 20 to 27 % more time.
const REMEMBERED_DEPTH: i32 = 4;
/// Remaining depth from which threads tell each other where they are: the positions below must be remembered.
const SHARED_DEPTH: i32 = REMEMBERED_DEPTH + 1;
/// Remaining depth from which slow tables are asked.
const SLOW_PROBE_DEPTH: i32 = 6;
/// No position repeats before so many plies, and only after an even number of them is the same player to move. After two,
/// each hand would have had to put back all that the other lifted: only hands of one stone can, and they move on, not back.
const SHORTEST_LOOP: usize = 4;

/// What all threads of a search have in common.
pub(super) struct Shared<'a, R, P> {
    pub(super) rules: R,
    pub(super) probe: &'a P,
    pub(super) table: &'a TranspositionTable,
    pub(super) evaluation: &'a Evaluation,
    pub(super) control: &'a Control<'a>,
    pub(super) busy: &'a Busy,
}

/// One thread's search.
pub(super) struct Worker<'a, R, P> {
    shared: &'a Shared<'a, R, P>,
    memory: Memory,
    /// Boards of the line, by ply.
    path: [u64; MAX_PLY + 1],
    /// Principal variations, as [`Step::code`].
    lines: Lines<u8>,
    counter: Counter<'a>,
}

/// The root of a search among the steps given, which must be legal, before the first iteration.
pub(super) fn root<'a, R: Rules, P: Probe>(
    setup: &Setup<'_, R, P>,
    board: Board,
    steps: &[Step],
    lines: usize,
) -> Option<Root<Worker<'a, R, P>>> {
    let restricted = Step::legal(&setup.rules, board).any(|step| !steps.contains(&step));
    let moves = steps.iter().map(|&step| root_move(setup, board, step)).collect();
    Root::new(moves, board.total() as i8, restricted, lines)
}

fn root_move<'a, R: Rules, P: Probe>(setup: &Setup<'_, R, P>, board: Board, step: Step) -> RootMove<Worker<'a, R, P>> {
    let (next, captured) = step.play(&setup.rules, board);
    let first = next.flags().len() != board.flags().len();
    let node = Node::root(board).after(next, captured, first || captured > 0);
    let most = node.stones as i8;
    let outcome = match setup.rules.over(next) {
        Some(value) => Outcome::exact(value),
        None => Outcome::within(setup.evaluation.evaluate(next, node.stones), -most, most),
    };
    RootMove::new(step, captured, next, node, outcome.of_move(captured))
}

impl<R: Rules, P: Probe> Explorer for Worker<'_, R, P> {
    type Step = Step;
    type Board = Board;
    type Node = Node;

    fn explore(&mut self, node: Node, captured: u8, window: Window, depth: u8) -> Outcome {
        self.visit(node, None, window.after(captured), i32::from(depth) - 1).of_move(captured)
    }

    fn line_below(&self) -> impl Iterator<Item = Step> + '_ {
        self.lines.from(1).iter().map(|&pit| Step::from_code(pit))
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

impl<'a, R: Rules, P: Probe> Worker<'a, R, P> {
    /// A thread that will search lines from this root.
    pub(super) fn new(shared: &'a Shared<'a, R, P>, root: Board) -> Self {
        let mut path = [0; MAX_PLY + 1];
        path[0] = root.bits();
        Self { shared, memory: Memory::new(), path, lines: Lines::new(), counter: Counter::new(shared.control) }
    }

    /// What is certain without a search: finished games and tables.
    #[inline]
    fn known(&self, board: Board, stones: u8, depth: i32) -> Option<Outcome> {
        let layer = Layer::from_parts(board.flags(), stones);
        let ask = match self.shared.probe.access(layer) {
            Access::None => false,
            Access::Quick => true,
            Access::Slow => depth >= SLOW_PROBE_DEPTH,
        };
        let value = if ask { self.shared.probe.value(layer, layer.rank(board)) } else { None };
        value.map(|value| Outcome::exact(value.0))
    }

    /// The ply at which this line had the node's position before.
    #[inline]
    fn earlier(&self, node: Node) -> Option<u8> {
        let since = usize::from(node.since);
        let mut ply = usize::from(node.ply).checked_sub(SHORTEST_LOOP)?;
        loop {
            if ply < since {
                return None;
            }
            if self.path[ply] == node.board.bits() {
                return Some(ply as u8);
            }
            ply = ply.checked_sub(2)?;
        }
    }

    /// The outcome of a position searched to a depth; the contract is that of the module.
    fn visit(&mut self, node: Node, key: Option<Key>, window: Window, depth: i32) -> Outcome {
        self.lines.clear(node.ply);
        if !self.counter.count() {
            return Outcome::within(0, -(node.stones as i8), node.stones as i8);
        }
        if let Some(value) = self.shared.rules.over(node.board) {
            return Outcome::exact(value);
        }
        if let Some(outcome) = self.known(node.board, node.stones, depth) {
            return outcome;
        }
        if depth <= 0 || usize::from(node.ply) >= MAX_PLY {
            return self.captures_only(node.board, node.stones, window);
        }
        match self.earlier(node) {
            Some(base) => Outcome::repetition(base),
            None if depth == 1 => self.frontier(node, window),
            None if depth < REMEMBERED_DEPTH => self.expand_briefly(node, window, depth),
            None => self.expand(node, key.unwrap_or_else(|| node.key()), window, depth),
        }
    }

    /// A position one ply above the horizon: too little work lies below it to be worth remembering or ordering.
    #[inline(never)]
    fn frontier(&mut self, node: Node, window: Window) -> Outcome {
        let stones = node.stones as i8;
        let moves = self.shared.rules.moves(node.board);
        let mut fold = Fold::new(-stones, stones);
        if R::PASSES && moves.is_empty() {
            return self.pass(node, window, 1, fold);
        }
        self.lines.clear(node.ply + 1);
        let mut alpha = window.alpha;
        let mut score = -49 * UNITS;
        for pit in moves {
            let played = self.shared.rules.play(node.board, pit);
            let inner = Window { alpha, beta: window.beta }.after(played.captured);
            let of_move = self.leaf(played.board, node.stones - played.captured, inner).of_move(played.captured);
            fold.add(of_move);
            if i32::from(of_move.score) > score {
                score = i32::from(of_move.score);
                if score > alpha {
                    alpha = score;
                    self.keep_line(node.ply, pit.index() as u8, window);
                }
                if score >= window.beta {
                    return fold.finish(score, false, node.ply);
                }
            }
        }
        fold.finish(score, !self.counter.is_stopped(), node.ply)
    }

    /// A position that is not worth remembering.
    #[inline(never)]
    fn expand_briefly(&mut self, node: Node, window: Window, depth: i32) -> Outcome {
        let stones = node.stones as i8;
        let inner = window.within(-stones, stones);
        self.path[usize::from(node.ply)] = node.board.bits();
        self.try_moves::<false>(node, inner, depth, Fold::new(-stones, stones), None).0
    }

    /// Tries the moves of a position that is not settled otherwise.
    #[inline(never)]
    fn expand(&mut self, node: Node, key: Key, window: Window, depth: i32) -> Outcome {
        let stones = node.stones as i8;
        let hit = self.shared.table.get(key);
        let (low, high) = hit.map_or((-stones, stones), |hit| (hit.low, hit.high));
        if let Some(outcome) = settled(hit, (low, high), window, depth) {
            return outcome;
        }
        let inner = window.within(low, high);
        self.path[usize::from(node.ply)] = node.board.bits();
        let (fold, best) = (Fold::new(low, high), hit.and_then(|hit| hit.best));
        let (outcome, best) = if self.shared.busy.is_shared() && depth >= SHARED_DEPTH {
            self.try_moves::<true>(node, inner, depth, fold, best)
        } else {
            self.try_moves::<false>(node, inner, depth, fold, best)
        };
        if !self.counter.is_stopped() {
            self.store(key, outcome, (low, high), inner, depth, best);
        }
        outcome
    }

    /// Tries the moves in turn, the most promising first. If the position is `SHARED` those that other threads are at come
    /// last.
    fn try_moves<const SHARED: bool>(
        &mut self,
        node: Node,
        mut window: Window,
        depth: i32,
        mut fold: Fold,
        best: Option<u8>,
    ) -> (Outcome, Option<u8>) {
        let moves = self.shared.rules.moves(node.board);
        if R::PASSES && moves.is_empty() {
            return (self.pass(node, window, depth, fold), None);
        }
        let mut picker = Picker::new(moves, best);
        let table = self.shared.table;
        let touch = (depth > REMEMBERED_DEPTH).then_some(|key| table.prefetch(key));
        let mut score = i32::MIN;
        let mut best = None;
        let mut tried = Pits::NONE;
        let mut put_off = PutOff::default();
        loop {
            let mut choice = picker.next(&self.shared.rules, node, &self.memory, &touch);
            if SHARED {
                choice = match choice {
                    Some(choice) if !tried.is_empty() && self.is_busy(&choice) => {
                        put_off.push(choice);
                        continue;
                    }
                    choice => choice.or_else(|| put_off.pop()),
                };
            }
            let Some(choice) = choice else { break };
            let outcome = if SHARED {
                self.scout_alone(&choice, window, depth - 1, !tried.is_empty())
            } else {
                self.scout(&choice, window, depth - 1, !tried.is_empty())
            };
            if self.counter.is_stopped() {
                break;
            }
            let of_move = outcome.of_move(choice.captured);
            fold.add(of_move);
            tried = tried.with(choice.pit);
            if i32::from(of_move.score) <= score {
                continue;
            }
            score = i32::from(of_move.score);
            if score > window.alpha {
                best = Some(choice.pit.index() as u8);
                self.keep_line(node.ply, choice.pit.index() as u8, window);
                window.alpha = score;
            }
            if score >= window.beta {
                if choice.is_quiet() {
                    self.learn(node, choice.pit, tried, depth);
                }
                return (fold.finish(score, tried == moves, node.ply), best);
            }
        }
        (fold.finish(score.max(-49 * UNITS), !self.counter.is_stopped(), node.ply), best)
    }

    /// Whether another thread is at the position after the move.
    fn is_busy(&self, choice: &Choice) -> bool {
        choice.key.is_some_and(|key| self.shared.busy.has(key))
    }

    /// As [`Worker::scout`], while the other threads keep away if they can.
    fn scout_alone(&mut self, choice: &Choice, window: Window, depth: i32, scout: bool) -> Outcome {
        let busy = self.shared.busy;
        choice.key.inspect(|&key| busy.enter(key));
        let outcome = self.scout(choice, window, depth, scout);
        choice.key.inspect(|&key| busy.leave(key));
        outcome
    }

    /// A move's outcome: with the whole window for the first, a null window first for the others.
    #[inline]
    fn scout(&mut self, choice: &Choice, window: Window, depth: i32, scout: bool) -> Outcome {
        let captured = choice.captured;
        if scout && !window.is_null() {
            let outcome = self.visit(choice.node, choice.key, Window::null(window.alpha).after(captured), depth);
            let score = outcome.score_of_move(captured);
            if score <= window.alpha || score >= window.beta || self.counter.is_stopped() {
                return outcome;
            }
        }
        self.visit(choice.node, choice.key, window.after(captured), depth)
    }

    /// The only thing a player without a move can do; it stays in the layer.
    fn pass(&mut self, node: Node, window: Window, depth: i32, mut fold: Fold) -> Outcome {
        let next = node.after(self.shared.rules.pass(node.board), 0, false);
        let of_move = self.visit(next, None, window.after(0), depth - 1).of_move(0);
        fold.add(of_move);
        if i32::from(of_move.score) > window.alpha {
            self.keep_line(node.ply, Step::Pass.code(), window);
        }
        fold.finish(i32::from(of_move.score), !self.counter.is_stopped(), node.ply)
    }

    #[inline]
    fn keep_line(&mut self, ply: u8, pit: u8, window: Window) {
        if !window.is_null() {
            self.lines.keep(ply, pit);
        }
    }

    /// The quiet move from `pit` was too good, those of the other pits tried before it were not.
    #[inline]
    fn learn(&mut self, node: Node, pit: Pit, tried: Pits, depth: i32) {
        self.memory.reward(node.board, pit, node.ply, depth);
        for other in tried.without(pit) {
            self.memory.punish(node.board, other, depth);
        }
    }

    #[inline]
    fn store(&self, key: Key, outcome: Outcome, prior: (i8, i8), window: Window, depth: i32, best: Option<u8>) {
        // Bounds that hold in this line only stay out of the table.
        let low = if outcome.low_base == FREE { outcome.low } else { prior.0 };
        let high = if outcome.high_base == FREE { outcome.high } else { prior.1 };
        let score = i32::from(outcome.score);
        let bound = match () {
            () if score <= window.alpha => Bound::Upper,
            () if score >= window.beta => Bound::Lower,
            () => Bound::Both,
        };
        let hit = Hit { low, high, score: outcome.score, depth: depth as u8, bound, best };
        self.shared.table.put(key, hit);
    }

    /// A position at the horizon or after a capture beyond it.
    fn leaf(&mut self, board: Board, stones: u8, window: Window) -> Outcome {
        if !self.counter.count() {
            return Outcome::within(0, -(stones as i8), stones as i8);
        }
        if let Some(value) = self.shared.rules.over(board) {
            return Outcome::exact(value);
        }
        match self.known(board, stones, 0) {
            Some(outcome) => outcome,
            None => self.captures_only(board, stones, window),
        }
    }

    /// At the horizon: the evaluation, or what a capture makes better than it.
    ///
    /// Captures never return to a position, so there is no repetition here and no depth.
    fn captures_only(&mut self, board: Board, stones: u8, window: Window) -> Outcome {
        let most = i32::from(stones) * UNITS;
        let mut low = -(stones as i8);
        let mut score = self.shared.evaluation.evaluate(board, stones).clamp(-most, most);
        let mut alpha = window.alpha.max(score);
        if score < window.beta {
            let rules = self.shared.rules;
            for pit in rules.moves(board) {
                let Some((next, captured)) = capture(&rules, board, pit) else { continue };
                let window = Window { alpha, beta: window.beta };
                let of_move = self.leaf(next, stones - captured, window.after(captured)).of_move(captured);
                low = low.max(of_move.low);
                score = score.max(i32::from(of_move.score));
                alpha = alpha.max(score);
                if score >= window.beta {
                    break;
                }
            }
        }
        Outcome::within(score, low, stones as i8)
    }
}

/// The board after sowing from `pit` and what it captures, if it captures anything.
#[inline]
fn capture<R: Rules>(rules: &R, board: Board, pit: Pit) -> Option<(Board, u8)> {
    if !rules.may_capture(board, pit) {
        return None;
    }
    let (sown, last) = board.sow(pit, rules.origin());
    if rules.captures(sown, last).is_empty() {
        return None;
    }
    let played = rules.play(board, pit);
    (played.captured > 0).then_some((played.board, played.captured))
}

/// The outcome, where the transposition table makes a search needless.
#[inline]
pub(super) fn settled(hit: Option<Hit>, bounds: (i8, i8), window: Window, depth: i32) -> Option<Outcome> {
    let (low, high) = bounds;
    let (least, most) = (i32::from(low) * UNITS, i32::from(high) * UNITS);
    if least >= window.beta || low == high {
        return Some(Outcome::within(least, low, high));
    }
    if most <= window.alpha {
        return Some(Outcome::within(most, low, high));
    }
    let hit = hit?;
    let score = i32::from(hit.score);
    let enough = i32::from(hit.depth) >= depth && window.is_null();
    let decides = match hit.bound {
        Bound::None => false,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
        Bound::Both => true,
    };
    (enough && decides).then(|| Outcome::within(score, low, high))
}
