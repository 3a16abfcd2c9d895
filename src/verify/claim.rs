//! What an entry claims of its position, and what the entries one move on say of it.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use crate::board::{Board, MAX_STONES, Pit, Pits};
use crate::index::{self, Layer, RUN_PIT};
use crate::memory::{Pages, prefetch};
use crate::rules::Rules;
use crate::runs::{LONGEST_RUN, Run};
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

/// What a move makes of a position, as a number that grows with what the mover prefers: first the value, then, if it is
/// positive, few plies to the next event, if it is negative, many. What a position is worth is its largest claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Claim(i32);

impl Claim {
    /// Below every move's.
    pub(super) const NONE: Self = Self(i32::MIN);

    /// The claim of a value and the plies to the event that realises it.
    #[inline]
    pub(super) fn new(value: i8, plies: u16) -> Self {
        let (value, plies) = (i32::from(value), i32::from(plies));
        // Without branches, so that a run of claims is computed side by side.
        let won = i32::from(value > 0) * (1023 - plies);
        let lost = i32::from(value < 0) * plies;
        Self(value * 1024 + won + lost)
    }

    /// The claim of a finished game or of a whole entry.
    #[inline]
    pub(super) fn of(entry: Entry) -> Self {
        Self::new(entry.value().0, entry.distance().0)
    }

    /// The claim of a move inside the layer, whose result has this entry for the opponent.
    #[inline]
    pub(super) fn inner(child: Entry) -> Self {
        Self::new(-child.value().0, 1 + child.distance().0)
    }

    /// The claim of a move that is an event: so many stones captured and what is left worth `child` to the opponent.
    #[inline]
    pub(super) fn event(captured: i8, child: i8) -> Self {
        Self::new(captured - child, 1)
    }

    /// The entry that makes this claim.
    pub(super) fn entry(self) -> Entry {
        let value = self.0.div_euclid(1024);
        let rest = self.0.rem_euclid(1024);
        let plies = if value > 0 { 1023 - rest } else { rest };
        // No position is worth more than the stones on the board, but a foreign table may say so.
        let value = value.clamp(-i32::from(MAX_STONES), MAX_STONES.into()) as i8;
        Entry::new(Value(value), Distance((plies as u16).min(Entry::MAX_DISTANCE)))
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
const BATCH: usize = 512;

/// Moves of consecutive positions to consecutive ones in reverse order, or of one position.
#[derive(Clone, Copy)]
struct Moves<'a> {
    /// Values of another layer; `None` for moves inside the layer.
    exit: Option<&'a [i8]>,
    /// Place of the first position in the batch, and how many there are.
    first: usize,
    count: usize,
    /// Number of the child of the last position, the lowest.
    child: usize,
    captured: i8,
}

impl<'a, R: Rules> Checker<'a, R> {
    /// The first `most` faults among the positions with these numbers.
    pub(super) fn check(&self, range: Range<usize>, most: usize) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut claims = vec![Claim::NONE; BATCH + LONGEST_RUN];
        let mut moves = Vec::with_capacity(4 * BATCH);
        let first = self.layer.unrank(range.start as u32).minus(self.layer.base());
        let mut run = Some(Run::of(first));
        let mut own = first.stones(RUN_PIT);
        let mut start = range.start;
        while start < range.end {
            let mut count = 0;
            while let Some(current) = run.filter(|_| count < BATCH && start + count < range.end) {
                let most = current.most().min(own + (range.end - start - count - 1).min(LONGEST_RUN) as u8);
                self.plan(current, own..=most, count, &mut claims, &mut moves);
                count += usize::from(most - own) + 1;
                (run, own) = (current.next(), 0);
            }
            self.look(&moves, &mut claims);
            moves.clear();
            let entries = &self.entries[start..start + count];
            for (at, (&entry, &claim)) in entries.iter().zip(&claims).enumerate() {
                if Claim::of(entry) != claim && faults.len() < most {
                    faults.push(self.fault((start + at) as u32, entry, claim.entry()));
                }
            }
            start += count;
        }
        faults
    }

