//! Who is answered, and what every answer says of itself.

use std::net::SocketAddr;

use kpe::web::Settings;

use crate::client::{Answer, Client, ask, get};
use crate::{limited, served, settings};

const METHODS: [&str; 8] = ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"];

fn for_host(address: SocketAddr, host: &str) -> Answer {
    ask(address, format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).unwrap()
}

#[test]
fn only_known_hosts_are_answered() {
    let server = served(Settings { hosts: vec!["kpe.example".parse().unwrap()], ..settings() });
    let address = server.address();
    for host in ["localhost", "127.0.0.1", "[::1]:80", "kpe.example", "KPE.example:8080", &address.to_string()] {
        assert_eq!(for_host(address, host).status, 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "kpe.example.evil",
        "",
        "@",
        "localhost@evil",
        "evil@localhost",
    ] {
        let answer = for_host(address, host);
        assert!(["host", "malformed"].contains(&answer.problem().0.as_str()), "{host}");
        assert!([421, 400].contains(&answer.status));
    }
    assert_eq!(for_host(address, "evil.example").refused(421), "host");
    // An address in the request line counts as well, and a request without a host is none.
    let absolute = "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(ask(address, absolute).unwrap().refused(421), "host");
    for missing in ["", "Host: localhost\r\nHost: localhost\r\n"] {
        assert_eq!(ask(address, format!("GET / HTTP/1.1\r\n{missing}\r\n")).unwrap().refused(400), "malformed");
    }
}

#[test]
fn other_sites_get_no_answer() {
    let server = limited(kpe::web::Limits::default());
    let from = |site: &str, mode: &str, url: &str| {
        let headers = format!("Host: localhost\r\nSec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\n");
        let headers = headers + "Origin: https://evil.example\r\n";
        ask(server.address(), format!("GET {url} HTTP/1.1\r\n{headers}\r\n")).unwrap()
    };
    for site in ["cross-site", "same-site"] {
        for mode in ["no-cors", "cors", "navigate"] {
            assert_eq!(from(site, mode, "/api/v1/position").refused(403), "cross-site");
        }
        assert_eq!(from(site, "no-cors", "/").status, 403);
        // A link to the page is followed.
        assert_eq!(from(site, "navigate", "/").status, 200);
    }
    assert_eq!(from("same-origin", "cors", "/api/v1/position").status, 200);
    assert_eq!(from("none", "navigate", "/").status, 200);
}

/// Answers of every kind.
fn all_kinds(address: SocketAddr) -> Vec<Answer> {
    let mut answers: Vec<Answer> =
        ["/", "/nothing", "/api/v1/health", "/api/v1/position", "/api/v1/position?x", "/api/v1/play?moves=E"]
            .map(|url| get(address, url))
            .into();
    let tag = answers[0].header("etag").to_owned();
    let requests = [
        "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: GET\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n ",
        "no request\r\n\r\n",
        &format!("GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n"),
        &format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "x: y\r\n".repeat(200)),
    ];
    answers.extend(requests.map(|request| ask(address, request).unwrap()));
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 404, 200, 200, 400, 400, 405, 421, 413, 400, 304, 431]);
    answers
}

#[test]
fn every_answer_is_fenced_in() {
    let server = served(settings());
    for answer in all_kinds(server.address()) {
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer:?}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        let policy = answer.header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert!(!answer.headers.keys().any(|name| name.starts_with("access-control")), "{answer:?}");
        assert!(["no-store", "no-cache"].contains(&answer.header("cache-control")), "{answer:?}");
    }
}

