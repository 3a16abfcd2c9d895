//! Building a set of tables: every layer pair of the plan solved, packed and sealed, several at a time.
//!
//! One worker solves one pair from beginning to end, which needs no locks and gives the same bytes for any number of
//! workers; a second pair is worked on as soon as the values it needs are there. The values of a solved pair stay in
//! memory, one byte a position, while a pair that needs them is not done. What is on disk already is not solved again; its
//! values are read back when they are needed.

mod plan;
mod schedule;

pub use plan::{Pair, Plan};

use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::retro::SolveError;
use crate::rules::{Game, with_rules};
use crate::table::{Manifest, TableBuilder};
use kpe_core::table::TableError;

/// What a build is told.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    /// The directory below which the set gets one of its own.
    pub root: &'a Path,
    /// Most stones on the board, 48 for the complete set.
    pub stones: u8,
    /// Also the layers with odd numbers of stones.
    pub odd: bool,
    /// Pairs worked on at once, at least 1.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Raised by the caller to stop; what is finished stays.
    pub stop: &'a AtomicBool,
    /// Told of every step forward.
    pub observe: &'a (dyn Fn(Progress) + Sync),
}

/// A step forward of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The build is about to begin.
    Start {
        /// Positions of the set.
        positions: u64,
        /// Positions of those that are on disk already.
        finished: u64,
        /// Bytes of memory it takes at its highest.
        memory: u64,
        /// Bytes of disk it still takes at most.
        disk: u64,
    },
    /// So many more half positions: a position counts once when its exits are known and once when it is packed.
    Halves(u64),
    /// All pairs are written; the lists of the set with their digests are next.
    Listing,
}

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A layer could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The game is not solved by layers.
    #[error("{0}: stones come back to the board when pits are traded, so there are no layers to solve; use trade=off")]
    NotLayered(String),
    /// The build does not fit into the memory it may use.
    #[error(
        "not enough memory: the build needs {needed} MiB at once, allowed are {allowed} MiB; allow more with --memory or build fewer stones with --stones"
    )]
    Memory {
        /// MiB the build needs at its highest.
        needed: u64,
        /// MiB it may use.
        allowed: u64,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}; ask for fewer with --threads or raise the limit")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

impl BuildError {
    /// Whether the caller's stop flag ended the build.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Solve(SolveError::Stopped))
    }
}

/// Builds the set of `game`, or what is missing of it.
///
/// # Errors
/// If it cannot be built; what was finished stays on disk, and the same call goes on from there.
pub fn build(game: &Game, options: &BuildOptions<'_>) -> Result<Manifest, BuildError> {
    let layered = game.layered().ok_or_else(|| BuildError::NotLayered(format!("{} {game}", game.name())))?;
    let plan = Plan::new(game, options.stones, options.odd);
    let builder = TableBuilder::start(options.root, game)?;
    let mut finished = Vec::with_capacity(plan.pairs.len());
    for pair in &plan.pairs {
        finished.push(builder.finished(pair.layer)?.is_some());
    }
    let done: u64 = (0..plan.pairs.len()).filter(|&at| finished[at]).map(|at| plan.pairs[at].positions()).sum();
    let memory = plan.peak_memory(&finished);
    let disk = plan.disk(game, &finished);
    (options.observe)(Progress::Start { positions: plan.positions(), finished: done, memory, disk });
    if memory > options.memory {
        return Err(BuildError::Memory { needed: memory.div_ceil(1 << 20), allowed: options.memory >> 20 });
    }
    builder.require_space(disk)?;
    let pool = pool(options.threads.max(1))?;
    with_rules!(layered, rules => schedule::run(rules, &plan, &finished, &builder, &pool, options))?;
    (options.observe)(Progress::Listing);
    Ok(pool.install(|| builder.finish())?)
}

fn pool(threads: usize) -> Result<ThreadPool, BuildError> {
    let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(|number| format!("build-{number}"));
    builder.build().map_err(|error| BuildError::Threads { threads, reason: error.to_string() })
}
