//! First step of solving a layer: every position's best exit and number of moves that stay in the layer.
//!
//! The work is done by runs (see [`crate::runs`]): the children of a run are a stretch of another layer, read
//! backwards. A batch of runs is planned first, prefetching what it will read, and carried out afterwards.

use super::cell::{Cell, NO_EXIT};
use super::children::Children;
use crate::board::{Board, Origin, Pit, Pits};
use crate::index::{self, Layer};
use crate::memory::prefetch;
use crate::rules::Rules;
use crate::runs::{LONGEST_RUN, Run};

/// Positions planned before their children are read.
const BATCH: usize = 512;
/// Stands for the number of inner moves where the game is over.
const OVER: u8 = u8::MAX;

/// Consecutive children, read backwards, as exits of consecutive positions of the batch.
struct Stretch {
    target: u16,
    length: u16,
    first_child: u32,
    table: u8,
    captured: i8,
}

/// Positions that are over: loose board and value, in order of the numbering.
pub(super) type Finished = Vec<(Board, i8)>;

/// Everything that stays the same while one layer's exits are computed.
pub(super) struct ExitPass<'a, R> {
    rules: R,
    base: Board,
    children: &'a Children<'a>,
    best: [i8; BATCH + LONGEST_RUN],
    inner: [u8; BATCH + LONGEST_RUN],
    stretches: Vec<Stretch>,
}

/// What a position is before anything inside its layer is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assessed {
    /// The game is over with this value.
    Over(i8),
    /// It goes on, with this best exit (or [`NO_EXIT`]) and so many moves inside the layer.
    Open(i8, u8),
}

/// The best exit and the number of inner moves of one position, move by move: the plain version of what
/// [`ExitPass`] does by runs.
pub(super) fn assess<R: Rules>(rules: R, children: &Children<'_>, board: Board) -> Assessed {
    if let Some(value) = rules.over(board) {
        return Assessed::Over(value);
    }
    let moves = rules.moves(board);
    if moves.is_empty() {
        return Assessed::Open(NO_EXIT, 1); // a pass
    }
    let mut best = NO_EXIT;
    let mut inner = 0;
    for pit in moves {
        let played = rules.play(board, pit);
        if played.captured == 0 && !board.flags().contains(pit) {
            inner += 1;
            continue;
        }
        let layer = Layer::of(played.board);
        let child = children.values(Children::table(pit, played.captured))[layer.rank(played.board) as usize];
        best = best.max(played.captured as i8 - child);
    }
    Assessed::Open(best, inner)
}

impl<'a, R: Rules> ExitPass<'a, R> {
    /// A pass over `layer` that reads its exits from `children`.
    pub(super) fn new(rules: R, layer: Layer, children: &'a Children<'a>) -> Self {
        Self {
            rules,
            base: layer.base(),
            children,
            best: [NO_EXIT; BATCH + LONGEST_RUN],
            inner: [0; BATCH + LONGEST_RUN],
            stretches: Vec::with_capacity(4 * BATCH),
        }
    }

    /// Fills `cells`, hands every position that is over to `finished`, and to `seed` the loose board and the value of
    /// every position that its exits decide and that has predecessors inside the layer. `tick` hears how many
    /// positions were done and stops the sweep by answering `false`.
    pub(super) fn sweep(
        &mut self,
        loose_stones: u8,
        cells: &mut [Cell],
        finished: &mut Finished,
        mut seed: impl FnMut(Board, i8),
        mut tick: impl FnMut(usize) -> bool,
    ) {
        let mut run = Some(Run::first(loose_stones));
        let mut done = 0;
        let mut batch: Vec<Run> = Vec::with_capacity(BATCH);
        while run.is_some() {
            batch.clear();
            let mut planned = 0;
            while planned < BATCH {
                let Some(current) = run else { break };
                self.plan(&current, planned, finished);
                planned += current.positions();
                run = current.next();
                batch.push(current);
            }
            self.read_stretches();
            self.write(&batch, &mut cells[done..done + planned], &mut seed);
            done += planned;
            if !tick(planned) {
                return;
            }
        }
    }
}

