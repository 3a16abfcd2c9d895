//! `kpe annotate`: what each move of a game record was worth.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use kpe::annotate::{Allowance, AnnotateDocument, AnnotatedPly, Annotation, Lead, annotate, annotate_within, page};
use kpe::document::move_text;
use kpe::echo::plain;
use kpe::level::Level;
use kpe::notation::Side;
use kpe::player::Player;
use kpe::record::{Note, Record, Records};
use kpe::search::{Budget, Limits};
use kpe::value::Kind;

use super::advice::paragraph;
use super::args::{PlaceArgs, STANDARD_INPUT, title};
use super::exit::{Refused, Status, indent};
use super::output::{Output, begin_file, write_file};
use super::progress::tell;
use super::style::Style;
use super::units::{number, parse_time};
use super::{interrupt, opponent, system};

/// No collection of games that a person annotates is larger.
const LARGEST: u64 = 16 << 20;
/// What a game may take if nobody says otherwise: with all that is not search it is done in 10 seconds.
const ALLOWANCE: Allowance = Allowance { each: Duration::from_millis(200), total: Duration::from_secs(8) };
/// What stands below a table with estimates.
const ESTIMATES: [&str; 2] =
    ["~ is about: each move has a search of its own, and the estimates of", "neighbouring ones may differ."];
/// Time between two lines about how far it is.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Say what each move of a game was worth, what it lost, and the better one
///
/// Values are exact where tables know them; elsewhere each move is searched for a while and its value is an estimate. A
/// turning point is a move that changes who wins, or whether anybody does, if both play their best from there on.
/// RECORDS.md describes the text of the games.
#[derive(Args)]
pub(super) struct AnnotateArgs {
    /// The file with one game or more, or - for standard input
    file: PathBuf,
    /// Time to search each move that tables do not know [default: 200ms, and no more than 8 s for a whole game]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Threads to search with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Answer with one JSON document a game
    #[arg(long)]
    json: bool,
    /// Write a page with the value curve of each game to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(args: &AnnotateArgs) -> anyhow::Result<Status> {
    let records = records(&args.file, &bytes(&args.file)?)?;
    if let Some(path) = args.html.as_ref().filter(|path| path.metadata().is_ok_and(|found| found.is_file())) {
        // Before the work, not after it.
        drop(begin_file(path, &[&args.file])?);
    }
    let stop = interrupt::stop_flag()?;
    let mut work = Work::new(args, &records, &stop);
    let mut out = Output::new();
    let mut annotated = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let Some(annotation) = work.annotate(record)? else {
            out.finish()?;
            tell("kpe: interrupted");
            return Ok(Status::Interrupted);
        };
        if args.json {
            out.json(&AnnotateDocument::new(record, &annotation))?;
        } else {
            if number > 0 {
                out.line("")?;
            }
            print(record, &annotation, &mut out)?;
        }
        // A long file takes a while, and somebody may be reading.
        out.flush()?;
        annotated.extend(args.html.is_some().then(|| (record.clone(), annotation)));
    }
    if let Some(path) = &args.html {
        write_file(path, &[&args.file], page(&annotated).as_bytes())?;
    }
    out.finish()?;
    Ok(Status::Done)
}

/// The bytes of a file or of standard input.
pub(super) fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let (is_input, name) = (path.as_os_str() == STANDARD_INPUT, name(path));
    let mut bytes = Vec::new();
    let limit = LARGEST + 1;
    let length = match is_input {
        true => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    if length.with_context(|| name.clone())? as u64 == limit {
        let largest = LARGEST >> 20;
        return Err(Refused::Usage(format!("{name} is larger than {largest} MiB, expected records of games")).into());
    }
    Ok(bytes)
}

/// The games that stand in the bytes of this file.
pub(super) fn records(path: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Record>> {
    Records::all(bytes).map_err(|error| {
        let caret = error.caret();
        // Of an empty line there is nothing to draw.
        let drawn = if caret.starts_with('\n') { String::new() } else { "\n\n".to_owned() + &indent(&caret) };
        Refused::Usage(format!("{}: {error}{drawn}", name(path))).into()
    })
}

fn name(path: &Path) -> String {
    if path.as_os_str() == STANDARD_INPUT { "standard input".to_owned() } else { path.display().to_string() }
}

/// What all games are valued with, and how far it is.
struct Work<'a> {
    args: &'a AnnotateArgs,
    limits: Limits,
    stop: &'a AtomicBool,
    /// Of the rules of the game before.
    player: Option<Player>,
    moves: usize,
    done: usize,
    told: Instant,
}

impl<'a> Work<'a> {
    fn new(args: &'a AnnotateArgs, records: &[Record], stop: &'a AtomicBool) -> Self {
        let threads = system::threads(args.threads);
        let limits =
            Limits { time: Some(Budget::fixed(args.time.unwrap_or(ALLOWANCE.each))), threads, ..Limits::default() };
        let moves = records.iter().map(|record| record.playing().made().len()).sum();
        Self { args, limits, stop, player: None, moves, done: 0, told: Instant::now() }
    }

