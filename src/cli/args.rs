//! Arguments that several commands take: the rules, the position, the directory of tables.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use kpe::board::{Origin, Pits};
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::rules::Game;
use kpe::rules::gore::Trade;
use kpe::rules::kpe::{Feed, Unlock};
use kpe::rules::options::Choice;
use kpe::table::{TableSet, directory_name, embedded, parent_of_set};

use super::exit::Refused;
use super::progress::tell;
use super::system;

/// The game and its rule options.
#[derive(Args)]
#[command(next_help_heading = "Rules (the first value is the default)")]
pub(super) struct RulesArgs {
    /// The game
    #[arg(long, value_parser = ["kpe", "gore"])]
    game: Option<String>,
    /// Whether a hand of eight or more sows the pit it came from
    #[arg(long, value_parser = words::<Origin>())]
    origin: Option<String>,
    /// Kpé: when the move that sows a player's last pit may capture
    #[arg(long, value_parser = words::<Unlock>())]
    unlock: Option<String>,
    /// Kpé: what feeds an opponent who has no stones
    #[arg(long, value_parser = words::<Feed>())]
    feed: Option<String>,
    /// Goré: whether pits can be sold
    #[arg(long, value_parser = words::<Trade>())]
    trade: Option<String>,
}

/// The words of an option, the default first.
fn words<C: Choice>() -> PossibleValuesParser {
    C::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().into()
}

impl RulesArgs {
    /// Whether any of them is given.
    pub(super) fn are_given(&self) -> bool {
        [&self.game, &self.origin, &self.unlock, &self.feed, &self.trade].into_iter().any(Option::is_some)
    }

    /// The game asked for.
    ///
    /// # Errors
    /// If it has no such option.
    pub(super) fn game(&self) -> Result<Game, Refused> {
        self.game_or("kpe")
    }

    /// The game asked for, `otherwise` if none is.
    ///
    /// # Errors
    /// If it has no such option.
    pub(super) fn game_or(&self, otherwise: &str) -> Result<Game, Refused> {
        let options =
            [("origin", &self.origin), ("unlock", &self.unlock), ("feed", &self.feed), ("trade", &self.trade)];
        let given = options.into_iter().filter_map(|(name, word)| Some((name, word.as_ref()?)));
        let mut game = Game::named(self.game.as_deref().unwrap_or(otherwise))?;
        for (name, word) in given {
            game = game.with_option(name, word)?;
        }
        Ok(game)
    }
}

/// The environment variable that names the directory of tables.
const VARIABLE: &str = "KPE_TABLES";

/// Where tables lie.
#[derive(Args)]
pub(super) struct PlaceArgs {
    /// Directory of tables [default: kpe/tables in the user's data directory]
    #[arg(long, value_name = "DIR", env = VARIABLE, hide_env_values = true)]
    tables: Option<OsString>,
}

impl PlaceArgs {
    /// The directory named, or the user's; `None` if the user has none.
    pub(super) fn root(&self) -> Option<PathBuf> {
        self.named().or_else(system::data_directory)
    }

    /// The directory named; an empty name, as of a variable set to nothing, is none.
    pub(super) fn named(&self) -> Option<PathBuf> {
        self.tables.as_ref().filter(|name| !name.is_empty()).map(PathBuf::from)
    }

    /// Refuses the directory of one set; tables lie below the directory above it.
    ///
    /// # Errors
    /// [`Refused::Usage`].
    pub(super) fn check_level(&self) -> Result<(), Refused> {
        let Some(named) = self.named() else { return Ok(()) };
        let Some(parent) = parent_of_set(&named) else { return Ok(()) };
        Err(Refused::Usage(format!(
            "{} is the directory of one set; --tables wants the one above it: --tables {}",
            named.display(),
            shell_word(&parent.to_string_lossy())
        )))
    }

    /// Refuses a named directory that holds no sets because it is none or one itself.
    ///
    /// # Errors
    /// [`Refused::NoDirectory`] if a directory was named for this command that does not exist. One that is set in the
    /// environment may have to be built yet. [`Refused::Usage`] for the directory of one set.
    pub(super) fn check(&self) -> Result<(), Refused> {
        let standing = std::env::var_os(VARIABLE).map(PathBuf::from);
        if let Some(named) = self.named().filter(|named| !named.is_dir() && standing.as_ref() != Some(named)) {
            return Err(Refused::NoDirectory(named));
        }
        self.check_level()
    }

    /// All tables for `game`: those of the directory before those in the program. Says so if the directory named has none.
    ///
    /// # Errors
    /// Those of [`PlaceArgs::check`].
    pub(super) fn open(&self, game: &Game) -> Result<TableSet, Refused> {
        let set = self.open_quietly(game)?;
        if let Some(named) = self.named().filter(|named| !named.join(directory_name(game)).is_dir()) {
            tell(&format!("kpe: note: no tables of {} ({game}) in {}", game.name(), named.display()));
        }
        Ok(set)
    }

    /// All tables for `game`, without a word about a directory that has none.
    ///
    /// # Errors
    /// Those of [`PlaceArgs::check`].
    pub(super) fn open_quietly(&self, game: &Game) -> Result<TableSet, Refused> {
        self.check()?;
        let set = TableSet::new(game);
        let set = match self.root() {
            Some(root) => set.and_directory(root),
            None => set,
        };
        Ok(set.and_embedded(embedded()))
    }
}

/// The argument that stands for positions on standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The position that `text` describes.
///
/// # Errors
/// [`Refused::Text`].
pub(super) fn position(text: &str, game: Game) -> Result<Position, Refused> {
    Position::parse(text, game).map_err(|error| Refused::text("position", text, error))
}

/// The word as a shell takes it: in quotes where it needs them.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Refuses Goré with trades, which has no tables.
pub(super) fn check_layered(game: &Game) -> Result<(), Refused> {
    match game.layered() {
        Some(_) => Ok(()),
        None => Err(Refused::Usage("Goré has tables without trades only; say --trade off".to_owned())),
    }
}

/// The layer every set begins with.
pub(super) fn smallest_layer() -> Layer {
    Layer::new(Pits::NONE, 0).expect("an empty board fits")
}

/// A game's name as people write it.
pub(super) const fn title(game: &Game) -> &'static str {
    match game {
        Game::Kpe(_) => "Kpé",
        Game::Gore(_) => "Goré",
    }
}
