//! What a position is worth in a game that had others before it (RULES 2.6).
//!
//! Tables and search know boards. In a game in play a position that comes up a second time since the last capture or
//! first sowing ends the game, the stones left shared equally, so the positions there have been are as many ends worth 0. Only
//! those of the layer count, for what has left a layer never comes back to it.
//!
//! # What history can do
//!
//! Let V be the value of a position by itself (endless play is worth 0) and G its value in the game.
//!
//! *G does not depend on the way the line takes.* A player makes sure of t > 0 by getting ever nearer to an exit worth t (an
//! attractor), and so never comes back. The other prevents it by staying where nobody gets nearer; a repetition is
//! no harm then, as it is worth 0. So G is the value of the layer's graph in which the positions there have been are finished
//! games worth 0. Without any, G = V.
//!
//! *G lies between 0 and V.* The player who is worse off by V can keep to positions where no more is lost; each end of the
//! line, a repetition included, then costs at most that. So where V is 0, G is.
//!
//! *The better player gets V if the tables' own way is free.* It keeps the value and shortens the distance, so from ply to ply
//! the value grows, or it stays and the distance shrinks: the pair (value, −distance) grows. If no position there has been has
//! a greater pair, the way meets none of them. Otherwise it is followed: as the pair grows there are no circles, and what is
//! found out of a position can be remembered.
//!
//! What that does not decide is looked for in the graph itself, as far as a number of positions allows. Where it ends unexplored
//! positions count once as bad and once as good as they can be; the truth lies between.

mod graph;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Analysis, Engine, LONGEST_LINE, MoveAnalysis};
use crate::board::Board;
use crate::index::Layer;
use crate::rules::Rules;
use crate::search::{Probe, Step};
use crate::value::{Distance, Kind, Value};

/// Positions that are looked into for one answer: some milliseconds where tables are unpacked, some tenths of a second where not.
const HISTORY_POSITIONS: u32 = 5_000;
/// Of these, those that are looked into whatever happens: a millisecond's work.
const AT_ONCE: u32 = 500;
/// The longest way of the tables that is followed, in plies.
const LONGEST_WAY: u32 = 2_000;

/// A position of the game in play: the board from its mover's view, and whether that is the opponent of the player who is to move now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// The board.
    pub board: Board,
    /// Whether it is the turn of the player who is not to move now.
    pub turned: bool,
}

/// From and to what a position is worth to its mover, in stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i8,
    high: i8,
}

impl Range {
    const fn exact(value: i8) -> Self {
        Self { low: value, high: value }
    }

    const fn most(stones: u8) -> Self {
        Self { low: -(stones as i8), high: stones as i8 }
    }

    /// What history can make of values in this range.
    fn with_zero(self) -> Self {
        Self { low: self.low.min(0), high: self.high.max(0) }
    }

    /// The same for the player whose move captured so much and led here.
    const fn of_move(self, captured: u8) -> Self {
        Self { low: captured as i8 - self.high, high: captured as i8 - self.low }
    }

    const fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// A value of the range as it is told; bounds that the stones alone set are no news.
    fn told(self, value: Value, stones: u8) -> (Value, Kind) {
        let all = Self::most(stones);
        let value = value.0.clamp(self.low, self.high);
        let kind = match () {
            () if self.is_exact() => Kind::Exact,
            () if value == self.low && value > all.low => Kind::AtLeast,
            () if value == self.high && value < all.high => Kind::AtMost,
            () => Kind::Estimate,
        };
        (Value(value), kind)
    }
}

/// The work for one answer.
struct Inquiry<'a, R, P> {
    engine: &'a Engine<R, P>,
    /// The positions there have been, the present one among them.
    past: HashSet<Spot>,
    /// By whether the claimant is the opponent of the player to move now: the greatest pair of the claimant's value and −distance among
    /// the past; `None` if a position of it is not known.
    peaks: [Option<(i8, i32)>; 2],
    known: HashMap<Board, Option<(Value, Distance)>>,
    /// Whether the tables' way was found to be free.
    ways: HashMap<Spot, bool>,
    /// Worth and plies to the event by the graph, mover's view.
    solved: HashMap<Spot, (i8, u16)>,
    /// Positions that may still be looked into.
    room: u32,
    stop: &'a AtomicBool,
}

