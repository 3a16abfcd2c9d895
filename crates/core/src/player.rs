//! A player of whole games: an engine for rules that are known only now, a level, and a memory of the game so far.
//!
//! An engine for boards knows no history. In a game that is being played a move may lead back to a position there has been,
//! which ends it (RULES 2.6): such a move is worth what the shared rest makes it worth, whatever the board is worth. A
//! player who is better off avoids it, one who is worse off looks for it. The engine for Goré with trades is told the history.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! use kpe_core::engine::TableProbe;
//! use kpe_core::level::Level;
//! use kpe_core::notation::Position;
//! use kpe_core::player::Player;
//! use kpe_core::record::Playing;
//! use kpe_core::rules::{Game, Loops};
//! use kpe_core::search::Limits;
//! use kpe_core::table::TableSet;
//!
//! // Goré, pits for sale, against a player who is no beginner and has no tables.
//! let game = Game::named("gore")?;
//! let probe = TableProbe::new(TableSet::new(&game.without_trades()))?;
//! let player = Player::new(&game, Arc::new(probe), Level::new(4).expect("1 to 10"), 4 << 20, 0)?;
//! let mut playing = Playing::new(Position::start(game), Loops::Split);
//! for _ in 0..4 {
//!     let stop = AtomicBool::new(false);
//!     let choice = player.choose(&playing, None, &Limits::default(), &stop, &mut |_| ())?.expect("it goes on");
//!     playing.play(choice.action)?;
//! }
//! assert_eq!(playing.made().len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assessment;
mod mind;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::engine::{Engine, EngineError, IllegalChoice, TableProbe, TradeEngine};
use crate::level::{Level, Seen};
use crate::notation::{Move, Position, Side};
use crate::record::Playing;
use crate::rules::{Game, Layered};
use crate::search::{self, Limits};
use crate::table::TableError;
pub use assessment::{AssessedMove, Assessment, Progress};
use mind::{Mind, Question};

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
#[non_exhaustive]
pub struct Choice {
    /// The move.
    pub action: Move,
    /// What he knows of the position. In a game of boards the moves that end it by repetition are left out unless
    /// there are no others.
    pub assessment: Assessment,
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("game", &self.game).field("level", &self.level).finish_non_exhaustive()
    }
}

