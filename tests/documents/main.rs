//! What the documents say is so: every command of them runs and prints what is shown, files and links are there, and exact
//! figures are those of the data. What cannot be run here stands in one list with what covers it, and nowhere else; a new
//! command fails until it runs or is listed.

mod commands;
mod extract;
mod figures;

use std::fs;
use std::path::{Path, PathBuf};

use extract::{files, links};

/// Every document of the repository.
const DOCUMENTS: [&str; 11] = [
    "README.md",
    "RULES.md",
    "CONTRIBUTING.md",
    "API.md",
    "PROTOCOL.md",
    "RECORDS.md",
    "CHANGELOG.md",
    "tables/README.md",
    "tables/TOOLS.md",
    "tables/DIGESTS.md",
    "tables/DIGESTS-gore.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_document_is_known() {
    let in_directory = |directory: &str| {
        let names = fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().file_name());
        let names: Vec<String> = names.map(|name| format!("{directory}{}", name.to_str().unwrap())).collect();
        names.into_iter().filter(|name| name.ends_with(".md"))
    };
    for name in in_directory("").chain(in_directory("tables/")) {
        assert!(DOCUMENTS.contains(&name.as_str()), "{name} is not in the list of documents");
    }
}

#[test]
fn links_and_files_are_there() {
    let mut seen = 0;
    for name in DOCUMENTS {
        let text = read(name);
        let beside = root().join(name).parent().map(PathBuf::from).unwrap_or_default();
        for link in links(&text) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(beside.join(file).exists(), "{name} links to {link}");
            seen += 1;
        }
        for file in files(&text) {
            assert!(beside.join(&file).exists() || root().join(&file).exists(), "{name} names {file}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}
