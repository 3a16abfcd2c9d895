//! `kpe opening traps`: positions with a single move that holds the value.

use clap::Args;
use kpe::opening::traps::{Traps, traps};
use kpe::value::Value;

use super::{Common, wrapped};
use crate::cli::exit::Status;
use crate::cli::units::number;

/// List positions in which exactly one move holds the value, foremost by likelihood times cost
#[derive(Args)]
pub(super) struct TrapsArgs {
    /// Look within N plies; the program's own book suffices for nine
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = number::<u8>(0..=11))]
    plies: u8,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>(0..=usize::MAX))]
    most: usize,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &TrapsArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let found = traps(&args.common.values(&source)?, args.plies, args.most)?;
    args.common.print("kpe.opening.traps/1", &found, lines)
}

fn lines(found: &Traps) -> Vec<String> {
    let mut lines = wrapped(&found.sentence());
    lines.push(format!(
        "{:10} {:>5} {:>4} {:>7} {:>6} {:>8}  position",
        "line", "value", "only", "mistake", "cost", "likely %"
    ));
    for trap in &found.traps {
        lines.push(format!(
            "{:10} {:>5} {:>4} {:>7} {:>6.2} {:>8.3}  {}",
            trap.line,
            Value(trap.value),
            trap.action,
            trap.mistake,
            trap.cost_thousandths as f64 / 1000.0,
            trap.likelihood_millionths as f64 / 10_000.0,
            trap.position
        ));
    }
    lines
}
