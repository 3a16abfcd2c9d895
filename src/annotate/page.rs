//! Annotated games as one page that needs nothing else: style and drawings inside, no script, no network. It is well-formed
//! as XML, and every drawing is followed by a table of its numbers.

use std::fmt::Write as _;

use crate::document::move_text;
use crate::notation::Side;
use crate::opening::report::html::{STYLE, Table, escape};
use crate::opening::report::svg;
use crate::record::{Award, GameResult, Note, Record};
use crate::rules::Game;
use crate::value::Kind;
use kpe_core::annotate::{AnnotatedPly, Annotation, Lead};

/// What the page has beyond the style it shares, and its colours on a dark background.
const OWN_STYLE: &str = "\
figure{margin:1rem 0}.plot{stroke:#1f6fb4;fill:none;stroke-width:2}.sure{fill:#1f6fb4}.guess{fill:#fff;stroke:#1f6fb4}\
.turn{fill:#b4531f}.axis{stroke:#bbb}.zero{stroke:#555}svg text{fill:#444}td:last-child{min-width:8rem}\
td:last-child,thead th:last-child{text-align:left}\
@media screen and (prefers-color-scheme:dark){body{color:#e9e9e9;background:#161616}h1,h2{border-color:#444}\
th{background:#262626}th,td{border-color:#444}figcaption,.note{color:#aaa}svg text{fill:#bbb}.plot,.guess{stroke:#5aa9e6}\
.sure{fill:#5aa9e6}.guess{fill:#161616}.turn{fill:#e8935a}.axis{stroke:#444}.zero{stroke:#999}}";

/// What is said of points that are not proven.
const ESTIMATES: &str =
    "hollow points are estimates, each from a search of its own, so that neighbouring ones may differ";

/// Size of the drawing, in units of its own, and the room for the numbers around it.
const WIDTH: usize = 560;
const HEIGHT: usize = 260;
const LEFT: f64 = 46.0;
const EDGE: f64 = 24.0;

