//! Problem documents (RFC 9457): what every request gets that cannot be answered.

use axum::body::Body;
use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
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
    /// The request has a body that it may not have.
    Body,
    /// The body is of a type that is not read here.
    ContentType,
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
    /// Too many files are open.
    Files,
}

/// All kinds.
const KINDS: [Kind; 19] = [
    Kind::Malformed,
    Kind::Parameter,
    Kind::Game,
    Kind::Position,
    Kind::Move,
    Kind::Record,
    Kind::CrossSite,
    Kind::NotFound,
    Kind::Method,
    Kind::Slow,
    Kind::Body,
    Kind::ContentType,
    Kind::LongUrl,
    Kind::Host,
    Kind::LargeHead,
    Kind::Internal,
    Kind::Table,
    Kind::Busy,
    Kind::Files,
];

impl Kind {
    /// The kind whose `type` ends with this word.
    fn named(word: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.words().1 == word)
    }

    /// What is wrong, in a few words; API.md has the same.
    const fn meaning(self) -> &'static str {
        match self {
            Self::Malformed => "the bytes are no request of HTTP/1, or name no host, or several",
            Self::Parameter => "a parameter is unknown, missing or given twice, or its value is none",
            Self::Game => "the text is no game or no option of one",
            Self::Position => "the text is no position of the game",
            Self::Move => "the text is no move, or the move is not legal where it is made",
            Self::Record => "the text is no record of a game",
            Self::CrossSite => "a page of another site asks",
            Self::NotFound => "nothing is there",
            Self::Method => "it is neither GET nor HEAD, nor POST where that is taken",
            Self::ContentType => "the body is no text of the type that is expected",
            Self::Slow => "the request took more than ten seconds to come",
            Self::Body => "it has a body where none is taken, one of more than 64 KiB, or of unknown length",
            Self::LongUrl => "the address is longer than 16 KiB",
            Self::Host => "the server has another name; see --host",
            Self::LargeHead => "more than 64 headers, or 16 KiB of them",
            Self::Internal => "a fault of the program",
            Self::Table => "a table is damaged or cannot be read",
            Self::Files => "the server has too many open files for another one; Retry-After says when to ask again",
            Self::Busy => {
                "as many searches are under way as --searches allows, and too many wait or one waited two seconds; Retry-After says when to ask again"
            }
        }
    }

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
            Self::Body => (StatusCode::PAYLOAD_TOO_LARGE, "body", "Wrong body"),
            Self::ContentType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "content-type", "Wrong type of body"),
            Self::LongUrl => (StatusCode::URI_TOO_LONG, "long-url", "Address too long"),
            Self::Host => (StatusCode::MISDIRECTED_REQUEST, "host", "Unknown host"),
            Self::LargeHead => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "large-head", "Request head too large"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Fault of the server"),
            Self::Table => (StatusCode::INTERNAL_SERVER_ERROR, "table", "Unsound table"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy"),
            Self::Files => (StatusCode::SERVICE_UNAVAILABLE, "files", "Too many open files"),
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
            kind: format!("{PLACE}{word}"),
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

/// Where the types of problems lie.
pub(super) const PLACE: &str = "/problems/";

/// The page at the address that a `type` is, for people; `None` if there is no such type.
pub(super) fn page(word: &str) -> Option<Html<String>> {
    let kind = Kind::named(word)?;
    let (status, _, title) = kind.words();
    // All of these texts are this program's own and need no escapes.
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>Status {}: {}.</p>\n<p>The <code>detail</code> of the problem document says what was found and what was \
         expected. API.md of kpe lists all problems.</p>\n</main>\n</body>\n</html>\n",
        status.as_u16(),
        kind.meaning()
    );
    Some(Html(page))
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
            Kind::Busy | Kind::Files => _ = headers.insert(RETRY_AFTER, HeaderValue::from_static("1")),
            _ => {}
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_word_of_its_own_and_a_page_that_says_what_the_description_says() {
        let description = include_str!("../../API.md");
        for kind in KINDS {
            let (status, word, title) = kind.words();
            assert_eq!(Kind::named(word), Some(kind));
            let page = page(word).unwrap().0;
            assert!(page.contains(title) && page.contains(kind.meaning()), "{page}");
            let mut rows = description.lines().filter(|row| row.starts_with(&format!("| {} |", status.as_u16())));
            let row =
                rows.find(|row| row.contains(&format!("`{word}`"))).unwrap_or_else(|| panic!("no row for {word}"));
            assert!(row.replace('`', "").ends_with(&format!("| {} |", kind.meaning())), "{row}: {}", kind.meaning());
        }
        assert!(page("nothing").is_none());
    }
}
