//! Of the proof that is not seen from outside.
use super::*;
use crate::board::Pits;
use crate::engine::TableProbe;
use crate::rules::Game;
use crate::rules::kpe::Kpe;
use crate::search::Limits;
use crate::table::{TableSet, embedded};

fn engine() -> Engine<Kpe, TableProbe> {
    let rules = Kpe::default();
    let probe = TableProbe::new(TableSet::new(&Game::Kpe(rules)).and_embedded(embedded())).unwrap();
    Engine::new(rules, probe, 4 << 20).unwrap()
}

fn analysis(engine: &Engine<Kpe, TableProbe>, board: Board) -> Analysis {
    engine.analyse(board, None, &Limits::default(), &AtomicBool::new(false), &mut |_| ()).unwrap()
}

/// Most games in play: whoever is better off has always gone on, and nothing need be looked into.
#[test]
fn where_the_better_player_has_always_gone_on_the_pairs_decide() {
    let engine = engine();
    let layer = Layer::new(Pits::NONE, 14).unwrap();
    let mut games = 0;
    for number in (0..layer.positions()).step_by(997) {
        let mut spot = Spot { board: layer.unrank(number), turned: false };
        let mut past = Vec::new();
        while let Some(best) = analysis(&engine, spot.board).best.filter(|_| past.len() < 12) {
            let (board, captured) = best.play(&engine.rules, spot.board);
            if captured > 0 || engine.rules.over(board).is_some() {
                break;
            }
            past.push(spot);
            spot = Spot { board, turned: !spot.turned };
        }
        let past: Vec<Spot> =
            past.into_iter().map(|past| Spot { turned: past.turned != spot.turned, ..past }).collect();
        let alone = analysis(&engine, spot.board);
        if alone.value == Value::ZERO || past.len() < 3 {
            continue;
        }
        let stop = AtomicBool::new(false);
        let inquiry = Inquiry::new(&engine, spot.board, &past, &stop);
        assert!(inquiry.peaks.iter().all(Option::is_some));
        let known = engine.in_play(spot.board, &past, alone.clone(), &stop);
        assert_eq!((known.best, known.value, known.kind), (alone.best, alone.value, Kind::Exact));
        games += 1;
    }
    assert!(games > 10, "{games}");
}

/// What is not found out is not claimed, and what is claimed without a search is true.
#[test]
fn without_room_values_are_bounds() {
    let engine = engine();
    let board = Board::new([1, 1, 2, 0, 0, 0, 0, 0], Pits::NONE);
    let mut spot = Spot { board, turned: false };
    let mut past = Vec::new();
    for (pit, _) in [2, 0, 1, 1, 2, 2, 0, 3, 3, 0].into_iter().zip(0..) {
        past.push(spot);
        let board = engine.rules.play(spot.board, crate::board::Pit::new(pit)).board;
        spot = Spot { board, turned: !spot.turned };
    }
    let stop = AtomicBool::new(false);
    let alone = analysis(&engine, spot.board);
    assert_eq!((alone.value, alone.kind), (Value(2), Kind::Exact));
    let known = engine.in_play(spot.board, &past, alone.clone(), &stop);
    assert_eq!((known.value, known.kind), (Value::ZERO, Kind::Exact));
    let mut inquiry = Inquiry::new(&engine, spot.board, &past, &stop);
    inquiry.room = 0;
    let stones = spot.board.total();
    let mut ranges: Vec<Range> = alone.moves.iter().map(|m| range(m, (alone.value, alone.kind), stones)).collect();
    inquiry.settle(spot.board, &alone.moves, &mut ranges);
    assert!(ranges.iter().any(|&range| range.low == 0 && range.high == 2), "{ranges:?}");
    assert!(ranges.iter().all(|range| range.low <= 0 && range.high >= 0), "{ranges:?}");
}
