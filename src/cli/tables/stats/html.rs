//! The counts as one page that needs nothing else: no script, no font, no network.

use std::fmt::Write;

use kpe::stats::{Counts, Longest};
use kpe::value::Value;

use super::chart::{Bar, Scale, bars};
use super::{Counted, percent, position, sums};
use crate::cli::args::title;
use crate::cli::units::grouped;

/// Colours for a light and a dark background that differ in brightness too, for print and for all eyes.
const STYLE: &str = "\
:root{color-scheme:light dark;--text:#1b1b1b;--soft:#5c5c5c;--line:#d6d6d6;--back:#fff;--win:#1f6fb4;--draw:#b9b9b9;--loss:#b4531f}\
@media(prefers-color-scheme:dark){:root{--text:#e9e9e9;--soft:#a6a6a6;--line:#404040;--back:#161616;--win:#5aa9e6;--draw:#6d6d6d;--loss:#e8935a}}\
@media print{:root{color-scheme:light;--text:#000;--soft:#333;--line:#bbb;--back:#fff;--win:#1f6fb4;--draw:#b9b9b9;--loss:#b4531f}\
figure,tr{break-inside:avoid}rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}.scroll{max-height:none!important}}\
body{margin:0 auto;max-width:44rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}\
h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.15rem;margin:2rem 0 .5rem}figure{margin:0}svg{width:100%;height:auto}\
svg text{font-size:13px;fill:var(--soft)}.grid{stroke:var(--line);stroke-width:1}\
.win{fill:var(--win)}.draw{fill:var(--draw)}.loss{fill:var(--loss)}.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 .8em}\
.key.win{background:var(--win)}.key.draw{background:var(--draw)}.key.loss{background:var(--loss)}\
.scroll{overflow:auto;max-height:24rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.15rem .7rem .15rem 0;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\
th:first-child,td:first-child{text-align:left}code{overflow-wrap:anywhere}p,summary{color:var(--soft)}summary{cursor:pointer}";

/// The page.
pub(super) fn page(counted: &Counted) -> String {
    let name = format!("{}: {} positions", title(&counted.game), grouped(counted.total.positions()));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{name}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p>Rules: {}. Layers: {}. All counts are exact and from \
         the point of view of the player to move.</p>\n",
        counted.game,
        counted.layers.len()
    );
    page += &overview(counted);
    page += &by_stones(counted);
    page += &by_value(&counted.total);
    page += &by_distance(&counted.total);
    page + "</body>\n</html>"
}

/// A table with these heads and rows; it can be folded away.
fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let mut table = format!(
        "<details open><summary>The same as a table</summary>\n<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"
    );
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        // Writing to a text cannot fail.
        let _ = writeln!(table, "<tr>{cells}</tr>");
    }
    table + "</tbody>\n</table></div></details>\n"
}

fn share(part: u64, all: u64) -> String {
    format!("{:.3} %", percent(part, all))
}

fn overview(counted: &Counted) -> String {
    let (total, all) = (&counted.total, counted.total.positions());
    let mut list = String::from("<div class=\"scroll\"><table><tbody>\n");
    for (what, count) in [
        ("won", total.wins()),
        ("drawn", total.draws()),
        ("lost", total.losses()),
        ("the game is over", total.over),
        ("one legal move", total.forced),
        ("one move keeps the value", total.single_keeping),
        ("one move keeps it at the best distance", total.single_best),
    ] {
        let _ = writeln!(list, "<tr><td>{what}</td><td>{}</td><td>{}</td></tr>", grouped(count), share(count, all));
    }
    list += "</tbody></table></div>\n";
    let mut longest = |what: &str, found: Option<Longest>| {
        let Some(found) = found else { return };
        let text = position(counted.game, &found);
        let _ = writeln!(
            list,
            "<p>Longest {what}: {} plies, value {:+}: <code>{text}</code></p>",
            found.distance, found.value
        );
    };
    longest("win", total.longest_win);
    longest("loss", total.longest_loss);
    list
}

fn by_stones(counted: &Counted) -> String {
    let sums = sums(&counted.layers, |layer| layer.stones());
    let bar = |(stones, counts): (&u8, &Counts)| {
        let all = counts.positions();
        let parts = [("win", counts.wins()), ("draw", counts.draws()), ("loss", counts.losses())];
        let hint = parts.map(|(what, part)| format!("{what} {}", share(part, all))).join(", ");
        Bar {
            label: stones.to_string(),
            parts: parts.map(|(class, part)| (class, percent(part, all))).to_vec(),
            hint: format!("{stones} stones: {hint}"),
        }
    };
    let drawn: Vec<Bar> = sums.iter().map(bar).collect();
    let rows = sums.iter().map(|(stones, counts)| {
        let all = counts.positions();
        let shares = [counts.wins(), counts.draws(), counts.losses()].map(|part| share(part, all));
        [vec![stones.to_string(), grouped(all)], shares.to_vec(), vec![counts.max_distance().to_string()]].concat()
    });
    format!(
        "<h2>Won, drawn and lost by stones on the board</h2>\n<figure>{}\n<figcaption><span class=\"key win\"></span>won\
         <span class=\"key draw\"></span>drawn<span class=\"key loss\"></span>lost</figcaption></figure>\n{}",
        bars(
            "Share of won, drawn and lost positions by stones on the board",
            "stones on the board",
            Scale::Percent,
            &drawn
        ),
        table(&["stones", "positions", "won", "drawn", "lost", "largest distance"], rows)
    )
}

fn class(value: i8) -> &'static str {
    match value {
        1.. => "win",
        0 => "draw",
        _ => "loss",
    }
}

fn by_value(total: &Counts) -> String {
    let all = total.positions();
    let bar = |(value, count): (i8, u64)| {
        let text = Value(value).to_string();
        Bar {
            hint: format!("value {text}: {} positions, {}", grouped(count), share(count, all)),
            label: text,
            parts: vec![(class(value), percent(count, all))],
        }
    };
    let drawn: Vec<Bar> = total.values().map(bar).collect();
    let rows = total.values().map(|(value, count)| vec![Value(value).to_string(), grouped(count), share(count, all)]);
    format!(
        "<h2>Positions by value</h2>\n<figure>{}\n<figcaption>Value: the stones the player to move will still take, less \
         those of the opponent.</figcaption></figure>\n{}",
        bars("Share of positions by value", "value in stones", Scale::Percent, &drawn),
        table(&["value", "positions", "share"], rows)
    )
}

fn by_distance(total: &Counts) -> String {
    let decided = total.positions() - total.draws();
    // Every distance has its place, also one that does not occur.
    let mut counts = vec![0; usize::from(total.max_distance()) + 1];
    total.distances().for_each(|(distance, count)| counts[usize::from(distance)] = count);
    let bar = |(distance, &count): (usize, &u64)| Bar {
        label: distance.to_string(),
        parts: vec![("win", count as f64)],
        hint: format!("{distance} plies: {} positions", grouped(count)),
    };
    let drawn: Vec<Bar> = counts.iter().enumerate().map(bar).collect();
    let rows =
        total.distances().map(|(distance, count)| vec![distance.to_string(), grouped(count), share(count, decided)]);
    format!(
        "<h2>Positions by distance</h2>\n<figure>{}\n<figcaption>Distance: plies to the next capture, first sowing or end of \
         the game, of positions that are won or lost. Each line across is a power of ten.</figcaption></figure>\n{}",
        bars("Positions by distance", "distance in plies", Scale::Logarithm, &drawn),
        table(&["distance", "positions", "share of won and lost"], rows)
    )
}
