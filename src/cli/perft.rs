//! `kpe perft`: the number of paths of moves, to compare programs by.

use clap::Args;
use kpe::document::{Head, move_text};
use kpe::notation::{Move, Position};
use kpe::perft::{divide, perft};
use serde::Serialize;

use super::args::{RulesArgs, STANDARD_INPUT, position};
use super::batch::answer_lines;
use super::exit::Status;
use super::output::Output;
use super::units::number;

/// Count the paths of moves from a position
///
/// A line that ends early counts once, at its end. Passes, offers and answers are moves.
#[derive(Args)]
pub(super) struct PerftArgs {
    /// Number of moves in a path
    // One level of the stack a move; nobody waits for the counts at such depths.
    #[arg(value_parser = number::<u32>(0..=200))]
    depth: u32,
    /// The position, or - for many on standard input
    #[arg(default_value = "startpos")]
    position: String,
    /// Count the paths of each first move as well
    #[arg(long)]
    divide: bool,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
struct PerftDocument {
    #[serde(flatten)]
    head: Head,
    position: String,
    depth: u32,
    paths: u64,
    /// With `--divide` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<FirstMove>>,
}

#[derive(Serialize)]
struct FirstMove {
    #[serde(rename = "move")]
    action: String,
    paths: u64,
}

/// The paths in all and, if asked for, by first move.
fn count(args: &PerftArgs, position: &Position) -> (u64, Option<Vec<(Move, u64)>>) {
    if !args.divide || args.depth == 0 {
        return (perft(position, args.depth), args.divide.then(Vec::new));
    }
    let moves = divide(position, args.depth);
    // A finished game has no first move and one path.
    let paths = if moves.is_empty() { 1 } else { moves.iter().map(|(_, paths)| paths).sum() };
    (paths, Some(moves))
}

fn document(args: &PerftArgs, position: &Position) -> PerftDocument {
    let (paths, moves) = count(args, position);
    let first = |&(action, paths): &(Move, u64)| FirstMove { action: move_text(position, action), paths };
    PerftDocument {
        head: Head::new("kpe.perft/1", &position.game()),
        position: position.to_string(),
        depth: args.depth,
        paths,
        moves: moves.map(|moves| moves.iter().map(first).collect()),
    }
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    if args.position == STANDARD_INPUT {
        return answer_lines(|text| Ok(document(args, &position(text, game)?)));
    }
    let position = position(&args.position, game)?;
    let mut out = Output::new();
    if args.json {
        out.json(&document(args, &position))?;
    } else {
        let (paths, moves) = count(args, &position);
        for (action, paths) in moves.iter().flatten() {
            out.line(format!("{} {paths}", action.text(position.side())))?;
        }
        out.line(if args.divide { format!("total {paths}") } else { paths.to_string() })?;
    }
    out.finish()?;
    Ok(Status::Done)
}
