//! A position of either game with everything a person asks for, its legal moves and their outcomes.

use std::fmt;

use super::{IllegalMove, IllegalOffer, Move, SetupError, Side};
use crate::board::{Board, MAX_STONES, Origin, PITS, Pit, Pits};
use crate::index::UNSOWN_STONES;
use crate::rules::gore::{Gore, MOST_OFFERED, PRICE, State, Trade};
use crate::rules::kpe::Kpe;
use crate::rules::{Game, Rules};

/// A position of a game under its options: board, player to move, stores, in Goré owners and a pending offer.
///
/// Prints as RULES 1 says; [`Position::parse`] reads it back. Always one that its game allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    game: Game,
    side: Side,
    /// From the mover's view; the flag means *unsown* in Kpé and *owned by the mover* in Goré, with trades or without.
    board: Board,
    /// The mover's and the opponent's.
    stores: [u8; 2],
    /// The opponent's pits that the mover must accept or decline.
    offered: Pits,
}

/// A legal move and what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The move, from the view of the player who makes it.
    pub action: Move,
    /// Stones captured.
    pub captured: u8,
    /// The position after it.
    pub result: Position,
    /// Final stones of South and North if the move ends the game.
    pub totals: Option<[u8; 2]>,
}

/// How the stones of a sowing travel; pits are numbered from the mover's view.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sowing {
    /// The pit lifted.
    pub origin: Pit,
    /// The pit in which each stone falls, the first one first.
    pub path: Vec<Pit>,
    /// The pits whose stones are captured then.
    pub captured: Pits,
    /// The mover has now sown from each of his pits and had not before (Kpé): he is unlocked.
    pub unlocks: bool,
}

impl Position {
    /// The start of a game.
    #[must_use]
    pub fn start(game: Game) -> Self {
        let board = match game {
            Game::Kpe(_) => Kpe::start(),
            Game::Gore(_) => Gore::start().board,
        };
        Self { game, side: Side::South, board, stores: [0, 0], offered: Pits::NONE }
    }

    /// The position with this board from the mover's view (flags: *unsown* in Kpé, *owned by the mover* in Goré), the
    /// mover's and the opponent's store, and the opponent's pits that the mover must accept or decline, if any.
    ///
    /// # Errors
    /// [`SetupError`] if the game allows no such position.
    pub fn new(game: Game, side: Side, board: Board, stores: [u8; 2], offered: Pits) -> Result<Self, SetupError> {
        let position = Self { game, side, board, stores, offered };
        position.check().map(|()| position)
    }

    /// The position with a board as the layered solver has it: as [`Position::new`] in Kpé, without flags in Goré,
    /// where each player owns his row.
    ///
    /// # Errors
    /// [`SetupError`] if the game allows no such position.
    pub fn from_solver(game: Game, side: Side, board: Board, stores: [u8; 2]) -> Result<Self, SetupError> {
        let board = match game {
            Game::Kpe(_) => board,
            Game::Gore(_) => board.with_flags(Pits::OWN),
        };
        Self::new(game, side, board, stores, Pits::NONE)
    }

    fn check(&self) -> Result<(), SetupError> {
        let stones = self.board.lanes().iter().chain(&self.stores).map(|&s| u32::from(s)).sum();
        if stones > u32::from(MAX_STONES) {
            return Err(SetupError::Stones { stones });
        }
        match self.game {
            Game::Kpe(_) if !self.offered.is_empty() => {
                Err(SetupError::Offer { side: self.side, reason: IllegalOffer::NoTrade })
            }
            Game::Kpe(_) => self.check_unsown(),
            Game::Gore(gore) => self.check_owners(gore),
        }
    }

    fn check_unsown(&self) -> Result<(), SetupError> {
        let short = self.side.pits(self.board.flags()).into_iter().map(|pit| self.side.pit(pit));
        match short.map(|pit| (pit, self.board.stones(pit))).find(|&(_, stones)| stones < UNSOWN_STONES) {
            Some((pit, stones)) => Err(SetupError::Unsown { pit: self.side.pit_letter(pit), stones }),
            None => Ok(()),
        }
    }

    fn check_owners(&self, gore: Gore) -> Result<(), SetupError> {
        let owned = self.board.flags();
        if owned.is_empty() {
            return Err(SetupError::NoPit { side: self.side });
        }
        if owned.len() as usize == PITS {
            return Err(SetupError::NoPit { side: self.side.other() });
        }
        if gore.trade == Trade::Off && owned != Pits::OWN {
            return Err(SetupError::FixedOwners);
        }
        if self.offered.is_empty() {
            return Ok(());
        }
        // The offer was made by the opponent in the same position without it.
        let maker = Self {
            side: self.side.other(),
            board: self.board.rotate_owned(),
            stores: [self.stores[1], self.stores[0]],
            offered: Pits::NONE,
            ..*self
        };
        let made = maker.check_offer(gore, self.offered.rotate());
        made.map_err(|reason| SetupError::Offer { side: self.side, reason })
    }

