//! Documents that the program reads back are foreign: whatever they say, a command ends with a status that is documented, says why,
//! never panics, and takes no more memory than a limit allows.

use std::path::Path;

use crate::{copied, file, kpe, ran};

/// A sound verdict on a whole set.
const VERDICT: &str = concat!(
    r#"{"schema":"kpe.verify/1","game":"kpe","options":"origin=skip,unlock=same,feed=remains","sound":true,"#,
    r#""shard":[1,1],"sample":null,"files":7,"positions":10,"fingerprint":"0123456789abcdef","faults":[],"damaged":[]}"#
);
/// What is put in the place of each value.
const VALUES: [&str; 16] = [
    "18446744073709551615",
    "18446744073709551616",
    "100000000000",
    "-1",
    "1e308",
    "0",
    "0.5",
    "null",
    "true",
    "\"\"",
    "\"../../etc/passwd\"",
    "\"/etc/passwd\"",
    "\"\\u0000\\u001b[2J\"",
    "[]",
    "{}",
    "[[[[[[[[1]]]]]]]]",
];

/// The document with each of its values exchanged for each of [`VALUES`], and cut, doubled, nested, made long.
fn mutations(document: &str) -> Vec<String> {
    let tree: serde_json::Value = serde_json::from_str(document).unwrap();
    let mut found = Vec::new();
    let mut places = Vec::new();
    collect(&tree, &mut String::new(), &mut places);
    for place in places {
        for value in VALUES {
            let mut changed = tree.clone();
            // A number out of range stands in no tree, so it is put in as text.
            *changed.pointer_mut(&place).unwrap() = "@@".into();
            found.push(changed.to_string().replace("\"@@\"", value));
        }
    }
    let deep = "[".repeat(200_000);
    let long = format!("\"{}\"", "x".repeat(1 << 20));
    found.extend([deep, long, document[..document.len() / 2].to_owned(), document.repeat(2), String::new()]);
    found
}

/// The places of all values, as JSON pointers; of a list the first element alone.
fn collect(tree: &serde_json::Value, at: &mut String, places: &mut Vec<String>) {
    places.push(at.clone());
    let length = at.len();
    match tree {
        serde_json::Value::Object(map) => map.iter().for_each(|(name, value)| {
            *at += &format!("/{name}");
            collect(value, at, places);
            at.truncate(length);
        }),
        serde_json::Value::Array(list) => list.iter().take(2).enumerate().for_each(|(number, value)| {
            *at += &format!("/{number}");
            collect(value, at, places);
            at.truncate(length);
        }),
        _ => {}
    }
}

/// Runs in 2 GiB of address space; the status, and all that was said.
#[track_caller]
fn bounded(args: &[&str], last: &Path, document: &str) -> (i32, String) {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 2097152; exec \"$0\" \"$@\"", crate::KPE]).args(args).arg(last);
    let (status, out, err) = ran(command.env_remove("KPE_TABLES").env("HOME", "/nonexistent"));
    let start: String = document.chars().take(400).collect();
    assert!((0..=5).contains(&status), "status {status} for {start}\n{out}{err}");
    assert!(!err.contains("panicked") && !err.contains("refused"), "{start}\n{err}");
    assert!(!out.contains('\x1b') && !err.contains('\x1b'), "{start}");
    (status, out + &err)
}

#[test]
fn hostile_verdicts_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("verdict.json");
    for document in mutations(VERDICT) {
        std::fs::write(&path, &document).unwrap();
        bounded(&["tables", "verify", "--merge"], &path, &document);
    }
    let changed = |from: &str, to: &str| {
        assert!(VERDICT.contains(from));
        VERDICT.replace(from, to)
    };
    let two = |number: u8| changed("[1,1]", &format!("[{number},2]"));
    for (document, told) in [
        (changed("[1,1]", "[1,18446744073709551615]"), "expected [I,K] with 1 <= I <= K <= 10000"),
        (changed("[1,1]", "[1,100000000000]"), "expected [I,K] with 1 <= I <= K <= 10000"),
        (changed("\"damaged\":[]", "\"damaged\":[\"n04.kpt\"]"), "\"sound\": true beside 0 faults and 1 damaged"),
        (changed("true", "false"), "\"sound\": false beside 0 faults"),
        (changed("\"0123456789abcdef\"", "null"), "no fingerprint"),
        ((two(1) + "\n" + &two(2)).replace("\"positions\":10", "\"positions\":18446744073709551615"), "can be counted"),
    ] {
        std::fs::write(&path, &document).unwrap();
        let (status, said) = bounded(&["tables", "verify", "--merge"], &path, &document);
        assert!(status == 2 && said.contains(told), "{document}: {status} {said}");
    }
    std::fs::write(&path, VERDICT).unwrap();
    let (status, said) = bounded(&["tables", "verify", "--merge"], &path, VERDICT);
    assert!(status == 0 && said.ends_with("no fault\n"), "{said}");
    // Many different texts take no time that grows with the square of their number.
    let many: Vec<String> = (0..300_000).map(|number| format!("\"{number}\"")).collect();
    let document = changed("\"damaged\":[]", &format!("\"damaged\":[{}]", many.join(","))).replace("true", "false");
    std::fs::write(&path, &document).unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(bounded(&["tables", "verify", "--merge"], &path, "many").0, 4);
    assert!(begun.elapsed().as_secs() < 60);
}

