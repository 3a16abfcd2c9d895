//! An assessment as people read it: the board, the best move, and what every move is worth. Fits 80 columns.

use std::io;

use kpe::document::{line_texts, move_text};
use kpe::engine::Source;
use kpe::level::Level;
use kpe::notation::Side;
use kpe::player::Assessment;
use kpe::value::{Kind, Value};

use super::drawing;
use super::output::Output;
use super::style::Style;
use super::units::counted;

/// Moves of the expected line that are shown.
const LONGEST_LINE: usize = 60;
/// Columns beside the names of the lines above the table.
const WIDTH: usize = 68;

/// Prints all of it.
pub(super) fn print(assessment: &Assessment, level: Level, out: &mut Output) -> io::Result<()> {
    let style = Style::of_output();
    let position = &assessment.position;
    for line in drawing::board(position, style) {
        out.line(line)?;
    }
    out.line("")?;
    if let Some(totals) = position.totals() {
        return out.line(drawing::ending(totals));
    }
    for (name, text) in summary(assessment, level, style) {
        out.line(format!("{} {text}", style.dim(&format!("{name:<10}"))))?;
    }
    out.line("")?;
    out.line(style.dim(&row(["Move", "captures", "value", "", "distance", "leads to"])))?;
    for valued in &assessment.moves {
        let text = move_text(position, valued.action);
        let distance = valued.distance.map_or("-".to_owned(), |plies| plies.0.to_string());
        let (captured, value) = (valued.captured.to_string(), valued.value.to_string());
        let result = valued.result.to_string();
        let line = row([&text, &captured, &value, words(valued.kind), &distance, &result]);
        out.line(if Some(valued.action) == assessment.best { style.bold(&line) } else { line })?;
    }
    Ok(())
}

fn row([action, captured, value, kind, distance, result]: [&str; 6]) -> String {
    format!("{action:<5}{captured:>8} {value:>6}  {kind:<9}{distance:>8}  {result}")
}

pub(super) const fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::AtLeast => "at least",
        Kind::AtMost => "at most",
        Kind::Estimate => "estimate",
    }
}

/// Names and texts of the lines above the table.
fn summary(assessment: &Assessment, level: Level, style: Style) -> Vec<(&'static str, String)> {
    let position = &assessment.position;
    let best = assessment.best.map_or(String::new(), |action| move_text(position, action));
    let misjudged = misjudged(assessment, level);
    let mut lines = vec![(if misjudged.is_some() { "Move" } else { "Best move" }, style.bold(&best))];
    lines.extend(misjudged.map(|text| ("", text)));
    lines.extend([("Value", value(position.side(), assessment)), ("", outlook(position.side(), assessment))]);
    lines.extend(own_worth(assessment).map(|text| ("", text)));
    lines.extend(end(assessment).map(|text| ("End", text)));
    if let Some(plies) = assessment.distance.filter(|_| assessment.value != Value::ZERO) {
        let plural = if plies.0 == 1 { "ply" } else { "plies" };
        lines.push(("Distance", format!("{} {plural} to the next capture, first sowing or end", plies.0)));
    }
    for (number, text) in wrapped(&line_texts(position, &assessment.line)).into_iter().enumerate() {
        lines.push((if number == 0 { "Line" } else { "" }, text));
    }
    lines
}

/// The expected moves in lines of [`WIDTH`], no more than are shown.
pub(super) fn wrapped(moves: &[String]) -> Vec<String> {
    let mut words: Vec<&str> = moves.iter().take(LONGEST_LINE).map(String::as_str).collect();
    let more = format!("… ({} plies)", moves.len());
    if moves.len() > LONGEST_LINE {
        words.push(&more);
    }
    filled(words)
}

/// A text in lines of [`WIDTH`], whatever its length.
pub(super) fn paragraph(text: &str) -> Vec<String> {
    filled(text.split(' '))
}

fn filled<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words {
        let last = lines.last_mut().expect("there is a line from the beginning");
        if last.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(word.to_owned());
        } else {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        }
    }
    lines
}

/// How deep and how much was searched, in plies or turns.
pub(super) fn searched(depth: u8, one: &str, more: &str, nodes: u64) -> String {
    let depth = counted(depth.into(), one, more);
    format!("searched {depth}, {}", counted(nodes, "position", "positions"))
}

