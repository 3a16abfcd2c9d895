//! The tables and players of every game that is asked about, opened when first needed. All of it may take time: only
//! the threads of a pool ask.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::engine::TableProbe;
use crate::level::Level;
use crate::player::{Player, PlayerError};
use crate::rules::Game;
use crate::search::TranspositionTable;
use crate::table::{TableError, TableSet, embedded};

/// Unpacked blocks kept for each game, 2 KiB each.
const CACHE_BLOCKS: usize = 32 << 10;
/// Memory for unpacked layers of each game: room for all those in the program.
const UNPACKED_MEMORY: u64 = 64 << 20;
/// Games whose searches are remembered at the same time.
const REMEMBERED: usize = 4;
/// Memory of a player of a level that sees so little that it remembers nothing from one move to the next.
const BRIEF_MEMORY: usize = 16 << 20;

/// What is known of each game.
pub(super) struct Games {
    root: Option<PathBuf>,
    /// Bytes to remember searched positions of a game in.
    memory: usize,
    tables: Mutex<HashMap<Game, Tables>>,
    /// Players of the highest level, the one used last at the end.
    players: Mutex<Vec<(Game, Arc<Player>)>>,
}

#[derive(Clone)]
struct Tables {
    probe: Arc<TableProbe>,
    /// Looks things up in tables and searches nothing.
    reader: Option<Arc<Player>>,
    unpacked: bool,
}

impl Games {
    /// Nothing is open yet. Tables are looked for below `root` and in the program; `memory` is for all games together.
    pub(super) fn new(root: Option<PathBuf>, memory: u64) -> Self {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX) / REMEMBERED;
        let memory = memory.max(TranspositionTable::LEAST_BYTES);
        Self { root, memory, tables: Mutex::default(), players: Mutex::default() }
    }

    /// The tables of a game.
    pub(super) fn set(&self, game: &Game) -> TableSet {
        let set = TableSet::with_cache(game, CACHE_BLOCKS);
        match &self.root {
            Some(root) => set.and_directory(root),
            None => set,
        }
        .and_embedded(embedded())
    }

    fn tables(&self, game: &Game) -> Result<Tables, PlayerError> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(game) {
            return Ok(known.clone());
        }
        let probe = Arc::new(TableProbe::new(self.set(game))?.with_book());
        let reader = match game.layered() {
            None => None,
            Some(_) => {
                let memory = TranspositionTable::LEAST_BYTES;
                Some(Arc::new(Player::new(game, Arc::clone(&probe), Level::HIGHEST, memory, 0)?))
            }
        };
        let known = Tables { probe, reader, unpacked: false };
        tables.insert(*game, known.clone());
        Ok(known)
    }

    /// A player for positions that tables know, `None` if the game can have no tables.
    pub(super) fn reader(&self, game: &Game) -> Result<Option<Arc<Player>>, PlayerError> {
        Ok(self.tables(game)?.reader)
    }

    /// A player for one search.
    pub(super) fn player(&self, game: &Game, level: Level) -> Result<Arc<Player>, PlayerError> {
        let probe = self.tables(game)?.probe;
        self.unpack(game, &probe);
        if level != Level::HIGHEST {
            return Ok(Arc::new(Player::new(game, probe, level, BRIEF_MEMORY, 0)?));
        }
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = tables.get_mut(game).filter(|known| !known.unpacked) else { return };
        let probe = Arc::clone(probe);
        let work = move || probe.unpack(UNPACKED_MEMORY);
        // Without a thread the search is slower, no more.
        known.unpacked = thread::Builder::new().name("unpack".to_owned()).spawn(work).is_ok();
    }
}

impl From<TableError> for super::problem::Problem {
    fn from(_: TableError) -> Self {
        let detail = "a table cannot be read or is damaged; kpe tables verify says which";
        Self::new(super::problem::Kind::Table, detail)
    }
}
