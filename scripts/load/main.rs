//! How many requests `kpe serve` answers, how fast, and whether bad clients hinder good ones; or, for a long time, whether
//! its memory stays and every answer is right; or the same of `kpe engine` in many games.
//!
//! ```sh
//! cargo build --release && cargo run --release --example load -- --tables DIRECTORY
//! cargo build --release && cargo run --release --example load -- --tables DIRECTORY --soak 1h
//! cargo build --release && cargo run --release --example load -- --tables DIRECTORY --games 1000 --game gore
//! ```
//!
//! The server is a process of its own, on the same machine; what it says counts for both together.

mod bad;
mod client;
mod games;
mod server;
mod soak;
mod speed;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use kpe::notation::Position;
use kpe::rules::Game;

use server::Server;

/// Put load on kpe serve and measure it
#[derive(Parser)]
struct Args {
    /// Directory of tables
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The program to start [default: the one of the same build]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Clients that ask at the same time, each as soon as it has its answer
    #[arg(long, value_name = "N", default_value_t = 32)]
    clients: usize,
    /// Different positions to ask for
    #[arg(long, value_name = "N", default_value_t = 4096)]
    positions: usize,
    /// Seconds of each measurement
    #[arg(long, value_name = "N", default_value_t = 10)]
    seconds: u64,
    /// Mixed load for so long, such as 1h, 10m or 30s, instead of measurements
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    soak: Option<Duration>,
    /// Requests a second while soaking
    #[arg(long, value_name = "N", default_value_t = 200)]
    rate: u32,
    /// So many games of two engine processes instead of load on a server
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// The game they play
    #[arg(long, value_name = "GAME", default_value = "kpe")]
    game: String,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let expected = || format!("{text:?} is no time, expected a number of h, m or s");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(expected)?;
    let seconds = match unit {
        "h" => 3600,
        "m" => 60,
        "s" => 1,
        _ => return Err(expected()),
    };
    number.parse::<u64>().map(|number| Duration::from_secs(number * seconds)).map_err(|_| expected())
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let (program, tables) = (args.program.as_deref(), args.tables.as_deref());
    if let Some(games) = args.games {
        return Ok(exit_code(games::run(program, tables, &args.game, games)?));
    }
    let server = Server::start(program, tables)?;
    let positions = positions(args.positions);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let good = match args.soak {
        Some(time) => runtime.block_on(soak::run(&server, &positions, time, args.rate))?,
        None => runtime.block_on(speed::run(&server, &positions, args.clients, Duration::from_secs(args.seconds)))?,
    };
    Ok(exit_code(good))
}

fn exit_code(good: bool) -> ExitCode {
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Different positions of random games of Kpé, the same on every run.
fn positions(count: usize) -> Vec<String> {
    let start = Position::start(Game::named("kpe").expect("a game"));
    let mut seed = 1u64;
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    while found.len() < count {
        let mut position = start;
        for _ in 0..80 {
            let outcomes = position.outcomes();
            if outcomes.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position = outcomes[(seed >> 33) as usize % outcomes.len()].result;
            if found.len() < count && seen.insert(position) {
                found.push(position.to_string());
            }
        }
    }
    found
}
