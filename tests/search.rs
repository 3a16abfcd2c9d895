//! The search against the slow solver, and the slow solver against the counts of an independent one.

mod common;

use std::sync::atomic::AtomicBool;

use common::slow::Slow;
use common::{Random, layer};
use kpe::board::{Board, Pits};
use kpe::index::Layer;
use kpe::rules::Rules;
use kpe::rules::gore::NoTrade;
use kpe::rules::kpe::Kpe;
use kpe::search::{Budget, Evaluation, Limits, NoTables, Probe, Report, Setup, Step, TranspositionTable, search};
use kpe::value::{Kind, Value};

/// The line of `layers.tsv` for a layer, from `positions` on.
fn counts(layer: Layer, solved: &[(i8, u16)]) -> String {
    let count = |sign: i8| solved.iter().filter(|(value, _)| value.signum() == sign).count();
    let square: i64 = solved.iter().map(|&(value, _)| i64::from(value).pow(2)).sum();
    let longest = solved.iter().map(|&(_, distance)| distance).max().unwrap_or(0);
    let distances: u64 = solved.iter().map(|&(_, distance)| u64::from(distance)).sum();
    let positions = layer.positions();
    format!("{positions}\t{}\t{}\t{}\t{square}\t{longest}\t{distances}", count(1), count(0), count(-1))
}

/// Pits as `layers.tsv` writes them.
fn letters(text: &str, all: &str) -> u8 {
    text.chars().filter_map(|letter| all.find(letter)).fold(0, |set, bit| set | 1 << bit)
}

fn check_counts<R: Rules>(rules: R, game: &str, options: &str, most_stones: u8, least_lines: usize) {
    let mut slow = Slow::new(rules);
    let mut lines = 0;
    for line in include_str!("golden/layers.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.splitn(6, '\t').collect();
        if fields[..2] != [game, options] {
            continue;
        }
        let unsown = letters(fields[2], "ABCD") | letters(fields[3], "abcd") << 4;
        let layer = layer(unsown, fields[4].parse().unwrap());
        if layer.stones() <= most_stones {
            assert_eq!(counts(layer, slow.layer(layer)), fields[5], "{layer:?}");
            lines += 1;
        }
    }
    assert!(lines >= least_lines, "only {lines} layers were compared");
}

#[test]
fn the_oracle_agrees_with_an_independent_solver() {
    check_counts(Kpe::default(), "kpe", "origin=skip,unlock=same,feed=remains", 12, 60);
    check_counts(NoTrade::default(), "gore", "origin=skip,trade=off", 11, 12);
}

/// A search of one position from an empty table.
struct Case<'a, R, P> {
    rules: R,
    probe: &'a P,
    limits: Limits,
}

impl<R: Rules, P: Probe> Case<'_, R, P> {
    fn search(&self, board: Board, table: &TranspositionTable) -> Report {
        let evaluation = Evaluation::fitted();
        let setup = Setup { rules: self.rules, probe: self.probe, table, evaluation: &evaluation };
        let steps: Vec<Step> = Step::legal(&self.rules, board).collect();
        let report = search(&setup, board, &steps, &self.limits, &AtomicBool::new(false), &mut |_| {});
        report.expect("a game that goes on has a move")
    }

    /// Searches random positions of the layers and compares every bound with the truth; how many were proven.
    fn compare(&self, slow: &mut Slow<R>, layers: &[Layer], samples: usize, seed: u64) -> usize {
        let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
        let mut random = Random(seed);
        let mut exact = 0;
        for i in 0..samples {
            let layer = layers[i % layers.len()];
            let board = random.board(layer);
            if self.rules.over(board).is_some() {
                continue;
            }
            let truth = slow.layer(layer)[layer.rank(board) as usize].0;
            let report = self.search(board, &table);
            assert_sound(&self.rules, slow, board, truth, &report);
            exact += usize::from(report.worth.is_exact());
        }
        exact
    }
}