impl<R: Rules, P: Probe> Engine<R, P> {
    /// The same knowledge of `board` in a game that had these positions since its last capture or first sowing. Moves that lead
    /// to one of them are not for this: they end the game.
    ///
    /// Looks into so many positions at most, a few hundred if `stop` is set; what is then not known is told as a bound or
    /// an estimate.
    #[must_use]
    pub fn in_play(&self, board: Board, past: &[Spot], mut analysis: Analysis, stop: &AtomicBool) -> Analysis {
        if past.is_empty() || analysis.best.is_none() {
            return analysis;
        }
        let mut inquiry = Inquiry::new(self, board, past, stop);
        let stones = board.total();
        let top = (analysis.value, analysis.kind);
        let mut ranges: Vec<Range> = analysis.moves.iter().map(|m| range(m, top, stones)).collect();
        inquiry.settle(board, &analysis.moves, &mut ranges);
        let of_all = Range {
            low: ranges.iter().map(|range| range.low).max().unwrap_or(-(stones as i8)),
            high: ranges.iter().map(|range| range.high).max().unwrap_or(stones as i8),
        };
        for (m, range) in analysis.moves.iter_mut().zip(&ranges) {
            let before = m.value;
            (m.value, m.kind) = range.told(m.value, stones);
            m.distance = m.distance.filter(|_| m.value == before && m.kind == Kind::Exact);
        }
        let first = analysis.best;
        // Of moves worth the same one whose worth is proven, then the one that was best by itself.
        analysis.moves.sort_by_key(|m| (Reverse(m.value), m.kind != Kind::Exact, Some(m.step) != first));
        let best = analysis.moves[0];
        let same = analysis.best == Some(best.step) && (best.value, best.kind) == (top.0, Kind::Exact);
        analysis.best = Some(best.step);
        (analysis.value, analysis.kind) = of_all.told(best.value, stones);
        analysis.distance = best.distance.filter(|_| analysis.kind == Kind::Exact);
        analysis.line = match same || best.kind != Kind::Exact && analysis.line.first() == Some(&best.step) {
            true if inquiry.is_free(board, &analysis.line) => analysis.line,
            _ => inquiry.line(board, &best),
        };
        analysis
    }

    /// The same knowledge in a game in which a repetition does not share the stones equally ([`Loops::Own`](crate::rules::Loops)): tables
    /// and search suppose that it does, so what they know is exact only where the game must end before any.
    #[must_use]
    pub fn in_play_with_own_loops(&self, board: Board, past: &[Spot], mut analysis: Analysis) -> Analysis {
        let mut past: HashSet<Spot> = past.iter().copied().collect();
        past.insert(Spot { board, turned: false });
        let mut walk = Walk { rules: self.rules, past, done: HashMap::new(), room: HISTORY_POSITIONS };
        for m in &mut analysis.moves {
            if m.kind != Kind::Estimate && !walk.ends(Spot { board: m.board, turned: true }, 0) {
                (m.kind, m.distance) = (Kind::Estimate, None);
            }
        }
        if analysis.moves.iter().any(|m| m.kind == Kind::Estimate) {
            (analysis.kind, analysis.distance) = (Kind::Estimate, None);
        }
        analysis
    }
}

/// What is known of a move by itself, given what is known of all moves together.
fn range(m: &MoveAnalysis, (top, kind): (Value, Kind), stones: u8) -> Range {
    let all = Range::most(stones);
    let high = if matches!(kind, Kind::Exact | Kind::AtMost) { top.0 } else { all.high };
    match m.kind {
        Kind::Exact => Range::exact(m.value.0),
        Kind::AtLeast => Range { low: m.value.0, high: high.max(m.value.0) },
        Kind::AtMost => Range { low: all.low, high: m.value.0 },
        Kind::Estimate => Range { low: all.low, high },
    }
}

