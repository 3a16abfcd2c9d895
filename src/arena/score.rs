//! What the results of a match say: points, Elo difference with its interval, sequential test.
//!
//! The sample is a pair of games on one opening with sides exchanged; it has 0 to 4 half points for the first contestant. Pairs are
//! taken as independent, the two games of one are not (an opening that favours South gives each contestant a win). The
//! Elo difference is the logistic one, −400 log₁₀(1/s − 1) for a mean score s.
//!
//! Nothing here takes the mean as normally distributed: where most pairs are drawn, the variance that was seen says next to
//! nothing. All comes from the likelihood of the five results. Of the distributions with mean s the likeliest is
//! pᵢ / (1 + x (aᵢ − s)), where pᵢ are the shares seen of the scores aᵢ and x solves Σ pᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0
//! (Owen, *Empirical Likelihood*, 2001). What it costs in log-likelihood, against the shares seen, is
//! Σ nᵢ ln(1 + x (aᵢ − s)).
//!
//! * The sequential test is the generalised one: its LLR is that cost at `elo0` less that at `elo1` (Van den Bergh,
//!   *A practical introduction to the GSPRT*).
//! * The 95 % interval holds the means that cost at most 1.92, half the quantile of χ² with one degree of freedom. For its lower
//!   end one more pair is counted lost, for its upper end one more won. Without that 60 drawn pairs would exclude a
//!   loser of one pair in thirty, whom such a row befalls with 13 %. Clopper and Pearson take the ends of their exact interval
//!   for a share from the same step: of k + 1 successes, and of k + 1 failures.

use std::fmt;

/// Half points a pair can have, plus one.
const RESULTS: usize = 5;
/// Half the quantile of χ² with one degree of freedom for 95 %: what the ends of the interval cost in log-likelihood.
const INTERVAL: f64 = 1.920_729;
/// Counted for each result that has not occurred, so that every mean has some likelihood.
const UNSEEN: f64 = 1e-3;
/// Scores nearer to 0 or 1 than this have no Elo.
const EDGE: f64 = 1e-9;
/// Halvings of an interval of scores: as fine as numbers are.
const HALVINGS: u32 = 60;

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

    /// The pairs by result, unseen ones counted a little.
    fn counts(&self) -> [f64; RESULTS] {
        self.pairs.map(|count| (count as f64).max(UNSEEN))
    }

    /// The Elo difference, positive if the first contestant is stronger.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let with_one_more = |result: usize| {
            let mut counts = self.pairs;
            counts[result] += 1;
            counts.map(|count| (count as f64).max(UNSEEN))
        };
        let [low, high] =
            [(with_one_more(0), 0.0), (with_one_more(RESULTS - 1), 1.0)].map(|(counts, end)| bound(&counts, end));
        Elo { difference: elo_of(self.mean()), low: elo_of(low), high: elo_of(high) }
    }
}

/// The score of a game in a pair with so many half points.
const fn points(result: usize) -> f64 {
    result as f64 / (RESULTS - 1) as f64
}

/// What a mean of `score` costs in log-likelihood, against the shares seen; not negative.
fn cost(counts: &[f64; RESULTS], score: f64) -> f64 {
    let tilt = tilt(counts, score);
    counts.iter().enumerate().map(|(i, count)| count * (tilt * (points(i) - score)).ln_1p()).sum::<f64>().max(0.0)
}

/// The x with which Σ nᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0, by Newton's method kept between bounds. The sum falls as x
/// grows, from +∞ to −∞ between the x at which a share would be infinite.
fn tilt(counts: &[f64; RESULTS], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let mut x = 0.0;
    for _ in 0..HALVINGS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (i, count) in counts.iter().enumerate() {
            let part = (points(i) - score) / (1.0 + x * (points(i) - score));
            sum += count * part;
            slope -= count * part * part;
        }
        if sum > 0.0 {
            low = x
        } else {
            high = x
        }
        let next = x - sum / slope;
        let next = if next > low && next < high { next } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-13 * x.abs().max(1e-3) {
            return next;
        }
        x = next;
    }
    x
}

/// The mean between that of the counts and `end`, 0 or 1, from which on means cost too much; `end` if none does.
fn bound(counts: &[f64; RESULTS], end: f64) -> f64 {
    let number: f64 = counts.iter().sum();
    let mut inside = counts.iter().enumerate().map(|(i, count)| count * points(i)).sum::<f64>() / number;
    let mut outside = end + (0.5 - end) * 2.0 * EDGE;
    if cost(counts, outside) <= INTERVAL {
        return end;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if cost(counts, middle) > INTERVAL { outside = middle } else { inside = middle }
    }
    inside
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

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`, each with the likeliest distribution that has it.
    #[must_use]
    pub fn llr(&self, score: &Score) -> f64 {
        if score.games() == 0 {
            return 0.0;
        }
        let counts = score.counts();
        cost(&counts, score_of(self.elo0)) - cost(&counts, score_of(self.elo1))
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

    /// Three quarters of the points are 191 Elo; with many pairs the interval is that of the normal distribution, 1.96 · 0.25 / √2000.
    #[test]
    fn elo_is_logistic() {
        let elo = score([0, 0, 1000, 0, 1000]).elo();
        assert!((elo.difference - 190.848).abs() < 0.01, "{elo}");
        assert!((elo.low - elo_of(0.739)).abs() < 1.5 && (elo.high - elo_of(0.761)).abs() < 1.5, "{elo}");
        assert!((score_of(elo_of(0.3)) - 0.3).abs() < 1e-12);
    }

    /// Few or one-sided results leave much open: of n drawn pairs up to 4.4 more might have been lost or won.
    #[test]
    fn the_interval_is_honest_for_few_results() {
        assert_eq!(score([0; 5]).elo().to_string(), "+0.0 [-∞, +∞]");
        let drawn = score([0, 0, 60, 0, 0]).elo();
        assert!(drawn.difference == 0.0 && drawn.low < -20.0 && drawn.low > -30.0, "{drawn}");
        assert!((drawn.low + drawn.high).abs() < 1e-6, "{drawn}");
        let won = score([0, 0, 0, 0, 9]).elo();
        assert!(won.difference == f64::INFINITY && won.high == f64::INFINITY, "{won}");
        assert!(won.low > 0.0 && won.low < 200.0, "{won}");
    }

    #[test]
    fn drawn_pairs_say_little() {
        let llr = |elo0, elo1, pairs| Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&score(pairs));
        assert!((llr(-5.0, 0.0, [0, 0, 9, 0, 0]) - 0.125).abs() < 0.005, "{}", llr(-5.0, 0.0, [0, 0, 9, 0, 0]));
        assert!((llr(0.0, 5.0, [0, 0, 9, 0, 0]) + 0.125).abs() < 0.005);
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
