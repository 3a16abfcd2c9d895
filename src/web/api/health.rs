//! `health`: what the server is and what it is doing.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::{Server, json, written};
use crate::web::problem::Problem;
use crate::web::server::Shared;

#[derive(Serialize)]
struct HealthDocument {
    schema: &'static str,
    version: &'static str,
    searches: SearchesDocument,
    uptime_s: u64,
}

#[derive(Serialize)]
struct SearchesDocument {
    running: usize,
    limit: usize,
}

pub(super) async fn answer(State(shared): State<Shared>) -> Result<Response, Problem> {
    Ok(json(written(&HealthDocument::new(&shared))?))
}

impl HealthDocument {
    fn new(server: &Server) -> Self {
        Self {
            schema: "kpe.health/1",
            version: env!("CARGO_PKG_VERSION"),
            searches: SearchesDocument { running: server.searches.running(), limit: server.searches.size() },
            uptime_s: server.begun.elapsed().as_secs(),
        }
    }
}
