//! What an entry claims of its position, and what the entries one move on say of it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::board::{Board, MAX_STONES, Pits};
use crate::index::{self, Layer, successor};
use crate::memory::{Pages, prefetch};
use crate::rules::Rules;
use crate::table::layer_name;
use crate::value::{Distance, Entry, Value};

/// An entry, or what a file says of its entries, that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The layer, by its name.
    pub layer: String,
    /// Number and board (from the mover's view) of the position, if it is one entry that is wrong.
    pub position: Option<(u32, Board)>,
    /// What is wrong.
    pub finding: Finding,
}

/// What is wrong with an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Value and distance are not what the entries one move on make them.
    Entry {
        /// What the table says.
        found: Entry,
        /// What follows from the entries one move on.
        expected: Entry,
    },
    /// The counts in the file are not those of its entries.
    Counts {
        /// Counts in the file.
        found: String,
        /// Counts of its entries.
        expected: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layer {}", self.layer)?;
        if let Some((number, board)) = self.position {
            write!(f, ", position {number} (pits {:?} from the mover's left)", board.lanes())?;
        }
        match &self.finding {
            Finding::Entry { found, expected } => {
                let text = |entry: &Entry| format!("value {} distance {}", entry.value(), entry.distance().0);
                write!(f, ": found {}, expected {} from the positions one move on", text(found), text(expected))
            }
            Finding::Counts { found, expected } => write!(f, ": the file counts {found}, its entries are {expected}"),
        }
    }
}

/// What is known of the entries one move on while the moves of a position are gone through.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    value: i8,
    nearest: u16,
    farthest: u16,
}

impl Claim {
    /// No move seen yet.
    pub(super) const NONE: Self = Self { value: i8::MIN, nearest: 0, farthest: 0 };

    /// One more move, worth `value` to the mover, and the plies to the event it leads to.
    #[inline]
    pub(super) fn add(&mut self, value: i8, plies: u16) {
        if value > self.value {
            *self = Self { value, nearest: plies, farthest: plies };
        } else if value == self.value {
            self.nearest = self.nearest.min(plies);
            self.farthest = self.farthest.max(plies);
        }
    }

    /// The entry that the moves make: who is better off hurries, who is worse off delays.
    #[inline]
    pub(super) fn entry(self) -> Entry {
        let distance = match self.value.signum() {
            1 => self.nearest,
            -1 => self.farthest,
            _ => 0,
        };
        Entry::new(Value(self.value), Distance(distance.min(Entry::MAX_DISTANCE)))
    }
}

/// The values of the layers that one layer leads to, by first sowing and by stones captured.
pub(super) struct Exits {
    sowings: [Option<Arc<Pages<i8>>>; 4],
    captures: [Option<Arc<Pages<i8>>>; MAX_STONES as usize + 1],
}

impl Exits {
    /// No layer yet.
    pub(super) fn new() -> Self {
        Self { sowings: std::array::from_fn(|_| None), captures: std::array::from_fn(|_| None) }
    }

    /// Enters the values of `exit`, to which moves of `layer` lead.
    pub(super) fn put(&mut self, layer: Layer, exit: Layer, values: Arc<Pages<i8>>) {
        let captured = layer.stones() - exit.stones();
        if captured > 0 {
            self.captures[captured as usize] = Some(values);
            return;
        }
        // The one pit that is unsown in the layer and sown in the exit, which is seen from the other side.
        for pit in layer.unsown().and(Pits::OWN) {
            if exit.unsown() == layer.unsown().without(pit).rotate() {
                self.sowings[pit.index()] = Some(Arc::clone(&values));
            }
        }
    }
}

/// Checks the entries of one layer.
pub(super) struct Checker<'a, R> {
    pub(super) rules: R,
    pub(super) layer: Layer,
    /// The entries of the layer.
    pub(super) entries: &'a [Entry],
    /// Those of its mirror image, to which moves inside the layer lead.
    pub(super) inner: &'a [Entry],
    pub(super) exits: &'a Exits,
}

/// Positions whose children are asked for before they are looked at.
const BATCH: usize = 64;

/// Where the entry after one move lies.
#[derive(Clone, Copy)]
struct Look<'a> {
    /// Values of another layer; `None` for a move inside the layer.
    exit: Option<&'a [i8]>,
    rank: u32,
    captured: i8,
}

impl<'a, R: Rules> Checker<'a, R> {
    /// The first `most` faults among the positions with these numbers.
    pub(super) fn check(&self, range: Range<usize>, most: usize) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut looks: Vec<Look<'a>> = Vec::with_capacity(8 * BATCH);
        let base = self.layer.base();
        let mut next = Some(self.layer.unrank(range.start as u32).minus(base));
        for start in range.clone().step_by(BATCH) {
            let count = BATCH.min(range.end - start);
            let mut boards = [Board::default(); BATCH];
            let mut ends = [0; BATCH];
            looks.clear();
            for (board, end) in boards.iter_mut().zip(&mut ends).take(count) {
                let Some(loose) = next else { break };
                *board = loose.plus(base);
                self.look(*board, &mut looks);
                *end = looks.len();
                next = successor(loose);
            }
            let mut begin = 0;
            for (at, (&board, &end)) in boards.iter().zip(&ends).take(count).enumerate() {
                let (found, expected) = (self.entries[start + at], self.conclude(board, &looks[begin..end]));
                begin = end;
                if found != expected && faults.len() < most {
                    faults.push(self.fault((start + at) as u32, board, Finding::Entry { found, expected }));
                }
            }
        }
        faults
    }

    fn fault(&self, number: u32, board: Board, finding: Finding) -> Fault {
        Fault { layer: layer_name(self.layer), position: Some((number, board)), finding }
    }

    /// Plays every move and asks for the entries they lead to.
    #[inline]
    fn look(&self, board: Board, looks: &mut Vec<Look<'a>>) {
        if self.rules.over(board).is_some() {
            return;
        }
        let unsown = board.flags();
        let moves = self.rules.moves(board);
        if moves.is_empty() {
            let rank = index::rank(index::loose(self.rules.pass(board)));
            looks.push(Look { exit: None, rank, captured: 0 });
        }
        for pit in moves {
            let played = self.rules.play(board, pit);
            let rank = index::rank(index::loose(played.board));
            let exit = if played.captured > 0 {
                Some(&self.exits.captures[played.captured as usize])
            } else if unsown.contains(pit) {
                Some(&self.exits.sowings[pit.index()])
            } else {
                prefetch(self.inner, rank as usize);
                None
            };
            // Every layer a move can lead to was required to be there, so only a mistake here meets an empty one.
            let exit = exit.map(|values| values.as_ref().map_or(&[][..], |values| &values[..]));
            if let Some(values) = exit {
                prefetch(values, rank as usize);
            }
            looks.push(Look { exit, rank, captured: played.captured as i8 });
        }
    }

    /// The entry of a position whose moves lead where `looks` says.
    #[inline]
    fn conclude(&self, board: Board, looks: &[Look<'_>]) -> Entry {
        if let Some(value) = self.rules.over(board) {
            return Entry::new(Value(value), Distance(0));
        }
        let mut claim = Claim::NONE;
        for look in looks {
            match look.exit {
                Some(values) => {
                    claim.add(look.captured - values[look.rank as usize], 1);
                }
                None => {
                    let entry = self.inner[look.rank as usize];
                    claim.add(-entry.value().0, 1 + entry.distance().0);
                }
            }
        }
        claim.entry()
    }
}
