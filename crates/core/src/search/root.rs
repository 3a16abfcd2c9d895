//! The root of the search: its moves, iterative deepening, aspiration windows.
//!
//! MTD(f) in place of the principal-variation search was measured on 20 positions of random play with 26–48 stones (tables to
//! 24 stones, 64 MiB, no table from before): 12.1 million nodes both to depth 18; to depth 20 36.0 million against 38.7 million, but more
//! (41.1 and 42.1 million) with steps of half a stone and of a stone. It saves no time worth having and has no line of play
//! to show, so it is not here.
//!
//! Bounds of a single move may rest on a repetition of the root (base 0), which the root's own fold closes, but not
//! the move's. A lower bound is nevertheless true of the move: when the root comes up again its mover makes the same move again.
//! An upper bound h is not, as he may then make another; but he gets no more than the root's upper bound H, so max(h, H) is
//! true of the move. If the root's moves are restricted, H is not known and such an h is dropped.

use super::node::Window;
use super::score::{FREE, Outcome, UNITS};
use super::{MoveReport, Report, Worth};
use crate::value::Value;

/// Half the width of the first window around the score of the iteration before.
const ASPIRATION: i32 = 2 * UNITS;
/// The first depth whose window is not open.
const ASPIRATION_DEPTH: u8 = 4;

/// What the root asks of the recursive search of a game.
pub(super) trait Explorer {
    /// A move of the game.
    type Step: Copy + PartialEq;
    /// The position after a move.
    type Board: Copy;
    /// All that the search has to know of a position one ply below the root.
    type Node: Copy;

    /// The outcome of a move that captured so much and led to `node`, for whoever makes it and within a window of his,
    /// when the root is searched to `depth`.
    fn explore(&mut self, node: Self::Node, captured: u8, window: Window, depth: u8) -> Outcome;

    /// The principal variation below the move explored last.
    fn line_below(&self) -> impl Iterator<Item = Self::Step> + '_;

    /// Whether a limit was met: outcomes from then on mean nothing.
    fn is_stopped(&self) -> bool;

    /// Reports the nodes not yet reported.
    fn report_nodes(&mut self);

    /// Prepares for the next iteration.
    fn fade(&mut self);
}

/// A move of the root and what is known of it, from the view of the player who makes it.
pub(super) struct RootMove<E: Explorer> {
    step: E::Step,
    captured: u8,
    board: E::Board,
    node: E::Node,
    score: i32,
    /// True bounds of the move.
    low: i8,
    high: i8,
    /// An upper bound of the last pass that supposes the root is worth no more.
    line_high: i8,
    is_upper: bool,
    depth: u8,
    line: Vec<E::Step>,
}

/// The root position and its moves, best first.
pub(super) struct Root<E: Explorer> {
    moves: Vec<RootMove<E>>,
    /// True upper bound of the position; none better than the moves' own is known if they are restricted.
    high: i8,
    restricted: bool,
    depth: u8,
    lines: usize,
}

impl<E: Explorer> Root<E> {
    /// The root before any search: its moves, all there are or not, in the order of their scores. Nobody gets more than
    /// `high`. `None` if there are no moves.
    pub(super) fn new(moves: Vec<RootMove<E>>, high: i8, restricted: bool, lines: usize) -> Option<Self> {
        let mut root = Self { moves, high, restricted, depth: 0, lines: lines.max(1) };
        root.sort();
        (!root.moves.is_empty()).then_some(root)
    }

    fn sort(&mut self) {
        let depth = self.depth;
        self.moves.sort_by_key(|m| (m.depth != depth, -m.score, m.is_upper));
    }

    /// The best move so far.
    pub(super) fn best(&self) -> E::Step {
        self.moves[0].step
    }

    /// Whether there is nothing to choose.
    pub(super) fn is_only_move(&self) -> bool {
        self.moves.len() == 1
    }

    /// Whether the search can find out nothing more.
    pub(super) fn is_proven(&self) -> bool {
        let worth = self.worth();
        // The first move keeps the value if nothing better than its lower bound exists.
        let kept = self.moves[0].low == worth.high.0;
        kept && (self.lines == 1 || self.moves.iter().take(self.lines).all(|m| m.low == m.high))
    }

    /// What is known of the position when only its moves here are allowed.
    fn worth(&self) -> Worth {
        let bound = |of: fn(&RootMove<E>) -> i8| self.moves.iter().map(of).max().unwrap_or(0);
        let (low, high) = (bound(|m| m.low), bound(|m| m.high).min(self.high));
        let score = self.moves[0].score.clamp(i32::from(low) * UNITS, i32::from(high) * UNITS);
        Worth { score, low: Value(low), high: Value(high) }
    }

