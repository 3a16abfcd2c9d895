//! Which move of the full game to try first.
//!
//! Sowings: the table's move, captures by size, then what did well before. Offers come after them, and first those that the other
//! player would rather not accept: an offer is worth something mostly as a way to wait.

use super::evaluation::evaluate;
use super::node::Node;
use crate::board::{PITS, Pit, Pits};
use crate::rules::Move;
use crate::rules::gore::{Gore, State};
use crate::search::NoTables;
use crate::search::order::Memory;

/// A sowing and what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Sowing {
    pub(super) pit: Pit,
    pub(super) captured: u8,
    pub(super) state: State,
    rank: i32,
}

/// The sowings of a position, most promising first.
pub(super) struct Sowings {
    list: [Option<Sowing>; PITS],
}

impl Sowings {
    /// Plays them all.
    #[inline]
    pub(super) fn new(gore: Gore, node: Node, pits: Pits, best: Option<Move>, memory: &Memory) -> Self {
        let mut list = [None; PITS];
        for pit in pits {
            let step = gore.sow(node.state, pit);
            let rank = match step.captured {
                _ if best == Some(Move::Sow(pit)) => i32::MAX,
                0 => memory.promise(node.state.board, pit, node.ply),
                captured => (i32::from(captured) + 1) << 20,
            };
            list[pit.index()] = Some(Sowing { pit, captured: step.captured, state: step.state, rank });
        }
        Self { list }
    }

    /// Those not handed out yet.
    #[inline]
    pub(super) fn rest(&self) -> impl Iterator<Item = &Sowing> {
        self.list.iter().flatten()
    }
}

impl Iterator for Sowings {
    type Item = Sowing;

    #[inline]
    fn next(&mut self) -> Option<Sowing> {
        let best = *self.rest().max_by_key(|sowing| sowing.rank)?;
        self.list[best.pit.index()].take()
    }
}

/// An offer, what is asked of the receiver and what he has after accepting.
#[derive(Clone, Copy)]
pub(super) struct Proposal {
    pub(super) pits: Pits,
    pub(super) asked: State,
    pub(super) accepted: State,
}

impl Proposal {
    /// An offer the mover may make.
    pub(super) fn new(gore: Gore, state: State, pits: Pits) -> Self {
        let asked = gore.play(state, Move::Offer(pits)).state;
        Self { pits, asked, accepted: gore.play(asked, Move::Accept).state }
    }
}

/// The legal offers of a position: `best`, then those that the receiver would rather not accept.
pub(super) fn proposals(gore: Gore, state: State, best: Option<Move>) -> Vec<Proposal> {
    let mut list: Vec<Proposal> = gore.offers(state).map(|pits| Proposal::new(gore, state, pits)).collect();
    list.sort_by_cached_key(|proposal| {
        let accepted = proposal.accepted;
        (best != Some(Move::Offer(proposal.pits)), evaluate(&NoTables, accepted, accepted.board.total()))
    });
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn every_move_comes_once_the_promising_ones_first() {
        let gore = Gore::default();
        // Pit 1 brings pit 4 to two, pit 5 brings pit 6 to four; pit 0 captures nothing.
        let board = Board::new([1, 3, 0, 0, 1, 1, 3, 9], Pits(0x2f));
        let node = Node::root(State { board, own_store: 6, other_store: 12, offered: Pits::NONE });
        let mut memory = Memory::new();
        let order = |best, memory: &Memory| -> Vec<usize> {
            Sowings::new(gore, node, gore.sowings(node.state), best, memory).map(|s| s.pit.index()).collect()
        };
        assert_eq!(order(None, &memory), [5, 1, 0]);
        assert_eq!(order(Some(Move::Sow(Pit::new(0))), &memory), [0, 5, 1]);
        memory.reward(board, Pit::new(0), 0, 9);
        assert_eq!(order(None, &memory), [5, 1, 0]);
    }

    #[test]
    fn every_offer_is_proposed_once() {
        let gore = Gore::default();
        let state = State {
            board: Board::new([2; 8], Pits::OWN).plus(Board::single(Pit::new(0), 4)),
            own_store: 8,
            other_store: 19,
            offered: Pits::NONE,
        };
        let best = Move::Offer(Pits(0x07));
        let list = proposals(gore, state, Some(best));
        assert_eq!(list[0].pits, Pits(0x07));
        let mut sets: Vec<u8> = list.iter().map(|proposal| proposal.pits.0).collect();
        sets.sort_unstable();
        sets.dedup();
        assert_eq!(sets.len(), gore.offers(state).count());
    }
}
