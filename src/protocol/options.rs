//! The options of a session: what they are called, what they may be, what they are.

use std::path::PathBuf;

use super::Host;
use crate::echo::quoted;
use crate::level::Level;
use crate::rules::options::{Choice, OptionError};
use crate::rules::{Game, Loops};

/// The words of games, the default first.
const GAMES: [&str; 2] = ["kpe", "gore"];
/// What stands for an empty text.
pub(super) const EMPTY: &str = "<empty>";
/// Threads, and memory for searched positions in MiB: least, default, most.
const MOST_THREADS: usize = 1024;
const HASH: [usize; 3] = [1, DEFAULT_HASH, 65_536];
/// MiB for searched positions unless told otherwise.
pub(super) const DEFAULT_HASH: usize = 64;
/// The rule options that belong to a game.
const RULES: [(&str, &str, &[&str]); 4] = [
    ("Origin", "origin", &["skip", "sow"]),
    ("Unlock", "unlock", &["same", "next"]),
    ("Feed", "feed", &["remains", "sown"]),
    ("Trade", "trade", &["on", "off"]),
];

/// What a change of an option touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touched {
    /// Nothing that exists.
    Nothing,
    /// The player must be made anew.
    Player,
    /// So must he, and his tables are to be told of the book.
    Book,
    /// So must his tables.
    Tables,
    /// So must the game.
    Game,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) threads: usize,
    /// MiB.
    pub(super) hash: usize,
    pub(super) tables: Option<PathBuf>,
    /// Whether the opening book of the program answers.
    pub(super) book: bool,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) loops: Loops,
    game: &'static str,
    /// The word of each of [`RULES`], kept for the game it belongs to.
    words: [&'static str; RULES.len()],
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SettingError {
    #[error("no option is called {}, expected one of those that ugi lists", quoted(found))]
    Name { found: String },
    #[error("option {name} is {}, expected {expected}", quoted(found))]
    Value { name: &'static str, found: String, expected: String },
    #[error(transparent)]
    Rules(#[from] OptionError),
}

impl Settings {
    pub(super) fn new(host: &Host) -> Self {
        Self {
            threads: host.threads.clamp(1, MOST_THREADS),
            hash: HASH[1],
            tables: host.tables.clone(),
            book: true,
            level: Level::HIGHEST,
            seed: 0,
            loops: Loops::default(),
            game: GAMES[0],
            words: RULES.map(|(_, _, words)| words[0]),
        }
    }

    /// The lines that describe the options, after `ugi`.
    pub(super) fn lines(host: &Host) -> Vec<String> {
        let defaults = Self::new(host);
        let spin = |name: &str, default: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        let combo = |name: &str, words: &[&str]| {
            let list: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {}{list}", words[0])
        };
        let tables = defaults.tables.map_or(EMPTY.to_owned(), |path| path.display().to_string());
        let mut lines = vec![
            spin("Threads", defaults.threads, 1, MOST_THREADS),
            spin("Hash", HASH[1], HASH[0], HASH[2]),
            format!("option name Tables type string default {tables}"),
            "option name OwnBook type check default true".to_owned(),
            spin("Level", 10, 1, 10),
            spin("Seed", 0, 0, u32::MAX as usize),
            combo("Game", &GAMES),
        ];
        lines.extend(RULES.iter().map(|(name, _, words)| combo(name, words)));
        lines.push(combo("Loops", &["split", "own"]));
        lines
    }

    /// The game that is set.
    pub(super) fn game(&self) -> Result<Game, OptionError> {
        let mut game = Game::named(self.game)?;
        for ((_, option, _), word) in RULES.iter().zip(self.words) {
            // An option of the other game waits until that game is chosen.
            game = match game.with_option(option, word) {
                Err(OptionError::Name { .. }) => game,
                with => with?,
            };
        }
        Ok(game)
    }

    /// Sets an option.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Touched, SettingError> {
        let lower = name.to_ascii_lowercase();
        Ok(match lower.as_str() {
            "threads" => {
                self.threads = number("Threads", value, 1, MOST_THREADS)?;
                Touched::Nothing
            }
            "hash" => {
                self.hash = number("Hash", value, HASH[0], HASH[2])?;
                Touched::Player
            }
            "tables" => {
                self.tables = (!value.is_empty() && value != EMPTY).then(|| PathBuf::from(value));
                Touched::Tables
            }
            "ownbook" => {
                self.book = one_of("OwnBook", &["true", "false"], value)? == "true";
                Touched::Book
            }
            "level" => {
                let wrong = || wrong("Level", value, "1 to 10".to_owned());
                self.level = value.parse().map_err(|_| wrong())?;
                Touched::Player
            }
            "seed" => {
                self.seed = number("Seed", value, 0, u32::MAX as usize)? as u64;
                Touched::Player
            }
            "game" => {
                self.game = one_of("Game", &GAMES, value)?;
                Touched::Game
            }
            "loops" => {
                self.loops = <Loops as Choice>::parse(value)?;
                Touched::Game
            }
            _ => {
                let at = RULES.iter().position(|(_, option, _)| *option == lower);
                let at = at.ok_or_else(|| SettingError::Name { found: name.chars().take(40).collect() })?;
                self.words[at] = one_of(RULES[at].0, RULES[at].2, value)?;
                Touched::Game
            }
        })
    }
}

fn wrong(name: &'static str, value: &str, expected: String) -> SettingError {
    SettingError::Value { name, found: value.chars().take(40).collect(), expected }
}

fn number(name: &'static str, value: &str, least: usize, most: usize) -> Result<usize, SettingError> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| wrong(name, value, format!("{least} to {most}")))
}

fn one_of(name: &'static str, words: &[&'static str], value: &str) -> Result<&'static str, SettingError> {
    let known = words.iter().find(|word| word.eq_ignore_ascii_case(value));
    known.copied().ok_or_else(|| wrong(name, value, words.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings::new(&Host { tables: None, threads: 2 })
    }

    #[test]
    fn options_are_set_and_refused() {
        let mut settings = settings();
        assert_eq!(settings.set("threads", "4"), Ok(Touched::Nothing));
        assert_eq!(settings.set("Game", "gore"), Ok(Touched::Game));
        assert_eq!(settings.set("Trade", "off"), Ok(Touched::Game));
        assert_eq!(settings.set("Unlock", "next"), Ok(Touched::Game));
        assert_eq!(settings.game().unwrap(), Game::parse("gore", "trade=off").unwrap());
        settings.set("Game", "kpe").unwrap();
        assert_eq!(settings.game().unwrap(), Game::parse("kpe", "unlock=next").unwrap());
        for (name, value) in [("Hash", "0"), ("Level", "11"), ("Origin", "x"), ("Loops", ""), ("Nonsense", "1")] {
            assert!(settings.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!((settings.threads, settings.hash, settings.level), (4, 64, Level::HIGHEST));
    }

    /// The words listed here are those that the rules know.
    #[test]
    fn the_words_are_those_of_the_rules() {
        for game in GAMES.map(|name| Game::named(name).unwrap()) {
            for (_, option, words) in RULES {
                let known = words.iter().filter(|word| game.with_option(option, word).is_ok()).count();
                assert!(known == words.len() || known == 0, "{option}");
            }
            let shown = game.to_string();
            assert!(
                shown
                    .split(',')
                    .all(|part| RULES.iter().any(|(_, option, words)| { part == format!("{option}={}", words[0]) })),
                "{shown}"
            );
        }
    }
}
