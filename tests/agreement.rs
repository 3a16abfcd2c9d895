//! Two engines, one truth: what the search without tables proves is what the retrograde solver has.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::retro::{Observer, solve_pair};
use kpe::rules::Rules;
use kpe::rules::kpe::Kpe;
use kpe::search::{Evaluation, Limits, MemoryTables, NoTables, Probe, Setup, Step, TranspositionTable, search};
use kpe::value::Entry;

/// The unlocked layers with up to so many stones, solved by retrograde analysis.
fn solved(most: u8) -> MemoryTables {
    let observer = Observer { stopped: &|| false, progress: &|_| {} };
    let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
    let mut tables = MemoryTables::new();
    for stones in 0..=most {
        let layer = Layer::new(Pits::NONE, stones).unwrap();
        let pair = solve_pair(Kpe::default(), layer, |layer| values.get(&layer).map(Vec::as_slice), &observer);
        for solved in pair.unwrap() {
            let entries: Vec<Entry> = solved.entries.to_vec();
            values.insert(layer, entries.iter().map(|entry| entry.value().0).collect());
            tables.insert(layer, entries);
        }
    }
    tables
}

/// Searches positions of the layers spread evenly over their numbering, without tables, until `enough` are proven, and
/// compares every bound with the truth. At most `nodes` a position.
fn compare(truth: &impl Probe, layers: &[Layer], enough: usize, nodes: u64) -> HashMap<u8, usize> {
    let rules = Kpe::default();
    let evaluation = Evaluation::default();
    let table = TranspositionTable::new(TranspositionTable::LEAST_BYTES).unwrap();
    let setup = Setup { rules, probe: &NoTables, table: &table, evaluation: &evaluation };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut proven: HashMap<u8, usize> = HashMap::new();
    for i in 0u64.. {
        let layer = layers[i as usize % layers.len()];
        let spread = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let number = (spread * u64::from(layer.positions())) >> 32;
        let board = layer.unrank(number as u32);
        let steps: Vec<Step> = Step::legal(&rules, board).collect();
        let Some(report) = search(&setup, board, &steps, &limits, &AtomicBool::new(false), &mut |_| {}) else {
            continue;
        };
        let value = truth.value(layer, number as u32).unwrap();
        let worth = report.worth;
        assert!(worth.low <= value && value <= worth.high, "{board:?} is worth {value}, not {worth:?}");
        for m in &report.moves {
            let next = Layer::of(m.board);
            if let Some(entry) =
                rules.over(m.board).map_or_else(|| truth.value(next, next.rank(m.board)).map(|v| v.0), Some)
            {
                let value = m.captured as i8 - entry;
                assert!(m.worth.low.0 <= value && value <= m.worth.high.0, "{board:?} {:?}: {value}", m.step);
            }
        }
        *proven.entry(layer.stones()).or_default() += usize::from(worth.is_exact());
        if proven.values().sum::<usize>() >= enough {
            break;
        }
    }
    proven
}

#[test]
fn search_and_retrograde_analysis_agree() {
    let tables = solved(20);
    let layers: Vec<Layer> = (6..=20).map(|stones| Layer::new(Pits::NONE, stones).unwrap()).collect();
    let proven = compare(&tables, &layers, 2_000, 20_000);
    let mut counts: Vec<_> = proven.into_iter().collect();
    counts.sort_unstable();
    println!("{counts:?}");
    assert!(counts.len() == layers.len() && counts.iter().all(|&(_, count)| count > 0), "{counts:?}");
}
