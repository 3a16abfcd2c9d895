//! `kpe opening tempo`: what an unsown pit is worth.

use clap::Args;
use kpe::opening::tempo::{Tempo, over_layers, within_plies};

use super::Common;
use crate::cli::exit::Status;
use crate::cli::units::{grouped, number};

/// Say what an unsown pit is worth: how values change when locks are lifted
#[derive(Args)]
pub(super) struct TempoArgs {
    /// Take all positions within N plies of the start
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u8>(0..=12))]
    plies: u8,
    /// Take every S-th position of all layers of 48 stones instead
    #[arg(long, value_name = "S", conflicts_with = "plies", value_parser = number::<u64>(1..=u64::MAX))]
    layers: Option<u64>,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &TempoArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let values = args.common.values(&source)?;
    let found = match args.layers {
        Some(stride) => over_layers(&values, stride)?,
        None => within_plies(&values, args.plies)?,
    };
    args.common.print("kpe.opening.tempo/1", &found, lines)
}

fn lines(found: &Tempo) -> Vec<String> {
    let mut lines = vec![format!(
        "{:>6} {:>8} {:9} {:>12} {:>7} {:>7} {:>7} {:>7}",
        "unsown", "opponent", "lifted", "positions", "mean", "worse %", "same %", "better %"
    )];
    for row in &found.rows {
        let share = |wanted: i8| {
            let count: u64 = row.histogram.iter().filter(|bin| bin.0.signum() == wanted).map(|bin| bin.1).sum();
            100.0 * count as f64 / row.positions.max(1) as f64
        };
        lines.push(format!(
            "{:>6} {:>8} {:9} {:>12} {:>+7.2} {:>7.1} {:>7.1} {:>7.1}",
            row.mover_unsown,
            row.opponent_unsown,
            row.lifted.word(),
            grouped(row.positions),
            row.mean_thousandths as f64 / 1000.0,
            share(-1),
            share(0),
            share(1)
        ));
    }
    lines
}
