//! What is known of a position, in the terms of a game that people play: any game, offers included.

use crate::engine::{Analysis, MoveAnalysis, Source, TradeAnalysis, TradeMove};
use crate::notation::{Move, Position};
use crate::search::{Report, Step, UNITS};
use crate::value::{Distance, Kind, Value};

/// A legal move and its worth.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AssessedMove {
    /// The move.
    pub action: Move,
    /// Stones it captures.
    pub captured: u8,
    /// The position after it.
    pub result: Position,
    /// Worth to the player who makes it, in stones, as [`Assessment::value`].
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// Plies to the next irrevocable event, this move included; only from tables and if the value is not 0.
    pub distance: Option<Distance>,
    /// Whether an estimate is only an upper one: the move was found to be no better than the best ones.
    pub is_upper: bool,
}

/// What is known of a position, mover's view.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Assessment {
    /// The position.
    pub position: Position,
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
    /// Stones the mover will still take minus those the opponent will; in Goré with trades the mover's final total minus
    /// the opponent's.
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// Plies to the next irrevocable event; 0 if the game is over, else as for the best move.
    pub distance: Option<Distance>,
    /// The line of play that is expected, the best move first.
    pub line: Vec<Move>,
    /// Where this comes from.
    pub source: Source,
    /// Nodes searched.
    pub nodes: u64,
    /// Plies searched (in Goré with trades turns, an answer being none of its own); 0 without a search.
    pub depth: u8,
    /// The moves asked for, best first.
    pub moves: Vec<AssessedMove>,
}

impl Assessment {
    /// The same for a player who makes this move, be it the best or not: value, distance and line are the move's.
    #[must_use]
    pub fn with_best(mut self, best: Option<Move>) -> Self {
        let chosen = self.moves.iter().find(|m| Some(m.action) == best);
        if let Some(chosen) = chosen.filter(|_| best != self.best) {
            (self.value, self.kind, self.distance) = (chosen.value, chosen.kind, chosen.distance);
            self.line = vec![chosen.action];
            self.best = best;
        }
        self
    }

    pub(super) fn of_boards(position: &Position, analysis: Analysis) -> Self {
        let assessed = |m: MoveAnalysis| {
            let action = m.step.into();
            Some(AssessedMove {
                action,
                captured: m.captured,
                result: position.play(action).ok()?.result,
                value: m.value,
                kind: m.kind,
                distance: m.distance,
                is_upper: false,
            })
        };
        Self {
            position: *position,
            best: analysis.best.map(Move::from),
            value: analysis.value,
            kind: analysis.kind,
            distance: analysis.distance,
            line: analysis.line.into_iter().map(Move::from).collect(),
            source: analysis.source,
            nodes: analysis.nodes,
            depth: analysis.depth,
            moves: analysis.moves.into_iter().filter_map(assessed).collect(),
        }
    }

    pub(super) fn of_trades(position: &Position, analysis: TradeAnalysis) -> Self {
        let assessed = |m: TradeMove| {
            Some(AssessedMove {
                action: m.action,
                captured: m.captured,
                result: position.play(m.action).ok()?.result,
                value: m.value,
                kind: m.kind,
                distance: None,
                is_upper: m.is_upper,
            })
        };
        Self {
            position: *position,
            best: analysis.best,
            value: analysis.value,
            kind: analysis.kind,
            distance: None,
            line: analysis.line,
            source: if analysis.best.is_some() { Source::Search } else { Source::Rules },
            nodes: analysis.nodes,
            depth: analysis.depth,
            moves: analysis.moves.into_iter().filter_map(assessed).collect(),
        }
    }
}

/// How far a search has come.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Plies searched, or turns.
    pub depth: u8,
    /// What the position looks worth to the mover, in hundredths of a stone.
    pub hundredths: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// The line of play expected.
    pub line: Vec<Move>,
}

impl Progress {
    pub(super) fn of<S: Copy, B>(report: &Report<S, B>, action: impl Fn(S) -> Move) -> Self {
        let line = report.moves.first().map(|best| best.line.as_slice()).unwrap_or_default();
        Self {
            depth: report.depth,
            hundredths: report.worth.score * 100 / UNITS,
            nodes: report.nodes,
            line: line.iter().map(|&step| action(step)).collect(),
        }
    }
}

/// A move as the search of boards has it; offers and answers it has none.
pub(super) const fn step_of(action: Move) -> Option<Step> {
    match action {
        Move::Sow(pit) => Some(Step::Sow(pit)),
        Move::Pass => Some(Step::Pass),
        Move::Offer(_) | Move::Accept | Move::Decline => None,
    }
}