impl Player {
    /// A player with these tables (for Goré with trades: those of the game without, [`Game::without_trades`]), at this level, who
    /// remembers searched positions in at most `memory` bytes, at least 4 MiB. The seed decides what a level that errs gets wrong.
    ///
    /// # Errors
    /// [`PlayerError::Memory`], [`PlayerError::OtherTables`].
    pub fn new(
        game: &Game,
        probe: Arc<TableProbe>,
        level: Level,
        memory: usize,
        seed: u64,
    ) -> Result<Self, PlayerError> {
        if *probe.game() != game.without_trades() {
            return Err(PlayerError::OtherTables);
        }
        let seen = Seen::new(Arc::clone(&probe), level);
        let mind: Box<dyn Mind> = match (game.layered(), game) {
            (Some(Layered::Kpe(rules)), _) => Box::new(Engine::new(rules, seen, memory)?),
            (Some(Layered::Gore(rules)), _) => Box::new(Engine::new(rules, seen, memory)?),
            (None, Game::Gore(gore)) => Box::new(TradeEngine::new(*gore, seen, memory)?),
            (None, Game::Kpe(_)) => return Err(PlayerError::OtherGame),
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

    /// Takes what the first answer would wait for: memory from the system, and the opening book if it is asked. A table that
    /// is not sound is told when it is.
    pub fn make_ready(&self) {
        self.mind.make_ready();
        self.probe.make_ready();
    }

    /// Forgets earlier games.
    pub fn clear(&mut self) {
        self.mind.clear();
    }

    /// What the player knows of a position whose history does not matter, among some moves or all.
    ///
    /// # Errors
    /// [`PlayerError::Board`] or [`PlayerError::Trade`] if the moves are wrong, [`PlayerError::Table`] if a table is not sound,
    /// [`PlayerError::OtherGame`] if the position is of another game.
    pub fn analyse(
        &self,
        position: &Position,
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Assessment, PlayerError> {
        self.analyse_after(&[], position, allowed, limits, stop, observe)
    }

    /// As [`Player::analyse`], in a game that had the `earlier` positions; only Goré with trades minds them.
    ///
    /// # Errors
    /// As [`Player::analyse`].
    pub fn analyse_after(
        &self,
        earlier: &[Position],
        position: &Position,
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Assessment, PlayerError> {
        let allowed = allowed.map_or_else(|| position.moves(), <[Move]>::to_vec);
        let limits = &self.level.limits(limits);
        let failures = self.probe.failures();
        let assessment = self.mind.assess(&Question { position, earlier, allowed: &allowed, limits, stop }, observe);
        match self.probe.failure_since(failures) {
            Some(error) => Err(error.into()),
            None => assessment,
        }
    }

    /// The move his level makes of those assessed; `None` if there is none.
    #[must_use]
    pub fn pick(&self, assessment: &Assessment) -> Option<Move> {
        self.level.choose(self.seed, assessment)
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
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Choice>, PlayerError> {
        if playing.ending().is_some() {
            return Ok(None);
        }
        let position = playing.position();
        if self.game.layered().is_none() {
            let earlier = playing.earlier();
            let assessment = self.analyse_after(&earlier, position, allowed, limits, stop, observe)?;
            return Ok(self.pick(&assessment).map(|action| Choice { action, assessment }));
        }
        let moves = allowed.map_or_else(|| position.moves(), <[Move]>::to_vec);
        let (endings, fresh): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|&action| repetition(playing, action).is_some());
        let candidates = if fresh.is_empty() { &endings } else { &fresh };
        let assessment = self.analyse(position, Some(candidates), limits, stop, observe)?;
        let shared = endings.iter().filter_map(|&action| Some((repetition(playing, action)?, action)));
        let action = match shared.max_by_key(|&(halves, _)| halves) {
            Some((_, action)) if fresh.is_empty() => Some(action),
            Some((halves, action)) if halves > 2 * i16::from(assessment.value.0) => Some(action),
            _ => self.pick(&assessment),
        };
        Ok(action.map(|action| Choice { action, assessment }))
    }
}

/// What a move is worth to its mover that ends the game by repetition, in half stones; `None` if it does not.
#[must_use]
pub fn repetition(playing: &Playing, action: Move) -> Option<i16> {
    let position = playing.position();
    let outcome = position.play(action).ok()?;
    if outcome.totals.is_some() || !playing.has_been(&outcome.result) {
        return None;
    }
    let mut end = playing.clone();
    end.play(action).ok()?;
    let difference = |[south, north]: [i16; 2]| match position.side() {
        Side::South => south - north,
        Side::North => north - south,
    };
    let totals = end.ending()?.halves.map(i16::from);
    Some(difference(totals) - difference(position.stores().map(|stones| 2 * i16::from(stones))))
}

/// Why a player cannot play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// A position of a game he does not play.
    #[error("found a position of another game, expected one of the player's own")]
    OtherGame,
    /// Tables of other rules than his, which would tell him wrong values.
    #[error("found tables of other rules, expected those of the player's game (of Goré with trades: the game without)")]
    OtherTables,
    /// Too little memory, or none to be had.
    #[error(transparent)]
    Memory(#[from] search::TranspositionError),
    /// The moves to choose from are wrong.
    #[error(transparent)]
    Board(#[from] EngineError),
    /// The moves to choose from are wrong: in Goré with trades, or because only that game has such moves.
    #[error(transparent)]
    Trade(#[from] IllegalChoice),
    /// A table the answer would rest on is not sound.
    #[error(transparent)]
    Table(#[from] TableError),
}
