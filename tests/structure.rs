//! The shape of the code: a module imports only modules to its left, an outside package only through its door.
//!
//! The order is that of the module map in the documentation of the crate (`src/lib.rs`), which is compared with it. Files are
//! read as text: what counts is where `crate::NAME` or `NAME::` stands outside comments and tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The modules of the library, each right of all it may import.
const ORDER: [&str; 30] = [
    "echo", "system", "board", "value", "index", "rules", "memory", "runs", "notation", "perft", "exact", "pack",
    "retro", "table", "build", "forward", "verify", "stats", "search", "opening", "engine", "record", "level",
    "player", "document", "bench", "annotate", "arena", "protocol", "web",
];

/// The one import against the order: a level judges an assessment, whose file (`player/assessment.rs`) imports no level.
const AGAINST_THE_ORDER: [(&str, &str); 1] = [("level.rs", "player")];

/// Packages of the trade, used wherever they help.
const EVERYWHERE: [&str; 6] = ["bytemuck", "hashbrown", "rayon", "serde", "serde_json", "thiserror"];

/// The other packages: where they may be imported, as beginnings of paths below `src`.
const DOORS: [(&str, &[&str]); 18] = [
    ("anyhow", &["cli/"]),
    ("axum", &["web/"]),
    ("bincode", &["table/metadata.rs"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/manual.rs"]),
    ("clap_mangen", &["cli/manual.rs"]),
    ("hyper", &["web/listen.rs"]),
    ("hyper_util", &["web/listen.rs"]),
    ("indicatif", &["cli/progress.rs"]),
    ("jiff", &["cli/system.rs"]),
    ("memmap2", &["memory.rs"]),
    ("percent_encoding", &["web/query.rs"]),
    // Locks and free space; standard output before the program begins; the priority of a server's threads.
    ("rustix", &["system/", "memory.rs", "table/builder.rs", "web/server.rs"]),
    ("sha2", &["table/digest.rs"]),
    ("signal_hook", &["cli/interrupt.rs"]),
    ("tempfile", &["system/files.rs"]),
    ("tokio", &["web/"]),
    ("xxhash_rust", &["table/checksum.rs"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `src` by its path there: its code without comments, and without its tests, which stand at its end.
fn sources() -> BTreeMap<String, String> {
    fn collect(directory: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root().join("src")).unwrap().to_str().unwrap().to_owned();
                found.insert(name, code(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(&root().join("src"), &mut found);
    // Files that are tests as a whole.
    found.retain(|name, _| !name.ends_with("/tests.rs") && !["rules/slow.rs", "rules/agreement.rs"].contains(&&**name));
    assert!(found.len() > 100);
    found
}

fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| line.to_owned() + "\n").collect()
}

/// The names that follow `before` in a text, not as the end of a longer name.
fn names_after<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()).collect()
}

/// Whether a text names something of a package: `name::`, not as the end of a path or of a longer name.
fn imports(text: &str, package: &str) -> bool {
    let path = format!("{package}::");
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    text.match_indices(&path).any(|(at, _)| begins(at))
}

/// The module a file belongs to.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

#[test]
fn modules_import_from_their_left() {
    let place = |module: &str| ORDER.iter().position(|&known| known == module);
    for (file, text) in sources().iter().filter(|(file, _)| !["main", "lib"].contains(&module(file))) {
        if module(file) == "cli" {
            assert!(!imports(text, "crate") || !names_after(text, "crate::").iter().any(|name| place(name).is_some()));
            continue;
        }
        let own = place(module(file)).unwrap_or_else(|| panic!("src/{file}: give its module a place in ORDER"));
        for name in names_after(text, "crate::") {
            let allowed = place(name).is_some_and(|place| place <= own);
            let named = AGAINST_THE_ORDER.contains(&(file.as_str(), name));
            assert!(allowed || named, "src/{file} imports {name}, which is not left of {}", module(file));
        }
    }
}

#[test]
fn the_module_map_of_the_documentation_has_this_order() {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `")?.split('`').next());
    let rows: Vec<&str> = rows.filter(|name| ORDER.contains(name)).collect();
    assert_eq!(rows, ORDER);
}

#[test]
fn every_package_has_its_door() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    let sources = sources();
    for line in dependencies.lines().filter_map(|line| line.split_once(" = ")) {
        let package = line.0.replace('-', "_");
        let users: Vec<&String> =
            sources.iter().filter(|(_, text)| imports(text, &package)).map(|file| file.0).collect();
        assert!(!users.is_empty(), "{package} is not used");
        if EVERYWHERE.contains(&&*package) {
            continue;
        }
        let door = DOORS.iter().find(|door| door.0 == package);
        let (_, doors) = door.unwrap_or_else(|| panic!("{package} has no door in tests/structure.rs"));
        for user in users {
            assert!(
                doors.iter().any(|door| user.starts_with(door)),
                "src/{user} imports {package}; its door is {doors:?}"
            );
        }
    }
}

#[test]
fn names_are_found_where_they_stand() {
    assert_eq!(names_after("use crate::board::{A}; crate::rules::x", "crate::"), ["board", "rules"]);
    assert!(imports("use hyper::x;", "hyper") && imports("(hyper::x)", "hyper"));
    assert!(!imports("use hyper_util::x; web::hyper::x", "hyper"));
}

/// Files stay readable.
#[test]
fn files_are_short() {
    for directory in ["src", "tests", "benches", "examples", "scripts"] {
        let mut directories = vec![root().join(directory)];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with("node_modules") {
                    directories.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let lines = fs::read_to_string(&path).unwrap().lines().count();
                    assert!(lines <= LONGEST_FILE, "{} has {lines} lines; divide it", path.display());
                }
            }
        }
    }
}

/// Lines of a file of Rust, its tests included.
const LONGEST_FILE: usize = 480;
