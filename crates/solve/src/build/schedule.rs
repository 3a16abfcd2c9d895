//! Which pair is worked on when: pairs start as soon as what they need is solved and memory allows, first ones first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{Scope, ThreadPool};

use super::plan::Plan;
use super::{BuildError, BuildOptions, Progress};
use crate::index::Layer;
use crate::memory::Pages;
use crate::retro::{Observer, SolveError, SolvedLayer, solve_pair};
use crate::rules::Rules;
use crate::table::{TableBuilder, Unsealed};
use crate::value::Entry;

/// The values of a pair, one byte a position, from the view of the player to move.
type Values = Vec<(Layer, Pages<i8>)>;

/// What is known of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Nobody works on it.
    Waiting,
    /// It is being solved.
    InHand,
    /// Its values are known: in memory or on disk.
    Solved,
}

/// Files that may wait for the disk; a worker that packed one more waits with it.
const UNSEALED: usize = 2;

/// What the workers share.
struct Work<'a, R> {
    rules: R,
    plan: &'a Plan,
    builder: &'a TableBuilder,
    options: &'a BuildOptions<'a>,
    state: Mutex<State>,
    /// The values of solved pairs that are in memory. A lock is held while values are read back from disk.
    values: Vec<Mutex<Option<Arc<Values>>>>,
    /// Raised when a worker failed, so that the others stop.
    stop: AtomicBool,
}

struct State {
    status: Vec<Status>,
    /// Pairs not solved yet that need this one.
    open_users: Vec<usize>,
    workers: usize,
    /// Bytes that pairs in hand and kept values take.
    memory: u64,
    /// The first failure.
    failure: Option<BuildError>,
}

