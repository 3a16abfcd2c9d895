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
    /// What was passed over because it makes no sense.
    pub complaints: Vec<CommandError>,
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
/// A hundred years in milliseconds: more only overflows clocks.
const LONGEST: u64 = 3_155_760_000_000;

impl Go {
    /// Takes the words after `go` apart.
    ///
    /// What makes no sense is passed over and put among the complaints. It never lets a search go on for ever: if no
    /// other limit is left the search is of one ply. A negative time on the clock counts as none left.
    #[must_use]
    pub fn parse(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut words = words.iter().copied().peekable();
        let mut given = Vec::new();
        while let Some(word) = words.next() {
            let Some(&limit) = WORDS.iter().find(|&&known| known == word && known != "mate") else {
                go.complaints.push(CommandError::word(Some(word), "a limit of the search"));
                continue;
            };
            let told = match limit {
                "infinite" | "ponder" => Ok(()),
                "searchmoves" => {
                    while let Some(action) = words.next_if(|word| !WORDS.contains(word)) {
                        go.moves.push(action.to_owned());
                    }
                    let missing = || CommandError::limit(limit, None, "one move or more".to_owned());
                    if go.moves.is_empty() { Err(missing()) } else { Ok(()) }
                }
                _ => go.set_number(limit, words.next_if(|word| !WORDS.contains(word)), given.contains(&limit)),
            };
            go.complaints.extend(told.err());
            given.push(limit);
        }
        go.settle(&given);
        go
    }

    /// Sets the limit of this name to a number, unless it is the second time.
    fn set_number(&mut self, limit: &'static str, text: Option<&str>, is_set: bool) -> Result<(), CommandError> {
        let number = |least, most| number(limit, text, least, most);
        let side = usize::from(matches!(limit, "btime" | "p2time" | "binc" | "p2inc"));
        if is_set {
            return Err(CommandError::Limit { limit, found: "it twice".to_owned(), expected: "it once".to_owned() });
        }
        match limit {
            "movetime" => self.movetime = Some(Duration::from_millis(number(1, LONGEST)?)),
            "wtime" | "p1time" | "btime" | "p2time" => {
                // A clock that has run out may show less than nothing.
                let is_out = text.and_then(|text| text.strip_prefix('-')).is_some_and(is_digits);
                let left = if is_out { 0 } else { number(0, LONGEST)? };
                self.time[side] = Some(Duration::from_millis(left));
            }
            "winc" | "p1inc" | "binc" | "p2inc" => self.increment[side] = Duration::from_millis(number(0, LONGEST)?),
            "movestogo" => self.moves_to_go = Some(number(1, u64::from(u32::MAX))? as u32),
            "depth" => self.depth = Some(number(1, 255)? as u8),
            "nodes" => self.nodes = Some(number(1, u64::MAX)?),
            _ => self.perft = Some(number(0, DEEPEST_PERFT)? as u32),
        }
        Ok(())
    }

