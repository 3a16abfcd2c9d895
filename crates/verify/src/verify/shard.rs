//! A part of a set, so that a check can be shared out among machines.

use std::str::FromStr;

use crate::echo::quoted;
use crate::index::Layer;

/// Part `number` of `count`, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: usize,
    count: usize,
}

/// A text that names no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {}, expected I/K with 1 <= I <= K <= 10000, such as 3/8", quoted(found))]
pub struct ShardError {
    found: String,
}

impl Shard {
    /// The whole set.
    pub const ALL: Self = Self { number: 1, count: 1 };

    /// The layers of this part. Large ones come last in a set, so every part gets its share of them.
    pub(super) fn part(self, layers: &[Layer]) -> Vec<Layer> {
        layers.iter().copied().skip(self.number - 1).step_by(self.count).collect()
    }

    /// The part's number, from 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self.number
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.count
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let error = || ShardError { found: text.to_owned() };
        let (number, count) = text.split_once('/').ok_or_else(error)?;
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        match (plain(number), plain(count)) {
            (Some(number), Some(count)) if (1..=count).contains(&number) && count <= 10_000 => {
                Ok(Self { number, count })
            }
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;

    #[test]
    fn shards_cover_a_set_once() {
        let layers: Vec<Layer> = (0..30).filter_map(|stones| Layer::new(Pits::NONE, stones)).collect();
        let mut parts: Vec<Layer> =
            (1..=7).flat_map(|number| format!("{number}/7").parse::<Shard>().unwrap().part(&layers)).collect();
        parts.sort();
        assert_eq!(parts, layers);
        assert_eq!(Shard::ALL.part(&layers), layers);
    }

    #[test]
    fn texts_that_name_no_shard_are_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2", "+1/2", "1/99999", " 1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
