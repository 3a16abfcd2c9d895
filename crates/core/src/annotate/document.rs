//! An annotated game as the document `kpe.annotate/1`; README.md describes every field.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{AnnotatedPly, Annotation};
use crate::document::{Head, move_text};
use crate::notation::Side;
use crate::record::Record;

/// An annotated game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AnnotateDocument {
    #[serde(flatten)]
    head: Head,
    loops: String,
    start: String,
    tags: BTreeMap<String, String>,
    result: &'static str,
    termination: String,
    /// What the record says of the end that contradicts its moves, in sentences.
    warnings: Vec<String>,
    /// Totals of South and North in half stones.
    halves: Option<[u8; 2]>,
    exact: bool,
    plies: Vec<Ply>,
    /// South's final total minus North's, before the first ply and after each.
    leads: Vec<i16>,
    players: [Player; 2],
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Ply {
    ply: usize,
    side: char,
    #[serde(rename = "move")]
    action: String,
    captured: u8,
    position: String,
    value: i8,
    kind: &'static str,
    best: String,
    best_value: i8,
    best_kind: &'static str,
    lost: u8,
    choices: usize,
    turning: bool,
    comments: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Player {
    side: char,
    name: Option<String>,
    moves: usize,
    forced: usize,
    perfect: usize,
    lost: u32,
    turning: Vec<usize>,
    exact: bool,
}

impl AnnotateDocument {
    /// The document about a game and the annotation of its moves.
    #[must_use]
    pub fn new(record: &Record, annotation: &Annotation) -> Self {
        let playing = record.playing();
        let set = record.tags().into_iter().filter(|(name, _)| record.tag(name).is_some());
        Self {
            head: Head::new("kpe.annotate/1", &playing.game()),
            loops: playing.loops().to_string(),
            start: playing.start().to_string(),
            tags: set.map(|(name, value)| (name.to_owned(), value)).collect(),
            result: record.result().word(),
            termination: record.termination().to_owned(),
            warnings: record.warnings(),
            halves: playing.ending().map(|ending| ending.halves),
            exact: annotation.is_sure(),
            plies: annotation.plies.iter().enumerate().map(|(at, ply)| Ply::new(record, at + 1, ply)).collect(),
            leads: annotation.leads.iter().map(|lead| lead.stones).collect(),
            players: [Side::South, Side::North].map(|side| Player::new(record, annotation, side)),
        }
    }
}

impl Ply {
    fn new(record: &Record, number: usize, ply: &AnnotatedPly) -> Self {
        Self {
            ply: number,
            side: ply.made.side.letter(),
            action: ply.made.text().to_string(),
            captured: ply.made.captured,
            position: ply.position.to_string(),
            value: ply.value.0,
            kind: ply.kind.word(),
            best: move_text(&ply.position, ply.best),
            best_value: ply.best_value.0,
            best_kind: ply.best_kind.word(),
            lost: ply.lost(),
            choices: ply.choices,
            turning: ply.is_turning,
            comments: record.note(number).comments.clone(),
        }
    }
}

impl Player {
    fn new(record: &Record, annotation: &Annotation, side: Side) -> Self {
        let summary = annotation.summary(side);
        Self {
            side: side.letter(),
            name: record.tag(&side.to_string()).map(str::to_owned),
            moves: summary.moves,
            forced: summary.forced,
            perfect: summary.perfect,
            lost: summary.lost,
            turning: summary.turning,
            exact: summary.is_sure,
        }
    }
}
