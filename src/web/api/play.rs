//! `play`: a whole game as the page shows it, with what may be played next.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::board::BoardDocument;
use super::{json, written};
use crate::document::Head;
use crate::notation::{Move, Position, Sowing};
use crate::record::{Ending, Playing, Record};
use crate::rules::options::Choice;
use crate::web::body::Parameters;
use crate::web::problem::Problem;
use crate::web::server::Shared;

#[derive(Serialize)]
struct PlayDocument {
    #[serde(flatten)]
    head: Head,
    loops: &'static str,
    start: String,
    plies: Vec<PlyDocument>,
    position: String,
    board: BoardDocument,
    legal: Vec<MoveDocument>,
    over: Option<EndingDocument>,
    /// The game as a record.
    record: String,
}

#[derive(Serialize)]
struct PlyDocument {
    position: String,
    board: BoardDocument,
    side: char,
    #[serde(flatten)]
    made: MoveDocument,
}

/// A move and what it does.
#[derive(Serialize)]
struct MoveDocument {
    #[serde(rename = "move")]
    action: String,
    kind: &'static str,
    /// The pit sown.
    origin: Option<char>,
    /// The pits in which its stones fall, the first one first.
    path: Vec<char>,
    /// Stones captured.
    captured: u8,
    /// The pits they were in.
    pits: Vec<char>,
    /// Whether the mover's last unsown pit was sown.
    unlocked: bool,
    result: String,
}

#[derive(Serialize)]
struct EndingDocument {
    reason: &'static str,
    totals_halves: [u8; 2],
    winner: Option<char>,
    without_glory: bool,
}

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    // A long game takes a while to play.
    let bytes = shared.quick.run(move |_| {
        let mut query = parameters.query()?;
        let playing = query.playing()?;
        query.finish()?;
        written(&PlayDocument::new(&playing))
    });
    Ok(json(bytes.await??))
}

impl PlayDocument {
    fn new(playing: &Playing) -> Self {
        let mut position = *playing.start();
        let mut plies = Vec::with_capacity(playing.made().len());
        for made in playing.made() {
            let before = position;
            // It was legal when it was made.
            let Some((document, result)) = MoveDocument::new(&before, made.action) else { break };
            position = result;
            let (text, board, side) = (before.to_string(), BoardDocument::new(&before), made.side.letter());
            plies.push(PlyDocument { position: text, board, side, made: document });
        }
        let legal = playing.moves().into_iter().filter_map(|action| MoveDocument::new(playing.position(), action));
        Self {
            head: Head::new("kpe.play/1", &playing.game()),
            loops: playing.loops().word(),
            start: playing.start().to_string(),
            plies,
            position: playing.position().to_string(),
            board: BoardDocument::new(playing.position()),
            legal: legal.map(|(document, _)| document).collect(),
            over: playing.ending().map(EndingDocument::from),
            record: Record::new(playing.clone()).to_string(),
        }
    }
}

impl MoveDocument {
    /// A move and the position after it, if it is legal.
    fn new(position: &Position, action: Move) -> Option<(Self, Position)> {
        let outcome = position.play(action).ok()?;
        let sowing = position.sowing(action).ok()?;
        let side = position.side();
        let seen = |sowing: &Sowing| {
            let path = sowing.path.iter().map(|&pit| side.pit_letter(pit)).collect();
            (path, side.pit_letters(sowing.captured).chars().collect(), sowing.unlocks)
        };
        let (path, pits, unlocked) = sowing.as_ref().map(seen).unwrap_or_default();
        let document = Self {
            action: action.text(side).to_string(),
            kind: kind(action),
            origin: sowing.map(|sowing| side.pit_letter(sowing.origin)),
            path,
            captured: outcome.captured,
            pits,
            unlocked,
            result: outcome.result.to_string(),
        };
        Some((document, outcome.result))
    }
}

const fn kind(action: Move) -> &'static str {
    match action {
        Move::Sow(_) => "sow",
        Move::Offer(_) => "offer",
        Move::Pass => "pass",
        Move::Accept => "accept",
        Move::Decline => "decline",
    }
}

impl From<Ending> for EndingDocument {
    fn from(ending: Ending) -> Self {
        Self {
            reason: ending.reason.word(),
            totals_halves: ending.halves,
            winner: ending.winner().map(|side| side.letter()),
            without_glory: ending.without_glory,
        }
    }
}
