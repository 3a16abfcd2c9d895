//! The requests that are answered, and what their answers have in common.

mod annotate;
mod board;
mod choose;
mod health;
mod play;
pub(super) mod position;
mod record;
mod stats;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::middleware;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

pub(super) use health::GameDocument;

use super::pool::Undone;
use super::problem::{self, Kind, Problem};
use super::server::Shared;
use super::{assets, guard};
use crate::player::PlayerError;

/// Everything the server answers.
pub(super) fn router(shared: Shared) -> Router {
    let api = Router::new()
        .route("/annotate", get(annotate::answer).post(annotate::answer))
        .route("/choose", get(choose::answer).post(choose::answer))
        .route("/health", get(health::answer))
        .route("/play", get(play::answer).post(play::answer))
        .route("/position", get(position::answer).post(position::answer))
        .route("/record", get(record::answer).post(record::answer))
        .route("/stats", get(stats::answer));
    Router::new()
        .nest("/api/v1", api)
        .route("/problems/{*word}", get(explanation))
        .fallback(asset)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::watch))
        .with_state(shared)
}

/// A file of the page, or nothing.
async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    assets::find(uri.path(), &headers).unwrap_or_else(|| missing().into_response())
}

/// What the type of a problem means.
async fn explanation(uri: Uri) -> Result<Html<String>, Problem> {
    uri.path().strip_prefix(problem::PLACE).and_then(problem::page).ok_or_else(missing)
}

fn missing() -> Problem {
    let detail = "nothing is at this address; the API answers at /api/v1/ followed by annotate, choose, health, play, position, \
                  record or stats";
    Problem::new(Kind::NotFound, detail)
}

/// A document as bytes.
fn written(document: &impl Serialize) -> Result<Bytes, Problem> {
    let text = serde_json::to_vec(document);
    text.map(Bytes::from).map_err(|_| Problem::new(Kind::Internal, "the answer cannot be written"))
}

/// An answer of these bytes of JSON.
fn json(bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

impl From<Undone> for Problem {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Busy => Self::new(Kind::Busy, "as much is being worked out as is allowed; ask again in a moment"),
            Undone::Panicked => Self::new(Kind::Internal, "the program failed; please report the request"),
        }
    }
}

impl From<PlayerError> for Problem {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Table(error) => error.into(),
            PlayerError::Memory(error) => Self::new(Kind::Busy, error.to_string()),
            error => Self::new(Kind::Game, error.to_string()),
        }
    }
}
