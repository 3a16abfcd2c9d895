//! Goré (RULES 3): two-armed captures, pass, trade of pits.
//!
//! The game comes in two shapes. [`NoTrade`] is the game with `trade=off` on bare boards without flags; it
//! implements [`Rules`], so the layered solver can take it. [`Gore`] plays the full game on [`State`], a small
//! word of board, stores and pending offer seen from the mover, where a flag says that the mover owns the pit.

use super::{Move, Played, Rules};
use crate::board::{Board, Origin, Pit, Pits};
use crate::rules::Game;

/// What a pit costs in captured stones, and what is put into it (RULES 3.4).
pub const PRICE: u8 = 6;
/// The most pits one offer can name (RULES 3.4).
pub const MOST_OFFERED: u32 = 3;
/// The game is over when no pit holds this many stones (RULES 3.5).
const ENOUGH: u8 = 3;

/// Whether pits can be sold for captured stones (RULES 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Trade {
    /// They can: the full game.
    #[default]
    On,
    /// They cannot: each player owns his row throughout, and the game can be solved by layers.
    Off,
}

/// The rules of Goré under one choice of options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Gore {
    /// Treatment of the pit a long hand was lifted from.
    pub origin: Origin,
    /// Whether pits are traded.
    pub trade: Trade,
}

/// Goré with `trade=off` on boards without flags: each player owns his row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NoTrade {
    /// Treatment of the pit a long hand was lifted from.
    pub origin: Origin,
}

impl NoTrade {
    /// The board of the start.
    #[must_use]
    pub fn start() -> Board {
        Board::new([6; 8], Pits::NONE)
    }
}

impl From<NoTrade> for Game {
    fn from(NoTrade { origin }: NoTrade) -> Self {
        Self::Gore(Gore { origin, trade: Trade::Off })
    }
}

/// `CHAIN[pits of two or four][last]`: the unbroken run of such pits through `last`, both ways round the board.
const CHAIN: [[u8; 8]; 256] = chain_table();

const fn chain_table() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut last = 0;
        while last < 8 {
            let mut ahead = last;
            while set >> (ahead % 8) & 1 != 0 && ahead < last + 8 {
                table[set][last] |= 1 << (ahead % 8);
                ahead += 1;
            }
            let mut back = last + 8;
            while set >> (back % 8) & 1 != 0 && back > last {
                table[set][last] |= 1 << (back % 8);
                back -= 1;
            }
            last += 1;
        }
        set += 1;
    }
    table
}

/// The pits captured when a hand that ended in `last`, a pit of the opponent, left this board (RULES 3.3).
#[inline]
const fn chain(sown: Board, last: Pit) -> Pits {
    Pits(CHAIN[sown.twos_and_fours().0 as usize][last.index()])
}

impl Rules for NoTrade {
    const PASSES: bool = true;
    const TWO_ARMED: bool = true;

    #[inline]
    fn origin(&self) -> Origin {
        self.origin
    }

    #[inline]
    fn over(&self, board: Board) -> Option<i8> {
        (!board.any_at_least(ENOUGH)).then(|| board.own() as i8 - board.opponents() as i8)
    }

    #[inline]
    fn moves(&self, board: Board) -> Pits {
        if !board.any_at_least(ENOUGH) {
            return Pits::NONE;
        }
        board.occupied().and(Pits::OWN)
    }

    #[inline]
    fn may_capture(&self, _: Board, _: Pit) -> bool {
        true
    }

    #[inline]
    fn captures(&self, sown: Board, last: Pit) -> Pits {
        if last.is_own() { Pits::NONE } else { chain(sown, last) }
    }

    #[inline]
    fn play(&self, board: Board, pit: Pit) -> Played {
        let (sown, last) = board.sow(pit, self.origin);
        let (rest, captured) = sown.take(self.captures(sown, last));
        Played { board: rest.rotate(), captured }
    }
}

/// A position of the full game, seen from the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The pits; the flag is set on those the mover owns.
    pub board: Board,
    /// Captured stones of the mover.
    pub own_store: u8,
    /// Captured stones of the opponent.
    pub other_store: u8,
    /// The opponent's pits the mover must accept or decline; none if no offer is pending.
    pub offered: Pits,
}

impl State {
    /// The pits the mover owns.
    #[must_use]
    #[inline]
    pub const fn owned(self) -> Pits {
        self.board.flags()
    }

