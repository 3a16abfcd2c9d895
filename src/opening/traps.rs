//! Traps: positions in which exactly one of several legal moves holds the value.
//!
//! *How likely* a position is: both players are taken for strong but fallible. On each turn a player chooses, three times out of
//! four, evenly among the moves that hold the value, and once out of four evenly among all legal moves. The likelihood of a position is
//! the probability that such a game reaches it, all ways added up.
//!
//! *The likeliest mistake* is the wrong move that captures most; where several capture as much (mostly nothing), each is as likely,
//! and the first from the left stands for them, but the *cost* is their mean. The cost of a move is the value of the position minus what
//! the move is worth, in stones. Traps are ordered by likelihood times cost, the largest first.

use serde::Serialize;

use super::levels::{Levels, side};
use super::values::{OpeningError, Valued, Values};
use crate::rules::kpe::Kpe;
use crate::value::Value;

/// Of the choices of a turn, the share made among all legal moves, sound or not.
const CARELESS: f64 = 0.25;

/// A position with a single move that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trap {
    /// Plies from the start.
    pub ply: u8,
    /// The position.
    pub position: String,
    /// A line that leads there.
    pub line: String,
    /// What the position is worth to its mover.
    pub value: i8,
    /// The move that holds.
    #[serde(rename = "move")]
    pub action: char,
    /// The likeliest mistake.
    pub mistake: char,
    /// What the likeliest mistakes cost, on the mean, in thousandths of a stone.
    pub cost_thousandths: i64,
    /// How likely the position is, in millionths.
    pub likelihood_millionths: i64,
}

/// The traps within some plies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Traps {
    /// The last ply looked at.
    pub plies: u8,
    /// Positions looked at, each ply's for itself.
    pub positions: u64,
    /// How many of them are traps.
    pub found: u64,
    /// The foremost, by likelihood times cost.
    pub traps: Vec<Trap>,
}

/// The foremost `most` traps within so many plies; the opening book suffices for nine.
///
/// # Errors
/// [`OpeningError`].
pub fn traps(values: &Values<'_>, plies: u8, most: usize) -> Result<Traps, OpeningError> {
    let levels = Levels::within(values.rules(), Kpe::start(), plies + 1);
    let mut likelihood = vec![1.0];
    let mut all: Vec<(f64, u8, usize, Found)> = Vec::new();
    let mut positions = 0;
    for ply in 0..=plies {
        let level = &levels.plies[usize::from(ply)];
        let below = &levels.plies[usize::from(ply) + 1];
        let places: hashbrown::HashMap<_, usize> =
            below.iter().enumerate().map(|(at, node)| ((node.board, node.stores[0]), at)).collect();
        let mut next = vec![0.0; below.len()];
        positions += level.len() as u64;
        for (at, node) in level.iter().enumerate() {
            let moves = values.moves(node.board)?;
            for (valued, share) in moves.iter().zip(shares(&moves)) {
                next[places[&(valued.board, node.stores[1])]] += likelihood[at] * share;
            }
            if let Some(found) = trap(&moves) {
                all.push((likelihood[at], ply, at, found));
            }
        }
        likelihood = next;
    }
    let found = all.len() as u64;
    all.sort_by(|a, b| (b.0 * b.3.cost).total_cmp(&(a.0 * a.3.cost)));
    all.truncate(most);
    let traps = all.into_iter().map(|(likelihood, ply, at, found)| Trap {
        ply,
        position: levels.plies[usize::from(ply)][at].position(values.rules(), ply).to_string(),
        line: levels.line(ply, at),
        value: found.value.0,
        action: side(ply).pit_letter(found.only.pit),
        mistake: side(ply).pit_letter(found.mistake.pit),
        cost_thousandths: (found.cost * 1000.0).round() as i64,
        likelihood_millionths: (likelihood * 1e6).round() as i64,
    });
    Ok(Traps { plies, positions, found, traps: traps.collect() })
}

/// A trap without its surroundings.
struct Found {
    value: Value,
    only: Valued,
    mistake: Valued,
    /// Stones.
    cost: f64,
}

/// How often a fallible player makes each of the moves.
fn shares(moves: &[Valued]) -> Vec<f64> {
    let best = moves.iter().map(|valued| valued.value).max().unwrap_or_default();
    let holding = moves.iter().filter(|valued| valued.value == best).count();
    let any = CARELESS / moves.len() as f64;
    let sound = (1.0 - CARELESS) / holding as f64;
    moves.iter().map(|valued| any + if valued.value == best { sound } else { 0.0 }).collect()
}

fn trap(moves: &[Valued]) -> Option<Found> {
    let best = moves.iter().map(|valued| valued.value).max()?;
    let mut holding = moves.iter().filter(|valued| valued.value == best);
    let only = *holding.next()?;
    if holding.next().is_some() || moves.len() < 2 {
        return None;
    }
    let wrong = moves.iter().filter(|valued| valued.value < best);
    let most = wrong.clone().map(|valued| valued.captured).max()?;
    let likeliest: Vec<Valued> = wrong.copied().filter(|valued| valued.captured == most).collect();
    let lost: i32 = likeliest.iter().map(|valued| i32::from(best.0) - i32::from(valued.value.0)).sum();
    let mistake = *likeliest.iter().min_by_key(|valued| valued.pit)?;
    Some(Found { value: best, only, mistake, cost: f64::from(lost) / likeliest.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Pit};

    fn valued(pit: u8, captured: u8, value: i8) -> Valued {
        Valued { pit: Pit::new(pit), captured, board: Board::default(), value: Value(value) }
    }

    #[test]
    fn the_greedy_mistake_is_the_likeliest() {
        let found = trap(&[valued(0, 0, 2), valued(1, 0, -10), valued(2, 4, -2), valued(3, 4, 0)]).unwrap();
        assert_eq!((found.only.pit, found.mistake.pit, found.cost), (Pit::new(0), Pit::new(2), 3.0));
        assert!(trap(&[valued(0, 0, 2), valued(1, 0, 2)]).is_none());
        assert!(trap(&[valued(0, 0, 2)]).is_none());
    }

    #[test]
    fn shares_add_up() {
        let shares = shares(&[valued(0, 0, 2), valued(1, 0, 2), valued(2, 0, 0), valued(3, 0, -2)]);
        assert_eq!(shares, [0.4375, 0.4375, 0.0625, 0.0625]);
    }
}
