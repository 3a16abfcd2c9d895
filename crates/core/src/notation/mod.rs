//! Positions and moves as people see them, and their text (RULES 1).
//!
//! Inside the program a board is seen from the mover and knows nothing else. A [`Position`] adds what a person
//! asks for: whose turn it is, both stores, and in Goré who owns which pit and what has been offered. This module
//! is the only place that knows South and North.
//!
//! ```
//! use kpe_core::notation::Position;
//! use kpe_core::rules::Game;
//!
//! let game = Game::parse("kpe", "")?;
//! let position = Position::parse("6-12-2-8-0-0-0-0-1-19-S", game)?;
//! let outcome = position.play(position.parse_move("b")?)?;
//! assert_eq!((outcome.captured, outcome.result.to_string().as_str()), (6, "7-0-4-10-0-0-0-1-7-19-N"));
//!
//! let error = Position::parse("6-12-02-8-0-0-0-0-1-19-S", game).unwrap_err();
//! assert_eq!(error.to_string(), "found \"02\", expected a number without leading zeros");
//! assert_eq!(error.caret("6-12-02-8-0-0-0-0-1-19-S"), "6-12-02-8-0-0-0-0-1-19-S\n     ^^");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod error;
mod moves;
mod position;
mod read;
#[cfg(test)]
mod tests;

pub use crate::rules::Move;
pub use error::{IllegalMove, IllegalOffer, ParseError, Problem, SetupError};
pub use moves::MoveText;
pub use position::{Outcome, Position, Sowing};

use std::fmt;

use crate::board::{PITS, Pit, Pits};

/// The letters of the pits in the order of sowing: South's from his left, then North's from his.
const LETTERS: [char; PITS] = ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'];

/// A player, named by his place at the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Sits below, owns the pits A to D at the start and moves first.
    South,
    /// Sits above, owns the pits a to d at the start.
    North,
}

impl Side {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }

    /// The letter of a pit that this player, being the mover, numbers so.
    #[must_use]
    pub const fn pit_letter(self, pit: Pit) -> char {
        LETTERS[self.pit(pit).index()]
    }

    /// The letters of a set of pits that this player numbers so, in the order ABCDabcd.
    #[must_use]
    pub fn pit_letters(self, pits: Pits) -> String {
        self.pits(pits).into_iter().map(|pit| LETTERS[pit.index()]).collect()
    }

    /// The pit with this letter, as this player numbers it; `None` if the letter names no pit.
    #[must_use]
    pub fn pit_named(self, letter: char) -> Option<Pit> {
        let number = LETTERS.iter().position(|&known| known == letter)?;
        Some(self.pit(Pit::new(number as u8)))
    }

    /// From South's numbering of a pit to this player's, or back.
    const fn pit(self, pit: Pit) -> Pit {
        match self {
            Self::South => pit,
            Self::North => pit.opposite_view(),
        }
    }

    /// From South's numbering of pits to this player's, or back.
    const fn pits(self, pits: Pits) -> Pits {
        match self {
            Self::South => pits,
            Self::North => pits.rotate(),
        }
    }

    /// Exchanges the two items if this player is North: from (mover, opponent) to (South, North), or back.
    const fn order<T: Copy>(self, pair: [T; 2]) -> [T; 2] {
        match self {
            Self::South => pair,
            Self::North => [pair[1], pair[0]],
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::South => "South",
            Self::North => "North",
        })
    }
}
