//! A player of the program's own, with the tables there are, for the commands that follow a game.

use std::sync::Arc;

use kpe::engine::TableProbe;
use kpe::level::Level;
use kpe::player::Player;
use kpe::rules::Game;
use kpe::search::Limits;

use super::args::PlaceArgs;
use super::best::unpack;

/// Memory of the transposition table.
const MEMORY: usize = 64 << 20;

/// A player of `game` at this level; the seed decides what he gets wrong. Small tables are unpacked for such searches.
pub(super) fn open(place: &PlaceArgs, game: &Game, level: Level, seed: u64, limits: &Limits) -> anyhow::Result<Player> {
    let probe = Arc::new(TableProbe::new(place.open(&game.without_trades())?)?.with_book());
    unpack(&probe, limits);
    Ok(Player::new(game, probe, level, MEMORY, seed)?)
}
