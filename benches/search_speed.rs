//! Speed of the search: fixed depth on the positions of `kpe bench`, tables of the unlocked even layers.
//!
//! Unlike `kpe bench` it takes any number of stones, threads and memory.
//!
//! `cargo bench --bench search_speed [-- DEPTH [STONES [MIB [THREADS]]]]`, by default 20 plies, tables to 24 stones and a
//! transposition table of 64 MiB, cleared for each position. The total of nodes is a checksum of what one thread does.

use std::collections::HashMap;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::retro::{Observer, solve_pair};
use kpe::rules::kpe::Kpe;
use kpe::search::{Evaluation, Limits, MemoryTables, Setup, Step, TranspositionTable, search};
use kpe::value::Entry;

/// The unlocked layers of even numbers of stones up to `most`.
fn tables(most: u8) -> Result<MemoryTables, Box<dyn Error>> {
    let observer = Observer { stopped: &|| false, progress: &|_| {} };
    let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
    let mut tables = MemoryTables::new();
    for layer in (0..=most).step_by(2).filter_map(|stones| Layer::new(Pits::NONE, stones)) {
        for solved in solve_pair(Kpe::default(), layer, |layer| values.get(&layer).map(Vec::as_slice), &observer)? {
            let entries: Vec<Entry> = solved.entries.to_vec();
            values.insert(layer, entries.iter().map(|entry| entry.value().0).collect());
            tables.insert(layer, entries);
        }
    }
    Ok(tables)
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [depth, stones, mebibytes, threads] =
        std::array::from_fn(|i| numbers.get(i).copied().unwrap_or([20, 24, 64, 1][i]));
    let rules = Kpe::default();
    let tables = tables(stones as u8)?;
    let evaluation = Evaluation::default();
    let mut table = TranspositionTable::new((mebibytes as usize) << 20)?;
    let limits = Limits { depth: Some(depth as u8), threads: threads as usize, ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for board in kpe::bench::positions().iter().map(Position::board) {
        table.clear();
        let setup = Setup { rules, probe: &tables, table: &table, evaluation: &evaluation };
        let steps: Vec<Step> = Step::legal(&rules, board).collect();
        let start = Instant::now();
        let report = search(&setup, board, &steps, &limits, &AtomicBool::new(false), &mut |_| {});
        let report = report.ok_or("a position of the set is over")?;
        time += start.elapsed();
        nodes += report.nodes;
        let (value, kind) = report.worth.value(board.total());
        println!("{board:?} depth {} nodes {} value {value} {}", report.depth, report.nodes, kind.word());
    }
    println!(
        "{nodes} nodes, {:.2} s, {:.2} million a second",
        time.as_secs_f64(),
        nodes as f64 / time.as_secs_f64() / 1e6
    );
    Ok(())
}
