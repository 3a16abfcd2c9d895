//! `kpe tables build`, `info`, `verify` and `probe`.

use std::path::Path;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::table::testing::change_entry;
use kpe::value::{Distance, Entry};
use serde_json::Value;

use crate::{GORE, batch, document, empty, golden, kpe, ran, run, scratch, small_sets};

/// Both games that have tables, by their flags.
const GAMES: [&[&str]; 2] = [&[], &GORE];

fn tables<'a>(command: &'a str, root: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    ["tables", command, "--tables", root].into_iter().chain(more.iter().copied()).collect()
}

/// A copy of the small sets to do harm to.
fn copied(name: &str) -> String {
    let root = empty(name);
    for set in std::fs::read_dir(small_sets()).unwrap().map(|set| set.unwrap()) {
        let to = root.join(set.file_name());
        std::fs::create_dir(&to).unwrap();
        for file in std::fs::read_dir(set.path()).unwrap().map(|file| file.unwrap()) {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    root.into_os_string().into_string().unwrap()
}

#[test]
fn a_build_reports_what_it_wrote() {
    for game in GAMES {
        let root = empty("report");
        let root = root.to_str().unwrap();
        let built =
            run(kpe(tables("build", root, &["--stones", "8", "--threads", "2", "--memory", "1GiB"])).args(game));
        assert_eq!(built.status, 0, "{}", built.err);
        for told in ["  positions  ", "  memory     about", "of 1.0 GiB allowed", "  disk       at most"] {
            assert!(built.err.contains(told), "{}", built.err);
        }
        assert_eq!(built.out.lines().count(), 1);
        let again = run(kpe(tables("build", root, &["--stones", "8", "--json"])).args(game));
        assert!(again.err.contains("of them done"), "{}", again.err);
        let answer: Value = serde_json::from_str(&again.out).unwrap();
        let files = answer["files"].as_u64().unwrap();
        assert_eq!((&answer["schema"], files), (&"kpe.build/1".into(), if game.is_empty() { 13 } else { 5 }));
        assert!(built.out.contains(&format!("in {files} files")), "{}", built.out);
    }
}

#[test]
fn odd_layers_are_built_when_asked_for() {
    let root = empty("odd");
    let root = root.to_str().unwrap();
    assert_eq!(ran(&tables("build", root, &["--stones", "5", "--odd"])).status, 0);
    assert_eq!(document(&tables("probe", root, &["--json", "0-0-1-1-1-1-1-0-0-0-S"]))["schema"], "kpe.probe/1");
}

#[test]
fn info_has_the_counts_of_an_independent_solver() {
    let text = golden("layers.tsv");
    let lines: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect()).collect();
    for game in GAMES {
        let info = document(&tables("info", small_sets(), &[&["--json"], game].concat()));
        let layers = info["layers"].as_array().unwrap();
        let mut seen = 0;
        for layer in layers.iter().filter(|layer| layer["stones"].as_u64().unwrap() <= 12) {
            let unsown = |field: &str| match layer[field].as_str().unwrap() {
                "" => "-".to_owned(),
                letters => letters.to_owned(),
            };
            let key = [unsown("mover_unsown"), unsown("opponent_unsown"), layer["stones"].to_string()];
            let of_game = lines.iter().filter(|line| line[0] == info["game"] && line[1] == info["options"]);
            let Some(line) = of_game.clone().find(|line| line[2..5] == key) else { panic!("no line for {layer}") };
            let fields = ["positions", "wins", "draws", "losses", "sum_value_squared", "max_distance", "sum_distance"];
            for (field, expected) in fields.iter().zip(&line[5..]) {
                assert_eq!(layer[field].to_string(), *expected, "{field} of {layer}");
            }
            assert!(layer["bytes"].is_u64());
            seen += 1;
        }
        assert_eq!(seen, if game.is_empty() { 7 + 2 * (4 * 4 + 6) } else { 7 });
    }
}

#[test]
fn info_for_people_fits_a_terminal() {
    for more in [&[][..], &["--layers"]] {
        let shown = ran(&tables("info", small_sets(), more));
        assert_eq!((shown.status, shown.err.as_str()), (0, ""));
        assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
        assert!(shown.out.contains("total"), "{}", shown.out);
    }
}

#[test]
fn sound_tables_are_found_sound() {
    for game in GAMES {
        let info = document(&tables("info", small_sets(), &[&["--json"], game].concat()));
        let answer = document(&tables("verify", small_sets(), &[&["--json"], game].concat()));
        assert_eq!((&answer["schema"], &answer["sound"]), (&"kpe.verify/1".into(), &true.into()));
        assert_eq!((&answer["positions"], &answer["files"]), (&info["positions"], &info["files"]));
        let shown = run(kpe(tables("verify", small_sets(), &["--threads", "1"])).args(game));
        assert!(shown.status == 0 && shown.out.ends_with(": no fault\n"), "{}", shown.out);
        let sample = run(kpe(tables("verify", small_sets(), &["--sample", "500", "--seed", "3"])).args(game));
        assert_eq!(sample.out, "500 positions checked: no fault\n", "{}", sample.err);
    }
}

#[test]
fn shards_add_up_to_the_whole() {
    let whole = document(&tables("verify", small_sets(), &["--json"]));
    let files: Vec<String> = ["1/3", "2/3", "3/3"]
        .iter()
        .enumerate()
        .map(|(at, shard)| {
            let file = scratch(&format!("shard{at}.json"));
            let ran = ran(&tables("verify", small_sets(), &["--json", "--shard", shard]));
            std::fs::write(&file, ran.out).unwrap();
            file.into_os_string().into_string().unwrap()
        })
        .collect();
    let merge = |files: &[&String]| {
        let args = ["tables", "verify", "--json", "--merge"].into_iter().chain(files.iter().map(|file| file.as_str()));
        run(&mut kpe(args))
    };
    let merged = merge(&[&files[2], &files[0], &files[1]]);
    assert_eq!(merged.status, 0, "{}", merged.err);
    assert_eq!(serde_json::from_str::<Value>(&merged.out).unwrap(), whole);
    for wrong in [&[&files[0], &files[1]][..], &[&files[0], &files[1], &files[1]], &[&"/dev/null".to_owned()]] {
        let refused = merge(wrong);
        assert!(refused.status == 2 && refused.err.contains("expected"), "{}", refused.err);
    }
    // A shard checked on other tables is none of this set's.
    let other = empty("other");
    let other = other.to_str().unwrap();
    assert_eq!(ran(&tables("build", other, &["--stones", "10"])).status, 0);
    std::fs::write(&files[1], ran(&tables("verify", other, &["--json", "--shard", "2/3"])).out).unwrap();
    let refused = merge(&files.iter().collect::<Vec<_>>());
    assert!(refused.status == 2 && refused.err.contains("different tables"), "{}", refused.err);
}

#[test]
fn one_wrong_value_fails_the_check_though_every_checksum_is_right() {
    let root = copied("wrong");
    let game = Game::named("kpe").unwrap();
    let layer = Layer::new(Pits::NONE, 10).unwrap();
    let path = Path::new(&root).join("kpe-skip-same-remains/n10.kpt");
    change_entry(&path, &game, layer, 77, Entry::new(kpe::value::Value(10), Distance(3))).unwrap();
    let verified = ran(&tables("verify", &root, &[]));
    assert_eq!(verified.status, 4, "{}", verified.out);
    assert!(verified.out.contains("layer n10, position 77") && verified.out.contains("NOT SOUND"), "{}", verified.out);
    let answer = run(&mut kpe(tables("verify", &root, &["--json"])));
    let answer: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&answer["sound"], answer["faults"].as_array().unwrap().is_empty()), (&false.into(), false));
}

