//! What clients may take, and what those get who take more.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use kpe::web::Limits;

use crate::client::{Client, ask, get};
use crate::{limited, served, settings};

/// A position that no table in the program knows.
const DEEP: &str = "6-6-6-6-6-6-6-6-0-0-S@ABCD";

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}

/// A search that takes as long as is allowed.
fn long_search() -> String {
    format!("/api/v1/position?game=gore&position={DEEP}&time_ms=60000")
}

fn running(address: SocketAddr) -> u64 {
    get(address, "/api/v1/health").json()["searches"]["running"].as_u64().unwrap()
}

/// Waits until so many searches are under way; how long it took.
fn wait_for(address: SocketAddr, searches: u64) -> Duration {
    let begun = Instant::now();
    while running(address) != searches {
        assert!(begun.elapsed() < Duration::from_secs(10), "never {searches} searches");
        std::thread::sleep(milliseconds(5));
    }
    begun.elapsed()
}

#[test]
fn long_addresses_and_large_heads_are_refused() {
    let server = served(settings());
    let long = |length: usize| get(server.address(), &format!("/{}", "a".repeat(length - 1)));
    assert_eq!(long(16 << 10).refused(404), "not-found");
    assert_eq!(long((16 << 10) + 1).refused(414), "long-url");
    let headers = |count: usize, length: usize| {
        let headers: String = (0..count).map(|number| format!("x{number}: {}\r\n", "y".repeat(length))).collect();
        ask(server.address(), format!("GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")).unwrap()
    };
    assert_eq!(headers(50, 100).status, 200);
    assert_eq!(headers(1, 16 << 10).refused(431), "large-head");
    assert_eq!(headers(80, 1).refused(431), "large-head");
    // These are so large that they are never read to their end.
    assert_eq!(headers(50, 100_000).refused(431), "large-head");
    assert!(["large-head", "long-url"].contains(&long(1 << 20).problem().0.as_str()));
    let endless = vec![b'x'; 1 << 20];
    assert!([400, 431].contains(&ask(server.address(), endless).unwrap().status));
}

#[test]
fn who_sends_too_slowly_is_given_up() {
    let server = limited(Limits { head_time: milliseconds(300), ..Limits::default() });
    let begun = Instant::now();
    let mut slow = Client::new(server.address());
    let mut silent = Client::new(server.address());
    let mut idle = Client::new(server.address());
    assert_eq!(idle.get("/").status, 200);
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX: yyyyyyyyyyyyyyy" {
        slow.send([*byte]);
        std::thread::sleep(milliseconds(10));
    }
    assert_eq!(slow.answer().unwrap().refused(408), "slow");
    assert_eq!((slow.answer(), silent.answer(), idle.answer()), (None, None, None));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn who_takes_no_bytes_is_given_up() {
    let server = limited(Limits { write_time: milliseconds(300), ..Limits::default() });
    let url = "/api/v1/play?moves=A,a,B,b,C,c,D,d";
    let length = get(server.address(), url).json().to_string().len();
    // Far more than the buffers of the system hold, and none of it is read.
    let asked = (40 << 20) / length;
    let mut deaf = Client::new(server.address());
    deaf.send(format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(asked));
    std::thread::sleep(milliseconds(4000));
    let answered = deaf.rest().len() / length;
    assert!(answered > 0 && answered < asked, "{answered} of {asked} answers were kept");
}

#[test]
fn connections_that_ask_nothing_make_room() {
    let server = limited(Limits { connections: 8, ..Limits::default() });
    let mut crowd: Vec<Client> = (0..100).map(|_| Client::new(server.address())).collect();
    for client in &mut crowd {
        client.send("GET / HTTP/1.1\r\nHost: loc");
    }
    let begun = Instant::now();
    let mut good = Client::new(server.address());
    for _ in 0..20 {
        assert_eq!(good.get("/api/v1/health").status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    // No more than the limit are still there.
    let mut answered = 0;
    for mut client in crowd {
        client.send("alhost\r\n\r\n");
        answered += usize::from(client.answer().is_some());
    }
    assert!(answered < 8, "{answered} are left");
}

#[test]
fn searches_are_limited_in_number() {
    let limits = Limits { searches: 1, search_wait: milliseconds(50), ..Limits::default() };
    let server = limited(limits);
    let address = server.address();
    let first = std::thread::spawn(move || get(address, &long_search()));
    wait_for(address, 1);
    let refused = get(address, &long_search());
    assert_eq!((refused.refused(503), refused.header("retry-after")), ("busy".to_owned(), "1"));
    let chosen = get(address, "/api/v1/choose?game=gore&level=3");
    assert_eq!(chosen.refused(503), "busy");
    // What needs no search is answered meanwhile.
    assert_eq!(get(address, "/api/v1/position").json()["source"], "table");
    assert_eq!(first.join().unwrap().json()["source"], "search");
}

#[test]
fn searches_are_limited_in_time() {
    let server = served(settings());
    let begun = Instant::now();
    let answer = get(server.address(), &long_search()).json();
    assert_eq!(answer["source"], "search");
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    assert!(begun.elapsed() > milliseconds(1000), "the search took {:?}", begun.elapsed());
}

#[test]
fn who_goes_away_stops_his_search() {
    let server = limited(Limits { searches: 1, ..Limits::default() });
    let address = server.address();
    for url in [long_search(), "/api/v1/choose?game=gore&time_ms=60000".to_owned()] {
        let mut client = Client::new(address);
        client.send(format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        wait_for(address, 1);
        let begun = Instant::now();
        drop(client);
        wait_for(address, 0);
        assert!(begun.elapsed() < milliseconds(1000), "the search went on for {:?}", begun.elapsed());
    }
    // The only place is free again.
    assert_eq!(get(address, "/api/v1/position?game=gore&time_ms=10").json()["source"], "search");
}
