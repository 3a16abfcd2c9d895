//! The moves of many consecutive positions at once, and the entries they lead to.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::claim::Claim;
use crate::board::{Board, MAX_STONES, Pit, Pits};
use crate::index::{self, Layer, RUN_PIT};
use crate::memory::{Pages, prefetch};
use crate::rules::Rules;
use crate::runs::{LONGEST_RUN, Run};
use crate::value::Entry;

/// What is kept of the claims of a position's moves.
pub(crate) trait Tally: Copy {
    /// Of a position of which no move was seen yet.
    const NONE: Self;

    /// Of a finished position, which makes this claim and has no moves.
    fn finished(claim: Claim) -> Self;

    /// Adds the claim of one more move.
    fn add(&mut self, claim: Claim);
}

/// The largest claim alone.
impl Tally for Claim {
    const NONE: Self = Self::NONE;

    #[inline]
    fn finished(claim: Claim) -> Self {
        claim
    }

    #[inline]
    fn add(&mut self, claim: Claim) {
        *self = (*self).max(claim);
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

/// One layer and everything its moves lead to.
pub(crate) struct Side<'a> {
    /// The layer.
    pub(crate) layer: Layer,
    /// The entries of the layer.
    pub(crate) entries: &'a [Entry],
    /// Those of its mirror image, to which moves inside the layer lead.
    pub(super) inner: &'a [Entry],
    pub(super) exits: &'a Exits,
}

/// Shows the positions of one layer with the claims of their moves.
pub(crate) struct Forward<'a, R> {
    /// The rules by which the positions move.
    pub(crate) rules: R,
    /// The layer.
    pub(crate) side: &'a Side<'a>,
}

/// Positions whose children are asked for before they are looked at.
const BATCH: usize = 512;

/// Moves of consecutive positions to consecutive ones in reverse order, or of one position.
#[derive(Clone, Copy)]
struct Moves<'a> {
    /// Values of another layer; `None` for moves inside the layer.
    exit: Option<&'a [i8]>,
    /// Number of the child of the last position, the lowest.
    child: u32,
    /// Place of the first position in the batch, and how many there are.
    first: u16,
    count: u16,
    captured: i8,
}

impl<'a, R: Rules> Forward<'a, R> {
    /// Shows `visit` the number, the entry and the tally of every position of `range`.
    #[inline]
    pub(crate) fn sweep<T: Tally>(&self, range: Range<usize>, mut visit: impl FnMut(u32, Entry, T)) {
        let mut tallies = vec![T::NONE; BATCH + LONGEST_RUN];
        let mut moves = Vec::with_capacity(4 * BATCH);
        let first = self.side.layer.unrank(range.start as u32).minus(self.side.layer.base());
        let mut run = Some(Run::of(first));
        let mut own = first.stones(RUN_PIT);
        let mut start = range.start;
        while start < range.end {
            let mut count = 0;
            while let Some(current) = run.filter(|_| count < BATCH && start + count < range.end) {
                let most = current.most().min(own + (range.end - start - count - 1).min(LONGEST_RUN) as u8);
                self.plan(current, own..=most, count, &mut tallies, &mut moves);
                count += usize::from(most - own) + 1;
                (run, own) = (current.next(), 0);
            }
            self.look(&moves, &mut tallies);
            moves.clear();
            let entries = &self.side.entries[start..start + count];
            for (number, (&entry, &tally)) in (start as u32..).zip(entries.iter().zip(&tallies)) {
                visit(number, entry, tally);
            }
            start += count;
        }
    }

    /// Finds the moves of the positions of a run that have so many stones in pit 3; the first has place `first`.
    #[inline]
    fn plan<T: Tally>(
        &self,
        run: Run,
        own: RangeInclusive<u8>,
        first: usize,
        tallies: &mut [T],
        moves: &mut Vec<Moves<'a>>,
    ) {
        let base = self.side.layer.base();
        let count = usize::from(own.end() - own.start()) + 1;
        tallies[first..first + count].fill(T::NONE);
        let board = run.at(*own.start()).plus(base);
        let quiet = self.quiet(board);
        for pit in quiet {
            let child = self.rules.play(run.at(*own.end()).plus(base), pit).board;
            moves.push(self.ask(board.flags().contains(pit), pit, child, 0, first, count));
        }
        for (at, own) in own.enumerate() {
            let board = run.at(own).plus(base);
            if let Some(value) = self.rules.over(board) {
                tallies[first + at] = T::finished(Claim::new(value, 0));
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
            self.side.exits.captures[captured as usize].as_ref()
        } else if fresh {
            self.side.exits.sowings[pit.index()].as_ref()
        } else {
            None
        };
        let exit = exit.map(|values| &values[..]);
        let child = index::rank(index::loose(child));
        let fetch = |at: usize| exit.map_or_else(|| prefetch(self.side.inner, at), |values| prefetch(values, at));
        fetch(child as usize);
        if count > 1 {
            fetch(child as usize + count - 1);
        }
        Moves { exit, child, first: first as u16, count: count as u16, captured: captured as i8 }
    }

    /// Looks at the entries the moves lead to.
    #[inline]
    fn look<T: Tally>(&self, moves: &[Moves<'_>], tallies: &mut [T]) {
        for &Moves { exit, first, count, child, captured } in moves {
            let (first, count, child) = (usize::from(first), usize::from(count), child as usize);
            let tallies = tallies[first..first + count].iter_mut();
            match exit {
                Some(values) => {
                    for (tally, &value) in tallies.zip(values[child..child + count].iter().rev()) {
                        tally.add(Claim::event(captured, value));
                    }
                }
                None => {
                    for (tally, &entry) in tallies.zip(self.side.inner[child..child + count].iter().rev()) {
                        tally.add(Claim::inner(entry));
                    }
                }
            }
        }
    }
}
