//! The golden vectors and perft counts of an independent implementation (`tests/golden/README.md`), in full.

use std::fs;
use std::path::Path;

use kpe::notation::Position;
use kpe::perft::{divide, perft};
use kpe::rules::Game;
use serde_json::{Value, json};

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The game of a vector; `loops` bears on whole games only.
fn game(vector: &Value) -> Game {
    let options = vector["options"].as_object().unwrap();
    let game = Game::named(vector["game"].as_str().unwrap()).unwrap();
    options
        .iter()
        .filter(|(name, _)| *name != "loops")
        .fold(game, |game, (name, word)| game.with_option(name, word.as_str().unwrap()).unwrap())
}

/// The vector this program would write for the position, in the same order of moves.
fn written(vector: &Value) -> Value {
    let text = vector["position"].as_str().unwrap();
    let position = Position::parse(text, game(vector)).unwrap_or_else(|error| panic!("{error}\n{}", error.caret(text)));
    let moves: Vec<Value> = position
        .outcomes()
        .iter()
        .map(|outcome| {
            json!({
                "move": outcome.action.text(position.side()).to_string(),
                "captured": outcome.captured,
                "result": outcome.result.to_string(),
                "over": outcome.totals.is_some(),
                "final": outcome.totals,
            })
        })
        .collect();
    let totals = position.totals();
    json!({
        "game": position.game().name(),
        "options": vector["options"],
        "kind": vector["kind"],
        "position": position.to_string(),
        "over": totals.is_some(),
        "final": totals,
        "moves": moves,
    })
}

fn pass_in_full(name: &str, expected: usize) {
    let text = golden(name);
    for (number, line) in text.lines().enumerate() {
        let vector: Value = serde_json::from_str(line).unwrap();
        assert_eq!(written(&vector), vector, "line {} of {name}", number + 1);
    }
    assert_eq!(text.lines().count(), expected);
}

#[test]
fn kpe_vectors_pass_in_full() {
    pass_in_full("kpe.jsonl", 2100);
}

#[test]
fn gore_vectors_pass_in_full() {
    pass_in_full("gore.jsonl", 1200);
}

#[test]
fn perft_counts_agree() {
    let text = golden("perft.txt");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [name, options, depth, paths] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let game = Game::parse(name, if options == "default" { "" } else { options }).unwrap();
        let (depth, paths): (u32, u64) = (depth.parse().unwrap(), paths.parse().unwrap());
        let start = Position::start(game);
        assert_eq!(perft(&start, depth), paths, "{line}");
        assert_eq!(divide(&start, depth).iter().map(|(_, paths)| paths).sum::<u64>(), paths, "divide, {line}");
        lines += 1;
    }
    assert_eq!(lines, 43);
}

#[test]
fn a_line_that_ends_early_counts_once() {
    let game = Game::parse("kpe", "").unwrap();
    let over = Position::parse("0-0-0-0-1-0-0-0-0-0-S", game).unwrap();
    assert_eq!((perft(&over, 3), divide(&over, 3)), (1, vec![]));
    // South must give his only stone away, North then plays it along his row.
    let last = Position::parse("0-0-0-1-0-0-0-0-0-0-S", game).unwrap();
    assert_eq!([0, 1, 2, 3].map(|depth| perft(&last, depth)), [1, 1, 1, 1]);
}

#[test]
fn layers_have_the_number_of_positions_counted() {
    use kpe::board::{Pit, Pits};
    use kpe::index::Layer;
    let text = golden("layers.tsv");
    let letters = |field: &str| -> Pits {
        field.chars().filter_map(|c| "ABCDabcd".find(c)).map(|number| Pit::new(number as u8)).collect()
    };
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with(['#', ' '])).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let unsown = Pits(letters(fields[2]).0 | letters(fields[3]).0);
        let layer = Layer::new(unsown, fields[4].parse().unwrap()).unwrap();
        assert_eq!(layer.positions().to_string(), fields[5], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 1049);
}
