//! The fixed set of positions by which the speed of the search is measured and its behaviour recognised.
//!
//! The set was drawn once from games of random and greedy moves: the start, positions with locks, and positions of the
//! middle game with 28 to 44 stones. One thread searches each to a fixed depth, with the tables that are part of the program and no
//! others, from an empty transposition table of fixed size. So the total of nodes is the same on every machine, and a change of
//! it is a change of what the search does.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::engine::{TableProbe, UNPACKED_MEMORY};
use crate::notation::Position;
use crate::rules::Game;
use crate::rules::kpe::Kpe;
use crate::search::{self, Evaluation, Limits, Setup, Step, TranspositionTable};
use crate::table::{TableError, TableSet, embedded};

/// The positions, as text.
pub const POSITIONS: [&str; 28] = [
    "startpos",
    "7-1-8-8-0-8-8-8-0-0-S:ACDbcd",
    "1-2-9-9-9-9-9-0-0-0-S:CDabc",
    "10-10-1-0-1-4-12-10-0-0-N:ABcd",
    "4-4-0-12-0-13-2-13-0-0-S:Dbd",
    "4-11-1-0-13-2-3-14-0-0-N:Bad",
    "3-14-11-1-2-0-14-3-0-0-S:BCc",
    "4-14-0-1-1-16-8-4-0-0-N:Bb",
    "0-1-6-13-0-0-15-13-0-0-S:Dcd",
    "1-7-2-17-17-1-0-3-0-0-S:Da",
    "6-2-0-2-0-19-1-16-2-0-S:bd",
    "1-8-22-7-3-6-0-1-0-0-S:C",
    "3-14-7-0-5-3-0-12-0-4-S",
    "4-1-0-7-0-6-23-1-4-2-N",
    "0-6-17-4-7-0-5-1-8-0-N",
    "10-1-0-18-3-7-1-0-2-6-S",
    "7-5-0-2-6-0-7-11-8-2-N",
    "0-6-4-10-0-2-10-6-0-10-S",
    "17-0-2-2-3-12-0-0-2-10-N",
    "0-6-0-8-5-4-13-0-4-8-S",
    "17-3-0-0-2-6-6-0-0-14-S",
    "5-0-3-7-9-3-0-7-2-12-N",
    "3-2-0-4-2-14-0-7-4-12-N",
    "0-0-15-3-0-3-5-6-4-12-S",
    "1-4-2-0-0-10-6-7-14-4-N",
    "6-9-7-0-0-0-0-8-10-8-N",
    "0-9-3-2-0-8-2-4-12-8-N",
    "10-3-5-0-5-2-3-0-8-12-S",
];

/// Plies searched unless told otherwise.
pub const DEPTH: u8 = 20;
/// Plies searched more where nobody is locked: fewer stones and the tables below make these positions quicker.
const UNLOCKED_MORE: u8 = 4;
/// Memory of the transposition table, in bytes.
const MEMORY: usize = 64 << 20;

/// What the search of one position took.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The position, as text.
    pub position: &'static str,
    /// Plies searched; fewer than asked for if the result was proven before.
    pub depth: u8,
    /// Nodes visited, counted as `src/search/negamax.rs` says.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The score found, in quarters of a stone.
    pub score: i32,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The tables in the program are not sound.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] search::TranspositionError),
}

/// The boards of the set.
#[must_use]
pub fn positions() -> Vec<Position> {
    let game = Game::Kpe(Kpe::default());
    // A test reads them all.
    POSITIONS.iter().filter_map(|text| Position::parse(text, game).ok()).collect()
}

/// Searches every position to `depth`, unlocked ones to four plies more, and tells `observe` of each.
///
/// # Errors
/// [`BenchError`] if there is no memory or the tables in the program are not sound.
pub fn run(depth: u8, observe: &mut dyn FnMut(&Measure)) -> Result<(), BenchError> {
    let rules = Kpe::default();
    let probe = TableProbe::new(TableSet::new(&Game::Kpe(rules)).and_embedded(embedded()))?;
    probe.unpack(UNPACKED_MEMORY);
    let evaluation = Evaluation::default();
    let mut table = TranspositionTable::new(MEMORY)?;
    let stop = AtomicBool::new(false);
    for (position, text) in positions().iter().zip(POSITIONS) {
        table.clear();
        let more = if position.board().flags().is_empty() { UNLOCKED_MORE } else { 0 };
        let limits = Limits { depth: Some(depth.saturating_add(more)), ..Limits::default() };
        let setup = Setup { rules, probe: &probe, table: &table, evaluation: &evaluation };
        let steps: Vec<Step> = Step::legal(&rules, position.board()).collect();
        let start = limits.timer.now();
        let report = search::search(&setup, position.board(), &steps, &limits, &stop, &mut |_| {});
        let time = limits.timer.since(start);
        if let Some(error) = probe.failure_since(0) {
            return Err(error.into());
        }
        if let Some(report) = report {
            let (depth, nodes, score) = (report.depth, report.nodes, report.worth.score);
            observe(&Measure { position: text, depth, nodes, time, score });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_set_is_one_and_goes_on() {
        let positions = positions();
        assert_eq!(positions.len(), POSITIONS.len());
        assert!(positions.iter().all(|position| position.totals().is_none() && position.stones() == 48));
        let texts = positions.iter().skip(1).map(ToString::to_string);
        assert!(texts.eq(POSITIONS.iter().skip(1).map(ToString::to_string)));
    }

    /// The behaviour checksum of the search. It changes with every change of what the search, its evaluation or
    /// its tables do, and with nothing else: see CONTRIBUTING.md.
    #[test]
    fn the_total_of_nodes_is_known() {
        let mut nodes = 0;
        run(10, &mut |measure| nodes += measure.nodes).unwrap();
        assert_eq!(nodes, NODES_AT_DEPTH_10);
    }

    const NODES_AT_DEPTH_10: u64 = 518_108;
}