/// Solves and writes every pair that is not `finished`.
pub(super) fn run<R: Rules>(
    rules: R,
    plan: &Plan,
    finished: &[bool],
    builder: &TableBuilder,
    pool: &ThreadPool,
    options: &BuildOptions<'_>,
) -> Result<(), BuildError> {
    let open = |pair: &super::Pair| pair.users.iter().filter(|&&user| !finished[user]).count();
    let state = State {
        status: finished.iter().map(|&done| if done { Status::Solved } else { Status::Waiting }).collect(),
        open_users: plan.pairs.iter().map(open).collect(),
        workers: 0,
        memory: 0,
        failure: None,
    };
    let values = plan.pairs.iter().map(|_| Mutex::new(None)).collect();
    let work = Work { rules, plan, builder, options, state: Mutex::new(state), values, stop: AtomicBool::new(false) };
    std::thread::scope(|threads| {
        // Waiting for the disk is left to a thread of its own, so that no worker stands still.
        let (seal, packed) = sync_channel(UNSEALED);
        let sealing = || packed.into_iter().for_each(|file: Unsealed| work.note(file.seal().map(drop)));
        match std::thread::Builder::new().name("seal".to_owned()).spawn_scoped(threads, sealing) {
            Ok(_) => pool.scope(|scope| work.start_workers(&seal, scope)),
            Err(error) => work.note(Err(BuildError::Threads { threads: 1, reason: error.to_string() })),
        }
    });
    match work.state.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

impl<'a, R: Rules> Work<'a, R> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts as many pairs as threads and memory allow.
    fn start_workers<'s>(&'s self, seal: &'s SyncSender<Unsealed>, scope: &Scope<'s>) {
        let mut state = self.state();
        while state.failure.is_none() && state.workers < self.options.threads.max(1) {
            let Some(pair) = self.next_pair(&state) else { return };
            // Alone a pair always starts: the build was found to fit one pair after the other.
            let bytes = self.plan.work_bytes(pair);
            if state.workers > 0 && state.memory + bytes > self.options.memory {
                return;
            }
            state.status[pair] = Status::InHand;
            state.workers += 1;
            state.memory += bytes;
            scope.spawn(move |scope| self.work(pair, seal, scope));
        }
    }

    /// The first pair that can be solved now.
    fn next_pair(&self, state: &State) -> Option<usize> {
        (0..self.plan.pairs.len()).find(|&pair| {
            state.status[pair] == Status::Waiting
                && self.plan.pairs[pair].needs.iter().all(|&need| state.status[need] == Status::Solved)
        })
    }

    /// Solves and writes one pair, then starts what can be started.
    fn work<'s>(&'s self, pair: usize, seal: &'s SyncSender<Unsealed>, scope: &Scope<'s>) {
        let result = self.solve(pair).and_then(|solved| {
            // Others may need no more than the values.
            self.start_workers(seal, scope);
            self.write(&solved, seal)
        });
        self.note(result);
        let mut state = self.state();
        state.workers -= 1;
        state.memory -= self.plan.work_bytes(pair);
        drop(state);
        self.start_workers(seal, scope);
    }

    /// Remembers the first failure and has everybody stop.
    fn note(&self, result: Result<(), impl Into<BuildError>>) {
        let Err(error) = result else { return };
        self.stop.store(true, Ordering::Relaxed);
        let mut state = self.state();
        // A worker that stopped because another failed is not the reason.
        if state.failure.as_ref().is_none_or(BuildError::is_stop) {
            state.failure = Some(error.into());
        }
    }

    fn solve(&self, pair: usize) -> Result<Vec<SolvedLayer>, BuildError> {
        let needs = &self.plan.pairs[pair].needs;
        let children: Vec<Arc<Values>> = needs.iter().map(|&need| self.values_of(need)).collect::<Result<_, _>>()?;
        let find = |layer: Layer| {
            children.iter().flat_map(|values| values.iter()).find(|(of, _)| *of == layer).map(|(_, values)| &values[..])
        };
        let progress = |positions| (self.options.observe)(Progress::Halves(positions));
        let stopped = || self.stop.load(Ordering::Relaxed) || self.options.stop.load(Ordering::Relaxed);
        let observer = Observer { stopped: &stopped, progress: &progress };
        let solved = solve_pair(self.rules, self.plan.pairs[pair].layer, find, &observer)?;
        self.publish(pair, &solved)?;
        Ok(solved)
    }

    /// Makes the values of a solved pair known and lets go of those nobody needs any more.
    fn publish(&self, pair: usize, solved: &[SolvedLayer]) -> Result<(), BuildError> {
        if self.state().open_users[pair] > 0 {
            let values = solved
                .iter()
                .map(|layer| Ok((layer.layer, values_in(&layer.entries)?)))
                .collect::<Result<_, BuildError>>()?;
            *self.slot(pair) = Some(Arc::new(values));
            self.state().memory += self.plan.kept_bytes(pair);
        }
        let mut state = self.state();
        state.status[pair] = Status::Solved;
        for &need in &self.plan.pairs[pair].needs {
            state.open_users[need] -= 1;
            if state.open_users[need] == 0 && self.slot(need).take().is_some() {
                state.memory -= self.plan.kept_bytes(need);
            }
        }
        Ok(())
    }

    fn slot(&self, pair: usize) -> MutexGuard<'_, Option<Arc<Values>>> {
        self.values[pair].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of a solved pair, read back from disk if an earlier build wrote them.
    fn values_of(&self, pair: usize) -> Result<Arc<Values>, BuildError> {
        let mut slot = self.slot(pair);
        if let Some(values) = &*slot {
            return Ok(Arc::clone(values));
        }
        let file = self.builder.require(self.plan.pairs[pair].layer)?;
        let mut values = Vec::new();
        for layer in self.plan.pairs[pair].layers() {
            let mut pages = pages(layer.positions() as usize)?;
            file.read_values(layer, &mut pages)?;
            values.push((layer, pages));
        }
        let values = Arc::new(values);
        *slot = Some(Arc::clone(&values));
        drop(slot);
        self.state().memory += self.plan.kept_bytes(pair);
        Ok(values)
    }

    fn write(&self, solved: &[SolvedLayer], seal: &SyncSender<Unsealed>) -> Result<(), BuildError> {
        let sections: Vec<(Layer, &[Entry])> = solved.iter().map(|layer| (layer.layer, &layer.entries[..])).collect();
        let packed = self.builder.pack_pair(&sections)?;
        // The sealer ends only after the last worker.
        seal.send(packed).expect("the sealer waits for all workers");
        let positions = solved.iter().map(|layer| layer.entries.len() as u64).sum();
        (self.options.observe)(Progress::Halves(positions));
        Ok(())
    }
}

fn pages(positions: usize) -> Result<Pages<i8>, BuildError> {
    Pages::zeroed(positions).map_err(|_| SolveError::Memory { bytes: positions }.into())
}

fn values_in(entries: &[Entry]) -> Result<Pages<i8>, BuildError> {
    let mut values = pages(entries.len())?;
    values.iter_mut().zip(entries).for_each(|(value, entry)| *value = entry.value().0);
    Ok(values)
}
