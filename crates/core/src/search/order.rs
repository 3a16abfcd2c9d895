//! Which move to try first: the table's, then captures by size, then first sowings, then what did well before.

use super::node::Node;
use super::tt::{Identity, Key};
use crate::board::{Board, PITS, Pit, Pits};
use crate::rules::Rules;

/// Moves of one position: a player sows from his own row.
pub(super) const MOVES: usize = 4;

/// What quiet moves did well earlier in the search.
pub(super) struct Memory {
    /// By ply: the pit whose quiet move last was too good for the opponent.
    killers: [u8; super::MAX_PLY + 1],
    /// By pit and stones: how often such a move was too good, and failed to be.
    history: [[i16; 64]; PITS],
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { killers: [u8::MAX; super::MAX_PLY + 1], history: [[0; 64]; PITS] }
    }

    /// The quiet move from `pit` caused a cutoff at `ply`.
    #[inline]
    pub(super) fn reward(&mut self, board: Board, pit: Pit, ply: u8, depth: i32) {
        self.killers[usize::from(ply)] = pit.index() as u8;
        let entry = &mut self.history[pit.index() & 7][usize::from(board.stones(pit))];
        // Moves towards ±16,384 in steps that shrink on the way, so that it never leaves the range.
        let step = (depth * depth).min(1024);
        *entry += (step - i32::from(*entry) * step / 16_384) as i16;
    }

    /// The quiet move from `pit` was tried before the one that caused a cutoff.
    #[inline]
    pub(super) fn punish(&mut self, board: Board, pit: Pit, depth: i32) {
        let entry = &mut self.history[pit.index() & 7][usize::from(board.stones(pit))];
        let step = (depth * depth).min(1024);
        *entry -= (step + i32::from(*entry) * step / 16_384) as i16;
    }

    /// How promising the quiet move from `pit` is at `ply`, compared with others.
    #[inline]
    pub(super) fn promise(&self, board: Board, pit: Pit, ply: u8) -> i32 {
        let killer = if self.killers[usize::from(ply)] == pit.index() as u8 { 1 << 16 } else { 0 };
        killer + i32::from(self.history[pit.index() & 7][usize::from(board.stones(pit))])
    }

    /// Forgets half of what was learnt.
    pub(super) fn fade(&mut self) {
        self.killers.fill(u8::MAX);
        self.history.iter_mut().flatten().for_each(|entry| *entry /= 2);
    }
}

/// A move and what it leads to.
pub(super) struct Choice {
    pub(super) node: Node,
    pub(super) pit: Pit,
    pub(super) captured: u8,
    /// The key of its node, if it has been computed.
    pub(super) key: Option<Key>,
}

impl Choice {
    /// Whether it captures nothing.
    #[inline]
    pub(super) const fn is_quiet(&self) -> bool {
        self.captured == 0
    }
}

/// Moves that were put off, in the order in which they were.
#[derive(Default)]
pub(super) struct PutOff {
    choices: [Option<Choice>; MOVES],
    pushed: usize,
    popped: usize,
}

impl PutOff {
    #[inline]
    pub(super) fn push(&mut self, choice: Choice) {
        self.choices[self.pushed % MOVES] = Some(choice);
        self.pushed += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Choice> {
        let choice = self.choices.get_mut(self.popped)?.take()?;
        self.popped += 1;
        Some(choice)
    }
}

/// Whether `pit` has not been sown from before.
#[inline]
fn is_first(board: Board, pit: Pit) -> bool {
    board.bits() >> (8 * pit.index() + 7) & 1 != 0
}

/// Rank of a move that is not there, or has been handed out.
const GONE: i32 = i32::MIN >> 3;

/// Hands out the moves of a position, the most promising first. The table's move comes before any other is even played.
///
/// One array for each thing known of a move: structs of small fields, written field by field and read back whole, stall
/// the processor.
pub(super) struct Picker {
    first: Option<Pit>,
    /// Pits not yet handed out.
    rest: Pits,
    played: bool,
    ranks: [i32; MOVES],
    boards: [Board; MOVES],
    captured: [u8; MOVES],
    keys: [Option<Key>; MOVES],
}

impl Picker {
    #[inline]
    pub(super) fn new(moves: Pits, best: Option<u8>) -> Self {
        // A move from the table is legal, for its entry is of this very position; the test guards the types only.
        let first = best.map(Pit::new).filter(|&pit| moves.contains(pit));
        let rest = first.map_or(moves, |pit| moves.without(pit));
        Self {
            first,
            rest,
            played: false,
            ranks: [GONE; MOVES],
            boards: [Board::from_bits(0); MOVES],
            captured: [0; MOVES],
            keys: [None; MOVES],
        }
    }

