//! `kpe best`: the best move of a position and what every move is worth.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use kpe::board::Board;
use kpe::engine::{Analysis, Engine, EngineError, MoveAnalysis, TableProbe};
use kpe::index::Layer;
use kpe::level::{Level, Seen};
use kpe::notation::{Move, Position};
use kpe::rules::{Game, Layered, Rules};
use kpe::search::{Budget, Clock, Limits, Probe, Step, TableError};
use serde::Serialize;

use super::args::{PlaceArgs, RulesArgs, STANDARD_INPUT, position};
use super::batch::answer_lines;
use super::exit::{Refused, Status};
use super::json::{Head, move_text};
use super::output::Output;
use super::progress::tell;
use super::units::{parse_size, parse_time};
use super::{advice, interrupt, system, trading};

/// Time for a search nobody set a limit to.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Memory of the transposition table nobody set a limit to.
const DEFAULT_MEMORY: u64 = 256 << 20;
/// Memory for unpacked layers: room for all those in the program.
const UNPACKED_MEMORY: u64 = 64 << 20;

/// Name the best move of a position and what every move is worth
///
/// A value is the stones the player to move will still take minus those the opponent will, both playing perfectly. It is
/// exact when a table or a complete search proves it. Without a limit the search takes a second; where tables know the
/// answer there is none.
#[derive(Args)]
pub(super) struct BestArgs {
    /// The position, or - for many on standard input
    #[arg(default_value = "startpos")]
    pub(super) position: String,
    /// Moves to play from the position first
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub(super) moves: Vec<String>,
    /// Time to search, such as 1s or 500ms
    #[arg(long, value_parser = parse_time, conflicts_with = "clock")]
    time: Option<Duration>,
    /// Time left for the whole game, such as 5m; the search takes its share
    #[arg(long, value_parser = parse_time)]
    clock: Option<Duration>,
    /// Time added to the clock for each move
    #[arg(long, value_parser = parse_time, requires = "clock")]
    increment: Option<Duration>,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Positions to search; with one thread the answer is the same every time
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads to search with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Play as a level from 1, a beginner, to 10, which sees everything
    #[arg(long, value_name = "N", default_value_t, hide_default_value = true)]
    level: Level,
    /// Memory to remember searched positions in [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
pub(super) struct BestDocument {
    #[serde(flatten)]
    pub(super) head: Head,
    pub(super) position: String,
    pub(super) best: Option<String>,
    pub(super) value: i8,
    pub(super) kind: &'static str,
    pub(super) distance: Option<u16>,
    pub(super) line: Vec<String>,
    pub(super) source: &'static str,
    pub(super) nodes: u64,
    pub(super) depth: u8,
    pub(super) moves: Vec<ValuedMove>,
}

#[derive(Serialize)]
pub(super) struct ValuedMove {
    #[serde(rename = "move")]
    pub(super) action: String,
    pub(super) captured: u8,
    pub(super) result: String,
    pub(super) value: i8,
    pub(super) kind: &'static str,
    pub(super) distance: Option<u16>,
}

impl BestArgs {
    /// The limits asked for, or those there are without.
    pub(super) fn limits(&self) -> Limits {
        let increment = self.increment.unwrap_or_default();
        let clock = self.clock.map(|remaining| Clock { remaining, increment, moves_to_go: None }.budget());
        let time = self.time.map(Budget::fixed).or(clock);
        let limited = time.is_some() || self.depth.is_some() || self.nodes.is_some();
        Limits {
            time: time.or((!limited).then_some(Budget::fixed(DEFAULT_TIME))),
            depth: self.depth,
            nodes: self.nodes,
            threads: self.threads.map_or_else(system::threads, usize::from),
            lines: usize::MAX,
        }
    }

    /// Bytes to remember searched positions in.
    pub(super) fn memory(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }
}

pub(super) fn run(args: &BestArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    if let Game::Gore(gore) = game
        && gore.no_trade().is_none()
    {
        return trading::run(args, gore);
    }
    let probe = Arc::new(TableProbe::new(args.place.open(&game)?)?.with_book());
    let asking = Asking::new(args, &game, &probe)?;
    if args.position == STANDARD_INPUT {
        let stop = AtomicBool::new(false);
        return answer_lines(|text| {
            let (position, _) = play(position(text, game)?, &args.moves)?;
            Ok(document(&position, &asking.analyse(&position, &stop)?))
        });
    }
    let (position, repeats) = play(position(&args.position, game)?, &args.moves)?;
    if repeats {
        tell("kpe: note: these moves repeat a position, so a game in play would be over here");
    }
    let stop = interrupt::stop_flag()?;
    let analysis = asking.analyse(&position, &stop)?;
    let mut out = Output::new();
    if args.json {
        out.json(&document(&position, &analysis))?;
    } else {
        advice::print(&position, &analysis, &mut out)?;
    }
    out.finish()?;
    Ok(if stop.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Done })
}

/// The position after these moves, and whether one of theirs came twice (a capture changes the stores, so no position
/// comes again after one, unless pits are paid for).
fn play(start: Position, moves: &[String]) -> Result<(Position, bool), Refused> {
    play_all(start, moves).map(|(seen, repeats)| (seen[seen.len() - 1], repeats))
}

