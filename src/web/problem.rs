//! Problem documents (RFC 9457): what every request gets that cannot be answered.

use axum::body::Body;
use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::notation::ParseError;

/// What kind of thing is wrong: API.md lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The bytes are no request of HTTP/1.
    Malformed,
    /// A parameter is missing, unknown, given twice, or its value is none.
    Parameter,
    /// The game or its options do not exist.
    Game,
    /// The text is no position of the game.
    Position,
    /// A move is none or is not legal where it is made.
    Move,
    /// The text is no record of a game.
    Record,
    /// Another site has asked for this.
    CrossSite,
    /// There is nothing here.
    NotFound,
    /// Only GET and HEAD are answered.
    Method,
    /// The head of the request did not come in time.
    Slow,
    /// The request has a body.
    Body,
    /// The address asked for is too long.
    LongUrl,
    /// The request is for a host this server is not.
    Host,
    /// The head of the request is too large.
    LargeHead,
    /// A fault of the server.
    Internal,
    /// A table is damaged or cannot be read.
    Table,
    /// As many searches as are allowed are under way.
    Busy,
}

impl Kind {
    /// Status, last word of `type`, and `title`.
    const fn words(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::Malformed => (StatusCode::BAD_REQUEST, "malformed", "Malformed request"),
            Self::Parameter => (StatusCode::BAD_REQUEST, "parameter", "Wrong parameter"),
            Self::Game => (StatusCode::BAD_REQUEST, "game", "Unknown game or option"),
            Self::Position => (StatusCode::BAD_REQUEST, "position", "Wrong position"),
            Self::Move => (StatusCode::BAD_REQUEST, "move", "Wrong move"),
            Self::Record => (StatusCode::BAD_REQUEST, "record", "Wrong game record"),
            Self::CrossSite => (StatusCode::FORBIDDEN, "cross-site", "Asked by another site"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed"),
            Self::Slow => (StatusCode::REQUEST_TIMEOUT, "slow", "Request took too long"),
            Self::Body => (StatusCode::PAYLOAD_TOO_LARGE, "body", "Request has a body"),
            Self::LongUrl => (StatusCode::URI_TOO_LONG, "long-url", "Address too long"),
            Self::Host => (StatusCode::MISDIRECTED_REQUEST, "host", "Unknown host"),
            Self::LargeHead => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "large-head", "Request head too large"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Fault of the server"),
            Self::Table => (StatusCode::INTERNAL_SERVER_ERROR, "table", "Unsound table"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy"),
        }
    }
}

/// Why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    pub(super) kind: Kind,
    /// What was found, what was expected, what to do.
    detail: String,
    /// The parameter that is wrong.
    parameter: Option<String>,
    /// The bytes of its value that are wrong: from, to.
    at: Option<[usize; 2]>,
    /// The number of the move that is wrong, from 0.
    ply: Option<usize>,
    /// Line and column of a record, from 1.
    place: Option<(usize, usize)>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "type")]
    kind: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Problem {
    pub(super) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), parameter: None, at: None, ply: None, place: None }
    }

    /// The value of a parameter is no text of what it should be.
    pub(super) fn text(kind: Kind, parameter: &str, error: &ParseError) -> Self {
        Self { at: Some([error.at.start, error.at.end]), ..Self::new(kind, error.to_string()).about(parameter) }
    }

    /// The same, about a parameter.
    pub(super) fn about(self, parameter: &str) -> Self {
        Self { parameter: Some(parameter.to_owned()), ..self }
    }

    /// The same, about a move.
    pub(super) fn at_ply(self, ply: usize) -> Self {
        Self { ply: Some(ply), ..self }
    }

    /// The same, about a place of a record.
    pub(super) fn at_place(self, line: usize, column: usize) -> Self {
        Self { place: Some((line, column)), ..self }
    }

    /// The status and the document.
    pub(super) fn document(&self) -> (StatusCode, String) {
        let (status, word, title) = self.kind.words();
        let document = Document {
            kind: format!("/problems/{word}"),
            title,
            status: status.as_u16(),
            detail: &self.detail,
            parameter: self.parameter.as_deref(),
            at: self.at,
            ply: self.ply,
            line: self.place.map(|(line, _)| line),
            column: self.place.map(|(_, column)| column),
        };
        // Numbers and texts alone can always be written.
        (status, serde_json::to_string(&document).unwrap_or_default())
    }
}

/// The content type of a problem document.
pub(super) const CONTENT: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, text) = self.document();
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, CONTENT);
        match self.kind {
            Kind::Method => _ = headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD")),
            Kind::Busy => _ = headers.insert(RETRY_AFTER, HeaderValue::from_static("1")),
            _ => {}
        }
        response
    }
}
