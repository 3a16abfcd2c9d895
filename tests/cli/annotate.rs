//! `kpe annotate`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::{batch, kpe, ran, run, scratch};

/// A game that the tables in the program know.
const GAME: &str = "\
[Start \"4-3-3-2-3-3-3-3-12-12-S\"]
[South \"Ama\"]
[North \"Koffi\"]
{The second game of the day.}
1. A b 2. C d 3. A {He thought about this one for a long time, while the tea went cold and his friends went home.} c
4. B d 5. D 0-1
[Termination \"x\"] *
";

fn annotated(args: &[&str], input: &str) -> (i32, Vec<serde_json::Value>) {
    batch(&[&["annotate", "-", "--json"], args].concat(), input)
}

#[test]
fn people_see_values_losses_and_the_better_move() {
    let shown = run(kpe(["annotate", "-"]).write_stdin(GAME.split("[Term").next().unwrap()));
    assert_eq!((shown.status, shown.err.as_str()), (0, ""));
    assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
    assert!(!shown.out.contains('\u{1b}'));
    insta::assert_snapshot!(shown.out);
}

#[test]
fn estimates_agree_within_a_row_and_are_marked() {
    let text = "1. C b 2. D! d 3. B c 4. A a!? 5. D $7 c 6. A b 7. B? d";
    let path = scratch("estimates.html");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let shown = run(kpe(["annotate", "-", "--html", path.to_str().unwrap()]).write_stdin(text));
    assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
    let rows: Vec<&str> = shown.out.lines().filter(|line| line.contains(" estimate ")).collect();
    let words = |row: &str| row.replace("turning point", "").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(rows.len() > 2, "{}", shown.out);
    assert!(rows.iter().all(|row| words(row).last().is_some_and(|lead| lead.starts_with('~'))), "{}", shown.out);
    assert!(shown.out.contains("\n           ~ is about: "), "{}", shown.out);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("<td>about +") || page.contains("<td>about -"), "{page}");
    for (told, cell) in [("D!", "D!"), ("a!?", "a!?"), ("Dx2 $7", "D $7"), ("B?", "B?")] {
        assert!(shown.out.contains(&format!(" {told} ")) && page.contains(&format!("<td>{cell}</td>")), "{told}");
    }
    // Where all is proven nothing is about.
    assert!(!run(kpe(["annotate", "-"]).write_stdin(GAME)).out.contains('~'));
}

#[test]
fn each_game_is_a_document() {
    let (status, games) = annotated(&["--time", "5ms"], GAME);
    assert_eq!((status, games.len()), (0, 2));
    let game = &games[0];
    assert_eq!(
        (&game["schema"], &game["result"], &game["exact"]),
        (&"kpe.annotate/1".into(), &"0-1".into(), &true.into())
    );
    assert_eq!(game["tags"], serde_json::json!({"South": "Ama", "North": "Koffi"}));
    let plies = game["plies"].as_array().unwrap();
    assert_eq!((plies.len(), game["leads"].as_array().unwrap().len()), (9, 10));
    for ply in plies {
        assert_eq!(ply["lost"], ply["best_value"].as_i64().unwrap() - ply["value"].as_i64().unwrap());
        // The same question, asked by itself.
        let best = crate::document(&["best", ply["position"].as_str().unwrap(), "--json"]);
        assert_eq!(best["value"], ply["best_value"]);
        let made = best["moves"].as_array().unwrap().iter().find(|m| m["move"] == ply["move"]).unwrap();
        assert_eq!((&made["value"], &made["captured"]), (&ply["value"], &ply["captured"]));
    }
    assert_eq!(games[1]["plies"], serde_json::json!([]));
}

#[test]
fn readme_describes_every_field() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let row = text.lines().find(|line| line.starts_with("| `kpe.annotate/1` |")).unwrap();
    let (_, games) = annotated(&[], GAME.split("[Term").next().unwrap());
    let game = &games[0];
    let inner = [game, &game["plies"][0], &game["players"][0]];
    for field in inner.into_iter().flat_map(|object| object.as_object().unwrap().keys()) {
        assert!(
            ["schema", "game", "options"].contains(&field.as_str()) || row.contains(&format!("`{field}`")),
            "{field}"
        );
    }
}

#[test]
fn the_page_is_written() {
    let path = scratch("annotated.html");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = path.to_str().unwrap();
    let (status, games) = annotated(&["--html", file, "--time", "5ms"], GAME);
    assert_eq!((status, games.len()), (0, 2));
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Ama (South) against Koffi (North)"));
    let refused = run(kpe(["annotate", "-", "--html", "/no/such/place"]).write_stdin("1. A"));
    assert!(refused.status == 5 && refused.err.contains("/no/such/place"), "{}", refused.err);
}

#[test]
fn a_wrong_record_is_shown_with_its_place() {
    let refused = |input: Vec<u8>| {
        let ended = run(kpe(["annotate", "-"]).write_stdin(input));
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
        ended.err
    };
    let told = refused(b"1. A a\n2. B X\n".to_vec());
    assert_eq!(
        told,
        "kpe: standard input: line 2, column 6: found \"X\", expected one of a, b, c, d\n\n  2. B X\n       ^\n"
    );
    assert!(refused(b"\x7fELF\x00\xff".to_vec()).contains("UTF-8"));
    assert!(refused(Vec::new()).contains("expected a game"));
    assert!(refused(vec![b' '; (16 << 20) + 1]).contains("larger than 16 MiB"));
    let missing = ran(&["annotate", "/no/such/file"]);
    assert!(missing.status == 5 && missing.err.contains("/no/such/file"), "{}", missing.err);
    assert_eq!(ran(&["annotate"]).status, 2);
}

#[test]
fn an_interrupt_ends_it() {
    let record = scratch("long.kpg");
    std::fs::create_dir_all(record.parent().unwrap()).unwrap();
    let known = "[Start \"0-0-0-1-1-0-0-0-23-23-S\"] D 1-0";
    std::fs::write(&record, format!("{known}\n[Game \"gore\"] 1. A a 2. B b 3. C c")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kpe"));
    command.arg("annotate").arg(&record).args(["--json", "--time", "600s"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The first game is told at once; the second takes long.
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("kpe.annotate/1"), "{first}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), told.as_str()), (Some(130), "kpe: interrupted\n"));
}

#[test]
fn contradictions_are_told_and_strange_signs_are_escaped() {
    let text = "[Start \"0-0-0-1-1-0-0-0-23-23-S\"][South \"A\u{202e}ma\"][Termination \"t\u{2028}ime\"] 1. D {x\u{2067}y} 1-0";
    let shown = run(kpe(["annotate", "-"]).write_stdin(text));
    let words = shown.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "A\\u{202e}ma (South)",
        "x\\u{2067}y",
        "Warning: The tag Termination says \"t",
        "but the moves end the game by rules.",
    ] {
        assert!(words.contains(part), "{part} in {}", shown.out);
    }
    assert!(!shown.out.contains(['\u{202e}', '\u{2028}', '\u{2067}']), "{}", shown.out);
    let path = scratch("strange.html");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let (_, games) = annotated(&["--html", path.to_str().unwrap()], text);
    assert_eq!(games[0]["warnings"].as_array().unwrap().len(), 1);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("A\\u{202e}ma") && !page.contains(['\u{202e}', '\u{2028}', '\u{2067}']));
    let wrong = run(kpe(["annotate", "-"]).write_stdin("[South \"\u{202e}\"] 1. A \u{2066}b"));
    assert!(wrong.status == 2 && wrong.err.contains("  [South \"·\"] 1. A ·b\n"), "{}", wrong.err);
    assert!(!wrong.err.contains(['\u{202e}', '\u{2066}']), "{}", wrong.err);
    let nothing = run(kpe(["annotate", "-"]).write_stdin("\n"));
    assert!(nothing.status == 2 && nothing.err.ends_with("moves, or both\n"), "{}", nothing.err);
    let plain = run(kpe(["annotate", "-"]).write_stdin("1. A 0-1"));
    assert!(plain.out.contains("result 0-1, no reason given"), "{}", plain.out);
}
