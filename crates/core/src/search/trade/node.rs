//! Positions in a line of play of the full game, and how a line finds out that it goes in circles.

use crate::board::Board;
use crate::rules::gore::State;
use crate::search::MAX_PLY;
use crate::search::score::Outcome;

/// No position comes back before so many plies: a player offers, the other declines and, having no stone, passes.
const SHORTEST_LOOP: usize = 3;
/// Places for every ply a line can have.
const PLIES: usize = MAX_PLY + 2;

/// A position in a line.
#[derive(Clone, Copy)]
pub(in crate::search) struct Node {
    pub(super) state: State,
    /// Plies from the root, answers included.
    pub(super) ply: u8,
    /// No position before this ply can come back.
    floor: u8,
    /// Whether the opponent of the root's mover is to move.
    turned: bool,
    /// Whether a pit was paid for on the way from the root.
    paid: bool,
}

impl Node {
    /// The root of a search.
    pub(super) const fn root(state: State) -> Self {
        Self { state, ply: 0, floor: 0, turned: false, paid: false }
    }

    /// The node after a sowing or a pass.
    #[inline]
    pub(super) const fn after_turn(self, state: State, captured: u8) -> Self {
        // What was captured comes back to the board only when somebody pays; then all is possible again.
        let floor = if captured > 0 && !self.paid { self.ply + 1 } else { self.floor };
        Self { state, ply: self.ply + 1, floor, turned: !self.turned, paid: self.paid }
    }

    /// The node after an offer.
    #[inline]
    pub(super) const fn after_offer(self, state: State) -> Self {
        self.after_turn(state, 0)
    }

    /// The node after an answer: the same player is to move.
    #[inline]
    pub(super) const fn after_answer(self, state: State, accepted: bool) -> Self {
        let floor = if accepted { 0 } else { self.floor };
        Self { state, ply: self.ply + 1, floor, paid: self.paid || accepted, ..self }
    }

    /// What the mover has captured beyond what the opponent has.
    #[inline]
    pub(super) const fn lead(self) -> i8 {
        self.state.own_store as i8 - self.state.other_store as i8
    }
}

/// A position that the game had before the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The position, from the view of whoever was to move.
    pub state: State,
    /// Whether it was the turn of the player who is not to move at the root.
    pub turned: bool,
}

/// Bits that say which boards may be among the earlier ones.
const FILTER: usize = 1 << 12;

/// The positions of the line that is being searched, by ply, and those the game had before.
pub(super) struct Path {
    boards: [u64; PLIES],
    /// The mover's store and who that is; with the total of all stones, which never changes, the other store is known.
    rest: [u16; PLIES],
    /// The lead of the root's mover.
    leads: [i8; PLIES],
    earlier: Vec<(u64, u16)>,
    filter: Box<[u64; FILTER / 64]>,
}

/// All of a position whose total of stones is known.
#[inline]
fn words(state: State, turned: bool) -> (u64, u16) {
    let offered = Board::each(state.offered, 0x40);
    (state.board.bits() | offered.bits(), u16::from(state.own_store) << 1 | u16::from(turned))
}

