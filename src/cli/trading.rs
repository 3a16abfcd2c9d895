//! `kpe best` in Goré with trades: sowings, offers and answers.

use std::io;
use std::sync::Arc;

use kpe::document::{line_texts, move_text};
use kpe::engine::{TableProbe, TradeEngine};
use kpe::level::Level;
use kpe::notation::{Move, Position, Side};
use kpe::player::Assessment;
use kpe::rules::Game;
use kpe::rules::gore::{Gore, State};
use kpe::search::Limits;
use kpe::value::{Kind, Value};

use super::advice::{misjudged, own_worth, searched, words, wrapped};
use super::args::PlaceArgs;
use super::best::unpack;
use super::drawing;
use super::exit::Refused;
use super::output::Output;
use super::style::Style;
use super::units::counted;

/// Offers that people are shown, apart from the best move.
const OFFERS_SHOWN: usize = 5;

/// The tables of the game without trades under the same rules.
pub(super) fn open(place: &PlaceArgs, gore: Gore) -> anyhow::Result<Arc<TableProbe>> {
    Ok(Arc::new(TableProbe::new(place.open(&Game::Gore(gore).without_trades())?)?))
}

/// An engine that uses these tables, as many of them as are unpacked.
pub(super) fn engine<'a>(
    gore: Gore,
    probe: &'a Arc<TableProbe>,
    limits: &Limits,
    memory: u64,
) -> anyhow::Result<TradeEngine<&'a TableProbe>> {
    unpack(probe, limits);
    Ok(TradeEngine::new(gore, &**probe, memory.try_into().unwrap_or(usize::MAX))?)
}

/// The position as the engine has it.
pub(super) fn state(position: &Position) -> anyhow::Result<State> {
    position.state().ok_or_else(|| Refused::Usage("only Goré has trades".to_owned()).into())
}

/// The board and who is to move; whether the game goes on.
pub(super) fn print_board(position: &Position, out: &mut Output, style: Style) -> io::Result<bool> {
    for line in drawing::board(position, style) {
        out.line(line)?;
    }
    out.line("")?;
    match position.totals() {
        Some(totals) => out.line(drawing::ending(totals)).map(|()| false),
        None => Ok(true),
    }
}

/// A line of text with the name of what it says before it.
pub(super) fn print_named(name: &str, text: &str, out: &mut Output, style: Style) -> io::Result<()> {
    out.line(format!("{} {text}", style.dim(&format!("{name:<10}"))))
}

/// Prints all that is known of a position.
pub(super) fn print(assessment: &Assessment, level: Level, out: &mut Output) -> io::Result<()> {
    let style = Style::of_output();
    let position = &assessment.position;
    if !print_board(position, out, style)? {
        return Ok(());
    }
    let best = assessment.best.map_or(String::new(), |action| move_text(position, action));
    let misjudged = misjudged(assessment, level);
    print_named(if misjudged.is_some() { "Move" } else { "Best move" }, &style.bold(&best), out, style)?;
    misjudged.into_iter().try_for_each(|text| print_named("", &text, out, style))?;
    let searched = searched(assessment.depth, "turn", "turns", assessment.nodes);
    let side = position.side();
    print_named(
        "Value",
        &format!("{} for {side}, {} ({searched})", assessment.value, words(assessment.kind)),
        out,
        style,
    )?;
    print_named("", &outlook(side, assessment.value, assessment.kind), out, style)?;
    own_worth(assessment).into_iter().try_for_each(|text| print_named("", &text, out, style))?;
    for (number, text) in wrapped(&line_texts(position, &assessment.line)).into_iter().enumerate() {
        print_named(if number == 0 { "Line" } else { "" }, &text, out, style)?;
    }
    out.line("")?;
    out.line(style.dim(&row(["Move", "captures", "value", "", "leads to"])))?;
    print_moves(assessment, out, style)
}

fn print_moves(assessment: &Assessment, out: &mut Output, style: Style) -> io::Result<()> {
    let position = &assessment.position;
    let (mut shown, mut left) = (0, Vec::new());
    for valued in &assessment.moves {
        let best = Some(valued.action) == assessment.best;
        if matches!(valued.action, Move::Offer(_)) && !best {
            if shown == OFFERS_SHOWN {
                left.push(valued.value);
                continue;
            }
            shown += 1;
        }
        let (captured, value) = (valued.captured.to_string(), valued.value.to_string());
        let (text, leads_to) = (move_text(position, valued.action), valued.result.to_string());
        let sure = if valued.is_upper && valued.kind == Kind::Estimate { "or less" } else { words(valued.kind) };
        let line = row([&text, &captured, &value, sure, &leads_to]);
        out.line(if best { style.bold(&line) } else { line })?;
    }
    match left.iter().max() {
        Some(most) => {
            let left = counted(left.len() as u64, "more offer", "more offers");
            out.line(format!("… {left}, none thought better than {most} (all with --json)"))
        }
        None => Ok(()),
    }
}

fn row([action, captured, value, kind, result]: [&str; 5]) -> String {
    format!("{action:<9} {captured:>8} {value:>6}  {kind:<9} {result}")
}

/// What the value means, in words.
fn outlook(side: Side, value: Value, kind: Kind) -> String {
    let stones = value.0;
    // A bound is one of the signed value: to end with at least so many more is to end with at most so many fewer.
    let bound = match (kind, stones < 0) {
        (Kind::AtLeast, false) | (Kind::AtMost, true) => " at least",
        (Kind::AtMost, false) | (Kind::AtLeast, true) => " at most",
        (Kind::Exact | Kind::Estimate, _) => "",
    };
    let will = if kind == Kind::Estimate { "may" } else { "will" };
    let plural = if stones.abs() == 1 { "stone" } else { "stones" };
    let (count, other) = (stones.unsigned_abs(), side.other());
    match stones {
        0 => format!("{side} {will} end with{bound} as many stones as {other}"),
        1.. => format!("{side} {will} end with{bound} {count} {plural} more than {other}"),
        _ => format!("{side} {will} end with{bound} {count} {plural} fewer than {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_words() {
        let says = |value, kind| outlook(Side::South, Value(value), kind);
        assert_eq!(says(4, Kind::Exact), "South will end with 4 stones more than North");
        assert_eq!(says(-1, Kind::AtLeast), "South will end with at most 1 stone fewer than North");
        assert_eq!(says(0, Kind::Estimate), "South may end with as many stones as North");
    }
}
