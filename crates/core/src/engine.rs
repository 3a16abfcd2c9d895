//! What a position is worth and how to play it: from tables where they cover it, else by search.
//!
//! Everything a person sees asks here. A table answer is perfect play: among the moves that keep the value the one of
//! least distance for the player who is better off, so that he gets on and cannot be held in a loop; of greatest distance for the one who is
//! worse off; and in a balanced position the move after which the opponent has most ways to go wrong.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use kpe_core::board::{Board, Pit, Pits};
//! use kpe_core::engine::{Engine, Source, TableProbe};
//! use kpe_core::rules::{Game, kpe::Kpe};
//! use kpe_core::search::{Limits, Step};
//! use kpe_core::table::{TableSet, embedded};
//! use kpe_core::value::Value;
//!
//! let rules = Kpe::default();
//! let probe = TableProbe::new(TableSet::new(&Game::Kpe(rules)).and_embedded(embedded()))?;
//! let engine = Engine::new(rules, probe, 4 << 20)?;
//! let board = Board::new([2, 4, 1, 3, 0, 3, 8, 1], Pits::NONE);
//! let found = engine.analyse(board, None, &Limits::default(), &AtomicBool::new(false), &mut |_| ())?;
//! assert_eq!((found.best, found.value, found.source), (Some(Step::Sow(Pit::new(1))), Value(4), Source::Table));
//! // A table that is damaged cannot be told in an answer: ask before it is used.
//! assert!(engine.probe().failures() == 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod tables;
mod trading;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::board::Board;
use crate::index::Layer;
use crate::rules::Rules;
use crate::search::{
    Evaluation, Limits, MoveReport, Probe, Report, Setup, Step, TranspositionError, TranspositionTable, search,
};
use crate::value::{Distance, Kind, Value};

pub use tables::{TableProbe, UNPACKED_MEMORY};
pub use trading::IllegalChoice;
#[doc(hidden)]
pub use trading::{Deal, Market, Prospect, TradeAnalysis, TradeEngine, TradeMove};

/// The longest line of play that is followed in tables, in plies: as much as anybody reads, in a few milliseconds.
pub const LONGEST_LINE: usize = 16;

/// Where an analysis comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The game is over: its rules say what it is worth.
    Rules,
    /// Tables know every move.
    Table,
    /// A search, possibly with tables below it.
    Search,
}

impl Source {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Table => "table",
            Self::Search => "search",
        }
    }
}

/// A legal move and its worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveAnalysis {
    /// The move.
    pub step: Step,
    /// Stones it captures.
    pub captured: u8,
    /// The board after it, as the opponent sees it.
    pub board: Board,
    /// What the mover will take minus what the opponent will, from this move on and with its own capture.
    ///
    /// A search for one line only gives moves other than the best an estimate that may be too high, never above the best.
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// Plies to the next irrevocable event, this move included; only from tables and if the value is not 0.
    pub distance: Option<Distance>,
}

/// What is known of a position, mover's view.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The best move; `None` if the game is over.
    pub best: Option<Step>,
    /// The value of the position if it is played on with one of the moves asked for.
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// Plies to the next irrevocable event; 0 if the game is over, else as for the best move.
    pub distance: Option<Distance>,
    /// The line of play that is expected, the best move first. From tables it ends with the game or when it repeats.
    pub line: Vec<Step>,
    /// Where this comes from.
    pub source: Source,
    /// Nodes searched.
    pub nodes: u64,
    /// Plies searched; 0 without a search.
    pub depth: u8,
    /// The moves asked for, best first.
    pub moves: Vec<MoveAnalysis>,
}

/// Why a position was not analysed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A move to choose from is not legal.
    #[error("{step:?} is not legal here; legal: {legal:?}")]
    Illegal {
        /// The move.
        step: Step,
        /// The legal ones.
        legal: Vec<Step>,
    },
    /// There is no move to choose from, though the game goes on.
    #[error("no move to choose from; name at least one of {legal:?}")]
    NoMoves {
        /// The legal ones.
        legal: Vec<Step>,
    },
}

