//! The order in which a block is coded, and what is known at each position: its neighbours and its capture hint.

use super::HINTS;
use crate::index::Layer;
use crate::rules::Rules;
use crate::runs::{LONGEST_RUN, Run};
use crate::value::Entry;

/// Where a position and its neighbours lie in a block whose first entry has place 1; place 0 is a draw.
#[derive(Clone, Copy)]
pub(super) struct Places {
    at: usize,
    above: usize,
    diagonal: usize,
}

/// The same with the entries they lie in.
pub(super) struct Neighbours<'a> {
    places: Places,
    entries: &'a [Entry],
}

impl Places {
    /// The position's own place.
    #[inline]
    pub(super) fn at(self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn of(self, entries: &[Entry]) -> Neighbours<'_> {
        Neighbours { places: self, entries }
    }
}

impl Neighbours<'_> {
    /// The position's own entry.
    #[inline]
    pub(super) fn own(&self) -> Entry {
        self.entries[self.places.at]
    }

    /// The position before; the one above (same pit 3, a stone of pit 7 in pit 2, as a rule); the one diagonal to it
    /// (a stone of pit 3 in pit 2). Where a neighbour lies outside the block the position before stands for it.
    #[inline]
    pub(super) fn entries(&self) -> (Entry, Entry, Entry) {
        let Places { at, above, diagonal } = self.places;
        (self.entries[at - 1], self.entries[above], self.entries[diagonal])
    }
}

/// Visits `count` positions from number `first` on: `step(places, hint)` in order, until it answers `false`.
/// Returns whether all were visited.
#[inline]
pub(super) fn walk<R: Rules>(
    rules: R,
    layer: Layer,
    first: u32,
    count: usize,
    mut step: impl FnMut(Places, u8) -> bool,
) -> bool {
    let base = layer.base();
    let board = layer.unrank(first).minus(base);
    let mut own = board.stones(crate::index::RUN_PIT) as usize;
    let mut run = Run::of(board);
    let mut at = 1;
    // Place of the entry after the run before, and that run's length; nothing lies before the block.
    let mut above_end = 0;
    let mut above_length = 0;
    loop {
        let hints = hints(rules, base, &run);
        let positions = run.positions();
        let stop = positions.min(own + count + 1 - at);
        for (own, &hint) in hints.iter().enumerate().take(stop).skip(own) {
            let place = |own: usize| (above_end + own.min(above_length - 1)).wrapping_sub(above_length);
            let inside = |place: usize| if place.wrapping_sub(1) < at { place } else { at - 1 };
            let (above, diagonal) = if above_length == 0 {
                (at - 1, at - 1)
            } else {
                (inside(place(own)), if own == 0 { at - 1 } else { inside(place(own - 1)) })
            };
            if !step(Places { at, above, diagonal }, hint) {
                return false;
            }
            at += 1;
        }
        if at > count {
            return true;
        }
        (above_end, above_length, own) = (at, positions, 0);
        run = match run.next() {
            Some(next) => next,
            None => return false,
        };
    }
}

/// For each position of a run half the most stones one sowing could capture, feeding duties left aside, at most 7.
#[inline]
fn hints<R: Rules>(rules: R, base: crate::board::Board, run: &Run) -> [u8; LONGEST_RUN] {
    let mut hints = [0u8; LONGEST_RUN];
    run.sowings(rules, base, |pit, from, to, captures| {
        if captures.is_empty() {
            return;
        }
        let captured = run.at(from).plus(base).sow(pit, rules.origin()).0.take(captures).1;
        let hint = (captured / 2).min(HINTS as u8 - 1);
        hints[from as usize..=to as usize].iter_mut().for_each(|seen| *seen = hint.max(*seen));
    });
    hints
}
