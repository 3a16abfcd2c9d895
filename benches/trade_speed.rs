//! Speed of the search of Goré with trades: fixed depth on fixed positions of random play, one thread, the tables in the program.
//!
//! `cargo bench --bench trade_speed [-- DEPTH [TABLES [MIB]]]`, by default 12 turns, tables (none if TABLES is 0) and a
//! transposition table of 64 MiB, cleared for each position. The total of nodes is a checksum of what one thread does.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kpe::engine::{TableProbe, TradeEngine};
use kpe::rules::Game;
use kpe::rules::gore::{Gore, State, Trade};
use kpe::search::Limits;
use kpe::table::{TableSet, embedded};

/// The start and positions of random play, the same ones on every run.
fn positions(count: usize) -> Vec<State> {
    let mut seed = 12_345u64;
    let mut below = move |bound: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % bound
    };
    let gore = Gore::default();
    let mut positions = vec![Gore::start()];
    while positions.len() < count {
        let mut state = Gore::start();
        for _ in 0..2 + below(40) {
            let moves: Vec<_> = gore.moves(state).collect();
            if moves.is_empty() {
                break;
            }
            state = gore.play(state, moves[below(moves.len())]).state;
        }
        if gore.over(state).is_none() && !positions.contains(&state) {
            positions.push(state);
        }
    }
    positions
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [depth, tables, mebibytes] = std::array::from_fn(|i| numbers.get(i).copied().unwrap_or([12, 1, 64][i]));
    let without = Game::Gore(Gore { trade: Trade::Off, ..Gore::default() });
    let probe = TableProbe::new(TableSet::new(&without).and_embedded(embedded()))?;
    if tables > 0 {
        probe.unpack(64 << 20);
    }
    let mut engine = TradeEngine::new(Gore::default(), &probe, (mebibytes as usize) << 20)?;
    let limits = Limits { depth: Some(depth as u8), ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for state in positions(20) {
        engine.clear();
        let start = Instant::now();
        let analysis = engine.analyse(state, &[], None, &limits, &AtomicBool::new(false), &mut |_| ())?;
        time += start.elapsed();
        nodes += analysis.nodes;
        println!(
            "{:?} stores {} {} offered {:08b} nodes {} value {} {} {:?}",
            state.board,
            state.own_store,
            state.other_store,
            state.offered.0,
            analysis.nodes,
            analysis.value,
            analysis.kind.word(),
            analysis.best
        );
    }
    let seconds = time.as_secs_f64();
    println!("{nodes} nodes, {seconds:.2} s, {:.2} million a second", nodes as f64 / seconds / 1e6);
    Ok(())
}
