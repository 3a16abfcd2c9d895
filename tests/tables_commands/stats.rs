//! `kpe tables stats` against counts of an independent solver, and against a plain count move by move.

use kpe::index::Layer;
use kpe::notation::Position;
use kpe::rules::Rules;
use kpe::rules::kpe::Kpe;
use kpe::table::{TableSet, parse_layer_name};
use serde_json::Value;

use super::{Built, game, text};

fn json(built: &Built, arguments: &[&str]) -> Value {
    let output = built.tables(&[&["stats", "--json"], arguments].concat());
    serde_json::from_str(&text(&output, 0)).unwrap()
}

/// The golden rows of standard Kpé: name of the layer and the seven counts in the order of their columns.
fn golden() -> Vec<(String, Vec<u64>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/layers.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("kpe\torigin=skip,unlock=same,feed=remains\t"));
    rows.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let stones: u8 = fields[4].parse().unwrap();
        let name = match (fields[2], fields[3]) {
            ("-", "-") => format!("n{stones:02}"),
            (mover, opponent) => format!("n{stones:02}_{mover}_{opponent}"),
        };
        (name, fields[5..12].iter().map(|field| field.parse().unwrap()).collect())
    })
    .collect()
}

const GOLDEN_COLUMNS: [&str; 7] =
    ["positions", "wins", "draws", "losses", "sum_value_squared", "max_distance", "sum_distance"];

#[test]
fn counts_are_those_of_an_independent_solver() {
    let built = Built::new(16);
    let found = json(&built, &[]);
    let layers = found["layers"].as_array().unwrap();
    let csv = text(&built.tables(&["stats", "--csv"]), 0);
    let mut compared = 0;
    for (name, counts) in golden() {
        let Some(layer) = layers.iter().find(|layer| layer["layer"] == *name) else { continue };
        assert_eq!(GOLDEN_COLUMNS.map(|column| layer[column].as_u64().unwrap()).as_slice(), counts, "{name}");
        let row = csv.lines().find(|line| line.starts_with(&format!("{name},"))).unwrap();
        let fields: Vec<&str> = row.split(',').collect();
        let shown: Vec<u64> = fields[4..11].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(shown, counts, "{name}");
        compared += 1;
    }
    assert!(compared >= 9, "{compared} layers compared");
    let heads = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == heads));
    let sum: u64 = layers.iter().map(|layer| layer["positions"].as_u64().unwrap()).sum();
    assert_eq!(found["total"]["positions"], sum);
}

/// What `stats` must say of the choices in a layer, found by probing after every move.
fn choices(set: &TableSet, layer: Layer) -> [u64; 4] {
    let rules = Kpe::default();
    let probe = |board| {
        let layer = Layer::of(board);
        set.probe(layer, layer.rank(board)).unwrap().unwrap()
    };
    let mut counts = [0; 4];
    for number in 0..layer.positions() {
        let board = layer.unrank(number);
        let moves: Vec<(i8, i32)> = match rules.over(board) {
            Some(_) => Vec::new(),
            None => rules
                .moves(board)
                .into_iter()
                .map(|pit| {
                    let played = rules.play(board, pit);
                    let child = probe(played.board);
                    let value = played.captured as i8 - child.value().0;
                    let event = played.captured > 0 || board.flags().contains(pit);
                    let plies = if event { 1 } else { 1 + i32::from(child.distance().0) };
                    (value, -plies * i32::from(value.signum()))
                })
                .collect(),
        };
        let best = moves.iter().max();
        let keeping = moves.iter().filter(|found| best.is_some_and(|best| found.0 == best.0)).count();
        let fastest = moves.iter().filter(|&found| Some(found) == best).count();
        counts[0] += u64::from(moves.is_empty());
        counts[1] += u64::from(moves.len() == 1);
        counts[2] += u64::from(keeping == 1);
        counts[3] += u64::from(fastest == 1);
    }
    counts
}

#[test]
fn single_best_moves_are_those_of_a_plain_count() {
    let built = Built::new(12);
    let set = TableSet::new(&game()).and_directory(built.root.path());
    let names = ["n08", "n10", "n12_AB_-", "n12_-_AB", "n12_-_b", "n10_D_-"];
    for name in names.into_iter().filter(|name| parse_layer_name(name).is_some()) {
        let found = json(&built, &[name]);
        let layers = found["layers"].as_array().unwrap();
        assert_eq!((layers.len(), &layers[0]["layer"]), (1, &Value::from(name)));
        let shown = ["over", "forced", "single_keeping", "single_best"].map(|key| layers[0][key].as_u64().unwrap());
        assert_eq!(shown, choices(&set, parse_layer_name(name).unwrap()), "{name}");
        for (key, sign) in [("longest_win", 1), ("longest_loss", -1)] {
            let longest = &layers[0][key];
            if longest.is_null() {
                continue;
            }
            let position = Position::parse(longest["position"].as_str().unwrap(), game()).unwrap();
            let board = position.solver_board().unwrap();
            let entry = set.probe(Layer::of(board), Layer::of(board).rank(board)).unwrap().unwrap();
            assert_eq!(longest["distance"], entry.distance().0);
            assert_eq!(longest["value"], entry.value().0);
            assert_eq!(entry.value().0.signum(), sign);
        }
    }
}

#[test]
fn the_counts_do_not_hang_on_the_number_of_threads() {
    let built = Built::new(12);
    let one = text(&built.tables(&["stats", "--json", "--threads", "1"]), 0);
    assert_eq!(text(&built.tables(&["stats", "--json", "--threads", "3"]), 0), one);
}

#[test]
fn text_and_page_show_the_same_counts() {
    let built = Built::new(12);
    let said = text(&built.tables(&["stats", "n10"]), 0);
    assert!(said.contains("n10                  19,448  43.7  33.1  23.2"), "{said}");
    assert!(said.contains("longest win: ") && said.contains("\nvalue "), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 200), "{said}");
    let said = text(&built.tables(&["stats"]), 0);
    assert!(said.contains("0 unsown ") && said.contains("2 unsown ") && !said.contains("n10 "), "{said}");

    let page = text(&built.tables(&["stats", "n10", "--html"]), 0);
    assert_eq!((page.matches("<svg ").count(), page.matches("</svg>").count()), (3, 3));
    assert_eq!(page.matches("<table>").count(), page.matches("</table>").count());
    assert!(page.contains("<td>19,448</td>") && page.contains("prefers-color-scheme:dark"));
    // Nothing is fetched from anywhere.
    for outside in ["src=", "href=", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let built = Built::new(8);
    text(&built.tables(&["stats", "n9x"]), 2);
    text(&built.tables(&["stats", "n48_ABCD_abc"]), 3);
    text(&built.tables(&["stats", "--json", "--csv"]), 2);
    let path = built.directory().join("n08.kpt");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    text(&built.tables(&["stats", "n08"]), 4);
}
