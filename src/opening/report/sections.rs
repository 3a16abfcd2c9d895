//! The page, section by section.

use super::html::{STYLE, Table, escape};
use super::{Findings, lock_name, svg};
use crate::notation::Position;
use crate::opening::compare::{Lock, LockFigures};
use crate::opening::delay::PlayerDelays;
use crate::opening::tempo::{Lifted, Tempo};
use crate::opening::traps::Trap;
use crate::opening::tree::Tree;
use crate::rules::Game;
use crate::value::Value;

/// Trap diagrams that are drawn; the table lists all.
const DRAWN: usize = 12;

/// The whole page.
pub(super) fn page(findings: &Findings) -> String {
    let mut text = format!(
        "{}<p>Rules: <code>{}</code>. All values are exact: they rest on the strong solution of the game. Values are stones; \
         unless it is said otherwise South's are positive. South owns the pits A to D, North a to d, each from his own left.</p>\n<ul>\n",
        head(),
        escape(&findings.options)
    );
    for sentence in findings.sentences() {
        text += &format!("<li>{}</li>\n", escape(&sentence));
    }
    text += "</ul>\n";
    text += &tree(&findings.tree);
    text += &orders(findings);
    text += &delays(findings);
    text += &tempo(findings);
    text += &traps(findings);
    text += &compare(findings);
    // Serialising plain numbers and texts does not fail.
    let json = serde_json::to_string(findings).unwrap_or_default().replace('<', "\\u003c").replace('&', "\\u0026");
    text + &format!("<script type=\"application/json\" id=\"findings\">{json}</script>\n</body></html>\n")
}

/// The head of a page and its title.
fn head() -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>The opening of Kpé</title>\
         <style>{STYLE}</style></head><body>\n<h1>The opening of Kpé</h1>\n"
    )
}

/// A page with the tree alone.
pub(super) fn tree_page(shown: &Tree) -> String {
    head() + &tree(shown) + "</body></html>\n"
}

/// A heading with the definition of what follows.
fn heading(title: &str, definition: &str) -> String {
    format!("<h2>{}</h2>\n<p class=\"note\">{}</p>\n", escape(title), escape(definition))
}

fn tree(tree: &Tree) -> String {
    let mut text = heading(
        "First moves and replies",
        "Value of each position for South if both play perfectly from there, with what was captured before. A solid line is a \
         move that holds the value of its position, a dotted one loses something.",
    );
    text += &svg::tree(tree);
    let mut table = Table::new(
        "tree",
        "The same as a table",
        ["line", "position", "value for its mover", "moves that hold", "moves"],
    );
    for node in &tree.nodes {
        let moves: Vec<String> =
            node.moves.iter().map(|action| format!("{} {}", action.action, Value(action.value))).collect();
        let line = if node.line.is_empty() { "start" } else { &node.line };
        // Blank where it is not known.
        let holding = node.holding.map(|holding| holding.to_string()).unwrap_or_default();
        let cells = [line, &node.position, &Value(node.value).to_string(), &holding, &moves.join(", ")];
        table.row(cells);
    }
    text + &table.end()
}

fn orders(findings: &Findings) -> String {
    let orders = &findings.orders;
    let mut text = heading(
        "Orders of unlocking",
        "A bound player must sow his four pits in the given order on his first four turns. If he alone is bound, the other, who \
         knows the order, may do anything; the figure is what the bound player can force, from his own point of view. In \
         the matrix both are bound; it gives values for South. After the fourth turns the game is free and perfectly played. Choosing as \
         he goes: he must sow a pit not yet sown on each of his first four turns, but which one is his choice each time. A player whose pit in \
         turn cannot legally be sown may make any legal move; it never happened in the standard game if conflicts are 0.",
    );
    let names: Vec<&str> = orders.orders.iter().map(|figures| figures.order.as_str()).collect();
    text += &svg::heat_map(&names, &orders.matrix);
    let heads = std::iter::once("South \\ North").chain(names.iter().copied());
    let mut table = Table::new("matrix", "Both bound: values for South, rows South's order, columns North's", heads);
    for (name, row) in names.iter().zip(&orders.matrix) {
        table.row(std::iter::once((*name).to_owned()).chain(row.iter().map(|&value| Value(value).to_string())));
    }
    text += &table.end();
    let mut table =
        Table::new("orders", "One player bound: what he can force", ["order", "South bound", "North bound"]);
    for figures in &orders.orders {
        table.row([figures.order.clone(), Value(figures.south).to_string(), Value(figures.north).to_string()]);
    }
    let own = orders.own_choice;
    table.row(["choosing as he goes".to_owned(), Value(own.south).to_string(), Value(own.north).to_string()]);
    table.row(["free".to_owned(), Value(orders.free).to_string(), Value(-orders.free).to_string()]);
    text + &table.end() + &format!("<p class=\"note\">Conflicts: {}.</p>\n", orders.conflicts)
}

