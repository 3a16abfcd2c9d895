//! Search: what a position is worth and how to play it, as far as limits allow.
//!
//! Works for every game that implements [`Rules`] with boards alone (Kpé; Goré without trades): a position is its board,
//! flags mean *unsown*, stones never increase, and a player sows from his own row.
//!
//! * Iterative deepening over a principal-variation search (`negamax.rs`) with one [`TranspositionTable`] for all threads.
//! * Finished games and tables ([`Probe`]) end a line with a value that is certain.
//! * Every result carries proven bounds next to its score, and is called exact only if they meet (`score.rs` has the proof
//!   that this is sound in spite of repetitions).
//! * All values are stones from the mover's view, relative to the stones on the board: after a move that captures c
//!   and leads to a board worth v to the opponent, the mover has c − v.
//! * Parity: captures are even and so are the rests of even boards, so on boards with an even number of stones all
//!   proven bounds come out even by themselves. On odd boards a value is odd or, by repetition, 0, and nothing is rounded.
//!
//! Nothing is printed; the clock is read only if there is a time limit. With one thread, no time limit and a cleared
//! table the nodes visited and the result are the same every time.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use kpe_core::board::{Board, Pits};
//! use kpe_core::rules::kpe::Kpe;
//! use kpe_core::search::{Evaluation, Limits, NoTables, Setup, Step, TranspositionTable, search};
//! use kpe_core::value::{Kind, Value};
//!
//! let (rules, table) = (Kpe::default(), TranspositionTable::new(4 << 20)?);
//! let setup = Setup { rules, probe: &NoTables, table: &table, evaluation: &Evaluation::default() };
//! let board = Board::new([0, 0, 0, 1, 1, 0, 0, 0], Pits::NONE);
//! let steps: Vec<Step> = Step::legal(&rules, board).collect();
//! let limits = Limits { depth: Some(8), ..Limits::default() };
//! let report = search(&setup, board, &steps, &limits, &AtomicBool::new(false), &mut |_| ()).expect("there is a move");
//! assert_eq!(report.worth.value(board.total()), (Value(2), Kind::Exact)); // no table, but the game ends
//! # Ok::<(), kpe_core::search::TranspositionError>(())
//! ```

mod busy;
mod evaluation;
mod lines;
mod negamax;
mod node;
mod order;
mod parallel;
mod probe;
mod root;
mod score;
mod time;
#[doc(hidden)]
pub mod trade;
mod tt;

use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::board::{Board, Pit};
use crate::rules::{Move, Rules};
use crate::value::{Kind, Value};
use busy::Busy;
use negamax::{Shared, Worker};
use time::Control;

pub use evaluation::Evaluation;
#[doc(hidden)]
pub use evaluation::{WEIGHT_UNITS, Weights};
pub use probe::{Access, MemoryTables, NoTables, Probe};
pub use score::UNITS;
pub use time::{Budget, Clock, Timer};
pub use tt::{TranspositionError, TranspositionTable};

/// Plies from the root beyond which nothing is searched.
pub const MAX_PLY: usize = 120;

/// One turn of a board-only game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Sow the stones of this pit, numbered from the mover's view.
    Sow(Pit),
    /// Leave the turn to the opponent, having no stone of one's own (only where [`Rules::PASSES`]).
    Pass,
}

impl From<Step> for Move {
    fn from(step: Step) -> Self {
        match step {
            Step::Sow(pit) => Self::Sow(pit),
            Step::Pass => Self::Pass,
        }
    }
}

impl Step {
    /// The pit sown, if any.
    #[must_use]
    pub const fn pit(self) -> Option<Pit> {
        match self {
            Self::Sow(pit) => Some(pit),
            Self::Pass => None,
        }
    }

    /// The legal steps of a position, by pit; none if the game is over.
    pub fn legal<R: Rules>(rules: &R, board: Board) -> impl Iterator<Item = Self> + use<R> {
        let over = rules.over(board).is_some();
        let moves = if over { Default::default() } else { rules.moves(board) };
        let pass = R::PASSES && !over && moves.is_empty();
        moves.into_iter().map(Self::Sow).chain(pass.then_some(Self::Pass))
    }

    /// The board after the step, next mover's view, and the stones it captures. The step must be legal.
    #[must_use]
    pub fn play<R: Rules>(self, rules: &R, board: Board) -> (Board, u8) {
        match self {
            Self::Sow(pit) => {
                let played = rules.play(board, pit);
                (played.board, played.captured)
            }
            Self::Pass => (rules.pass(board), 0),
        }
    }