#[test]
fn a_probe_answers_value_and_distance() {
    let probe = |position, game: &[&str]| {
        let answer = document(&tables("probe", small_sets(), &[&[position, "--json"], game].concat()));
        (answer["value"].clone(), answer["distance"].clone())
    };
    // The only move takes both stones.
    assert_eq!(probe("0-0-0-1-1-0-0-0-20-26-S", &[]), (2.into(), 1.into()));
    // Over, with four stones for the opponent.
    assert_eq!(probe("0-4-0-0-0-0-0-0-3-41-N", &[]), ((-4).into(), 0.into()));
    assert_eq!(probe("0-0-0-0-0-0-0-0-24-24-N", &[]), (0.into(), Value::Null));
    assert_eq!(probe("2-0-0-0-0-0-0-0-20-26-S", &GORE), (2.into(), 0.into()));
    let shown = ran(&tables("probe", small_sets(), &["0-0-0-1-1-0-0-0-20-26-S"]));
    assert_eq!(shown.out, "+2 for South, distance 1\n");
    let lines = "0-0-0-1-1-0-0-0-20-26-S\nstartpos\nx\n";
    let (status, answers) = batch(&tables("probe", small_sets(), &["-"]), lines);
    assert_eq!((status, answers.len(), &answers[0]["value"]), (1, 3, &2.into()));
    assert!(answers[1]["error"].as_str().unwrap().contains("no table for n48_ABCD_abcd"));
}

