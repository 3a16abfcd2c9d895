//! `kpe play`: a game in the terminal, against the program or between two people, in plain lines.

mod adviser;
mod command;
mod events;
mod files;
mod kept;
mod rules;
mod session;
mod speech;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use kpe::level::Level;
use kpe::notation::Side;
use kpe::record::{Playing, Record};
use kpe::rules::Loops;
use kpe::rules::options::Choice;

use super::args::{PlaceArgs, RulesArgs, position};
use super::exit::{Refused, Status};
use super::progress::tell;
use super::system;
use super::units::{number, parse_time};
use files::Saved;
use kept::Kept;
use session::Session;

/// Play a game against the program or another person
///
/// You type the letter of a pit to sow from it; help lists what else there is. A game that you leave before its end, by
/// quit or because the terminal is closed, is kept in kpe/games in the user's data directory; --resume goes on with it.
#[derive(Args)]
pub(super) struct PlayArgs {
    /// The position to begin with
    #[arg(default_value = "startpos")]
    position: String,
    /// The side you play [default: south, or the one you had in a game that was left]
    #[arg(long, value_name = "SIDE")]
    side: Option<People>,
    /// The level of the program, from 1, a beginner, to 10, which sees everything [default: 5, or as the game was left]
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// Time the program takes for a move at most
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time)]
    time: Duration,
    /// Decides what a level gets wrong [default: another at every start]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Go on with the game of a file, the last one if there are several
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,
    /// Go on with the game that was left last
    #[arg(long, conflicts_with_all = ["position", "load"])]
    resume: bool,
    /// Describe the board in words instead of drawing it; always so if the output is no terminal
    #[arg(long)]
    plain: bool,
    /// What happens to the stones left when the game repeats itself
    #[arg(long, value_parser = ["split", "own"], conflicts_with_all = ["load", "resume"])]
    loops: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// A level that errs now and then.
const DEFAULT_LEVEL: Level = match Level::new(5) {
    Some(level) => level,
    None => Level::HIGHEST,
};

/// Who is a person.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum People {
    /// South, who begins
    South,
    /// North
    North,
    /// Two people play
    Both,
    /// The program plays against itself
    None,
}

impl People {
    const fn plays(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::South, Side::South) | (Self::North, Side::North))
    }
}

/// What a game begins with.
struct Begun {
    record: Record,
    people: People,
    level: Level,
    /// The file it was kept in if it was left before.
    kept: Option<Kept>,
    /// The file it was loaded from.
    saved: Option<Saved>,
}

pub(super) fn run(args: &PlayArgs) -> anyhow::Result<Status> {
    Session::new(args, begin(args)?)?.run()
}

fn begin(args: &PlayArgs) -> anyhow::Result<Begun> {
    if (args.load.is_some() || args.resume) && args.rules.are_given() {
        let told = "the record of a game says its rules; leave out --game and rule options";
        return Err(Refused::Usage(told.to_owned()).into());
    }
    let (record, kept, saved) = match (&args.load, args.resume) {
        (Some(path), _) => {
            let (record, saved) = Saved::load(path)?;
            (Some(record), None, saved)
        }
        (None, true) => {
            let kept = resumed()?;
            (Some(Saved::load(kept.path())?.0), Some(kept), None)
        }
        (None, false) => (None, None, None),
    };
    let (people, level) = record.as_ref().map_or((People::South, DEFAULT_LEVEL), roles);
    let (people, level) = (args.side.unwrap_or(people), args.level.unwrap_or(level));
    let record = match record {
        Some(record) => record,
        None => new_game(args, people, level)?,
    };
    Ok(Begun { record, people, level, kept, saved })
}

/// The game that was left last, of those that nobody else goes on with.
fn resumed() -> anyhow::Result<Kept> {
    let (kept, taken) = kept::last()?;
    let Some(kept) = kept else {
        let told = match taken {
            0 => "no game was left before its end",
            _ => "another kpe play goes on with the game that was left; end that one first, or begin a new game",
        };
        return Err(Refused::Usage(told.to_owned()).into());
    };
    if taken > 0 {
        tell("Another kpe play goes on with the game that was left last; this is the one before.");
    }
    Ok(kept)
}

/// What the tag of a person says.
const PERSON: &str = "player";
/// What the tag of the program begins with; its level follows.
const PROGRAM: &str = "kpe, level ";

/// A game before its first move.
fn new_game(args: &PlayArgs, people: People, level: Level) -> Result<Record, Refused> {
    let game = args.rules.game()?;
    let loops = args.loops.as_deref().map_or(Ok(Loops::default()), Loops::parse)?;
    Ok(fresh(Playing::new(position(&args.position, game)?, loops), people, level))
}

/// The record of a game that begins today between these players.
fn fresh(playing: Playing, people: People, level: Level) -> Record {
    let mut record = Record::new(playing);
    for side in [Side::South, Side::North] {
        let name = if people.plays(side) { PERSON.to_owned() } else { format!("{PROGRAM}{level}") };
        record.set_tag(&side.to_string(), &name);
    }
    record.set_tag("Date", &system::today());
    record
}

/// Who played a game, as far as its tags say.
fn roles(record: &Record) -> (People, Level) {
    let name = |side: Side| record.tag(&side.to_string()).unwrap_or_default();
    let names = [name(Side::South), name(Side::North)];
    let level = names.iter().find_map(|name| name.strip_prefix(PROGRAM)?.parse().ok()).unwrap_or(DEFAULT_LEVEL);
    let people = match names.map(|name| name.starts_with(PROGRAM)) {
        [true, true] => People::None,
        [true, false] => People::North,
        [false, false] if names == [PERSON; 2] => People::Both,
        _ => People::South,
    };
    (people, level)
}
