//! The positions of a book in their fixed order, ply after ply.
//!
//! Breadth first from the start: the positions of a ply in the order in which they are first met, the positions before them in
//! their own order and the pits of each from left to right. A position met at an earlier ply is not met again. Nothing
//! but the rules decides the order, so no key needs to be written down.

use std::ops::Range;

use hashbrown::HashMap;

use crate::board::Board;
use crate::index::Layer;
use crate::rules::Rules;
use crate::rules::kpe::Kpe;
use crate::value::{Entry, Value};

/// Where a position stands in a book's memory: layer and number in one word.
#[inline]
pub(super) fn key(layer: Layer, number: u32) -> u64 {
    u64::from(layer.unsown().0) << 48 | u64::from(layer.stones()) << 40 | u64::from(number)
}

#[inline]
fn key_of(board: Board) -> u64 {
    let layer = Layer::of(board);
    key(layer, layer.rank(board))
}

/// The positions so far, those of the last ply without entries until they are told.
pub(super) struct Walk {
    rules: Kpe,
    pub(super) places: HashMap<u64, u32>,
    pub(super) boards: Vec<Board>,
    /// What each position is worth at least to its mover, since the positions before it are worth no more than they are.
    pub(super) floors: Vec<Value>,
    /// Where each ply begins, and the end.
    pub(super) plies: Vec<usize>,
}

impl Walk {
    /// The start alone; `room` positions fit without growing.
    pub(super) fn new(rules: Kpe, room: usize) -> Self {
        let mut places = HashMap::with_capacity(room);
        places.insert(key_of(Kpe::start()), 0);
        let mut boards = Vec::with_capacity(room);
        boards.push(Kpe::start());
        let mut floors = Vec::with_capacity(room);
        floors.push(Value(-48));
        Self { rules, places, boards, floors, plies: vec![0, 1] }
    }

    /// The positions of the last ply.
    pub(super) fn last(&self) -> Range<usize> {
        self.plies[self.plies.len() - 2]..self.plies[self.plies.len() - 1]
    }

    /// Adds the next ply; `entries` are those of all positions so far.
    pub(super) fn advance(&mut self, entries: &[Entry]) {
        for at in self.last() {
            let (board, value) = (self.boards[at], entries[at].value());
            for pit in self.rules.moves(board) {
                let played = self.rules.play(board, pit);
                let floor = Value(played.captured as i8 - value.0);
                let place = *self.places.entry(key_of(played.board)).or_insert(self.boards.len() as u32) as usize;
                match self.floors.get_mut(place) {
                    Some(known) => *known = floor.max(*known),
                    None => {
                        self.boards.push(played.board);
                        self.floors.push(floor);
                    }
                }
            }
        }
        self.plies.push(self.boards.len());
    }
}