#[test]
fn a_missing_table_is_said_to_be_missing() {
    let missing = |args: &[&str], told: &str| {
        let ran = ran(args);
        assert_eq!((ran.status, ran.out.as_str()), (3, ""), "{args:?}");
        assert!(ran.err.contains(told), "{}", ran.err);
    };
    missing(&tables("probe", small_sets(), &[]), "no table for n48_ABCD_abcd");
    let nowhere = format!("{}/nowhere", small_sets());
    for command in ["info", "verify", "probe"] {
        missing(&tables(command, &nowhere, &[]), "no directory of tables");
        missing(&tables(command, small_sets(), &["--origin", "sow"]), "tables of other rules");
    }
    missing(&["best", "--tables", &nowhere], "no directory of tables");
    missing(&["tables", "info", "--origin", "sow"], "build it with `kpe tables build`");
    // A file that a finished set has lost.
    let root = copied("lost");
    std::fs::remove_file(Path::new(&root).join("kpe-skip-same-remains/n10_A_-.kpt")).unwrap();
    let verified = ran(&tables("verify", &root, &[]));
    assert!(verified.status == 3 && verified.out.contains("n10_A_-.kpt"), "{}", verified.out);
}

#[test]
fn a_damaged_table_is_never_used() {
    let root = copied("damaged");
    for (set, game) in [("kpe-skip-same-remains", &[][..]), ("gore-skip-off", &GORE[..])] {
        let path = Path::new(&root).join(set).join("n12.kpt");
        let sound = std::fs::read(&path).unwrap();
        let mut bytes = sound.clone();
        // All blocks but the first few, which follow a head of less than a thousand bytes.
        bytes[2000..].iter_mut().for_each(|byte| *byte ^= 0x55);
        std::fs::write(&path, &bytes).unwrap();
        let position = "0-0-0-0-0-0-6-6-18-18-N";
        for args in [&["tables", "probe", position][..], &["best", position], &["best", "0-0-1-1-1-1-4-4-18-18-N"]] {
            let ran = run(kpe(args).args(["--tables", &root]).args(game));
            assert_eq!((ran.status, ran.out.as_str()), (4, ""), "{args:?}: {}", ran.err);
            assert!(ran.err.contains("n12.kpt: damaged table"), "{}", ran.err);
        }
        let (status, answers) =
            batch(&[&tables("probe", &root, &["-"]), game].concat(), format!("{position}\n0-0-0-1-1-0-0-0-0-0-S\n"));
        assert_eq!((status, answers.len()), (4, 2));
        assert!(answers[0]["error"].is_string() && answers[1]["value"].is_i64());
        let verified = run(&mut kpe(tables("verify", &root, game)));
        assert_eq!(verified.status, 4);
        assert!(verified.out.contains("n12.kpt: damaged table"), "{}", verified.out);
        assert!(verified.out.ends_with("NOT SOUND\n"), "{}", verified.out);
        std::fs::write(&path, &sound[..40]).unwrap();
        for command in ["info", "verify", "probe"] {
            let position: &[&str] = if command == "probe" { &["0-0-0-0-0-0-6-6-18-18-N"] } else { &[] };
            let ran = run(&mut kpe(tables(command, &root, &[position, game].concat())));
            assert_eq!(ran.status, 4, "{command}: {}", ran.err);
        }
    }
}

