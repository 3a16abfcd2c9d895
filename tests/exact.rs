//! The solver of finite graphs against the layered solver, and the search with trades against the solver of finite graphs.

mod common;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use common::{Random, layer};
use kpe::board::{Board, PITS, Pits};
use kpe::exact::{BoardGame, Solution, Stored, solve};
use kpe::index::Layer;
use kpe::retro::{Observer, solve_pair};
use kpe::rules::gore::{Gore, NoTrade, State};
use kpe::rules::kpe::{Feed, Kpe, Unlock};
use kpe::rules::{Move, Rules};
use kpe::search::trade::{TradeReport, TradeSetup, TradeTable, search_trades};
use kpe::search::{Limits, NoTables};
use kpe::value::{Kind, Value};

/// Layers without locks up to `most` stones, by both solvers.
fn compare<R: Rules>(rules: R, most: u8) {
    let observer = Observer { stopped: &|| false, progress: &|_| {} };
    let mut layers: HashMap<Layer, Vec<i8>> = HashMap::new();
    let mut compared = 0;
    for layer in (0..=most).map(|stones| layer(0, stones)) {
        let solved = solve_pair(rules, layer, |layer| layers.get(&layer).map(Vec::as_slice), &observer).unwrap();
        let values: Vec<i8> = solved[0].entries.iter().map(|entry| entry.value().0).collect();
        let boards = (0..layer.positions()).map(|number| layer.unrank(number));
        let roots: Vec<Stored> = boards.map(|board| Stored { board, stores: [0, 0] }).collect();
        let solution = solve(&BoardGame(rules), roots.iter().copied(), 1 << 20).unwrap();
        for (&root, &value) in roots.iter().zip(&values) {
            assert_eq!(solution.values(root), Some((Value(value), Value(value))), "{root:?}");
            compared += 1;
        }
        layers.insert(layer, values);
    }
    assert!(compared > 1000);
}

#[test]
fn both_solvers_agree_on_layers() {
    compare(Kpe::default(), 8);
    compare(Kpe { feed: Feed::Sown, unlock: Unlock::Next, ..Kpe::default() }, 6);
    compare(NoTrade::default(), 8);
}

/// All that can be reached in the game with trades from a few positions with so many stones in all.
fn universe(gore: Gore, roots: &[([u8; PITS], u8, [u8; 2])], most: usize) -> Solution<State> {
    let roots = roots.iter().map(|&(pits, owned, [own_store, other_store])| State {
        board: Board::new(pits, Pits(owned)),
        own_store,
        other_store,
        offered: Pits::NONE,
    });
    solve(&gore, roots, most).unwrap()
}

/// A search of a position from whatever is in the table.
fn search(gore: Gore, table: &TradeTable, state: State, limits: &Limits) -> TradeReport {
    let setup = TradeSetup { gore, probe: &NoTables, table, earlier: &[] };
    let moves: Vec<Move> = gore.moves(state).collect();
    let report = search_trades(&setup, state, &moves, limits, &AtomicBool::new(false), &mut |_| {});
    report.expect("a game that goes on has a move")
}

/// Everything the report claims of the position and its moves is true; whether it claims an exact value.
fn assert_sound(gore: Gore, solution: &Solution<State>, state: State, report: &TradeReport) -> bool {
    let (low, high) = solution.values(state).unwrap();
    let worth = report.worth;
    assert!(worth.low <= low && high <= worth.high, "{state:?} is worth {low} to {high}, not {worth:?}");
    for m in &report.moves {
        assert_eq!(gore.play(state, m.step).state, m.board);
        let (low, high) = solution.values(m.board).unwrap();
        let (low, high) = if m.step.is_answer() { (low, high) } else { (-high, -low) };
        assert!(
            m.worth.low <= low && high <= m.worth.high,
            "{state:?} {:?}: {low} to {high}, not {:?}",
            m.step,
            m.worth
        );
        if worth.is_exact() && m.step == report.moves[0].step {
            assert_eq!((low, high), (worth.low, worth.low), "{state:?}: the best move keeps a proven value");
        }
    }
    if worth.is_exact() {
        assert_eq!(worth.value_within(worth.low, worth.high).1, Kind::Exact);
    }
    worth.is_exact()
}

/// Searches `samples` positions of a universe; how many it proves, in how many its estimate has not the wrong sign, of all.
fn check(gore: Gore, solution: &Solution<State>, samples: usize, limits: &Limits) -> [usize; 3] {
    let table = TradeTable::new(1 << 22).unwrap();
    let mut random = Random(samples as u64);
    let mut counts = [0; 3];
    while counts[2] < samples {
        let state = solution.nodes()[random.below(solution.nodes().len() as u32) as usize];
        if gore.over(state).is_some() {
            continue;
        }
        let report = search(gore, &table, state, limits);
        let (low, high) = solution.values(state).unwrap();
        counts[0] += usize::from(assert_sound(gore, solution, state, &report));
        let score = report.worth.score.signum() as i8;
        counts[1] += usize::from((low.0.signum()..=high.0.signum()).contains(&score) || score == 0);
        counts[2] += 1;
    }
    counts
}

/// A universe in which pits are bought and sold. A pit costs six stones and the game needs a pit of three to go on, so
/// nine stones, six of them captured, are the fewest with trades.
#[test]
fn proofs_of_the_search_with_trades_are_right() {
    let gore = Gore::default();
    let start = std::time::Instant::now();
    let solution = universe(gore, &[([3, 0, 0, 0, 0, 0, 0, 0], 0x0f, [0, 6])], 6_000_000);
    let owners: std::collections::HashSet<u8> = solution.nodes().iter().map(|state| state.owned().0).collect();
    println!(
        "{} positions, {} sets of owners, {} undecided, {:.1} s",
        solution.nodes().len(),
        owners.len(),
        solution.undecided(),
        start.elapsed().as_secs_f64()
    );
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let counts = check(gore, &solution, 3000, &limits);
    println!("{counts:?}");
    assert!(owners.len() > 200 && counts[0] > 2000, "few trades or proofs: {} {counts:?}", owners.len());
    assert!(counts[1] * 100 >= counts[2] * 98, "estimates of the wrong sign: {counts:?}");
    let threads = Limits { nodes: Some(20_000), threads: 2, lines: 3, ..Limits::default() };
    check(gore, &solution, 500, &threads);
}

/// How large universes with trades get: `cargo test --release --test exact -- --ignored --nocapture larger`
#[test]
#[ignore = "takes minutes and gigabytes"]
fn larger_universes() {
    for stores in [[0, 6], [0, 7], [1, 6], [0, 8], [2, 6]] {
        let start = std::time::Instant::now();
        let gore = Gore::default();
        let solution = universe(gore, &[([3, 0, 0, 0, 0, 0, 0, 0], 0x0f, stores)], 40_000_000);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{stores:?}: {} positions, {} undecided, {seconds:.1} s",
            solution.nodes().len(),
            solution.undecided()
        );
        let counts = check(gore, &solution, 2000, &Limits { nodes: Some(20_000), ..Limits::default() });
        println!("{counts:?}");
    }
}
