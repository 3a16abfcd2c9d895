//! Games against a player who moves at random: `cargo run --release --example against_random -- GAME OPTIONS GAMES TIME [SEED]`.
//!
//! GAME is `kpe` or `gore`, OPTIONS rule options such as `trade=on` (or `-`), TIME the engine's time a move such as `50ms`.
//! The engine has the tables that are in the program, plays South in every second game, and one game runs on each
//! processor at a time. Ends with status 1 if the engine loses a game.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kpe::engine::TableProbe;
use kpe::level::Level;
use kpe::notation::{Position, Side};
use kpe::player::Player;
use kpe::record::Playing;
use kpe::rules::{Game, Loops};
use kpe::search::{Budget, Limits};
use kpe::table::{TableSet, embedded};
use rayon::prelude::*;

/// A finished game.
struct Played {
    /// South's and North's totals in half stones.
    halves: [u8; 2],
    engine: Side,
    plies: usize,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, game, options, games, time, ..] = &arguments[..] else { return Err("GAME OPTIONS GAMES TIME".into()) };
    let game = Game::parse(game, if options == "-" { "" } else { options })?;
    let games: u64 = games.parse()?;
    let time = Duration::from_millis(time.strip_suffix("ms").ok_or("a time is given as 50ms")?.parse()?);
    let seed: u64 = arguments.get(5).map_or(Ok(1), |text| text.parse())?;
    let probe = Arc::new(TableProbe::new(TableSet::new(&game.without_trades()).and_embedded(embedded()))?.with_book());
    probe.unpack(64 << 20);
    let begin = Instant::now();
    let play = |number| play(&game, &probe, time, seed.wrapping_mul(1_000_003) + number);
    let played: Vec<Played> = (0..games).into_par_iter().map(play).collect::<Result<_, String>>()?;
    let result = |played: &Played| {
        let [south, north] = played.halves;
        let [own, other] = if played.engine == Side::South { [south, north] } else { [north, south] };
        own.cmp(&other)
    };
    let count = |wanted| played.iter().filter(|played| result(played) == wanted).count();
    let [won, drawn, lost] =
        [std::cmp::Ordering::Greater, std::cmp::Ordering::Equal, std::cmp::Ordering::Less].map(count);
    let plies: usize = played.iter().map(|played| played.plies).sum();
    println!(
        "{} {game}: {games} games, {} a move: {won} won, {drawn} drawn, {lost} lost; {plies} plies, {:.0} s",
        game.name(),
        arguments[4],
        begin.elapsed().as_secs_f64()
    );
    Ok(ExitCode::from(u8::from(lost > 0)))
}

fn play(game: &Game, probe: &Arc<TableProbe>, time: Duration, seed: u64) -> Result<Played, String> {
    let player =
        Player::new(game, Arc::clone(probe), Level::HIGHEST, 32 << 20, 0).map_err(|error| error.to_string())?;
    let engine = if seed % 2 == 0 { Side::South } else { Side::North };
    let limits = Limits { time: Some(Budget::fixed(time)), ..Limits::default() };
    let mut playing = Playing::new(Position::start(*game), Loops::Split);
    let mut state = seed;
    while playing.ending().is_none() {
        let action = if playing.position().side() == engine {
            let choice = player.choose(&playing, None, &limits, &AtomicBool::new(false), &mut |_| ());
            choice.map_err(|error| error.to_string())?.ok_or("a game that goes on has a move")?.action
        } else {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves = playing.moves();
            moves[(state >> 33) as usize % moves.len()]
        };
        playing.play(action).map_err(|error| error.to_string())?;
    }
    let halves = playing.ending().map_or([48; 2], |ending| ending.halves);
    Ok(Played { halves, engine, plies: playing.made().len() })
}
