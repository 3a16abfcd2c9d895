//! The words of the rule options, in one place for command line, files and JSON.
//!
//! Each option is an enum that implements [`Choice`], and through it `FromStr` and `Display`. What an option means
//! is said where its enum is defined; here is only how it is spelled.

use std::fmt;
use std::str::FromStr;

use super::gore::{Gore, Trade};
use super::kpe::{Feed, Kpe, Unlock};
use super::{Game, Loops};
use crate::board::Origin;
use crate::echo::{quoted, short};

/// An option of the rules: a name and a few words, the first of which is the default.
pub trait Choice: Copy + Eq + 'static {
    /// The option's name: `origin`, `unlock`, …
    const NAME: &'static str;
    /// Every word with its meaning, the default first.
    const WORDS: &'static [(&'static str, Self)];

    /// The word for this choice.
    fn word(self) -> &'static str {
        // Every variant is in the list: a test looks each of them up.
        Self::WORDS.iter().find(|(_, choice)| *choice == self).map_or("", |(word, _)| word)
    }

    /// The choice this word stands for.
    ///
    /// # Errors
    /// [`OptionError::Word`] if it stands for none.
    fn parse(word: &str) -> Result<Self, OptionError> {
        let known = Self::WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, choice)| *choice).ok_or_else(|| OptionError::Word {
            option: Self::NAME,
            found: word.to_owned(),
            expected: Self::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or "),
        })
    }
}

