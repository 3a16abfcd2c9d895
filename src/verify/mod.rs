//! The certificate: every entry of a set is checked against the entries one move on.
//!
//! A value is right if it is the best of the moves, and a distance if it counts the plies to the event that realises the
//! value (RULES 4). Claims of this kind, true for every position of a set, prove the set: the side that is better off has
//! a move that keeps the value and comes a ply nearer to an event, so it cannot be held in a loop; no move of the other
//! side escapes; and who stands at 0 can hold 0. A wrong fixed point, in which two positions vouch for each other, has no
//! distances. The check shares nothing with the solver but the rules and the numbering: it goes forward through the moves
//! of every position, where the solver goes backward.

mod claim;
mod sample;
mod shard;

pub use claim::{Fault, Finding};
pub use sample::verify_sample;
pub use shard::Shard;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::Pits;
use crate::index::Layer;
use crate::memory::Pages;
use crate::rules::{Game, Layered, Rules, with_rules};
use crate::table::{Statistics, TableError, TableFile, TableSet, layer_name};
use crate::value::Entry;
use claim::{Checker, Exits};

/// What a check is told.
#[derive(Clone, Copy)]
pub struct VerifyOptions<'a> {
    /// The part of the set to check.
    pub shard: Shard,
    /// Raised by the caller to stop.
    pub stop: &'a AtomicBool,
    /// Told the number of positions checked since the last call, and that of all to check when it is known.
    pub observe: &'a (dyn Fn(Progress) + Sync),
}

/// A step forward of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// So many positions are to be checked.
    Start(u64),
    /// So many more are.
    Positions(u64),
}

/// Why a check could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file could not be read, or its checksums are wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game is not solved by layers.
    #[error("{0}: not a game that is solved by layers; use trade=off")]
    NotLayered(String),
    /// The system has no more memory.
    #[error("no memory for the {bytes} bytes of a layer; close other programs or check the set in more shards")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
    },
    /// The stop flag was raised.
    #[error("stopped")]
    Stopped,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Files checked.
    pub files: u64,
    /// Positions checked.
    pub positions: u64,
    /// Entries that are wrong, the first few of each layer.
    pub faults: Vec<Fault>,
}

/// Faults of a layer that are told one by one.
const TOLD: usize = 5;
/// Positions checked between two looks at the stop flag.
const CHUNK: usize = 1 << 16;

/// Checks every entry of every file of `set` that belongs to the shard.
///
/// The layers are checked one after the other, each in parallel on rayon's current pool; the values of the layers they
/// lead to are held in memory while they are needed, one byte a position.
///
/// # Errors
/// If a file is missing, damaged or cannot be read, without memory, or when stopped. Wrong entries are no error of the
/// check: they are in the report.
pub fn verify(set: &TableSet, options: &VerifyOptions<'_>) -> Result<Report, VerifyError> {
    let layered = layered(set.game())?;
    let mut layers: Vec<Layer> = Vec::new();
    for file in set.files()? {
        layers.extend(file.metadata().sections.first().map(|section| section.layer));
    }
    layers.sort_by_key(|layer| (layer.unsown().len(), layer.stones(), layer.unsown()));
    let layers = options.shard.part(&layers);
    with_rules!(layered, rules => Run { rules, set, options, held: HashMap::new() }.all(&layers))
}

/// The rules by which the layers of `game` are solved.
fn layered(game: &Game) -> Result<Layered, VerifyError> {
    game.layered().ok_or_else(|| VerifyError::NotLayered(format!("{} {game}", game.name())))
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

/// One check under way.
struct Run<'a, R> {
    rules: R,
    set: &'a TableSet,
    options: &'a VerifyOptions<'a>,
    /// Values of layers that others lead to, by the first layer of their pair.
    held: HashMap<Layer, Arc<Pages<i8>>>,
}

