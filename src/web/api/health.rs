//! `health`: what the server is, which tables it has, and what it is doing.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

use super::{json, query, written};
use crate::board::{MAX_STONES, Origin, Pits};
use crate::build::Plan;
use crate::index::Layer;
use crate::index::layers_of;
use crate::rules::Game;
use crate::rules::gore::{Gore, Trade};
use crate::rules::kpe::{Feed, Kpe, Unlock};
use crate::rules::options::Choice;
use crate::table::TableError;
use crate::web::games::Games;
use crate::web::problem::Problem;
use crate::web::server::Shared;

#[derive(Serialize)]
struct HealthDocument {
    schema: &'static str,
    version: &'static str,
    games: Vec<GameDocument>,
    searches: SearchesDocument,
    uptime_s: u64,
}

/// A game and what tables know of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(in crate::web) struct GameDocument {
    game: &'static str,
    options: String,
    /// `complete`, `partial` or `none`.
    tables: &'static str,
    /// Positions in tables.
    positions: u64,
    /// Every position without unsown pits and with an even number of stones up to this is in tables.
    stones: Option<u8>,
}

#[derive(Serialize)]
struct SearchesDocument {
    running: usize,
    limit: usize,
}

pub(super) async fn answer(State(shared): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    query(&uri)?.finish()?;
    let games = match shared.known_games.get() {
        Some(games) => games.clone(),
        None => {
            let games = Arc::clone(&shared.games);
            let found = shared.quick.run(move |_| describe_all(&games)).await??;
            shared.known_games.get_or_init(|| found).clone()
        }
    };
    let searches = SearchesDocument { running: shared.searches.running(), limit: shared.searches.size() };
    let (version, uptime_s) = (env!("CARGO_PKG_VERSION"), shared.begun.elapsed().as_secs());
    Ok(json(written(&HealthDocument { schema: "kpe.health/1", version, games, searches, uptime_s })?))
}

/// Every game with each choice of its options that bears on values.
fn all_games() -> impl Iterator<Item = Game> {
    fn with<C: Choice>(games: Vec<Game>) -> Vec<Game> {
        let choices = |game: Game| C::WORDS.iter().filter_map(move |(word, _)| game.with_option(C::NAME, word).ok());
        games.into_iter().flat_map(choices).collect()
    }
    let kpe = with::<Feed>(with::<Unlock>(with::<Origin>(vec![Game::Kpe(Kpe::default())])));
    let gore = with::<Trade>(with::<Origin>(vec![Game::Gore(Gore::default())]));
    kpe.into_iter().chain(gore)
}

fn describe_all(games: &Games) -> Result<Vec<GameDocument>, TableError> {
    all_games().map(|game| GameDocument::new(games, &game)).collect()
}

impl GameDocument {
    fn new(games: &Games, game: &Game) -> Result<Self, TableError> {
        // What is said of Goré with trades is that it has no tables of its own.
        let layers = if game.layered().is_some() { games.set(game).layers()? } else { Vec::new() };
        let there: HashSet<Layer> = layers.iter().copied().collect();
        let is_complete = || Plan::new(game, MAX_STONES, false).pairs.iter().all(|pair| there.contains(&pair.layer));
        let unlocked = |stones: &u8| Layer::new(Pits::NONE, *stones).is_some_and(|layer| there.contains(&layer));
        Ok(Self {
            game: game.name(),
            options: game.to_string(),
            tables: match layers.is_empty() {
                true => "none",
                false if is_complete() => "complete",
                false => "partial",
            },
            positions: layers.into_iter().flat_map(layers_of).map(|layer| u64::from(layer.positions())).sum(),
            stones: (0..=MAX_STONES).step_by(2).take_while(unlocked).last(),
        })
    }
}
