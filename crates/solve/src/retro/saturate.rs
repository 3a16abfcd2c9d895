//! Second step of solving a layer: values spread backwards through its own moves, best value first.
//!
//! For t = n … 1 the positions worth ±t are found, those worth more being known already. A position is *decided*
//! when it is written as final; a position whose exits alone speak is left open, for [`Cell::settle`] to read, but
//! starts the round of its value all the same. Rounds are plies, so the round number is the distance.
//! The work lists hold boards, because un-sowing needs the board and its rank is cheaper than unranking.

use super::SolveError;
use super::cell::Cell;
use super::predecessors::Unsowing;
use crate::board::Board;
use crate::index;
use crate::memory::{Pages, prefetch};
use crate::rules::Rules;
use crate::value::Entry;

/// Boards whose cells are asked for at once before they are looked at.
const BATCH: usize = 256;

/// One of the two layers of a pair, or the only one of a symmetric layer.
pub(super) struct Side<R> {
    pub(super) cells: Pages<Cell>,
    /// Un-sowing from positions of this side; predecessors lie on the other side.
    pub(super) unsowing: Unsowing<R>,
    /// `seeds[t]`: positions that their exits or the end of the game make worth +t or −t, with predecessors.
    pub(super) seeds: Vec<Seeds>,
}

/// Positions (loose boards) where a round of one value starts.
#[derive(Default)]
pub(super) struct Seeds {
    /// The game is over: distance 0.
    pub(super) over: Decided,
    /// Won: the best exit is +t. Lost: it is −t and no inner move is open. Distance 1.
    pub(super) exits: Decided,
}

/// Positions (loose boards) worth +t and −t for their mover.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) won: Vec<Board>,
    pub(super) lost: Vec<Board>,
}

/// A predecessor waiting for its cell to arrive.
#[derive(Clone, Copy)]
struct Candidate {
    board: Board,
    rank: u32,
}

/// Whose news a batch of predecessors gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    /// A child is lost for its mover by t: the predecessor wins t.
    ChildLost,
    /// A child is won for its mover by t: one hope fewer.
    ChildWon,
}

/// Decides every position of a pair that is worth something. `sides` holds one side for a symmetric layer, else two.
///
/// # Errors
/// If a distance is above [`Entry::MAX_DISTANCE`], or when `stopped` says so.
pub(super) fn saturate<R: Rules>(
    sides: &mut [Side<R>],
    stones: u8,
    stopped: &dyn Fn() -> bool,
) -> Result<(), SolveError> {
    let mut spread = Spread { level: 0, distance: 0, batch: Vec::with_capacity(2 * BATCH) };
    let mut now = decided_by_side(sides.len());
    let mut next = decided_by_side(sides.len());
    for level in (1..=stones as i8).rev() {
        spread.level = level;
        let mut seeds: Vec<Seeds> =
            sides.iter_mut().map(|side| std::mem::take(&mut side.seeds[level as usize])).collect();
        // A finished game has distance 0, so its predecessors have 1, like positions that exits decide.
        spread.distance = 1;
        for (side, seeds) in seeds.iter_mut().enumerate() {
            let over = std::mem::take(&mut seeds.over);
            spread.carry(sides, side, &over, &mut now);
        }
        spread.distance = 2;
        for (side, seeds) in seeds.into_iter().enumerate() {
            spread.carry_won_seeds(sides, side, &seeds.exits.won, &mut next);
            spread.carry(sides, side, &Decided { won: Vec::new(), lost: seeds.exits.lost }, &mut next);
        }
        loop {
            if stopped() {
                return Err(SolveError::Stopped);
            }
            for (side, decided) in now.iter().enumerate() {
                spread.carry(sides, side, decided, &mut next);
            }
            now.iter_mut().for_each(Decided::clear);
            std::mem::swap(&mut now, &mut next);
            if now.iter().all(Decided::is_empty) {
                break;
            }
            spread.distance += 1;
            if spread.distance > Entry::MAX_DISTANCE {
                return Err(SolveError::Distance);
            }
        }
    }
    Ok(())
}

fn decided_by_side(sides: usize) -> Vec<Decided> {
    (0..sides).map(|_| Decided::default()).collect()
}

impl Decided {
    fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// The value and distance in hand, and the predecessors waiting for their cells.
struct Spread {
    /// The value t that is being spread.
    level: i8,
    /// Distance of the predecessors that are decided now.
    distance: u16,
    batch: Vec<Candidate>,
}

impl Spread {
    /// Tells the predecessors of positions of `side` that are worth ±t; what that decides goes to `out`.
    fn carry<R: Rules>(&mut self, sides: &mut [Side<R>], side: usize, boards: &Decided, out: &mut [Decided]) {
        self.tell(sides, side, boards.won.iter().copied(), News::ChildWon, out);
        self.tell(sides, side, boards.lost.iter().copied(), News::ChildLost, out);
    }

    /// Like [`Self::carry`] for positions with an exit of +t: those that turned out to be worth more are left out.
    fn carry_won_seeds<R: Rules>(&mut self, sides: &mut [Side<R>], side: usize, boards: &[Board], out: &mut [Decided]) {
        for boards in boards.chunks(BATCH) {
            let mut ranks = [0; BATCH];
            for (rank, &board) in ranks.iter_mut().zip(boards) {
                *rank = index::rank(board);
                prefetch(&sides[side].cells, *rank as usize);
            }
            let mut open = [Board::default(); BATCH];
            let mut count = 0;
            for (&rank, &board) in ranks.iter().zip(boards) {
                open[count] = board;
                count += usize::from(sides[side].cells[rank as usize].is_open());
            }
            self.tell(sides, side, open[..count].iter().copied(), News::ChildWon, out);
        }
    }

    fn tell<R: Rules>(
        &mut self,
        sides: &mut [Side<R>],
        side: usize,
        boards: impl Iterator<Item = Board>,
        news: News,
        out: &mut [Decided],
    ) {
        let other = sides.len() - 1 - side;
        let unsowing = sides[side].unsowing;
        for board in boards {
            unsowing.each(board, |board| {
                let rank = index::rank(board);
                prefetch(&sides[other].cells, rank as usize);
                self.batch.push(Candidate { board, rank });
            });
            if self.batch.len() >= BATCH {
                self.deliver(&mut sides[other], news, &mut out[other]);
            }
        }
        self.deliver(&mut sides[other], news, &mut out[other]);
    }

    fn deliver<R: Rules>(&mut self, side: &mut Side<R>, news: News, out: &mut Decided) {
        for Candidate { board, rank } in self.batch.drain(..) {
            let cell = &mut side.cells[rank as usize];
            if !cell.is_open() {
                continue;
            }
            match news {
                News::ChildLost if cell.exit() < self.level => {
                    *cell = Cell::decided(self.level, self.distance);
                    if side.unsowing.is_possible(board) {
                        out.won.push(board);
                    }
                }
                News::ChildWon if cell.exit() < 0 => {
                    *cell = cell.one_fewer();
                    if cell.inner() > 0 {
                        continue;
                    }
                    // No hope left inside the layer: the best of the exits and of −t remains.
                    let exit = cell.exit();
                    if exit <= -self.level {
                        *cell = Cell::decided(-self.level, self.distance);
                    }
                    if side.unsowing.is_possible(board) {
                        if exit <= -self.level {
                            out.lost.push(board);
                        } else {
                            side.seeds[-exit as usize].exits.lost.push(board);
                        }
                    }
                }
                News::ChildLost | News::ChildWon => {}
            }
        }
    }
}
