//! How fast positions are numbered and moves are played, one thread, on real positions of the unlocked layer of 24 stones
//! (and of a locked one), taken at equal steps from the whole layer.
//!
//! Each bench works through the same positions in every round; the throughput is in positions (or moves) a second, and
//! what was counted is printed, so that a change of the work is seen beside a change of the time.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kpe::board::{Board, Pits};
use kpe::index::{Layer, loose, rank, successor, unrank};
use kpe::rules::Rules;
use kpe::rules::kpe::Kpe;

/// Positions in a round.
const POSITIONS: u32 = 4096;

fn boards(layer: Layer) -> Vec<Board> {
    let step = layer.positions() / POSITIONS;
    (0..POSITIONS).map(|at| layer.unrank(at * step)).collect()
}

/// Plays every move of these boards; moves, moves that capture, and stones captured.
fn play_all(boards: &[Board]) -> [u64; 3] {
    let rules = Kpe::default();
    let mut counts = [0; 3];
    for &board in boards {
        for pit in rules.moves(board) {
            let played = rules.play(board, pit);
            black_box(played.board);
            counts[0] += 1;
            counts[1] += u64::from(played.captured > 0);
            counts[2] += u64::from(played.captured);
        }
    }
    counts
}

fn moves(c: &mut Criterion) {
    let unlocked = Layer::new(Pits::NONE, 24).expect("a layer");
    let locked = Layer::new(Pits(0x21), 48).expect("a layer");
    let mut group = c.benchmark_group("4096 positions of 24 stones");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let loose_boards: Vec<Board> = boards(unlocked).into_iter().map(loose).collect();
    group.throughput(Throughput::Elements(POSITIONS.into()));
    let sum = || loose_boards.iter().map(|&board| u64::from(rank(black_box(board)))).sum::<u64>();
    println!("rank: the numbers add up to {}", sum());
    group.bench_function("rank", |b| b.iter(sum));
    let numbers: Vec<u32> = loose_boards.iter().map(|&board| rank(board)).collect();
    group.bench_function("unrank", |b| {
        b.iter(|| numbers.iter().map(|&number| unrank(black_box(number), 24).bits()).fold(0, u64::wrapping_add));
    });
    group.bench_function("successor", |b| {
        b.iter(|| loose_boards.iter().filter(|&&board| successor(black_box(board)).is_some()).count());
    });
    group.finish();

    let mut group = c.benchmark_group("all moves of 4096 positions");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (name, layer) in [("24 stones, unlocked", unlocked), ("48 stones, A and b unsown", locked)] {
        let boards = boards(layer);
        let [moves, captures, stones] = play_all(&boards);
        println!("{name}: {moves} moves, {captures} of them capture {stones} stones");
        group.throughput(Throughput::Elements(moves));
        group.bench_function(name, |b| b.iter(|| play_all(black_box(&boards))));
    }
    group.finish();
}

criterion_group!(benches, moves);
criterion_main!(benches);
