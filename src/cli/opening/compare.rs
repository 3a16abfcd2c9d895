//! `kpe opening compare`: the game with its lock, with a slower one, and without.

use clap::Args;
use kpe::opening::OpeningError;
use kpe::opening::compare::LockFigures;
use kpe::opening::report::{Depths, compare_locks, lock_name};
use serde::Serialize;

use super::{Common, tell_missing, wrapped};
use crate::cli::exit::Status;
use crate::cli::units::number;

/// Compare the game with its lock, with unlock=next, and without a lock
///
/// The first needs all tables, the second those of `--unlock next`; without a lock the first's suffice. A game without
/// tables is left out, with the command that builds them.
#[derive(Args)]
pub(super) struct CompareArgs {
    /// Plies of the lines and positions counted
    #[arg(long, value_name = "N", default_value_t = Depths::default().compare, value_parser = number::<u8>(0..=10))]
    plies: u8,
    /// Plies within which captures are looked for
    #[arg(long, value_name = "N", default_value_t = Depths::default().captures, value_parser = number::<u8>(1..=40))]
    captures: u8,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct CompareDocument {
    games: Vec<LockFigures>,
    missing: Vec<String>,
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<Status> {
    let (source, next) = (args.common.open()?, args.common.open_next()?);
    let depths = Depths { compare: args.plies, captures: args.captures, ..Depths::default() };
    let mut missing = Vec::new();
    let mut note = |name: &str, error: OpeningError| match error {
        OpeningError::NeedsTables { command, .. } => {
            missing.push(format!("{name} needs all tables: {command}"));
            Ok(())
        }
        error => Err(error),
    };
    let games = compare_locks(&args.common.values(&source)?, Some(&args.common.values(&next)?), depths, &mut note)?;
    tell_missing(&missing);
    args.common.print("kpe.opening.compare/1", &CompareDocument { games, missing }, lines)
}

fn lines(found: &CompareDocument) -> Vec<String> {
    let mut lines = Vec::new();
    for game in &found.games {
        lines.push(lock_name(game.lock).to_owned());
        lines.push(format!(
            "{:>4} {:>10} {:>8} {:>8} {:>8} {:>26}",
            "ply", "positions", "won", "drawn", "lost", "lines won-drawn-lost"
        ));
        for ply in &game.plies {
            let [won, drawn, lost] = ply.to_move;
            let of_lines = ply.lines.map(|count| count.to_string()).join("-");
            lines.push(format!("{:>4} {:>10} {won:>8} {drawn:>8} {lost:>8} {of_lines:>26}", ply.ply, ply.positions));
        }
        let plies = |found: Option<u8>| found.map_or(format!("more than {}", game.limit), |plies| plies.to_string());
        lines.push(format!(
            "capture-free plies that South can force: {}, North: {}",
            plies(game.stretch_south),
            plies(game.stretch_north)
        ));
        lines.extend(wrapped(&game.sentence()));
        lines.push(String::new());
    }
    lines
}
