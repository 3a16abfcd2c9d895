//! The tables and players of every game that is asked about, opened when first needed. All of it may take time: only
//! the threads of a pool ask.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::engine::{TableProbe, UNPACKED_MEMORY};
use crate::level::Level;
use crate::player::{Player, PlayerError};
use crate::rules::Game;
use crate::search::TranspositionTable;
use crate::table::{TableError, TableSet, embedded};

/// Unpacked blocks kept for each game, 2 KiB each.
const CACHE_BLOCKS: usize = 32 << 10;
/// Games whose searches are remembered at the same time.
const REMEMBERED: usize = 4;
/// The first level that sees so many positions that it needs some memory for one move.
const LONG_SIGHT: u8 = 9;
/// That memory; from one move to the next only the highest level remembers anything.
const BRIEF_MEMORY: usize = 16 << 20;
/// Memory of a player who searches little or nothing, as little as one can have.
const READER_MEMORY: usize = TranspositionTable::LEAST_BYTES;

/// What is known of each game.
pub(super) struct Games {
    root: Option<PathBuf>,
    /// Bytes to remember searched positions of a game in.
    memory: usize,
    tables: Mutex<HashMap<Game, Tables>>,
    /// Players that look things up in tables and search nothing.
    readers: Mutex<HashMap<Game, Arc<Player>>>,
    /// Players of the highest level, the one used last at the end.
    players: Mutex<Vec<(Game, Arc<Player>)>>,
}

struct Tables {
    probe: Arc<TableProbe>,
    unpacked: bool,
}

impl Games {
    /// The least memory for all games together, in bytes.
    pub(super) const LEAST_MEMORY: u64 = (REMEMBERED * BRIEF_MEMORY) as u64;

    /// Nothing is open yet. Tables are looked for below `root` and in the program; `memory` is for all games together.
    pub(super) fn new(root: Option<PathBuf>, memory: u64) -> Self {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX) / REMEMBERED;
        Self { root, memory, tables: Mutex::default(), readers: Mutex::default(), players: Mutex::default() }
    }

    /// The tables of a game, for Goré with trades those of the game without.
    pub(super) fn set(&self, game: &Game) -> TableSet {
        let set = TableSet::with_cache(&game.without_trades(), CACHE_BLOCKS);
        match &self.root {
            Some(root) => set.and_directory(root),
            None => set,
        }
        .and_embedded(embedded())
    }

    fn probe(&self, game: &Game) -> Result<Arc<TableProbe>, TableError> {
        debug_assert!(!is_serving(), "a thread that talks to clients asks for tables");
        let mut tables = lock(&self.tables);
        if let Some(known) = tables.get(&game.without_trades()) {
            return Ok(Arc::clone(&known.probe));
        }
        let probe = Arc::new(TableProbe::new(self.set(game))?.with_book());
        tables.insert(game.without_trades(), Tables { probe: Arc::clone(&probe), unpacked: false });
        Ok(probe)
    }

    /// A player who knows what tables and rules say.
    pub(super) fn reader(&self, game: &Game) -> Result<Arc<Player>, PlayerError> {
        let mut readers = lock(&self.readers);
        if let Some(reader) = readers.get(game) {
            return Ok(Arc::clone(reader));
        }
        let reader = Arc::new(Player::new(game, self.probe(game)?, Level::HIGHEST, READER_MEMORY, 0)?);
        readers.insert(*game, Arc::clone(&reader));
        Ok(reader)
    }

    /// A player for one search.
    pub(super) fn player(&self, game: &Game, level: Level) -> Result<Arc<Player>, PlayerError> {
        let probe = self.probe(game)?;
        self.unpack(game, &probe);
        if level != Level::HIGHEST {
            let memory = if level.number() < LONG_SIGHT { READER_MEMORY } else { BRIEF_MEMORY };
            return Ok(Arc::new(Player::new(game, probe, level, memory, 0)?));
        }
        let mut players = lock(&self.players);
        let player = match players.iter().position(|(known, _)| known == game) {
            Some(at) => players.remove(at).1,
            None => {
                // The one forgotten must be gone before another takes its memory.
                if players.len() == REMEMBERED {
                    players.remove(0);
                }
                Arc::new(Player::new(game, probe, level, self.memory, 0)?)
            }
        };
        players.push((*game, Arc::clone(&player)));
        Ok(player)
    }

    /// Makes the small layers quick, beside the first search that needs them.
    fn unpack(&self, game: &Game, probe: &Arc<TableProbe>) {
        let mut tables = lock(&self.tables);
        let Some(known) = tables.get_mut(&game.without_trades()).filter(|known| !known.unpacked) else { return };
        let probe = Arc::clone(probe);
        let work = move || probe.unpack(UNPACKED_MEMORY);
        // Without a thread the search is slower, no more.
        known.unpacked = thread::Builder::new().name("unpack".to_owned()).spawn(work).is_ok();
    }
}

/// Whether this thread talks to clients, which must not wait for tables.
fn is_serving() -> bool {
    thread::current().name() == Some(super::server::SERVING)
}

/// What is behind a lock. Nothing is left half done there.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<TableError> for super::problem::Problem {
    fn from(_: TableError) -> Self {
        let detail = "a table cannot be read or is damaged; kpe tables verify says which";
        Self::new(super::problem::Kind::Table, detail)
    }
}
