//! The games of this program as arenas.

use super::Arena;
use crate::board::Board;
use crate::rules::gore::{Gore, State};
use crate::rules::{Move, Rules};

/// Goré with its trades, or without them.
impl Arena for Gore {
    type Node = State;

    fn end(&self, node: State) -> Option<i8> {
        self.over(node)
    }

    fn lead(&self, node: State) -> i8 {
        node.own_store as i8 - node.other_store as i8
    }

    fn moves(&self, node: State, found: &mut dyn FnMut(State, bool)) {
        Gore::moves(*self, node).for_each(|action: Move| found(self.play(node, action).state, action.is_answer()));
    }
}

/// A board and both stores, the mover's first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stored {
    /// The board.
    pub board: Board,
    /// Captured stones of the mover and of the opponent.
    pub stores: [u8; 2],
}

/// A game of boards alone, played with stores.
#[derive(Clone, Copy, Debug)]
pub struct BoardGame<R>(pub R);

impl<R: Rules> Arena for BoardGame<R> {
    type Node = Stored;

    fn end(&self, node: Stored) -> Option<i8> {
        self.0.over(node.board).map(|value| self.lead(node) + value)
    }

    fn lead(&self, node: Stored) -> i8 {
        node.stores[0] as i8 - node.stores[1] as i8
    }

    fn moves(&self, node: Stored, found: &mut dyn FnMut(Stored, bool)) {
        let [own, other] = node.stores;
        let pits = self.0.moves(node.board);
        if pits.is_empty() {
            found(Stored { board: self.0.pass(node.board), stores: [other, own] }, false);
        }
        for pit in pits {
            let played = self.0.play(node.board, pit);
            found(Stored { board: played.board, stores: [other, own + played.captured] }, false);
        }
    }
}
