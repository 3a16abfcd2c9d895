//! `kpe best` in Goré with trades: sowings, offers and answers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kpe::engine::{TableProbe, TradeAnalysis, TradeEngine, TradeMove};
use kpe::notation::{Move, Position, Side};
use kpe::rules::Game;
use kpe::rules::gore::{Gore, State, Trade};
use kpe::search::Limits;
use kpe::search::trade::Earlier;
use kpe::value::{Kind, Value};

use super::advice::{words, wrapped};
use super::args::{PlaceArgs, STANDARD_INPUT, position};
use super::batch::answer_lines;
use super::best::{BestArgs, BestDocument, ValuedMove, of_memory, play_all, unpack};
use super::exit::{Refused, Status};
use super::json::{Head, move_text};
use super::output::Output;
use super::progress::tell;
use super::style::Style;
use super::units::grouped;
use super::{drawing, interrupt};

/// Offers that people are shown, apart from the best move.
const OFFERS_SHOWN: usize = 5;

/// The tables of the game without trades under the same rules.
pub(super) fn open(place: &PlaceArgs, gore: Gore) -> anyhow::Result<Arc<TableProbe>> {
    let without = Game::Gore(Gore { trade: Trade::Off, ..gore });
    Ok(Arc::new(TableProbe::new(place.open(&without)?)?))
}

/// An engine that uses these tables, as many of them as are unpacked.
pub(super) fn engine<'a>(
    gore: Gore,
    probe: &'a Arc<TableProbe>,
    limits: &Limits,
    memory: u64,
) -> anyhow::Result<TradeEngine<&'a TableProbe>> {
    unpack(probe, limits);
    TradeEngine::new(gore, &**probe, memory.try_into().unwrap_or(usize::MAX)).map_err(of_memory)
}

/// The position as the engine has it.
pub(super) fn state(position: &Position) -> anyhow::Result<State> {
    position.state().ok_or_else(|| Refused::Usage("only Goré has trades".to_owned()).into())
}

pub(super) fn run(args: &BestArgs, gore: Gore) -> anyhow::Result<Status> {
    let game = Game::Gore(gore);
    let probe = open(&args.place, gore)?;
    let limits = args.limits();
    let engine = engine(gore, &probe, &limits, args.memory())?;
    // The last of the positions a game had, and what is known of it.
    let analyse = |positions: &[Position], stop: &AtomicBool| -> anyhow::Result<(Position, TradeAnalysis)> {
        let Some((position, before)) = positions.split_last() else {
            unreachable!("there is a position to begin with")
        };
        let state = state(position)?;
        let earlier = before
            .iter()
            .filter_map(|past| Some(Earlier { state: past.state()?, turned: past.side() != position.side() }));
        let earlier: Vec<Earlier> = earlier.collect();
        // Offers are many and seldom good; to value each as the best is would cost the depth of all.
        let lines = gore.moves(state).filter(|action| !matches!(action, Move::Offer(_))).count().max(1);
        let limits = Limits { lines, ..limits.clone() };
        Ok((*position, engine.analyse(state, &earlier, None, &limits, stop, &mut |_| ())?))
    };
    if args.position == STANDARD_INPUT {
        let stop = AtomicBool::new(false);
        return answer_lines(|text| {
            let (positions, _) = play_all(position(text, game)?, &args.moves)?;
            let (position, analysis) = analyse(&positions, &stop)?;
            Ok(document(&position, &analysis))
        });
    }
    let (positions, repeats) = play_all(position(&args.position, game)?, &args.moves)?;
    if repeats {
        tell("kpe: note: these moves repeat a position, so a game in play would be over here");
    }
    let stop = interrupt::stop_flag()?;
    let (position, analysis) = analyse(&positions, &stop)?;
    let mut out = Output::new();
    if args.json {
        out.json(&document(&position, &analysis))?;
    } else {
        print(&position, &analysis, &mut out)?;
    }
    out.finish()?;
    Ok(if stop.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Done })
}

/// The expected line as text, each move as the player who makes it writes it.
fn line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(moves.len());
    for &action in moves {
        // The engine plays by the same rules; should it not, the line ends there.
        let Ok(outcome) = position.play(action) else { break };
        texts.push(move_text(&position, action));
        position = outcome.result;
    }
    texts
}

/// The position after a move, as text.
pub(super) fn result(position: &Position, action: Move) -> String {
    position.play(action).map_or(String::new(), |outcome| outcome.result.to_string())
}

fn document(position: &Position, analysis: &TradeAnalysis) -> BestDocument {
    let valued = |valued: &TradeMove| ValuedMove {
        action: move_text(position, valued.action),
        captured: valued.captured,
        result: result(position, valued.action),
        value: valued.value.0,
        kind: valued.kind.word(),
        distance: None,
    };
    BestDocument {
        head: Head::new("kpe.best/1", &position.game()),
        position: position.to_string(),
        best: analysis.best.map(|action| move_text(position, action)),
        value: analysis.value.0,
        kind: analysis.kind.word(),
        distance: None,
        line: line(position, &analysis.line),
        source: if analysis.best.is_some() { "search" } else { "rules" },
        nodes: analysis.nodes,
        depth: analysis.depth,
        moves: analysis.moves.iter().map(valued).collect(),
    }
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

fn print(position: &Position, analysis: &TradeAnalysis, out: &mut Output) -> io::Result<()> {
    let style = Style::of_output();
    if !print_board(position, out, style)? {
        return Ok(());
    }
    let best = analysis.best.map_or(String::new(), |action| move_text(position, action));
    print_named("Best move", &style.bold(&best), out, style)?;
    let searched = format!("searched {} turns, {} positions", analysis.depth, grouped(analysis.nodes));
    let side = position.side();
    print_named("Value", &format!("{} for {side}, {} ({searched})", analysis.value, words(analysis.kind)), out, style)?;
    print_named("", &outlook(side, analysis.value, analysis.kind), out, style)?;
    for (number, text) in wrapped(&line(position, &analysis.line)).into_iter().enumerate() {
        print_named(if number == 0 { "Line" } else { "" }, &text, out, style)?;
    }
    out.line("")?;
    out.line(style.dim(&row(["Move", "captures", "value", "", "leads to"])))?;
    print_moves(position, analysis, out, style)
}

fn print_moves(position: &Position, analysis: &TradeAnalysis, out: &mut Output, style: Style) -> io::Result<()> {
    let (mut shown, mut left) = (0, Vec::new());
    for valued in &analysis.moves {
        let best = Some(valued.action) == analysis.best;
        if matches!(valued.action, Move::Offer(_)) && !best {
            if shown == OFFERS_SHOWN {
                left.push(valued.value);
                continue;
            }
            shown += 1;
        }
        let (captured, value) = (valued.captured.to_string(), valued.value.to_string());
        let (text, leads_to) = (move_text(position, valued.action), result(position, valued.action));
        let sure = if valued.is_upper && valued.kind == Kind::Estimate { "or less" } else { words(valued.kind) };
        let line = row([&text, &captured, &value, sure, &leads_to]);
        out.line(if best { style.bold(&line) } else { line })?;
    }
    match left.iter().max() {
        Some(most) => {
            out.line(format!("… {} more offers, none thought better than {most} (all with --json)", left.len()))
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
