//! The drawings of the page.

use std::fmt::Write as _;

use super::html::escape;
use crate::opening::tree::Tree;
use crate::value::Value;

/// Opens a drawing that scales with the page.
pub(crate) fn open(width: usize, height: usize, title: &str) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui,sans-serif\"><title>{title}</title>\n"
    )
}

/// Blue for South, red for North, paler towards a draw.
fn colour(value: i8, most: i8) -> String {
    let part = f64::from(value.unsigned_abs()) / f64::from(most.unsigned_abs().max(1));
    let fade = |full: f64| (255.0 - (255.0 - full) * part.min(1.0)).round() as u8;
    let (r, g, b) = if value >= 0 { (70.0, 130.0, 200.0) } else { (215.0, 90.0, 70.0) };
    format!("#{:02x}{:02x}{:02x}", fade(r), fade(g), fade(b))
}

/// A square of values as coloured cells.
pub(super) fn heat_map(names: &[&str], rows: &[Vec<i8>]) -> String {
    const CELL: usize = 24;
    const HEAD: usize = 52;
    let side = HEAD + CELL * names.len();
    let most = rows.iter().flatten().map(|value| value.saturating_abs()).max().unwrap_or(0);
    let mut text = open(side, side, "Values for South by the orders of both players");
    for (at, name) in names.iter().enumerate() {
        let middle = HEAD + CELL * at + CELL / 2;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"end\">{name}</text>",
            HEAD - 4,
            middle + 4
        );
        let _ = writeln!(
            text,
            "<text x=\"{middle}\" y=\"{y}\" font-size=\"11\" transform=\"rotate(-90 {middle} {y})\">{}</text>",
            name.to_lowercase(),
            y = HEAD - 4
        );
    }
    for (y, row) in rows.iter().enumerate() {
        for (x, &value) in row.iter().enumerate() {
            let (left, top) = (HEAD + CELL * x, HEAD + CELL * y);
            let _ = write!(
                text,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\" stroke=\"#fff\"/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{}</text>",
                colour(value, most),
                left + CELL / 2,
                top + CELL / 2 + 4,
                Value(value)
            );
        }
        text.push('\n');
    }
    text + "</svg>\n"
}

/// The start, the first moves and the replies, from left to right.
pub(super) fn tree(tree: &Tree) -> String {
    const COLUMN: usize = 210;
    const ROW: usize = 26;
    let plies = usize::from(tree.plies);
    let sizes: Vec<usize> =
        (0..=plies).map(|ply| tree.nodes.iter().filter(|node| usize::from(node.ply) == ply).count()).collect();
    let rows = sizes.iter().max().copied().unwrap_or(1);
    let (width, height) = (COLUMN * (plies + 1), ROW * (rows + 1));
    let mut seen = vec![0; plies + 1];
    let place = |ply: usize, number: usize| (COLUMN * ply + 60, height * (2 * number + 1) / (2 * sizes[ply].max(1)));
    let places: Vec<(usize, usize)> = tree
        .nodes
        .iter()
        .map(|node| {
            let ply = usize::from(node.ply);
            seen[ply] += 1;
            place(ply, seen[ply] - 1)
        })
        .collect();
    let mut text = open(width, height, "The first moves and replies with their values");
    for (node, &(x, y)) in tree.nodes.iter().zip(&places) {
        for action in &node.moves {
            let (to_x, to_y) = places[action.to];
            let dash = if action.holds { "" } else { " stroke-dasharray=\"3 4\"" };
            let _ = writeln!(
                text,
                "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{to_y}\" stroke=\"#777\"{dash}/>",
                x + 50,
                to_x - 50
            );
        }
    }
    for (node, &(x, y)) in tree.nodes.iter().zip(&places) {
        let souths = if node.ply.is_multiple_of(2) { node.value } else { -node.value };
        let name = if node.line.is_empty() { "start" } else { &node.line };
        let _ = writeln!(
            text,
            "<rect x=\"{}\" y=\"{}\" width=\"100\" height=\"22\" rx=\"4\" fill=\"{}\" stroke=\"#999\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"12\" text-anchor=\"middle\">{name} {}</text>",
            x - 50,
            y - 11,
            colour(souths, 12),
            y + 4,
            Value(souths)
        );
    }
    text + "</svg>\n"
}

