//! How fast a layer is solved, one thread: the unlocked layer of 20 stones, from the values of the layers below it.
//!
//! The solver tells how far its first step, the exits, has come; what it takes after the last such word is the second,
//! saturation. So one run gives both times, and the parts add up to the whole. Packing and unpacking work on the same
//! entries, real ones, in blocks as the files have them.

use std::cell::Cell;
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kpe::board::Pits;
use kpe::index::Layer;
use kpe::retro::{Observer, SolvedLayer, solve_pair};
use kpe::rules::kpe::Kpe;
use kpe::rules::{Game, Layered};
use kpe::table::codec::{Codec, train};
use kpe::table::{BLOCK_POSITIONS, Statistics};
use kpe::value::Entry;

const STONES: u8 = 20;

fn layer(stones: u8) -> Layer {
    Layer::new(Pits::NONE, stones).expect("a layer")
}

/// Values of the layers solved so far.
type Values = HashMap<Layer, Vec<i8>>;

/// Solves a layer; the time its exits took and the time after that.
fn solve(layer: Layer, values: &Values) -> (SolvedLayer, Duration, Duration) {
    let begun = Instant::now();
    let exits_done = Mutex::new(begun);
    let told = |_| *exits_done.lock().expect("no thread panics") = Instant::now();
    let observer = Observer { stopped: &|| false, progress: &told };
    let find = |child: Layer| values.get(&child).map(Vec::as_slice);
    let solved = solve_pair(Kpe::default(), layer, find, &observer).expect("a small layer is solved");
    let (end, exits_done) = (Instant::now(), *exits_done.lock().expect("no thread panics"));
    let only = solved.into_iter().next().expect("a symmetric layer is one");
    (only, exits_done - begun, end - exits_done)
}

/// The values of all layers below.
fn below(stones: u8) -> Values {
    let mut values = Values::new();
    for stones in (0..stones).step_by(2) {
        let solved = solve(layer(stones), &values).0;
        values.insert(layer(stones), solved.entries.iter().map(|entry| entry.value().0).collect());
    }
    values
}

fn solving(c: &mut Criterion) {
    let values = below(STONES);
    let layer = layer(STONES);
    let (solved, ..) = solve(layer, &values);
    let counts = Statistics::of(&solved.entries);
    println!("{STONES} stones, unlocked: {} positions, {counts:?}", layer.positions());
    let mut group = c.benchmark_group("unlocked layer of 20 stones");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(layer.positions().into()));
    for (name, part) in [("exits", 0), ("saturation", 1), ("exits and saturation", 2)] {
        group.bench_function(name, |b| {
            b.iter_custom(|rounds| {
                let took = Cell::new(Duration::ZERO);
                for _ in 0..rounds {
                    let (solved, exits, saturation) = solve(layer, &values);
                    black_box(&solved.entries);
                    took.set(took.get() + [exits, saturation, exits + saturation][part]);
                }
                took.get()
            });
        });
    }
    packing(&mut group, layer, &solved.entries);
    group.finish();
}

fn packing(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    layer: Layer,
    entries: &[Entry],
) {
    let rules: Layered = Game::Kpe(Kpe::default()).layered().expect("Kpé is solved by layers");
    let size = BLOCK_POSITIONS as usize;
    let parameters = train(rules, layer, entries, size);
    let codec = Codec::new(rules, layer, &parameters).expect("parameters that were just made");
    let pack = || -> Vec<Vec<u8>> {
        (0..).step_by(size).zip(entries.chunks(size)).map(|(first, block)| codec.encode_block(first, block)).collect()
    };
    let packed = pack();
    let bytes: usize = packed.iter().map(Vec::len).sum();
    let bits = 8.0 * bytes as f64 / entries.len() as f64;
    let (blocks, model) = (packed.len(), parameters.len());
    println!("packed: {blocks} blocks, {bytes} bytes and {model} of parameters, {bits:.3} bits a position");
    group.bench_function("train the packing", |b| b.iter(|| train(rules, layer, black_box(entries), size)));
    group.bench_function("pack", |b| b.iter(pack));
    group.bench_function("unpack", |b| {
        let mut unpacked = vec![Entry::default(); size];
        b.iter(|| {
            for (first, block) in (0..).step_by(size).zip(&packed) {
                let positions = entries.len().min(first + size) - first;
                codec
                    .decode_block(first as u32, (block, positions), &mut unpacked[..positions])
                    .expect("a sound block");
            }
        });
    });
}

criterion_group!(benches, solving);
criterion_main!(benches);
