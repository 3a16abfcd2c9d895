//! The documents of `--json`. All numbers are integers; README.md describes every field.

use kpe::notation::{Move, Outcome, Position};
use kpe::rules::Game;
use serde::Serialize;

/// What every document begins with.
#[derive(Serialize)]
pub(super) struct Head {
    /// Kind and version of the document.
    schema: &'static str,
    /// `kpe` or `gore`.
    game: &'static str,
    /// The rule options: `origin=skip,unlock=same,feed=remains`.
    options: String,
}

impl Head {
    /// The head of a document of this kind about `game`.
    pub(super) fn new(schema: &'static str, game: &Game) -> Self {
        Self { schema, game: game.name(), options: game.to_string() }
    }
}

/// The answer to a line of a batch that failed.
#[derive(Serialize)]
pub(super) struct ErrorDocument {
    schema: &'static str,
    /// The line, if it was text.
    position: Option<String>,
    error: String,
    /// The bytes of the line that are wrong, from and to, if that is what is wrong.
    at: Option<[usize; 2]>,
}

impl ErrorDocument {
    pub(super) fn new(position: Option<String>, error: String, at: Option<[usize; 2]>) -> Self {
        Self { schema: "kpe.error/1", position, error, at }
    }
}

/// A legal move and what it leads to.
#[derive(Serialize)]
pub(super) struct MoveDocument {
    #[serde(rename = "move")]
    action: String,
    captured: u8,
    result: String,
    over: bool,
    /// South's and North's stones at the end.
    #[serde(rename = "final")]
    totals: Option<[u8; 2]>,
}

impl MoveDocument {
    pub(super) fn new(position: &Position, outcome: &Outcome) -> Self {
        Self {
            action: move_text(position, outcome.action),
            captured: outcome.captured,
            result: outcome.result.to_string(),
            over: outcome.totals.is_some(),
            totals: outcome.totals,
        }
    }
}

/// A move as the mover of `position` writes it.
pub(super) fn move_text(position: &Position, action: Move) -> String {
    action.text(position.side()).to_string()
}
