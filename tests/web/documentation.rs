//! What API.md shows is what the server answers.

use serde_json::Value;

use crate::client::Client;
use crate::{served, settings};

/// Stands at the end of a list that goes on.
const MORE: &str = "…";

fn documentation() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/API.md")).unwrap()
}

/// The addresses asked for and the documents shown.
fn examples(text: &str) -> Vec<(String, Value)> {
    let parts = text.split("\n    GET ").skip(1);
    let example = |part: &str| {
        let (url, rest) = part.split_once("\n\n```json\n").expect("a document follows");
        let (document, _) = rest.split_once("```").unwrap();
        (url.to_owned(), serde_json::from_str(document).unwrap_or_else(|error| panic!("{url}: {error}")))
    };
    parts.map(example).collect()
}

/// Whether an answer has everything that is shown; a list is shown whole unless it ends with the sign for more.
fn shows(shown: &Value, answer: &Value) -> bool {
    match (shown, answer) {
        (Value::Object(shown), Value::Object(answer)) => {
            shown.iter().all(|(name, value)| answer.get(name).is_some_and(|answer| shows(value, answer)))
        }
        (Value::Array(shown), Value::Array(answer)) => match shown.split_last() {
            Some((last, first)) if last == MORE => {
                first.len() < answer.len() && first.iter().zip(answer).all(|(shown, answer)| shows(shown, answer))
            }
            _ => shown.len() == answer.len() && shown.iter().zip(answer).all(|(shown, answer)| shows(shown, answer)),
        },
        _ => shown == answer,
    }
}

#[test]
fn the_examples_are_answered_as_shown() {
    let server = served(settings());
    let examples = examples(&documentation());
    assert!(examples.len() >= 11, "{}", examples.len());
    for (url, shown) in examples {
        let answer = Client::new(server.address()).get(&url);
        let document: Value = serde_json::from_str(&answer.body).unwrap();
        assert!(shows(&shown, &document), "{url} answers\n{document:#}");
    }
}

#[test]
fn a_comparison_can_fail() {
    let shows = |shown: &str, answer: &str| {
        shows(&serde_json::from_str(shown).unwrap(), &serde_json::from_str(answer).unwrap())
    };
    assert!(shows(r#"{"a": [1, "…"]}"#, r#"{"a": [1, 2], "b": 0}"#));
    assert!(!shows(r#"{"a": [1]}"#, r#"{"a": [1, 2]}"#));
    assert!(!shows(r#"{"a": [1, "…"]}"#, r#"{"a": [1]}"#));
    assert!(!shows(r#"{"b": null}"#, r#"{"a": 1}"#));
}

#[test]
fn every_request_and_problem_is_described() {
    let text = documentation();
    for request in ["position", "play", "choose", "annotate", "record", "stats", "health"] {
        assert!(text.contains(&format!("\n## `{request}`: ")) && text.contains(&format!("GET /api/v1/{request}")));
    }
    let source = include_str!("../../src/web/problem.rs");
    let words = source.split("(StatusCode::").skip(1).map(|rest| rest.split('"').nth(1).unwrap());
    let words: Vec<&str> = words.collect();
    assert!(words.len() > 10);
    for word in words {
        assert!(text.contains(&format!("`{word}`")), "{word}");
    }
}