    /// The state as a report.
    pub(super) fn report(&self, nodes: u64) -> Report<E::Step, E::Board> {
        let moves = self.moves.iter().map(RootMove::report).collect();
        Report { depth: self.depth, nodes, worth: self.worth(), moves }
    }

    /// Searches all moves to a depth. If the worker is stopped on the way, what was finished counts, provided the best move of the
    /// iteration before is part of it.
    pub(super) fn iterate(&mut self, worker: &mut E, depth: u8) {
        let mut margin = ASPIRATION;
        loop {
            let mut window = Window::OPEN;
            let centre = self.moves[0].score;
            if depth >= ASPIRATION_DEPTH && self.lines == 1 && margin <= 12 * UNITS {
                window = Window { alpha: centre - margin, beta: centre + margin };
            }
            let best = self.pass(worker, window, depth);
            if worker.is_stopped() {
                break;
            }
            self.depth = depth;
            self.sort();
            if best > window.alpha && best < window.beta || window.alpha == Window::OPEN.alpha {
                break;
            }
            margin *= 3;
        }
        if worker.is_stopped() && self.moves[0].depth == depth {
            self.depth = depth;
            self.sort();
        }
    }

    /// Searches all moves once; the best score.
    fn pass(&mut self, worker: &mut E, window: Window, depth: u8) -> i32 {
        let mut scores = Vec::with_capacity(self.moves.len());
        for (i, root_move) in self.moves.iter_mut().enumerate() {
            // The score a move must exceed to be among the lines asked for.
            scores.sort_unstable_by(|a: &i32, b| b.cmp(a));
            let alpha = scores.get(self.lines - 1).map_or(window.alpha, |&score| score.max(window.alpha));
            let window = Window { alpha, beta: window.beta };
            root_move.search(worker, window, depth, i >= self.lines);
            if worker.is_stopped() {
                break;
            }
            scores.push(root_move.score);
            if root_move.score >= window.beta {
                break;
            }
        }
        if scores.len() == self.moves.len() {
            self.close_repetitions();
        }
        scores.into_iter().max().unwrap_or(i32::MIN)
    }

    /// After a complete pass: the upper bound of the root, and with it those of moves that rest on its repetition.
    fn close_repetitions(&mut self) {
        if self.restricted {
            return;
        }
        self.high = self.moves.iter().map(|m| m.line_high).max().map_or(self.high, |high| high.min(self.high));
        for root_move in &mut self.moves {
            root_move.high = root_move.high.min(root_move.line_high.max(self.high));
        }
    }
}

impl<E: Explorer> RootMove<E> {
    /// A move not yet searched, with what is known of it for whoever makes it.
    pub(super) fn new(step: E::Step, captured: u8, board: E::Board, node: E::Node, of_move: Outcome) -> Self {
        Self {
            step,
            captured,
            board,
            node,
            score: i32::from(of_move.score),
            low: of_move.low,
            high: of_move.high,
            line_high: of_move.high,
            is_upper: false,
            depth: 0,
            line: vec![step],
        }
    }

    /// Searches the move; leaves it as it was if the worker is stopped.
    fn search(&mut self, worker: &mut E, window: Window, depth: u8, scout_first: bool) {
        let mut outcome = None;
        if scout_first {
            let found = worker.explore(self.node, self.captured, Window::null(window.alpha), depth);
            outcome = (i32::from(found.score) <= window.alpha).then_some(found);
        }
        if worker.is_stopped() {
            return;
        }
        let found = match outcome {
            Some(found) => found,
            None => worker.explore(self.node, self.captured, window, depth),
        };
        if worker.is_stopped() {
            return;
        }
        self.depth = depth;
        self.is_upper = i32::from(found.score) <= window.alpha;
        // What was proven stays proven.
        self.low = self.low.max(found.low);
        if found.high_base == FREE {
            self.high = self.high.min(found.high);
        }
        self.line_high = found.high.min(self.high);
        self.score = i32::from(found.score).clamp(i32::from(self.low) * UNITS, i32::from(self.high) * UNITS);
        if !self.is_upper || self.line.len() == 1 {
            self.line.truncate(1);
            self.line.extend(worker.line_below());
        }
    }

    fn report(&self) -> MoveReport<E::Step, E::Board> {
        let worth = Worth { score: self.score, low: Value(self.low), high: Value(self.high) };
        MoveReport {
            step: self.step,
            captured: self.captured,
            board: self.board,
            worth,
            is_upper: self.is_upper && !worth.is_exact(),
            depth: self.depth,
            line: self.line.clone(),
        }
    }
}
