//! What the results of a match say: points, Elo difference with its error, sequential test.
//!
//! The sample is a pair of games on one opening with sides exchanged; it has 0 to 4 half points for the first contestant. Pairs are
//! taken as independent, the two games of one are not (an opening that favours South gives each contestant a win). The
//! Elo difference is the logistic one, −400 log₁₀(1/s − 1) for a mean score s; its 95 % interval is that of the mean
//! of the pairs, by the normal distribution. The sequential probability ratio test is the generalised one
//! on pairs: LLR = n (s₁ − s₀)(2 s − s₀ − s₁) / (2 σ²) with the variance σ² that was seen.

use std::fmt;

/// Half points a pair can have, plus one.
const RESULTS: usize = 5;
/// The quantile of the normal distribution for 95 %, both sides.
const QUANTILE: f64 = 1.959_964;
/// Counted for each result that has not occurred, so that a variance is never 0.
const UNSEEN: f64 = 1e-3;
/// Scores nearer to 0 or 1 than this have no Elo.
const EDGE: f64 = 1e-9;

/// The games of a match, from the view of the first contestant.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Finished pairs by half points, 0 to 4.
    pub pairs: [u64; RESULTS],
}

impl Score {
    /// Adds the half points (0 lost, 1 drawn, 2 won) of both games of a pair.
    pub fn add_pair(&mut self, half_points: [u8; 2]) {
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        let sum = half_points.iter().map(|&points| usize::from(points.min(2))).sum::<usize>();
        self.pairs[sum] += 1;
    }

    /// Games finished.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, 0 to 1; ½ before the first game.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// Number, mean and variance of the pairs' points a game, unseen results counted a little.
    fn moments(&self) -> (f64, f64, f64) {
        let counts = self.pairs.map(|count| (count as f64).max(UNSEEN));
        let points = |i: usize| i as f64 / (RESULTS - 1) as f64;
        let number: f64 = counts.iter().sum();
        let mean = counts.iter().enumerate().map(|(i, count)| count * points(i)).sum::<f64>() / number;
        let square = |i: usize| (points(i) - mean).powi(2);
        let variance = counts.iter().enumerate().map(|(i, count)| count * square(i)).sum::<f64>() / number;
        (number, mean, variance)
    }

    /// The Elo difference, positive if the first contestant is stronger.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let (number, _, variance) = self.moments();
        let mean = self.mean();
        let margin = QUANTILE * (variance / number).sqrt();
        Elo { difference: elo_of(mean), low: elo_of(mean - margin), high: elo_of(mean + margin) }
    }
}

/// An Elo difference and its 95 % interval; infinite where no game was lost or none won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The likeliest difference.
    pub difference: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |elo: f64| match elo {
            elo if elo.is_finite() => format!("{elo:+.1}"),
            elo if elo > 0.0 => "+∞".to_owned(),
            _ => "-∞".to_owned(),
        };
        write!(f, "{} [{}, {}]", shown(self.difference), shown(self.low), shown(self.high))
    }
}

fn elo_of(score: f64) -> f64 {
    match score {
        score if score <= EDGE => f64::NEG_INFINITY,
        score if score >= 1.0 - EDGE => f64::INFINITY,
        // Adding 0 makes a difference of −0 one of 0.
        score => -400.0 * (1.0 / score - 1.0).log10() + 0.0,
    }
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Numbers that make no test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The second difference is not above the first.
    #[error("elo1 must be greater than elo0, both within ±1000")]
    Order,
    /// An error rate is not a small share.
    #[error("alpha and beta must be greater than 0 and less than 0.5")]
    Rate,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtState {
    /// Neither is accepted yet.
    Open,
    /// The difference is rather `elo0` or less.
    AcceptedH0,
    /// The difference is rather `elo1` or more.
    AcceptedH1,
}

impl SprtState {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::AcceptedH0 => "H0",
            Self::AcceptedH1 => "H1",
        }
    }
}

impl Sprt {
    /// A test of `elo0` against `elo1` that accepts the second wrongly with probability `alpha` and the first with `beta`.
    ///
    /// # Errors
    /// [`SprtError`] if the numbers make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> std::result::Result<Self, SprtError> {
        if !(elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0) {
            return Err(SprtError::Order);
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if is_rate(alpha) && is_rate(beta) { Ok(Self { elo0, elo1, alpha, beta }) } else { Err(SprtError::Rate) }
    }

    /// The logarithms of the likelihood ratio at which `elo0` and `elo1` are accepted.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    #[must_use]
    pub fn llr(&self, score: &Score) -> f64 {
        if score.games() == 0 {
            return 0.0;
        }
        let (number, mean, variance) = score.moments();
        let (s0, s1) = (score_of(self.elo0), score_of(self.elo1));
        number * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// Where the test stands.
    #[must_use]
    pub fn state(&self, score: &Score) -> SprtState {
        let (llr, [low, high]) = (self.llr(score), self.bounds());
        match llr {
            llr if llr >= high => SprtState::AcceptedH1,
            llr if llr <= low => SprtState::AcceptedH0,
            _ => SprtState::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: [u64; 5]) -> Score {
        let halves = [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]];
        let mut score = Score::default();
        for (count, halves) in pairs.into_iter().zip(halves) {
            (0..count).for_each(|_| score.add_pair(halves));
        }
        score
    }

    #[test]
    fn points_are_counted() {
        let score = score([1, 2, 3, 4, 5]);
        assert_eq!((score.games(), score.wins, score.draws, score.losses), (30, 14, 12, 4));
        assert!((score.mean() - 40.0 / 60.0).abs() < 1e-12);
    }

    /// Three quarters of the points are 191 Elo; the error by hand: variance of pairs 1/16 · … with 200 pairs.
    #[test]
    fn elo_is_logistic() {
        let elo = score([0, 0, 100, 0, 100]).elo();
        assert!((elo.difference - 190.848).abs() < 0.01, "{elo}");
        // Pairs of 1/2 and 1 in equal numbers: deviation 1/4, error of the mean 1.96 · 0.25 / √200 = 0.03465.
        assert!((elo.low - elo_of(0.75 - 0.034_65)).abs() < 0.1 && (elo.high - elo_of(0.784_65)).abs() < 0.1, "{elo}");
        assert_eq!(score([0; 5]).elo().difference, 0.0);
        assert_eq!(score([0, 0, 0, 0, 9]).elo().to_string().split(' ').next(), Some("+∞"));
        assert!((score_of(elo_of(0.3)) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_test_accepts_what_is_so() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let [low, high] = sprt.bounds();
        assert!((high - 2.944).abs() < 0.001 && (low + 2.944).abs() < 0.001);
        assert_eq!(sprt.state(&Score::default()), SprtState::Open);
        assert_eq!(sprt.state(&score([500, 2000, 5000, 2300, 600])), SprtState::AcceptedH1);
        assert_eq!(sprt.state(&score([600, 2300, 5000, 2000, 500])), SprtState::AcceptedH0);
        assert_eq!(sprt.state(&score([1, 2, 3, 3, 1])), SprtState::Open);
        // The mean of the two hypotheses speaks for neither.
        assert!(Sprt::new(-10.0, 10.0, 0.05, 0.05).unwrap().llr(&score([1, 2, 4, 2, 1])).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        assert_eq!(Sprt::new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Order));
        assert_eq!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05), Err(SprtError::Order));
        assert_eq!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Rate));
        assert_eq!(Sprt::new(0.0, 5.0, 0.05, 0.7), Err(SprtError::Rate));
    }
}
