//! `kpe match`: levels of this program and other programs play each other.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Args, ValueEnum};
use kpe::arena::{
    Adjudication, Allowance, Conduct, Contestant, External, GameRecord, Internal, Match, Outcome, Score, Sprt,
    StartError, adjudication::Agreement, openings, play_match,
};
use kpe::document::Head;
use kpe::engine::{TableProbe, UNPACKED_MEMORY};
use kpe::level::Level;
use kpe::notation::{Position, Side};
use kpe::player::Player;
use kpe::rules::options::Choice;
use kpe::rules::{Game, Loops};
use kpe::search::Clock;
use serde::Serialize;

use super::args::{PlaceArgs, RulesArgs, position};
use super::exit::{Refused, Status};
use super::output::Output;
use super::progress::tell;
use super::units::{decimal, number, parse_size, parse_time};
use super::{input, interrupt, system};

/// Nodes for a move nobody set a limit to.
const DEFAULT_NODES: u64 = 20_000;
/// Time between two lines about how far the match is.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// The agreement that ends a game: eight stones ahead for both, six moves long.
const AGREEMENT: Agreement = Agreement { stones: 8, plies: 6 };

/// Let two contestants play many games and say who is stronger
///
/// The contestants are levels of this program (--level) and programs that speak the protocol of `kpe engine`
/// (--engine), two in all. Every opening is played twice, with sides exchanged. Without a limit a move takes 20000 nodes.
/// With --elo0 and --elo1 a sequential test ends the match as soon as it is decided.
#[derive(Args)]
pub(super) struct MatchArgs {
    /// A program and its arguments that speaks the protocol
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// A level of this program, 1 to 10
    #[arg(long, value_name = "N")]
    level: Vec<Level>,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    test: TestArgs,
    /// Games played at the same time [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    concurrency: Option<u16>,
    /// What ends a game before its end
    #[arg(long, value_name = "WHEN", default_value = "tables")]
    adjudicate: Adjudicate,
    /// What happens to the stones left when a game repeats itself
    #[arg(long, default_value = "split", value_parser = ["split", "own"])]
    loops: String,
    /// Memory of a level for searched positions
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = parse_size)]
    memory: u64,
    /// Write every game and the result to this file, one JSON document a line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

/// What games begin with.
#[derive(Args)]
#[command(next_help_heading = "Openings")]
struct OpeningArgs {
    /// Plies from the start to the openings
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u32>(0..=u32::MAX))]
    plies: u32,
    /// So many random openings in place of all there are
    #[arg(long, value_name = "COUNT", conflicts_with = "openings", value_parser = number::<usize>(1..=openings::MOST_OPENINGS))]
    random: Option<usize>,
    /// Decides random openings and what levels get wrong
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Positions from a file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    openings: Option<PathBuf>,
    /// At most so many games, from openings spread evenly
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=u32::MAX))]
    games: Option<u32>,
}

/// What a move may cost.
#[derive(Args)]
#[command(next_help_heading = "Limits of a move")]
struct LimitArgs {
    /// Time for every move, such as 100ms
    #[arg(long, value_parser = parse_time, conflicts_with = "clock")]
    time: Option<Duration>,
    /// Time for a whole game of each player, such as 5m
    #[arg(long, value_parser = parse_time)]
    clock: Option<Duration>,
    /// Time added to a player's clock for each of his moves
    #[arg(long, value_parser = parse_time, requires = "clock")]
    increment: Option<Duration>,
    /// Plies to search
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=u8::MAX))]
    depth: Option<u8>,
    /// Nodes to search
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    nodes: Option<u64>,
    /// Time another program may take for a move limited by nodes or plies
    #[arg(long, default_value = "60s", value_parser = parse_time)]
    patience: Duration,
}

/// The sequential test.
#[derive(Args)]
#[command(next_help_heading = "Sequential probability ratio test")]
struct TestArgs {
    /// Elo difference of the hypothesis that nothing is gained
    #[arg(long, requires = "elo1", allow_negative_numbers = true, value_parser = decimal(-1e4..=1e4))]
    elo0: Option<f64>,
    /// Elo difference of the hypothesis that something is
    #[arg(long, requires = "elo0", allow_negative_numbers = true, value_parser = decimal(-1e4..=1e4))]
    elo1: Option<f64>,
    /// Probability to accept elo1 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = decimal(0.0..=1.0))]
    alpha: f64,
    /// Probability to accept elo0 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = decimal(0.0..=1.0))]
    beta: f64,
}

