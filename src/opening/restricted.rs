//! Games in which a player has bound himself in how he unlocks, solved exactly.
//!
//! A [`Vow`] restricts one player until it is over; after that the game is the free one, whose values are known. Turns
//! are counted, so a vow lasts a bounded number of plies and plain minimax to its end is exact. Three things make it quick:
//! positions are remembered with their ply, each search only asks whether a value is reached, and a player who alone is bound
//! gets no more than if he were free, so the free value bounds the restricted one.
//!
//! **When a vow cannot be kept** the rules of the game come first: the player then may make any legal move, and the vow
//! binds him again from his next turn. An unsown pit is never empty, so only the duty to feed and, for a player who must
//! not unlock yet, three empty pits beside the unsown one can bring that about. [`Restricted::conflicts`] counts such
//! positions.

use hashbrown::HashMap;

use crate::board::{Board, Pit, Pits};
use crate::rules::Rules;
use crate::rules::kpe::Kpe;
use crate::value::Value;

/// What a player has bound himself to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vow {
    /// To sow these pits on his first four turns, in this order.
    Order([Pit; 4]),
    /// To have sown from all his pits by the end of this turn of his (at least the fourth).
    By(u8),
    /// Not to sow from the last of his unsown pits before this turn of his.
    NotBefore(u8),
}

impl Vow {
    /// Whether nothing binds any more a player with these unsown pits whose next turn is number `turn`, from 1.
    fn is_over(self, unsown: Pits, turn: u8) -> bool {
        match self {
            Self::Order(_) => turn > 4,
            Self::By(_) => unsown.is_empty(),
            Self::NotBefore(first) => unsown.is_empty() || turn >= first,
        }
    }

    /// Those of the legal moves that keep the vow; none if it cannot be kept.
    fn keeping(self, legal: Pits, unsown: Pits, turn: u8) -> Pits {
        match self {
            Self::Order(order) => {
                order.get(usize::from(turn) - 1).map_or(legal, |&pit| legal.and(Pits::NONE.with(pit)))
            }
            // As many turns as unsown pits are left, or fewer after a conflict.
            Self::By(last) if unsown.len() + u32::from(turn) > u32::from(last) => legal.and(unsown),
            Self::NotBefore(_) if unsown.len() == 1 => Pits(legal.0 & !unsown.0),
            _ => legal,
        }
    }
}

/// The number of the next turn of the player who moves at even plies (0) or odd ones (1).
fn next_turn(ply: u8, player: u8) -> u8 {
    (ply + 1 - player) / 2 + 1
}

/// More than any value.
const BEYOND: i16 = 100;

/// A game with vows, and what has been found out about it.
pub struct Restricted<F> {
    rules: Kpe,
    vows: [Option<Vow>; 2],
    worth: F,
    /// By board and ply, the least and the most the position is worth.
    seen: HashMap<(Board, u8), (i16, i16)>,
    conflicts: u64,
}

impl<E, F: Fn(Board, u8) -> Result<Value, E>> Restricted<F> {
    /// The game with the vows of the player who moves first and of the other. `worth` is the value of a position of the free
    /// game after so many plies, from its mover's point of view; it must be exact.
    pub fn new(rules: Kpe, vows: [Option<Vow>; 2], worth: F) -> Self {
        Self { rules, vows, worth, seen: HashMap::new(), conflicts: 0 }
    }

    /// The value of the game from `start`, from the point of view of the player who moves first.
    ///
    /// # Errors
    /// Those of `worth`.
    pub fn value(&mut self, start: Board) -> Result<Value, E> {
        let mut guess = i16::from((self.worth)(start, 0)?.0);
        let (mut low, mut high) = (-BEYOND, BEYOND);
        // Each round asks whether the game is worth at least `target` and learns a bound (MTD, Plaat 1996).
        while low < high {
            let target = if guess == low { guess + 1 } else { guess };
            guess = self.search(start, 0, target)?;
            if guess < target {
                high = guess;
            } else {
                low = guess;
            }
        }
        // Between -48 and 48 like every value.
        Ok(Value(guess as i8))
    }

    /// Positions looked at so far, those remembered.
    pub fn positions(&self) -> usize {
        self.seen.len()
    }

    /// Positions looked at in which a vow could not be kept.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Who is still bound: the player to move, the other.
    fn bound(&self, board: Board, ply: u8) -> [bool; 2] {
        let mover = ply % 2;
        [(mover, board.flags().and(Pits::OWN)), (1 - mover, board.flags().rotate().and(Pits::OWN))].map(
            |(player, unsown)| {
                self.vows[usize::from(player)].is_some_and(|vow| !vow.is_over(unsown, next_turn(ply, player)))
            },
        )
    }

    /// Whether a position is worth at least `target` to its mover: a bound of its value on the side of the answer.
    fn search(&mut self, board: Board, ply: u8, target: i16) -> Result<i16, E> {
        if let Some(value) = self.rules.over(board) {
            return Ok(value.into());
        }
        let bound = self.bound(board, ply);
        if bound != [true, true] {
            let free = i16::from((self.worth)(board, ply)?.0);
            let enough = match bound {
                [false, false] => true,
                [true, _] => free < target,
                [false, true] => free >= target,
            };
            if enough {
                return Ok(free);
            }
        }
        let (low, high) = self.seen.get(&(board, ply)).copied().unwrap_or((-BEYOND, BEYOND));
        if low >= target {
            return Ok(low);
        }
        if high < target {
            return Ok(high);
        }
        let mut best = -BEYOND;
        for (pit, _) in self.candidates(board, ply)? {
            let played = self.rules.play(board, pit);
            let captured = i16::from(played.captured);
            best = best.max(captured - self.search(played.board, ply + 1, captured - target + 1)?);
            if best >= target {
                break;
            }
        }
        self.seen.insert((board, ply), if best >= target { (best, high) } else { (low, best) });
        Ok(best)
    }

    /// The moves that the vows allow, those best in the free game first.
    fn candidates(&mut self, board: Board, ply: u8) -> Result<Vec<(Pit, i8)>, E> {
        let player = ply % 2;
        let legal = self.rules.moves(board);
        let mut allowed = legal;
        if let Some(vow) = self.vows[usize::from(player)] {
            let (unsown, turn) = (board.flags().and(Pits::OWN), next_turn(ply, player));
            if !vow.is_over(unsown, turn) {
                allowed = vow.keeping(legal, unsown, turn);
            }
        }
        if allowed.is_empty() {
            self.conflicts += 1;
            allowed = legal;
        }
        let mut moves = Vec::with_capacity(4);
        for pit in allowed {
            let played = self.rules.play(board, pit);
            let value =
                if allowed.len() == 1 { 0 } else { played.captured as i8 - (self.worth)(played.board, ply + 1)?.0 };
            moves.push((pit, value));
        }
        moves.sort_by_key(|&(pit, value)| (std::cmp::Reverse(value), pit));
        Ok(moves)
    }
}

#[cfg(test)]
mod tests;