impl<R: Rules> Run<'_, R> {
    fn all(&mut self, layers: &[Layer]) -> Result<Report, VerifyError> {
        let both = |&layer: &Layer| if layer.is_symmetric() { vec![layer] } else { vec![layer, layer.mirror()] };
        let positions = layers.iter().flat_map(both).map(|layer| u64::from(layer.positions())).sum();
        (self.options.observe)(Progress::Start(positions));
        let needs: Vec<Vec<Layer>> =
            layers.iter().map(|layer| both(layer).into_iter().flat_map(exits).collect()).collect();
        let mut last_use: HashMap<Layer, usize> = HashMap::new();
        for (at, needs) in needs.iter().enumerate() {
            last_use.extend(needs.iter().map(|&need| (need, at)));
        }
        let mut report = Report::default();
        for (at, layer) in layers.iter().enumerate() {
            let pair = self.pair(both(layer), &mut report)?;
            for (layer, entries) in pair {
                if last_use.get(&layer).is_some_and(|&last| last > at) {
                    self.held.insert(layer, Arc::new(values_of(&entries)?));
                }
            }
            self.held.retain(|layer, _| last_use.get(layer).is_some_and(|&last| last > at));
        }
        Ok(report)
    }

    /// Reads and checks one file.
    fn pair(&mut self, layers: Vec<Layer>, report: &mut Report) -> Result<Vec<(Layer, Vec<Entry>)>, VerifyError> {
        let file = self.set.require(layers[0])?;
        let mut sections = Vec::new();
        for &layer in &layers {
            let entries = file.read_section(layer)?;
            report.faults.extend(counts_fault(file, layer, &entries));
            sections.push((layer, entries));
        }
        for side in 0..sections.len() {
            let layer = sections[side].0;
            let mut tables = Exits::new();
            for exit in exits(layer) {
                tables.put(layer, exit, self.values(exit)?);
            }
            let checker = Checker {
                rules: self.rules,
                layer,
                entries: &sections[side].1,
                inner: &sections[sections.len() - 1 - side].1,
                exits: &tables,
            };
            let faults = self.check(&checker)?;
            report.faults.extend(faults.into_iter().take(TOLD));
            report.positions += u64::from(layer.positions());
        }
        report.files += 1;
        Ok(sections)
    }

    fn check(&self, checker: &Checker<'_, R>) -> Result<Vec<Fault>, VerifyError> {
        let positions = checker.entries.len();
        let chunks: Result<Vec<Vec<Fault>>, VerifyError> = (0..positions.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                if self.options.stop.load(Ordering::Relaxed) {
                    return Err(VerifyError::Stopped);
                }
                let range = chunk * CHUNK..positions.min((chunk + 1) * CHUNK);
                (self.options.observe)(Progress::Positions(range.len() as u64));
                Ok(checker.check(range, TOLD))
            })
            .collect();
        Ok(chunks?.into_iter().flatten().collect())
    }

    /// The values of a layer that another leads to.
    fn values(&mut self, layer: Layer) -> Result<Arc<Pages<i8>>, VerifyError> {
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

/// The fault of a file whose counts are not those of its entries.
fn counts_fault(file: &TableFile, layer: Layer, entries: &[Entry]) -> Option<Fault> {
    let stated = file.metadata().sections.iter().find(|section| section.layer == layer)?.statistics;
    let counted = Statistics::of(entries);
    (stated != counted).then(|| Fault {
        layer: layer_name(layer),
        position: None,
        finding: Finding::Counts { found: format!("{stated:?}"), expected: format!("{counted:?}") },
    })
}

fn pages(positions: usize) -> Result<Pages<i8>, VerifyError> {
    Pages::zeroed(positions).map_err(|_| VerifyError::Memory { bytes: positions })
}

fn values_of(entries: &[Entry]) -> Result<Pages<i8>, VerifyError> {
    let mut values = pages(entries.len())?;
    values.par_iter_mut().zip(entries.par_iter()).for_each(|(value, entry)| *value = entry.value().0);
    Ok(values)
}