/// The page with these games.
#[must_use]
pub fn page(games: &[(Record, Annotation)]) -> String {
    let title = match games {
        [(record, _)] => heading(record),
        _ => format!("{} games", games.len()),
    };
    let title = escape(&title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/><title>{title}</title>\
         <style>{STYLE}{OWN_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    for (number, (record, annotation)) in games.iter().enumerate() {
        if games.len() > 1 {
            let _ = writeln!(page, "<h2>{}. {}</h2>", number + 1, escape(&heading(record)));
        }
        page += &game(number + 1, record, annotation);
    }
    page + "</body></html>\n"
}

/// Who plays whom.
fn heading(record: &Record) -> String {
    let name = |side: Side| record.tag(&side.to_string()).map_or(side.to_string(), |name| format!("{name} ({side})"));
    format!("{} against {}", name(Side::South), name(Side::North))
}

fn game(number: usize, record: &Record, annotation: &Annotation) -> String {
    let playing = record.playing();
    let mut text = format!(
        "<p>{} {}.{} Started from <code>{}</code>. {}</p>\n",
        if playing.game().name() == "kpe" { "Kpé," } else { "Goré," },
        playing.game(),
        record.tag("Date").map_or(String::new(), |date| format!(" Played on {}.", escape(date))),
        playing.start(),
        escape(&result(record))
    );
    for warning in record.warnings() {
        let _ = writeln!(text, "<p><strong>{}</strong></p>", escape(&warning));
    }
    text += &curve(annotation);
    text += &summary(number, record, annotation);
    text + &moves(number, record, annotation)
}

/// How the game came out, in a sentence.
fn result(record: &Record) -> String {
    let who = match record.result() {
        GameResult::South => "South won",
        GameResult::North => "North won",
        GameResult::Draw => "It was a draw",
        GameResult::Open => return "The game is not finished.".to_owned(),
    };
    match record.playing().ending() {
        Some(ending) => format!("{who}: {ending} ({}).", record.termination()),
        None if record.awarded().is_some_and(Award::is_unexplained) => {
            format!("{who}, no reason given.")
        }
        None => format!("{who} ({}).", record.termination()),
    }
}

/// The lead before the first move and after each as a line.
fn curve(annotation: &Annotation) -> String {
    let leads = &annotation.leads;
    let most = leads.iter().map(|lead| lead.stones.abs()).max().unwrap_or(0).max(4);
    let most = most + most % 2;
    let x = |at: usize| LEFT + (WIDTH as f64 - LEFT - EDGE) * at as f64 / (leads.len().max(2) - 1) as f64;
    let y = |stones: i16| HEIGHT as f64 / 2.0 - (HEIGHT as f64 / 2.0 - EDGE) * f64::from(stones) / f64::from(most);
    let mut text = "<figure>".to_owned() + &svg::open(WIDTH, HEIGHT, "South's lead at the end, by moves made");
    for stones in [most, most / 2, 0, -most / 2, -most] {
        let (y, class) = (y(stones), if stones == 0 { "zero" } else { "axis" });
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"14\" text-anchor=\"end\">{}</text>",
            WIDTH as f64 - EDGE,
            LEFT - 6.0,
            y + 4.0,
            signed(stones)
        );
    }
    let every = leads.len().div_ceil(12).max(1);
    for at in (0..leads.len()).step_by(every) {
        let _ = write!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" font-size=\"14\" text-anchor=\"middle\">{at}</text>",
            x(at),
            HEIGHT - 4
        );
    }
    let points = leads.iter().enumerate().map(|(at, lead)| format!("{:.1},{:.1}", x(at), y(lead.stones)));
    let _ = writeln!(text, "<polyline class=\"plot\" points=\"{}\"/>", points.collect::<Vec<_>>().join(" "));
    for (at, lead) in leads.iter().enumerate() {
        let turns = at > 0 && annotation.plies.get(at - 1).is_some_and(|ply| ply.is_turning);
        let class = if turns {
            "turn"
        } else if lead.is_sure {
            "sure"
        } else {
            "guess"
        };
        let _ = write!(
            text,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"><title>{}</title></circle>",
            x(at),
            y(lead.stones),
            if turns { 6 } else { 3 },
            point(annotation, at, *lead)
        );
    }
    let kinds = if leads.iter().all(|lead| lead.is_sure) { "all of them proven" } else { ESTIMATES };
    text + &format!(
        "</svg>\n<figcaption>South's final total less North's, if both play their best from there on, by the number of \
         moves made; {kinds}. Large points are turning points. The table of the moves has the same numbers.</figcaption></figure>\n"
    )
}

/// What a point of the curve says to somebody who points at it.
fn point(annotation: &Annotation, at: usize, lead: Lead) -> String {
    let after = match at.checked_sub(1).and_then(|before| annotation.plies.get(before)) {
        Some(ply) => format!("after {} {}", ply.made.side, ply.made.text()),
        None => "at the start".to_owned(),
    };
    format!("{at}, {after}: {}", estimated(lead))
}

/// A lead and, unless it is proven, that it is about so much.
fn estimated(lead: Lead) -> String {
    let about = if lead.is_sure { "" } else { "about " };
    about.to_owned() + &signed(lead.stones)
}

fn signed(stones: i16) -> String {
    if stones == 0 { "0".to_owned() } else { format!("{stones:+}") }
}

fn summary(number: usize, record: &Record, annotation: &Annotation) -> String {
    let heads = ["player", "name", "moves", "without a choice", "perfect", "stones given away", "turning points"];
    let mut table = Table::new(&format!("players-{number}"), "Players", heads);
    for side in [Side::South, Side::North] {
        let summary = annotation.summary(side);
        let turning: Vec<String> = summary.turning.iter().map(ToString::to_string).collect();
        let about = if summary.is_sure { "" } else { "about " };
        table.row([
            side.to_string(),
            record.tag(&side.to_string()).unwrap_or("–").to_owned(),
            summary.moves.to_string(),
            summary.forced.to_string(),
            format!("{about}{}", summary.perfect),
            format!("{about}{}", summary.lost),
            if turning.is_empty() { "none".to_owned() } else { format!("move {}", turning.join(", ")) },
        ]);
    }
    table.end()
}

