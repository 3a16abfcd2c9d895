//! `kpe tables digests` and `scripts/reproduce`.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use super::{Built, text};

/// The digests of the set up to twelve stones, committed so that no format changes unseen. After a change of the format:
/// `kpe tables build --stones 12 --tables DIR && kpe tables digests --stones 12 --tables DIR > tests/expected/digests-12.md`.
const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expected/digests-12.md");

#[test]
fn a_page_is_written_and_compared() {
    let built = Built::new(8);
    let page = text(&built.tables(&["digests"]), 0);
    assert!(page.contains("| `n08.kpt` |") && page.contains("13 files, "), "{page}");
    let path = built.root.path().join("DIGESTS.md");
    fs::write(&path, &page).unwrap();
    let compare = |status| text(&built.tables(&["digests", "--compare", path.to_str().unwrap()]), status);
    assert_eq!(compare(0), "13 files, all as expected\n");

    // A file that was changed or lost, and a page that was.
    fs::remove_file(built.directory().join("n04.kpt")).unwrap();
    assert!(compare(1).starts_with("n04.kpt: missing\n"));
    fs::write(&path, page.replace("| `n06.kpt` | ", "| `n06.kpt` | 1")).unwrap();
    let said = compare(1);
    assert!(said.contains("n06.kpt: found") && said.ends_with("2 of 13 files differ\n"), "{said}");
    fs::write(&path, page.replace("| `n06.kpt` |", "| `n06.kpt` | x |")).unwrap();
    compare(2);
    fs::write(&path, "nothing").unwrap();
    compare(2);
}

#[test]
fn a_damaged_file_is_not_digested() {
    let built = Built::new(8);
    let path = built.directory().join("n08.kpt");
    let sound = fs::read(&path).unwrap();
    // In the last block, in the table of blocks, in the head; then cut, and under another name.
    for at in [sound.len() - 1, sound.len() / 2, 100] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).unwrap();
        let said = built.tables(&["digests"]);
        assert_eq!(text(&said, 4), "", "byte {at}");
        let told = String::from_utf8(said.stderr).unwrap();
        assert!(told.contains("n08.kpt: damaged table") && told.contains("build it again"), "{told}");
    }
    fs::write(&path, &sound[..sound.len() - 1]).unwrap();
    text(&built.tables(&["digests"]), 4);
    fs::copy(built.directory().join("n06.kpt"), &path).unwrap();
    text(&built.tables(&["digests"]), 4);
    fs::write(&path, &sound).unwrap();
    text(&built.tables(&["digests"]), 0);
}

fn reproduce(tables: &Path, digests: &Path) -> std::process::Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/reproduce");
    let mut command = Command::new(script);
    command.env("KPE", cargo_bin("kpe")).args(["--stones", "12", "--threads", "2"]);
    command.arg("--tables").arg(tables).arg("--digests").arg(digests).output().unwrap()
}

#[test]
fn a_small_set_is_reproduced_to_the_byte() {
    let root = tempfile::tempdir().unwrap();
    let said = text(&reproduce(root.path(), Path::new(EXPECTED)), 0);
    assert!(said.ends_with("files, all as expected\n"), "{said}");
    let changed = root.path().join("other.md");
    fs::write(&changed, fs::read_to_string(EXPECTED).unwrap().replacen("| `n10.kpt` | ", "| `n10.kpt` | 9", 1))
        .unwrap();
    assert!(text(&reproduce(root.path(), &changed), 1).contains("n10.kpt: found"));
    text(&reproduce(root.path(), &root.path().join("nowhere.md")), 2);
}