    /// One byte: the pit's number, 8 for a pass.
    const fn code(self) -> u8 {
        match self {
            Self::Sow(pit) => pit.index() as u8,
            Self::Pass => 8,
        }
    }

    const fn from_code(code: u8) -> Self {
        if code < 8 { Self::Sow(Pit::new(code)) } else { Self::Pass }
    }
}

/// When a search ends. It also ends when its result is proven, when the depth reaches [`MAX_PLY`], or by the stop flag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time.
    pub time: Option<Budget>,
    /// What tells the time.
    pub timer: Timer,
    /// Plies.
    pub depth: Option<u8>,
    /// Nodes of all threads together; one thread stops at exactly so many.
    pub nodes: Option<u64>,
    /// Threads, 1 to 1024; a number beyond counts as the nearest. Those that the system does not grant are done without.
    pub threads: usize,
    /// Moves that get a score of their own; for the others it is enough to be known as no better. At least 1.
    pub lines: usize,
}

impl Default for Limits {
    /// No limit, one thread, one line.
    fn default() -> Self {
        Self { time: None, timer: Timer::default(), depth: None, nodes: None, threads: 1, lines: 1 }
    }
}

/// What the search knows of a position or move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// In quarters of a stone ([`UNITS`]).
    pub score: i32,
    /// The value is proven to be at least this.
    pub low: Value,
    /// The value is proven to be at most this.
    pub high: Value,
}

impl Worth {
    /// The score in whole stones and how sure it is, for so many stones on the board.
    #[must_use]
    pub fn value(&self, stones: u8) -> (Value, Kind) {
        let most = Value(stones as i8);
        self.value_within(-most, most)
    }

    /// The score in whole stones and how sure it is, if the rules alone say that the value is one of `least` to `most`.
    #[must_use]
    pub fn value_within(&self, least: Value, most: Value) -> (Value, Kind) {
        let value = Value(score::to_stones(self.score).clamp(self.low.0, self.high.0));
        let kind = match () {
            () if self.low == self.high => Kind::Exact,
            () if value == self.low && value > least => Kind::AtLeast,
            () if value == self.high && value < most => Kind::AtMost,
            () => Kind::Estimate,
        };
        (value, kind)
    }

    /// Whether the value is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

/// What the search found out about a move of the root.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveReport<M = Step, B = Board> {
    /// The move.
    pub step: M,
    /// Stones it captures.
    pub captured: u8,
    /// The board after it, from the view of whoever is then to move.
    pub board: B,
    /// From the view of the player who makes it, captured stones included.
    pub worth: Worth,
    /// Whether the score is only an upper estimate: the move was found to be no better than the best ones.
    pub is_upper: bool,
    /// Depth the score comes from; 0 = evaluation alone.
    pub depth: u8,
    /// The line of play it begins, itself first.
    pub line: Vec<M>,
}

/// The state of a search after an iteration, and its result after the last.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Report<M = Step, B = Board> {
    /// Depth of the last iteration that counts; 0 = evaluation alone.
    pub depth: u8,
    /// Nodes of all threads (during the search: as far as they have reported).
    pub nodes: u64,
    /// Proven bounds and score of the position, if only the moves asked for are allowed.
    pub worth: Worth,
    /// The moves, best first; never empty.
    pub moves: Vec<MoveReport<M, B>>,
}

/// What a search works with.
pub struct Setup<'a, R, P> {
    /// The game.
    pub rules: R,
    /// Its tables.
    pub probe: &'a P,
    /// What is remembered from one search to the next; must not come from other rules.
    pub table: &'a TranspositionTable,
    /// What positions at the horizon look worth.
    pub evaluation: &'a Evaluation,
}

impl<R: fmt::Debug, P> fmt::Debug for Setup<'_, R, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// Searches a position among the steps given, which must be legal; `None` if there are none.
///
/// `observe` is called after every finished iteration. If the flag `stop` is set the search ends within a millisecond or
/// so with what it has; a result of depth 0 exists from the beginning.
pub fn search<R: Rules, P: Probe>(
    setup: &Setup<'_, R, P>,
    board: Board,
    steps: &[Step],
    limits: &Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Option<Report> {
    let control = Control::new(limits, stop);
    let busy = Busy::new(limits.threads);
    let shared = Shared {
        rules: setup.rules,
        probe: setup.probe,
        table: setup.table,
        evaluation: setup.evaluation,
        control: &control,
        busy: &busy,
    };
    setup.table.begin_search();
    let root = || negamax::root(setup, board, steps, limits.lines);
    parallel::run(|| Worker::new(&shared, board), root, &control, limits, observe)
}
