//! `annotate`: what each move of a game was worth.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::{json, query, written};
use crate::annotate::{AnnotateDocument, annotate};
use crate::level::Level;
use crate::record::{Playing, Record};
use crate::search::{Budget, Limits};
use crate::web::games::Games;
use crate::web::problem::{Kind, Problem};
use crate::web::server::Shared;

/// Time for a move that tables do not know, unless another is asked for.
const USUAL_TIME: Duration = Duration::from_millis(50);
/// Time for all moves of a game together.
const WHOLE_TIME: Duration = Duration::from_secs(10);

pub(super) async fn answer(State(shared): State<Shared>, uri: Uri) -> Result<Response, Problem> {
    let read = shared.quick.run(move |_| {
        let mut query = query(&uri)?;
        let playing = query.playing()?;
        let time = query.time_or(USUAL_TIME)?;
        query.finish()?;
        Ok::<_, Problem>((playing, time))
    });
    let (playing, time) = read.await??;
    let games = Arc::clone(&shared.games);
    let annotated = shared.searches.run(move |stop| annotated(&games, playing, time, stop));
    Ok(json(annotated.await??))
}

fn annotated(games: &Games, playing: Playing, time: Duration, stop: &AtomicBool) -> Result<Bytes, Problem> {
    let player = games.player(&playing.game(), Level::HIGHEST)?;
    // The position after the last move is looked at as well.
    let time = time.min(WHOLE_TIME / (playing.made().len() as u32 + 1));
    let limits = Limits { time: Some(Budget::fixed(time)), ..Limits::default() };
    let annotation = annotate(&playing, &player, &limits, stop, &mut |_| ())?;
    // Stopped only if nobody waits for it.
    let annotation = annotation.ok_or_else(|| Problem::new(Kind::Busy, "the work was stopped"))?;
    written(&AnnotateDocument::new(&Record::new(playing), &annotation))
}
