//! The document of the tables there are.

use serde::Serialize;

use super::Head;
use crate::board::Pits;
use crate::index::Layer;
use crate::table::{Statistics, TableError, TableSet, mover_letters, opponent_letters};

/// The tables of a game: `kpe.info/1`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Info {
    #[serde(flatten)]
    head: Head,
    /// Number of files.
    pub files: usize,
    /// Positions in all layers.
    pub positions: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// The layers by number of unsown pits, the pits, and stones.
    pub layers: Vec<LayerInfo>,
}

/// A layer of a file: what the file says of it and the bytes of its blocks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "LayerDocument")]
pub struct LayerInfo {
    /// The layer.
    pub layer: Layer,
    /// What its file says of it.
    pub statistics: Statistics,
    /// Bytes of its packed blocks.
    pub bytes: u64,
}

impl Info {
    /// Everything in the files of `set`.
    ///
    /// # Errors
    /// [`TableError`] if there are none (it says where they were looked for), or one is not sound.
    pub fn of(set: &TableSet) -> Result<Self, TableError> {
        let files = set.files()?;
        if files.is_empty()
            && let Some(smallest) = Layer::new(Pits::NONE, 0)
        {
            set.require(smallest)?;
        }
        let mut layers = Vec::new();
        for file in &files {
            for section in &file.metadata().sections {
                let bytes = file.packed_length(section.layer)?;
                layers.push(LayerInfo { layer: section.layer, statistics: section.statistics, bytes });
            }
        }
        layers.sort_by_key(|info| (info.layer.unsown().len(), info.layer.unsown(), info.layer.stones()));
        Ok(Self {
            head: Head::new("kpe.info/1", set.game()),
            files: files.len(),
            positions: layers.iter().map(|info| info.statistics.positions()).sum(),
            bytes: files.iter().map(|file| file.length()).sum(),
            layers,
        })
    }
}

#[derive(Serialize)]
struct LayerDocument {
    mover_unsown: String,
    opponent_unsown: String,
    stones: u8,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sum_value_squared: u64,
    max_distance: u16,
    sum_distance: u64,
    bytes: u64,
}

impl From<LayerInfo> for LayerDocument {
    fn from(LayerInfo { layer, statistics, bytes }: LayerInfo) -> Self {
        Self {
            mover_unsown: mover_letters(layer),
            opponent_unsown: opponent_letters(layer),
            stones: layer.stones(),
            positions: statistics.positions(),
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            sum_value_squared: statistics.sum_value_squared,
            max_distance: statistics.max_distance,
            sum_distance: statistics.sum_distance,
            bytes,
        }
    }
}
