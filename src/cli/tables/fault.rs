//! A wrong entry as the document of a check tells it.

use kpe::notation::{Position, Side};
use kpe::rules::Game;
use kpe::value::Entry;
use kpe::verify::{Fault, Finding};
use serde::{Deserialize, Serialize};

/// What is wrong and where; as text it is a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FaultDocument {
    layer: String,
    /// `null` where the counts of a file are wrong.
    number: Option<u32>,
    position: Option<String>,
    found: Claimed,
    expected: Claimed,
}

/// An entry, or counts as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Claimed {
    Entry { value: i8, distance: u16 },
    Counts(String),
}

impl FaultDocument {
    /// The document of `fault` in a set of `game`.
    pub(super) fn new(game: &Game, fault: &Fault) -> Self {
        let entry = |entry: &Entry| Claimed::Entry { value: entry.value().0, distance: entry.distance().0 };
        let (found, expected) = match &fault.finding {
            Finding::Entry { found, expected } => (entry(found), entry(expected)),
            Finding::Counts { found, expected } => (Claimed::Counts(found.clone()), Claimed::Counts(expected.clone())),
        };
        let position = fault.position.and_then(|(_, board)| {
            Position::from_solver(*game, Side::South, board, [0, 0]).ok().map(|position| position.to_string())
        });
        let number = fault.position.map(|(number, _)| number);
        Self { layer: fault.layer.clone(), number, position, found, expected }
    }
}

impl std::fmt::Display for Claimed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entry { value, distance } => write!(f, "value {value:+} distance {distance}"),
            Self::Counts(text) => f.write_str(text),
        }
    }
}

impl std::fmt::Display for FaultDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "layer {}", self.layer)?;
        match (self.number, &self.position) {
            (Some(number), Some(position)) => write!(f, ", position {number}, {position}")?,
            (Some(number), None) => write!(f, ", position {number}")?,
            (None, _) => write!(f, ", counts of the file")?,
        }
        write!(f, ": found {}, expected {}", self.found, self.expected)
    }
}