#[test]
fn the_page_has_nothing_that_the_policy_forbids() {
    let page = get(served(settings()).address(), "/").body;
    let lower = page.to_ascii_lowercase();
    for script in lower.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap();
        assert!(tag.contains("src=\"/"), "an inline script: {tag}");
    }
    for forbidden in ["<style", " style=", " onclick=", " onload=", "javascript:", "http://", "https://"] {
        assert!(!lower.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn only_get_and_head_are_answered() {
    let server = served(settings());
    for method in METHODS {
        for url in ["/", "/nothing", "/api/v1/health"] {
            let target = if method == "CONNECT" { "localhost:80" } else { url };
            let answer =
                ask(server.address(), format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n\r\n")).unwrap();
            assert_eq!(answer.refused(405), "method", "{method}");
            assert_eq!(answer.header("allow"), "GET, HEAD");
        }
    }
    for url in ["/", "/nothing", "/api/v1/position"] {
        let mut client = Client::new(server.address());
        client.send(format!("HEAD {url} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        let head = client.head_answer().unwrap();
        // The next answer on the connection is whole, so nothing of a body came before it.
        let whole = client.get(url);
        assert_eq!((head.status, head.header("content-length")), (whole.status, whole.header("content-length")));
        assert!(!whole.body.is_empty());
    }
}

#[test]
fn no_request_has_a_body() {
    let server = served(settings());
    for header in ["Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: 99999999999"] {
        let request = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n");
        assert_eq!(ask(server.address(), request).unwrap().refused(413), "body");
    }
    let empty = "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(ask(server.address(), empty).unwrap().status, 200);
    let zeros = "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 000\r\n\r\n";
    assert_eq!(ask(server.address(), zeros).unwrap().status, 200);
    // What follows a refused body is not taken for a request.
    let mut client = Client::new(server.address());
    let inner = "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.send(format!("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{inner}", inner.len()));
    assert_eq!(client.answer().unwrap().status, 413);
    client.finish();
    assert_eq!(client.answer(), None);
}

#[test]
fn what_is_wrong_with_a_head_is_told() {
    let server = served(settings());
    let detail = |request: String| {
        let (word, document) = ask(server.address(), request).unwrap().problem();
        (word, document["detail"].as_str().unwrap().to_owned())
    };
    for length in ["-1", "x", "1, 2", "18446744073709551616"] {
        let (word, told) = detail(format!("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"));
        assert_eq!(word, "malformed");
        assert_eq!(told, "found a wrong content-length, expected a request of HTTP/1.1", "{length}");
    }
    // What is repeated is short and can be read.
    let (word, told) = detail(format!("{} / HTTP/1.1\r\nHost: localhost\r\n\r\n", "G".repeat(5000)));
    assert!(word == "method" && told.len() < 200 && told.contains("(5000 bytes)"), "{told}");
    let raw = ask(server.address(), b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n").unwrap();
    assert!(raw.problem().1["detail"].as_str().unwrap().contains("is not \"\u{fffd}\""), "{raw:?}");
    // Whichever limit a head exceeds, the figures are those that hold.
    for request in [
        format!("GET / HTTP/1.1\r\nHost: localhost\r\nx: {}\r\n\r\n", "y".repeat(17 << 10)),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\nx: {}\r\n\r\n", "y".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "x: y\r\n".repeat(200)),
    ] {
        let (word, told) = detail(request);
        assert_eq!(word, "large-head");
        assert!(told.contains("16384") && !told.contains("65536"), "{told}");
    }
}

#[test]
fn what_a_client_wrote_is_not_repeated_whole_or_raw() {
    let server = served(settings());
    let long = "6".repeat(15_000);
    for url in [
        format!("/api/v1/position?position={long}"),
        format!("/api/v1/position?{long}=1"),
        format!("/api/v1/position?game={long}"),
        format!("/api/v1/position?options={long}"),
        format!("/api/v1/position?level={long}"),
        format!("/api/v1/position?time_ms=x{long}"),
        format!("/api/v1/play?moves={long}"),
        format!("/api/v1/play?loops={long}"),
        format!("/api/v1/record?text={long}"),
    ] {
        let answer = get(server.address(), &url);
        assert!(answer.status == 400 && answer.body.len() < 1000, "{}: {answer:?}", &url[..40]);
    }
    for (url, told) in [
        ("/api/v1/position?time_ms=soon", "found \"soon\", expected milliseconds, 1 or more"),
        ("/api/v1/position?time_ms=0", "found \"0\", expected milliseconds, 1 or more"),
        ("/api/v1/position?time_ms=-5", "found \"-5\", expected milliseconds, 1 or more"),
        ("/api/v1/position?level=many", "found \"many\", expected a level from 1 to 10"),
        ("/api/v1/play?loops=%E2%80%AE", "option loops is \"\\u{202e}\", expected split or own"),
    ] {
        let detail = get(server.address(), url).problem().1["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with(told), "{url}: {detail}");
    }
}

#[test]
fn the_type_of_a_problem_is_the_address_of_its_explanation() {
    let server = served(settings());
    let problem = get(server.address(), "/api/v1/play?moves=E").problem().1;
    let page = get(server.address(), problem["type"].as_str().unwrap());
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.body.contains(problem["title"].as_str().unwrap()), "{}", page.body);
    for url in [
        "/problems/nothing",
        "/problems/",
        "/problems",
        "/problems/move/x",
        "/problems/%3Cb%3E",
        "/problems/%ff",
        "/problems/mo%76e",
    ] {
        assert_eq!(get(server.address(), url).refused(404), "not-found", "{url}");
    }
}

#[test]
fn no_address_is_a_path_of_the_file_system() {
    let server = served(settings());
    let roots = ["", "/assets", "/assets/..", "/messages", "/api", "/api/v1", "/."];
    let ends = [
        "/../Cargo.toml",
        "/../../../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/etc/passwd",
        "/etc/passwd%00",
        "/src/web/page/index.html",
        "/index.html/..",
        "/..\\..\\etc\\passwd",
    ];
    for url in roots.iter().flat_map(|root| ends.iter().map(move |end| format!("{root}{end}"))) {
        let answer = get(server.address(), &url);
        assert!([404, 400].contains(&answer.status), "{url}: {answer:?}");
        answer.problem();
    }
    let parameters = ["position", "start", "game", "options", "moves", "text"];
    for url in parameters.map(|name| format!("/api/v1/play?{name}=/etc/passwd")) {
        let answer = get(server.address(), &url);
        assert!(answer.status == 400 && !answer.body.contains("root:"), "{url}: {answer:?}");
    }
}

#[test]
fn files_are_known_by_their_tags() {
    let server = served(settings());
    let whole = get(server.address(), "/");
    let tag = whole.header("etag");
    assert!(tag.len() > 10 && whole.header("content-type").starts_with("text/html"), "{whole:?}");
    let with = |tags: &str| {
        ask(server.address(), format!("GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tags}\r\n\r\n")).unwrap()
    };
    for tags in [tag, &format!("\"x\", {tag}"), &format!("W/{tag}"), "*", &format!("W/\"x\" , W/{tag}")] {
        let answer = with(tags);
        assert_eq!((answer.status, answer.body.as_str(), answer.header("etag")), (304, "", tag));
    }
    assert_eq!(with("\"x\"").body, whole.body);
}