fn moves(number: usize, record: &Record, annotation: &Annotation) -> String {
    let heads = [
        "no.",
        "turn",
        "player",
        "move",
        "captures",
        "value",
        "lost",
        "better move",
        "South's lead after it",
        "remarks",
    ];
    let value = match record.playing().game() {
        Game::Gore(gore) if gore.no_trade().is_none() => "the mover's total at the end less the other's",
        _ => "the stones the mover will still take less those of the other",
    };
    let mut table = Table::new(&format!("moves-{number}"), "Moves", heads);
    let remarks = |note: &Note, turns: bool| {
        let turn = turns.then(|| "Turning point.".to_owned());
        turn.into_iter().chain(note.comments.iter().cloned()).collect::<Vec<_>>().join(" ")
    };
    let lead = |at: usize| annotation.leads.get(at).map_or(String::new(), |&lead| estimated(lead));
    let dash = || "–".to_owned();
    let start = [dash(), dash(), dash(), dash(), dash(), dash(), dash(), lead(0), remarks(record.note(0), false)];
    table.row(std::iter::once("0".to_owned()).chain(start));
    for ((at, ply), turn) in annotation.plies.iter().enumerate().zip(record.numbers()) {
        table.row([
            (at + 1).to_string(),
            turn.to_string(),
            ply.made.side.to_string(),
            format!("{}{}", ply.made.text(), record.note(at + 1).signs()),
            ply.made.captured.to_string(),
            worth(ply.value.to_string(), ply.kind),
            if ply.is_sure() { ply.lost().to_string() } else { format!("about {}", ply.lost()) },
            better(ply).unwrap_or_else(dash),
            lead(at + 1),
            remarks(record.note(at + 1), ply.is_turning),
        ]);
    }
    // A caption would be as wide as the table, wider than a small screen.
    format!("<p class=\"note\">The value of a move is {value}.</p>\n{}", table.end())
}

/// A value and, unless it is proven, how sure it is.
fn worth(value: String, kind: Kind) -> String {
    match kind {
        Kind::Exact => value,
        Kind::AtLeast => format!("at least {value}"),
        Kind::AtMost => format!("at most {value}"),
        Kind::Estimate => format!("about {value}"),
    }
}

/// The better move, if there was one, with its value.
fn better(ply: &AnnotatedPly) -> Option<String> {
    let action = move_text(&ply.position, ply.best);
    (ply.lost() > 0).then(|| format!("{action} ({})", worth(ply.best_value.to_string(), ply.best_kind)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::annotate::annotate;
    use crate::engine::TableProbe;
    use crate::level::Level;
    use crate::player::Player;
    use crate::search::Limits;
    use crate::table::{TableSet, embedded};

    fn annotation(record: &Record) -> Annotation {
        let game = record.playing().game();
        let probe = TableProbe::new(TableSet::new(&game).and_embedded(embedded())).unwrap();
        let player = Player::new(&game, Arc::new(probe), Level::HIGHEST, 16 << 20, 0).unwrap();
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        annotate(record.playing(), &player, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap()
    }

    #[test]
    fn the_page_needs_nothing_and_escapes_what_the_record_says() {
        let mut record =
            Record::read("[South \"<b>Ama</b>\"][Start \"0-0-0-2-1-1-0-0-22-22-S\"] {x < y &amp; \"z\"} D").unwrap();
        record.resign(Side::North);
        let annotation = annotation(&record);
        let one = page(&[(record.clone(), annotation.clone())]);
        assert!(one.contains("&lt;b&gt;Ama&lt;/b&gt; (South) against North") && !one.contains("<b>"), "{one}");
        assert!(one.contains("x &lt; y &amp;amp; &quot;z&quot;"));
        let two = page(&[(record.clone(), annotation.clone()), (record, annotation)]);
        for text in [&one, &two] {
            let outside = ["<script", "href", "src=", "url(", "@import", "onload"];
            assert!(outside.iter().all(|part| !text.contains(part)), "{text}");
        }
        assert_eq!(
            (one.matches("<svg").count(), two.matches("<svg").count(), two.matches("id=\"moves-2\"").count()),
            (1, 2, 1)
        );
    }
}
