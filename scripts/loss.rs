//! How much the engine gives away: `cargo run --release --example loss -- TABLES POSITIONS LIMIT [SEED]`.
//!
//! LIMIT is time a move such as `100ms`, or nodes such as `200000n`. The positions come from games of good players, who
//! miss the best move once in ten or twenty times; positions that the embedded tables cover are left out, since there
//! the engine is perfect. The engine sees the embedded tables only, on one thread, and starts each position afresh; what
//! its move loses against the best is read from the complete tables in the directory TABLES.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kpe::board::Board;
use kpe::engine::{Engine, TableProbe};
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::search::{Budget, Limits, Step};
use kpe::table::{TableSet, embedded};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, root, positions, limit, ..] = &arguments[..] else { return Err("TABLES POSITIONS LIMIT [SEED]".into()) };
    let count: usize = positions.parse()?;
    let seed: u64 = arguments.get(4).map_or(Ok(1), |text| text.parse())?;
    let limits = match limit.strip_suffix("ms") {
        Some(text) => Limits { time: Some(Budget::fixed(Duration::from_millis(text.parse()?))), ..Limits::default() },
        None => Limits { nodes: Some(limit.trim_end_matches('n').parse()?), ..Limits::default() },
    };
    let game = Game::Kpe(Kpe::default());
    let truth = TableSet::new(&game).and_directory(root);
    let boards = positions_of_games(&truth, count, seed)?;
    let probe = TableProbe::new(TableSet::new(&game).and_embedded(embedded()))?;
    probe.unpack(64 << 20);
    let mut engine = Engine::new(Kpe::default(), &probe, 64 << 20)?;
    let (mut lost, mut wrong, mut nodes) = (0, 0, 0);
    let begin = Instant::now();
    for &board in &boards {
        engine.clear();
        let analysis = engine.analyse(board, None, &limits, &AtomicBool::new(false), &mut |_| ())?;
        nodes += analysis.nodes;
        let values = worth(&truth, board)?;
        let best = values.iter().map(|&(_, value)| value).max().unwrap_or(0);
        let chosen = values.iter().find(|&&(step, _)| Some(step) == analysis.best).map_or(best, |&(_, value)| value);
        lost += i64::from(best - chosen);
        wrong += usize::from(best > chosen);
    }
    let count = boards.len() as f64;
    println!(
        "{} positions, {limit} a move: {:.4} stones lost a move, {:.2} % of moves lose something, {:.0} nodes a move, {:.1} s",
        boards.len(),
        lost as f64 / count,
        100.0 * wrong as f64 / count,
        nodes as f64 / count,
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Every move of a position and its exact value for the mover.
fn worth(set: &TableSet, board: Board) -> Result<Vec<(Step, i8)>, Box<dyn Error>> {
    let rules = Kpe::default();
    let mut moves = Vec::new();
    for step in Step::legal(&rules, board) {
        let (child, captured) = step.play(&rules, board);
        let layer = Layer::of(child);
        moves.push((step, captured as i8 - set.require(layer)?.probe(layer, layer.rank(child))?.value().0));
    }
    Ok(moves)
}

/// Positions of games of good players, one in three of those met.
fn positions_of_games(set: &TableSet, count: usize, seed: u64) -> Result<Vec<Board>, Box<dyn Error>> {
    let rules = Kpe::default();
    let mut state = seed;
    let mut random = move |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % limit as u64) as usize
    };
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Kpe::start();
        let one_in = 10 + 10 * random(2);
        for _ in 0..80 {
            let moves = worth(set, board)?;
            let Some(best) = moves.iter().map(|&(_, value)| value).max() else { break };
            if board.total() <= 24 && board.flags().is_empty() {
                break;
            }
            if boards.len() < count && moves.len() > 1 && random(3) == 0 {
                boards.push(board);
            }
            let good: Vec<_> = moves.iter().filter(|&&(_, value)| random(one_in) == 0 || value == best).collect();
            board = good[random(good.len())].0.play(&rules, board).0;
        }
    }
    Ok(boards)
}
