//! `kpe tables info`: which layers there are tables for, and what is known of each.

use std::collections::BTreeMap;

use clap::Args;
use kpe::document::Head;
use kpe::index::Layer;
use kpe::table::{Statistics, TableError, TableSet, layer_name, mover_letters, opponent_letters};
use serde::Serialize;

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, smallest_layer, title};
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

#[derive(Serialize)]
struct InfoDocument {
    #[serde(flatten)]
    head: Head,
    files: usize,
    positions: u64,
    bytes: u64,
    layers: Vec<LayerDocument>,
}

#[derive(Serialize)]
struct LayerDocument {
    mover_unsown: String,
    opponent_unsown: String,
    stones: u8,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sum_value_squared: u64,
    max_distance: u16,
    sum_distance: u64,
    bytes: u64,
}

/// A layer of a file: what the file says of it and the bytes of its blocks.
struct Known {
    layer: Layer,
    statistics: Statistics,
    bytes: u64,
}

pub(super) fn run(args: &InfoArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let (layers, files, bytes) = gather(&set)?;
    let mut out = Output::new();
    if args.json {
        let positions = layers.iter().map(|known| known.statistics.positions()).sum();
        let layers = layers.iter().map(LayerDocument::new).collect();
        out.json(&InfoDocument { head: Head::new("kpe.info/1", &game), files, positions, bytes, layers })?;
    } else {
        print(&set, &layers, bytes, args.layers, &mut out)?;
    }
    out.finish()?;
    Ok(Status::Done)
}

/// Every layer of the set, the number of files and their bytes.
fn gather(set: &TableSet) -> Result<(Vec<Known>, usize, u64), TableError> {
    let files = set.files()?;
    if files.is_empty() {
        // Says where tables were looked for, and whether there are some of other rules.
        set.require(smallest_layer())?;
    }
    let mut layers = Vec::new();
    for file in &files {
        for section in &file.metadata().sections {
            let bytes = file.packed_length(section.layer)?;
            layers.push(Known { layer: section.layer, statistics: section.statistics, bytes });
        }
    }
    layers.sort_by_key(|known| (known.layer.unsown().len(), known.layer.unsown(), known.layer.stones()));
    Ok((layers, files.len(), files.iter().map(|file| file.length()).sum()))
}

impl LayerDocument {
    fn new(Known { layer, statistics, bytes }: &Known) -> Self {
        Self {
            mover_unsown: mover_letters(*layer),
            opponent_unsown: opponent_letters(*layer),
            stones: layer.stones(),
            positions: statistics.positions(),
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            sum_value_squared: statistics.sum_value_squared,
            max_distance: statistics.max_distance,
            sum_distance: statistics.sum_distance,
            bytes: *bytes,
        }
    }
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
    fn add(&mut self, known: &Known) {
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

fn print(set: &TableSet, layers: &[Known], bytes: u64, each: bool, out: &mut Output) -> anyhow::Result<()> {
    let style = Style::of_output();
    let mut rows: BTreeMap<(u32, String), Sums> = BTreeMap::new();
    let mut total = Sums::default();
    for known in layers {
        let unsown = known.layer.unsown().len();
        let name = if each { layer_name(known.layer) } else { format!("{unsown} unsown") };
        rows.entry((unsown, name)).or_default().add(known);
        total.add(known);
    }
    out.line(format!("Tables of {} ({}), {}", title(set.game()), set.game(), size(bytes)))?;
    out.line("")?;
    let heads = ["Layers", "number", "stones", "positions", "won%", "draw%", "lost%", "dist.", "size"];
    out.line(style.dim(&row(heads)))?;
    for ((_, name), sums) in &rows {
        out.line(sums.row(name))?;
    }
    out.line(style.bold(&total.row("total")))?;
    Ok(())
}
