//! Who plays in a match.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::echo::quoted;
use crate::notation::Move;
use crate::player::{Player, PlayerError};
use crate::record::Playing;
use crate::search::{Budget, Clock, Limits};
use crate::value::Value;

/// What a contestant may spend on a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Allowance {
    /// Time for every move.
    pub time: Option<Duration>,
    /// Clocks of South and North.
    pub clocks: Option<[Clock; 2]>,
    /// Plies.
    pub depth: Option<u8>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// A move and what its maker says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move.
    pub action: Move,
    /// What he thinks he will still take more than the other, in stones, if he says so.
    pub value: Option<Value>,
}

/// Why a contestant made no move; it loses him the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// He named a move that is not legal.
    #[error("illegal move {}", quoted(found))]
    Illegal {
        /// What he named.
        found: String,
    },
    /// He gave no answer in time.
    #[error("no answer")]
    Silent,
    /// His clock ran out.
    #[error("time forfeit")]
    Time,
    /// He ended, or could not be spoken to.
    #[error("gone: {0}")]
    Gone(String),
}

impl Fault {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Illegal { .. } => "illegal-move",
            Self::Silent => "no-answer",
            Self::Time => "time",
            Self::Gone(_) => "crash",
        }
    }
}

/// Somebody who plays games, one at a time.
pub trait Contestant: Send {
    /// A game begins; he may forget earlier ones.
    ///
    /// # Errors
    /// [`Fault`] if he is not to be had.
    fn begin(&mut self) -> Result<(), Fault>;

    /// The move he makes in a game that goes on. He may be asked to stop, and then answers soon.
    ///
    /// # Errors
    /// [`Fault`] if he makes none. That the move is legal is for the caller to check.
    fn choose(&mut self, playing: &Playing, allowance: &Allowance, stop: &AtomicBool) -> Result<Answer, Fault>;
}

/// A player of this program, searching in one thread.
pub struct Internal {
    player: Player,
}

impl Internal {
    /// The player as a contestant.
    #[must_use]
    pub const fn new(player: Player) -> Self {
        Self { player }
    }
}

impl Contestant for Internal {
    fn begin(&mut self) -> Result<(), Fault> {
        self.player.clear();
        Ok(())
    }

    fn choose(&mut self, playing: &Playing, allowance: &Allowance, stop: &AtomicBool) -> Result<Answer, Fault> {
        let clock = allowance.clocks.map(|clocks| clocks[playing.position().side() as usize].budget());
        let time = allowance.time.map(Budget::fixed).or(clock);
        let limits = Limits { time, depth: allowance.depth, nodes: allowance.nodes, ..Limits::default() };
        let chosen = self.player.choose(playing, None, &limits, stop, &mut |_| {});
        match chosen.map_err(|error: PlayerError| Fault::Gone(error.to_string()))? {
            Some(choice) => Ok(Answer { action: choice.action, value: Some(choice.assessment.value) }),
            None => Err(Fault::Gone("asked for a move in a finished game".to_owned())),
        }
    }
}
