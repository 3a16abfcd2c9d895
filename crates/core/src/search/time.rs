//! How long a search may take, and the clock it is given.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::Limits;

/// Nodes a thread visits between two looks at the limits.
const STRIDE: u64 = 2048;

/// Tells the time that has passed since some moment, which stays the same.
#[derive(Clone, Copy, Debug)]
pub struct Timer(pub fn() -> Duration);

impl Timer {
    /// The time since that moment.
    #[must_use]
    pub fn now(self) -> Duration {
        (self.0)()
    }

    /// The time since `then`, which the same timer told.
    #[must_use]
    pub fn since(self, then: Duration) -> Duration {
        self.now().saturating_sub(then)
    }
}

impl Default for Timer {
    /// The system's clock, which never goes back.
    #[cfg(not(target_family = "wasm"))]
    fn default() -> Self {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self(|| START.elapsed())
    }

    /// There is no clock here: time stands still until the caller brings a timer.
    #[cfg(target_family = "wasm")]
    fn default() -> Self {
        Self(|| Duration::ZERO)
    }
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Timer {}

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration begins after so long, if the best move is as steady as it usually is: with less than `hard`,
    /// a steady one ends the search sooner, a change of mind later, and a move that is the only one is made at once.
    pub soft: Duration,
    /// The search stops after so long.
    pub hard: Duration,
}

impl Budget {
    /// Use all of it.
    #[must_use]
    pub const fn fixed(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }

    /// The soft time for a search that is so steady.
    fn adapted<S: Copy + PartialEq>(&self, steadiness: &Steadiness<S>) -> Duration {
        let adapted =
            || Duration::try_from_secs_f64(self.soft.as_secs_f64() * steadiness.share()).unwrap_or(Duration::MAX);
        if self.soft == self.hard { self.soft } else { adapted().min(self.hard) }
    }
}

/// A player's clock in a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time he has left.
    pub remaining: Duration,
    /// Time he gets for each move.
    pub increment: Duration,
    /// Moves the remaining time is for; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Lost with every move on the way between programs.
    const OVERHEAD: Duration = Duration::from_millis(10);
    /// Moves a player of a game without such a number is expected to have still before him. A game of Kpé between good
    /// players takes him some 40; what is saved goes into the first half, where tables know least.
    const EXPECTED_MOVES: u32 = 25;

    /// What to spend on the next move.
    ///
    /// An even share of the clock and most of the increment; at most four such shares and never more than half the clock
    /// if an iteration is under way.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let usable = self.remaining.saturating_sub(Self::OVERHEAD);
        let moves = self.moves_to_go.unwrap_or(Self::EXPECTED_MOVES).max(1);
        let last = moves == 1;
        let share = (usable / moves).saturating_add(self.increment.mul_f64(0.8));
        let most = if last { usable.mul_f64(0.95) } else { usable / 2 };
        Budget { soft: (share.mul_f64(0.6)).min(most), hard: share.saturating_mul(4).min(most) }
    }

    /// The clock after a move that took so long, the increment added; `None` if the time ran out.
    #[must_use]
    pub fn after(&self, spent: Duration) -> Option<Self> {
        let remaining = self.remaining.checked_sub(spent).filter(|left| !left.is_zero())?;
        let moves_to_go = self.moves_to_go.map(|moves| moves.saturating_sub(1));
        Some(Self { remaining: remaining.saturating_add(self.increment), moves_to_go, ..*self })
    }
}

/// How often the search has changed its mind of late.
pub(super) struct Steadiness<S> {
    best: Option<S>,
    unrest: f64,
    only_move: bool,
}

impl<S: Copy + PartialEq> Steadiness<S> {
    /// Before the first iteration.
    pub(super) fn new(only_move: bool) -> Self {
        Self { best: None, unrest: 1.0, only_move }
    }

    /// An iteration ended with this best move.
    pub(super) fn note(&mut self, best: S) {
        let changed = self.best.replace(best).is_some_and(|before| before != best);
        // Every iteration counts half as much as the next.
        self.unrest = self.unrest / 2.0 + f64::from(u8::from(changed));
    }

    /// The share of its soft time a search should take: 0.6 if nothing has changed for long, more than 1 after a change.
    fn share(&self) -> f64 {
        if self.only_move { 0.0 } else { 0.6 + self.unrest }
    }
}

/// The limits of a search under way, shared by its threads.
pub(super) struct Control<'a> {
    stop: &'a AtomicBool,
    finished: AtomicBool,
    nodes: AtomicU64,
    node_limit: u64,
    timer: Timer,
    time: Option<(Duration, Budget)>,
}

impl<'a> Control<'a> {
    /// The clock starts now.
    pub(super) fn new(limits: &Limits, stop: &'a AtomicBool) -> Self {
        Self {
            stop,
            finished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            timer: limits.timer,
            time: limits.time.map(|budget| (limits.timer.now(), budget)),
        }
    }