    /// The same position seen from the other player, who is now to move.
    #[must_use]
    #[inline]
    const fn rotate(self) -> Self {
        Self {
            board: self.board.rotate_owned(),
            own_store: self.other_store,
            other_store: self.own_store,
            offered: self.offered.rotate(),
        }
    }
}

/// A move played in the full game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The position seen from the player who is to move next; after an answer that is the player who answered.
    pub state: State,
    /// Stones captured by the player who moved.
    pub captured: u8,
}

/// Sets of one, two and three pits, smaller sets first.
const OFFERS: [u8; 92] = offers_table();
/// How many entries of [`OFFERS`] have at most so many pits.
const OFFERS_UP_TO: [usize; MOST_OFFERED as usize + 1] = [0, 8, 36, 92];

const fn offers_table() -> [u8; 92] {
    let mut table = [0; 92];
    let (mut size, mut at) = (1, 0);
    while size <= MOST_OFFERED {
        let mut set = 1u8;
        while set != 0 {
            if set.count_ones() == size {
                table[at] = set;
                at += 1;
            }
            set = set.wrapping_add(1);
        }
        size += 1;
    }
    table
}

impl Gore {
    /// The position of the start: six stones in every pit, each player owns his row.
    #[must_use]
    pub fn start() -> State {
        State { board: Board::new([6; 8], Pits::OWN), own_store: 0, other_store: 0, offered: Pits::NONE }
    }

    /// The game for the layered solver, `None` while pits are traded.
    #[must_use]
    pub const fn no_trade(self) -> Option<NoTrade> {
        match self.trade {
            Trade::On => None,
            Trade::Off => Some(NoTrade { origin: self.origin }),
        }
    }

    /// The mover's final total minus the opponent's in a finished game, `None` while it goes on.
    #[must_use]
    #[inline]
    pub fn over(self, state: State) -> Option<i8> {
        if state.board.any_at_least(ENOUGH) {
            return None;
        }
        let own = state.board.take(state.owned()).1;
        let others = state.board.total() - own;
        Some((state.own_store + own) as i8 - (state.other_store + others) as i8)
    }

    /// The pits the mover may sow from. None when the game is over, when he must answer or when he must pass.
    #[must_use]
    #[inline]
    pub const fn sowings(self, state: State) -> Pits {
        if !state.offered.is_empty() || !state.board.any_at_least(ENOUGH) {
            return Pits::NONE;
        }
        state.board.occupied().and(state.owned())
    }

    /// How many pits the mover may offer at once, 0–3: he must be able to sow and keep a pit, the other to pay.
    #[must_use]
    #[inline]
    pub fn most_offered(self, state: State) -> u32 {
        if self.trade == Trade::Off || self.sowings(state).is_empty() {
            return 0;
        }
        MOST_OFFERED.min(u32::from(state.other_store / PRICE)).min(state.owned().len() - 1)
    }

    /// The sets of pits the mover may offer, smaller sets first.
    #[inline]
    pub fn offers(self, state: State) -> impl Iterator<Item = Pits> {
        let not_owned = !state.owned().0;
        let sets = &OFFERS[..OFFERS_UP_TO[self.most_offered(state) as usize]];
        sets.iter().filter(move |&&set| set & not_owned == 0).map(|&set| Pits(set))
    }

    /// Every legal move: sowings by pit, then offers, or the answers, or a pass. Empty when the game is over.
    pub fn moves(self, state: State) -> impl Iterator<Item = Move> {
        let sowings = self.sowings(state);
        let answers: &[Move] = if !state.offered.is_empty() {
            &[Move::Accept, Move::Decline]
        } else if sowings.is_empty() && state.board.any_at_least(ENOUGH) {
            &[Move::Pass]
        } else {
            &[]
        };
        sowings.into_iter().map(Move::Sow).chain(self.offers(state).map(Move::Offer)).chain(answers.iter().copied())
    }

    /// Number of legal moves, without listing them.
    #[must_use]
    #[inline]
    pub fn count_moves(self, state: State) -> u32 {
        if !state.offered.is_empty() {
            return 2;
        }
        let sowings = self.sowings(state).len();
        if sowings == 0 {
            return u32::from(state.board.any_at_least(ENOUGH));
        }
        let owned = state.owned().len();
        let offers = match self.most_offered(state) {
            0 => 0,
            1 => owned,
            2 => owned * (owned + 1) / 2,
            _ => owned * (owned * owned + 5) / 6,
        };
        sowings + offers
    }

