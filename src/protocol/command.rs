//! The lines a session understands.

use super::go::Go;
use crate::echo::quoted;

/// Which of the two protocols somebody speaks; they differ in a few words only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `ugi`, `ugiok`, `uginewgame`.
    Ugi,
    /// `uci`, `uciok`, `ucinewgame`.
    Uci,
}

/// What UGI's `query` asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Whether South is to move.
    FirstToMove,
    /// Whether the game is over.
    GameOver,
    /// Who has won.
    Result,
}

/// A line, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ugi` or `uci`.
    Identify(Dialect),
    /// `isready`.
    IsReady,
    /// `uginewgame` or `ucinewgame`.
    NewGame,
    /// `setoption name … value …`.
    SetOption {
        /// The option's name, in any case.
        name: String,
        /// What it is set to.
        value: String,
    },
    /// `position startpos|fen … [moves …]`.
    Position {
        /// The text of the position; `startpos` for the start.
        start: String,
        /// The moves from there.
        moves: Vec<String>,
    },
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `query …`.
    Query(Query),
    /// `d`: show the position.
    Display,
    /// `eval`: what the position is worth without a search.
    Evaluate,
    /// `quit`.
    Quit,
    /// An empty line, or one that needs no answer here.
    Nothing,
}

/// A line that is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The first word is not known.
    #[error("unknown command {}", quoted(found))]
    Unknown {
        /// The word.
        found: String,
    },
    /// A word is missing or another one is expected.
    #[error("found {}, expected {expected}", found.as_ref().map_or("nothing more".to_owned(), |word| quoted(word).to_string()))]
    Word {
        /// What stands there.
        found: Option<String>,
        /// What was expected.
        expected: &'static str,
    },
    /// A limit of a search makes no sense.
    #[error("{limit}: found {found}, expected {expected}")]
    Limit {
        /// Its name.
        limit: &'static str,
        /// What stands there, in words.
        found: String,
        /// What was expected.
        expected: String,
    },
}

impl CommandError {
    /// A limit with another text than it may have.
    pub(super) fn limit(limit: &'static str, found: Option<&str>, expected: String) -> Self {
        let found = found.map_or("nothing more".to_owned(), |text| format!("{:?}", shortened(text)));
        Self::Limit { limit, found, expected }
    }

    pub(super) fn word(found: Option<&str>, expected: &'static str) -> Self {
        Self::Word { found: found.map(shortened), expected }
    }
}

/// A word that is not too long to be repeated.
fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}

impl Command {
    /// What is wrong with a line that says more than its command takes; the command can be carried out all the same.
    #[must_use]
    pub fn surplus(line: &str) -> Option<CommandError> {
        let mut words = line.split_ascii_whitespace();
        let taken = match words.next()? {
            "ugi" | "uci" | "isready" | "uginewgame" | "ucinewgame" | "stop" | "d" | "eval" | "quit" => 0,
            "query" => 1,
            _ => return None,
        };
        words.nth(taken).map(|word| CommandError::word(Some(word), "nothing more"))
    }

    /// Takes a line apart.
    ///
    /// # Errors
    /// [`CommandError`] if it is no command.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        let rest: Vec<&str> = words.collect();
        Ok(match first {
            "ugi" => Self::Identify(Dialect::Ugi),
            "uci" => Self::Identify(Dialect::Uci),
            "isready" => Self::IsReady,
            "uginewgame" | "ucinewgame" => Self::NewGame,
            "setoption" => set_option(&rest)?,
            "position" => position(&rest)?,
            "go" => Self::Go(Go::parse(&rest)),
            "stop" => Self::Stop,
            "query" => Self::Query(query(rest.first().copied())?),
            "d" => Self::Display,
            "eval" => Self::Evaluate,
            "quit" => Self::Quit,
            // Debug messages and registration are the same whether wanted or not.
            "debug" | "register" => Self::Nothing,
            other => return Err(CommandError::Unknown { found: shortened(other) }),
        })
    }
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let Some((&"name", rest)) = words.split_first() else {
        return Err(CommandError::word(words.first().copied(), "name"));
    };
    match rest.iter().position(|&word| word == "value") {
        Some(0) => Err(CommandError::word(Some("value"), "the name of an option")),
        Some(at) => Ok(Command::SetOption { name: rest[..at].join(" "), value: rest[at + 1..].join(" ") }),
        None if rest.is_empty() => Err(CommandError::word(None, "the name of an option")),
        // Buttons, which take no value, are not among the options.
        None => Err(CommandError::word(None, "value and what the option is to be")),
    }
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let (start, rest) = match words {
        ["startpos", rest @ ..] => ("startpos", rest),
        ["fen", "moves", ..] | ["fen"] => return Err(CommandError::word(None, "a position after fen")),
        ["fen", start, rest @ ..] => (*start, rest),
        _ => return Err(CommandError::word(words.first().copied(), "startpos or fen")),
    };
    let moves = match rest {
        [] => &[],
        ["moves", moves @ ..] => moves,
        [other, ..] => return Err(CommandError::word(Some(other), "moves")),
    };
    Ok(Command::Position { start: start.to_owned(), moves: moves.iter().map(|&word| word.to_owned()).collect() })
}

fn query(word: Option<&str>) -> Result<Query, CommandError> {
    match word {
        Some("p1turn") => Ok(Query::FirstToMove),
        Some("gameover") => Ok(Query::GameOver),
        Some("result") => Ok(Query::Result),
        other => Err(CommandError::word(other, "p1turn, gameover or result")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let position = |start: &str, moves: &[&str]| Command::Position {
            start: start.to_owned(),
            moves: moves.iter().map(|&word| word.to_owned()).collect(),
        };
        let option = |name: &str, value: &str| Command::SetOption { name: name.to_owned(), value: value.to_owned() };
        let cases = [
            ("ugi\r\n", Command::Identify(Dialect::Ugi)),
            ("  uci ", Command::Identify(Dialect::Uci)),
            ("", Command::Nothing),
            ("position startpos", position("startpos", &[])),
            ("position startpos moves A b", position("startpos", &["A", "b"])),
            ("position fen 1-2-S moves", position("1-2-S", &[])),
            ("setoption name Hash value 64", option("Hash", "64")),
            ("setoption name Tables value /a b/c", option("Tables", "/a b/c")),
            ("setoption name Tables value", option("Tables", "")),
            ("query result", Command::Query(Query::Result)),
        ];
        for (line, command) in cases {
            assert_eq!(Command::parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn nonsense_is_told() {
        for (line, told) in [
            ("xyzzy", "unknown command \"xyzzy\""),
            ("position", "found nothing more, expected startpos or fen"),
            ("position fen", "found nothing more, expected a position after fen"),
            ("position startpos A", "found \"A\", expected moves"),
            ("setoption Hash 3", "found \"Hash\", expected name"),
            ("setoption name value 3", "found \"value\", expected the name of an option"),
            ("setoption name", "found nothing more, expected the name of an option"),
            ("setoption name Hash 64", "found nothing more, expected value and what the option is to be"),
            ("query", "found nothing more, expected p1turn, gameover or result"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), told);
        }
        for (line, told) in [
            ("stop", None),
            ("query result", None),
            ("go depth 3", None),
            ("debug on", None),
            ("stop now", Some("found \"now\", expected nothing more")),
            ("query result please", Some("found \"please\", expected nothing more")),
        ] {
            assert_eq!(Command::surplus(line).map(|error| error.to_string()).as_deref(), told, "{line}");
        }
        assert!(Command::parse(&"x".repeat(1 << 20)).unwrap_err().to_string().len() < 100);
    }
}
