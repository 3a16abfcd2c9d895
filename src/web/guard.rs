//! What every request must be before it is answered, and what every answer says of itself.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, TRANSFER_ENCODING,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::{Kind, Problem};
use super::server::Shared;

/// The longest address, path and parameters together, in bytes.
pub(super) const LONGEST_URL: usize = 16 << 10;
/// The most that names and values of all headers take together, in bytes.
pub(super) const LARGEST_HEADERS: usize = 16 << 10;

/// What a page of this server may load and do. Scripts and styles come from the server alone, never from the page's text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The names this server answers to.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// Names besides `localhost`, in lower case.
    names: Vec<String>,
    /// The address it listens at.
    address: IpAddr,
}

impl Hosts {
    /// The hosts of a server that listens at `address`, with more names.
    pub(super) fn new(address: SocketAddr, names: &[String]) -> Self {
        Self { names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), address: address.ip() }
    }

    /// Whether a request may be for this host.
    ///
    /// A page of another site can make its own *name* mean this machine, but not a number. So numbers are welcome: this
    /// machine's own if the server listens there alone, else any. Ports do not matter; they may be forwarded.
    fn allows(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        let host = authority.host().to_ascii_lowercase();
        let number = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
        match number.parse::<IpAddr>() {
            Ok(number) => number.is_loopback() || number == self.address || !self.address.is_loopback(),
            Err(_) => host == "localhost" || self.names.contains(&host),
        }
    }
}

/// Answers a request if it is one to be answered.
pub(super) async fn watch(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match check(&shared.hosts, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    secure(response.headers_mut(), is_api);
    response
}

fn check(hosts: &Hosts, request: &Request) -> Result<(), Problem> {
    let (uri, headers) = (request.uri(), request.headers());
    check_size(uri, headers)?;
    check_host(hosts, uri, headers)?;
    if *request.method() != Method::GET && *request.method() != Method::HEAD {
        return Err(Problem::new(Kind::Method, format!("found {}, expected GET or HEAD", request.method())));
    }
    let length = headers.get(CONTENT_LENGTH);
    if headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|length| length != "0") {
        return Err(Problem::new(Kind::Body, "found a body, expected a request without one"));
    }
    check_site(uri, headers)
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
    let host = host.to_str().unwrap_or_default();
    let named = [Some(host), uri.authority().map(Authority::as_str)];
    match named.into_iter().flatten().find(|host| !hosts.allows(host)) {
        None => Ok(()),
        Some(host) => {
            let host: String = host.chars().take(80).collect();
            let detail = format!("this server is not {host:?}; whoever runs it can allow that name with --host");
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
        let local = Hosts::new("127.0.0.1:80".parse().unwrap(), &["Kpe.Example".to_owned()]);
        for host in ["localhost", "LOCALHOST:4848", "127.0.0.1:1", "[::1]:80", "kpe.example", "KPE.example:99"] {
            assert!(local.allows(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example", "192.168.1.7", "0.0.0.0", "a b", "kpe.example.", ":80"]
        {
            assert!(!local.allows(host), "{host}");
        }
        let open = Hosts::new("0.0.0.0:80".parse().unwrap(), &[]);
        assert!(open.allows("192.168.1.7:80") && open.allows("localhost") && !open.allows("evil.example"));
    }
}
