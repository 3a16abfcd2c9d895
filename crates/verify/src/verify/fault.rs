//! What a check can find wrong with an entry or a file.

use std::fmt;

use crate::board::Board;
use crate::index::Layer;
use crate::table::layer_name;
use crate::value::Entry;

/// An entry, or what a file says of its entries, that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The layer, by its name.
    pub layer: String,
    /// Number and board (from the mover's view) of the position, if it is one entry that is wrong.
    pub position: Option<(u32, Board)>,
    /// What is wrong.
    pub finding: Finding,
}

/// What is wrong with an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Value and distance are not what the entries one move on make them.
    Entry {
        /// What the table says.
        found: Entry,
        /// What follows from the entries one move on.
        expected: Entry,
    },
    /// The counts in the file are not those of its entries.
    Counts {
        /// Counts in the file.
        found: String,
        /// Counts of its entries.
        expected: String,
    },
}

impl Fault {
    /// The fault of the position with this number in `layer`.
    pub(super) fn entry(layer: Layer, number: u32, found: Entry, expected: Entry) -> Self {
        let position = Some((number, layer.unrank(number)));
        Self { layer: layer_name(layer), position, finding: Finding::Entry { found, expected } }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layer {}", self.layer)?;
        if let Some((number, board)) = self.position {
            write!(f, ", position {number} (pits {:?} from the mover's left)", board.lanes())?;
        }
        match &self.finding {
            Finding::Entry { found, expected } => {
                let text = |entry: &Entry| format!("value {} distance {}", entry.value(), entry.distance().0);
                write!(f, ": found {}, expected {} from the positions one move on", text(found), text(expected))
            }
            Finding::Counts { found, expected } => write!(f, ": the file counts {found}, its entries are {expected}"),
        }
    }
}