    /// Ends the search of all threads.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Adds a thread's nodes and says how many more it may visit before it must ask again; 0 = none.
    pub(super) fn allow(&self, nodes: u64) -> u64 {
        let total = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        let over = self.time.is_some_and(|(start, budget)| self.timer.since(start) >= budget.hard);
        if over || self.stop.load(Relaxed) || self.finished.load(Relaxed) {
            return 0;
        }
        self.node_limit.saturating_sub(total).min(STRIDE)
    }

    /// Whether another iteration may begin.
    pub(super) fn may_go_on<S: Copy + PartialEq>(&self, steadiness: &Steadiness<S>) -> bool {
        let in_time = |(start, budget): (Duration, Budget)| self.timer.since(start) < budget.adapted(steadiness);
        !self.stop.load(Relaxed) && self.time.is_none_or(in_time)
    }

    /// Nodes of all threads that have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// The nodes of one thread, counted so that the limits are looked at once in a while only.
pub(super) struct Counter<'a> {
    control: &'a Control<'a>,
    nodes: u64,
    reported: u64,
    ask_at: u64,
    stopped: bool,
}

impl<'a> Counter<'a> {
    /// Nothing is counted yet.
    pub(super) fn new(control: &'a Control<'a>) -> Self {
        Self { control, nodes: 0, reported: 0, ask_at: 0, stopped: false }
    }

    /// Counts a node; `false` if the search is stopped instead.
    #[inline]
    pub(super) fn count(&mut self) -> bool {
        if self.nodes == self.ask_at && !self.ask() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Whether the search may go on, and until which node without asking again.
    #[cold]
    fn ask(&mut self) -> bool {
        if self.stopped {
            return false;
        }
        let more = self.control.allow(self.nodes - self.reported);
        self.reported = self.nodes;
        self.ask_at = self.nodes + more;
        self.stopped = more == 0;
        !self.stopped
    }

    /// Whether a limit was met: outcomes from then on mean nothing.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Reports the nodes not yet reported.
    pub(super) fn report(&mut self) {
        self.control.allow(self.nodes - self.reported);
        self.reported = self.nodes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Step;

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 5, 20, 100, 1000, 60_000] {
            for increment in [0, 100, 5000] {
                for moves_to_go in [None, Some(1), Some(10)] {
                    let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
                    let budget = Clock { remaining, increment, moves_to_go }.budget();
                    assert!(budget.soft <= budget.hard && budget.hard <= remaining);
                }
            }
        }
    }

    #[test]
    fn no_clock_is_too_long() {
        for [remaining, increment] in
            [[Duration::MAX; 2], [Duration::MAX, Duration::ZERO], [Duration::ZERO, Duration::MAX]]
        {
            for moves_to_go in [None, Some(0), Some(1), Some(u32::MAX)] {
                let budget = Clock { remaining, increment, moves_to_go }.budget();
                assert!(budget.soft <= budget.hard && budget.hard <= remaining);
                let mut changing = Steadiness::new(false);
                (0..9).for_each(|best| changing.note(best));
                assert!(budget.adapted(&changing) <= budget.hard);
            }
        }
    }

    #[test]
    fn a_whole_game_fits_into_the_clock() {
        let second = Duration::from_secs(1);
        for increment in [Duration::ZERO, second / 10] {
            let mut clock = Clock { remaining: 60 * second, increment, moves_to_go: None };
            for _ in 0..300 {
                let spent = clock.budget().hard;
                clock = clock.after(spent).expect("half the clock is always left");
            }
        }
        let clock = Clock { remaining: second, increment: second, moves_to_go: Some(1) };
        assert_eq!(clock.after(second), None);
        assert_eq!(clock.after(second / 2), Some(Clock { remaining: second * 3 / 2, moves_to_go: Some(0), ..clock }));
    }

    #[test]
    fn a_change_of_mind_takes_time_and_an_only_move_none() {
        let [first, second] = [0, 1].map(|pit| Step::Sow(crate::board::Pit::new(pit)));
        let budget = Budget { soft: Duration::from_millis(100), hard: Duration::from_millis(400) };
        let after = |moves: &[Step], only| {
            let mut steadiness = Steadiness::new(only);
            moves.iter().for_each(|&step| steadiness.note(step));
            steadiness
        };
        let steady = budget.adapted(&after(&[first; 9], false));
        let changed = budget.adapted(&after(&[first, first, first, second], false));
        assert!(steady < budget.soft && changed > budget.soft && changed <= budget.hard);
        assert_eq!(budget.adapted(&after(&[first], true)), Duration::ZERO);
        let fixed = Budget::fixed(budget.soft);
        assert_eq!(fixed.adapted(&after(&[first], true)), budget.soft);
    }

    #[test]
    fn the_node_limit_is_met_exactly() {
        let stop = AtomicBool::new(false);
        let control = Control::new(&Limits { nodes: Some(5000), ..Limits::default() }, &stop);
        assert_eq!([0, 2048, 2048, 904].map(|nodes| control.allow(nodes)), [2048, 2048, 904, 0]);
        assert_eq!(control.nodes(), 5000);
        stop.store(true, Relaxed);
        let control = Control::new(&Limits::default(), &stop);
        assert_eq!(control.allow(0), 0);
    }
}
