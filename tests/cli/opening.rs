//! `kpe opening` without any table: what the book in the program tells.

use crate::{document, kpe, ran, run};

#[test]
fn the_overview_fits_a_screen_and_says_what_is_missing() {
    let shown = ran(&["opening"]);
    assert_eq!((shown.status, shown.err.as_str()), (0, ""));
    assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
    assert!(shown.out.contains("The game is a draw."), "{}", shown.out);
    let told = "\nThe comparison with the slower lock (unlock=next) needs all tables: kpe tables build --unlock next.";
    assert!(shown.out.replace("\n  ", " ").contains(told), "{}", shown.out);
}

#[test]
fn orders_are_valued_from_the_book() {
    let answer = document(&["opening", "orders", "--json"]);
    let orders = answer["orders"].as_array().unwrap();
    assert_eq!((orders.len(), &orders[0]["order"], &answer["conflicts"]), (24, &"ABCD".into(), &0.into()));
    // Counted from the full solution on the day the book was made.
    assert_eq!((&orders[0]["south"], &orders[0]["north"]), (&(-2).into(), &(-30).into()));
    assert_eq!((&answer["own_choice"]["south"], &answer["own_choice"]["north"]), (&0.into(), &0.into()));
    assert_eq!(answer["matrix"][23][0], 30);
    assert!(answer["matrix"].as_array().unwrap().iter().all(|row| row.as_array().unwrap().len() == 24));
}

#[test]
fn the_tree_merges_transpositions() {
    let answer = document(&["opening", "tree", "--plies", "4", "--json"]);
    let nodes = answer["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 326);
    let lines: u64 = nodes.iter().filter(|node| node["ply"] == 4).map(|node| node["lines"].as_u64().unwrap()).sum();
    assert_eq!(lines, 241, "perft of four plies");
    for node in nodes {
        let best = node["moves"].as_array().unwrap().iter().map(|action| action["value"].as_i64().unwrap()).max();
        assert!(best.is_none_or(|best| node["value"] == best), "{node}");
    }
    let dot = ran(&["opening", "tree", "--plies", "1", "--dot"]);
    assert!(dot.out.starts_with("digraph opening {") && dot.out.trim_end().ends_with('}'));
}

/// Unknown is not none: the moves of the last ply are not listed, but the book knows how many of them hold.
#[test]
fn moves_that_hold_are_counted_where_they_are_not_listed() {
    let answer = document(&["opening", "tree", "--json"]);
    let deeper = document(&["opening", "tree", "--plies", "3", "--json"]);
    let (nodes, deeper) = (answer["nodes"].as_array().unwrap(), deeper["nodes"].as_array().unwrap());
    for (node, known) in nodes.iter().zip(deeper) {
        assert_eq!((&node["line"], &node["holding"]), (&known["line"], &known["holding"]));
    }
    let reply = nodes.iter().find(|node| node["line"] == "Aa").unwrap();
    assert_eq!((&reply["holding"], reply["moves"].as_array().unwrap().len()), (&4.into(), 0));
    assert!(ran(&["opening", "tree"]).out.contains("\nAa             0    4/4"));
    let page = tempfile::NamedTempFile::new().unwrap();
    assert_eq!(ran(&["opening", "tree", "--html", page.path().to_str().unwrap()]).status, 0);
    let page = std::fs::read_to_string(page.path()).unwrap();
    let row = page.lines().find(|line| line.contains(">Aa</th>")).unwrap();
    assert!(row.contains("<td>4</td>"), "{row}");
}

#[test]
fn traps_and_delays_come_from_the_book() {
    let traps = document(&["opening", "traps", "--plies", "6", "--json"]);
    assert!(traps["found"].as_u64().unwrap() > 0 && traps["traps"].as_array().unwrap().len() <= 20);
    let delays = document(&["opening", "delay", "--turns", "6", "--json"]);
    assert_eq!(delays["players"][0]["by"][0]["value"], 0);
}

#[test]
fn what_needs_tables_says_how_to_build_them() {
    let refused = ran(&["opening", "tempo"]);
    assert_eq!(refused.status, 3);
    assert!(refused.err.contains("kpe tables build"), "{}", refused.err);
    let gore = ran(&["opening", "orders", "--game", "gore"]);
    assert_eq!(gore.status, 2);
}

#[test]
fn what_lacks_is_called_what_it_is() {
    let told = |args: &[&str], status| {
        let ran = ran(args);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{args:?}: {}", ran.err);
        ran.err
    };
    // A check of the book does not ask the book.
    let check = told(&["opening", "book", "--check"], 3);
    assert!(check.contains("there is no table for 6-6-6-6-6-6-6-6-0-0-S:ABCDabcd; build all tables with"), "{check}");
    let other = told(&["opening", "book", "--check", "--unlock", "next"], 2);
    assert!(
        other.contains("found a book of origin=skip,unlock=same,")
            && other.contains("expected one of origin=skip,unlock=next,"),
        "{other}"
    );
    // There is no book of other rules that a position could be beyond of.
    let next = told(&["opening", "orders", "--unlock", "next"], 3);
    assert!(!next.contains("book") && next.contains("kpe tables build --unlock next"), "{next}");
    assert!(told(&["opening", "tempo"], 3).contains("which is beyond the opening book"));
    // Tables alone are asked by a probe, and it says who knows more.
    let probe = told(&["tables", "probe"], 3);
    assert!(probe.contains("kpe best looks it up") && probe.contains("no table for n48_ABCD_abcd"), "{probe}");
    let beyond = told(&["tables", "probe", "10-9-9-8-0-2-5-5-0-0-S"], 3);
    assert!(!beyond.contains("book"), "{beyond}");
    let next = told(&["tables", "probe", "--unlock", "next"], 3);
    assert!(!next.contains("book"), "{next}");
}

#[test]
fn pages_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tree.html");
    let mut command = kpe(["opening", "tree", "--html"]);
    let ended = run(command.arg(&file));
    assert_eq!((ended.status, ended.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&file).unwrap().ends_with("</html>\n"));
}
