//! Matches: two contestants play many games from the same openings, and what that says about their strength.
//!
//! Every opening is played twice, each contestant once as South; the two games are one sample, as they depend on each other.
//! A [`Contestant`] is a level of this program or another program that speaks the protocol. Nothing here prints; an observer hears of
//! every game.

pub mod adjudication;
pub mod contestant;
pub mod external;
pub mod game;
pub mod openings;
mod schedule;
pub mod score;
mod tally;
#[cfg(test)]
mod trials;

pub use adjudication::Adjudication;
pub use contestant::{Allowance, Contestant, Fault, Internal};
pub use external::{External, StartError};
pub use game::{Conduct, GameRecord, Result, Verdict};
pub use openings::OpeningError;
pub use schedule::{ArenaError, Maker, Match, Observer, Outcome, play_match};
pub use score::{Elo, Score, Sprt, SprtState};
pub use tally::{Reasons, Tally};