/// Everything the report claims of the position and its moves is true.
fn assert_sound<R: Rules>(rules: &R, slow: &mut Slow<R>, board: Board, truth: i8, report: &Report) {
    let within = |low: Value, high: Value, value: i8| low.0 <= value && value <= high.0;
    assert!(within(report.worth.low, report.worth.high, truth), "{board:?} is worth {truth}, not {:?}", report.worth);
    for m in &report.moves {
        let (next, captured) = m.step.play(rules, board);
        assert_eq!((next, captured, m.line[0]), (m.board, m.captured, m.step));
        let layer = Layer::of(next);
        let value = captured as i8 - slow.layer(layer)[layer.rank(next) as usize].0;
        assert!(within(m.worth.low, m.worth.high, value), "{board:?} {:?}: {value}, not {:?}", m.step, m.worth);
        if report.worth.is_exact() && m.step == report.moves[0].step {
            assert_eq!(value, truth, "{board:?}: the best move of a proven position keeps its value");
        }
    }
    let (value, kind) = report.worth.value(board.total());
    let holds = match kind {
        Kind::Exact => truth == value.0,
        Kind::AtLeast => truth >= value.0,
        Kind::AtMost => truth <= value.0,
        Kind::Estimate => true,
    };
    assert!(holds, "{board:?} is worth {truth}, not {kind:?} {value}");
}

fn limits(nodes: u64, threads: usize, lines: usize) -> Limits {
    Limits { nodes: Some(nodes), threads, lines, ..Limits::default() }
}

#[test]
fn proofs_without_tables_are_right() {
    let mut slow = Slow::new(Kpe::default());
    let layers: Vec<Layer> = (1..=10).map(|stones| layer(0, stones)).collect();
    for (threads, lines, samples) in [(1, 1, 6000), (1, 4, 2000), (2, 1, 1500)] {
        let case = Case { rules: Kpe::default(), probe: &NoTables, limits: limits(20_000, threads, lines) };
        let exact = case.compare(&mut slow, &layers, samples, 7 + threads as u64);
        println!("{threads} threads, {lines} lines: {exact} of {samples} proven");
        // Threads that share nodes by chance finish fewer proofs, how many differs from run to run.
        assert!(exact * if threads == 1 { 3 } else { 10 } > samples, "{exact} of {samples}");
    }
}

#[test]
fn proofs_with_locks_are_right() {
    let mut slow = Slow::new(Kpe::default());
    let locked = [(0x08, 1..=7), (0x10, 1..=7), (0x21, 0..=2), (0x84, 0..=2)];
    let layers = locked
        .into_iter()
        .flat_map(|(unsown, loose)| loose.map(move |loose| layer(unsown, 6 * unsown.count_ones() as u8 + loose)));
    let layers: Vec<Layer> = layers.collect();
    let case = Case { rules: Kpe::default(), probe: &NoTables, limits: limits(20_000, 1, 1) };
    let exact = case.compare(&mut slow, &layers, 3000, 3);
    println!("{exact} of 3000 proven");
    assert!(exact > 200, "{exact}");
}

#[test]
fn proofs_with_passes_are_right() {
    let mut slow = Slow::new(NoTrade::default());
    let layers: Vec<Layer> = (3..=10).map(|stones| layer(0, stones)).collect();
    let case = Case { rules: NoTrade::default(), probe: &NoTables, limits: limits(20_000, 1, 1) };
    let exact = case.compare(&mut slow, &layers, 3000, 5);
    println!("{exact} of 3000 proven");
    assert!(exact > 1000, "{exact}");
}

#[test]
fn proofs_with_tables_below_are_right() {
    let mut slow = Slow::new(Kpe::default());
    let layers: Vec<Layer> = (9..=12).map(|stones| layer(0, stones)).collect();
    for &layer in &layers {
        slow.layer(layer);
    }
    let tables = slow.tables(|layer| layer.unsown() == Pits::NONE && layer.stones() <= 8);
    let case = Case { rules: Kpe::default(), probe: &tables, limits: limits(20_000, 1, 1) };
    let exact = case.compare(&mut slow, &layers, 4000, 11);
    println!("{exact} of 4000 proven");
    assert!(exact > 2000, "{exact}");
}

