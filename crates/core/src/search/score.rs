//! Scores and proven bounds, and how those of the children make those of a position.
//!
//! A *score* is what the search believes, in quarters of a stone from the mover's point of view, relative to the
//! stones still on the board. *Bounds* are what it has proved, in whole stones. Both travel up the tree together
//! and independently: no score ever becomes a bound, so a horizon, an evaluation or a pruned move can make a score
//! wrong but never a bound.
//!
//! # Repetition and proof
//!
//! A line that comes back to a position of itself (same board, same player, hence the same layer all the while)
//! is worth 0 for the stones then on the board (RULES 2.6), so such a leaf has the bounds [0, 0]. This holds in that
//! line only; elsewhere the same board may be worth anything. Each side of a pair of bounds therefore carries its
//! *base*: the least ply at which a repetition it rests on closes, or [`FREE`] if it rests on none.
//!
//! Claim: when the bounds of the position A at ply p are folded from its subtree and a base is p or more, that bound
//! is true of A whatever led there. Take the upper bound h; the lower one is the mirror image. The subtree holds a
//! strategy for the opponent: against every move of the mover one answer, such that each line ends in a leaf worth
//! at most h to the mover. Leaves are finished games, true bounds (tables, the transposition table, the stones on
//! the board), after which the opponent goes on perfectly, and repetitions of A or of a position below it in the
//! line. On reaching one of these the opponent goes on as at its first occurrence, which lies in the same tree.
//! Between the two occurrences nothing was captured, so a line that leaves the loop later is worth what the same
//! line without the loop is, at most h. A line that never leaves is endless: its value is what was captured before
//! the loop, exactly what the repetition leaf stood for, again at most h. □
//!
//! So at ply p every base of p or more becomes [`FREE`], and only free bounds enter the transposition table. A bound that
//! is not free rests on a repetition of a position further up the line; it is used in that line alone. At the root
//! everything is free. This is more than the condition "no repetition was used" and needed: nearly every proof of
//! a bound within a layer has to answer the other side's walking in circles.

/// Parts of a stone that scores count.
pub const UNITS: i32 = 4;
/// The base of a bound that rests on no repetition.
pub(super) const FREE: u8 = u8::MAX;

/// A score in whole stones, rounded to the nearest, halves away from zero.
pub(super) fn to_stones(score: i32) -> i8 {
    ((2 * score + score.signum() * UNITS) / (2 * UNITS)) as i8
}

/// What is known of a position: proven bounds in stones, each with its base, and a score between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    /// In quarters of a stone. Fail-soft: at most alpha it is an upper, at least beta a lower estimate.
    pub(super) score: i16,
    pub(super) low: i8,
    pub(super) high: i8,
    pub(super) low_base: u8,
    pub(super) high_base: u8,
}

impl Outcome {
    /// A value that is certain.
    #[inline]
    pub(super) const fn exact(value: i8) -> Self {
        Self { score: value as i16 * UNITS as i16, low: value, high: value, low_base: FREE, high_base: FREE }
    }

    /// The end of a line at a position it has had at ply `base`.
    #[inline]
    pub(super) const fn repetition(base: u8) -> Self {
        Self { score: 0, low: 0, high: 0, low_base: base, high_base: base }
    }

    /// The end of a line at a position it has had at ply `base`, in a game whose stores change on the way round.
    #[inline]
    pub(super) const fn repetition_within(value: i8, low: i8, high: i8, base: u8) -> Self {
        Self { score: value as i16 * UNITS as i16, low, high, low_base: base, high_base: base }
    }

    /// A score within bounds that rest on no repetition.
    #[inline]
    pub(super) fn within(score: i32, low: i8, high: i8) -> Self {
        let score = score.clamp(i32::from(low) * UNITS, i32::from(high) * UNITS);
        Self { score: score as i16, low, high, low_base: FREE, high_base: FREE }
    }

    /// The score of the move that captured so much and led here, from the player's view who made it.
    #[inline]
    pub(super) fn score_of_move(self, captured: u8) -> i32 {
        i32::from(captured) * UNITS - i32::from(self.score)
    }

