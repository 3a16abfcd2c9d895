//! The counts as JSON and CSV. `tables/TOOLS.md` describes the fields.

use kpe::document::Head;
use kpe::rules::Game;
use kpe::stats::{Counts, LARGEST_VALUE, LayerStats, Longest};
use kpe::table::{layer_name, mover_letters, opponent_letters};
use serde::Serialize;

use super::{Counted, position};
use crate::cli::output::Output;

#[derive(Serialize)]
struct StatsDocument {
    #[serde(flatten)]
    head: Head,
    total: CountsDocument,
    layers: Vec<LayerDocument>,
}

#[derive(Serialize)]
struct LayerDocument {
    layer: String,
    mover_unsown: String,
    opponent_unsown: String,
    stones: u8,
    #[serde(flatten)]
    counts: CountsDocument,
}

#[derive(Serialize)]
struct CountsDocument {
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sum_value_squared: u64,
    max_distance: u16,
    sum_distance: u64,
    over: u64,
    forced: u64,
    single_keeping: u64,
    single_best: u64,
    longest_win: Option<LongestDocument>,
    longest_loss: Option<LongestDocument>,
    /// Pairs of a value and the number of its positions.
    values: Vec<(i8, u64)>,
    /// Pairs of a distance and the number of its positions.
    distances: Vec<(u16, u64)>,
}

#[derive(Serialize)]
struct LongestDocument {
    distance: u16,
    value: i8,
    layer: String,
    number: u32,
    position: String,
}

impl LongestDocument {
    fn new(game: Game, longest: &Longest) -> Self {
        Self {
            distance: longest.distance,
            value: longest.value,
            layer: layer_name(longest.layer),
            number: longest.number,
            position: position(game, longest),
        }
    }
}

impl CountsDocument {
    fn new(game: Game, counts: &Counts) -> Self {
        let longest = |longest: &Option<Longest>| longest.as_ref().map(|longest| LongestDocument::new(game, longest));
        Self {
            positions: counts.positions(),
            wins: counts.wins(),
            draws: counts.draws(),
            losses: counts.losses(),
            sum_value_squared: counts.sum_value_squared(),
            max_distance: counts.max_distance(),
            sum_distance: counts.sum_distance(),
            over: counts.over,
            forced: counts.forced,
            single_keeping: counts.single_keeping,
            single_best: counts.single_best,
            longest_win: longest(&counts.longest_win),
            longest_loss: longest(&counts.longest_loss),
            values: counts.values().collect(),
            distances: counts.distances().collect(),
        }
    }
}

/// Writes the JSON document.
pub(super) fn json(counted: &Counted, out: &mut Output) -> anyhow::Result<()> {
    let game = counted.game;
    let layer = |LayerStats { layer, counts }: &LayerStats| LayerDocument {
        layer: layer_name(*layer),
        mover_unsown: mover_letters(*layer),
        opponent_unsown: opponent_letters(*layer),
        stones: layer.stones(),
        counts: CountsDocument::new(game, counts),
    };
    out.json(&StatsDocument {
        head: Head::new("kpe.stats/1", &game),
        total: CountsDocument::new(game, &counted.total),
        layers: counted.layers.iter().map(layer).collect(),
    })?;
    Ok(())
}

/// The columns before the counts of each value.
const COLUMNS: &str = "layer,mover_unsown,opponent_unsown,stones,positions,wins,draws,losses,sum_value_squared,\
    max_distance,sum_distance,over,forced,single_keeping,single_best,longest_win,longest_win_position,longest_loss,\
    longest_loss_position";

/// Writes the CSV table. No field needs quotes.
pub(super) fn csv(counted: &Counted, out: &mut Output) -> anyhow::Result<()> {
    let values = (-LARGEST_VALUE..=LARGEST_VALUE).map(|value| format!(",value_{value}")).collect::<String>();
    out.line(format!("{COLUMNS}{values}"))?;
    for LayerStats { layer, counts } in &counted.layers {
        let (name, stones) = (layer_name(*layer), layer.stones());
        let head = format!("{name},{},{},{stones}", mover_letters(*layer), opponent_letters(*layer));
        out.line(csv_row(&head, counted.game, counts))?;
    }
    out.line(csv_row("total,,,", counted.game, &counted.total))?;
    Ok(())
}

fn csv_row(head: &str, game: Game, counts: &Counts) -> String {
    let numbers = [
        counts.positions(),
        counts.wins(),
        counts.draws(),
        counts.losses(),
        counts.sum_value_squared(),
        counts.max_distance().into(),
        counts.sum_distance(),
        counts.over,
        counts.forced,
        counts.single_keeping,
        counts.single_best,
    ];
    let longest = |longest: &Option<Longest>| {
        longest.as_ref().map_or(",".to_owned(), |found| format!("{},{}", found.distance, position(game, found)))
    };
    let mut row = vec![head.to_owned()];
    row.extend(numbers.iter().map(u64::to_string));
    row.extend([longest(&counts.longest_win), longest(&counts.longest_loss)]);
    let mut by_value = counts.values().peekable();
    row.extend((-LARGEST_VALUE..=LARGEST_VALUE).map(|value| {
        let found = by_value.next_if(|&(found, _)| found == value);
        found.map_or(0, |(_, count)| count).to_string()
    }));
    row.join(",")
}