#[test]
fn what_the_system_refuses_is_told() {
    let root = empty("refused");
    let file = root.join("file");
    std::fs::write(&file, "").unwrap();
    let built = ran(&tables("build", file.to_str().unwrap(), &["--stones", "2"]));
    assert_eq!(built.status, 5, "{}", built.err);
    let little = ran(&tables("build", root.to_str().unwrap(), &["--memory", "1MiB"]));
    assert_eq!(little.status, 5, "{}", little.err);
    assert!(little.err.contains("not enough memory"), "{}", little.err);
}

#[test]
fn tables_are_found_by_variable_and_in_the_data_directory() {
    let position = "0-0-0-1-1-0-0-0-20-26-S";
    let by_variable = run(kpe(["tables", "probe", position]).env("KPE_TABLES", small_sets()));
    assert_eq!(by_variable.out, "+2 for South, distance 1\n", "{}", by_variable.err);
    // A directory that is set once and for all may have to be built yet.
    let unbuilt = run(kpe(["best", position]).env("KPE_TABLES", "/nowhere/tables"));
    assert_eq!(unbuilt.status, 0, "{}", unbuilt.err);
    let data = empty("data");
    let command = ["tables", "build", "--stones", "4", "--json"];
    let built = run(kpe(command).env("XDG_DATA_HOME", &data).env("KPE_TABLES", ""));
    let answer: Value = serde_json::from_str(&built.out).unwrap();
    let expected = data.join("kpe/tables/kpe-skip-same-remains");
    assert_eq!(answer["directory"], expected.to_str().unwrap());
    let shown = run(kpe(["tables", "info"]).env("XDG_DATA_HOME", &data));
    assert_eq!(shown.status, 0, "{}", shown.err);
}

#[test]
fn the_directory_of_one_set_is_refused_everywhere() {
    let set = format!("{}/kpe-skip-same-remains", small_sets());
    let commands: &[&[&str]] = &[
        &["best"],
        &["engine"],
        #[cfg(feature = "serve")]
        &["serve", "--port", "0"],
        &["opening"],
        &["tables", "build", "--stones", "2"],
        &["tables", "digests"],
        &["tables", "info"],
        &["tables", "verify"],
    ];
    let told =
        format!("{set} is the directory of one set; --tables wants the one above it: --tables {}\n", small_sets());
    for command in commands {
        let refused = ran(&[*command, &["--tables", &set]].concat());
        assert_eq!((refused.status, refused.err), (2, format!("kpe: {told}")), "{command:?}");
    }
    let here = run(kpe(["best", "--tables", "."]).current_dir(&set));
    assert!(here.status == 2 && here.err.contains("--tables /"), "{}", here.err);
}

#[test]
fn a_directory_without_the_tables_asked_for_is_told_once() {
    let root = empty("none").into_os_string().into_string().unwrap();
    let told = format!("kpe: note: no tables of kpe (origin=skip,unlock=same,feed=remains) in {root}\n");
    assert_eq!(ran(&["best", "--depth", "1", "--tables", &root]).err, told);
    assert_eq!(run(kpe(["best", "--depth", "1"]).env("KPE_TABLES", &root)).err, told);
    assert_eq!(ran(&["best", "--depth", "1"]).err, "");
    assert_eq!(ran(&["best", "--depth", "1", "--tables", small_sets()]).err, "");
}
