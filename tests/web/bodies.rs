//! Parameters that come in the body of a request.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use kpe::web::Limits;

use crate::client::{Answer, Client, ask, get};
use crate::{limited, served, settings};

const FORM: &str = "application/x-www-form-urlencoded";

/// The answer to a body with these headers beside its length.
fn post(address: SocketAddr, url: &str, headers: &str, body: &str) -> Answer {
    let length = body.len();
    let head = format!("POST {url} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n{headers}\r\n");
    ask(address, head + body).unwrap()
}

fn of_type(address: SocketAddr, url: &str, content_type: &str, body: &str) -> Answer {
    post(address, url, &format!("Content-Type: {content_type}\r\n"), body)
}

#[test]
fn a_long_record_in_any_script_is_read() {
    let server = served(settings());
    let record = format!("[South \"Ama\"] 1. A b {{{}}} *", "খেলা ".repeat(500));
    assert!(record.len() > 6_500);
    for content_type in ["text/plain", "text/plain;charset=UTF-8", "Text/Plain; charset=\"utf-8\""] {
        let answer = of_type(server.address(), "/api/v1/record", content_type, &record).json();
        assert_eq!(answer["moves"], serde_json::json!(["A", "b"]));
        assert!(answer["comments"][2][0].as_str().unwrap().starts_with("খেলা"));
    }
    // As large as the page loads them, and no larger.
    let whole = |length: usize| format!("1. A b *{}", " ".repeat(length - 8));
    assert_eq!(of_type(server.address(), "/api/v1/record", "text/plain", &whole(64 << 10)).status, 200);
    let larger = of_type(server.address(), "/api/v1/record", "text/plain", &whole((64 << 10) + 1));
    assert_eq!(larger.refused(413), "body");
    let wrong = of_type(server.address(), "/api/v1/record", "text/plain", "1. A a\n2. B X");
    assert_eq!((wrong.refused(400), wrong.problem().1["line"].as_u64()), ("record".to_owned(), Some(2)));
}

#[test]
fn parameters_in_a_body_mean_what_they_mean_in_an_address() {
    let server = served(settings());
    let parameters = "start=2-0-0-1-1-4-0-0-20-20-S&moves=D";
    for word in ["annotate", "choose", "play"] {
        let url = format!("/api/v1/{word}");
        let given = of_type(server.address(), &url, FORM, parameters).json();
        let mut asked = get(server.address(), &format!("{url}?{parameters}")).json();
        // Two searches may have seen different numbers.
        if let Some(nodes) = given.get("nodes") {
            asked["nodes"] = nodes.clone();
        }
        assert_eq!(given, asked, "{word}");
    }
    let position = of_type(server.address(), "/api/v1/position", FORM, "position=0-0-0-1-1-0-1-1-20-24-S").json();
    assert_eq!(position["best"], "D");
    // A game whose moves are longer than an address may be: Goré with offers to the full pits.
    let url = "/api/v1/play";
    let padded = format!("game=gore&start={}", "9".repeat(20_000));
    assert_eq!(of_type(server.address(), url, FORM, &padded).refused(400), "position");
    assert_eq!(get(server.address(), &format!("{url}?{padded}")).refused(414), "long-url");
    assert_eq!(of_type(server.address(), url, FORM, "game=oware").refused(400), "game");
    assert_eq!(of_type(server.address(), url, FORM, "moves=A&moves=B").refused(400), "parameter");
}

#[test]
fn bodies_are_checked_as_addresses_are() {
    let server = served(settings());
    let address = server.address();
    let record = "/api/v1/record";
    for (headers, status, word) in [
        ("Content-Type: text/plain\r\nSec-Fetch-Site: cross-site\r\n", 403, "cross-site"),
        ("Content-Type: text/plain\r\nOrigin: https://evil.example\r\n", 403, "cross-site"),
        ("Content-Type: text/plain\r\nOrigin: null\r\n", 403, "cross-site"),
        ("Content-Type: application/json\r\n", 415, "content-type"),
        ("Content-Type: text/plain; charset=utf-16\r\n", 415, "content-type"),
        ("", 415, "content-type"),
    ] {
        let answer = post(address, record, headers, "1. A b *");
        assert_eq!((answer.status, answer.problem().0.as_str()), (status, word), "{headers}");
    }
    let own = post(address, record, "Content-Type: text/plain\r\nOrigin: http://localhost:4848\r\n", "1. A b *");
    assert_eq!(own.status, 200);
    assert_eq!(of_type(address, "/api/v1/play", "text/plain", "1. A b *").refused(415), "content-type");
    assert_eq!(of_type(address, "/api/v1/record?text=A", "text/plain", "1. A b *").refused(400), "parameter");
    let evil = "POST /api/v1/record HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1\r\n\r\nA";
    assert_eq!(ask(address, evil).unwrap().refused(421), "host");
    let chunked =
        "POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n\r\n";
    assert_eq!(ask(address, chunked).unwrap().refused(413), "body");
    for url in ["/", "/api/v1/health", "/api/v1/stats"] {
        let answer = of_type(address, url, "text/plain", "1. A b *");
        assert_eq!((answer.refused(405), answer.header("allow")), ("method".to_owned(), "GET, HEAD"));
    }
    let put = ask(address, "PUT /api/v1/record HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!((put.refused(405), put.header("allow")), ("method".to_owned(), "GET, HEAD, POST"));
    let bytes =
        b"POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n\xff";
    assert_eq!(ask(address, bytes).unwrap().refused(400), "parameter");
}

#[test]
fn who_sends_a_body_too_slowly_is_given_up_and_makes_room() {
    let limits = Limits { head_time: Duration::from_millis(300), connections: 4, ..Limits::default() };
    let server = limited(limits);
    let begun = Instant::now();
    let head =
        "POST /api/v1/record HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n";
    let mut slow = Client::new(server.address());
    slow.send(format!("{head}1. A"));
    assert_eq!(slow.answer().unwrap().refused(408), "slow");
    let limits = Limits { head_time: Duration::from_secs(60), connections: 4, ..Limits::default() };
    let server = limited(limits);
    let crowd: Vec<Client> = (0..8).map(|_| Client::new(server.address())).collect();
    for mut client in crowd {
        client.send(format!("{head}1. A"));
        // It stays open.
        std::mem::forget(client);
    }
    assert_eq!(get(server.address(), "/api/v1/health").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}
