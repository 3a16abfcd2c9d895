//! The shape of the code that the compiler does not hold: what the crates below stand on, and that this one imports an
//! outside package only through its door. Files are read as text: what counts is where `NAME::` stands outside comments and tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Packages of the trade, used wherever they help.
const EVERYWHERE: [&str; 8] =
    ["hashbrown", "kpe_core", "kpe_solve", "kpe_verify", "rayon", "serde", "serde_json", "thiserror"];

/// The other packages: where they may be imported, as beginnings of paths below `src`.
const DOORS: [(&str, &[&str]); 13] = [
    ("anyhow", &["cli/"]),
    ("axum", &["web/"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/manual.rs"]),
    ("clap_mangen", &["cli/manual.rs"]),
    ("hyper", &["web/listen.rs"]),
    ("hyper_util", &["web/listen.rs"]),
    ("indicatif", &["cli/progress.rs"]),
    ("chrono", &["cli/system.rs"]),
    ("percent_encoding", &["web/query.rs"]),
    // Locks and free space; the priority of a server's threads; the lock of a kept game.
    ("rustix", &["web/server.rs", "cli/play/kept.rs"]),
    ("signal_hook", &["cli/interrupt.rs"]),
    ("tokio", &["web/"]),
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
    found.retain(|name, _| !name.ends_with("/tests.rs"));
    assert!(found.len() > 80);
    found
}

fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| line.to_owned() + "\n").collect()
}

/// Whether a text names something of a package: `name::`, not as the end of a path or of a longer name.
fn imports(text: &str, package: &str) -> bool {
    let path = format!("{package}::");
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    text.match_indices(&path).any(|(at, _)| begins(at))
}

/// What may stand on what; the compiler holds that nothing else is imported.
#[test]
fn the_crates_stand_on_the_core_alone() {
    let crates = |name: &str, section: &str| -> Vec<String> {
        let manifest = fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).unwrap();
        let (_, section) = manifest.split_once(&format!("\n[{section}]\n")).unwrap();
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        lines.filter_map(|line| Some(line.split_once('.')?.0.to_owned())).collect()
    };
    let core = ["bincode", "bytemuck", "hashbrown", "rayon", "serde", "serde_json", "thiserror", "xxhash-rust"];
    assert_eq!(crates("core", "dependencies"), core);
    for name in ["solve", "verify"] {
        let ours: Vec<String> =
            crates(name, "dependencies").into_iter().filter(|name| name.starts_with("kpe")).collect();
        assert_eq!(ours, ["kpe-core"], "{name}");
    }
}

#[test]
fn every_package_has_its_door() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    let sources = sources();
    for line in dependencies.lines().filter_map(|line| line.split_once([' ', '.'])) {
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
    assert!(imports("use hyper::x;", "hyper") && imports("(hyper::x)", "hyper"));
    assert!(!imports("use hyper_util::x; web::hyper::x", "hyper"));
}

/// Files stay readable.
#[test]
fn files_are_short() {
    for directory in ["src", "crates", "tests", "benches", "examples", "scripts"] {
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
