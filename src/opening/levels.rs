//! Everything that can be played within some plies, with the stores: positions merged within a ply, ways to reach them counted.

use hashbrown::HashMap;

use crate::board::{Board, Pit};
use crate::notation::{Position, Side};
use crate::rules::kpe::Kpe;
use crate::rules::{Game, Rules};

/// A position as it arises in play.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The board from the mover's view.
    pub board: Board,
    /// Stones captured by the mover and by the other.
    pub stores: [u8; 2],
    /// Sequences of moves from the start that lead here.
    pub lines: u64,
    /// The first position one ply before that leads here, by its place, and the pit sown in it.
    pub before: Option<(usize, Pit)>,
}

impl Node {
    /// What the mover has captured minus what the other has.
    #[must_use]
    pub const fn lead(&self) -> i8 {
        self.stores[0] as i8 - self.stores[1] as i8
    }

    /// The position as people see it.
    ///
    /// # Panics
    /// If the node did not come from [`Levels`].
    #[must_use]
    pub fn position(&self, rules: Kpe, ply: u8) -> Position {
        let made = Position::new(Game::Kpe(rules), side(ply), self.board, self.stores, crate::board::Pits::NONE);
        made.expect("played from the start")
    }
}

/// The player to move after so many plies.
#[must_use]
pub const fn side(ply: u8) -> Side {
    if ply.is_multiple_of(2) { Side::South } else { Side::North }
}

/// The positions of each ply, the start first.
#[derive(Clone, Debug)]
pub struct Levels {
    rules: Kpe,
    /// By ply.
    pub plies: Vec<Vec<Node>>,
}

impl Levels {
    /// The start alone.
    #[must_use]
    pub fn new(rules: Kpe, start: Board) -> Self {
        Self { rules, plies: vec![vec![Node { board: start, stores: [0, 0], lines: 1, before: None }]] }
    }

    /// All positions within so many plies.
    #[must_use]
    pub fn within(rules: Kpe, start: Board, plies: u8) -> Self {
        let mut levels = Self::new(rules, start);
        for _ in 0..plies {
            levels.advance(|_, _| true);
        }
        levels
    }

    /// Adds the next ply, by those moves of the last ply's nodes, named by their place, that `follow` says.
    pub fn advance(&mut self, mut follow: impl FnMut(usize, Pit) -> bool) {
        let mut places: HashMap<(Board, u8), usize> = HashMap::new();
        let mut next: Vec<Node> = Vec::new();
        for (at, node) in self.plies.last().into_iter().flatten().enumerate() {
            for pit in self.rules.moves(node.board).into_iter().filter(|&pit| follow(at, pit)) {
                let played = self.rules.play(node.board, pit);
                let stores = [node.stores[1], node.stores[0] + played.captured];
                // Board and one store tell the other: no stone is lost.
                let place = *places.entry((played.board, stores[0])).or_insert(next.len());
                match next.get_mut(place) {
                    Some(known) => known.lines += node.lines,
                    None => {
                        let before = Some((at, pit));
                        next.push(Node { board: played.board, stores, lines: node.lines, before });
                    }
                }
            }
        }
        self.plies.push(next);
    }

    /// The moves that lead to a node of a ply, as text: `BcA…`.
    #[must_use]
    pub fn line(&self, ply: u8, at: usize) -> String {
        let mut letters = Vec::new();
        let (mut ply, mut at) = (ply, at);
        while let Some((before, pit)) = self.plies[usize::from(ply)][at].before {
            (ply, at) = (ply - 1, before);
            letters.push(side(ply).pit_letter(pit));
        }
        letters.iter().rev().collect()
    }
}