    fn fault(&self, number: u32, found: Entry, expected: Entry) -> Fault {
        let position = Some((number, self.layer.unrank(number)));
        Fault { layer: layer_name(self.layer), position, finding: Finding::Entry { found, expected } }
    }

    /// Finds the moves of the positions of a run that have so many stones in pit 3; the first has place `first`.
    #[inline]
    fn plan(&self, run: Run, own: RangeInclusive<u8>, first: usize, claims: &mut [Claim], moves: &mut Vec<Moves<'a>>) {
        let base = self.layer.base();
        let count = usize::from(own.end() - own.start()) + 1;
        claims[first..first + count].fill(Claim::NONE);
        let board = run.at(*own.start()).plus(base);
        let quiet = self.quiet(board);
        for pit in quiet {
            let child = self.rules.play(run.at(*own.end()).plus(base), pit).board;
            moves.push(self.ask(board.flags().contains(pit), pit, child, 0, first, count));
        }
        for (at, own) in own.enumerate() {
            let board = run.at(own).plus(base);
            if let Some(value) = self.rules.over(board) {
                claims[first + at] = Claim::new(value, 0);
                continue;
            }
            let legal = self.rules.moves(board);
            for pit in Pits(legal.0 & !quiet.0) {
                let played = self.rules.play(board, pit);
                moves.push(self.ask(board.flags().contains(pit), pit, played.board, played.captured, first + at, 1));
            }
            if legal.is_empty() {
                moves.push(self.ask(false, RUN_PIT, self.rules.pass(board), 0, first + at, 1));
            }
        }
    }

    /// The pits whose sowing is legal, captures nothing and does the same in the whole run of `board`: they hold the same
    /// number there, both players have stones in pits that do not change, so that nobody is obliged to feed and nothing
    /// ends, and the last stone falls in the mover's row, or into another pit than 7 without a capture, or he may not
    /// capture.
    #[inline]
    fn quiet(&self, board: Board) -> Pits {
        let constant = Board::from_bits(board.bits() & 0x00ff_ffff_00ff_ffff);
        if constant.own_is_empty() || constant.opponent_is_empty() || self.rules.over(constant).is_some() {
            return Pits::NONE;
        }
        let does_nothing = |&pit: &Pit| {
            let (sown, last) = board.sow(pit, self.rules.origin());
            last.is_own()
                || !self.rules.may_capture(board, pit)
                || (last != Pit::new(7) && self.rules.captures(sown, last).is_empty())
        };
        constant.occupied().and(Pits::OWN).into_iter().filter(does_nothing).collect()
    }

    /// Notes where the entries after moves lie and has them fetched.
    #[inline]
    fn ask(&self, fresh: bool, pit: Pit, child: Board, captured: u8, first: usize, count: usize) -> Moves<'a> {
        // Every layer a move can lead to was required to be there.
        let exit = if captured > 0 {
            self.exits.captures[captured as usize].as_ref()
        } else if fresh {
            self.exits.sowings[pit.index()].as_ref()
        } else {
            None
        };
        let exit = exit.map(|values| &values[..]);
        let child = index::rank(index::loose(child)) as usize;
        for end in [child, child + count - 1] {
            exit.map_or_else(|| prefetch(self.inner, end), |values| prefetch(values, end));
        }
        Moves { exit, first, count, child, captured: captured as i8 }
    }

    /// Looks at the entries the moves lead to.
    #[inline]
    fn look(&self, moves: &[Moves<'_>], claims: &mut [Claim]) {
        for &Moves { exit, first, count, child, captured } in moves {
            let claims = claims[first..first + count].iter_mut();
            match exit {
                Some(values) => {
                    for (claim, &value) in claims.zip(values[child..child + count].iter().rev()) {
                        *claim = (*claim).max(Claim::event(captured, value));
                    }
                }
                None => {
                    for (claim, &entry) in claims.zip(self.inner[child..child + count].iter().rev()) {
                        *claim = (*claim).max(Claim::inner(entry));
                    }
                }
            }
        }
    }
}
