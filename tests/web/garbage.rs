//! Requests of random bytes: each is answered properly or not at all, and the server goes on.

use std::net::SocketAddr;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::client::{Client, get};
use crate::{served, settings};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

/// Sends bytes and nothing more, and looks at every answer.
fn check(address: SocketAddr, bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut client = Client::new(address);
    client.send(bytes);
    client.finish();
    while let Some(answer) = client.answer() {
        if answer.status >= 400 {
            prop_assert!(answer.status < 500, "{answer:?}");
            answer.problem();
        } else {
            prop_assert!([200, 304].contains(&answer.status), "{answer:?}");
        }
        prop_assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    Ok(())
}

fn is_alive(address: SocketAddr) {
    assert_eq!(get(address, "/api/v1/health").status, 200);
}

#[test]
fn random_bytes() {
    let server = served(settings());
    let address = server.address();
    runner(300).run(&vec(any::<u8>(), 0..400), |bytes| check(address, &bytes)).unwrap();
    is_alive(address);
}

#[test]
fn nearly_right_requests() {
    let server = served(settings());
    let address = server.address();
    let right = b"GET /api/v1/play?game=kpe&moves=A,b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    let change = (0..right.len(), 0..6usize, vec(any::<u8>(), 0..6));
    let strategy = vec(change, 1..4);
    runner(500)
        .run(&strategy, |changes| {
            let mut bytes = right.to_vec();
            for (at, removed, inserted) in changes {
                let at = at.min(bytes.len());
                let end = (at + removed).min(bytes.len());
                bytes.splice(at..end, inserted);
            }
            check(address, &bytes)
        })
        .unwrap();
    is_alive(address);
}

#[test]
fn random_addresses() {
    let server = served(settings());
    let address = server.address();
    const NAMES: [&str; 10] =
        ["game", "options", "position", "start", "moves", "loops", "level", "time_ms", "text", "x"];
    const WORDS: [&str; 9] =
        ["kpe", "gore", "startpos", "6-6-6-6-6-6-6-6-0-0-S", "A,b", "offer:AB", "1", "99999999999999999999", "-1"];
    let value = prop_oneof![
        prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        "[!-~]{0,30}".prop_filter("no fragment", |text| !text.contains('#')),
        "(%[0-9a-f]{2}){0,20}",
    ];
    let path =
        prop::sample::select(&["play", "position", "choose", "health", "stats", "record", "annotate", "", "x"][..]);
    let strategy = (path, vec((prop::sample::select(&NAMES[..]), value), 0..5));
    runner(500)
        .run(&strategy, |(path, parameters)| {
            let parameters: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let url = format!("/api/v1/{path}?{}", parameters.join("&"));
            // Searches would take the time of the test.
            let url = format!("{url}&time_ms=1");
            check(address, format!("GET {url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes())
        })
        .unwrap();
    is_alive(address);
}

#[test]
fn what_is_no_http_1_is_told_so() {
    let server = served(settings());
    for bytes in [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a hello of TLS\r\n\r\n",
        b"GET / HTTP/3.0\r\nHost: localhost\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\nHost: local\0host\n\n",
        b"GET / HTT",
    ] {
        let mut client = Client::new(server.address());
        client.send(bytes);
        client.finish();
        let answer = client.answer().unwrap_or_else(|| panic!("no answer to {:?}", String::from_utf8_lossy(bytes)));
        assert_eq!(answer.refused(400), "malformed", "{:?}", String::from_utf8_lossy(bytes));
        assert_eq!(client.answer(), None);
    }
    // Who says nothing is told nothing.
    let mut client = Client::new(server.address());
    client.finish();
    assert_eq!(client.answer(), None);
}
