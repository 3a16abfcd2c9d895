//! `kpe tables probe`: what the tables say of a position, without any search.

use clap::Args;
use kpe::document::Head;
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::opening::book::Book;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::table::{TableError, TableSet};
use kpe::value::Entry;
use serde::Serialize;

use crate::cli::args::{PlaceArgs, RulesArgs, STANDARD_INPUT, check_layered, position};
use crate::cli::batch::answer_lines;
use crate::cli::exit::{Refused, Status};
use crate::cli::output::Output;

/// Look a position up in the tables
///
/// The value is the stones the player to move will still take minus those the opponent will;
/// the distance is the number of plies to the next capture, first sowing or end of the game.
#[derive(Args)]
pub(in crate::cli) struct ProbeArgs {
    /// The position, or - for many on standard input
    #[arg(default_value = "startpos")]
    position: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
struct ProbeDocument {
    #[serde(flatten)]
    head: Head,
    position: String,
    value: i8,
    distance: Option<u16>,
}

/// What is to be said of a position that a table is asked for in vain.
const IN_BOOK: &str =
    "only tables are asked here; the opening book in the program has this position, and kpe best looks it up";

/// The distance of an entry; a position of value 0 has none.
fn distance(entry: Entry) -> Option<u16> {
    (entry.value().0 != 0).then_some(entry.distance().0)
}

pub(super) fn run(args: &ProbeArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    if args.position == STANDARD_INPUT {
        return answer_lines(|text| document(&set, &position(text, game)?));
    }
    let position = position(&args.position, game)?;
    let mut out = Output::new();
    if args.json {
        out.json(&document(&set, &position)?)?;
    } else {
        let entry = probe(&set, &position)?;
        let distance = distance(entry).map_or(String::new(), |plies| format!(", distance {plies}"));
        out.line(format!("{} for {}{distance}", entry.value(), position.side()))?;
    }
    out.finish()?;
    Ok(Status::Done)
}

fn document(set: &TableSet, position: &Position) -> anyhow::Result<ProbeDocument> {
    let entry = probe(set, position)?;
    Ok(ProbeDocument {
        head: Head::new("kpe.probe/1", set.game()),
        position: position.to_string(),
        value: entry.value().0,
        distance: distance(entry),
    })
}

fn probe(set: &TableSet, position: &Position) -> anyhow::Result<Entry> {
    let board = position.solver_board().ok_or_else(|| Refused::Usage(format!("{position} has no layer")))?;
    let layer = Layer::of(board);
    let number = layer.rank(board);
    let known = || {
        *set.game() == Game::Kpe(Kpe::default())
            && Book::embedded().is_ok_and(|book| book.probe(layer, number).is_some())
    };
    match set.require(layer) {
        Ok(file) => Ok(file.probe(layer, number)?),
        Err(error @ TableError::Missing { .. }) if known() => Err(anyhow::Error::from(error).context(IN_BOOK)),
        Err(error) => Err(error.into()),
    }
}