    fn annotate(&mut self, record: &Record) -> anyhow::Result<Option<Annotation>> {
        let game = record.playing().game();
        let player = match self.player.take() {
            Some(player) if *player.game() == game => player,
            _ => opponent::open(&self.args.place, &game, Level::HIGHEST, 0, &self.limits)?,
        };
        let (before, moves) = (self.done, self.moves);
        let mut observe = |done| {
            self.done = before + done;
            if self.told.elapsed() >= TELL_EVERY {
                self.told = Instant::now();
                tell(&format!("{} of {moves} moves", self.done));
            }
        };
        let (playing, limits, stop) = (record.playing(), &self.limits, self.stop);
        let annotation = match self.args.time {
            Some(_) => annotate(playing, &player, limits, stop, &mut observe),
            None => annotate_within(playing, &player, ALLOWANCE, limits, stop, &mut observe),
        }?;
        self.player = Some(player);
        Ok(annotation)
    }
}

/// Prints all that is known of a game.
fn print(record: &Record, annotation: &Annotation, out: &mut Output) -> io::Result<()> {
    let (style, playing) = (Style::of_output(), record.playing());
    let name =
        |side: Side| record.tag(&side.to_string()).map_or(side.to_string(), |name| format!("{} ({side})", plain(name)));
    out.line(style.bold(&format!("{} against {}", name(Side::South), name(Side::North))))?;
    out.line(format!("{}, {}; result {}", title(&playing.game()), playing.game(), plain(&record.outcome())))?;
    for warning in record.warnings() {
        paragraph(&plain(&format!("Warning: {warning}"))).into_iter().try_for_each(|line| out.line(line))?;
    }
    if let Some(ending) = playing.ending() {
        out.line(ending)?;
    }
    out.line("")?;
    out.line(style.dim(&row(["", "", "Move", "value", "", "lost", "better", "South's lead"])))?;
    print_note(record.note(0), out)?;
    let turns = playing.made().iter().scan(None, |before, made| Some(before.replace(made.side) != Some(made.side)));
    for (((at, ply), number), begins) in annotation.plies.iter().enumerate().zip(record.numbers()).zip(turns) {
        let number = match (begins, ply.made.side) {
            (false, _) => String::new(),
            (true, Side::South) => format!("{number}."),
            (true, Side::North) => format!("{number}..."),
        };
        let lead = annotation.leads.get(at + 1).map_or(String::new(), |&lead| signed(lead));
        let lost = if ply.is_sure() { ply.lost().to_string() } else { format!("~{}", ply.lost()) };
        let captured = if ply.made.captured > 0 { format!("x{}", ply.made.captured) } else { String::new() };
        let action = format!("{}{captured}{}", ply.made.text(), record.note(at + 1).signs());
        let (value, better) = (ply.value.to_string(), better(ply));
        let line = row([&(at + 1).to_string(), &number, &action, &value, sure(ply.kind), &lost, &better, &lead]);
        let line = if ply.is_turning { format!("{line}  turning point") } else { line };
        out.line(if ply.lost() > 0 { style.bold(&line) } else { line })?;
        print_note(record.note(at + 1), out)?;
    }
    if !annotation.is_sure() {
        ESTIMATES.iter().try_for_each(|line| out.line(format!("{:11}{line}", "")))?;
    }
    out.line("")?;
    for side in [Side::South, Side::North] {
        for (at, line) in paragraph(&summary(annotation, side)).into_iter().enumerate() {
            out.line(format!("{:7}{line}", if at == 0 { format!("{side}:") } else { String::new() }))?;
        }
    }
    Ok(())
}

/// A lead, with the sign of an estimate unless it is proven.
fn signed(lead: Lead) -> String {
    let sign = if lead.is_sure { "" } else { "~" };
    if lead.stones == 0 { format!("{sign}0") } else { format!("{sign}{:+}", lead.stones) }
}

fn row([ply, number, action, value, kind, lost, better, lead]: [&str; 8]) -> String {
    format!("{ply:>3} {number:>6} {action:<9} {value:>5} {kind:<8} {lost:>4}  {better:<13} {lead:>5}")
        .trim_end()
        .to_owned()
}

/// How sure a value is, in eight columns.
const fn sure(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::AtLeast => "or more",
        Kind::AtMost => "or less",
        Kind::Estimate => "estimate",
    }
}

/// The better move, if there was one, with its value.
fn better(ply: &AnnotatedPly) -> String {
    if ply.lost() == 0 { String::new() } else { format!("{} {}", move_text(&ply.position, ply.best), ply.best_value) }
}

/// The comments of the record, indented.
fn print_note(note: &Note, out: &mut Output) -> io::Result<()> {
    for comment in &note.comments {
        for line in paragraph(&plain(comment)) {
            out.line(format!("{:11}{line}", ""))?;
        }
    }
    Ok(())
}

/// How a player did, in a sentence.
fn summary(annotation: &Annotation, side: Side) -> String {
    let summary = annotation.summary(side);
    let plural = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let turning: Vec<String> = summary.turning.iter().map(ToString::to_string).collect();
    let turning = match turning.len() {
        0 => String::new(),
        1 => format!("; turning point at {}", turning[0]),
        _ => format!("; turning points at {}", turning.join(", ")),
    };
    format!(
        "{} ({} without a choice), {} of them perfect; {}{} given away{turning}.",
        plural(summary.moves, "move", "moves"),
        summary.forced,
        summary.perfect,
        if summary.is_sure { "" } else { "about " },
        plural(summary.lost as usize, "stone", "stones"),
    )
}
