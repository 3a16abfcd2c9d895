//! How long a probe takes: warm (the block is unpacked in the cache) and cold (it is packed and must be unpacked), and
//! how fast a layer is packed and unpacked.
//!
//! The entries are made up, with about the spread of real ones, because the work does not hang on their meaning. Each
//! name states the work; the lengths are printed so that a time can be read beside them.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kpe::board::Pits;
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::table::{BLOCK_POSITIONS, TableBuilder, TableSet};
use kpe::value::{Distance, Entry, Value};

/// Small steps of a slowly wandering value, as neighbours in a layer have; distances mostly 1 to 4.
fn entries(layer: Layer) -> Vec<Entry> {
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let reach = i64::from(layer.stones());
    let mut value = 0;
    let mut entry = || {
        if next(4) == 0 {
            value = (value + 2 * (next(7) as i64 - 3)).clamp(-reach, reach);
        }
        let distance = if value == 0 { 0 } else { 1 + next(2) * next(2) * next(8) };
        Entry::new(Value(value as i8), Distance(distance as u16))
    };
    (0..layer.positions()).map(|_| entry()).collect()
}

fn probes(c: &mut Criterion) {
    let game = Game::Kpe(Kpe::default());
    let layer = Layer::new(Pits::NONE, 24).expect("24 stones are a layer");
    let entries = entries(layer);
    let root = tempfile::tempdir().expect("a temporary directory can be made");
    let builder = TableBuilder::start(root.path(), &game).expect("a new directory is free");
    let length = builder.write_pair(&[(layer, &entries)]).expect("the layer is whole").length;
    println!("n24: {} positions, {length} bytes packed", layer.positions());

    let set = TableSet::new(&game).and_directory(root.path());
    let probe = |rank: u32| set.probe(layer, rank % layer.positions()).expect("the file is sound");
    c.bench_function("probe, block in the cache", |b| {
        let mut rank = 0;
        b.iter(|| {
            rank = (rank + 97) % BLOCK_POSITIONS;
            black_box(probe(rank))
        });
    });
    let one = TableSet::with_cache(&game, 1).and_directory(root.path());
    c.bench_function("probe, block unpacked from the file", |b| {
        let mut rank = 0u32;
        b.iter(|| {
            rank = (rank + 5 * BLOCK_POSITIONS + 97) % layer.positions();
            black_box(one.probe(layer, rank).expect("the file is sound"))
        });
    });
    c.bench_function("open a set and probe once", |b| {
        b.iter(|| {
            let set = TableSet::new(&game).and_directory(root.path());
            black_box(set.probe(layer, 1_000_000).expect("the file is sound"))
        });
    });

    let mut group = c.benchmark_group("whole layer of 24 stones");
    group.sample_size(10).throughput(Throughput::Elements(layer.positions().into()));
    let file = set.require(layer).expect("it was just written");
    group.bench_function("read_section, all threads", |b| b.iter(|| file.read_section(layer)));
    group.bench_function("verify_checksums, all threads", |b| b.iter(|| file.verify_checksums()));
    group.bench_function("write_pair, all threads, synced", |b| b.iter(|| builder.write_pair(&[(layer, &entries)])));
    group.finish();
}

/// Positions of the set in the directory `KPE_TABLES`, drawn with equal chances from all of them, so that nearly every one lies in
/// another block; the system may have the file in memory.
fn probes_of_a_set(c: &mut Criterion) {
    let Some(root) = std::env::var_os("KPE_TABLES") else { return };
    let set = TableSet::with_cache(&Game::Kpe(Kpe::default()), 1).and_directory(root);
    let layers = set.layers().expect("KPE_TABLES is a directory of tables");
    let total: u64 = layers.iter().map(|layer| u64::from(layer.positions())).sum();
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut at = ((u128::from(state) * u128::from(total)) >> 64) as u64;
        for &layer in &layers {
            match at.checked_sub(layer.positions().into()) {
                Some(rest) => at = rest,
                None => return (layer, at as u32),
            }
        }
        unreachable!("the number drawn is below the total")
    };
    let drawn: Vec<(Layer, u32)> = (0..65_536).map(|_| draw()).collect();
    println!("{} layer pairs, {total} positions of their first layers", layers.len());
    c.bench_function("cold probe of the set in KPE_TABLES", |b| {
        let mut probes = drawn.iter().cycle();
        b.iter(|| probes.next().map(|&(layer, rank)| black_box(set.probe(layer, rank).expect("the set is sound"))));
    });
}

criterion_group!(benches, probes, probes_of_a_set);
criterion_main!(benches);