/// A player: rules, tables, and what he remembers from one search to the next.
pub struct Engine<R, P> {
    rules: R,
    probe: P,
    evaluation: Evaluation,
    table: TranspositionTable,
}

impl<R: fmt::Debug, P> fmt::Debug for Engine<R, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl<R: Rules, P: Probe> Engine<R, P> {
    /// An engine with a transposition table of at most `memory` bytes, at least 4 MiB. What the `probe` knows must be of the
    /// same `rules`: what it says is believed.
    ///
    /// # Errors
    /// If the memory is too little or not to be had.
    pub fn new(rules: R, probe: P, memory: usize) -> Result<Self, TranspositionError> {
        Ok(Self { rules, probe, evaluation: Evaluation::default(), table: TranspositionTable::new(memory)? })
    }

    /// The rules it plays by.
    pub const fn rules(&self) -> &R {
        &self.rules
    }

    /// The tables it uses.
    pub const fn probe(&self) -> &P {
        &self.probe
    }

    /// Takes the memory that the first search would wait for.
    pub fn make_ready(&self) {
        self.table.make_ready();
    }

    /// Forgets earlier searches, so that the next one depends on nothing before it.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The worth of a position and of each of its moves, or of the `allowed` ones only.
    ///
    /// Limits and stop flag concern the search, which tables make needless; `observe` hears of its iterations.
    ///
    /// # Errors
    /// If an allowed move is not legal, or none is given in a game that goes on.
    pub fn analyse(
        &self,
        board: Board,
        allowed: Option<&[Step]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Report),
    ) -> Result<Analysis, EngineError> {
        let legal: Vec<Step> = Step::legal(&self.rules, board).collect();
        if let Some(&step) = allowed.unwrap_or_default().iter().find(|step| !legal.contains(step)) {
            return Err(EngineError::Illegal { step, legal });
        }
        if let Some(value) = self.rules.over(board) {
            return Ok(Analysis::finished(Value(value)));
        }
        let steps: Vec<Step> =
            legal.iter().copied().filter(|step| allowed.is_none_or(|allowed| allowed.contains(step))).collect();
        if let Some(analysis) = self.look_up(board, &steps) {
            return Ok(analysis);
        }
        let setup = Setup { rules: self.rules, probe: &self.probe, table: &self.table, evaluation: &self.evaluation };
        let report = search(&setup, board, &steps, limits, stop, observe).ok_or(EngineError::NoMoves { legal })?;
        Ok(self.conclude(board, report))
    }

    /// Value and distance of a position, if its game is over or a table has it.
    #[must_use]
    pub fn known(&self, board: Board) -> Option<(Value, Distance)> {
        if let Some(value) = self.rules.over(board) {
            return Some((Value(value), Distance(0)));
        }
        let layer = Layer::of(board);
        if !self.probe.covers(layer) {
            return None;
        }
        self.probe.probe(layer, layer.rank(board)).map(|entry| (entry.value(), entry.distance()))
    }

    /// A move, if the position after it is known.
    fn known_move(&self, board: Board, step: Step) -> Option<MoveAnalysis> {
        let (next, captured) = step.play(&self.rules, board);
        let (theirs, distance) = self.known(next)?;
        let value = Value(captured as i8 - theirs.0);
        // A capture and a first sowing leave the layer; both are events, and so is the end of the game, of distance 0.
        let leaves = Layer::of(next) != Layer::of(board).mirror();
        let plies = if leaves { 1 } else { distance.0 + 1 };
        let distance = (value != Value::ZERO).then_some(Distance(plies));
        Some(MoveAnalysis { step, captured, board: next, value, kind: Kind::Exact, distance })
    }

    /// The moves, best first, if all of them are known. Among equal draws that after which the opponent can go wrong most often comes first,
    /// if the player `sets_traps`.
    fn known_moves(
        &self,
        board: Board,
        steps: impl IntoIterator<Item = Step>,
        sets_traps: bool,
    ) -> Option<Vec<MoveAnalysis>> {
        let mut moves =
            steps.into_iter().map(|step| self.known_move(board, step)).collect::<Option<Vec<MoveAnalysis>>>()?;
        let best = moves.iter().map(|m| m.value).max()?;
        let traps: Vec<(Step, usize)> = if best == Value::ZERO && sets_traps {
            moves.iter().filter(|m| m.value == best).map(|m| (m.step, self.traps(m.board))).collect()
        } else {
            Vec::new()
        };
        let traps = |m: &MoveAnalysis| traps.iter().find(|trap| trap.0 == m.step).map_or(0, |trap| trap.1);
        moves.sort_by_cached_key(|m| {
            let plies = i32::from(m.distance.unwrap_or_default().0);
            (Reverse(m.value), if m.value > Value::ZERO { plies } else { -plies }, Reverse(traps(m)), m.step)
        });
        Some(moves)
    }

    /// How many moves lose value here.
    fn traps(&self, board: Board) -> usize {
        let moves: Vec<Value> =
            Step::legal(&self.rules, board).filter_map(|step| self.known_move(board, step)).map(|m| m.value).collect();
        let best = moves.iter().max().copied().unwrap_or_default();
        moves.into_iter().filter(|&value| value < best).count()
    }

    /// The analysis from tables alone.
    fn look_up(&self, board: Board, steps: &[Step]) -> Option<Analysis> {
        let moves = self.known_moves(board, steps.iter().copied(), true)?;
        let best = moves[0];
        Some(Analysis {
            best: Some(best.step),
            value: best.value,
            kind: Kind::Exact,
            distance: best.distance,
            line: self.complete(board, vec![best.step]),
            source: Source::Table,
            nodes: 0,
            depth: 0,
            moves,
        })
    }

    /// Continues a line with the best moves of tables, as far as they reach and until the game ends or repeats. It sets no
    /// traps: to look for them at every ply would take most of the time of an answer.
    fn complete(&self, board: Board, mut line: Vec<Step>) -> Vec<Step> {
        let mut seen = HashSet::from([(board, 0)]);
        let mut board = line.iter().fold(board, |board, step| step.play(&self.rules, board).0);
        while line.len() < LONGEST_LINE && seen.insert((board, line.len() % 2)) {
            let Some(moves) = self.known_moves(board, Step::legal(&self.rules, board), false) else { break };
            line.push(moves[0].step);
            board = moves[0].board;
        }
        line
    }

    /// The analysis from a search.
    fn conclude(&self, board: Board, report: Report) -> Analysis {
        let stones = board.total();
        let (value, kind) = report.worth.value(stones);
        let top = value;
        let of_move = |m: &MoveReport| {
            let (mut value, mut kind) = m.worth.value(stones);
            if value > top && kind != Kind::Exact {
                // Left over from an iteration before the last, or only an upper estimate.
                (value, kind) = (top.max(m.worth.low), Kind::Estimate);
            }
            let distance = self.known_move(board, m.step).and_then(|known| known.distance);
            MoveAnalysis { step: m.step, captured: m.captured, board: m.board, value, kind, distance }
        };
        let mut moves: Vec<MoveAnalysis> = report.moves.iter().map(of_move).collect();
        // An iteration that was cut short leaves moves in the order of the one before; the best stays first.
        moves.sort_by_key(|m| Reverse(m.value));
        let best = report.moves.into_iter().next();
        Analysis {
            best: best.as_ref().map(|m| m.step),
            value,
            kind,
            distance: moves.first().filter(|_| kind == Kind::Exact).and_then(|m| m.distance),
            line: self.complete(board, best.map(|m| m.line).unwrap_or_default()),
            source: Source::Search,
            nodes: report.nodes,
            depth: report.depth,
            moves,
        }
    }
}

impl Analysis {
    /// A game that is over.
    const fn finished(value: Value) -> Self {
        Self {
            best: None,
            value,
            kind: Kind::Exact,
            distance: Some(Distance(0)),
            line: Vec::new(),
            source: Source::Rules,
            nodes: 0,
            depth: 0,
            moves: Vec::new(),
        }
    }
}
