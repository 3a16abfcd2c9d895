//! One parallel pass over a set, forward through the moves: every entry is shown with what the entries one move on say
//! of its position. The certificate and the statistics are such passes.
//!
//! It shares nothing with the solver but the rules and the numbering.

mod claim;
mod moves;

pub(crate) use claim::Claim;
pub(crate) use moves::{Forward, Side, Tally};

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::Pits;
use crate::index::{Layer, layers_of};
use crate::memory::Pages;
use crate::rules::{Game, Layered};
use crate::table::{TableError, TableFile, TableSet};
use crate::value::Entry;
use moves::Exits;

/// A step forward of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// So many positions are to be looked at.
    Start(u64),
    /// So many more are.
    Positions(u64),
}

/// Why a pass could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PassError {
    /// A file could not be read, or its checksums are wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game is not solved by layers.
    #[error("{0}: not a game that is solved by layers; use trade=off")]
    NotLayered(String),
    /// The system has no more memory.
    #[error("no memory for the {bytes} bytes of a layer; close other programs or look at fewer layers at a time")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
    },
    /// The stop flag was raised.
    #[error("stopped")]
    Stopped,
}

/// Positions looked at between two looks at the stop flag.
const CHUNK: usize = 1 << 16;

/// The rules by which the layers of `game` are solved.
pub(crate) fn layered(game: &Game) -> Result<Layered, PassError> {
    game.layered().ok_or_else(|| PassError::NotLayered(format!("{} {game}", game.name())))
}

/// The layers that a move out of `layer` can lead to: first sowings, and captures, which are of twos and fours, by a
/// player who has no other pit unsown.
fn exits(layer: Layer) -> Vec<Layer> {
    let own = layer.unsown().and(Pits::OWN);
    let mut exits: Vec<Layer> =
        own.into_iter().filter_map(|pit| Layer::new(layer.unsown().without(pit).rotate(), layer.stones())).collect();
    if own.len() < 2 {
        let theirs = layer.unsown().and(Pits::OPPONENT).rotate();
        exits.extend((2..=layer.stones()).step_by(2).filter_map(|taken| Layer::new(theirs, layer.stones() - taken)));
    }
    exits
}

/// A pass under way.
pub(crate) struct Pass<'a> {
    set: &'a TableSet,
    stop: &'a AtomicBool,
    observe: &'a (dyn Fn(Progress) + Sync),
    /// Values of layers that others lead to.
    held: HashMap<Layer, Arc<Pages<i8>>>,
}

impl<'a> Pass<'a> {
    /// A pass over `set` that ends when `stop` is raised and tells `observe` how far it has come.
    pub(crate) fn new(set: &'a TableSet, stop: &'a AtomicBool, observe: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { set, stop, observe, held: HashMap::new() }
    }

    /// Shows `visit` both layers of every pair, which is given by one of them; the pairs one after the other, in an
    /// order in which little is held in memory: the entries of one pair, and the values of the layers that moves lead
    /// to, one byte a position, while they are needed. Ends with the first error.
    pub(crate) fn each<E: From<PassError>>(
        &mut self,
        mut pairs: Vec<Layer>,
        mut visit: impl FnMut(&Self, &TableFile, &Side<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        pairs.sort_by_key(|layer| (layer.unsown().len(), layer.stones(), layer.unsown()));
        let positions = pairs.iter().flat_map(|&pair| layers_of(pair)).map(|side| u64::from(side.positions())).sum();
        (self.observe)(Progress::Start(positions));
        let mut last_use: HashMap<Layer, usize> = HashMap::new();
        for (at, &pair) in pairs.iter().enumerate() {
            last_use.extend(layers_of(pair).flat_map(exits).map(|need| (need, at)));
        }
        for (at, &pair) in pairs.iter().enumerate() {
            let used_later = |layer: &Layer| last_use.get(layer).is_some_and(|&last| last > at);
            for (layer, entries) in self.pair(pair, &mut visit)? {
                if used_later(&layer) {
                    self.held.insert(layer, Arc::new(values_of(&entries)?));
                }
            }
            self.held.retain(|layer, _| used_later(layer));
        }
        Ok(())
    }

    /// Reads one file and shows its layers.
    fn pair<E: From<PassError>>(
        &mut self,
        pair: Layer,
        visit: &mut impl FnMut(&Self, &TableFile, &Side<'_>) -> Result<(), E>,
    ) -> Result<Vec<(Layer, Pages<Entry>)>, E> {
        let set = self.set;
        let file = set.require(pair).map_err(PassError::from)?;
        let mut sections = Vec::new();
        for layer in layers_of(pair) {
            let mut entries = pages(layer.positions() as usize)?;
            file.read_entries(layer, &mut entries).map_err(PassError::from)?;
            sections.push((layer, entries));
        }
        for (at, (layer, entries)) in sections.iter().enumerate() {
            let mut tables = Exits::new();
            for exit in exits(*layer) {
                tables.put(*layer, exit, self.values(exit)?);
            }
            let inner = &sections[sections.len() - 1 - at].1;
            visit(self, file, &Side { layer: *layer, entries, inner, exits: &tables })?;
        }
        Ok(sections)
    }

    /// Does `work` on all positions of a layer, many at a time, in parallel on rayon's current pool; the results come in
    /// the order of the numbers.
    pub(crate) fn chunks<T: Send>(
        &self,
        side: &Side<'_>,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> Result<Vec<T>, PassError> {
        let positions = side.entries.len();
        let chunk = |chunk: usize| {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PassError::Stopped);
            }
            let range = chunk * CHUNK..positions.min((chunk + 1) * CHUNK);
            let length = range.len() as u64;
            let result = work(range);
            (self.observe)(Progress::Positions(length));
            Ok(result)
        };
        (0..positions.div_ceil(CHUNK)).into_par_iter().map(chunk).collect()
    }

    /// The values of a layer that another leads to.
    fn values(&mut self, layer: Layer) -> Result<Arc<Pages<i8>>, PassError> {
        if let Some(values) = self.held.get(&layer) {
            return Ok(Arc::clone(values));
        }
        let file = self.set.require(layer)?;
        let mut values = pages(layer.positions() as usize)?;
        file.read_values(layer, &mut values)?;
        let values = Arc::new(values);
        self.held.insert(layer, Arc::clone(&values));
        Ok(values)
    }
}

fn pages<T: bytemuck::Pod>(positions: usize) -> Result<Pages<T>, PassError> {
    Pages::zeroed(positions).map_err(|_| PassError::Memory { bytes: positions * size_of::<T>() })
}

fn values_of(entries: &[Entry]) -> Result<Pages<i8>, PassError> {
    let mut values = pages(entries.len())?;
    values.par_iter_mut().zip(entries.par_iter()).for_each(|(value, entry)| *value = entry.value().0);
    Ok(values)
}