#[test]
fn one_thread_with_a_node_limit_is_reproducible() {
    let board = Kpe::start();
    let run = |limits: Limits| {
        let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
        Case { rules: Kpe::default(), probe: &NoTables, limits }.search(board, &table)
    };
    for nodes in [1, 777, 50_000] {
        let report = run(limits(nodes, 1, 1));
        assert_eq!(report.nodes, nodes);
        assert_eq!(report, run(limits(nodes, 1, 1)));
    }
    let by_depth = run(Limits { depth: Some(9), ..Limits::default() });
    assert_eq!(by_depth.depth, 9);
    assert_eq!(by_depth, run(Limits { depth: Some(9), ..Limits::default() }));
    assert!(by_depth.moves[0].line.len() >= 9, "{:?}", by_depth.moves[0].line);
}

#[test]
fn the_stop_flag_ends_a_search_that_has_no_limit() {
    let rules = Kpe::default();
    let evaluation = Evaluation::fitted();
    let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
    let setup = Setup { rules, probe: &NoTables, table: &table, evaluation: &evaluation };
    let steps: Vec<Step> = Step::legal(&rules, Kpe::start()).collect();
    for threads in [1, 2] {
        let stop = AtomicBool::new(false);
        let limits = Limits { threads, ..Limits::default() };
        let mut iterations = 0;
        let mut observe = |report: &Report| {
            iterations += 1;
            assert_eq!(report.moves.len(), 4);
            stop.store(report.depth >= 7, std::sync::atomic::Ordering::Relaxed);
        };
        let report = search(&setup, Kpe::start(), &steps, &limits, &stop, &mut observe).unwrap();
        assert!(report.depth == 7 && iterations == 7, "{} {iterations}", report.depth);
    }
    let stop = AtomicBool::new(true);
    let report = search(&setup, Kpe::start(), &steps, &Limits::default(), &stop, &mut |_| {}).unwrap();
    assert_eq!((report.depth, report.nodes, report.moves.len()), (0, 0, 4));
}

#[test]
fn a_time_limit_is_kept() {
    let start = std::time::Instant::now();
    let time = std::time::Duration::from_millis(100);
    let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
    let limits = Limits { time: Some(Budget::fixed(time)), ..Limits::default() };
    Case { rules: Kpe::default(), probe: &NoTables, limits }.search(Kpe::start(), &table);
    assert!(start.elapsed() >= time && start.elapsed() < 20 * time, "{:?}", start.elapsed());
}

/// Where the opponent can come back to the root, its mover has all moves again: the bounds of every single move must say so.
#[test]
fn the_bounds_of_every_move_are_right_where_the_root_comes_up_again() {
    fn check<R: Rules>(rules: R, stones: std::ops::RangeInclusive<u8>) {
        let mut slow = Slow::new(rules);
        let mut table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
        for layer in stones.map(|stones| layer(0, stones)) {
            for number in 0..layer.positions() {
                let (board, truth) = (layer.unrank(number), slow.layer(layer)[number as usize].0);
                if rules.over(board).is_some() {
                    continue;
                }
                for depth in [8, 16] {
                    table.clear();
                    let limits = Limits { depth: Some(depth), nodes: Some(5_000), lines: 4, ..Limits::default() };
                    let report = Case { rules, probe: &NoTables, limits }.search(board, &table);
                    assert_sound(&rules, &mut slow, board, truth, &report);
                }
            }
        }
    }
    check(Kpe::default(), 1..=4);
    check(NoTrade::default(), 3..=4);
}

/// On odd boards only endless play is balanced, so a search that took no repetition for proof would prove none of these
/// positions, and one that took every repetition for proof would prove wrong values elsewhere.
#[test]
fn endless_play_is_proven_to_be_balanced() {
    let rules = Kpe::default();
    let mut slow = Slow::new(rules);
    let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
    let case = Case { rules, probe: &NoTables, limits: limits(20_000, 1, 1) };
    let (mut balanced, mut proven) = (0, 0);
    // With an odd number of stones every capture and every end is worth an odd number, so only endless play is balanced.
    for layer in [layer(0, 3), layer(0, 7)] {
        for number in 0..layer.positions() {
            let (board, truth) = (layer.unrank(number), slow.layer(layer)[number as usize].0);
            if truth == 0 && rules.over(board).is_none() {
                let report = case.search(board, &table);
                assert_sound(&rules, &mut slow, board, truth, &report);
                balanced += 1;
                proven += usize::from(report.worth.is_exact());
            }
        }
    }
    println!("{proven} of {balanced} proven");
    assert!(proven > 10, "{proven} of {balanced}");
}
