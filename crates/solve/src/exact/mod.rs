//! Exact values of small games, whatever moves they have: a solver of finite graphs by backward induction.
//!
//! It knows nothing of boards, layers, search or tables. A game is an [`Arena`]: positions, their moves, what a finished one is
//! worth and what a player has in hand (his *lead*) in one that goes on. All positions that can be reached
//! from those given are solved together.
//!
//! # Endless play
//!
//! Play that never ends is worth the lead, for what is left on the board is shared equally (RULES 2.6, 3.6). Where traded stones
//! come back to the board a circle can pass through different leads, and then the rules leave it to the history of the game
//! at which of its positions it ends. So there are two values. The *low* one counts the least lead that comes up again
//! and again, the *high* one the greatest: the mover can make sure of the first however circles are ended, and the opponent of
//! the second. Where they are equal, and in a game without trades they always are, that is the value.
//!
//! # Method
//!
//! For each number t from the largest down: the positions from which a player (the claimant) can make sure of t. He wins by
//! reaching an end worth t or more, or by staying for ever in positions with leads of t or more after a while: a co-Büchi game
//! (Chatterjee, Henzinger, "Efficient and dynamic algorithms for alternating Büchi games", 2014, has the history). Positions
//! known to be won draw in those from which they can be forced; then the largest set of positions with leads of t or more
//! in which the claimant can stay is won as well; and so on until nothing is added.

mod arenas;
mod graph;

use std::collections::HashMap;
use std::hash::Hash;

pub use arenas::{BoardGame, Stored};
use graph::Graph;

use crate::value::Value;

/// A finite game of two players, seen from the one to move.
pub trait Arena {
    /// A position.
    type Node: Copy + Eq + Hash;

    /// What a finished game is worth to the mover, `None` while it goes on.
    fn end(&self, node: Self::Node) -> Option<i8>;

    /// What the mover has in hand beyond what the opponent has: the worth of endless play in this position.
    fn lead(&self, node: Self::Node) -> i8;

    /// Calls `found` with each position a move leads to and whether the same player is to move there. A game that goes
    /// on has a move.
    fn moves(&self, node: Self::Node, found: &mut dyn FnMut(Self::Node, bool));
}

/// The game has more positions than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {most} positions can be reached; begin with fewer stones or allow more")]
pub struct TooLarge {
    /// Positions allowed.
    pub most: usize,
}

/// The values of all positions reached.
pub struct Solution<N> {
    numbers: HashMap<N, u32>,
    nodes: Vec<N>,
    low: Vec<i8>,
    high: Vec<i8>,
}

impl<N: Copy + Eq + Hash> Solution<N> {
    /// The positions in the order they were reached, those given first.
    #[must_use]
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// The low and the high value for the mover; `None` if the position was not reached.
    #[must_use]
    pub fn values(&self, node: N) -> Option<(Value, Value)> {
        let number = *self.numbers.get(&node)? as usize;
        Some((Value(self.low[number]), Value(self.high[number])))
    }

    /// Positions whose value depends on where a circle is ended.
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.low.iter().zip(&self.high).filter(|(low, high)| low != high).count()
    }
}

/// Solves all positions that can be reached from `roots`.
///
/// # Errors
/// If they are more than `most`.
pub fn solve<A: Arena>(
    arena: &A,
    roots: impl IntoIterator<Item = A::Node>,
    most: usize,
) -> Result<Solution<A::Node>, TooLarge> {
    let mut reached = Reached { numbers: HashMap::new(), nodes: Vec::new(), most };
    for root in roots {
        reached.number(root)?;
    }
    let mut graph = Graph::default();
    let mut at = 0;
    while at < reached.nodes.len() {
        let node = reached.nodes[at];
        let end = arena.end(node);
        graph.begin(end.unwrap_or_else(|| arena.lead(node)), end.is_some());
        let mut failed = None;
        if end.is_none() {
            arena.moves(node, &mut |next, same| match reached.number(next) {
                Ok(number) => graph.edge(number, same),
                Err(error) => failed = Some(error),
            });
        }
        if let Some(error) = failed {
            return Err(error);
        }
        at += 1;
    }
    let (low, high) = graph.solve();
    Ok(Solution { numbers: reached.numbers, nodes: reached.nodes, low, high })
}

/// Positions met so far, numbered.
struct Reached<N> {
    numbers: HashMap<N, u32>,
    nodes: Vec<N>,
    most: usize,
}

impl<N: Copy + Eq + Hash> Reached<N> {
    fn number(&mut self, node: N) -> Result<u32, TooLarge> {
        if let Some(&number) = self.numbers.get(&node) {
            return Ok(number);
        }
        if self.nodes.len() >= self.most.min(graph::MOST_NODES) {
            return Err(TooLarge { most: self.most });
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(node, number);
        self.nodes.push(node);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position: end, lead, moves as (number, same player).
    type Entry = (Option<i8>, i8, Vec<(usize, bool)>);

    /// A game given by a list.
    struct Listed(Vec<Entry>);

    impl Arena for Listed {
        type Node = usize;
        fn end(&self, node: usize) -> Option<i8> {
            self.0[node].0
        }
        fn lead(&self, node: usize) -> i8 {
            self.0[node].1
        }
        fn moves(&self, node: usize, found: &mut dyn FnMut(usize, bool)) {
            self.0[node].2.iter().for_each(|&(next, same)| found(next, same));
        }
    }

    fn values(game: Vec<Entry>) -> Vec<(i8, i8)> {
        let size = game.len();
        let solution = solve(&Listed(game), 0..size, 100).unwrap();
        (0..size).map(|node| solution.values(node).map(|(low, high)| (low.0, high.0)).unwrap()).collect()
    }

    #[test]
    fn the_mover_takes_the_best_end_and_an_answer_keeps_the_turn() {
        let game = vec![
            (None, 0, vec![(1, false), (2, true)]),
            (Some(-3), 0, vec![]),
            (None, 0, vec![(3, false), (1, true)]),
            (Some(-5), 0, vec![]),
        ];
        assert_eq!(values(game), [(5, 5), (-3, -3), (5, 5), (-5, -5)]);
    }

    #[test]
    fn a_circle_is_worth_the_leads_on_the_way() {
        // 0 and 1 go round with leads 4 and (seen from the other) −2; 0 could also end with 1.
        let game = vec![(None, 4, vec![(1, false), (2, false)]), (None, 2, vec![(0, false)]), (Some(-1), 0, vec![])];
        assert_eq!(values(game), [(1, 4), (-4, -1), (-1, -1)]);
    }

    #[test]
    fn who_can_leave_a_circle_does_so_only_for_more() {
        let game =
            |end| vec![(None, 0, vec![(1, false)]), (None, 0, vec![(0, false), (2, false)]), (Some(end), 0, vec![])];
        assert_eq!(values(game(3))[..2], [(0, 0), (0, 0)]);
        assert_eq!(values(game(-3))[..2], [(-3, -3), (3, 3)]);
    }

    #[test]
    fn too_many_positions_are_refused() {
        let game = Listed((0..9).map(|i| (None, 0, vec![((i + 1) % 9, false)])).collect());
        assert_eq!(solve(&game, [0], 8).err(), Some(TooLarge { most: 8 }));
        assert!(solve(&game, [0], 9).is_ok());
    }
}