/// Bars of how often each difference occurs.
pub(super) fn histogram(title: &str, bins: &[(i8, u64)]) -> String {
    const WIDTH: usize = 240;
    const HEIGHT: usize = 120;
    let mut text = open(WIDTH, HEIGHT, title);
    let _ = writeln!(text, "<text x=\"4\" y=\"12\" font-size=\"11\">{}</text>", escape(title));
    let most = bins.iter().map(|bin| bin.1).max().unwrap_or(1).max(1);
    // From -24 to 24 stones; what lies beyond is added to the ends.
    let mut heights = [0u64; 25];
    for &(difference, count) in bins {
        heights[((difference.clamp(-24, 24) + 24) / 2) as usize] += count;
    }
    for (at, &count) in heights.iter().enumerate().filter(|bar| *bar.1 > 0) {
        let height = ((HEIGHT - 40) as f64 * (count as f64 / most as f64).min(1.0)).max(0.5);
        let fill = colour(((at as i8) - 12).signum() * 6, 8);
        let fill = if at == 12 { "#999".to_owned() } else { fill };
        let _ = write!(
            text,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"8\" height=\"{height:.1}\" fill=\"{fill}\"/>",
            8 + 9 * at,
            (HEIGHT - 20) as f64 - height
        );
    }
    for label in [-24, -12, 0, 12, 24i32] {
        let x = 12 + 9 * (label + 24) / 2;
        let _ = write!(
            text,
            "<text x=\"{x}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\">{label:+}</text>",
            HEIGHT - 8
        );
    }
    text + "</svg>\n"
}

/// A board: stones by pit in the order ABCDabcd, unsown pits with a second ring, marked pits in colour (pit, colour).
pub(super) fn board(title: &str, pits: [u8; 8], unsown: &str, marks: &[(char, &str)]) -> String {
    let mut text = open(240, 136, title);
    for (at, letter) in "ABCDabcd".chars().enumerate() {
        let (x, y) = if at < 4 { (36 + 56 * at, 96) } else { (36 + 56 * (7 - at), 40) };
        let fill = marks.iter().find(|mark| mark.0 == letter).map_or("#f7f3ea", |mark| mark.1);
        let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"24\" fill=\"{fill}\" stroke=\"#666\"/>");
        if unsown.contains(letter) {
            let _ = write!(
                text,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"none\" stroke=\"#666\" stroke-dasharray=\"2 2\"/>"
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{}\" font-size=\"16\" text-anchor=\"middle\">{}</text>\
             <text x=\"{x}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#555\">{letter}</text>",
            y + 5,
            pits[at],
            if at < 4 { 132 } else { 12 }
        );
    }
    text + "</svg>\n"
}

/// Lines over plies: for each a name, a colour and its percentages from ply 0 on.
pub(super) fn chart(title: &str, lines: &[(&str, &str, Vec<f64>)]) -> String {
    let (width, height) = (560, 260);
    let mut text = open(width, height, title);
    let plies = lines.iter().map(|line| line.2.len()).max().unwrap_or(1).max(2) - 1;
    let x = |ply: usize| 40.0 + 500.0 * ply as f64 / plies as f64;
    let y = |percent: f64| 210.0 - 1.9 * percent;
    for percent in [0, 25, 50, 75, 100] {
        let y = y(percent.into());
        let _ = writeln!(
            text,
            "<line x1=\"40\" x2=\"540\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/><text x=\"34\" y=\"{}\" font-size=\"10\" text-anchor=\"end\">{percent} %</text>",
            y + 3.0
        );
    }
    for ply in 0..=plies {
        let _ =
            write!(text, "<text x=\"{:.0}\" y=\"226\" font-size=\"10\" text-anchor=\"middle\">{ply}</text>", x(ply));
    }
    for (at, (name, colour, percents)) in lines.iter().enumerate() {
        let points: Vec<String> =
            percents.iter().enumerate().map(|(ply, &p)| format!("{:.1},{:.1}", x(ply), y(p))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"248\" font-size=\"10\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            40 + 175 * at,
            escape(name)
        );
    }
    text + "</svg>\n"
}
