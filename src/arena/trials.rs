//! Simulated matches: the sequential test errs no more often than it says, the interval misses no more often.

use super::score::{Score, Sprt, SprtState};

/// Pairs with 0, ½, 1, 1½ and 2 points between equals, most of them drawn.
const DRAWISH: [f64; 5] = [0.01, 0.08, 0.82, 0.08, 0.01];
/// The same, nearly all of them drawn.
const QUIET: [f64; 5] = [0.004, 0.016, 0.96, 0.016, 0.004];
/// The same, most of them decided.
const SHARP: [f64; 5] = [0.3, 0.1, 0.2, 0.1, 0.3];
/// Matches of each trial.
const MATCHES: u64 = 400;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The half points of a pair.
    fn pair(&mut self, shares: &[f64; 5]) -> [u8; 2] {
        let mut rest = self.share();
        let sum = shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]][sum.unwrap_or(2)]
    }
}

fn mean(shares: &[f64; 5]) -> f64 {
    shares.iter().enumerate().map(|(i, share)| share * i as f64 / 4.0).sum()
}

/// The distribution with each result weighed by a power, so that its mean is that of so much Elo.
fn at(elo: f64, equal: &[f64; 5]) -> [f64; 5] {
    let wanted = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let weighed = |power: f64| {
        let weights = [0, 1, 2, 3, 4].map(|i| equal[i] * (power * i as f64).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if mean(&weighed(middle)) < wanted { low = middle } else { high = middle }
    }
    weighed(low)
}

/// How many of the matches accept `elo1`.
fn accepted(sprt: &Sprt, shares: &[f64; 5], seed: u64) -> u64 {
    let mut random = Random(seed);
    let verdict = |_: &u64| {
        let mut score = Score::default();
        loop {
            score.add_pair(random.pair(shares));
            match sprt.state(&score) {
                SprtState::Open => {}
                state => break state == SprtState::AcceptedH1,
            }
        }
    };
    (0..MATCHES).filter(verdict).count() as u64
}

/// What may occur of errors with this probability: three times the sampling error above the mean.
fn most(rate: f64) -> u64 {
    let matches = MATCHES as f64;
    (matches * rate + 3.0 * (matches * rate * (1.0 - rate)).sqrt()) as u64
}

#[test]
fn errors_stay_at_alpha_and_beta() {
    for (name, equal, elo0, elo1) in [
        ("drawish", &DRAWISH, -10.0, 0.0),
        ("drawish", &DRAWISH, 0.0, 10.0),
        ("quiet", &QUIET, -5.0, 0.0),
        ("sharp", &SHARP, 0.0, 30.0),
        ("sharp", &SHARP, -30.0, 0.0),
    ] {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        let wrongly_accepted = accepted(&sprt, &at(elo0, equal), 1);
        let wrongly_refused = MATCHES - accepted(&sprt, &at(elo1, equal), 2);
        assert!(
            wrongly_accepted <= most(0.05),
            "{name} {elo0} {elo1}: {wrongly_accepted} of {MATCHES} accepted wrongly"
        );
        assert!(wrongly_refused <= most(0.05), "{name} {elo0} {elo1}: {wrongly_refused} of {MATCHES} refused wrongly");
    }
}

/// A contestant who is 23 Elo weaker, far below both hypotheses, and draws nearly always.
#[test]
fn a_weaker_contestant_is_not_accepted() {
    let sprt = Sprt::new(-5.0, 0.0, 0.05, 0.05).unwrap();
    for equal in [&DRAWISH, &QUIET] {
        let accepted = accepted(&sprt, &at(-23.0, equal), 3);
        assert!(accepted <= most(0.05), "{accepted} of {MATCHES}");
    }
}

#[test]
fn the_interval_holds_the_truth() {
    let mut random = Random(4);
    for (elo, equal) in [(0.0, &QUIET), (0.0, &DRAWISH), (30.0, &DRAWISH), (0.0, &SHARP), (400.0, &SHARP)] {
        for pairs in [10, 60] {
            let shares = at(elo, equal);
            let misses = (0..MATCHES).filter(|_| {
                let mut score = Score::default();
                (0..pairs).for_each(|_| score.add_pair(random.pair(&shares)));
                let interval = score.elo();
                interval.low > elo || interval.high < elo
            });
            let misses = misses.count() as u64;
            assert!(misses <= most(0.05), "{pairs} pairs at {elo}: {misses} of {MATCHES} intervals miss");
        }
    }
}