impl<'a, R: Rules, P: Probe> Inquiry<'a, R, P> {
    fn new(engine: &'a Engine<R, P>, board: Board, past: &[Spot], stop: &'a AtomicBool) -> Self {
        let mut past: HashSet<Spot> = past.iter().copied().collect();
        past.insert(Spot { board, turned: false });
        let known = HashMap::new();
        let (ways, solved) = (HashMap::new(), HashMap::new());
        let mut inquiry = Self { engine, past, peaks: [None; 2], known, ways, solved, room: HISTORY_POSITIONS, stop };
        let spots: Vec<Spot> = inquiry.past.iter().copied().collect();
        for claimant in [false, true] {
            let pairs: Option<Vec<_>> = spots.iter().map(|&spot| inquiry.pair(spot, claimant)).collect();
            inquiry.peaks[usize::from(claimant)] = pairs.and_then(|pairs| pairs.into_iter().max());
        }
        inquiry
    }

    /// Value and distance of a board by itself.
    fn known(&mut self, board: Board) -> Option<(Value, Distance)> {
        let engine = self.engine;
        *self.known.entry(board).or_insert_with(|| engine.known(board))
    }

    /// The pair that grows on the claimant's way.
    fn pair(&mut self, spot: Spot, claimant: bool) -> Option<(i8, i32)> {
        let (value, distance) = self.known(spot.board)?;
        let value = if spot.turned == claimant { value } else { -value };
        Some((value.0, -i32::from(distance.0)))
    }

    /// The moves of a position: what each captures, where it leads, and whether that is in the layer.
    fn moves(&self, spot: Spot) -> Vec<(Step, u8, Spot, bool)> {
        let rules = self.engine.rules;
        let layer = Layer::of(spot.board).mirror();
        let after = |step: Step| {
            let (board, captured) = step.play(&rules, spot.board);
            let stays = Layer::of(board) == layer && rules.over(board).is_none();
            (step, captured, Spot { board, turned: !spot.turned }, stays)
        };
        Step::legal(&rules, spot.board).map(after).collect()
    }

    /// Takes one position from those that may still be looked into; whether there was one.
    fn spend(&mut self) -> bool {
        // A few positions are nothing to wait for: what they decide is known even if the search is to stop at once.
        let may = self.room > 0 && (HISTORY_POSITIONS - self.room < AT_ONCE || !self.stop.load(Relaxed));
        self.room -= u32::from(may);
        may
    }

    /// Narrows what is known of the moves by themselves to what is true of them in the game.
    fn settle(&mut self, board: Board, moves: &[MoveAnalysis], ranges: &mut [Range]) {
        let layer = Layer::of(board).mirror();
        let mut open = Vec::new();
        for (at, (m, range)) in moves.iter().zip(ranges.iter_mut()).enumerate() {
            let leaves = Layer::of(m.board) != layer || self.engine.rules.over(m.board).is_some();
            if leaves || *range == Range::exact(0) {
                continue;
            }
            let spot = Spot { board: m.board, turned: true };
            if range.is_exact() && self.is_way_free(spot, 0) {
                continue;
            }
            *range = range.with_zero();
            // What the search only guesses of a layer without tables is not worth the trouble.
            if !range.is_exact() && (m.kind != Kind::Estimate || self.known(m.board).is_some()) {
                open.push((at, spot));
            }
        }
        // Each player's hopes apart: what cannot fulfil them need not be looked into.
        for claimant in [Some(false), Some(true), None] {
            let better = |spot: Spot, value: Value| if value.0 > 0 { spot.turned } else { !spot.turned };
            let hopes: Vec<(usize, Spot)> = open
                .iter()
                .copied()
                .filter(|&(_, spot)| self.known(spot.board).map(|(value, _)| better(spot, value)) == claimant)
                .collect();
            if hopes.is_empty() {
                continue;
            }
            let spots: Vec<Spot> = hopes.iter().map(|&(_, spot)| spot).collect();
            for ((at, _), found) in hopes.into_iter().zip(self.explore(&spots, claimant)) {
                let (found, range) = (found.of_move(0), &mut ranges[at]);
                *range = Range { low: range.low.max(found.low), high: range.high.min(found.high) };
            }
        }
    }

