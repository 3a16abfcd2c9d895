//! Fits the weights of the evaluation to exact values: `cargo run --release --example fit -- TABLES [PLIES] [SEED]`.
//!
//! Games start from the beginning and are played by players who choose a perfect move or, with a chance that differs from
//! game to game, any move; every move of every position met is a sample: the board after it and its exact value from the
//! complete tables in the directory TABLES. Positions that the embedded tables cover are left out. For each range of stones a
//! ridge regression (conjugate gradients on the normal equations) gives one weight for each pit and content and one for
//! the move. The result is printed as the text of `src/search/weights.txt`; what is learned about it goes to standard error.

use std::collections::HashMap;
use std::error::Error;

use kpe::board::{Board, PITS};
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::search::{Step, WEIGHT_UNITS};
use kpe::table::TableSet;

/// Where ranges of stones begin.
const RANGES: [u8; 7] = [0, 30, 34, 38, 42, 46, 48];
/// Features: each pit with each content, and the move.
const FEATURES: usize = PITS * 256 + 1;
/// Pull of every weight towards nothing.
const RIDGE: f64 = 20.0;

/// A board after a move and its value for the player to move there.
struct Sample {
    board: Board,
    value: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let root = arguments.get(1).ok_or("which directory holds the tables?")?;
    let plies: usize = arguments.get(2).map_or(Ok(200_000), |text| text.parse())?;
    let seed: u64 = arguments.get(3).map_or(Ok(1), |text| text.parse())?;
    let set = TableSet::new(&Game::Kpe(Kpe::default())).and_directory(root);
    let samples = play(&set, plies, &mut Random(seed))?;
    println!(
        "# Weights of the evaluation, made by `cargo run --release --example fit -- TABLES {plies} {seed}`: first"
    );
    println!("# stones of a range, then for the move and for each pit (0-3 the mover's) the contents that occur, as");
    println!("# content:weight in 64ths of a stone; contents of 128 and more are those of a pit not yet sown from.");
    for (at, &first) in RANGES.iter().enumerate() {
        let end = RANGES.get(at + 1).copied().unwrap_or(49);
        let inside: Vec<&Sample> = samples.iter().filter(|s| (first..end).contains(&s.board.total())).collect();
        let weights = fit(&inside);
        let error = rms(inside.iter().map(|sample| sample.value - predict(&weights, sample.board)));
        let spread = rms(inside.iter().map(|sample| sample.value));
        eprintln!("{first}-{} stones: {} samples, spread {spread:.3}, error {error:.3}", end - 1, inside.len());
        print(first, &weights);
    }
    Ok(())
}

/// The positions after every move of so many positions of games.
fn play(set: &TableSet, plies: usize, random: &mut Random) -> Result<Vec<Sample>, Box<dyn Error>> {
    let rules = Kpe::default();
    let mut samples: HashMap<Board, f64> = HashMap::new();
    let mut met = 0;
    while met < plies {
        let mut board = Kpe::start();
        let wild = [0.05, 0.2, 0.4, 0.7][random.below(4)];
        for _ in 0..120 {
            let mut moves = Vec::new();
            for step in Step::legal(&rules, board) {
                let (child, captured) = step.play(&rules, board);
                let layer = Layer::of(child);
                let value = set.require(layer)?.probe(layer, layer.rank(child))?.value().0;
                if layer.stones() > 24 || !layer.unsown().is_empty() {
                    samples.insert(child, f64::from(value));
                }
                moves.push((captured as i8 - value, child));
            }
            met += 1;
            let Some(best) = moves.iter().map(|&(value, _)| value).max() else { break };
            if random.fraction() >= wild {
                moves.retain(|&(value, _)| value == best);
            }
            board = moves[random.below(moves.len())].1;
            if board.total() <= 24 && board.flags().is_empty() {
                break;
            }
        }
    }
    let mut samples: Vec<Sample> = samples.into_iter().map(|(board, value)| Sample { board, value }).collect();
    samples.sort_by_key(|sample| sample.board);
    Ok(samples)
}

/// The features of a board that are 1; all others are 0.
fn features(board: Board) -> [usize; PITS + 1] {
    let lanes = board.bits().to_le_bytes();
    std::array::from_fn(|at| if at < PITS { at * 256 + usize::from(lanes[at]) } else { FEATURES - 1 })
}

fn predict(weights: &[f64], board: Board) -> f64 {
    features(board).iter().map(|&at| weights[at]).sum()
}

/// The weights with the least squared error, pulled towards nothing a little.
fn fit(samples: &[&Sample]) -> Vec<f64> {
    let apply = |weights: &[f64]| {
        let mut out: Vec<f64> = weights.iter().map(|weight| weight * RIDGE).collect();
        for sample in samples {
            let sum = predict(weights, sample.board);
            features(sample.board).iter().for_each(|&at| out[at] += sum);
        }
        out
    };
    let mut rest = vec![0.0; FEATURES];
    for sample in samples {
        features(sample.board).iter().for_each(|&at| rest[at] += sample.value);
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut weights = vec![0.0; FEATURES];
    let mut direction = rest.clone();
    let mut size = dot(&rest, &rest);
    for _ in 0..60 {
        if size < 1e-9 {
            break;
        }
        let image = apply(&direction);
        let step = size / dot(&direction, &image);
        weights.iter_mut().zip(&direction).for_each(|(weight, d)| *weight += step * d);
        rest.iter_mut().zip(&image).for_each(|(rest, i)| *rest -= step * i);
        let next = dot(&rest, &rest);
        direction.iter_mut().zip(&rest).for_each(|(d, rest)| *d = rest + next / size * *d);
        size = next;
    }
    weights
}

fn rms(errors: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = errors.fold((0.0, 0), |(sum, count), error| (sum + error * error, count + 1));
    (sum / f64::from(count.max(1))).sqrt()
}

fn print(first: u8, weights: &[f64]) {
    let units = |weight: f64| (weight * f64::from(WEIGHT_UNITS)).round() as i16;
    println!("stones {first}");
    println!("move {}", units(weights[FEATURES - 1]));
    for pit in 0..PITS {
        let row =
            (0..256).map(|content| (content, units(weights[pit * 256 + content]))).filter(|&(_, weight)| weight != 0);
        let row: Vec<String> = row.map(|(content, weight)| format!("{content}:{weight}")).collect();
        println!("pit {pit} {}", row.join(" "));
    }
}

/// Steele, Lea and Flood's splittable generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
