//! A player of whole games: an engine for rules that are known only now, a level, and a memory of the game so far.
//!
//! The engine knows boards and no history. In a game that is being played a move may lead back to a position there has been,
//! which ends it (RULES 2.6): such a move is worth what the shared rest makes it worth, whatever the board is worth. A
//! player who is better off avoids it, one who is worse off looks for it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::board::Board;
use crate::engine::{Analysis, Engine, EngineError, TableProbe};
use crate::level::{Level, Seen};
use crate::notation::{Move, Position};
use crate::record::Playing;
use crate::rules::{Game, Layered, Rules};
use crate::search::{self, Limits, Probe, Report, Step};
use crate::table::TableError;

/// An engine for boards of some game.
trait Mind: Send + Sync {
    fn analyse(
        &self,
        board: Board,
        allowed: &[Step],
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Report),
    ) -> Result<Analysis, EngineError>;

    fn clear(&mut self);
}

impl<R: Rules, P: Probe + Send> Mind for Engine<R, P> {
    fn analyse(
        &self,
        board: Board,
        allowed: &[Step],
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Report),
    ) -> Result<Analysis, EngineError> {
        self.analyse(board, Some(allowed), limits, stop, observe)
    }

    fn clear(&mut self) {
        self.clear();
    }
}

/// A player of one game at one level.
pub struct Player {
    game: Game,
    level: Level,
    seed: u64,
    probe: Arc<TableProbe>,
    mind: Box<dyn Mind>,
}

/// A move a player has chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub action: Move,
    /// What he knows of the position, the moves that end the game by repetition left out unless there are no others.
    pub analysis: Analysis,
}

impl Player {
    /// A player with these tables, at this level, who remembers searched positions in at most `memory` bytes. The seed
    /// decides what a level that errs gets wrong.
    ///
    /// # Errors
    /// [`PlayerError::NotLayered`] for Goré with trades; [`PlayerError::Memory`].
    pub fn new(
        game: &Game,
        probe: Arc<TableProbe>,
        level: Level,
        memory: usize,
        seed: u64,
    ) -> Result<Self, PlayerError> {
        let seen = Seen::new(Arc::clone(&probe), level);
        let mind: Box<dyn Mind> = match game.layered() {
            Some(Layered::Kpe(rules)) => Box::new(Engine::new(rules, seen, memory)?),
            Some(Layered::Gore(rules)) => Box::new(Engine::new(rules, seen, memory)?),
            None => return Err(PlayerError::NotLayered),
        };
        Ok(Self { game: *game, level, seed, probe, mind })
    }

    /// The game he plays.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// How well he plays.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Forgets earlier games.
    pub fn clear(&mut self) {
        self.mind.clear();
    }

    /// What the player knows of a position whose history does not matter, among some moves or all.
    ///
    /// # Errors
    /// [`PlayerError::Engine`] if the moves are wrong, [`PlayerError::Table`] if a table is not sound.
    pub fn analyse(
        &self,
        position: &Position,
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Report),
    ) -> Result<Analysis, PlayerError> {
        let board = position.solver_board().ok_or(PlayerError::NotLayered)?;
        let moves = allowed.map_or_else(|| position.moves(), <[Move]>::to_vec);
        let steps: Vec<Step> = moves.into_iter().filter_map(step_of).collect();
        let analysis = self.mind.analyse(board, &steps, &self.level.limits(limits), stop, observe);
        match self.probe.failure() {
            Some(error) => Err(error.into()),
            None => Ok(analysis?),
        }
    }

    /// The move to make in a game, among some moves or all; `None` if the game is over.
    ///
    /// # Errors
    /// As [`Player::analyse`].
    pub fn choose(
        &self,
        playing: &Playing,
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Report),
    ) -> Result<Option<Choice>, PlayerError> {
        if playing.ending().is_some() {
            return Ok(None);
        }
        let position = playing.position();
        let moves = allowed.map_or_else(|| position.moves(), <[Move]>::to_vec);
        let (endings, fresh): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|&action| repetition(playing, action).is_some());
        let candidates = if fresh.is_empty() { &endings } else { &fresh };
        let analysis = self.analyse(position, Some(candidates), limits, stop, observe)?;
        let shared = endings.iter().filter_map(|&action| Some((repetition(playing, action)?, action)));
        let action = match shared.max_by_key(|&(halves, _)| halves) {
            Some((_, action)) if fresh.is_empty() => Some(action),
            Some((halves, action)) if halves > 2 * i16::from(analysis.value.0) => Some(action),
            _ => self.level.choose(self.seed, position.board(), &analysis).map(move_of),
        };
        Ok(action.map(|action| Choice { action, analysis }))
    }
}

/// What a move is worth to its mover that ends the game by repetition, in half stones; `None` if it does not.
fn repetition(playing: &Playing, action: Move) -> Option<i16> {
    let position = playing.position();
    let outcome = position.play(action).ok()?;
    if outcome.totals.is_some() || !playing.has_been(&outcome.result) {
        return None;
    }
    let mut end = playing.clone();
    end.play(action).ok()?;
    let difference = |[south, north]: [i16; 2]| match position.side() {
        crate::notation::Side::South => south - north,
        crate::notation::Side::North => north - south,
    };
    let totals = end.ending()?.halves.map(i16::from);
    Some(difference(totals) - difference(position.stores().map(|stones| 2 * i16::from(stones))))
}

/// A move as the search has it; offers and answers it has none.
#[must_use]
pub const fn step_of(action: Move) -> Option<Step> {
    match action {
        Move::Sow(pit) => Some(Step::Sow(pit)),
        Move::Pass => Some(Step::Pass),
        Move::Offer(_) | Move::Accept | Move::Decline => None,
    }
}

/// A step of the search as a move.
#[must_use]
pub const fn move_of(step: Step) -> Move {
    match step {
        Step::Sow(pit) => Move::Sow(pit),
        Step::Pass => Move::Pass,
    }
}

/// Why a player cannot play.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The game is not one of boards alone.
    #[error("Goré with trades is not searched yet; choose trade=off")]
    NotLayered,
    /// Too little memory, or none to be had.
    #[error(transparent)]
    Memory(#[from] search::TableError),
    /// The moves to choose from are wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A table the answer would rest on is not sound.
    #[error(transparent)]
    Table(#[from] TableError),
}
