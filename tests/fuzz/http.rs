//! Bytes that reach the server: it answers properly or not at all, and never with a failure of its own.

use std::net::SocketAddr;
use std::sync::OnceLock;

use kpe::web::{Limits, Running, Settings, start};

#[path = "../web/client.rs"]
#[allow(dead_code)]
mod client;

use client::Client;

/// Requests as they come through the wire.
pub(super) const REQUESTS: [&str; 5] = [
    "GET /api/v1/play?game=kpe&moves=A,b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:4848\r\nIf-None-Match: \"x\"\r\nAccept-Encoding: gzip\r\n\r\n",
    "HEAD /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/v1/stats HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /api/v1/play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
    "GET /js/main.js HTTP/1.0\r\nOrigin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n\r\n",
];

/// Addresses behind `/api/v1/`.
pub(super) const QUERIES: [&str; 8] = [
    "play?game=kpe&moves=A,b,B,c",
    "play?game=gore&options=trade=on&start=3-3-3-3-3-3-3-3-12-12-S@ABCD&moves=offer:A,decline",
    "position?position=0-3-8-1-2-4-1-3-12-14-N",
    "choose?level=3&moves=A,a",
    "choose?game=gore&level=2&loops=own",
    "tables?game=kpe&options=unlock=next",
    "record?text=%5BGame%20%22kpe%22%5D%0A%0A1.%20A%20b%20*",
    "health",
];

/// What is found in both.
pub(super) const WORDS: [&str; 20] = [
    "&",
    "=",
    "%2C",
    "%00",
    "%ff",
    "game=",
    "gore",
    "options=",
    "position=",
    "start=",
    "moves=",
    "level=",
    "offer:AB",
    "\r\n",
    "Host: ",
    "Content-Length: 0\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",
    "HTTP/1.1",
    "Connection: close\r\n",
];

/// A server for all inputs.
fn server() -> SocketAddr {
    static SERVER: OnceLock<Running> = OnceLock::new();
    let begin = || {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let settings =
            Settings { address, hosts: Vec::new(), tables: None, memory: 64 << 20, limits: Limits::default() };
        start(settings).expect("a free port is to be had")
    };
    SERVER.get_or_init(begin).address()
}

/// Sends bytes and nothing more, and looks at every answer.
pub(super) fn request(bytes: &[u8]) {
    let mut client = Client::new(server());
    client.send(bytes);
    client.finish();
    // An answer to HEAD has no body, and which answer is to it would take a server to know.
    if bytes.windows(4).any(|word| word == b"HEAD") {
        let rest = client.rest();
        let rest = String::from_utf8_lossy(&rest);
        assert!(rest.is_empty() || rest.starts_with("HTTP/1."));
        assert!(["HTTP/1.0 5", "HTTP/1.1 5"].iter().all(|failure| !rest.contains(failure)));
        return;
    }
    while let Some(answer) = client.answer() {
        if answer.status >= 400 {
            assert!(answer.status < 500, "{answer:?}");
            answer.problem();
        } else {
            assert!([100, 200, 304].contains(&answer.status), "{answer:?}");
        }
        assert!(answer.status == 100 || answer.header("x-content-type-options") == "nosniff", "{answer:?}");
    }
}

/// The same with a request for the address behind `/api/v1/`.
pub(super) fn query(bytes: &[u8]) {
    // Searches would take their time.
    let limit: &[u8] =
        if bytes.starts_with(b"choose?") || bytes.starts_with(b"position?") { b"&time_ms=1" } else { b"" };
    let end = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    request(&[b"GET /api/v1/", bytes, limit, end].concat());
}
