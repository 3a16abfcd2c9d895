//! `kpe tables stats`: what the positions of the layers are like.

mod chart;
mod document;
mod html;

use std::collections::BTreeMap;

use clap::Args;
use kpe::echo::quoted;
use kpe::index::Layer;
use kpe::notation::{Position, Side};
use kpe::rules::Game;
use kpe::stats::{Counts, LayerStats, Longest, PassError, Progress, stats};
use kpe::table::{TableSet, layer_name, parse_layer_name};

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, smallest_layer, title};
use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::progress::{tell, watch};
use crate::cli::style::Style;
use crate::cli::units::{grouped, number};
use crate::cli::{interrupt, system};

/// Count wins, values, distances and single best moves
///
/// Every position of the layers is looked at together with its moves. With layers named, only
/// these are counted; the layers their moves lead to must be there.
#[derive(Args)]
pub(in crate::cli) struct StatsArgs {
    /// Layers to count, as n24 or n48_AB_- [default: all there are]
    #[arg(value_name = "LAYER", value_parser = parse_layer)]
    layers: Vec<Layer>,
    /// List every layer, not only sums by the number of unsown pits
    #[arg(long = "layers")]
    each: bool,
    /// Answer with one JSON document
    #[arg(long, group = "form")]
    json: bool,
    /// Answer with a CSV table, a row a layer and the total last
    #[arg(long, group = "form")]
    csv: bool,
    /// Answer with a page for a browser
    #[arg(long, group = "form")]
    html: bool,
    /// Threads to count with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The layer that `text` names.
pub(in crate::cli::tables) fn parse_layer(text: &str) -> Result<Layer, String> {
    let expected = "expected the name of a layer such as n24, n24_AB_- or n48_BD_a";
    parse_layer_name(text).ok_or_else(|| format!("found {}, {expected}", quoted(text)))
}

/// Everything the forms of output show.
struct Counted {
    game: Game,
    layers: Vec<LayerStats>,
    total: Counts,
}

pub(super) fn run(args: &StatsArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let wanted = if args.layers.is_empty() { all_layers(&set)? } else { args.layers.clone() };
    let pool = system::pool(args.threads)?;
    let stop = interrupt::stop_flag()?;
    let counted = watch(&stop, |meter| {
        let observe = |progress| match progress {
            Progress::Start(positions) => meter.begin(positions, 0),
            Progress::Positions(positions) => meter.add_halves(2 * positions),
        };
        pool.install(|| stats(&set, &wanted, &stop, &observe))
    });
    let layers = match counted {
        Err(PassError::Stopped) => {
            tell("kpe: interrupted; nothing was counted");
            return Ok(Status::Interrupted);
        }
        counted => counted?,
    };
    let total = layers.iter().fold(Counts::default(), |sum, layer| sum.plus(layer.counts.clone()));
    let counted = Counted { game, layers, total };
    let mut out = Output::new();
    if args.json {
        document::json(&counted, &mut out)?;
    } else if args.csv {
        document::csv(&counted, &mut out)?;
    } else if args.html {
        out.line(html::page(&counted))?;
    } else {
        text(&counted, args.each || !args.layers.is_empty(), &mut out)?;
    }
    out.finish()?;
    Ok(Status::Done)
}

fn all_layers(set: &TableSet) -> anyhow::Result<Vec<Layer>> {
    let files = set.files()?;
    if files.is_empty() {
        set.require(smallest_layer())?;
    }
    Ok(files.iter().flat_map(|file| file.metadata().sections.iter().map(|section| section.layer)).collect())
}

/// The text of the position, South to move, nothing in the stores.
fn position(game: Game, longest: &Longest) -> String {
    let position = Position::from_solver(game, Side::South, longest.board(), [0, 0]);
    // A layer has no position that the notation refuses; its number says as much.
    position.map_or_else(|_| format!("{} {}", layer_name(longest.layer), longest.number), |p| p.to_string())
}

/// What part of `all` this is, in percent.
fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// Sums over layers by a key, in the order of the keys.
fn sums<K: Ord>(layers: &[LayerStats], key: impl Fn(Layer) -> K) -> BTreeMap<K, Counts> {
    let mut sums: BTreeMap<K, Counts> = BTreeMap::new();
    for layer in layers {
        let sum = sums.entry(key(layer.layer)).or_default();
        *sum = std::mem::take(sum).plus(layer.counts.clone());
    }
    sums
}

fn text(counted: &Counted, each: bool, out: &mut Output) -> anyhow::Result<()> {
    let style = Style::of_output();
    let heads = ["Layers", "positions", "won%", "draw%", "lost%", "one keeps%", "one best%", "win", "loss"];
    out.line(format!("{} ({})", title(&counted.game), counted.game))?;
    out.line("")?;
    out.line(style.dim(&row(heads.map(str::to_owned))))?;
    if each {
        for LayerStats { layer, counts } in &counted.layers {
            out.line(counts_row(&layer_name(*layer), counts))?;
        }
    } else {
        for (unsown, counts) in sums(&counted.layers, |layer| layer.unsown().len()) {
            out.line(counts_row(&format!("{unsown} unsown"), &counts))?;
        }
    }
    out.line(style.bold(&counts_row("total", &counted.total)))?;
    for (what, longest) in [("win", counted.total.longest_win), ("loss", counted.total.longest_loss)] {
        let Some(longest) = longest else { continue };
        let text = position(counted.game, &longest);
        out.line(format!("\nlongest {what}: {} plies, value {:+}\n  {text}", longest.distance, longest.value))?;
    }
    out.line(style.dim("\nvalue      positions       %"))?;
    for (value, count) in counted.total.values() {
        let share = percent(count, counted.total.positions());
        let bar = "#".repeat((share * 2.0).round() as usize);
        let line = format!("{:>5} {:>14} {share:>7.3}  {bar}", kpe::value::Value(value).to_string(), grouped(count));
        out.line(line.trim_end())?;
    }
    Ok(())
}

fn counts_row(name: &str, counts: &Counts) -> String {
    let all = counts.positions();
    let share = |part| format!("{:.1}", percent(part, all));
    let plies = |longest: Option<Longest>| longest.map_or("-".to_owned(), |longest| longest.distance.to_string());
    row([
        name.to_owned(),
        grouped(all),
        share(counts.wins()),
        share(counts.draws()),
        share(counts.losses()),
        share(counts.single_keeping),
        share(counts.single_best),
        plies(counts.longest_win),
        plies(counts.longest_loss),
    ])
}

fn row([name, positions, won, drawn, lost, keeps, best, win, loss]: [String; 9]) -> String {
    format!("{name:<13} {positions:>13} {won:>5} {drawn:>5} {lost:>5} {keeps:>10} {best:>9} {win:>4} {loss:>4}")
}