    /// Looks at what was given together.
    fn settle(&mut self, given: &[&'static str]) {
        let is_given = |word: &str| given.contains(&word);
        let named: Vec<&str> = given.iter().copied().filter(|&word| !matches!(word, "searchmoves" | "perft")).collect();
        if is_given("perft") && !named.is_empty() {
            let found = format!("{} beside it", named.join(" "));
            let expected = "no limits of a search".to_owned();
            self.complaints.push(CommandError::Limit { limit: "perft", found, expected });
        }
        let clock = ["movestogo", "winc", "binc", "p1inc", "p2inc"].into_iter().find(|word| is_given(word));
        if let Some(limit) = clock.filter(|_| self.time == [None; 2]) {
            let (found, expected) = ("no clock".to_owned(), "wtime and btime, or p1time and p2time".to_owned());
            self.complaints.push(CommandError::Limit { limit, found, expected });
        }
        self.infinite = is_given("ponder") || is_given("infinite");
        let limits: Vec<&str> = named.into_iter().filter(|&word| word != "infinite").collect();
        if is_given("infinite") && !is_given("ponder") && !limits.is_empty() {
            let (found, expected) = (format!("{} beside it", limits.join(" ")), "one or the other".to_owned());
            self.complaints.push(CommandError::Limit { limit: "infinite", found, expected });
            self.infinite = false;
        }
        if !self.complaints.is_empty() {
            self.limit_at_least();
        }
    }

    /// Whether it names anything that ends it.
    fn has_limit(&self) -> bool {
        let timed = self.movetime.is_some() || self.time.iter().any(Option::is_some);
        timed || self.depth.is_some() || self.nodes.is_some() || self.perft.is_some()
    }

    /// Makes a search that nothing limits one of a single ply, for its limit was not understood.
    pub(super) fn limit_at_least(&mut self) {
        if !self.infinite && !self.has_limit() {
            self.depth = Some(1);
        }
    }

    /// What is wrong if only the other player's clock would limit a search by this one.
    pub(super) fn lacks_time(&self, side: Side) -> Option<CommandError> {
        let other = self.time[side.other() as usize].is_some() && self.time[side as usize].is_none();
        let limited = self.infinite || self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        let [other_words, own_words] = match side {
            Side::South => ["p2time", "p1time or wtime, for South is to move"],
            Side::North => ["p1time", "p2time or btime, for North is to move"],
        };
        let found = "it alone".to_owned();
        (other && !limited).then(|| CommandError::Limit { limit: other_words, found, expected: own_words.to_owned() })
    }

    /// The limits for a search by the player to move.
    #[must_use]
    pub fn limits(&self, side: Side, threads: usize) -> Limits {
        let own = side as usize;
        let clock = self.time[own].map(|remaining| {
            Clock { remaining, increment: self.increment[own], moves_to_go: self.moves_to_go }.budget()
        });
        let time = if self.infinite { None } else { self.movetime.map(Budget::fixed).or(clock) };
        let depth = if self.lacks_time(side).is_some() { Some(1) } else { self.depth };
        Limits { time, depth, nodes: self.nodes, threads, ..Limits::default() }
    }

    /// Whether the search goes on until `stop`, as nothing else ends it or as its answer must wait.
    #[must_use]
    pub fn waits_for_stop(&self) -> bool {
        self.infinite || !self.has_limit()
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(limit: &'static str, text: Option<&str>, least: u64, most: u64) -> Result<u64, CommandError> {
    let number = text.filter(|text| is_digits(text)).and_then(|text| text.parse().ok());
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| CommandError::limit(limit, text, format!("a number from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        Go::parse(&line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>())
    }

    #[test]
    fn every_form_is_read() {
        let milliseconds = Duration::from_millis;
        assert_eq!(go("movetime 250").limits(Side::South, 1).time, Some(Budget::fixed(milliseconds(250))));
        for line in ["wtime 1000 btime 2000 winc 10 binc 20", "p2inc 20 p1time 1000 p1inc 10 p2time 2000"] {
            let go = go(line);
            assert_eq!(go.complaints, []);
            assert_eq!(go.time, [1000, 2000].map(|ms| Some(milliseconds(ms))));
            assert_eq!(go.increment, [10, 20].map(milliseconds));
            let clock = Clock { remaining: milliseconds(2000), increment: milliseconds(20), moves_to_go: None };
            assert_eq!(go.limits(Side::North, 1).time, Some(clock.budget()));
        }
        let all = go("depth 9 nodes 1000 searchmoves A offer:CD movestogo 3 wtime 1 btime 2 ponder");
        assert_eq!((all.depth, all.nodes, all.moves_to_go, all.infinite), (Some(9), Some(1000), Some(3), true));
        assert_eq!((all.moves.clone(), &all.complaints), (vec!["A".to_owned(), "offer:CD".to_owned()], &vec![]));
        assert!(all.waits_for_stop() && go("").waits_for_stop() && !go("depth 3").waits_for_stop());
        assert_eq!((go("perft 4").perft, go("perft 0").perft), (Some(4), Some(0)));
        let late = go("wtime -5 btime -0");
        assert_eq!((late.time, late.complaints.len()), ([Some(Duration::ZERO); 2], 0));
        for side in [Side::South, Side::North] {
            let budget = late.limits(side, 1).time.unwrap();
            assert!(budget.soft <= budget.hard);
        }
    }

    #[test]
    fn what_makes_no_sense_is_told_and_ends() {
        let long = "99999999999999999999999";
        for (line, told) in [
            ("depth -1", "depth: found \"-1\", expected a number from 1 to 255"),
            ("depth 0", "depth: found \"0\", expected a number from 1 to 255"),
            ("depth 256", "depth: found \"256\", expected a number from 1 to 255"),
            ("depth", "depth: found nothing more, expected a number from 1 to 255"),
            ("nodes", "nodes: found nothing more, expected a number from 1 to 18446744073709551615"),
            ("nodes 0", "nodes: found \"0\", expected a number from 1 to 18446744073709551615"),
            ("nodes --4", "nodes: found \"--4\", expected a number from 1 to 18446744073709551615"),
            ("movetime 0", "movetime: found \"0\", expected a number from 1 to 3155760000000"),
            ("movetime 1.5", "movetime: found \"1.5\", expected a number from 1 to 3155760000000"),
            ("wtime -", "wtime: found \"-\", expected a number from 0 to 3155760000000"),
            ("searchmoves", "searchmoves: found nothing more, expected one move or more"),
            ("movestogo 5", "movestogo: found no clock, expected wtime and btime, or p1time and p2time"),
            ("winc 5", "winc: found no clock, expected wtime and btime, or p1time and p2time"),
            ("infinite depth 3", "infinite: found depth beside it, expected one or the other"),
            ("depth 3 depth 4", "depth: found it twice, expected it once"),
            ("perft 2 depth 4", "perft: found depth beside it, expected no limits of a search"),
            ("perft 201", "perft: found \"201\", expected a number from 0 to 200"),
            ("mate 3", "found \"mate\", expected a limit of the search"),
            ("Depth", "found \"Depth\", expected a limit of the search"),
        ] {
            let go = go(line);
            assert_eq!(go.complaints[0].to_string(), told, "{line}");
            assert!(!go.waits_for_stop(), "{line}");
            let limits = go.limits(Side::South, 1);
            assert!(go.perft.is_some() || limits.depth.is_some() || limits.time.is_some(), "{line}");
        }
        // What is sound counts, whatever stands beside it.
        assert_eq!(go(&format!("nodes depth 7 movetime {long}")).depth, Some(7));
        assert_eq!(go("depth 3 depth 4").depth, Some(3));
        assert_eq!(go("perft 2 depth 4").perft, Some(2));
        assert!(go("infinite searchmoves").waits_for_stop());
        let other = go("btime 1000");
        assert_eq!(other.lacks_time(Side::North), None);
        let told = "p2time: found it alone, expected p1time or wtime, for South is to move";
        assert_eq!(other.lacks_time(Side::South).unwrap().to_string(), told);
        assert_eq!(other.limits(Side::South, 1).depth, Some(1));
        assert_eq!(go("btime 1000 depth 4").limits(Side::South, 1).depth, Some(4));
    }
}