    /// The next move. If there is a `touch` it hears the keys of positions that may come up soon.
    #[inline]
    pub(super) fn next<R: Rules>(
        &mut self,
        rules: &R,
        node: Node,
        memory: &Memory,
        touch: &Option<impl Fn(Key)>,
    ) -> Option<Choice> {
        if let Some(pit) = self.first.take() {
            self.play(rules, node, pit, touch);
            return Some(self.choice(node, pit));
        }
        if self.rest.is_empty() {
            return None;
        }
        if !self.played {
            self.played = true;
            for pit in self.rest {
                self.play(rules, node, pit, touch);
                self.ranks[pit.index() & 3] = rank(self.captured[pit.index() & 3], pit, node, memory);
            }
        }
        // The largest rank, with the pit in the low bits.
        let [a, b, c, d] = std::array::from_fn(|i| self.ranks[i] << 2 | i as i32);
        let pit = Pit::new((a.max(b).max(c.max(d)) & 3) as u8);
        self.rest = self.rest.without(pit);
        self.ranks[pit.index() & 3] = GONE;
        Some(self.choice(node, pit))
    }

    #[inline]
    fn play<R: Rules>(&mut self, rules: &R, node: Node, pit: Pit, touch: &Option<impl Fn(Key)>) {
        let played = rules.play(node.board, pit);
        let at = pit.index() & 3;
        (self.boards[at], self.captured[at]) = (played.board, played.captured);
        if let Some(touch) = touch {
            let key = Identity::of(played.board, node.stones - played.captured).key();
            touch(key);
            self.keys[at] = Some(key);
        }
    }

    #[inline]
    fn choice(&self, node: Node, pit: Pit) -> Choice {
        let at = pit.index() & 3;
        let (board, captured) = (self.boards[at], self.captured[at]);
        let ply = node.ply + 1;
        let since = if captured > 0 || is_first(node.board, pit) { ply } else { node.since };
        let node = Node { board, stones: node.stones - captured, ply, since };
        Choice { node, pit, captured, key: self.keys[at] }
    }
}

#[inline]
fn rank(captured: u8, pit: Pit, node: Node, memory: &Memory) -> i32 {
    if captured > 0 {
        return (i32::from(captured) + 1) << 20;
    }
    let first = if is_first(node.board, pit) { 1 << 18 } else { 0 };
    first + memory.promise(node.board, pit, node.ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::kpe::Kpe;

    fn order(board: Board, best: Option<u8>, memory: &Memory) -> Vec<usize> {
        let rules = Kpe::default();
        let mut picker = Picker::new(rules.moves(board), best);
        let node = Node { ply: 3, ..Node::root(board) };
        std::iter::from_fn(|| picker.next(&rules, node, memory, &None::<fn(Key)>))
            .map(|choice| choice.pit.index())
            .collect()
    }

    #[test]
    fn every_move_comes_once_the_promising_ones_first() {
        // A brings c to two, D brings a to four; B and C capture nothing.
        let board = Board::new([6, 2, 1, 1, 3, 0, 1, 0], Pits::NONE);
        let mut memory = Memory::new();
        assert_eq!(order(board, None, &memory)[..2], [3, 0]);
        memory.reward(board, Pit::new(2), 3, 5);
        assert_eq!(order(board, None, &memory), [3, 0, 2, 1]);
        assert_eq!(order(board, Some(1), &memory), [1, 3, 0, 2]);
    }

    #[test]
    fn history_stays_within_its_range() {
        let board = Board::new([1; 8], Pits::NONE);
        let mut memory = Memory::new();
        for _ in 0..100_000 {
            memory.reward(board, Pit::new(0), 0, 100);
            memory.punish(board, Pit::new(1), 100);
        }
        assert!(memory.history[0][1] > 15_000 && memory.history[1][1] < -15_000);
    }
}