#[test]
fn hostile_manifests_are_refused() {
    let root = copied();
    let path = file(root.path(), "manifest.json");
    let sound = std::fs::read_to_string(&path).unwrap();
    let mut tree: serde_json::Value = serde_json::from_str(&sound).unwrap();
    tree["files"].as_array_mut().unwrap().truncate(2);
    for document in mutations(&tree.to_string()) {
        std::fs::write(&path, &document).unwrap();
        let (status, said) = bounded(&["tables", "verify", "--sample", "1", "--tables"], root.path(), &document);
        assert!(matches!(status, 3 | 4), "{status} for {document}: {said}");
    }
    for name in ["../../etc/passwd", "/etc/passwd", "..", "sub/n04.kpt", "n04.KPT", "n04_-_-.kpt", ".lock"] {
        let document = sound.replacen("n00.kpt", name, 1);
        assert_ne!(document, sound);
        std::fs::write(&path, &document).unwrap();
        let (status, said) = bounded(&["tables", "verify", "--tables"], root.path(), &document);
        let told = "manifest.json: damaged table: name of a file is";
        assert!(status == 4 && said.contains(told) && !said.contains("passwd: "), "{name}: {said}");
    }
}

#[test]
fn wrong_sums_are_found() {
    let root = copied();
    let path = file(root.path(), "SHA256SUMS");
    let sound = std::fs::read_to_string(&path).unwrap();
    let (status, said) = bounded(&["tables", "verify", "--tables"], root.path(), &sound);
    assert_eq!(status, 0, "{said}");
    let first = sound.lines().next().unwrap();
    let flipped = format!("{}{}", if first.starts_with('0') { '1' } else { '0' }, &first[1..]);
    let last = sound.lines().last().unwrap();
    assert!(last.ends_with("  manifest.json"));
    let zeros = "0".repeat(64);
    for document in [
        sound.replacen(first, &flipped, 1),
        sound.replacen(&format!("{first}\n"), "", 1),
        sound.replacen(&last[..64], &zeros, 1),
        format!("{sound}{zeros}  ../../etc/passwd\n"),
        format!("{sound}{zeros}  /etc/passwd\n"),
        format!("{sound}{first}\n"),
        format!("{sound}{zeros}  n48.kpt\n"),
        "\u{1b}[2J".to_owned(),
        "x".repeat(1 << 20),
        String::new(),
    ] {
        std::fs::write(&path, &document).unwrap();
        let (status, said) = bounded(&["tables", "verify", "--tables"], root.path(), &document);
        assert!(matches!(status, 3 | 4) && said.ends_with("NOT SOUND\n"), "{document:.300}: {said}");
        assert!(!said.contains("passwd: "), "{said}");
    }
    // The lists are not needed: who removes one is not told of damage.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(bounded(&["tables", "verify", "--tables"], root.path(), "").0, 0);
}

#[test]
fn hostile_pages_of_digests_are_refused() {
    let root = copied();
    let (status, page, err) = ran(kpe(["tables", "digests", "--tables"]).arg(root.path()));
    assert_eq!(status, 0, "{err}");
    let path = root.path().join("page.md");
    let row = page.lines().find(|line| line.starts_with("| `n08.kpt`")).unwrap();
    let cells: Vec<&str> = row.split('|').collect();
    let huge = "9".repeat(1 << 20);
    let mut pages = vec!["|".repeat(1 << 20), page.repeat(2), huge.clone()];
    for at in 1..cells.len() - 1 {
        for value in ["18446744073709551615", "18446744073709551616", "-1", "", "../../etc/passwd", "\u{1b}[2J", &huge]
        {
            let mut changed = cells.clone();
            changed[at] = value;
            pages.push(page.replace(row, &changed.join("|")));
        }
    }
    for document in pages {
        std::fs::write(&path, &document).unwrap();
        let args = ["tables", "digests", "--compare", path.to_str().unwrap(), "--tables"];
        let (status, said) = bounded(&args, root.path(), &document);
        assert!(matches!(status, 1 | 2), "{status} {said:.300}");
    }
}

#[test]
fn hostile_records_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("game.kpg");
    let start = "[Game \"kpe\"]\n[Start \"0-0-0-1-1-0-0-0-23-23-S\"]\n";
    for document in [
        start.replace("23-23", "18446744073709551615-23"),
        start.replace("23-23", "255-255"),
        format!("{start}18446744073709551616. Dx2 *"),
        format!("{start}1. Dx18446744073709551615 *"),
        format!("{start}1. Dx2 $18446744073709551615 *"),
        format!("{start}{}", "(".repeat(200_000)),
        format!("{start}{}", "{".repeat(200_000)),
        format!("[South \"{}", "\\\"".repeat(200_000)),
        format!("[Result \"{}\"]", "9".repeat(1 << 20)),
        "\u{1b}[2J".to_owned(),
        "\0".repeat(1000),
        String::new(),
    ] {
        std::fs::write(&path, &document).unwrap();
        let (status, said) = bounded(&["annotate", "--time", "1ms", "--threads", "1"], &path, &document);
        assert!(matches!(status, 0 | 2), "{status} {said:.300}");
    }
}
