//! `kpe perft`.

use crate::{batch, document, flags, golden, ran};

#[test]
fn the_golden_counts_are_printed() {
    let text = golden("perft.txt");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [game, options, depth, paths] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let flags = flags(game, options);
        let args: Vec<&str> = ["perft", depth].into_iter().chain(flags.iter().map(String::as_str)).collect();
        let printed = ran(&args);
        assert_eq!((printed.status, printed.out.trim_end()), (0, paths), "{line}: {}", printed.err);
        lines += 1;
    }
    assert_eq!(lines, 43);
}

#[test]
fn first_moves_add_up() {
    assert_eq!(ran(&["perft", "6", "--divide"]).out, "A 819\nB 831\nC 843\nD 867\ntotal 3360\n");
    let answer = document(&["perft", "5", "--divide", "--json", "--game", "gore"]);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(answer["paths"], 879);
    assert_eq!(moves.iter().map(|first| first["paths"].as_u64().unwrap()).sum::<u64>(), 879);
    assert_eq!((&answer["schema"], answer["depth"].as_u64()), (&"kpe.perft/1".into(), Some(5)));
}

#[test]
fn no_depth_and_no_moves_are_one_path() {
    assert_eq!(ran(&["perft", "0"]).out, "1\n");
    assert_eq!(ran(&["perft", "0", "--divide"]).out, "total 1\n");
    assert_eq!(ran(&["perft", "200", "0-0-0-0-1-0-0-0-0-0-S", "--divide"]).out, "total 1\n");
    assert_eq!(document(&["perft", "4", "0-0-0-0-1-0-0-0-0-0-S", "--json"])["paths"], 1);
}

#[test]
fn lines_are_counted_one_by_one() {
    let (status, answers) = batch(&["perft", "3", "-"], "startpos\nnowhere\n");
    assert_eq!((status, &answers[0]["paths"]), (1, &64.into()));
    assert!(answers[1]["error"].is_string() && answers[0].get("moves").is_none());
}
