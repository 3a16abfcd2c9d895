//! A game being played: its moves so far, and how it ends when it comes back to itself (RULES 2.6, 3.6); and its record
//! as text ([`Record`], [`Records`]; `RECORDS.md` describes the text).
//!
//! A [`Position`] knows the rules that need no memory. [`Playing`] adds the memory: which positions there have been,
//! who declined an offer, and why the game is over. It decides results of actual play only; tables and search have their own
//! convention for endless lines.
//!
//! ```
//! use kpe_core::notation::Position;
//! use kpe_core::record::{Playing, Reason};
//! use kpe_core::rules::{Game, Loops};
//!
//! let start = Position::parse("0-0-0-1-1-0-0-0-23-23-S", Game::parse("kpe", "")?)?;
//! let mut playing = Playing::new(start, Loops::Split);
//! playing.play_text("D")?;
//! let ending = playing.ending().expect("two stones are captured and North has none left");
//! assert_eq!((ending.reason, ending.to_string().as_str()), (Reason::Rules, "25-23, South wins"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod game;
mod read;
mod said;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

use std::collections::HashSet;
use std::fmt;

pub use error::{RecordError, RecordProblem};
pub use game::{Award, GameResult, Note, Record};
pub use read::Records;

use crate::notation::{Move, MoveText, ParseError, Position, Side};
use crate::rules::{Game, Loops};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// By the rules of the position: nobody to move on (RULES 2.5), nothing left to sow (RULES 3.5).
    Rules,
    /// It came back to a position it had had (RULES 2.6, 3.6).
    Repetition,
}

impl Reason {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Repetition => "repetition",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ending {
    /// Why it is over.
    pub reason: Reason,
    /// South's and North's totals in *half* stones: an odd rest is shared in halves.
    pub halves: [u8; 2],
    /// Whether the winner declined an offer during the game: a "victory without glory" (RULES 3.7).
    pub without_glory: bool,
}

impl Ending {
    /// The winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        let [south, north] = self.halves;
        (south != north).then_some(if south > north { Side::South } else { Side::North })
    }

    /// The totals of South and North as people write them: `24`, `23½`.
    #[must_use]
    pub fn totals(&self) -> [String; 2] {
        self.halves.map(|halves| {
            let half = if halves % 2 == 0 { "" } else { "½" };
            if halves == 1 { half.to_owned() } else { format!("{}{half}", halves / 2) }
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [south, north] = self.totals();
        match self.winner() {
            Some(side) => write!(f, "{south}-{north}, {side} wins")?,
            None => write!(f, "{south}-{north}, a draw")?,
        }
        f.write_str(if self.without_glory { ", a victory without glory" } else { "" })
    }
}

/// A move that was made, by whom, and what it captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Made {
    /// The player.
    pub side: Side,
    /// The move, from his view.
    pub action: Move,
    /// Stones captured.
    pub captured: u8,
}

impl Made {
    /// The text of the move.
    #[must_use]
    pub const fn text(self) -> MoveText {
        self.action.text(self.side)
    }
}

/// A game being played, from its start or a position set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Playing {
    start: Position,
    loops: Loops,
    position: Position,
    made: Vec<Made>,
    /// Positions there have been. In Kpé a capture changes a store for good, so what was before one never comes again
    /// and need not be forgotten; in Goré it must not be (RULES 3.6).
    seen: HashSet<Position>,
    /// South and North: whether he declined an offer.
    declined: [bool; 2],
    ending: Option<Ending>,
}

impl Playing {
    /// A game that begins here; it may be over at once.
    #[must_use]
    pub fn new(start: Position, loops: Loops) -> Self {
        let mut playing = Self {
            start,
            loops,
            position: start,
            made: Vec::new(),
            seen: HashSet::from([start]),
            declined: [false; 2],
            ending: None,
        };
        playing.ending = start.totals().map(|totals| playing.end(Reason::Rules, totals.map(|stones| 2 * stones)));
        playing
    }

    /// The game and its options.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.start.game()
    }

    /// What happens to the stones left when the game repeats itself.
    #[must_use]
    pub const fn loops(&self) -> Loops {
        self.loops
    }

    /// Where the game began.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Where it is now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made.
    #[must_use]
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// The positions there were before this one, in order.
    #[must_use]
    pub fn earlier(&self) -> Vec<Position> {
        let mut position = self.start;
        let mut earlier = Vec::with_capacity(self.made.len());
        for made in &self.made {
            earlier.push(position);
            // It was legal once and is so again.
            let Ok(outcome) = position.play(made.action) else { break };
            position = outcome.result;
        }
        earlier
    }

    /// How the game ended; `None` while it goes on.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The moves a player may make: none once the game is over, be it by repetition.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        if self.ending.is_some() { Vec::new() } else { self.position.moves() }
    }

    /// Whether the game would be over by repetition if it came to this position.
    #[must_use]
    pub fn has_been(&self, position: &Position) -> bool {
        self.seen.contains(position)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// [`PlayError`] if the game is over or the move is not legal; the game is as before.
    pub fn play(&mut self, action: Move) -> Result<Made, PlayError> {
        self.check_going_on()?;
        let outcome = self.position.play(action).map_err(|reason| PlayError::Illegal { reason })?;
        let side = self.position.side();
        let made = Made { side, action, captured: outcome.captured };
        self.made.push(made);
        self.declined[side as usize] |= action == Move::Decline;
        self.position = outcome.result;
        let is_new = self.seen.insert(outcome.result);
        // Rule 5 comes before rule 6.
        self.ending = match outcome.totals {
            Some(totals) => Some(self.end(Reason::Rules, totals.map(|stones| 2 * stones))),
            None if is_new => None,
            None => Some(self.end(Reason::Repetition, self.share())),
        };
        Ok(made)
    }

    /// Makes the move that this text means here.
    ///
    /// # Errors
    /// As [`Playing::play`], and if the text is no move.
    pub fn play_text(&mut self, text: &str) -> Result<Made, PlayError> {
        self.check_going_on()?;
        let action = self.position.parse_move(text)?;
        self.play(action)
    }

    /// Takes the last move back; what it was, if there was one.
    pub fn take_back(&mut self) -> Option<Made> {
        let last = self.made.pop()?;
        let mut again = Self::new(self.start, self.loops);
        for made in &self.made {
            // They were legal once and are so again.
            again.play(made.action).ok()?;
        }
        *self = again;
        Some(last)
    }

    fn check_going_on(&self) -> Result<(), PlayError> {
        self.ending.map_or(Ok(()), |ending| Err(PlayError::Over { ending }))
    }

    /// The totals in half stones if the rest is shared because the game repeats itself.
    fn share(&self) -> [u8; 2] {
        let stores = self.position.stores();
        let rest = match self.loops {
            Loops::Split => [self.position.board().total(); 2],
            Loops::Own => self.position.stones_owned().map(|stones| 2 * stones),
        };
        [2 * stores[0] + rest[0], 2 * stores[1] + rest[1]]
    }

    fn end(&self, reason: Reason, halves: [u8; 2]) -> Ending {
        let mut ending = Ending { reason, halves, without_glory: false };
        ending.without_glory = ending.winner().is_some_and(|side| self.declined[side as usize]);
        ending
    }
}

/// Why a move was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over ({ending}), no more moves are made")]
    Over {
        /// How it ended.
        ending: Ending,
    },
    /// The text is no legal move.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// The move is not legal.
    #[error("illegal move: {reason}")]
    Illegal {
        /// Why.
        reason: crate::notation::IllegalMove,
    },
}