impl<R: Rules> ExitPass<'_, R> {
    /// Notes inner moves and plans the exits of every position of `run`; `offset` is its place in the batch.
    fn plan(&mut self, run: &Run, offset: usize, finished: &mut Finished) {
        let positions = run.positions();
        self.best[offset..offset + positions].fill(NO_EXIT);
        self.inner[offset..offset + positions].fill(0);
        if run.is_special(self.rules, self.base) {
            self.assess_run(run, offset, finished);
            return;
        }
        run.sowings(self.rules, self.base, |pit, from, to, captures| {
            self.plan_stretch(run, offset, pit, from, to, captures);
        });
    }

    #[cold]
    fn assess_run(&mut self, run: &Run, offset: usize, finished: &mut Finished) {
        for own in 0..=run.most() {
            let at = offset + own as usize;
            let loose = run.at(own);
            match assess(self.rules, self.children, loose.plus(self.base)) {
                Assessed::Over(value) => {
                    (self.best[at], self.inner[at]) = (value, OVER);
                    finished.push((loose, value));
                }
                Assessed::Open(best, inner) => (self.best[at], self.inner[at]) = (best, inner),
            }
        }
    }

    /// The positions with `from` to `to` stones in pit 3: inner moves, or children that lie side by side.
    fn plan_stretch(&mut self, run: &Run, offset: usize, pit: Pit, from: u8, to: u8, captures: Pits) {
        let target = offset + from as usize;
        let length = (to - from) as usize + 1;
        let board = run.at(to).plus(self.base);
        let fresh = board.flags().contains(pit);
        if captures.is_empty() && !fresh {
            self.inner[target..target + length].iter_mut().for_each(|inner| *inner += 1);
            return;
        }
        let (sown, _) = board.sow(pit, self.rules.origin());
        let (rest, captured) = sown.with_flags(sown.flags().without(pit)).take(captures);
        let first_child = index::rank(index::loose(rest.rotate()));
        let table = Children::table(pit, captured);
        let values = self.children.values(table);
        prefetch(values, first_child as usize);
        prefetch(values, first_child as usize + length - 1);
        self.stretches.push(Stretch {
            target: target as u16,
            length: length as u16,
            first_child,
            table,
            captured: captured as i8,
        });
    }

    /// Carries out what was planned.
    fn read_stretches(&mut self) {
        for stretch in self.stretches.drain(..) {
            let (target, length) = (stretch.target as usize, stretch.length as usize);
            let first = stretch.first_child as usize;
            let children = &self.children.values(stretch.table)[first..first + length];
            for (best, &child) in self.best[target..target + length].iter_mut().zip(children.iter().rev()) {
                *best = (*best).max(stretch.captured - child);
            }
        }
    }

    /// Writes the batch's cells and hands on its seeds.
    fn write(&self, batch: &[Run], cells: &mut [Cell], seed: &mut impl FnMut(Board, i8)) {
        for (cell, (&best, &inner)) in cells.iter_mut().zip(self.best.iter().zip(&self.inner)) {
            *cell = if inner == OVER { Cell::decided(best, 0) } else { Cell::open(best, inner) };
        }
        let sown = Pits::OPPONENT.0 & !self.base.flags().0;
        let mut offset = 0;
        for run in batch {
            let positions = run.positions();
            let empty = !run.at(0).occupied().0 & sown;
            // Pit 7 is empty only at the run's end; the others hold the same all along it.
            let from = match self.rules.origin() {
                Origin::Sow => 0,
                Origin::Skip if empty & 0x70 != 0 => 0,
                Origin::Skip if sown & 0x80 != 0 => positions - 1,
                Origin::Skip => positions,
            };
            for own in from..positions {
                let (best, inner) = (self.best[offset + own], self.inner[offset + own]);
                if inner != OVER && (best > 0 || (inner == 0 && best < 0)) {
                    seed(run.at(own as u8), best);
                }
            }
            offset += positions;
        }
    }
}