/// What ends a game before its end.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Adjudicate {
    /// Tables know the position
    Tables,
    /// Both contestants have long been sure of the same winner
    Agreement,
    /// Either of the two
    Both,
    /// Nothing
    Off,
}

#[derive(Serialize)]
struct GameDocument<'a> {
    #[serde(flatten)]
    head: Head,
    number: usize,
    opening: String,
    south: &'a str,
    north: &'a str,
    moves: &'a [String],
    winner: Option<char>,
    halves: Option<[u8; 2]>,
    reason: &'static str,
    thought_ms: [u64; 2],
}

#[derive(Serialize)]
struct MatchDocument<'a> {
    #[serde(flatten)]
    head: Head,
    contestants: &'a [String; 2],
    openings: usize,
    complete: bool,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: [Option<i64>; 3],
    llr: Option<i64>,
    test: Option<&'static str>,
}

pub(super) fn run(args: &MatchArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    let names = args.names()?;
    let loops = Loops::parse(&args.loops).map_err(Refused::from)?;
    let openings = args.openings.positions(game)?;
    let sprt = args.test.sprt()?;
    let probe = Arc::new(TableProbe::new(args.place.open(&game.without_trades())?)?.with_book());
    let unpacked = OnceLock::new();
    let by_tables = matches!(args.adjudicate, Adjudicate::Tables | Adjudicate::Both);
    let by_agreement = matches!(args.adjudicate, Adjudicate::Agreement | Adjudicate::Both);
    let adjudication =
        Adjudication { tables: by_tables.then_some(&*probe), agreement: by_agreement.then_some(AGREEMENT) };
    let conduct = Conduct { loops, allowance: args.limits.allowance(), adjudication, most_plies: None };
    let concurrency = args.concurrency.map_or_else(system::threads, usize::from);
    let the_match = Match { openings: &openings, conduct, concurrency, sprt };
    let stop = interrupt::stop_flag()?;
    let make = |number: usize| -> Result<Box<dyn Contestant>, StartError> {
        match args.engine.get(number) {
            Some(command) => Ok(Box::new(External::start(command, &game, loops, args.limits.patience)?)),
            None => {
                unpacked.get_or_init(|| probe.unpack(UNPACKED_MEMORY));
                let level = args.level[number - args.engine.len()];
                let memory = args.memory.try_into().unwrap_or(usize::MAX);
                let seed = args.openings.seed.wrapping_add(number as u64);
                Ok(Box::new(Internal::new(Player::new(&game, Arc::clone(&probe), level, memory, seed)?)))
            }
        }
    };
    let mut report = Report::new(args, game, &names, openings.len())?;
    let outcome = play_match(&the_match, &make, &stop, &mut |record, score| report.game(record, score))?;
    report.finish(&outcome, sprt)?;
    Ok(if stop.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Done })
}

impl MatchArgs {
    /// The names of both contestants, engines first.
    fn names(&self) -> Result<[String; 2], Refused> {
        let levels = self.level.iter().map(|level| format!("level {level}"));
        let names: Vec<String> = self.engine.iter().cloned().chain(levels).collect();
        let count = names.len();
        let found = format!("{count} {}", if count == 1 { "contestant" } else { "contestants" });
        let wrong = |_| {
            Refused::Usage(format!(
                "found {found}, expected two: --level N, --engine COMMAND, either one given twice, or one of each"
            ))
        };
        names.try_into().map_err(wrong)
    }
}

impl OpeningArgs {
    fn positions(&self, game: Game) -> anyhow::Result<Vec<Position>> {
        let refused = |error: openings::OpeningError| Refused::Usage(error.to_string());
        let mut positions = match (&self.openings, self.random) {
            (Some(path), _) => read(path, game)?,
            (None, Some(count)) => openings::random(game, self.plies, count, self.seed).map_err(refused)?,
            (None, None) => openings::all(game, self.plies).map_err(refused)?,
        };
        let wanted = self.games.map_or(positions.len(), |games| games as usize / 2);
        if wanted < positions.len() {
            positions = (0..wanted).map(|at| positions[at * positions.len() / wanted]).collect();
        }
        Ok(positions)
    }
}

/// The positions of a file, empty lines and those after `#` left out.
fn read(path: &Path, game: Game) -> anyhow::Result<Vec<Position>> {
    let text = input::read_text(path, 256, "positions, one a line")?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let positions = lines.map(|line| position(line, game)).collect::<Result<Vec<_>, _>>()?;
    if positions.is_empty() {
        return Err(Refused::Usage(format!("no position in {}", path.display())).into());
    }
    Ok(positions)
}

