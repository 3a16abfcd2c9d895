//! `kpe best`: the best move of a position and what every move is worth.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use kpe::document::Best;
use kpe::engine::{TableProbe, UNPACKED_MEMORY};
use kpe::index::Layer;
use kpe::level::Level;
use kpe::notation::{ParseError, Position};
use kpe::player::{Assessment, Player};
use kpe::rules::Game;
use kpe::search::{Budget, Clock, Limits, Probe};

use super::args::{PlaceArgs, RulesArgs, STANDARD_INPUT, position};
use super::batch::answer_lines;
use super::exit::{Refused, Status};
use super::output::Output;
use super::progress::tell;
use super::units::{number, parse_size, parse_time};
use super::{advice, interrupt, system, trading};

/// Time for a search nobody set a limit to.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Memory of the transposition table nobody set a limit to, and of that of a short search: to take more from the system than
/// the search can fill would only cost it time.
const DEFAULT_MEMORY: u64 = 256 << 20;
const LEAST_MEMORY: u64 = 16 << 20;
/// Bytes that a node of a search fills at most, nearly.
const NODE_BYTES: u64 = 16;
/// Nodes a thread searches in a millisecond on a fast machine.
const NODES_A_MILLISECOND: u64 = 20_000;

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
    /// Moves to play from the position first, with spaces or commas between them
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ',')]
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
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=u8::MAX))]
    depth: Option<u8>,
    /// Positions to search; with one thread the answer is the same every time
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    nodes: Option<u64>,
    /// Threads to search with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Play as a level from 1, a beginner, to 10, which sees everything
    #[arg(long, value_name = "N", default_value_t, hide_default_value = true)]
    level: Level,
    /// Memory to remember searched positions in [default: 256MiB, less for a short search]
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
            ..Limits::default()
        }
    }

    /// Bytes to remember searched positions in.
    pub(super) fn memory(&self) -> u64 {
        let limits = self.limits();
        let in_time = limits.time.map(|time| {
            let milliseconds = time.hard.as_millis().try_into().unwrap_or(u64::MAX);
            milliseconds.saturating_mul(NODES_A_MILLISECOND).saturating_mul(limits.threads as u64)
        });
        let nodes = limits.nodes.into_iter().chain(in_time).min().unwrap_or(u64::MAX);
        self.memory.unwrap_or_else(|| nodes.saturating_mul(NODE_BYTES).clamp(LEAST_MEMORY, DEFAULT_MEMORY))
    }
}

pub(super) fn run(args: &BestArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    let probe = Arc::new(TableProbe::new(args.place.open(&game.without_trades())?)?.with_book());
    let asking = Asking::new(args, &game, &probe)?;
    if args.position == STANDARD_INPUT {
        let stop = AtomicBool::new(false);
        return answer_lines(|text| {
            let positions = play(position(text, game)?, &args.moves)?;
            Ok(Best::new(&asking.assess(&positions, &stop)?))
        });
    }
    let positions = play(position(&args.position, game)?, &args.moves)?;
    if repeats(&positions) {
        tell("kpe: note: these moves repeat a position, so a game in play would be over here");
    }
    let stop = interrupt::stop_flag()?;
    let assessment = asking.assess(&positions, &stop)?;
    let mut out = Output::new();
    match (args.json, game.layered()) {
        (true, _) => out.json(&Best::new(&assessment))?,
        (false, Some(_)) => advice::print(&assessment, &mut out)?,
        (false, None) => trading::print(&assessment, &mut out)?,
    }
    out.finish()?;
    Ok(if stop.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Done })
}

/// The positions of a game: before each of these moves, and after the last.
fn play(start: Position, moves: &[String]) -> Result<Vec<Position>, Refused> {
    let mut positions = vec![start];
    let mut position = start;
    for (number, text) in (1..).zip(moves) {
        let wrong = |error: ParseError| Refused::Move { number, drawn: error.caret(text), error };
        let action = position.parse_move(text).map_err(wrong)?;
        let outcome =
            position.play(action).map_err(|error| Refused::Usage(format!("move {number}: {text}: {error}")))?;
        position = outcome.result;
        positions.push(position);
    }
    Ok(positions)
}

/// Whether a position came twice (a capture changes the stores, so none comes again after one, unless pits are paid for).
fn repeats(positions: &[Position]) -> bool {
    let mut seen = HashSet::new();
    !positions.iter().all(|position| seen.insert(position))
}

/// What every position is asked with.
struct Asking<'a> {
    player: Player,
    probe: &'a Arc<TableProbe>,
    limits: Limits,
    /// Done when layers are unpacked, or about to be.
    unpacking: Once,
}

impl<'a> Asking<'a> {
    fn new(args: &BestArgs, game: &Game, probe: &'a Arc<TableProbe>) -> anyhow::Result<Self> {
        let memory = args.memory().try_into().unwrap_or(usize::MAX);
        let player = Player::new(game, Arc::clone(probe), args.level, memory, 0)?;
        Ok(Self { player, probe, limits: args.limits(), unpacking: Once::new() })
    }

    /// What is known of the last position of a game; nothing if a table it would rest on is not sound.
    fn assess(&self, positions: &[Position], stop: &AtomicBool) -> anyhow::Result<Assessment> {
        let (position, earlier) = positions.split_last().context("a game has a position to begin with")?;
        // The opening book covers single positions of a layer.
        let known = position.solver_board().is_some_and(|board| {
            let layer = Layer::of(board);
            self.probe.probe(layer, layer.rank(board)).is_some()
        });
        if !known {
            self.unpacking.call_once(|| unpack(self.probe, &self.player.level().limits(&self.limits)));
        }
        let assessment = self.player.analyse_after(earlier, position, None, &self.limits, stop, &mut |_| ())?;
        let best = self.player.pick(&assessment);
        Ok(assessment.with_best(best))
    }
}

/// Unpacks layers for a search: alongside it if it has little time, else before it, so that it is always the same.
pub(super) fn unpack(probe: &Arc<TableProbe>, limits: &Limits) {
    let probe = Arc::clone(probe);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    match (limits.time, one_thread) {
        // Nobody waits for it to finish.
        (Some(_), Ok(pool)) => pool.spawn(move || probe.unpack(UNPACKED_MEMORY)),
        // A search goes on without it.
        (Some(_), Err(_)) => {}
        (None, _) => probe.unpack(UNPACKED_MEMORY),
    }
}
