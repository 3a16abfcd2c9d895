//! The engine with tables: perfect play, checked against the slow solver; and what it says and refuses.

mod common;

use std::sync::atomic::AtomicBool;

use common::slow::Slow;
use common::{board, layer};
use kpe::board::{Board, Pit};
use kpe::engine::{Analysis, Engine, EngineError, LONGEST_LINE, Source};
use kpe::index::Layer;
use kpe::rules::Rules;
use kpe::rules::gore::NoTrade;
use kpe::rules::kpe::Kpe;
use kpe::search::{Limits, MemoryTables, NoTables, Probe, Step, TranspositionTable};
use kpe::value::{Distance, Kind, Value};

fn engine<R: Rules, P: Probe>(rules: R, probe: P) -> Engine<R, P> {
    Engine::new(rules, probe, TranspositionTable::LEAST_BYTES).unwrap()
}

fn analyse<R: Rules, P: Probe>(engine: &Engine<R, P>, board: Board, nodes: u64) -> Analysis {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.analyse(board, None, &limits, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

fn solved<R: Rules>(rules: R, layers: &[Layer]) -> MemoryTables {
    let mut slow = Slow::new(rules);
    for &layer in layers {
        slow.layer(layer);
    }
    slow.tables(|_| true)
}

/// Plays every position of the layers: the best move keeps the value, and if that is a gain, whatever the opponent
/// answers keeps it too and either leaves the layer or comes strictly nearer to the next event. By induction the gain is realised.
fn plays_perfectly<R: Rules>(rules: R, layers: &[Layer]) {
    let engine = engine(rules, solved(rules, layers));
    let mut gains = 0;
    for &layer in layers {
        for number in 0..layer.positions() {
            let board = layer.unrank(number);
            let (value, distance) = engine.known(board).unwrap();
            let analysis = analyse(&engine, board, 0);
            assert_eq!((analysis.value, analysis.kind), (value, Kind::Exact), "{board:?}");
            if value != Value::ZERO || analysis.best.is_none() {
                assert_eq!(analysis.distance, Some(distance), "{board:?}");
            }
            let Some(step) = analysis.best else { continue };
            let (next, captured) = step.play(&rules, board);
            let theirs = engine.known(next).unwrap();
            assert_eq!(captured as i8 - theirs.0.0, value.0, "{board:?} {step:?}");
            if value <= Value::ZERO || Layer::of(next) != layer.mirror() {
                continue;
            }
            gains += 1;
            for answer in Step::legal(&rules, next) {
                let (after, taken) = answer.play(&rules, next);
                let (ours, nearer) = engine.known(after).unwrap();
                assert!(ours.0 - taken as i8 >= value.0, "{board:?} {step:?} {answer:?}");
                assert!(
                    Layer::of(after) != layer || ours > value || nearer < distance,
                    "{board:?} {step:?} {answer:?}"
                );
            }
        }
    }
    assert!(gains > 500, "{gains}");
}

#[test]
fn every_gain_is_realised_against_every_defence() {
    plays_perfectly(Kpe::default(), &(0..=9).map(|stones| layer(0, stones)).collect::<Vec<_>>());
    plays_perfectly(Kpe::default(), &[layer(0x08, 12), layer(0x80, 12), layer(0x08, 11), layer(0x80, 11)]);
    plays_perfectly(NoTrade::default(), &(0..=10).map(|stones| layer(0, stones)).collect::<Vec<_>>());
}

#[test]
fn lines_from_tables_end_with_the_game_or_repeat() {
    let rules = Kpe::default();
    let engine = engine(rules, solved(rules, &[layer(0, 8)]));
    let mut endings = [0; 2];
    for number in 0..layer(0, 8).positions() {
        let start = layer(0, 8).unrank(number);
        let analysis = analyse(&engine, start, 0);
        let mut boards = vec![start];
        let mut gain = 0;
        for (ply, step) in analysis.line.iter().enumerate() {
            let (next, captured) = step.play(&rules, boards[ply]);
            gain += if ply % 2 == 0 { captured as i8 } else { -(captured as i8) };
            boards.push(next);
        }
        let plies = analysis.line.len();
        if plies == LONGEST_LINE {
            continue; // Cut off, and the rest of the value with it.
        }
        match rules.over(boards[plies]) {
            Some(rest) => gain += if plies % 2 == 0 { rest } else { -rest },
            None => assert!(boards[..plies].iter().rev().skip(1).step_by(2).any(|&b| b == boards[plies]), "{start:?}"),
        }
        endings[usize::from(rules.over(boards[plies]).is_some())] += 1;
        assert_eq!(gain, analysis.value.0, "{start:?} {:?}", analysis.line);
    }
    assert!(endings[0] > 100 && endings[1] > 100, "{endings:?}");
}

#[test]
fn equal_draws_set_traps() {
    let rules = Kpe::default();
    let engine = engine(rules, solved(rules, &[layer(0, 8)]));
    let traps = |board: Board| {
        let moves = Step::legal(&rules, board).map(|step| {
            let (next, captured) = step.play(&rules, board);
            captured as i8 - engine.known(next).unwrap().0.0
        });
        let moves: Vec<i8> = moves.collect();
        moves.iter().filter(|&value| value < moves.iter().max().unwrap()).count()
    };
    let mut chosen = 0;
    for number in 0..layer(0, 8).positions() {
        let analysis = analyse(&engine, layer(0, 8).unrank(number), 0);
        let draws: Vec<_> = analysis.moves.iter().filter(|m| m.value == Value::ZERO).collect();
        if analysis.value == Value::ZERO && draws.len() > 1 {
            let most = draws.iter().map(|m| traps(m.board)).max().unwrap();
            assert_eq!(traps(draws[0].board), most);
            chosen += usize::from(draws.iter().any(|m| traps(m.board) < most));
        }
    }
    assert!(chosen > 50, "{chosen}");
}

#[test]
fn a_search_values_every_move() {
    let engine = engine(Kpe::default(), NoTables);
    let analysis = analyse(&engine, Kpe::start(), 50_000);
    assert_eq!((analysis.source, analysis.nodes, analysis.moves.len()), (Source::Search, 50_000, 4));
    assert_eq!((analysis.kind, analysis.distance), (Kind::Estimate, None));
    assert!(analysis.depth > 5 && analysis.line.len() > 3);
    assert_eq!(analysis.best, Some(analysis.moves[0].step));
    assert!(analysis.moves.iter().all(|m| m.value <= analysis.value));
}

#[test]
fn moves_can_be_restricted() {
    let engine = engine(Kpe::default(), NoTables);
    let pit = |number| Step::Sow(Pit::new(number));
    let ask = |board, allowed: &[Step]| {
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        engine.analyse(board, Some(allowed), &limits, &AtomicBool::new(false), &mut |_| {})
    };
    let analysis = ask(Kpe::start(), &[pit(2)]).unwrap();
    assert_eq!((analysis.best, analysis.moves.len()), (Some(pit(2)), 1));
    let legal: Vec<Step> = (0..4).map(pit).collect();
    assert_eq!(ask(Kpe::start(), &[pit(5)]), Err(EngineError::Illegal { step: pit(5), legal: legal.clone() }));
    assert_eq!(ask(Kpe::start(), &[]), Err(EngineError::NoMoves { legal }));
    let over = ask(board([0, 0, 0, 0, 1, 2, 0, 3]), &[]).unwrap();
    assert_eq!(
        (over.value, over.source, over.distance, over.best),
        (Value(-6), Source::Rules, Some(Distance(0)), None)
    );
}
