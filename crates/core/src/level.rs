//! Levels of play from a beginner to perfect, by limiting what a player sees.
//!
//! A level sees so many plies and positions ahead, tables of so many stones, and misjudges what each move is worth by chance. The
//! chance comes from a seed and the position alone, so with one thread a level plays the same game every time.
//!
//! | level | plies | positions | tables up to | misjudges a move by (standard deviation) | Elo above the level below |
//! |---|---|---|---|---|---|
//! | 1 | 1 | | none | 8 stones |  |
//! | 2 | 1 | | none | 4 stones | 126 |
//! | 3 | 2 | | none | 2½ stones | 328 |
//! | 4 | 3 | | none | 1½ stones | 395 |
//! | 5 | 4 | | none | 1 stone | 265 |
//! | 6 | 6 | | none | ½ stone | 417 |
//! | 7 | 8 | | 8 stones | nothing | 297 |
//! | 8 | 12 | 50,000 | 12 stones | nothing | 297 |
//! | 9 | 18 | 1,000,000 | 18 stones | nothing | 328 |
//! | 10 | all | all | all | nothing |  |
//!
//! The last column was measured by `kpe match --random 150 --plies 6 --nodes 1000000` (level 9: `--random 40`): 300 games a
//! pair of levels, 80 for level 9; the 95 % intervals are some 50 Elo to either side, 100 for level 9.
//!
//! Level 10 is the engine itself under the limits it is given; with the complete tables it is perfect. The other levels
//! take no more than they are given either.
//!
//! ```
//! use kpe_core::level::Level;
//!
//! let level: Level = "7".parse()?;
//! assert!(Level::LOWEST < level && level < Level::HIGHEST);
//! assert_eq!("11".parse::<Level>().unwrap_err().to_string(), "found \"11\", expected a level from 1 to 10");
//! # Ok::<(), kpe_core::level::LevelError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::echo::quoted;
use crate::index::Layer;
use crate::notation::Move;
use crate::player::{AssessedMove, Assessment};
use crate::search::{Access, Limits, Probe};
use crate::value::{Entry, Value};

/// A strength of play, 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// What a level sees.
struct Sight {
    depth: Option<u8>,
    nodes: Option<u64>,
    /// Stones of the largest layers whose tables it has.
    tables: Option<u8>,
    /// Standard deviation of its misjudgement, in quarters of a stone.
    noise: u8,
}

const SIGHTS: [Sight; 10] = [
    Sight { depth: Some(1), nodes: None, tables: None, noise: 32 },
    Sight { depth: Some(1), nodes: None, tables: None, noise: 16 },
    Sight { depth: Some(2), nodes: None, tables: None, noise: 10 },
    Sight { depth: Some(3), nodes: None, tables: None, noise: 6 },
    Sight { depth: Some(4), nodes: None, tables: None, noise: 4 },
    Sight { depth: Some(6), nodes: None, tables: None, noise: 2 },
    Sight { depth: Some(8), nodes: None, tables: Some(8), noise: 0 },
    Sight { depth: Some(12), nodes: Some(50_000), tables: Some(12), noise: 0 },
    Sight { depth: Some(18), nodes: Some(1_000_000), tables: Some(18), noise: 0 },
    Sight { depth: None, nodes: None, tables: Some(u8::MAX), noise: 0 },
];

impl Level {
    /// A beginner.
    pub const LOWEST: Self = Self(1);
    /// Everything the program can do.
    pub const HIGHEST: Self = Self(10);

