//! `kpe opening delay`: what hurry and delay cost.

use clap::Args;
use kpe::opening::delay::{DelayLimits, Delays, delays};
use kpe::value::Value;

use super::Common;
use crate::cli::exit::Status;
use crate::cli::units::number;

/// Value unlocking by one's k-th turn, and not before it
#[derive(Args)]
pub(super) struct DelayArgs {
    /// The largest k
    #[arg(long, value_name = "K", default_value_t = DelayLimits::default().turns, value_parser = number::<u8>(5..=60))]
    turns: u8,
    /// Try no larger k after one that took more positions
    #[arg(long, value_name = "N", default_value_t = DelayLimits::default().positions, value_parser = number::<usize>(0..=usize::MAX))]
    positions: usize,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &DelayArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let limits = DelayLimits { turns: args.turns, positions: args.positions };
    let found = delays(&args.common.values(&source)?, limits)?;
    args.common.print("kpe.opening.delay/1", &found, lines)
}

fn lines(found: &Delays) -> Vec<String> {
    let mut lines = vec![format!("{:8} {:12} {:>3} {:>6} {:>10}", "player", "bound", "k", "value", "positions")];
    for player in &found.players {
        for (kind, list) in [("by", &player.by), ("not before", &player.not_before)] {
            for delay in list {
                let (turn, value) = (delay.turn, Value(delay.value));
                lines.push(format!("{:8} {kind:12} {turn:>3} {value:>6} {:>10}", player.player, delay.positions));
            }
        }
        lines.push(format!(
            "{:8} free             {:>6}; not before: {}",
            player.player,
            Value(player.free),
            player.ended
        ));
    }
    lines
}
