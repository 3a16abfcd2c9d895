//! The command `go`: what limits a search, in all its forms.

use std::time::Duration;

use super::command::CommandError;
use crate::notation::Side;
use crate::search::{Budget, Clock, Limits};

/// What `go` asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// Time for the move.
    pub movetime: Option<Duration>,
    /// South's and North's time left.
    pub time: [Option<Duration>; 2],
    /// South's and North's time added for every move.
    pub increment: [Duration; 2],
    /// Moves the time left is for.
    pub moves_to_go: Option<u32>,
    /// Plies.
    pub depth: Option<u8>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Whether the answer must wait for `stop`.
    pub infinite: bool,
    /// Plies to count paths of, in place of a search.
    pub perft: Option<u32>,
    /// The moves to choose from; none = all.
    pub moves: Vec<String>,
}

/// Words that end a list of moves.
const WORDS: [&str; 17] = [
    "movetime",
    "wtime",
    "btime",
    "p1time",
    "p2time",
    "winc",
    "binc",
    "p1inc",
    "p2inc",
    "movestogo",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "perft",
    "searchmoves",
    "mate",
];
/// The longest count of paths that is begun.
const DEEPEST_PERFT: u64 = 200;

impl Go {
    /// Takes the words after `go` apart.
    ///
    /// A number too large counts as the largest, a negative time as none left.
    ///
    /// # Errors
    /// [`CommandError::Word`] if a word is not known or a number is missing.
    pub fn parse(words: &[&str]) -> Result<Self, CommandError> {
        let mut go = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let mut number = || number(words.next());
            let side = usize::from(matches!(word, "btime" | "p2time" | "binc" | "p2inc"));
            match word {
                "infinite" | "ponder" => go.infinite = true,
                "movetime" => go.movetime = Some(Duration::from_millis(number()?)),
                "wtime" | "p1time" | "btime" | "p2time" => go.time[side] = Some(Duration::from_millis(number()?)),
                "winc" | "p1inc" | "binc" | "p2inc" => go.increment[side] = Duration::from_millis(number()?),
                "movestogo" => go.moves_to_go = Some(number()?.try_into().unwrap_or(u32::MAX)),
                "depth" => go.depth = Some(number()?.clamp(1, 255) as u8),
                "nodes" => go.nodes = Some(number()?),
                "perft" => go.perft = Some(number()?.min(DEEPEST_PERFT) as u32),
                "searchmoves" => {
                    while let Some(action) = words.next_if(|word| !WORDS.contains(word)) {
                        go.moves.push(action.to_owned());
                    }
                }
                other => return Err(CommandError::word(Some(other), "a limit of the search")),
            }
        }
        Ok(go)
    }

    /// The limits for a search by the player to move.
    #[must_use]
    pub fn limits(&self, side: Side, threads: usize) -> Limits {
        let side = side as usize;
        let clock = self.time[side].map(|remaining| {
            Clock { remaining, increment: self.increment[side], moves_to_go: self.moves_to_go }.budget()
        });
        let time = if self.infinite { None } else { self.movetime.map(Budget::fixed).or(clock) };
        Limits { time, depth: self.depth, nodes: self.nodes, threads, lines: 1 }
    }

    /// Whether the search goes on until `stop`, as nothing else ends it or as its answer must wait.
    #[must_use]
    pub fn waits_for_stop(&self) -> bool {
        let limited = self.movetime.is_some() || self.time.iter().any(Option::is_some);
        self.infinite || !(limited || self.depth.is_some() || self.nodes.is_some() || self.perft.is_some())
    }
}

fn number(word: Option<&str>) -> Result<u64, CommandError> {
    /// A hundred years in milliseconds: more only overflows clocks.
    const MOST: u64 = 3_155_760_000_000;
    let text = word.unwrap_or_default();
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::word(word, "a number"));
    }
    Ok(if negative { 0 } else { digits.parse().unwrap_or(MOST).min(MOST) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        Go::parse(&line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn every_form_is_read() {
        let milliseconds = Duration::from_millis;
        assert_eq!(go("movetime 250").limits(Side::South, 1).time, Some(Budget::fixed(milliseconds(250))));
        for line in ["wtime 1000 btime 2000 winc 10 binc 20", "p2inc 20 p1time 1000 p1inc 10 p2time 2000"] {
            let go = go(line);
            assert_eq!(go.time, [1000, 2000].map(|ms| Some(milliseconds(ms))));
            assert_eq!(go.increment, [10, 20].map(milliseconds));
            let clock = Clock { remaining: milliseconds(2000), increment: milliseconds(20), moves_to_go: None };
            assert_eq!(go.limits(Side::North, 1).time, Some(clock.budget()));
        }
        let all = go("depth 9 nodes 1000 searchmoves A offer:CD movestogo 3 infinite");
        assert_eq!((all.depth, all.nodes, all.moves_to_go, all.infinite), (Some(9), Some(1000), Some(3), true));
        assert_eq!(all.moves, ["A", "offer:CD"]);
        assert!(all.waits_for_stop() && go("").waits_for_stop() && !go("depth 3").waits_for_stop());
        assert_eq!(go("perft 4").perft, Some(4));
    }

    #[test]
    fn wild_numbers_are_tamed() {
        let wild = go("wtime -5 btime 99999999999999999999999 depth 0 movestogo 0 nodes 18446744073709551616");
        assert_eq!((wild.time[0], wild.depth), (Some(Duration::ZERO), Some(1)));
        for side in [Side::South, Side::North] {
            let budget = wild.limits(side, 1).time.unwrap();
            assert!(budget.soft <= budget.hard);
        }
        assert_eq!(go("perft 99999").perft, Some(200));
        for wrong in ["depth", "depth x", "movetime 1.5", "mate 3", "nonsense", "nodes --4", "nodes -"] {
            assert!(Go::parse(&wrong.split(' ').collect::<Vec<_>>()).is_err(), "{wrong}");
        }
    }
}
