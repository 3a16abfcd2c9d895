//! `choose`: the move a level makes in a game, its history considered.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;

use super::{json, written};
use crate::document::Chosen;
use crate::engine::Source;
use crate::level::Level;
use crate::player::{Choice, Player};
use crate::record::Playing;
use crate::search::{Budget, Limits};
use crate::web::body::Parameters;
use crate::web::games::Games;
use crate::web::problem::{Kind, Problem};
use crate::web::server::Shared;

/// What is asked: the move of a level in a game.
struct Asked {
    playing: Playing,
    level: Level,
    time: Duration,
}

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    let games = Arc::clone(&shared.games);
    let quick = shared.quick.run(move |_| {
        let asked = Asked::from(parameters)?;
        let known = known(&games, &asked)?;
        Ok::<_, Problem>((asked, known))
    });
    let (asked, known) = quick.await??;
    let level = asked.level;
    let choice = match known {
        Some(choice) => choice,
        None => {
            let games = Arc::clone(&shared.games);
            shared.searches.run(move |stop| search(&games, &asked, stop)).await??
        }
    };
    Ok(json(written(&Chosen::new(&choice, level))?))
}

impl Asked {
    /// `game`, `options`, `loops`, `start`, `moves`, `level` and `time_ms`.
    fn from(parameters: Parameters) -> Result<Self, Problem> {
        let mut query = parameters.query()?;
        let playing = query.playing()?;
        let (level, time) = (query.level()?, query.time()?);
        query.finish()?;
        match playing.ending() {
            None => Ok(Self { playing, level, time }),
            Some(ending) => Err(over(&format!("the game is over ({ending})"))),
        }
    }
}

fn over(why: &str) -> Problem {
    Problem::new(Kind::Move, format!("{why}; there is no move to choose")).about("moves")
}

/// The choice, if it can be made without a search.
fn known(games: &Games, asked: &Asked) -> Result<Option<Choice>, Problem> {
    let game = asked.playing.game();
    if asked.level != Level::HIGHEST || game.layered().is_none() {
        return Ok(None);
    }
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let choice = choice(&*games.reader(&game)?, asked, &limits, &AtomicBool::new(false))?;
    Ok(Some(choice).filter(|choice| choice.assessment.source != Source::Search))
}

fn search(games: &Games, asked: &Asked, stop: &AtomicBool) -> Result<Choice, Problem> {
    let player = games.player(&asked.playing.game(), asked.level)?;
    let limits = Limits { time: Some(Budget::fixed(asked.time)), ..Limits::default() };
    choice(&player, asked, &limits, stop)
}

fn choice(player: &Player, asked: &Asked, limits: &Limits, stop: &AtomicBool) -> Result<Choice, Problem> {
    let choice = player.choose(&asked.playing, None, limits, stop, &mut |_| ())?;
    // A game that goes on has a move.
    choice.ok_or_else(|| over("no move is left"))
}
