//! The JSON documents in which the command line and the server tell of positions. All numbers are integers; README.md
//! describes every field.

mod info;

use serde::Serialize;

use crate::level::Level;
use crate::notation::{Move, Outcome, Position};
use crate::player::{AssessedMove, Assessment, Choice};
use crate::rules::Game;

pub use info::{Info, LayerInfo};

/// What every document begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Head {
    /// Kind and version of the document.
    pub schema: &'static str,
    /// `kpe` or `gore`.
    pub game: &'static str,
    /// The rule options: `origin=skip,unlock=same,feed=remains`.
    pub options: String,
}

impl Head {
    /// The head of a document of this kind about `game`.
    #[must_use]
    pub fn new(schema: &'static str, game: &Game) -> Self {
        Self { schema, game: game.name(), options: game.to_string() }
    }
}

/// A position that could not be answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ErrorDocument {
    schema: &'static str,
    /// What was asked, if it was text.
    position: Option<String>,
    error: String,
    /// The bytes of it that are wrong, from and to, if that is what is wrong.
    at: Option<[usize; 2]>,
}

impl ErrorDocument {
    /// The document about an error.
    #[must_use]
    pub const fn new(position: Option<String>, error: String, at: Option<[usize; 2]>) -> Self {
        Self { schema: "kpe.error/1", position, error, at }
    }
}

/// The legal moves of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moves {
    #[serde(flatten)]
    head: Head,
    position: String,
    over: bool,
    /// South's and North's stones at the end.
    #[serde(rename = "final")]
    totals: Option<[u8; 2]>,
    moves: Vec<LegalMove>,
}

/// A legal move and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    action: String,
    captured: u8,
    result: String,
    over: bool,
    #[serde(rename = "final")]
    totals: Option<[u8; 2]>,
}

impl Moves {
    /// Those of `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let legal = |outcome: &Outcome| LegalMove {
            action: move_text(position, outcome.action),
            captured: outcome.captured,
            result: outcome.result.to_string(),
            over: outcome.totals.is_some(),
            totals: outcome.totals,
        };
        Self {
            head: Head::new("kpe.moves/1", &position.game()),
            position: position.to_string(),
            over: position.totals().is_some(),
            totals: position.totals(),
            moves: position.outcomes().iter().map(legal).collect(),
        }
    }
}

/// What a position is worth, its best move, and what every other one is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Best {
    #[serde(flatten)]
    head: Head,
    position: String,
    best: Option<String>,
    value: i8,
    kind: &'static str,
    distance: Option<u16>,
    line: Vec<String>,
    source: &'static str,
    nodes: u64,
    depth: u8,
    moves: Vec<ValuedMove>,
}

/// A legal move and its worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct ValuedMove {
    #[serde(rename = "move")]
    action: String,
    captured: u8,
    result: String,
    value: i8,
    kind: &'static str,
    distance: Option<u16>,
}

impl Best {
    /// What was found out about a position.
    #[must_use]
    pub fn new(assessment: &Assessment) -> Self {
        let position = &assessment.position;
        let valued = |valued: &AssessedMove| ValuedMove {
            action: move_text(position, valued.action),
            captured: valued.captured,
            result: valued.result.to_string(),
            value: valued.value.0,
            kind: valued.kind.word(),
            distance: valued.distance.map(|plies| plies.0),
        };
        Self {
            head: Head::new("kpe.best/1", &position.game()),
            position: position.to_string(),
            best: assessment.best.map(|action| move_text(position, action)),
            value: assessment.value.0,
            kind: assessment.kind.word(),
            distance: assessment.distance.filter(|_| assessment.value.0 != 0).map(|plies| plies.0),
            line: line_texts(position, &assessment.line),
            source: assessment.source.word(),
            nodes: assessment.nodes,
            depth: assessment.depth,
            moves: assessment.moves.iter().map(valued).collect(),
        }
    }
}

/// The move a player makes, and what he knows of the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chosen {
    #[serde(flatten)]
    known: Best,
    #[serde(rename = "move")]
    action: String,
    /// His level, 1 to 10.
    level: u8,
}

impl Chosen {
    /// The move `choice`, made at this level.
    #[must_use]
    pub fn new(choice: &Choice, level: Level) -> Self {
        let mut known = Best::new(&choice.assessment);
        known.head.schema = "kpe.choose/1";
        Self { known, action: move_text(&choice.assessment.position, choice.action), level: level.number() }
    }
}

/// A move as the mover of `position` writes it.
#[must_use]
pub fn move_text(position: &Position, action: Move) -> String {
    action.text(position.side()).to_string()
}

/// A line of play as text, each move as the player who makes it writes it.
#[must_use]
pub fn line_texts(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(moves.len());
    for &action in moves {
        // The engine plays by the same rules; should it not, the line ends there.
        let Ok(outcome) = position.play(action) else { break };
        texts.push(move_text(&position, action));
        position = outcome.result;
    }
    texts
}