/// The place of a board in the filter.
#[inline]
const fn spread(board: u64) -> usize {
    (board.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

impl Path {
    /// A line without a position yet, in a game that had these before.
    pub(super) fn new(earlier: &[Earlier]) -> Self {
        let earlier: Vec<(u64, u16)> = earlier.iter().map(|past| words(past.state, past.turned)).collect();
        let mut filter = Box::new([0; FILTER / 64]);
        for &(board, _) in &earlier {
            filter[spread(board) / 64] |= 1 << (spread(board) % 64);
        }
        Self { boards: [0; PLIES], rest: [0; PLIES], leads: [0; PLIES], earlier, filter }
    }

    /// Whether the game had positions before the root.
    #[inline]
    pub(super) fn has_history(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// Notes the position at its ply.
    #[inline]
    pub(super) fn set(&mut self, node: Node) {
        let ply = usize::from(node.ply);
        (self.boards[ply], self.rest[ply]) = words(node.state, node.turned);
        self.leads[ply] = if node.turned { -node.lead() } else { node.lead() };
    }

    /// What the node is worth if this line had its position before.
    #[inline]
    pub(super) fn repetition(&self, node: Node) -> Option<Outcome> {
        let (board, rest) = words(node.state, node.turned);
        if self.filter[spread(board) / 64] >> (spread(board) % 64) & 1 != 0 && self.earlier.contains(&(board, rest)) {
            // The game is over for certain, but only this game: so the bounds are those of this root.
            return Some(Outcome::repetition_within(node.lead(), node.lead(), node.lead(), 0));
        }
        let floor = usize::from(node.floor);
        let last = usize::from(node.ply).checked_sub(SHORTEST_LOOP)?;
        let base = (floor..=last).rev().find(|&ply| self.boards[ply] == board && self.rest[ply] == rest)?;
        Some(self.circle(node, base))
    }

    /// A circle from ply `base` to the node: the score is the store difference where it closes, the proven bounds are the least and the
    /// greatest on the way round.
    #[cold]
    fn circle(&self, node: Node, base: usize) -> Outcome {
        let leads = &self.leads[base..usize::from(node.ply)];
        let least = leads.iter().copied().min().unwrap_or(0);
        let most = leads.iter().copied().max().unwrap_or(0);
        let (low, high) = if node.turned { (-most, -least) } else { (least, most) };
        Outcome::repetition_within(node.lead(), low, high, base as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::rules::Move;
    use crate::rules::gore::Gore;

    /// Offers that are always declined bring the position back after four plies, not its mirror image after two.
    #[test]
    fn declined_offers_go_in_circles() {
        let gore = Gore::default();
        let board = Board::new([3; 8], Pits::OWN);
        let mut node = Node::root(State { board, own_store: 12, other_store: 12, offered: Pits::NONE });
        let mut path = Path::new(&[]);
        for ply in 0..4u8 {
            assert!(path.repetition(node).is_none(), "{ply}");
            path.set(node);
            let action = if ply % 2 == 0 { Move::Offer(Pits(1)) } else { Move::Decline };
            let next = gore.play(node.state, action).state;
            node = if ply % 2 == 0 { node.after_offer(next) } else { node.after_answer(next, false) };
        }
        let circle = path.repetition(node).unwrap();
        assert_eq!((circle.low, circle.high, circle.low_base, circle.score), (0, 0, 0, 0));
    }

    #[test]
    fn a_position_the_game_had_before_ends_it() {
        let state = State { board: Board::new([3; 8], Pits::OWN), own_store: 14, other_store: 6, offered: Pits::NONE };
        let path = Path::new(&[Earlier { state, turned: true }]);
        let at = |ply, turned| path.repetition(Node { ply, turned, ..Node::root(state) });
        assert_eq!(at(1, true).map(|end| (end.score, end.low, end.high, end.low_base)), Some((32, 8, 8, 0)));
        assert!(at(2, false).is_none() && path.has_history());
    }

    #[test]
    fn an_offer_declined_by_a_player_without_stones_comes_back_after_three_plies() {
        let gore = Gore::default();
        let board = Board::new([5, 0, 0, 0, 0, 0, 0, 0], Pits::OWN);
        let root = Node::root(State { board, own_store: 2, other_store: 12, offered: Pits::NONE });
        let mut path = Path::new(&[]);
        path.set(root);
        let asked = root.after_offer(gore.play(root.state, Move::Offer(Pits(2))).state);
        path.set(asked);
        let declined = asked.after_answer(gore.play(asked.state, Move::Decline).state, false);
        path.set(declined);
        let back = declined.after_turn(gore.play(declined.state, Move::Pass).state, 0);
        assert_eq!(path.repetition(back).map(|circle| (circle.low, circle.high)), Some((-10, -10)));
    }

    #[test]
    fn a_circle_is_worth_what_the_stores_say_on_the_way() {
        let board = Board::new([3; 8], Pits::OWN);
        let state = |own_store, other_store| State { board, own_store, other_store, offered: Pits::NONE };
        let mut path = Path::new(&[]);
        for (ply, (own, other, turned)) in
            [(14, 10, false), (10, 16, true), (10, 12, false), (10, 14, true)].into_iter().enumerate()
        {
            path.set(Node { ply: ply as u8, turned, ..Node::root(state(own, other)) });
        }
        let again = path.repetition(Node { ply: 4, ..Node::root(state(14, 10)) }).unwrap();
        assert_eq!((again.score, again.low, again.high), (16, -2, 6));
        let other = path.repetition(Node { ply: 5, turned: true, ..Node::root(state(10, 16)) });
        assert_eq!(other.map(|circle| (circle.score, circle.low_base)), Some((-24, 1)));
    }
}