impl LimitArgs {
    fn allowance(&self) -> Allowance {
        let increment = self.increment.unwrap_or_default();
        let clock = self.clock.map(|remaining| Clock { remaining, increment, moves_to_go: None });
        let limited = self.time.is_some() || clock.is_some() || self.depth.is_some() || self.nodes.is_some();
        Allowance {
            time: self.time,
            clocks: clock.map(|clock| [clock; 2]),
            depth: self.depth,
            nodes: self.nodes.or((!limited).then_some(DEFAULT_NODES)),
        }
    }
}

impl TestArgs {
    fn sprt(&self) -> Result<Option<Sprt>, Refused> {
        let (Some(elo0), Some(elo1)) = (self.elo0, self.elo1) else { return Ok(None) };
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta);
        sprt.map(Some).map_err(|error| Refused::Usage(error.to_string()))
    }
}

/// What is told of a match, as it goes on and in the end.
struct Report<'a> {
    game: Game,
    names: &'a [String; 2],
    openings: usize,
    json: bool,
    log: Option<BufWriter<File>>,
    /// Why the log could not be written.
    failure: Option<std::io::Error>,
    told: Instant,
}

impl<'a> Report<'a> {
    fn new(args: &MatchArgs, game: Game, names: &'a [String; 2], openings: usize) -> anyhow::Result<Self> {
        let open = |path: &PathBuf| File::create(path).with_context(|| path.display().to_string());
        let log = args.log.as_ref().map(open).transpose()?.map(BufWriter::new);
        Ok(Self { game, names, openings, json: args.json, log, failure: None, told: Instant::now() })
    }

    /// A game has ended; the score is that of finished pairs.
    fn game(&mut self, record: &GameRecord, score: &Score) {
        let document = GameDocument {
            head: Head::new("kpe.game/1", &self.game),
            number: record.number,
            opening: record.opening.to_string(),
            south: &self.names[record.south],
            north: &self.names[1 - record.south],
            moves: &record.moves,
            winner: record.result.winner.map(Side::letter),
            halves: record.result.halves,
            reason: record.result.verdict.word(),
            thought_ms: record.thought.map(|time| time.as_millis() as u64),
        };
        self.failure = self.failure.take().or(write(&mut self.log, &document).err());
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            tell(&format!("{} of {} games, {}", score.games(), 2 * self.openings, line(score)));
        }
    }

    fn finish(mut self, outcome: &Outcome, sprt: Option<Sprt>) -> anyhow::Result<()> {
        let Outcome { score, complete } = *outcome;
        let elo = score.elo();
        let whole = |elo: f64| elo.is_finite().then(|| elo.round() as i64);
        let document = MatchDocument {
            head: Head::new("kpe.match/1", &self.game),
            contestants: self.names,
            openings: self.openings,
            complete,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            pairs: score.pairs,
            elo: [elo.difference, elo.low, elo.high].map(whole),
            llr: sprt.map(|sprt| (sprt.llr(&score) * 1000.0).round() as i64),
            test: sprt.map(|sprt| sprt.state(&score).word()),
        };
        let written = write(&mut self.log, &document);
        let mut flushed = Ok(());
        if let Some(log) = &mut self.log {
            flushed = log.flush();
        }
        self.failure.take().map_or(Ok(()), Err).and(written).and(flushed).context("the log of the match")?;
        let mut out = Output::new();
        if self.json {
            out.json(&document)?;
        } else {
            out.line(format!("{} against {}", self.names[0], self.names[1]))?;
            out.line(format!("{} games, {}", score.games(), line(&score)))?;
            out.line(format!("pairs with 0, 1/2, 1, 3/2, 2 points: {}", score.pairs.map(|n| n.to_string()).join(" ")))?;
            if let Some(sprt) = sprt {
                let ([low, high], llr) = (sprt.bounds(), sprt.llr(&score));
                out.line(format!("LLR {llr:.2} [{low:.2}, {high:.2}], {}", sprt.state(&score).word()))?;
            }
        }
        out.finish()?;
        Ok(())
    }
}

fn line(score: &Score) -> String {
    let Score { wins, draws, losses, .. } = score;
    format!("+{wins} ={draws} -{losses}, {:.1} %, Elo {}", 100.0 * score.mean(), score.elo())
}

fn write(log: &mut Option<BufWriter<File>>, document: &impl Serialize) -> std::io::Result<()> {
    let Some(log) = log else { return Ok(()) };
    serde_json::to_writer(&mut *log, document)?;
    log.write_all(b"\n")
}
