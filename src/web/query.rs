//! The parameters of a request. Each is known, given once, and well formed; anything else is a problem.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::problem::{Kind, Problem};
use crate::echo::{quoted, short};
use crate::level::Level;
use crate::notation::Position;
use crate::record::Playing;
use crate::rules::{Game, Loops};

/// No game is longer that anybody plays.
const MOST_MOVES: usize = 1000;
/// Time of a search that is not asked for another.
const USUAL_TIME: Duration = Duration::from_millis(300);
/// The longest a search may take.
const LONGEST_TIME: Duration = Duration::from_secs(2);

/// Parameters not yet taken, in order.
pub(super) struct Query {
    pairs: Vec<(String, String)>,
    /// Names that were asked for.
    known: Vec<&'static str>,
}

impl Query {
    /// The parameters after the `?` of an address.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let name = decoded(name, "")?;
            let value = decoded(value, &name)?;
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(wrong(&name, "given twice, expected once"));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs, known: Vec::new() })
    }

    /// The parameter `text` alone.
    pub(super) fn of_text(text: String) -> Self {
        Self { pairs: vec![("text".to_owned(), text)], known: Vec::new() }
    }

    /// The value of a parameter, if it is given.
    pub(super) fn take(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        let at = self.pairs.iter().position(|(other, _)| other == name)?;
        Some(self.pairs.swap_remove(at).1)
    }

    /// The value of a parameter that stands for something else; its error says what was found.
    pub(super) fn read<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<Option<T>, Problem> {
        let read = |text: String| text.parse().map_err(|error: T::Err| wrong(name, &error.to_string()));
        self.take(name).map(read).transpose()
    }

    /// `game` and `options`.
    pub(super) fn game(&mut self) -> Result<Game, Problem> {
        let name = self.take("game");
        let options = self.take("options").unwrap_or_default();
        let name = name.as_deref().unwrap_or("kpe");
        Game::parse(name, &options).map_err(|error| {
            let parameter = if Game::named(name).is_err() { "game" } else { "options" };
            Problem::new(Kind::Game, error.to_string()).about(parameter)
        })
    }

    /// A position of `game`; its start if the parameter is not given.
    pub(super) fn position(&mut self, name: &'static str, game: Game) -> Result<Position, Problem> {
        match self.take(name) {
            None => Ok(Position::start(game)),
            Some(text) => Position::parse(&text, game).map_err(|error| Problem::text(Kind::Position, name, &error)),
        }
    }

    /// `game`, `options`, `loops`, `start` and `moves`: a game with these moves made.
    pub(super) fn playing(&mut self) -> Result<Playing, Problem> {
        let game = self.game()?;
        let loops = self.read::<Loops>("loops")?.unwrap_or_default();
        let mut playing = Playing::new(self.position("start", game)?, loops);
        for (ply, text) in self.moves()?.iter().enumerate() {
            let wrong = |error: &dyn Display| Problem::new(Kind::Move, error.to_string()).about("moves").at_ply(ply);
            playing.play_text(text).map_err(|error| wrong(&error))?;
        }
        Ok(playing)
    }

    /// `moves`: texts of moves with commas between them.
    pub(super) fn moves(&mut self) -> Result<Vec<String>, Problem> {
        let text = self.take("moves").unwrap_or_default();
        let moves: Vec<String> = text.split(',').filter(|_| !text.is_empty()).map(str::to_owned).collect();
        if moves.len() > MOST_MOVES {
            return Err(wrong("moves", &format!("{} moves, expected at most {MOST_MOVES}", moves.len())));
        }
        Ok(moves)
    }

    /// `level`; the highest if it is not given.
    pub(super) fn level(&mut self) -> Result<Level, Problem> {
        Ok(self.read("level")?.unwrap_or(Level::HIGHEST))
    }

    /// `time_ms`: the time of a search, no more than any may take.
    pub(super) fn time(&mut self) -> Result<Duration, Problem> {
        self.time_or(USUAL_TIME)
    }

    /// The same with another time if none is given.
    pub(super) fn time_or(&mut self, usual: Duration) -> Result<Duration, Problem> {
        let time = self.read::<Milliseconds>("time_ms")?.map(|time| time.0);
        Ok(time.unwrap_or(usual).min(LONGEST_TIME))
    }

    /// Refuses what nobody has asked for.
    pub(super) fn finish(self) -> Result<(), Problem> {
        match self.pairs.first() {
            None => Ok(()),
            Some((name, _)) if self.known.is_empty() => Err(wrong(name, "unknown; no parameter is expected here")),
            Some((name, _)) => Err(wrong(name, &format!("unknown, expected {}", self.known.join(", ")))),
        }
    }
}

/// A time as a parameter gives it.
struct Milliseconds(Duration);

impl FromStr for Milliseconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // However long it is, no more is granted than any search may take.
        let number = digits.then(|| text.parse().unwrap_or(u64::MAX)).filter(|&number| number > 0);
        let expected = || format!("found {}, expected milliseconds, 1 or more", quoted(text));
        number.map(|number| Self(Duration::from_millis(number))).ok_or_else(expected)
    }
}

/// A parameter is not as it should be.
fn wrong(parameter: &str, detail: &str) -> Problem {
    Problem::new(Kind::Parameter, format!("parameter {}: {detail}", quoted(parameter))).about(&short(parameter))
}

/// Percent signs and `+` undone.
fn decoded(text: &str, parameter: &str) -> Result<String, Problem> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(Into::into).map_err(|_| wrong(parameter, "not UTF-8 behind its percent signs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter_of(problem: Result<impl Sized, Problem>) -> String {
        let Err(problem) = problem else { panic!("no problem") };
        let document: serde_json::Value = serde_json::from_str(&problem.document().1).unwrap();
        document["parameter"].as_str().unwrap().to_owned()
    }

    #[test]
    fn parameters_are_decoded_and_taken_once() {
        let mut query = Query::parse("text=a%20b+c%C3%A9&game=gore&options=trade%3Doff").unwrap();
        assert_eq!(query.take("text").as_deref(), Some("a b cé"));
        assert_eq!(query.game().unwrap(), Game::parse("gore", "trade=off").unwrap());
        assert_eq!(query.take("text"), None);
        query.finish().unwrap();
    }

    #[test]
    fn what_is_unknown_twice_or_no_text_is_refused() {
        assert_eq!(parameter_of(Query::parse("a=1&a=2")), "a");
        assert_eq!(parameter_of(Query::parse("a=%ff")), "a");
        assert_eq!(
            parameter_of(Query::parse("game=kpe&x=1").and_then(|mut query| query.game().and(query.finish()))),
            "x"
        );
        assert_eq!(parameter_of(Query::parse("game=oware").and_then(|mut query| query.game())), "game");
        assert_eq!(parameter_of(Query::parse("options=trade=on").and_then(|mut query| query.game())), "options");
        assert_eq!(parameter_of(Query::parse("level=11").and_then(|mut query| query.level())), "level");
        let long = format!("moves={}", "A,".repeat(MOST_MOVES));
        assert_eq!(parameter_of(Query::parse(&long).and_then(|mut query| query.moves())), "moves");
        assert_eq!(Query::parse("moves=A,,b").unwrap().moves().unwrap(), ["A", "", "b"]);
        assert_eq!(Query::parse("moves=").unwrap().moves().unwrap(), Vec::<String>::new());
    }
}
