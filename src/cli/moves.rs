//! `kpe moves`: the legal moves of a position and what they lead to.

use clap::Args;
use kpe::document::{Moves, move_text};
use kpe::notation::Position;

use super::args::{RulesArgs, STANDARD_INPUT, position};
use super::batch::answer_lines;
use super::drawing;
use super::exit::Status;
use super::output::Output;
use super::style::Style;

/// List the legal moves of a position and what they lead to
#[derive(Args)]
pub(super) struct MovesArgs {
    /// The position, or - for many on standard input
    #[arg(default_value = "startpos")]
    position: String,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn run(args: &MovesArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    if args.position == STANDARD_INPUT {
        return answer_lines(|text| Ok(Moves::new(&position(text, game)?)));
    }
    let position = position(&args.position, game)?;
    let mut out = Output::new();
    if args.json {
        out.json(&Moves::new(&position))?;
    } else {
        print(&position, &mut out)?;
    }
    out.finish()?;
    Ok(Status::Done)
}

fn print(position: &Position, out: &mut Output) -> anyhow::Result<()> {
    let style = Style::of_output();
    for line in drawing::board(position, style) {
        out.line(line)?;
    }
    out.line("")?;
    if let Some(totals) = position.totals() {
        out.line(drawing::ending(totals))?;
        return Ok(());
    }
    out.line(style.dim(&format!("{:<12} {:>8}  {}", "Move", "Captured", "Leads to")))?;
    for outcome in position.outcomes() {
        let ending = outcome.totals.map_or(String::new(), |totals| format!("  {}", drawing::short_ending(totals)));
        let action = style.bold(&format!("{:<12}", move_text(position, outcome.action)));
        out.line(format!("{action} {:>8}  {}{ending}", outcome.captured, outcome.result))?;
    }
    Ok(())
}
