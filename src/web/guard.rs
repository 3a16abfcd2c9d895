//! What every request must be before it is answered, and what every answer says of itself.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, TRANSFER_ENCODING,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::body;
use super::problem::{Kind, Problem};
use super::server::Shared;
use crate::echo::{quoted, short};

/// The longest address, path and parameters together, in bytes.
pub(super) const LONGEST_URL: usize = 16 << 10;
/// The most that names and values of all headers take together, in bytes.
pub(super) const LARGEST_HEADERS: usize = 16 << 10;

/// What a page of this server may load and do. Scripts and styles come from the server alone, never from the page's text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A name or a number by which a server is asked, without a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Host {
    /// Labels of letters, digits, `-` and `_` with dots between them, in lower case.
    Name(String),
    /// An address, version 6 in brackets.
    Number(IpAddr),
}

/// A text that is no name of a host.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {}, expected the name of a host without a port, such as kpe.example, 192.168.1.7 or [fd00::7]", quoted(.0))]
pub struct HostError(String);

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let in_brackets = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let number = match in_brackets {
            Some(text) => text.parse().map(IpAddr::V6).ok(),
            None => text.parse().map(IpAddr::V4).ok(),
        };
        let label = |label: &str| {
            let letters = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
            letters && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
        };
        // A name of digits alone at its end would be taken for a number.
        let is_name = || {
            let digits = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
            text.len() <= 253 && text.split('.').all(label) && !text.rsplit('.').next().is_some_and(digits)
        };
        match number {
            Some(number) => Ok(Self::Number(number)),
            None if is_name() => Ok(Self::Name(text.to_ascii_lowercase())),
            None => Err(HostError(text.to_owned())),
        }
    }
}

impl Host {
    /// The same host in the way it is compared: an address of version 4 is the same when it is written in version 6.
    fn plain(self) -> Self {
        match self {
            Self::Number(number) => Self::Number(number.to_canonical()),
            name => name,
        }
    }
}

/// The names this server answers to.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// Names and numbers besides `localhost`.
    names: Vec<Host>,
    /// The address it listens at.
    address: IpAddr,
}

impl Hosts {
    /// The hosts of a server that listens at `address`, with more names.
    pub(super) fn new(address: SocketAddr, names: &[Host]) -> Self {
        Self { names: names.iter().cloned().map(Host::plain).collect(), address: address.ip().to_canonical() }
    }

    /// Whether a request may be for this host.
    ///
    /// A page of another site can make its own *name* mean this machine, but not a number. So numbers are welcome: this
    /// machine's own if the server listens there alone, else any. Ports do not matter; they may be forwarded.
    fn allows(&self, authority: &str) -> bool {
        match host_of(authority).map(Host::plain) {
            Some(Host::Number(number)) => {
                let given = || self.names.contains(&Host::Number(number));
                number.is_loopback() || number == self.address || !self.address.is_loopback() || given()
            }
            Some(Host::Name(name)) => name == "localhost" || self.names.contains(&Host::Name(name)),
            None => false,
        }
    }
}

/// The host of a `Host` header; `None` if it is none, names a user, or has a port that is none.
fn host_of(authority: &str) -> Option<Host> {
    let whole = authority.parse::<Authority>().ok()?;
    let port = authority.strip_prefix(whole.host())?;
    let port = if port.is_empty() { "0" } else { port.strip_prefix(':')? };
    port.parse::<u16>().ok().filter(|_| port.bytes().all(|byte| byte.is_ascii_digit()))?;
    // A dot behind a name says that it is the whole name.
    let host = whole.host();
    match host.strip_suffix('.').unwrap_or(host).parse().ok()? {
        Host::Number(_) if host.ends_with('.') => None,
        host => Some(host),
    }
}

/// Answers a request if it is one to be answered.
pub(super) async fn watch(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (is_api, takes_body) = (request.uri().path().starts_with("/api/"), body::is_welcome(request.uri()));
    let mut response = match check(&shared.hosts, &request) {
        Ok(()) if request.method() == Method::POST => match body::unpacked(request).await {
            Ok(request) => next.run(request).await,
            Err(problem) => problem.into_response(),
        },
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    if takes_body && response.status() == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
    }
    secure(response.headers_mut(), is_api);
    response
}

fn check(hosts: &Hosts, request: &Request) -> Result<(), Problem> {
    let (uri, headers) = (request.uri(), request.headers());
    check_size(uri, headers)?;
    check_host(hosts, uri, headers)?;
    check_site(uri, headers)?;
    match *request.method() {
        Method::GET | Method::HEAD => {}
        Method::POST if body::is_welcome(uri) => {
            body::check_length(headers)?;
            return check_origin(hosts, headers);
        }
        ref other => {
            let expected = if body::is_welcome(uri) { "GET, HEAD or POST" } else { "GET or HEAD" };
            let detail = format!("found {}, expected {expected}", short(other.as_str()));
            return Err(Problem::new(Kind::Method, detail));
        }
    }
    let length = headers.get(CONTENT_LENGTH);
    // Hyper lets no length pass that is none.
    let some = |length: &HeaderValue| length.to_str().is_ok_and(|length| length.parse() != Ok(0u64));
    if headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(some) {
        return Err(Problem::new(Kind::Body, "found a body, expected a request without one"));
    }
    Ok(())
}