    /// The level of this number, 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= Self::LOWEST.0 && number <= Self::HIGHEST.0 { Some(Self(number)) } else { None }
    }

    /// Its number, 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All levels, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    const fn sight(self) -> &'static Sight {
        &SIGHTS[self.0 as usize - 1]
    }

    /// The limits of its searches: its own and those asked for, whichever is less.
    #[must_use]
    pub fn limits(self, asked: &Limits) -> Limits {
        let sight = self.sight();
        let least = |own: Option<u64>, asked: Option<u64>| own.into_iter().chain(asked).min();
        let depth = least(sight.depth.map(u64::from), asked.depth.map(u64::from));
        Limits {
            // The least of two numbers of one byte is one.
            depth: depth.map(|depth| depth as u8),
            nodes: least(sight.nodes, asked.nodes),
            lines: if sight.noise > 0 { usize::MAX } else { asked.lines },
            ..asked.clone()
        }
    }

    /// Whether it chooses among several moves at random.
    #[must_use]
    pub const fn errs(self) -> bool {
        self.sight().noise > 0
    }

    /// The move it makes of those assessed: the best one after it has misjudged each, moves aside of which no more than an
    /// upper estimate is known. `None` if there is none.
    ///
    /// Depends on seed, board and assessment only.
    #[must_use]
    pub fn choose(self, seed: u64, assessment: &Assessment) -> Option<Move> {
        let noise = f64::from(self.sight().noise) / 4.0;
        if noise == 0.0 {
            return assessment.best;
        }
        let mut random = mix(seed ^ mix(assessment.position.board().bits()));
        let mut judge = |m: &AssessedMove| {
            random = mix(random);
            f64::from(m.value.0) + noise * deviation(random)
        };
        let known = assessment.moves.iter().filter(|m| !m.is_upper);
        let judged: Vec<(f64, Move)> = known.map(|m| (judge(m), m.action)).collect();
        judged.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, action)| action)
    }
}

/// The finishing function of SplitMix64 after a step: well-spread bits from any number.
#[doc(hidden)]
pub const fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A number around 0 with standard deviation 1, from random bits: the sum of four even ones.
fn deviation(bits: u64) -> f64 {
    let parts = (0..4).map(|part| f64::from((bits >> (16 * part)) as u16) / 65_535.0 - 0.5);
    parts.sum::<f64>() * 3f64.sqrt()
}

impl Default for Level {
    fn default() -> Self {
        Self::HIGHEST
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that names no level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {}, expected a level from 1 to 10", quoted(found))]
#[non_exhaustive]
pub struct LevelError {
    /// The text.
    pub found: String,
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| LevelError { found: text.to_owned() })
    }
}

/// The part of some tables that a level has.
#[derive(Clone, Copy, Debug)]
pub struct Seen<P> {
    probe: P,
    /// Stones of the largest layers seen; `None` if no table is.
    most: Option<u8>,
}

impl<P> Seen<P> {
    /// What `level` sees of the tables.
    pub const fn new(probe: P, level: Level) -> Self {
        Self { probe, most: level.sight().tables }
    }

    fn sees(&self, layer: Layer) -> bool {
        self.most.is_some_and(|most| layer.stones() <= most)
    }
}

impl<P: Probe> Probe for Seen<P> {
    #[inline]
    fn access(&self, layer: Layer) -> Access {
        if self.sees(layer) { self.probe.access(layer) } else { Access::None }
    }

    #[inline]
    fn probe(&self, layer: Layer, number: u32) -> Option<Entry> {
        self.probe.probe(layer, number)
    }

    #[inline]
    fn value(&self, layer: Layer, number: u32) -> Option<Value> {
        self.probe.value(layer, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_sees_at_least_what_the_one_below_sees() {
        let no_limit = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        for pair in SIGHTS.windows(2) {
            assert!(pair[0].depth.unwrap_or(u8::MAX) <= pair[1].depth.unwrap_or(u8::MAX));
            assert!(pair[0].noise >= pair[1].noise && pair[0].tables <= pair[1].tables);
            assert!(no_limit(pair[0].nodes) <= no_limit(pair[1].nodes) || pair[0].depth < pair[1].depth);
        }
    }

    #[test]
    fn levels_are_read_and_limit() {
        assert_eq!("3".parse(), Ok(Level(3)));
        for wrong in ["0", "11", "-1", "", "ten", "256"] {
            assert!(wrong.parse::<Level>().is_err(), "{wrong}");
        }
        let asked = Limits { depth: Some(3), nodes: Some(7), ..Limits::default() };
        let limits = |level| Level(level).limits(&asked);
        assert_eq!((limits(1).depth, limits(1).nodes, limits(1).lines), (Some(1), Some(7), usize::MAX));
        assert_eq!(limits(10), asked);
        assert_eq!(Level(9).limits(&Limits::default()).nodes, Some(1_000_000));
        assert_eq!(Level::all().map(Level::number).sum::<u8>(), 55);
    }

    #[test]
    fn misjudgement_has_its_deviation() {
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in 0..10_000 {
            let deviation = deviation(mix(number));
            sum += deviation;
            squares += deviation * deviation;
        }
        assert!((sum / 10_000.0f64).abs() < 0.05 && (squares / 10_000.0 - 1.0f64).abs() < 0.05, "{sum} {squares}");
    }
}
