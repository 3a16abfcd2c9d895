//! `stats`: the tables of a game, with counts.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::{json, written};
use crate::document::Info;
use crate::web::body::Parameters;
use crate::web::problem::{Kind, Problem};
use crate::web::server::Shared;

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    let mut query = parameters.query()?;
    let game = query.game()?;
    query.finish()?;
    if game.layered().is_none() {
        return Err(
            Problem::new(Kind::Game, "Goré has tables without trades only; say options=trade=off").about("options")
        );
    }
    if let Some(bytes) = shared.infos.get(&game) {
        return Ok(json(bytes));
    }
    let games = Arc::clone(&shared.games);
    let bytes = shared.quick.run(move |_| {
        let set = games.set(&game);
        if set.layers()?.is_empty() {
            return Err(Problem::new(Kind::NotFound, "there are no tables of this game; kpe tables build makes them"));
        }
        written(&Info::of(&set)?)
    });
    let bytes = bytes.await??;
    shared.infos.put(game, bytes.clone());
    Ok(json(bytes))
}
