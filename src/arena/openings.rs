//! The positions that the games of a match begin with.

use std::collections::HashSet;

use crate::level::mix;
use crate::notation::Position;
use crate::record::Playing;
use crate::rules::{Game, Loops};

/// More openings than this are not listed.
pub const MOST_OPENINGS: usize = 1_000_000;
/// Games tried for each random opening that is wanted; with few plies there may not be as many.
const TRIES: usize = 100;

/// Why there are no such openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// There are too many.
    #[error(
        "more than {MOST_OPENINGS} positions are reached after {plies} plies; take fewer plies, or random openings"
    )]
    TooMany {
        /// Plies from the start.
        plies: u32,
    },
    /// Every game is over before.
    #[error("no game goes on after {plies} plies")]
    None {
        /// Plies from the start.
        plies: u32,
    },
}

/// All different positions of games that go on after so many plies, in the order of the moves that lead there.
///
/// # Errors
/// [`OpeningError`] if there are none or too many.
pub fn all(game: Game, plies: u32) -> Result<Vec<Position>, OpeningError> {
    let mut positions = vec![Position::start(game)];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let next = positions.iter().flat_map(Position::outcomes).filter(|outcome| outcome.totals.is_none());
        let fresh: Vec<Position> = next.map(|outcome| outcome.result).filter(|&result| seen.insert(result)).collect();
        if fresh.len() > MOST_OPENINGS {
            return Err(OpeningError::TooMany { plies });
        }
        positions = fresh;
    }
    if positions.is_empty() { Err(OpeningError::None { plies }) } else { Ok(positions) }
}

/// Different positions of games that go on after so many random plies, at most `count` of them and the same for the same seed.
///
/// # Errors
/// [`OpeningError::None`] if no game goes on so long.
pub fn random(game: Game, plies: u32, count: usize, seed: u64) -> Result<Vec<Position>, OpeningError> {
    let (mut positions, mut seen) = (Vec::new(), HashSet::new());
    let mut state = mix(seed);
    for _ in 0..count.saturating_mul(TRIES) {
        if positions.len() == count {
            break;
        }
        let found = walk(Position::start(game), plies, &mut state).filter(|&position| seen.insert(position));
        positions.extend(found);
    }
    if positions.is_empty() { Err(OpeningError::None { plies }) } else { Ok(positions) }
}

/// The position after a random game of so many plies; `None` if it ends before, be it by repetition.
fn walk(start: Position, plies: u32, state: &mut u64) -> Option<Position> {
    let mut playing = Playing::new(start, Loops::default());
    for _ in 0..plies {
        let moves = playing.moves();
        *state = mix(*state);
        // The high half of the product picks one of them evenly.
        let pick = (u128::from(*state) * moves.len() as u128) >> 64;
        playing.play(*moves.get(pick as usize)?).ok()?;
    }
    playing.ending().is_none().then_some(*playing.position())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Game {
        Game::named(name).unwrap()
    }

    #[test]
    fn all_openings_are_different_and_go_on() {
        let counts = [0, 1, 2, 3, 4].map(|plies| all(game("kpe"), plies).unwrap().len());
        assert_eq!(counts[..3], [1, 4, 16]);
        assert!(counts[3] <= 64 && counts[4] <= 256 && counts[4] > 100, "{counts:?}");
        assert!(all(game("gore"), 2).unwrap().iter().all(|position| position.totals().is_none()));
        assert_eq!(all(game("kpe"), 40), Err(OpeningError::TooMany { plies: 40 }));
    }

    #[test]
    fn random_openings_follow_from_the_seed() {
        let openings = |seed| random(game("kpe"), 8, 50, seed).unwrap();
        assert_eq!(openings(1), openings(1));
        assert_ne!(openings(1), openings(2));
        assert_eq!(openings(1).iter().collect::<HashSet<_>>().len(), 50);
        assert_eq!(random(game("kpe"), 1, 50, 1).unwrap().len(), 4);
        assert_eq!(random(game("kpe"), 10_000, 1, 1), Err(OpeningError::None { plies: 10_000 }));
    }
}