fn delays(findings: &Findings) -> String {
    let mut text = heading(
        "Hurry and delay",
        "By turn k: the player must have sown from all four pits by the end of his k-th turn; from the first k on that costs \
         nothing a larger one costs nothing either. Not before turn k: he may not sow from his last unsown pit before his k-th \
         turn, unless no other move is legal; a larger k allows less. Values from the bound player's own point of view; the other is free. \
         k = 4 (not before) binds nobody, since nobody can unlock before his fourth turn.",
    );
    let mut table =
        Table::new("delay", "What a player can force", ["player", "bound", "turn k", "value", "positions solved"]);
    for player in &findings.delays.players {
        for (kind, list) in [("by", &player.by), ("not before", &player.not_before)] {
            for delay in list {
                let value = Value(delay.value).to_string();
                table.row([player.player, kind, &delay.turn.to_string(), &value, &delay.positions.to_string()]);
            }
        }
    }
    text += &table.end();
    let note = |player: &PlayerDelays| format!("{}, not before: {}. ", player.player, player.ended);
    text + &format!("<p class=\"note\">{}</p>\n", escape(&findings.delays.players.iter().map(note).collect::<String>()))
}

fn tempo(findings: &Findings) -> String {
    let mut text = heading(
        "What an unsown pit is worth",
        "The value of the same stones with locks lifted minus the value of the position, for the player to move: what he gains if \
         the lock (his, the opponent's, both) falls. Positive: the lock is a burden to him. Positions are grouped by the numbers of \
         unsown pits of mover and opponent; only positions in which something is lifted count.",
    );
    if findings.tempo.is_empty() {
        return text + "<p>Needs all tables.</p>\n";
    }
    for (at, tempo) in findings.tempo.iter().enumerate() {
        let over = match (tempo.plies, tempo.stride) {
            (Some(plies), _) => format!("All positions within {plies} plies of the start, each once"),
            (None, stride) => format!("One position in {} of all layers of 48 stones", stride.unwrap_or(1)),
        };
        text += &format!("<h3>{}</h3>\n<div class=\"traps\">\n", escape(&over));
        for kind in Lifted::ALL {
            for unsown in 1..=4 {
                text += &tempo_figure(tempo, kind, unsown);
            }
        }
        text += "</div>\n";
        text += &tempo_table(tempo, &format!("tempo{at}"), &over);
    }
    text
}

/// The differences of one kind where so many pits are unsown: of the player whose lock is lifted, or of each on both sides.
fn tempo_figure(tempo: &Tempo, kind: Lifted, unsown: u32) -> String {
    let mut bins = std::collections::BTreeMap::new();
    for row in tempo.rows.iter().filter(|row| row.lifted == kind) {
        let here = match kind {
            Lifted::Mover => row.mover_unsown == unsown,
            Lifted::Opponent => row.opponent_unsown == unsown,
            Lifted::Both => (row.mover_unsown, row.opponent_unsown) == (unsown, unsown),
        };
        for &(difference, count) in row.histogram.iter().filter(|_| here) {
            *bins.entry(difference).or_insert(0) += count;
        }
    }
    let bins: Vec<_> = bins.into_iter().collect();
    let title = match kind {
        Lifted::Mover => format!("mover's lock, {unsown} unsown"),
        Lifted::Opponent => format!("opponent's lock, {unsown} unsown"),
        Lifted::Both => format!("both locks, {unsown} and {unsown} unsown"),
    };
    if bins.is_empty() { String::new() } else { format!("<figure>{}</figure>\n", svg::histogram(&title, &bins)) }
}

fn tempo_table(tempo: &Tempo, id: &str, over: &str) -> String {
    let heads = ["unsown: mover", "opponent", "lifted", "positions", "mean", "differences (how often)"];
    let mut table = Table::new(id, over, heads);
    for row in &tempo.rows {
        let bins: Vec<String> =
            row.histogram.iter().map(|&(difference, count)| format!("{} ({count})", Value(difference))).collect();
        table.row([
            row.mover_unsown.to_string(),
            row.opponent_unsown.to_string(),
            row.lifted.word().to_owned(),
            row.positions.to_string(),
            format!("{:+.3}", row.mean_thousandths as f64 / 1000.0),
            bins.join(" "),
        ]);
    }
    table.end()
}

