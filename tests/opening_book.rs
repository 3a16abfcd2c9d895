//! The opening book in the program against expectations, and against the full tables where they are.

use kpe::board::Board;
use kpe::index::Layer;
use kpe::opening::book::Book;
use kpe::rules::kpe::Kpe;
use kpe::rules::{Game, Rules};
use kpe::table::TableSet;
use kpe::value::{Distance, Value};

/// The position after these moves, written as letters of pits.
fn after(line: &str) -> Board {
    let rules = Kpe::default();
    line.chars().fold(Kpe::start(), |board, letter| {
        let pit = kpe::board::Pit::new("abcd".find(letter.to_ascii_lowercase()).expect("a pit") as u8);
        assert!(rules.moves(board).contains(pit), "{letter} in {line}");
        rules.play(board, pit).board
    })
}

/// `expected/opening.txt`: line, value, distance, from the full tables.
#[test]
fn a_sample_of_the_book_is_as_expected() {
    let book = Book::embedded().unwrap();
    let mut lines = 0;
    for row in include_str!("expected/opening.txt").lines().filter(|row| !row.starts_with('#')) {
        let [line, value, distance] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("three words in {row}") };
        let entry = book.entry(after(line.trim_matches('.'))).unwrap();
        let expected = (Value(value.parse().unwrap()), Distance(distance.parse().unwrap()));
        assert_eq!((entry.value(), entry.distance()), expected, "{row}");
        lines += 1;
    }
    assert!(lines >= 100);
}

/// Every value within nine plies is the best of its moves: the book agrees with itself.
#[test]
fn the_values_of_the_book_follow_from_each_other() {
    let (book, rules) = (Book::embedded().unwrap(), Kpe::default());
    for (board, entry) in (0..book.plies()).flat_map(|ply| book.at_ply(ply)) {
        let of = |pit| {
            let played = rules.play(board, pit);
            Value(played.captured as i8 - book.entry(played.board).expect("one ply deeper").value().0)
        };
        assert_eq!(rules.moves(board).into_iter().map(of).max(), Some(entry.value()), "{board:?}");
    }
}

/// Needs the directory of all tables in `KPE_TABLES`.
#[test]
#[ignore = "needs the full tables"]
fn the_book_is_what_the_tables_say() {
    let root = std::env::var_os("KPE_TABLES").expect("KPE_TABLES names the directory of all tables");
    let set = TableSet::new(&Game::Kpe(Kpe::default())).and_directory(root);
    for (board, entry) in Book::embedded().unwrap().iter() {
        let layer = Layer::of(board);
        assert_eq!(set.require(layer).unwrap().probe(layer, layer.rank(board)).unwrap(), entry, "{board:?}");
    }
}

/// Counted by a slow enumeration of plain arrays, independent of this program.
#[test]
fn the_book_has_every_position_of_its_plies() {
    let book = Book::embedded().unwrap();
    let levels = kpe::opening::levels::Levels::within(Kpe::default(), Kpe::start(), book.plies());
    let positions: usize = levels.plies.iter().map(Vec::len).sum();
    assert_eq!((positions, book.len()), (731_358, 660_590));
}
