//! The face of the library: what a program that uses it may rely on.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kpe::annotate::Annotation;
use kpe::board::{Board, Pit, Pits};
use kpe::engine::{Analysis, Engine, EngineError, IllegalChoice, TableProbe};
use kpe::index::Layer;
use kpe::level::{Level, LevelError};
use kpe::notation::{IllegalMove, IllegalOffer, Outcome, ParseError, Position, SetupError, Side};
use kpe::opening::book::Book;
use kpe::player::{Assessment, Player, PlayerError};
use kpe::record::{PlayError, Playing, Record, RecordError};
use kpe::retro::SolveError;
use kpe::rules::options::OptionError;
use kpe::rules::{Game, Layered, Loops, Move, gore::Gore, kpe::Kpe};
use kpe::search::{self, Budget, Limits, MemoryTables, NoTables, Report, TranspositionTable};
use kpe::table::{TableError, TableFile, TableSet};
use kpe::value::{Distance, Entry, Kind, Value};

fn shared<T: Debug + Send + Sync + 'static>() {}
fn plain<T: Debug + Clone + PartialEq + Send + Sync + 'static>() {}
fn error<T: std::error::Error + Send + Sync + 'static>() {}

#[test]
fn types_have_the_usual_traits() {
    plain::<(Board, Pit, Pits, Layer, Value, Distance, Entry, Kind)>();
    plain::<(Game, Kpe, Gore, Layered, Loops, Move, Position, Outcome, Side)>();
    plain::<(Playing, Record, Level, Limits, Report, Analysis, Assessment, Annotation)>();
    shared::<(TableSet, TableFile, TableProbe, Book, TranspositionTable, MemoryTables, Player)>();
    shared::<(Engine<Kpe, TableProbe>, Engine<Kpe, NoTables>)>();
}

#[test]
fn errors_can_be_sent_and_boxed() {
    error::<ParseError>();
    error::<SetupError>();
    error::<IllegalMove>();
    error::<IllegalOffer>();
    error::<OptionError>();
    error::<RecordError>();
    error::<PlayError>();
    error::<EngineError>();
    error::<IllegalChoice>();
    error::<PlayerError>();
    error::<LevelError>();
    error::<TableError>();
    error::<search::TranspositionError>();
    error::<SolveError>();
}

/// The modules that are shown are those the documentation of the crate names, and each of them has an example.
#[test]
fn the_face_is_what_is_shown_and_has_examples() {
    let read = |name: &str| {
        let path = |end: &str| format!("{}/src/{name}{end}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path(".rs")).or_else(|_| std::fs::read_to_string(path("/mod.rs"))).unwrap()
    };
    let text = read("lib");
    let (_, face) = text.split_once("//! # The face\n").unwrap();
    let (face, _) = face.split_once("//! All other public modules").unwrap();
    let mut named: Vec<&str> = face.split("[`").skip(1).map(|rest| rest.split('`').next().unwrap()).collect();
    let lines: Vec<&str> = text.lines().collect();
    let shown =
        lines.windows(2).filter(|pair| pair[0] != "#[doc(hidden)]").filter_map(|pair| pair[1].strip_prefix("pub mod "));
    let mut shown: Vec<&str> = shown.map(|rest| rest.trim_end_matches(';')).collect();
    shown.iter_mut().filter(|name| **name == "opening").for_each(|name| *name = "opening::book");
    named.sort_unstable();
    shown.sort_unstable();
    assert_eq!(named, shown);
    for module in shown {
        let text = read(&module.replace("::", "/"));
        assert!(text.lines().any(|line| line == "//! ```"), "{module} has no example");
    }
}

/// Limits, sizes and lists of moves that make no sense end a search or are refused.
#[test]
fn absurd_arguments_are_harmless() {
    assert!(TranspositionTable::new(0).is_err());
    let _ = TranspositionTable::new(usize::MAX);
    let game = Game::Kpe(Kpe::default());
    let _ = TableSet::with_cache(&game, 0);
    let probe = Arc::new(TableProbe::new(TableSet::new(&game)).unwrap());
    probe.unpack(u64::MAX);
    let player = Player::new(&game, probe, Level::HIGHEST, 4 << 20, 0).unwrap();
    let (start, stop) = (Position::start(game), AtomicBool::new(false));
    let none = || Limits { depth: Some(2), ..Limits::default() };
    for limits in [
        Limits { nodes: Some(0), ..none() },
        Limits { depth: Some(0), ..none() },
        Limits { depth: Some(255), nodes: Some(3000), ..none() },
        Limits { threads: 0, lines: 0, ..none() },
        Limits { threads: 3, lines: usize::MAX, ..none() },
        Limits { time: Some(Budget { soft: Duration::MAX, hard: Duration::ZERO }), ..none() },
        Limits { time: Some(Budget { soft: Duration::ZERO, hard: Duration::MAX }), ..none() },
    ] {
        let found = player.analyse(&start, None, &limits, &stop, &mut |_| ());
        assert!(found.unwrap().best.is_some(), "{limits:?}");
    }
    for wrong in [&[][..], &[Move::Pass], &[Move::Sow(Pit::new(7))], &[Move::Sow(Pit::new(0)), Move::Accept]] {
        assert!(player.analyse(&start, Some(wrong), &none(), &stop, &mut |_| ()).is_err(), "{wrong:?}");
    }
    let gore = Game::Gore(Gore::default());
    let tables = |game| Arc::new(TableProbe::new(TableSet::new(&game)).unwrap());
    assert!(Player::new(&gore, tables(gore), Level::HIGHEST, 4 << 20, 0).is_err());
    assert!(Player::new(&gore, tables(game), Level::HIGHEST, 4 << 20, 0).is_err());
    assert!(Player::new(&gore, tables(gore.without_trades()), Level::HIGHEST, 4 << 20, 0).is_ok());
    let other = Position::start(Game::Gore(Gore::default()));
    assert!(player.analyse(&other, None, &none(), &stop, &mut |_| ()).is_err());
}

/// What a caller may get wrong ends in an error, not in a panic.
#[test]
fn boards_nobody_can_play_are_refused() {
    let game = Game::Kpe(Kpe::default());
    for (bits, stores) in [(u64::MAX, [255, 255]), (0x3f, [0, 0]), (0x80, [0, 0]), (0, [255, 255])] {
        for side in [Side::South, Side::North] {
            for game in [game, Game::Gore(Gore::default())] {
                let position = Position::new(game, side, Board::from_bits(bits), stores, Pits(0x0f));
                assert!(position.is_err(), "{bits:x} {stores:?}");
            }
        }
    }
    let position = Position::start(game);
    for action in [Move::Pass, Move::Accept, Move::Decline, Move::Offer(Pits(0)), Move::Sow(Pit::new(7))] {
        assert!(position.play(action).is_err() && position.sowing(action).is_err(), "{action:?}");
    }
}