/// A browser says which page sends a body, also an old one that does not say which site makes a request.
fn check_origin(hosts: &Hosts, headers: &HeaderMap) -> Result<(), Problem> {
    let is_own = |origin: &HeaderValue| {
        let host = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        host.is_some_and(|(_, host)| hosts.allows(host))
    };
    match headers.get_all(ORIGIN).iter().all(is_own) {
        true => Ok(()),
        false => Err(Problem::new(Kind::CrossSite, "expected a request of this server's own page")),
    }
}

fn check_size(uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let length = uri.path_and_query().map_or(0, |path| path.as_str().len());
    if length > LONGEST_URL {
        let detail = format!("found an address of {length} bytes, expected at most {LONGEST_URL}");
        return Err(Problem::new(Kind::LongUrl, detail));
    }
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > LARGEST_HEADERS {
        let detail = format!("found headers of {size} bytes, expected at most {LARGEST_HEADERS}");
        return Err(Problem::new(Kind::LargeHead, detail));
    }
    Ok(())
}

fn check_host(hosts: &Hosts, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let mut given = headers.get_all(HOST).iter();
    let (Some(host), None) = (given.next(), given.next()) else {
        return Err(Problem::new(Kind::Malformed, "expected one Host header"));
    };
    let host = String::from_utf8_lossy(host.as_bytes());
    let named = [Some(&*host), uri.authority().map(Authority::as_str)];
    match named.into_iter().flatten().find(|host| !hosts.allows(host)) {
        None => Ok(()),
        Some(host) => {
            let detail =
                format!("this server is not {}; whoever runs it can allow that name with --host", quoted(host));
            Err(Problem::new(Kind::Host, detail))
        }
    }
}

/// The browser says which site makes a request: none but this server's own pages have use for the answers, while pages of
/// others could keep the machine busy.
fn check_site(uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let foreign = matches!(site, Some("cross-site" | "same-site"));
    let opened = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if foreign && (uri.path().starts_with("/api/") || !opened) {
        return Err(Problem::new(Kind::CrossSite, "expected a request of this server's own page"));
    }
    Ok(())
}

fn secure(headers: &mut HeaderMap, is_api: bool) {
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let same_origin = HeaderValue::from_static("same-origin");
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), same_origin.clone());
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), same_origin);
    if is_api || !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// An answer to what was no request at all, as bytes.
pub(super) fn written(problem: &Problem) -> Vec<u8> {
    let (status, text) = problem.document();
    let mut headers = HeaderMap::new();
    headers.insert(axum::http::header::CONTENT_TYPE, super::problem::CONTENT);
    secure(&mut headers, true);
    let mut bytes =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n", text.len()).into_bytes();
    for (name, value) in &headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_are_allowed() {
        let local =
            Hosts::new("127.0.0.1:80".parse().unwrap(), &["Kpe.Example".parse().unwrap(), "10.1.2.3".parse().unwrap()]);
        for host in [
            "localhost",
            "LOCALHOST:4848",
            "localhost.",
            "Localhost.:4848",
            "127.0.0.1:1",
            "[::1]:80",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]:80",
            "[::ffff:10.1.2.3]:80",
            "kpe.example",
            "kpe.example.:80",
            "KPE.example:99",
            "10.1.2.3:80",
        ] {
            assert!(local.allows(host), "{host}");
        }
        for host in [
            "",
            ".",
            "evil.example",
            "localhost.evil.example",
            "localhost..",
            "127.0.0.1.",
            "192.168.1.7",
            "[::ffff:192.168.1.7]",
            "0.0.0.0",
            "a b",
            ":80",
        ] {
            assert!(!local.allows(host), "{host}");
        }
        let mapped = Hosts::new("[::ffff:10.1.2.4]:80".parse().unwrap(), &[]);
        assert!(mapped.allows("10.1.2.4:80"));
        for host in [
            "evil@localhost",
            "evil:pass@127.0.0.1:80",
            "localhost:x",
            "localhost:99999",
            "localhost:+80",
            "localhost:",
            "[127.0.0.1]",
            "::1",
            "[::1",
            "[::1%25lo]",
            "localhost/",
            "localhost#",
            "127.1",
            "0x7f000001",
            "2130706433",
        ] {
            assert!(!local.allows(host), "{host}");
        }
        let open = Hosts::new("0.0.0.0:80".parse().unwrap(), &[]);
        assert!(open.allows("192.168.1.7:80") && open.allows("localhost") && !open.allows("evil.example"));
    }

    #[test]
    fn names_of_hosts_are_read_or_refused() {
        for name in
            ["kpe", "kpe.example", "my_box.local", "xn--bcher-kva.example", "10.0.0.1", "[fd00::7]", "1.example"]
        {
            assert!(name.parse::<Host>().is_ok(), "{name}");
        }
        let long = format!("{}.example", "a".repeat(64));
        for name in [
            "",
            ".",
            "a..b",
            "kpe.example.",
            "kpe.example:80",
            "https://kpe.example",
            "kpe.example/",
            "*.example",
            "-a",
            "a b",
            "u@kpe.example",
            "bücher.example",
            "fd00::7",
            "[10.0.0.1]",
            "1.2.3",
            "\u{1b}",
            &long,
        ] {
            assert!(name.parse::<Host>().is_err(), "{name}");
        }
    }
}
