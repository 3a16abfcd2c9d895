//! First step of solving a layer: every position's best exit and number of moves that stay in the layer.
//!
//! The work is done by *runs*, stretches of positions that differ in pits 3 and 7 only (see [`crate::index`]). A
//! sowing from pit 0, 1 or 2 does the same along a run, and its children are a stretch of another layer, read
//! backwards: one sowing and one rank serve about a dozen positions. Pit 3 is sown position by position. A batch of
//! runs is planned first, prefetching what it will read, and carried out afterwards.

use super::cell::{Cell, NO_EXIT};
use super::children::Children;
use crate::board::{Board, Origin, Pit, Pits};
use crate::index::{self, Layer, RUN_PIT};
use crate::memory::prefetch;
use crate::rules::Rules;

/// Positions planned before their children are read.
const BATCH: usize = 512;
/// Most positions a run can add to a batch.
const LONGEST_RUN: usize = 49;
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

/// One run: the loose board with nothing in pit 3, and the stones pits 3 and 7 hold together.
struct Run {
    board: Board,
    stones: u8,
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
        // Number 0 has everything in the slowest pit, so the first run holds nothing.
        let mut run = Some(Run { board: index::unrank(0, loose_stones), stones: 0 });
        let mut done = 0;
        let mut batch: Vec<Run> = Vec::with_capacity(BATCH);
        while run.is_some() {
            batch.clear();
            let mut planned = 0;
            while planned < BATCH {
                let Some(current) = run else { break };
                self.plan(&current, planned, finished);
                planned += current.stones as usize + 1;
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

impl Run {
    /// The run that follows in the numbering.
    fn next(&self) -> Option<Self> {
        let mut lanes = self.board.lanes();
        let stones = std::mem::take(&mut lanes[7]);
        // Pits 2 6 1 5 0 4: the first with a stone gives one to the pit before it, which also gets the run's own.
        const SLOWER: [usize; 6] = [2, 6, 1, 5, 0, 4];
        let at = SLOWER.iter().position(|&pit| lanes[pit] > 0)?;
        lanes[SLOWER[at]] -= 1;
        let before = if at == 0 { 7 } else { SLOWER[at - 1] };
        lanes[before] = stones + 1;
        Some(Self { board: Board::from_bits(u64::from_le_bytes(lanes)), stones: lanes[7] })
    }

    /// The loose board with `own` of the run's stones in pit 3.
    #[inline]
    fn at(&self, own: u8) -> Board {
        const STEP: u64 = (1 << 56) - (1 << 24);
        Board::from_bits(self.board.bits() - u64::from(own) * STEP)
    }
}

impl<R: Rules> ExitPass<'_, R> {
    /// Notes inner moves and plans the exits of every position of `run`; `offset` is its place in the batch.
    fn plan(&mut self, run: &Run, offset: usize, finished: &mut Finished) {
        let positions = run.stones as usize + 1;
        self.best[offset..offset + positions].fill(NO_EXIT);
        self.inner[offset..offset + positions].fill(0);
        if self.is_special(run) {
            self.assess_run(run, offset, finished);
            return;
        }
        for pit in [Pit::new(0), Pit::new(1), Pit::new(2)] {
            if run.board.plus(self.base).stones(pit) > 0 {
                self.plan_sowing(run, offset, pit);
            }
        }
        self.plan_run_pit(run, offset);
    }

    /// Whether some position of the run may be over, oblige to feed or force a pass.
    fn is_special(&self, run: &Run) -> bool {
        const CONSTANT: u64 = 0x00ff_ffff_00ff_ffff;
        let board = Board::from_bits(run.board.plus(self.base).bits() & CONSTANT);
        board.own_is_empty() || board.opponent_is_empty() || self.rules.over(board).is_some()
    }

    #[cold]
    fn assess_run(&mut self, run: &Run, offset: usize, finished: &mut Finished) {
        for own in 0..=run.stones {
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

    /// A sowing from pit 0, 1 or 2, the same for the whole run but for what it captures at pits 3 and 7.
    fn plan_sowing(&mut self, run: &Run, offset: usize, pit: Pit) {
        const PIT_7: Pit = Pit::new(7);
        let board = run.board.plus(self.base);
        let (sown, last) = board.sow(pit, self.rules.origin());
        let last_own = run.stones;
        if last.is_own() || !self.rules.may_capture(board, pit) {
            self.plan_stretch(run, offset, pit, 0, last_own, Pits::NONE);
        } else if last == PIT_7 {
            // Only where pit 7 comes to two or four is anything captured.
            let reached = sown.stones(PIT_7);
            let mut from = 0;
            for target in [4, 2] {
                let Some(own) = reached.checked_sub(target).filter(|&own| own <= run.stones) else { continue };
                if own > from {
                    self.plan_stretch(run, offset, pit, from, own - 1, Pits::NONE);
                }
                self.plan_single(run, offset, pit, own);
                from = own + 1;
            }
            if from <= last_own {
                self.plan_stretch(run, offset, pit, from, last_own, Pits::NONE);
            }
        } else {
            let captured = self.rules.captures(sown, last);
            // Beside a captured pit lies one that changes along the run: each position for itself.
            let mixed = R::TWO_ARMED && !captured.and(Pits(0b1101_1000)).is_empty();
            if mixed {
                (0..=last_own).for_each(|own| self.plan_single(run, offset, pit, own));
            } else {
                self.plan_stretch(run, offset, pit, 0, last_own, captured);
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

    /// One move of one position.
    fn plan_single(&mut self, run: &Run, offset: usize, pit: Pit, own: u8) {
        let board = run.at(own).plus(self.base);
        let (sown, last) = board.sow(pit, self.rules.origin());
        let may_capture = !last.is_own() && self.rules.may_capture(board, pit);
        let captures = if may_capture { self.rules.captures(sown, last) } else { Pits::NONE };
        self.plan_stretch(run, offset, pit, own, own, captures);
    }

    /// The sowings from pit 3, whose hand differs from position to position.
    fn plan_run_pit(&mut self, run: &Run, offset: usize) {
        let first = u8::from(!self.base.flags().contains(RUN_PIT));
        (first..=run.stones).for_each(|own| self.plan_single(run, offset, RUN_PIT, own));
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
            let positions = run.stones as usize + 1;
            let empty = !run.board.occupied().0 & sown;
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
