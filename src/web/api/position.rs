//! `position`: what a position is worth, and each of its moves.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

use super::{Head, json, query, written};
use crate::engine::{Analysis, Source};
use crate::level::Level;
use crate::notation::Position;
use crate::player::{Player, PlayerError, move_of};
use crate::search::{Budget, Limits};
use crate::web::games::Games;
use crate::web::problem::{Kind, Problem};
use crate::web::query::{Query, wrong};
use crate::web::server::Shared;

/// Time of a search that is not asked for another.
const USUAL_TIME: u64 = 300;
/// The longest a search may take.
pub(super) const LONGEST_TIME: u64 = 2000;

pub(super) async fn answer(State(shared): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    let mut query = query(&uri)?;
    let position = asked(&mut query)?;
    let (time, level) = (time(&mut query)?, query.level()?);
    query.finish()?;
    if level == Level::HIGHEST
        && let Some(known) = known(&shared, position).await?
    {
        return Ok(json(known));
    }
    let games = Arc::clone(&shared.games);
    let searched = shared.searches.run(move |stop| search(&games, &position, level, time, stop));
    Ok(json(searched.await??))
}

/// `game`, `options`, `position` and `moves`: the position meant.
fn asked(query: &mut Query) -> Result<Position, Problem> {
    let game = query.game()?;
    let mut position = query.position("position", game)?;
    for (ply, text) in query.moves()?.iter().enumerate() {
        let action =
            position.parse_move(text).map_err(|error| Problem::text(Kind::Move, "moves", &error).at_ply(ply))?;
        let wrong = |error: crate::notation::IllegalMove| Problem::new(Kind::Move, error.to_string()).at_ply(ply);
        position = position.play(action).map_err(wrong)?.result;
    }
    Ok(position)
}

/// `time_ms`: the time of a search.
pub(super) fn time(query: &mut Query) -> Result<Duration, Problem> {
    match query.read::<u64>("time_ms")?.unwrap_or(USUAL_TIME) {
        0 => Err(wrong("time_ms", "0, expected 1 or more")),
        time => Ok(Duration::from_millis(time.min(LONGEST_TIME))),
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

fn look_up(games: &Games, position: &Position) -> Result<Option<Bytes>, Problem> {
    let Some(reader) = games.reader(&position.game())? else { return Ok(None) };
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let analysis = reader.analyse(position, None, &limits, &AtomicBool::new(false), &mut |_| ())?;
    if analysis.source == Source::Search {
        return Ok(None);
    }
    written(&BestDocument::new(position, &analysis)).map(Some)
}

fn search(
    games: &Games,
    position: &Position,
    level: Level,
    time: Duration,
    stop: &AtomicBool,
) -> Result<Bytes, Problem> {
    let player = games.player(&position.game(), level)?;
    let limits = Limits { time: Some(Budget::fixed(time)), lines: usize::MAX, ..Limits::default() };
    let mut analysis = analysis(&player, position, &limits, stop)?;
    if let Some(board) = position.solver_board() {
        analysis.best = level.choose(0, board, &analysis);
    }
    written(&BestDocument::new(position, &analysis))
}

fn analysis(player: &Player, position: &Position, limits: &Limits, stop: &AtomicBool) -> Result<Analysis, PlayerError> {
    player.analyse(position, None, limits, stop, &mut |_| ())
}

#[derive(Serialize)]
struct BestDocument {
    #[serde(flatten)]
    head: Head,
    position: String,
    best: Option<String>,
    value: i8,
    kind: &'static str,
    distance: Option<u16>,
    line: Vec<String>,
    source: &'static str,
    nodes: u64,
    depth: u8,
    moves: Vec<ValuedMove>,
}

#[derive(Serialize)]
struct ValuedMove {
    #[serde(rename = "move")]
    action: String,
    captured: u8,
    result: String,
    value: i8,
    kind: &'static str,
    distance: Option<u16>,
}

impl BestDocument {
    fn new(position: &Position, analysis: &Analysis) -> Self {
        let text = |step| move_of(step).text(position.side()).to_string();
        let mut line = Vec::new();
        let mut seen = *position;
        for &step in &analysis.line {
            line.push(move_of(step).text(seen.side()).to_string());
            let Ok(outcome) = seen.play(move_of(step)) else { break };
            seen = outcome.result;
        }
        let result = |step| position.play(move_of(step)).map_or(String::new(), |outcome| outcome.result.to_string());
        let valued = analysis.moves.iter().map(|m| ValuedMove {
            action: text(m.step),
            captured: m.captured,
            result: result(m.step),
            value: m.value.0,
            kind: m.kind.word(),
            distance: m.distance.map(|plies| plies.0),
        });
        Self {
            head: Head::new("kpe.best/1", &position.game()),
            position: position.to_string(),
            best: analysis.best.map(text),
            value: analysis.value.0,
            kind: analysis.kind.word(),
            distance: analysis.distance.filter(|_| analysis.value.0 != 0).map(|plies| plies.0),
            line,
            source: analysis.source.word(),
            nodes: analysis.nodes,
            depth: analysis.depth,
            moves: valued.collect(),
        }
    }
}
