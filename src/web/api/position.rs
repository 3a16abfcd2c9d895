//! `position`: what a position is worth, and each of its moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;

use super::{json, written};
use crate::document::Best;
use crate::engine::Source;
use crate::level::Level;
use crate::notation::{Move, Position};
use crate::search::{Budget, Limits};
use crate::web::body::Parameters;
use crate::web::games::Games;
use crate::web::problem::{Kind, Problem};
use crate::web::query::Query;
use crate::web::server::Shared;

/// What is asked: a position, and those its game had before.
struct Asked {
    earlier: Vec<Position>,
    position: Position,
}

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    let mut query = parameters.query()?;
    let asked = Asked::from(&mut query)?;
    let (time, level) = (query.time()?, query.level()?);
    query.finish()?;
    if level == Level::HIGHEST
        && let Some(known) = known(&shared, asked.position).await?
    {
        return Ok(json(known));
    }
    let games = Arc::clone(&shared.games);
    let searched = shared.searches.run(move |stop| search(&games, &asked, level, time, stop));
    Ok(json(searched.await??))
}

impl Asked {
    /// `game`, `options`, `position` and `moves`.
    fn from(query: &mut Query) -> Result<Self, Problem> {
        let game = query.game()?;
        let mut asked = Self { earlier: Vec::new(), position: query.position("position", game)? };
        for (ply, text) in query.moves()?.iter().enumerate() {
            let wrong = |error| Problem::text(Kind::Move, "moves", &error).at_ply(ply);
            let action = asked.position.parse_move(text).map_err(wrong)?;
            asked.play(action).map_err(|problem| problem.about("moves").at_ply(ply))?;
        }
        Ok(asked)
    }

    fn play(&mut self, action: Move) -> Result<(), Problem> {
        let outcome = self.position.play(action).map_err(|error| Problem::new(Kind::Move, error.to_string()))?;
        self.earlier.push(self.position);
        self.position = outcome.result;
        Ok(())
    }
}

/// The answer from tables or rules alone, if they have one.
async fn known(shared: &Shared, position: Position) -> Result<Option<Bytes>, Problem> {
    if let Some(bytes) = shared.answers.get(&position) {
        return Ok(Some(bytes));
    }
    let games = Arc::clone(&shared.games);
    let Some(bytes) = shared.quick.run(move |_| look_up(&games, &position)).await?? else { return Ok(None) };
    shared.answers.put(position, bytes.clone());
    Ok(Some(bytes))
}

/// The same, at once.
pub(in crate::web) fn look_up(games: &Games, position: &Position) -> Result<Option<Bytes>, Problem> {
    if position.solver_board().is_none() && position.totals().is_none() {
        // There are no tables of Goré with trades.
        return Ok(None);
    }
    let reader = games.reader(&position.game())?;
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let assessment = reader.analyse(position, None, &limits, &AtomicBool::new(false), &mut |_| ())?;
    if assessment.source == Source::Search {
        return Ok(None);
    }
    written(&Best::new(&assessment)).map(Some)
}

fn search(games: &Games, asked: &Asked, level: Level, time: Duration, stop: &AtomicBool) -> Result<Bytes, Problem> {
    let player = games.player(&asked.position.game(), level)?;
    let limits = Limits { time: Some(Budget::fixed(time)), lines: usize::MAX, ..Limits::default() };
    let assessment = player.analyse_after(&asked.earlier, &asked.position, None, &limits, stop, &mut |_| ())?;
    let best = player.pick(&assessment);
    written(&Best::new(&assessment.with_best(best)))
}