    /// The same outcome from the view of the player whose move captured so much and led here.
    #[inline]
    pub(super) fn of_move(self, captured: u8) -> Self {
        let captured_stones = captured as i8;
        Self {
            score: self.score_of_move(captured) as i16,
            low: captured_stones - self.high,
            high: captured_stones - self.low,
            low_base: self.high_base,
            high_base: self.low_base,
        }
    }
}

/// Bounds of a position in the making, from what was known before and from its moves one after the other.
pub(super) struct Fold {
    /// Known beforehand, free.
    prior: (i8, i8),
    low: i8,
    low_base: u8,
    /// The largest upper bound of a move so far.
    high: i8,
    high_base: u8,
}

impl Fold {
    /// Begins with free bounds that are already known.
    #[inline]
    pub(super) fn new(low: i8, high: i8) -> Self {
        Self { prior: (low, high), low, low_base: FREE, high: i8::MIN, high_base: FREE }
    }

    /// Adds a move, seen from the player who makes it: he may choose it, so its lower bound is his.
    #[inline]
    pub(super) fn add(&mut self, of_move: Outcome) {
        if of_move.low > self.low {
            (self.low, self.low_base) = (of_move.low, of_move.low_base);
        } else if of_move.low == self.low {
            self.low_base = self.low_base.max(of_move.low_base);
        }
        self.high = self.high.max(of_move.high);
        self.high_base = self.high_base.min(of_move.high_base);
    }

    /// The outcome at ply `ply`; the moves' upper bounds count only if `complete`, that is all moves were added.
    #[inline]
    pub(super) fn finish(self, score: i32, complete: bool, ply: u8) -> Outcome {
        let free = |base: u8| if base >= ply { FREE } else { base };
        let (mut low, mut low_base) = (self.low, free(self.low_base));
        let (mut high, mut high_base) = (self.prior.1, FREE);
        if complete && self.high < high {
            (high, high_base) = (self.high, free(self.high_base));
        }
        // A bound that holds in this line only may contradict a true one; then it is of no use further up.
        if low > high && low_base != FREE {
            (low, low_base) = (self.prior.0, FREE);
        }
        if low > high && high_base != FREE {
            (high, high_base) = (self.prior.1, FREE);
        }
        debug_assert!(low <= high, "proven bounds contradict each other: {low} to {high}");
        let score = score.clamp(i32::from(low) * UNITS, i32::from(high) * UNITS) as i16;
        Outcome { score, low, high, low_base, high_base }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(low: i8, high: i8, low_base: u8, high_base: u8) -> Outcome {
        Outcome { score: i16::from(low) * UNITS as i16, low, high, low_base, high_base }
    }

    #[test]
    fn scores_round_to_the_nearest_stone() {
        assert_eq!([0, 1, 2, 5, 6, -1, -2, -5, -6].map(to_stones), [0, 0, 1, 1, 2, 0, -1, -1, -2]);
    }

    #[test]
    fn an_upper_bound_needs_every_move() {
        let fold = || {
            let mut fold = Fold::new(-9, 9);
            fold.add(mv(-2, 3, FREE, FREE));
            fold.add(mv(1, 1, FREE, FREE));
            fold
        };
        let all = fold().finish(0, true, 0);
        assert_eq!((all.low, all.high, all.score), (1, 3, 4));
        assert_eq!(fold().finish(0, false, 0).high, 9);
    }

    #[test]
    fn a_repetition_is_free_where_it_closes() {
        let fold = |ply| {
            let mut fold = Fold::new(-9, 9);
            fold.add(mv(0, 0, 4, 4));
            fold.add(mv(-3, -1, FREE, FREE));
            fold.finish(0, true, ply)
        };
        let below = fold(5);
        assert_eq!((below.low, below.low_base, below.high, below.high_base), (0, 4, 0, 4));
        let closed = fold(4);
        assert_eq!((closed.low_base, closed.high_base), (FREE, FREE));
    }

    #[test]
    fn true_bounds_win_over_those_of_the_line() {
        let mut fold = Fold::new(-9, -2);
        fold.add(mv(0, 0, 1, 1));
        let outcome = fold.finish(0, true, 3);
        assert_eq!((outcome.low, outcome.high, outcome.low_base, outcome.high_base), (-9, -2, FREE, FREE));
    }
}