    fn check_offer(&self, gore: Gore, pits: Pits) -> Result<(), IllegalOffer> {
        let state = self.gore_state();
        let needed = u32::from(PRICE) * pits.len();
        if gore.trade == Trade::Off {
            Err(IllegalOffer::NoTrade)
        } else if gore.over(state).is_some() {
            Err(IllegalOffer::Over)
        } else if gore.sowings(state).is_empty() {
            Err(IllegalOffer::MustPass)
        } else if pits.and(state.owned()) != pits {
            Err(IllegalOffer::NotOwned)
        } else if pits.is_empty() || pits.len() > MOST_OFFERED {
            Err(IllegalOffer::Size)
        } else if pits == state.owned() {
            Err(IllegalOffer::KeepsNone)
        } else if needed > u32::from(state.other_store) {
            Err(IllegalOffer::Price { needed, has: state.other_store })
        } else {
            Ok(())
        }
    }

    /// The game and its options.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }

    /// The player to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The board from the mover's view; flags say *unsown* in Kpé, *owned by the mover* in Goré.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The captured stones of South and North.
    #[must_use]
    pub const fn stores(&self) -> [u8; 2] {
        self.side.order(self.stores)
    }

    /// The stones in the pits in the order ABCDabcd.
    #[must_use]
    pub fn pits(&self) -> [u8; PITS] {
        match self.side {
            Side::South => self.board.lanes(),
            Side::North => self.board.rotate().lanes(),
        }
    }

    /// The opponent's pits that the mover must accept or decline, as the mover numbers them.
    #[must_use]
    pub const fn offered(&self) -> Pits {
        self.offered
    }

    /// The letters of the pits a player owns, in the order ABCDabcd.
    #[must_use]
    pub fn owned_by(&self, player: Side) -> String {
        let own = match self.game {
            Game::Kpe(_) => Pits::OWN,
            Game::Gore(_) => self.board.flags(),
        };
        self.side.pit_letters(if player == self.side { own } else { Pits(!own.0) })
    }

    /// The stones of board and stores together, 0–48.
    #[must_use]
    pub fn stones(&self) -> u8 {
        self.board.total() + self.stores[0] + self.stores[1]
    }

    /// The board as the layered solver has it; `None` in Goré with trades, which has no layers.
    #[must_use]
    pub fn solver_board(&self) -> Option<Board> {
        match self.game {
            Game::Kpe(_) => Some(self.board),
            Game::Gore(gore) => gore.no_trade().map(|_| self.board.with_flags(Pits::NONE)),
        }
    }

    /// The position as the full game of Goré has it; flags of a Kpé board would be taken for owners.
    pub(crate) const fn gore_state(&self) -> State {
        State { board: self.board, own_store: self.stores[0], other_store: self.stores[1], offered: self.offered }
    }

    /// The position of Goré for search; `None` in Kpé.
    #[must_use]
    pub const fn state(&self) -> Option<State> {
        match self.game {
            Game::Kpe(_) => None,
            Game::Gore(_) => Some(self.gore_state()),
        }
    }

    /// Final stones of South and North if the game is over here by itself, be it played or set up.
    ///
    /// A repetition depends on the history and is not seen here.
    #[must_use]
    pub fn totals(&self) -> Option<[u8; 2]> {
        let over = match self.game {
            Game::Kpe(kpe) => kpe.over(self.board).is_some(),
            Game::Gore(gore) => gore.over(self.gore_state()).is_some(),
        };
        let ([south, north], [south_pits, north_pits]) = (self.stores(), self.stones_owned());
        over.then_some([south + south_pits, north + north_pits])
    }

    /// The stones that lie in the pits of South and of North: of their rows in Kpé, of those they own in Goré.
    #[must_use]
    pub fn stones_owned(&self) -> [u8; 2] {
        let own = match self.game {
            Game::Kpe(_) => Pits::OWN,
            Game::Gore(_) => self.board.flags(),
        };
        let own = self.board.take(own).1;
        self.side.order([own, self.board.total() - own])
    }