    /// Whether the mover may do this.
    #[must_use]
    pub fn is_legal(self, state: State, action: Move) -> bool {
        match action {
            Move::Sow(pit) => self.sowings(state).contains(pit),
            Move::Offer(pits) => {
                !pits.is_empty() && pits.and(state.owned()) == pits && pits.len() <= self.most_offered(state)
            }
            Move::Accept | Move::Decline => !state.offered.is_empty(),
            Move::Pass => self.moves(state).any(|legal| legal == Move::Pass),
        }
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal.
    #[must_use]
    #[inline]
    pub fn play(self, state: State, action: Move) -> Step {
        debug_assert!(self.is_legal(state, action), "{action:?} is not legal in {state:?}");
        let quiet = |state| Step { state, captured: 0 };
        match action {
            Move::Sow(pit) => self.sow(state, pit),
            Move::Offer(pits) => quiet(State { offered: pits, ..state }.rotate()),
            Move::Pass => quiet(state.rotate()),
            Move::Accept => quiet(accept(state)),
            Move::Decline => quiet(State { offered: Pits::NONE, ..state }),
        }
    }

    /// The position after sowing from a legal pit.
    #[must_use]
    #[inline]
    pub fn sow(self, state: State, pit: Pit) -> Step {
        let (sown, last) = state.board.sow(pit, self.origin);
        if state.owned().contains(last) {
            return Step { state: State { board: sown, ..state }.rotate(), captured: 0 };
        }
        let (board, captured) = sown.take(chain(sown, last));
        let own_store = state.own_store + captured;
        Step { state: State { board, own_store, ..state }.rotate(), captured }
    }
}

/// The mover pays for the pits on offer and owns them; he is still to move.
#[inline]
const fn accept(state: State) -> State {
    let offered = state.offered;
    State {
        board: state.board.plus(Board::each(offered, PRICE)).with_flags(Pits(state.owned().0 | offered.0)),
        own_store: state.own_store - PRICE * offered.len() as u8,
        other_store: state.other_store,
        offered: Pits::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pits(numbers: &[u8]) -> Pits {
        numbers.iter().map(|&number| Pit::new(number)).collect()
    }

    #[test]
    fn a_chain_runs_both_ways_and_stops_at_other_numbers() {
        let board = Board::new([4, 2, 3, 2, 4, 2, 0, 2], Pits::NONE);
        assert_eq!(chain(board, Pit::new(4)), pits(&[3, 4, 5]));
        assert_eq!(chain(board, Pit::new(7)), pits(&[7, 0, 1]));
        assert_eq!(chain(board, Pit::new(6)), Pits::NONE);
        assert_eq!(chain(Board::new([2; 8], Pits::NONE), Pit::new(5)), Pits(0xff));
    }

    #[test]
    fn an_accepted_offer_moves_pits_and_stones_and_keeps_the_turn() {
        let gore = Gore::default();
        let board = Board::new([0, 5, 1, 0, 3, 3, 3, 3], Pits::OWN);
        let state = State { board, own_store: 9, other_store: 13, offered: Pits::NONE };
        assert_eq!(gore.most_offered(state), 2);
        assert_eq!(gore.offers(state).count(), 4 + 6);
        let asked = gore.play(state, Move::Offer(pits(&[0, 2]))).state;
        assert_eq!((asked.offered, asked.own_store), (pits(&[4, 6]), 13));
        let paid = gore.play(asked, Move::Accept).state;
        assert_eq!(paid.board, Board::new([3, 3, 3, 3, 6, 5, 7, 0], pits(&[0, 1, 2, 3, 4, 6])));
        assert_eq!((paid.own_store, paid.other_store, paid.offered), (1, 9, Pits::NONE));
        assert_eq!(gore.play(asked, Move::Decline).state, State { offered: Pits::NONE, ..asked });
    }

    #[test]
    fn moves_are_counted_as_listed() {
        let gore = Gore::default();
        for owned in 1..=254u8 {
            for other_store in [0, 5, 6, 12, 17, 18, 24] {
                let board = Board::new([0, 1, 2, 3, 4, 0, 1, 2], Pits(owned));
                let state = State { board, own_store: 0, other_store, offered: Pits::NONE };
                let moves: Vec<Move> = gore.moves(state).collect();
                assert_eq!(moves.len() as u32, gore.count_moves(state));
                assert!(moves.iter().all(|&action| gore.is_legal(state, action)));
            }
        }
    }
}
