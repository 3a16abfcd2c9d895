//! `annotate`: what each move of a game was worth.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;

use super::{json, written};
use crate::annotate::{Allowance, AnnotateDocument, annotate_within};
use crate::level::Level;
use crate::record::{Playing, Record};
use crate::search::Limits;
use crate::web::body::Parameters;
use crate::web::games::Games;
use crate::web::pool::Length;
use crate::web::problem::{Kind, Problem};
use crate::web::server::Shared;

/// Time for a move that tables do not know, unless another is asked for.
const USUAL_TIME: Duration = Duration::from_millis(50);
/// Time for all searches of a game together: with all that is not search it is done in ten seconds.
const WHOLE_TIME: Duration = Duration::from_secs(8);

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    // Whoever cannot be served is told before there was any work with it.
    let ticket = shared.searches.ticket(Length::Long)?;
    let read = shared.quick.run(move |_| {
        let mut query = parameters.query()?;
        let playing = query.playing()?;
        let time = query.time_or(USUAL_TIME)?;
        query.finish()?;
        Ok::<_, Problem>((playing, time))
    });
    let (playing, time) = read.await??;
    let games = Arc::clone(&shared.games);
    let annotated = shared.searches.run_with(ticket, move |stop| annotated(&games, playing, time, stop));
    Ok(json(annotated.await??))
}

fn annotated(games: &Games, playing: Playing, time: Duration, stop: &AtomicBool) -> Result<Bytes, Problem> {
    let player = games.player(&playing.game(), Level::HIGHEST)?;
    let allowance = Allowance { each: time, total: WHOLE_TIME };
    let annotation = annotate_within(&playing, &player, allowance, &Limits::default(), stop, &mut |_| ())?;
    // Stopped only if nobody waits for it.
    let annotation = annotation.ok_or_else(|| Problem::new(Kind::Busy, "the work was stopped"))?;
    written(&AnnotateDocument::new(&Record::new(playing), &annotation))
}