/// The position and those after each of these moves, and whether one of them came twice.
pub(super) fn play_all(start: Position, moves: &[String]) -> Result<(Vec<Position>, bool), Refused> {
    let mut seen = vec![start];
    let mut repeats = false;
    let mut position = start;
    for text in moves {
        let action = position.parse_move(text).map_err(|error| Refused::text("move", text, error))?;
        let outcome = position.play(action).map_err(|error| Refused::Usage(format!("{text}: {error}")))?;
        position = outcome.result;
        repeats |= seen.contains(&position);
        seen.push(position);
    }
    Ok((seen, repeats))
}

/// An engine for rules that are known only now.
type Analyst<'a> = Box<dyn Fn(Board, &Limits, &AtomicBool) -> Result<Analysis, EngineError> + 'a>;

/// What every position is asked with.
struct Asking<'a> {
    analyst: Analyst<'a>,
    probe: &'a Arc<TableProbe>,
    level: Level,
    limits: Limits,
    /// Done when layers are unpacked, or about to be.
    unpacking: Once,
}

impl<'a> Asking<'a> {
    fn new(args: &BestArgs, game: &Game, probe: &'a Arc<TableProbe>) -> anyhow::Result<Self> {
        let memory = args.memory().try_into().unwrap_or(usize::MAX);
        let seen = Seen::new(&**probe, args.level);
        let analyst = match game.layered() {
            Some(Layered::Kpe(rules)) => analyst(rules, seen, memory),
            Some(Layered::Gore(rules)) => analyst(rules, seen, memory),
            None => return Err(Refused::Usage(format!("{game} is not solved by layers")).into()),
        };
        let limits = args.level.limits(&args.limits());
        Ok(Self { analyst: analyst.map_err(of_memory)?, probe, level: args.level, limits, unpacking: Once::new() })
    }

    /// The analysis of a position; none if a table it would rest on is not sound.
    fn analyse(&self, position: &Position, stop: &AtomicBool) -> anyhow::Result<Analysis> {
        let board = position.solver_board().context("a game without trades has boards")?;
        let layer = Layer::of(board);
        // The opening book covers single positions of a layer.
        if self.probe.probe(layer, layer.rank(board)).is_none() {
            self.unpacking.call_once(|| unpack(self.probe, &self.limits));
        }
        let analysis = (self.analyst)(board, &self.limits, stop);
        match self.probe.failure() {
            Some(error) => Err(error.into()),
            None => {
                let mut analysis = analysis?;
                analysis.best = self.level.choose(0, board, &analysis);
                Ok(analysis)
            }
        }
    }
}

/// Unpacks layers for a search: alongside it if it has little time, else before it, so that it is always the same.
pub(super) fn unpack(probe: &Arc<TableProbe>, limits: &Limits) {
    let probe = Arc::clone(probe);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    match (limits.time, one_thread) {
        // Nobody waits for it to finish.
        (Some(_), Ok(pool)) => pool.spawn(move || probe.unpack(UNPACKED_MEMORY)),
        _ => probe.unpack(UNPACKED_MEMORY),
    }
}

fn analyst<'a, R: Rules + 'a>(rules: R, probe: Seen<&'a TableProbe>, memory: usize) -> Result<Analyst<'a>, TableError> {
    let engine = Engine::new(rules, probe, memory)?;
    Ok(Box::new(move |board, limits, stop| engine.analyse(board, None, limits, stop, &mut |_| ())))
}

/// Too little memory asked for is wrong usage; memory that is not to be had is not.
pub(super) fn of_memory(error: TableError) -> anyhow::Error {
    match error {
        TableError::TooSmall { .. } => Refused::Usage(error.to_string()).into(),
        error => error.into(),
    }
}

/// A step of the engine as a move.
pub(super) fn action(step: Step) -> Move {
    step.pit().map_or(Move::Pass, Move::Sow)
}

/// The expected line as text, each move as the player who makes it writes it.
pub(super) fn line(position: &Position, steps: &[Step]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(steps.len());
    for &step in steps {
        texts.push(move_text(&position, action(step)));
        // The engine plays by the same rules; should it not, the line ends there.
        let Ok(outcome) = position.play(action(step)) else { break };
        position = outcome.result;
    }
    texts
}

fn document(position: &Position, analysis: &Analysis) -> BestDocument {
    BestDocument {
        head: Head::new("kpe.best/1", &position.game()),
        position: position.to_string(),
        best: analysis.best.map(|step| move_text(position, action(step))),
        value: analysis.value.0,
        kind: analysis.kind.word(),
        distance: analysis.distance.filter(|_| analysis.value.0 != 0).map(|plies| plies.0),
        line: line(position, &analysis.line),
        source: analysis.source.word(),
        nodes: analysis.nodes,
        depth: analysis.depth,
        moves: analysis.moves.iter().map(|valued| valued_move(position, valued)).collect(),
    }
}

fn valued_move(position: &Position, valued: &MoveAnalysis) -> ValuedMove {
    ValuedMove {
        action: move_text(position, action(valued.step)),
        captured: valued.captured,
        result: result(position, valued.step),
        value: valued.value.0,
        kind: valued.kind.word(),
        distance: valued.distance.map(|plies| plies.0),
    }
}

/// The position after a step, as text.
pub(super) fn result(position: &Position, step: Step) -> String {
    position.play(action(step)).map_or(String::new(), |outcome| outcome.result.to_string())
}
