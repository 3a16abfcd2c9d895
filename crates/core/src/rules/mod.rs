//! The rules as the solver and the search see them: boards from the mover's view, no stores, no history.
//!
//! ```
//! use kpe_core::board::{Board, Pit, Pits};
//! use kpe_core::rules::{Game, Rules, kpe::Kpe};
//!
//! let game = Game::parse("kpe", "unlock=next")?;
//! assert_eq!(game.to_string(), "origin=skip,unlock=next,feed=remains");
//!
//! // The last stone makes two in the opponent's first pit; flags would mean pits not yet sown from.
//! let board = Board::new([0, 0, 0, 1, 1, 3, 0, 0], Pits::NONE);
//! let played = Kpe::default().play(board, Pit::new(3));
//! assert_eq!((played.captured, played.board.lanes()), (2, [0, 3, 0, 0, 0, 0, 0, 0]));
//! # Ok::<(), kpe_core::rules::options::OptionError>(())
//! ```

#[cfg(test)]
pub(crate) mod agreement;
pub mod gore;
pub mod kpe;
pub mod options;
#[cfg(test)]
pub(crate) mod slow;

use crate::board::{Board, Origin, Pit, Pits};
use gore::{Gore, NoTrade};
use kpe::Kpe;

/// A game with all its rule options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Game {
    /// Kpé.
    Kpe(Kpe),
    /// Goré.
    Gore(Gore),
}

impl Game {
    /// The name used on the command line and in files: `kpe` or `gore`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Kpe(_) => "kpe",
            Self::Gore(_) => "gore",
        }
    }
}

/// What happens to the stones left when a game in play repeats itself (RULES 2.6, 3.6). Tables and search always split.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Loops {
    /// They are shared equally.
    #[default]
    Split,
    /// Each player takes those in the pits of his row (Kpé) or in the pits he owns (Goré).
    Own,
}

/// Something a player can do in his turn; pits are numbered from his view. Kpé has sowings only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Sow the stones of this pit.
    Sow(Pit),
    /// Offer these pits to the opponent, six stones each; the turn is over.
    Offer(Pits),
    /// Nothing: every pit he owns is empty.
    Pass,
    /// Buy the pits on offer; he is then to move.
    Accept,
    /// Refuse the pits on offer; he is then to move.
    Decline,
}

impl Move {
    /// Whether it answers an offer, so that the same player is to move after it (RULES 3.4).
    #[must_use]
    pub const fn is_answer(self) -> bool {
        matches!(self, Self::Accept | Self::Decline)
    }
}

/// A move played: the board as the *next* mover sees it, and what was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The board from the view of the player who moves next.
    pub board: Board,
    /// Stones captured by the player who moved.
    pub captured: u8,
}

/// A game in which the stones on the board never increase, so that it can be solved layer by layer.
pub trait Rules: Copy + Send + Sync {
    /// How a hand of eight or more treats the pit it was lifted from.
    fn origin(&self) -> Origin;

    /// The value for the mover of a finished game (stones in his pits minus those in the opponent's), `None` while it goes on.
    fn over(&self, board: Board) -> Option<i8>;

    /// The pits the mover may sow from. Empty when the game is over or when he must pass.
    fn moves(&self, board: Board) -> Pits;

    /// Whether a player without a legal pit passes (else his turn ends the game).
    const PASSES: bool;

    /// Whether a capture can run on into the mover's own row.
    const TWO_ARMED: bool;

    /// Whether a sowing from `pit` may capture at all, the mover's lock considered.
    fn may_capture(&self, board: Board, pit: Pit) -> bool;

    /// The pits captured when the last stone of a hand from `origin` fell in `last`, by a player who may capture.
    /// `sown` is the board after the sowing, still from the mover's view; flags of unsown pits may be set.
    fn captures(&self, sown: Board, last: Pit) -> Pits;

    /// The board after sowing from `pit`, from the next mover's view, with the flag of `pit` cleared as the rules say.
    /// `pit` must be legal.
    fn play(&self, board: Board, pit: Pit) -> Played;

    /// The board after a pass, from the next mover's view.
    fn pass(&self, board: Board) -> Board {
        board.rotate()
    }
}

/// The rules of a game whose layers can be solved, whichever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layered {
    /// Kpé.
    Kpe(Kpe),
    /// Goré without trades.
    Gore(NoTrade),
}

impl Game {
    /// The game whose tables serve this one: itself, but for Goré with trades the same without.
    #[must_use]
    pub const fn without_trades(&self) -> Self {
        match self {
            Self::Kpe(_) => *self,
            Self::Gore(rules) => Self::Gore(Gore { trade: gore::Trade::Off, ..*rules }),
        }
    }

    /// The rules for the layered solver; `None` for Goré with trades, where stones come back to the board.
    #[must_use]
    pub const fn layered(&self) -> Option<Layered> {
        match self {
            Self::Kpe(rules) => Some(Layered::Kpe(*rules)),
            Self::Gore(rules) => match rules.no_trade() {
                Some(rules) => Some(Layered::Gore(rules)),
                None => None,
            },
        }
    }
}

/// Evaluates an expression with the concrete rules of a [`Layered`] game, so that it is compiled for each of them.
#[doc(hidden)]
#[macro_export]
macro_rules! with_rules {
    ($layered:expr, $rules:ident => $body:expr) => {
        match $layered {
            $crate::rules::Layered::Kpe($rules) => $body,
            $crate::rules::Layered::Gore($rules) => $body,
        }
    };
}
#[doc(hidden)]
pub use crate::with_rules;
