//! What clients may take, and what those get who take more.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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

/// Clients that ask for searches again and again, each as soon as it has its answer or none, until told to stop.
fn crowd(address: SocketAddr, clients: usize, url: &'static str, stop: &AtomicBool) {
    std::thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                let request = format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n");
                while !stop.load(Relaxed) {
                    let Ok(mut stream) = TcpStream::connect(address) else { continue };
                    let _ = stream.set_read_timeout(Some(milliseconds(100)));
                    let mut answer = [0; 1 << 16];
                    let mut is_open = true;
                    while is_open && !stop.load(Relaxed) {
                        is_open = stream.write_all(request.as_bytes()).is_ok();
                        // A part of an answer is as good as all of it here.
                        while is_open && !stop.load(Relaxed) {
                            match stream.read(&mut answer) {
                                Ok(0) => is_open = false,
                                Ok(_) => break,
                                Err(error) => {
                                    is_open = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
                                }
                            }
                        }
                    }
                }
            });
        }
    });
}

/// Answers that one client gets to look-ups in two seconds, none of which may fail.
fn look_ups(address: SocketAddr) -> usize {
    let begun = Instant::now();
    let mut answers = 0;
    while begun.elapsed() < milliseconds(2000) {
        // A connection of its own each time: it needs a place as well.
        assert_eq!(get(address, "/api/v1/position").json()["source"], "table");
        answers += 1;
        std::thread::sleep(milliseconds(10));
    }
    answers
}

#[test]
fn searches_do_not_starve_look_ups() {
    // More clients than connections, as 300 are more than 256.
    let limits = Limits { connections: 40, searches: 2, ..Limits::default() };
    for url in ["/api/v1/choose?game=gore&time_ms=2000", "/api/v1/annotate?game=gore&moves=A,a,B,b&time_ms=2000"] {
        let server = limited(limits.clone());
        let address = server.address();
        let stop = AtomicBool::new(false);
        let answers = std::thread::scope(|scope| {
            scope.spawn(|| crowd(address, 48, url, &stop));
            std::thread::sleep(milliseconds(1000));
            let answers = std::panic::catch_unwind(|| look_ups(address));
            stop.store(true, Relaxed);
            answers
        });
        let answers = answers.expect("every look-up is answered");
        assert!(answers >= 5, "{url}: {answers} answers");
    }
}

#[test]
fn what_cannot_wait_is_refused_at_once() {
    let limits = Limits { searches: 1, search_wait: Duration::from_secs(60), ..Limits::default() };
    let server = limited(limits);
    let address = server.address();
    let request = "GET /api/v1/choose?game=gore&time_ms=2000 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut waiting: Vec<Client> = (0..20).map(|_| Client::new(address)).collect();
    waiting.iter_mut().for_each(|client| client.send(request));
    // One has the search, four wait for it, and the others are told, long before a second search could end.
    let (sender, receiver) = std::sync::mpsc::channel();
    for mut client in waiting {
        let sender = sender.clone();
        std::thread::spawn(move || sender.send(client.answer().map(|answer| answer.status)));
    }
    let first: Vec<_> = (0..16).map(|_| receiver.recv_timeout(Duration::from_secs(20)).unwrap()).collect();
    let refused = first.iter().filter(|status| **status == Some(503)).count();
    assert!(refused >= 15, "{first:?}");
}
