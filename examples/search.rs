//! The best move of a position after a search of so many nodes: `cargo run --release --example search [POSITION [NODES]]`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kpe::engine::TableProbe;
use kpe::level::Level;
use kpe::notation::Position;
use kpe::player::Player;
use kpe::rules::Game;
use kpe::search::Limits;
use kpe::table::{TableSet, embedded};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::named("kpe")?;
    let position = Position::parse(&arguments.next().unwrap_or("7-1-8-8-0-8-8-8-0-0-S:ACDbcd".to_owned()), game)?;
    let nodes = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let probe = TableProbe::new(TableSet::new(&game).and_embedded(embedded()))?;
    // Small layers are quick to ask once they are unpacked.
    probe.unpack(64 << 20);
    let player = Player::new(&game, Arc::new(probe), Level::HIGHEST, 64 << 20, 0)?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let found = player.analyse(&position, None, &limits, &stop, &mut |progress| {
        eprintln!("depth {}, {} nodes", progress.depth, progress.nodes);
    })?;
    let best = found.best.ok_or("the game is over")?;
    println!("best move {}, value {} ({})", best.text(position.side()), found.value, found.kind.word());
    let mut position = position;
    for action in found.line {
        print!("{} ", action.text(position.side()));
        position = position.play(action)?.result;
    }
    println!();
    Ok(())
}
