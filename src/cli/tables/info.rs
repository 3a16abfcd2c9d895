//! `kpe tables info`: which layers there are tables for, and what is known of each.

use std::collections::BTreeMap;

use clap::Args;
use kpe::document::{Info, LayerInfo};
use kpe::table::{TableSet, layer_name};

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, title};
use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::style::Style;
use crate::cli::units::{grouped, size};

/// Describe the tables there are
#[derive(Args)]
pub(in crate::cli) struct InfoArgs {
    /// List every layer, not only sums by the number of unsown pits
    #[arg(long)]
    layers: bool,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document, which lists every layer
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn run(args: &InfoArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let info = Info::of(&set)?;
    let mut out = Output::new();
    if args.json {
        out.json(&info)?;
    } else {
        print(&set, &info, args.layers, &mut out)?;
    }
    out.finish()?;
    Ok(Status::Done)
}

/// Sums over some layers.
#[derive(Default)]
struct Sums {
    layers: usize,
    stones: Option<(u8, u8)>,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest: u16,
    bytes: u64,
}

impl Sums {
    fn add(&mut self, known: &LayerInfo) {
        let stones = known.layer.stones();
        let (least, most) = self.stones.unwrap_or((stones, stones));
        self.stones = Some((least.min(stones), most.max(stones)));
        self.layers += 1;
        self.positions += known.statistics.positions();
        self.wins += known.statistics.wins;
        self.draws += known.statistics.draws;
        self.losses += known.statistics.losses;
        self.longest = self.longest.max(known.statistics.max_distance);
        self.bytes += known.bytes;
    }

    fn row(&self, name: &str) -> String {
        let percent = |part: u64| format!("{:.1}", 100.0 * part as f64 / self.positions.max(1) as f64);
        let stones = match self.stones {
            Some((least, most)) if least != most => format!("{least}-{most}"),
            Some((only, _)) => only.to_string(),
            None => String::new(),
        };
        let bytes = size(self.bytes);
        let (won, drawn, lost) = (percent(self.wins), percent(self.draws), percent(self.losses));
        let positions = grouped(self.positions);
        row([
            name,
            &self.layers.to_string(),
            &stones,
            &positions,
            &won,
            &drawn,
            &lost,
            &self.longest.to_string(),
            &bytes,
        ])
    }
}

fn row([name, layers, stones, positions, won, drawn, lost, longest, bytes]: [&str; 9]) -> String {
    format!("{name:<13}{layers:>6} {stones:>6} {positions:>13} {won:>5} {drawn:>5} {lost:>5} {longest:>5} {bytes:>10}")
}

fn print(set: &TableSet, info: &Info, each: bool, out: &mut Output) -> anyhow::Result<()> {
    let style = Style::of_output();
    let mut rows: BTreeMap<(u32, String), Sums> = BTreeMap::new();
    let mut total = Sums::default();
    for known in &info.layers {
        let unsown = known.layer.unsown().len();
        let name = if each { layer_name(known.layer) } else { format!("{unsown} unsown") };
        rows.entry((unsown, name)).or_default().add(known);
        total.add(known);
    }
    out.line(format!("Tables of {} ({}), {}", title(set.game()), set.game(), size(info.bytes)))?;
    out.line("")?;
    let heads = ["Layers", "number", "stones", "positions", "won%", "draw%", "lost%", "dist.", "size"];
    out.line(style.dim(&row(heads)))?;
    for ((_, name), sums) in &rows {
        out.line(sums.row(name))?;
    }
    out.line(style.bold(&total.row("total")))?;
    Ok(())
}
