//! The parameters of a request: behind the `?` of its address, or in its body where they are too long for one.
//!
//! A body is read before the request counts as one: whoever sends it slowly has a connection that is idle.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use tokio::time::timeout;

use super::problem::{Kind, Problem};
use super::query::Query;
use crate::echo::quoted;

/// The largest body, in bytes.
pub(super) const LARGEST_BODY: usize = 64 << 10;
/// What a body with parameters is.
const FORM: &str = "application/x-www-form-urlencoded";
/// What a record is by itself.
const TEXT: &str = "text/plain";

/// The parameters of a request as they came.
#[derive(Clone, Debug)]
pub(super) enum Parameters {
    /// Names and values, as in an address.
    Pairs(String),
    /// The value of `text` alone.
    Text(String),
}

impl Parameters {
    /// Each by itself.
    pub(super) fn query(self) -> Result<Query, Problem> {
        match self {
            Self::Pairs(text) => Query::parse(&text),
            Self::Text(text) => Ok(Query::of_text(text)),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let given = parts.extensions.remove::<Self>();
        Ok(given.unwrap_or_else(|| Self::Pairs(parts.uri.query().unwrap_or_default().to_owned())))
    }
}

/// Why a body is not there although it may be.
#[derive(Clone, Copy, Debug)]
enum Lost {
    Slow,
    Cut,
}

/// Whether a request for this address may be made with a body.
pub(super) fn is_welcome(uri: &Uri) -> bool {
    let word = uri.path().strip_prefix("/api/v1/");
    word.is_some_and(|word| ["annotate", "choose", "play", "position", "record"].contains(&word))
}

/// The request with its body in memory, if it may have one; what may not be is not read.
pub(super) async fn read<B>(request: axum::http::Request<B>, patience: Duration) -> Request
where
    B: axum::body::HttpBody<Data = axum::body::Bytes, Error: Into<axum::BoxError>> + Send + 'static,
{
    let (mut parts, body) = request.into_parts();
    let body = Body::new(body);
    if parts.method != Method::POST || !is_welcome(&parts.uri) || check_length(&parts.headers).is_err() {
        return Request::from_parts(parts, body);
    }
    let body = match timeout(patience, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Body::from(bytes),
        Ok(Err(_)) => {
            parts.extensions.insert(Lost::Cut);
            Body::empty()
        }
        Err(_) => {
            parts.extensions.insert(Lost::Slow);
            Body::empty()
        }
    };
    Request::from_parts(parts, body)
}

/// Refuses a body that is too large or does not say how large it is.
pub(super) fn check_length(headers: &HeaderMap) -> Result<(), Problem> {
    let given = headers.get(CONTENT_LENGTH).map_or("0", |length| length.to_str().unwrap_or_default());
    let length = given.parse::<usize>().ok().filter(|_| !headers.contains_key(TRANSFER_ENCODING));
    match length {
        Some(length) if length <= LARGEST_BODY => Ok(()),
        Some(length) => {
            Err(Problem::new(Kind::Body, format!("found a body of {length} bytes, expected at most {LARGEST_BODY}")))
        }
        None => Err(Problem::new(Kind::Body, "found a body of unknown length, expected a Content-Length")),
    }
}

/// The same request with the parameters that its body holds, once all else about it is right.
pub(super) async fn unpacked(request: Request) -> Result<Request, Problem> {
    let (mut parts, body) = request.into_parts();
    match parts.extensions.get::<Lost>() {
        Some(Lost::Slow) => return Err(Problem::new(Kind::Slow, "the body of the request did not come in time")),
        Some(Lost::Cut) => return Err(Problem::new(Kind::Malformed, "the body ends before its Content-Length")),
        None => {}
    }
    if parts.uri.query().is_some_and(|query| !query.is_empty()) {
        let detail = "found parameters in the address and a body, expected all of them in one of the two";
        return Err(Problem::new(Kind::Parameter, detail));
    }
    let is_text = is_text(&parts)?;
    let body = to_bytes(body, LARGEST_BODY).await.map_err(|error| Problem::new(Kind::Malformed, error.to_string()))?;
    let no_text = |_| Problem::new(Kind::Parameter, "found a body that is not UTF-8, expected text in UTF-8");
    let text = String::from_utf8(body.into()).map_err(no_text)?;
    parts.extensions.insert(if is_text { Parameters::Text(text) } else { Parameters::Pairs(text) });
    Ok(Request::from_parts(parts, Body::empty()))
}

/// Whether the body is a record by itself; else it has parameters.
fn is_text(parts: &Parts) -> Result<bool, Problem> {
    let takes_text = parts.uri.path().ends_with("/record");
    let given = parts.headers.get(CONTENT_TYPE).map_or("", |given| given.to_str().unwrap_or_default());
    let (kind, rest) = given.split_once(';').unwrap_or((given, ""));
    let rest = rest.trim().to_ascii_lowercase().replace('"', "");
    let is_utf8 = rest.is_empty() || rest == "charset=utf-8";
    let kind = kind.trim();
    if is_utf8 && kind.eq_ignore_ascii_case(FORM) {
        Ok(false)
    } else if is_utf8 && takes_text && kind.eq_ignore_ascii_case(TEXT) {
        Ok(true)
    } else {
        let text = if takes_text { format!("{TEXT} or ") } else { String::new() };
        let detail = format!("found a body of the type {}, expected {text}{FORM}, in UTF-8", quoted(given));
        Err(Problem::new(Kind::ContentType, detail))
    }
}
