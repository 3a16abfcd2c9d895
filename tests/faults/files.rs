//! Files that are others than they should be: of other rules, of a later format, of another layer, of half another set.

use std::path::Path;

use kpe::table::testing::seal_as;

use crate::{SET, builder, copied, file, files, kpe, ran};

/// The other set of [`crate::small`].
const OTHER: &str = "kpe-sow-same-remains";
/// A position of 10 stones and one of 12, without unsown pits.
const TEN: &str = "0-0-0-0-0-0-5-5-19-19-N";
const TWELVE: &str = "0-0-0-0-0-0-6-6-18-18-N";

/// Asserts that every command that needs the set's `n10.kpt` ends with `status`, gives no value and says all of `told`, and that a
/// build leaves every file as it is.
#[track_caller]
fn assert_refused(root: &Path, status: i32, told: &[&str]) {
    let before = files(root);
    for args in [
        &["tables", "probe", TEN][..],
        &["best", TEN],
        &["best", "--nodes", "2000", "0-0-1-1-1-1-4-4-18-18-N"],
        &["tables", "info"],
        &["tables", "stats", "n10"],
        &["tables", "export", "n10"],
        &["tables", "digests"],
        &["tables", "build", "--stones", "14"],
        &["tables", "build", "--stones", "12"],
    ] {
        let (found, out, err) = ran(kpe(args).arg("--tables").arg(root));
        assert_eq!((found, out.as_str()), (status, ""), "{args:?}: {err}");
        assert!(told.iter().all(|told| err.contains(told)), "{args:?}: {err}");
        assert!(files(root) == before, "{args:?} changed a file");
    }
    for args in [&["tables", "verify"][..], &["tables", "verify", "--sample", "5000"]] {
        let (found, out, err) = ran(kpe(args).arg("--tables").arg(root));
        // The manifest may know the file by another length as well, which is damage.
        assert!(found == status || found == 4, "{args:?}: {out}{err}");
        assert!(told.iter().all(|told| out.contains(told)) && out.ends_with("NOT SOUND\n"), "{args:?}: {out}");
    }
    // What does not rest on the file is known, also in the same batch.
    let mut batch = assert_cmd::Command::from_std(kpe(["tables", "probe", "-"]));
    let output = batch.arg("--tables").arg(root).write_stdin(format!("{TWELVE}\n{TEN}\n{TWELVE}\n")).output().unwrap();
    let lines: Vec<serde_json::Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), lines[0]["value"].is_i64(), &lines[0]), (3, true, &lines[2]));
    assert!(told.iter().all(|told| lines[1]["error"].as_str().unwrap().contains(told)), "{}", lines[1]);
}

#[test]
fn a_file_of_other_rules_is_refused() {
    let root = copied();
    std::fs::copy(root.path().join(OTHER).join("n10.kpt"), file(root.path(), "n10.kpt")).unwrap();
    let found = "n10.kpt: tables of other rules: found kpe with origin=sow,unlock=same,feed=remains";
    let advice = "build a set for these rules or name another directory";
    assert_refused(root.path(), 3, &[found, "expected kpe with origin=skip,unlock=same,feed=remains", advice]);
}

#[test]
fn a_file_of_a_later_format_is_refused() {
    let root = copied();
    let path = file(root.path(), "n10.kpt");
    let mut bytes = std::fs::read(&path).unwrap();
    seal_as(&mut bytes, 2);
    std::fs::write(&path, bytes).unwrap();
    let found = "n10.kpt: made by a newer program: found format 2, this one reads format 1";
    assert_refused(root.path(), 3, &[found, "update kpe or build the tables again"]);
    // Not sealed, it is damage.
    let root = copied();
    let path = file(root.path(), "n10.kpt");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8] = 2;
    std::fs::write(&path, bytes).unwrap();
    assert_refused(root.path(), 4, &["n10.kpt: damaged table", "remove the file and build it again"]);
}

#[test]
fn a_manifest_of_a_later_format_is_refused() {
    let root = copied();
    let path = file(root.path(), "manifest.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let (status, _, err) = ran(&mut builder(root.path(), "14"));
    assert!(
        status == 3 && err.contains("manifest.json: made by a newer program: found kpe-tables-1 of format 2"),
        "{err}"
    );
    let (status, out, _) = ran(kpe(["tables", "verify", "--tables"]).arg(root.path()));
    assert!(status == 3 && out.contains("made by a newer program") && out.ends_with("NOT SOUND\n"), "{out}");
}

#[test]
fn files_exchanged_among_layers_are_refused() {
    let root = copied();
    let [ten, twelve, other] = ["n10.kpt", "n12.kpt", "x"].map(|name| file(root.path(), name));
    for (from, to) in [(&ten, &other), (&twelve, &ten), (&other, &twelve)] {
        std::fs::rename(from, to).unwrap();
    }
    for (position, told) in [(TEN, "layer is n12, expected n10"), (TWELVE, "layer is n10, expected n12")] {
        for command in [&["tables", "probe"][..], &["best"]] {
            let (status, out, err) = ran(kpe(command).arg(position).arg("--tables").arg(root.path()));
            assert_eq!((status, out.as_str()), (4, ""), "{err}");
            assert!(err.contains(told), "{err}");
        }
    }
    let (status, out, _) = ran(kpe(["tables", "verify", "--tables"]).arg(root.path()));
    assert!(status == 4 && out.contains("n10.kpt: damaged") && out.contains("n12.kpt: damaged"), "{out}");
}

/// Each file of the second half of a directory is one of the other rules, the lists are those of the first.
#[test]
fn a_directory_that_is_half_another_set_is_refused() {
    let root = copied();
    let names: Vec<String> = files(root.path()).into_keys().filter(|name| name.ends_with(".kpt")).collect();
    let foreign = &names[names.len() / 2..];
    for name in foreign {
        std::fs::copy(root.path().join(OTHER).join(name), file(root.path(), name)).unwrap();
    }
    let before = files(root.path());
    let (status, out, _) = ran(kpe(["tables", "verify", "--tables"]).arg(root.path()));
    assert_eq!(status, 4, "lengths differ from the manifest as well: {out}");
    for name in foreign {
        assert!(out.contains(&format!("{name}: tables of other rules")), "{name}: {out}");
    }
    for stones in ["12", "14"] {
        let (status, _, err) = ran(&mut builder(root.path(), stones));
        assert!(status == 3 && err.contains("tables of other rules"), "{err}");
        assert!(files(root.path()) == before);
    }
    // With the other set's lists as well it is that set, with files that are not its own.
    for list in ["manifest.json", "SHA256SUMS"] {
        std::fs::copy(root.path().join(OTHER).join(list), file(root.path(), list)).unwrap();
    }
    let (status, _, err) = ran(&mut builder(root.path(), "12"));
    assert!(status == 3 && err.contains("manifest.json: tables of other rules"), "{err}");
}

/// A set of the same rules and layers in which one block comes from another sound file: right checksums, wrong place.
#[test]
fn a_file_of_another_size_is_no_part_of_the_set() {
    let root = copied();
    let path = file(root.path(), "n10.kpt");
    let sound = std::fs::read(&path).unwrap();
    for length in [0, 1, 31, 32, 100, sound.len() - 1] {
        std::fs::write(&path, &sound[..length]).unwrap();
        assert_refused(root.path(), 4, &["n10.kpt: damaged table: length is", "remove the file and build it again"]);
    }
    // The advice helps.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ran(&mut builder(root.path(), "12")).0, 0);
    assert_eq!(std::fs::read(&path).unwrap(), sound);
    assert!(root.path().join(SET).join("manifest.json").exists());
}