fn traps(findings: &Findings) -> String {
    let mut text = heading(
        "Traps",
        "Positions in which exactly one of several moves holds the value, by likelihood times cost. Likelihood: both players \
         choose, three times out of four, evenly among the moves that hold the value, else evenly among all legal ones. \
         The likeliest mistake is the wrong move that captures most, the cost the mean over those that capture as much. Green: the only \
         move; red: the mistake; a dashed ring: not yet sown from.",
    );
    text += &format!("<p>{}</p>\n<div class=\"traps\">\n", escape(&findings.traps.sentence()));
    text.extend(findings.traps.traps.iter().take(DRAWN).filter_map(|trap| trap_figure(findings, trap)));
    text += "</div>\n";
    let heads = ["line", "position", "value", "only move", "mistake", "cost", "likelihood %"];
    let mut table = Table::new("traps", "The foremost traps", heads);
    for trap in &findings.traps.traps {
        table.row([
            trap.line.clone(),
            trap.position.clone(),
            Value(trap.value).to_string(),
            trap.action.to_string(),
            trap.mistake.to_string(),
            format!("{:.2}", trap.cost_thousandths as f64 / 1000.0),
            format!("{:.3}", trap.likelihood_millionths as f64 / 10_000.0),
        ]);
    }
    text + &table.end()
}

fn trap_figure(findings: &Findings, trap: &Trap) -> Option<String> {
    let game = Game::parse("kpe", &findings.options).ok()?;
    let position = Position::parse(&trap.position, game).ok()?;
    let unsown = trap.position.split_once(':').map_or("", |(_, letters)| letters);
    let marks = [(trap.action, "#a9d8a0"), (trap.mistake, "#efb0a5")];
    let drawing = svg::board(&format!("After {}", trap.line), position.pits(), unsown, &marks);
    let caption = format!(
        "After {}, {} to move: {} holds {}; {} is the likeliest mistake, cost {:.1}.",
        if trap.line.is_empty() { "no move" } else { &trap.line },
        position.side(),
        trap.action,
        Value(trap.value),
        trap.mistake,
        trap.cost_thousandths as f64 / 1000.0
    );
    Some(format!("<figure>{drawing}<figcaption>{}</figcaption></figure>\n", escape(&caption)))
}

fn compare(findings: &Findings) -> String {
    let mut text = heading(
        "Does the lock balance the game?",
        "Lines are all sequences of so many legal moves, good and bad; won, drawn or lost for South by what he has captured and what he \
         still takes under perfect play. A position is lost for the player to move if he will end with fewer stones. Best play: every move holds \
         the value. Longest capture-free stretch: one player hurries to a capture, the other delays it, both within best play.",
    );
    let colour = |lock| match lock {
        Lock::Same => "#2b6cb0",
        Lock::Next => "#6b46c1",
        Lock::None => "#c05621",
    };
    let share = |counts: [u64; 3], at: usize| 100.0 * counts[at] as f64 / counts.iter().sum::<u64>().max(1) as f64;
    let lost = |figures: &LockFigures| figures.plies.iter().map(|ply| share(ply.to_move, 2)).collect();
    let lines: Vec<_> = findings.compare.iter().map(|f| (lock_name(f.lock), colour(f.lock), lost(f))).collect();
    text += &svg::chart("Share of positions lost for the player to move, by ply", &lines);
    let heads =
        ["game", "ply", "positions", "to move: won", "drawn", "lost", "lost %", "lines: South wins", "draws", "loses"];
    let mut table = Table::new("plies", "Positions and lines by ply", heads);
    for figures in &findings.compare {
        for ply in &figures.plies {
            let counts = [ply.positions, ply.to_move[0], ply.to_move[1], ply.to_move[2]].map(|count| count.to_string());
            let lines = ply.lines.map(|count| count.to_string());
            let start = [lock_name(figures.lock).to_owned(), ply.ply.to_string()];
            let percent = [format!("{:.1}", share(ply.to_move, 2))];
            table.row(start.into_iter().chain(counts).chain(percent).chain(lines));
        }
    }
    text += &table.end();
    let heads = ["game", "value", "first capture of best play", "stretch South can force", "stretch North can force"];
    let mut table = Table::new("compare", "Plies until the first capture", heads);
    for figures in &findings.compare {
        let plies = |found: Option<u8>| found.map_or(format!("more than {}", figures.limit), |plies| plies.to_string());
        table.row([
            lock_name(figures.lock).to_owned(),
            Value(figures.value).to_string(),
            plies(figures.earliest_capture),
            plies(figures.stretch_south),
            plies(figures.stretch_north),
        ]);
    }
    text + &table.end()
}