    /// Whether the better player can follow the tables' way from here to its event and meet no position of the past.
    fn is_way_free(&mut self, spot: Spot, ply: u32) -> bool {
        if self.past.contains(&spot) || ply > LONGEST_WAY {
            return false;
        }
        let Some((value, distance)) = self.known(spot.board) else { return false };
        if value == Value::ZERO || self.engine.rules.over(spot.board).is_some() {
            return true;
        }
        let claimant = if value.0 > 0 { spot.turned } else { !spot.turned };
        let (peak, pair) = (self.peaks[usize::from(claimant)], self.pair(spot, claimant));
        if peak.is_some() && pair >= peak {
            return true;
        }
        if let Some(&free) = self.ways.get(&spot) {
            return free;
        }
        if !self.spend() {
            return false;
        }
        let moves = self.moves(spot);
        let free = if spot.turned == claimant {
            moves.into_iter().any(|(_, captured, next, stays)| {
                let Some((theirs, plies)) = self.known(next.board) else { return false };
                captured as i8 - theirs.0 == value.0
                    && (!stays || plies.0 < distance.0 && self.is_way_free(next, ply + 1))
            })
        } else {
            moves.into_iter().all(|(_, _, next, stays)| !stays || self.is_way_free(next, ply + 1))
        };
        if self.room > 0 {
            self.ways.insert(spot, free);
        }
        free
    }

    /// Whether a line meets no position of the past.
    fn is_free(&self, board: Board, line: &[Step]) -> bool {
        let mut spot = Spot { board, turned: false };
        let layer = Layer::of(board);
        line.iter().all(|step| {
            let board = step.play(&self.engine.rules, spot.board).0;
            spot = Spot { board, turned: !spot.turned };
            let own = if spot.turned { layer.mirror() } else { layer };
            Layer::of(board) != own || !self.past.contains(&spot)
        })
    }

    /// What a position of the layer is worth to its mover and how many plies are left to the event, if that is known.
    fn worth(&mut self, spot: Spot) -> Option<(i8, u16)> {
        if self.past.contains(&spot) {
            return Some((0, 0));
        }
        if let Some(&solved) = self.solved.get(&spot) {
            return Some(solved);
        }
        let (value, distance) = self.known(spot.board)?;
        (value == Value::ZERO || self.is_way_free(spot, 0)).then_some((value.0, distance.0))
    }

    /// The line of play that a move begins whose worth is known, as far as that of the positions on the way is. It ends with the game.
    fn line(&mut self, board: Board, first: &MoveAnalysis) -> Vec<Step> {
        let mut line = vec![first.step];
        let mut spot = Spot { board: first.board, turned: true };
        let mut stays = Layer::of(first.board) == Layer::of(board).mirror() && first.captured == 0;
        let mut met = self.past.clone();
        while stays && met.insert(spot) && line.len() < LONGEST_LINE {
            let Some((worth, _)) = self.worth(spot) else { return line };
            let mut best: Option<(i32, Step, Spot, bool)> = None;
            for (step, captured, next, stay) in self.moves(spot) {
                let known = if stay { self.worth(next) } else { self.known(next.board).map(|(v, _)| (v.0, 0)) };
                let Some((_, plies)) = known.filter(|&(theirs, _)| captured as i8 - theirs == worth) else { continue };
                let delay = if worth > 0 { i32::from(plies) } else { -i32::from(plies) };
                if best.is_none_or(|best| delay < best.0) {
                    best = Some((delay, step, next, stay));
                }
            }
            let Some((_, step, next, stay)) = best else { return line };
            line.push(step);
            (spot, stays) = (next, stay);
        }
        if stays { line } else { self.engine.complete(board, line) }
    }
}

/// A walk through all that can come, for circles.
struct Walk<R> {
    rules: R,
    past: HashSet<Spot>,
    /// Whether the position's way was walked to its end; `false` while it is on the line.
    done: HashMap<Spot, bool>,
    room: u32,
}

impl<R: Rules> Walk<R> {
    fn ends(&mut self, spot: Spot, ply: u32) -> bool {
        if self.rules.over(spot.board).is_some() {
            return true;
        }
        if self.past.contains(&spot) || ply > LONGEST_WAY {
            return false;
        }
        if let Some(&done) = self.done.get(&spot) {
            return done;
        }
        if self.room == 0 {
            return false;
        }
        self.room -= 1;
        self.done.insert(spot, false);
        let rules = self.rules;
        let ends = Step::legal(&rules, spot.board).all(|step| {
            let board = step.play(&rules, spot.board).0;
            self.ends(Spot { board, turned: !spot.turned }, ply + 1)
        });
        self.done.insert(spot, ends);
        ends
    }
}
