//! The certificate: every entry of a set is checked against the entries one move on.
//!
//! A value is right if it is the best of the moves, and a distance if it counts the plies to the event that realises the
//! value (RULES 4). Claims of this kind, true for every position of a set, prove the set: the side that is better off has
//! a move that keeps the value and comes a ply nearer to an event, so it cannot be held in a loop; no move of the other
//! side escapes; and who stands at 0 can hold 0. A wrong fixed point, in which two positions vouch for each other, has no
//! distances. The check shares nothing with the solver but the rules and the numbering: it goes forward through the moves
//! of every position, where the solver goes backward.

mod fault;
mod sample;
mod shard;

pub use crate::forward::{PassError as VerifyError, Progress};
pub use fault::{Fault, Finding};
pub use sample::verify_sample;
pub use shard::{Shard, ShardError};

use std::sync::atomic::AtomicBool;

use crate::forward::{Claim, Forward, Pass, layered};
use crate::index::Layer;
use crate::rules::with_rules;
use crate::table::{Statistics, TableFile, TableSet, layer_name};
use crate::value::Entry;

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
    let pairs = shard_layers(set, options.shard)?;
    let mut report = Report { files: pairs.len() as u64, ..Report::default() };
    Pass::new(set, options.stop, options.observe).each(pairs, |pass, file, side| {
        report.faults.extend(counts_fault(file, side.layer, side.entries));
        let chunks = with_rules!(layered, rules => {
            let forward = Forward { rules, side };
            pass.chunks(side, |range| {
                let mut faults = Vec::new();
                forward.sweep(range, |number, found, claim: Claim| {
                    if Claim::of(found) != claim && faults.len() < TOLD {
                        faults.push(Fault::entry(side.layer, number, found, claim.entry()));
                    }
                });
                faults
            })
        })?;
        report.faults.extend(chunks.into_iter().flatten().take(TOLD));
        report.positions += u64::from(side.layer.positions());
        Ok::<(), VerifyError>(())
    })?;
    Ok(report)
}

/// The layer pairs of a part of `set`, each by its first layer.
///
/// # Errors
/// If a directory or the head of a file cannot be read.
pub fn shard_layers(set: &TableSet, shard: Shard) -> Result<Vec<Layer>, VerifyError> {
    let mut layers = set.layers()?;
    layers.sort_by_key(|layer| (layer.unsown().len(), layer.stones(), layer.unsown()));
    Ok(shard.part(&layers))
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