    /// Every legal move in the order of RULES: pits ABCDabcd, offers from small to large, answers, pass.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = match self.game {
            Game::Kpe(kpe) => kpe.moves(self.board).into_iter().map(Move::Sow).collect(),
            Game::Gore(gore) => gore.moves(self.gore_state()).collect(),
        };
        // Sets of equal size in the order of their letters: the first pit in which they differ decides.
        let order = |pits: Pits| (pits.len(), self.side.pits(pits).0.reverse_bits() ^ 0xff);
        moves.sort_by_key(|action| match *action {
            Move::Sow(pit) => (0, (0, self.side.pit(pit).index() as u8)),
            Move::Offer(pits) => (1, order(pits)),
            Move::Accept => (2, (0, 0)),
            Move::Decline | Move::Pass => (3, (0, 0)),
        });
        moves
    }

    /// Every legal move with its outcome, in the order of [`Position::moves`].
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.moves().into_iter().map(|action| self.after(action)).collect()
    }

    /// The outcome of a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the position does not allow it.
    pub fn play(&self, action: Move) -> Result<Outcome, IllegalMove> {
        self.check_move(action).map(|()| self.after(action))
    }

    /// The way of the stones of a legal move, for those who show it; `None` for a move that sows nothing.
    ///
    /// # Errors
    /// [`IllegalMove`] if the position does not allow the move.
    pub fn sowing(&self, action: Move) -> Result<Option<Sowing>, IllegalMove> {
        let result = self.play(action)?.result;
        let Move::Sow(origin) = action else { return Ok(None) };
        let rule = match self.game {
            Game::Kpe(kpe) => kpe.origin,
            Game::Gore(gore) => gore.origin,
        };
        let passed_over = |pit: &Pit| rule == Origin::Skip && *pit == origin;
        let round = (1..=PITS as u8).cycle().map(|step| origin.ahead(step)).filter(|pit| !passed_over(pit));
        let path = round.take(usize::from(self.board.stones(origin))).collect();
        // What was sown and lies there no more was captured.
        let (sown, _) = self.board.sow(origin, rule);
        let left = result.board.rotate();
        let pits = (0..PITS as u8).map(Pit::new);
        let captured = pits.filter(|&pit| left.stones(pit) < sown.stones(pit)).collect();
        let locked = |board: Board| matches!(self.game, Game::Kpe(_)) && !board.flags().and(Pits::OWN).is_empty();
        Ok(Some(Sowing { origin, path, captured, unlocks: locked(self.board) && !locked(left) }))
    }

    /// Whether the position allows a move.
    ///
    /// # Errors
    /// [`IllegalMove`] says why it does not.
    pub fn check_move(&self, action: Move) -> Result<(), IllegalMove> {
        if self.totals().is_some() {
            return Err(IllegalMove::Over);
        }
        if !self.offered.is_empty() && !action.is_answer() {
            return Err(IllegalMove::MustAnswer);
        }
        match (action, self.game) {
            (Move::Sow(pit), _) => self.check_sowing(pit),
            (Move::Offer(pits), Game::Gore(gore)) => Ok(self.check_offer(gore, pits)?),
            (Move::Offer(_), Game::Kpe(_)) => Err(IllegalOffer::NoTrade.into()),
            (Move::Pass, Game::Gore(gore)) if gore.sowings(self.gore_state()).is_empty() => Ok(()),
            (Move::Pass, _) => Err(IllegalMove::NoPass),
            (Move::Accept | Move::Decline, _) if self.offered.is_empty() => Err(IllegalMove::NoOffer),
            (Move::Accept | Move::Decline, _) => Ok(()),
        }
    }

    fn check_sowing(&self, pit: Pit) -> Result<(), IllegalMove> {
        let owned = match self.game {
            Game::Kpe(_) => Pits::OWN,
            Game::Gore(_) => self.board.flags(),
        };
        match self.game {
            _ if !owned.contains(pit) => Err(IllegalMove::NotOwned),
            _ if self.board.stones(pit) == 0 => Err(IllegalMove::Empty),
            Game::Kpe(kpe) if !kpe.moves(self.board).contains(pit) => Err(IllegalMove::MustFeed),
            _ => Ok(()),
        }
    }

    /// The outcome of a legal move.
    fn after(&self, action: Move) -> Outcome {
        let side = if action.is_answer() { self.side } else { self.side.other() };
        let (captured, result) = match (self.game, action) {
            (Game::Kpe(kpe), Move::Sow(pit)) => {
                let played = kpe.play(self.board, pit);
                let stores = [self.stores[1], self.stores[0] + played.captured];
                (played.captured, Self { side, board: played.board, stores, ..*self })
            }
            (Game::Kpe(_), _) => unreachable!("Kpé has no move but sowing"),
            (Game::Gore(gore), _) => {
                let step = gore.play(self.gore_state(), action);
                let State { board, own_store, other_store, offered } = step.state;
                (step.captured, Self { game: self.game, side, board, stores: [own_store, other_store], offered })
            }
        };
        debug_assert_eq!(result.check(), Ok(()), "{action:?} in {self}");
        Outcome { action, captured, result, totals: result.totals() }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stones in self.pits().iter().chain(&self.stores()) {
            write!(f, "{stones}-")?;
        }
        write!(f, "{}", self.side.letter())?;
        match self.game {
            Game::Kpe(_) if self.board.flags().is_empty() => Ok(()),
            Game::Kpe(_) => write!(f, ":{}", self.side.pit_letters(self.board.flags())),
            Game::Gore(_) => {
                write!(f, "@{}", self.owned_by(Side::South))?;
                if self.offered.is_empty() {
                    return Ok(());
                }
                write!(f, "~{}", self.side.pit_letters(self.offered))
            }
        }
    }
}
