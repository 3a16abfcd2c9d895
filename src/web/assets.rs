//! The page and what it loads, embedded in the program: no request reads a path of the file system.

use std::sync::LazyLock;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;

use crate::table::checksum_of_two;

/// A file of the page.
struct Asset {
    /// Where it is asked for.
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

/// `assets!["address" => "file below page/", …]`
macro_rules! assets {
    ($($path:literal => $file:literal),+ $(,)?) => {
        &[$(Asset { path: $path, content_type: content_type($file), bytes: include_bytes!(concat!("page/", $file)) }),+]
    };
}

/// Every file there is to ask for.
const ASSETS: &[Asset] = assets![
    "/" => "index.html",
    "/assets/favicon.svg" => "favicon.svg",
    "/assets/js/analysis.js" => "js/analysis.js",
    "/assets/js/api.js" => "js/api.js",
    "/assets/js/board.js" => "js/board.js",
    "/assets/js/curve.js" => "js/curve.js",
    "/assets/js/dom.js" => "js/dom.js",
    "/assets/js/i18n.js" => "js/i18n.js",
    "/assets/js/keys.js" => "js/keys.js",
    "/assets/js/main.js" => "js/main.js",
    "/assets/js/memory.js" => "js/memory.js",
    "/assets/js/moves.js" => "js/moves.js",
    "/assets/js/records.js" => "js/records.js",
    "/assets/js/rules.js" => "js/rules.js",
    "/assets/js/session.js" => "js/session.js",
    "/assets/js/settings.js" => "js/settings.js",
    "/assets/js/setup.js" => "js/setup.js",
    "/assets/js/sowing.js" => "js/sowing.js",
    "/assets/js/start.js" => "js/start.js",
    "/assets/js/state.js" => "js/state.js",
    "/assets/js/stones.js" => "js/stones.js",
    "/assets/js/table.js" => "js/table.js",
    "/assets/js/trade.js" => "js/trade.js",
    "/assets/js/words.js" => "js/words.js",
    "/assets/style.css" => "style.css",
    "/messages/bg.json" => "messages/bg.json",
    "/messages/bn.json" => "messages/bn.json",
    "/messages/de.json" => "messages/de.json",
    "/messages/en.json" => "messages/en.json",
    "/messages/fr.json" => "messages/fr.json",
    "/messages/pa.json" => "messages/pa.json",
    "/messages/pl.json" => "messages/pl.json",
];

/// The content type of a file, by the end of its name.
const fn content_type(file: &str) -> &'static str {
    const TYPES: [(&str, &str); 6] = [
        (".html", "text/html; charset=utf-8"),
        (".css", "text/css; charset=utf-8"),
        (".js", "text/javascript; charset=utf-8"),
        (".json", "application/json"),
        (".svg", "image/svg+xml"),
        (".webmanifest", "application/manifest+json"),
    ];
    let mut kind = 0;
    while kind < TYPES.len() {
        if ends_with(file.as_bytes(), TYPES[kind].0.as_bytes()) {
            return TYPES[kind].1;
        }
        kind += 1;
    }
    panic!("a file of the page whose content type is not known")
}

const fn ends_with(text: &[u8], end: &[u8]) -> bool {
    if text.len() < end.len() {
        return false;
    }
    let mut at = 0;
    while at < end.len() {
        if text[text.len() - end.len() + at] != end[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// A name for the contents of each file, in the order of [`ASSETS`].
static TAGS: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let tag = |asset: &Asset| format!("\"{:016x}\"", checksum_of_two(asset.bytes, b""));
    // Sixteen digits between quotes make a header.
    ASSETS.iter().map(|asset| HeaderValue::try_from(tag(asset)).unwrap_or(HeaderValue::from_static("\"0\""))).collect()
});

/// The file at this address; none if there is none. Whoever has it already is told so.
pub(super) fn find(path: &str, asked: &HeaderMap) -> Option<Response> {
    let number = ASSETS.iter().position(|asset| asset.path == path)?;
    let (asset, tag) = (&ASSETS[number], &TAGS[number]);
    // A star stands for whatever there is; weak and strong tags are compared alike (RFC 9110, 13.1.2).
    let is_tag = |text: &str| text.strip_prefix("W/").unwrap_or(text) == tag;
    let has = |list: &HeaderValue| {
        list.to_str().is_ok_and(|list| list.trim() == "*" || list.split(',').any(|text| is_tag(text.trim())))
    };
    let known = asked.get_all(IF_NONE_MATCH).iter().any(has);
    let body = if known { Body::empty() } else { Body::from(Bytes::from_static(asset.bytes)) };
    let mut response = Response::new(body);
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    headers.insert(ETAG, tag.clone());
    // Names stay the same from version to version, so the browser asks each time whether it has the right one.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn files(directory: &Path, found: &mut BTreeSet<Vec<u8>>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else {
                assert!(found.insert(std::fs::read(&path).unwrap()), "{} is there twice", path.display());
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let mut found = BTreeSet::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page"), &mut found);
        let served = ASSETS.iter().map(|asset| asset.bytes.to_vec()).collect::<BTreeSet<_>>();
        // The bytes themselves would be no help to read.
        assert!(served == found, "a file below src/web/page is not in ASSETS, or was changed after the build");
        assert_eq!(ASSETS.iter().map(|asset| asset.path).collect::<BTreeSet<_>>().len(), ASSETS.len());
    }
}