macro_rules! choice {
    ($type:ty, $name:literal, $($word:literal => $variant:ident),+) => {
        impl Choice for $type {
            const NAME: &'static str = $name;
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];
        }

        impl FromStr for $type {
            type Err = OptionError;
            fn from_str(word: &str) -> Result<Self, OptionError> {
                Self::parse(word)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

choice!(Origin, "origin", "skip" => Skip, "sow" => Sow);
choice!(Unlock, "unlock", "same" => Same, "next" => Next);
choice!(Feed, "feed", "remains" => Remains, "sown" => Sown);
choice!(Trade, "trade", "on" => On, "off" => Off);
choice!(Loops, "loops", "split" => Split, "own" => Own);

/// Why a text names no game or no option of one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The option has no such word.
    #[error("option {option} is {}, expected {expected}", quoted(found))]
    Word {
        /// The option's name.
        option: &'static str,
        /// The word that was given.
        found: String,
        /// The words it may be.
        expected: String,
    },
    /// The game has no such option.
    #[error("{game} has no option {}, expected {expected}", quoted(found))]
    Name {
        /// The game's name.
        game: &'static str,
        /// The name that was given.
        found: String,
        /// The names it may be.
        expected: &'static str,
    },
    /// An option was given twice.
    #[error("option {} is given twice, expected each once", short(found))]
    Twice {
        /// The option's name.
        found: String,
    },
    /// There is no such game.
    #[error("no game is called {}, expected kpe or gore", quoted(found))]
    Game {
        /// The name that was given.
        found: String,
    },
}

impl Game {
    /// The game of this name (`kpe` or `gore`) with every option at its default.
    ///
    /// # Errors
    /// [`OptionError::Game`] if there is no such game.
    pub fn named(name: &str) -> Result<Self, OptionError> {
        match name {
            "kpe" => Ok(Self::Kpe(Kpe::default())),
            "gore" => Ok(Self::Gore(Gore::default())),
            _ => Err(OptionError::Game { found: name.to_owned() }),
        }
    }

    /// The game of this name with options as [`Game`] prints them, in any order: `unlock=next,origin=skip`.
    ///
    /// What is not mentioned keeps its default, so the empty text is the default game.
    ///
    /// # Errors
    /// If the game, an option or its word is unknown, or an option is given twice.
    pub fn parse(name: &str, options: &str) -> Result<Self, OptionError> {
        let mut game = Self::named(name)?;
        let mut seen: Vec<&str> = Vec::new();
        for part in options.split(',').filter(|_| !options.is_empty()) {
            let (option, word) = part.split_once('=').unwrap_or((part, ""));
            game = game.with_option(option, word)?;
            if seen.contains(&option) {
                return Err(OptionError::Twice { found: option.to_owned() });
            }
            seen.push(option);
        }
        Ok(game)
    }

    /// The same game with one option changed.
    ///
    /// # Errors
    /// [`OptionError::Name`] if the game has no such option, [`OptionError::Word`] if the option has no such word.
    pub fn with_option(mut self, option: &str, word: &str) -> Result<Self, OptionError> {
        match (&mut self, option) {
            (Self::Kpe(kpe), "origin") => kpe.origin = word.parse()?,
            (Self::Kpe(kpe), "unlock") => kpe.unlock = word.parse()?,
            (Self::Kpe(kpe), "feed") => kpe.feed = word.parse()?,
            (Self::Gore(gore), "origin") => gore.origin = word.parse()?,
            (Self::Gore(gore), "trade") => gore.trade = word.parse()?,
            _ => {
                let expected = match self {
                    Self::Kpe(_) => "origin, unlock or feed",
                    Self::Gore(_) => "origin or trade",
                };
                return Err(OptionError::Name { game: self.name(), found: option.to_owned(), expected });
            }
        }
        Ok(self)
    }
}

/// The rule options that bear on values, as one word: `origin=skip,unlock=same,feed=remains`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kpe(Kpe { origin, unlock, feed }) => write!(f, "origin={origin},unlock={unlock},feed={feed}"),
            Self::Gore(Gore { origin, trade }) => write!(f, "origin={origin},trade={trade}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<C: Choice + FromStr<Err = OptionError> + fmt::Display + fmt::Debug + Default>(all: &[C]) {
        assert_eq!(all.len(), C::WORDS.len());
        assert_eq!(C::WORDS[0].1, C::default());
        for &choice in all {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }

    #[test]
    fn every_choice_has_its_word() {
        round_trip(&[Origin::Skip, Origin::Sow]);
        round_trip(&[Unlock::Same, Unlock::Next]);
        round_trip(&[Feed::Remains, Feed::Sown]);
        round_trip(&[Trade::On, Trade::Off]);
        round_trip(&[Loops::Split, Loops::Own]);
    }

    #[test]
    fn a_game_reads_what_it_prints() {
        for (name, options) in [
            ("kpe", "origin=skip,unlock=same,feed=remains"),
            ("kpe", "origin=sow,unlock=next,feed=sown"),
            ("gore", "origin=skip,trade=on"),
            ("gore", "origin=sow,trade=off"),
        ] {
            let game = Game::parse(name, options).unwrap();
            assert_eq!((game.name(), game.to_string().as_str()), (name, options));
        }
        assert_eq!(Game::parse("kpe", "feed=sown,origin=sow"), Game::parse("kpe", "origin=sow,unlock=same,feed=sown"));
        assert_eq!(Game::parse("gore", ""), Ok(Game::Gore(Gore::default())));
    }

    #[test]
    fn a_wrong_option_is_named_with_what_was_expected() {
        let says = |name, options| Game::parse(name, options).unwrap_err().to_string();
        assert_eq!(says("kpe", "origin=jump"), "option origin is \"jump\", expected skip or sow");
        assert_eq!(says("kpe", "trade=on"), "kpe has no option \"trade\", expected origin, unlock or feed");
        assert_eq!(says("gore", "unlock=same"), "gore has no option \"unlock\", expected origin or trade");
        assert_eq!(says("gore", "origin=sow,origin=sow"), "option origin is given twice, expected each once");
        assert_eq!(says("kpe", "origin=sow,"), "kpe has no option \"\", expected origin, unlock or feed");
        assert_eq!(says("oware", ""), "no game is called \"oware\", expected kpe or gore");
    }
}
