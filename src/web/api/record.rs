//! `record`: a game from its record.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::{json, written};
use crate::document::Head;
use crate::record::Record;
use crate::rules::options::Choice;
use crate::web::body::Parameters;
use crate::web::problem::{Kind, Problem};
use crate::web::server::Shared;

#[derive(Serialize)]
struct RecordDocument {
    #[serde(flatten)]
    head: Head,
    loops: &'static str,
    start: String,
    moves: Vec<String>,
    /// By name.
    tags: BTreeMap<String, String>,
    result: &'static str,
    termination: String,
    /// What is said before the first move, then after each.
    comments: Vec<Vec<String>>,
}

pub(super) async fn answer(State(shared): State<Shared>, parameters: Parameters) -> Result<Response, Problem> {
    let read = shared.quick.run(move |_| {
        let mut query = parameters.query()?;
        let text = query.take("text");
        query.finish()?;
        let text = text.ok_or_else(|| Problem::new(Kind::Parameter, "expected a record as text").about("text"))?;
        let record = Record::read(&text).map_err(|error| {
            let problem = Problem::new(Kind::Record, error.to_string()).about("text");
            problem.at_place(error.line, error.column)
        })?;
        written(&RecordDocument::new(&record))
    });
    Ok(json(read.await??))
}

impl RecordDocument {
    fn new(record: &Record) -> Self {
        let playing = record.playing();
        Self {
            head: Head::new("kpe.record/1", &playing.game()),
            loops: playing.loops().word(),
            start: playing.start().to_string(),
            moves: playing.made().iter().map(|made| made.text().to_string()).collect(),
            tags: record.tags().into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            result: record.result().word(),
            termination: record.termination().to_owned(),
            comments: (0..=playing.made().len()).map(|number| record.note(number).comments.clone()).collect(),
        }
    }
}