/// What a level that errs makes of the position, if it is not what is thought best.
pub(super) fn misjudged(assessment: &Assessment, level: Level) -> Option<String> {
    let chosen = assessment.moves.iter().find(|m| Some(m.action) == assessment.best)?;
    let best = assessment.moves.iter().filter(|m| m.value > chosen.value && !m.is_upper).max_by_key(|m| m.value)?;
    let better = move_text(&assessment.position, best.action);
    level.errs().then(|| format!("level {level} misjudges moves; {better} is worth more, {}", best.value))
}

/// What is known of the best move itself, if that is more than what is known of the position: the head tells the latter, the
/// list the former.
pub(super) fn own_worth(assessment: &Assessment) -> Option<String> {
    let best = assessment.moves.iter().find(|m| Some(m.action) == assessment.best)?;
    let text = move_text(&assessment.position, best.action);
    (assessment.kind == Kind::AtLeast && best.kind == Kind::Exact)
        .then(|| format!("{text} itself is worth {} exactly; another move may be worth more", best.value))
}

/// The value, whose it is, how sure it is and where it comes from.
fn value(side: Side, assessment: &Assessment) -> String {
    let source = match assessment.source {
        Source::Rules => "by the rules".to_owned(),
        Source::Table => "from tables".to_owned(),
        Source::Search => searched(assessment.depth, "ply", "plies", assessment.nodes),
    };
    format!("{} for {side}, {} ({source})", assessment.value, words(assessment.kind))
}

/// What the value means, in words.
fn outlook(side: Side, assessment: &Assessment) -> String {
    let stones = assessment.value.0;
    // A bound is one of the signed value: to lose at least so much is to win at most so little.
    let bound = match (assessment.kind, stones < 0) {
        (Kind::AtLeast, false) | (Kind::AtMost, true) => " at least",
        (Kind::AtMost, false) | (Kind::AtLeast, true) => " at most",
        (Kind::Exact | Kind::Estimate, _) => "",
    };
    let will = if assessment.kind == Kind::Estimate { "may" } else { "will" };
    let plural = if stones.abs() == 1 { "stone" } else { "stones" };
    let (count, other) = (stones.unsigned_abs(), side.other());
    match stones {
        0 => format!("{side} {will} still take{bound} as many stones as {other}"),
        1.. => format!("{side} {will} still take{bound} {count} {plural} more than {other}"),
        _ => format!("{side} {will} still take{bound} {count} {plural} fewer than {other}"),
    }
}

/// The stones of both players in the end, if the value is what they will take.
fn end(assessment: &Assessment) -> Option<String> {
    let position = &assessment.position;
    let (left, value) = (i16::from(position.board().total()), i16::from(assessment.value.0));
    // An odd rest that is shared is no whole number.
    if assessment.kind != Kind::Exact || (left + value) % 2 != 0 {
        return None;
    }
    let [south, north] = position.stores().map(i16::from);
    let (mine, theirs) = ((left + value) / 2, (left - value) / 2);
    let [south, north] = match position.side() {
        Side::South => [south + mine, north + theirs],
        Side::North => [south + theirs, north + mine],
    };
    Some(format!("South {south}, North {north}; {}", drawing::winner(south, north)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_wrapped_and_cut() {
        assert_eq!(wrapped(&["A".to_owned(), "b".to_owned()]), ["A b"]);
        let lines = wrapped(&vec!["pass".to_owned(); 100]);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
        assert!(lines.last().is_some_and(|line| line.ends_with("… (100 plies)")));
        assert_eq!(lines.concat().matches("pass").count(), LONGEST_LINE);
    }

    #[test]
    fn a_paragraph_is_wrapped_once_and_not_cut() {
        let lines = paragraph(&vec!["stone"; 200].join(" "));
        assert_eq!(lines.concat().matches("stone").count(), 200);
        let (last, full) = lines.split_last().unwrap();
        assert!(full.iter().all(|line| line.len() > WIDTH - 6 && line.len() <= WIDTH) && last.len() <= WIDTH);
    }
}
