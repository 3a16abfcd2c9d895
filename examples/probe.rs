//! Value and distance of a position from the tables in the program: `cargo run --example probe [POSITION]`.

use kpe::index::Layer;
use kpe::notation::Position;
use kpe::rules::Game;
use kpe::table::{TableSet, embedded};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or("0-3-8-1-2-4-1-3-12-14-N".to_owned());
    let game = Game::named("kpe")?;
    let position = Position::parse(&text, game)?;
    // What tables know is a board from the view of the player to move, and nothing else.
    let board = position.solver_board().ok_or("Goré with trades has no tables")?;
    let set = TableSet::new(&game).and_embedded(embedded());
    let layer = Layer::of(board);
    let entry = set.require(layer)?.probe(layer, layer.rank(board))?;
    println!("{} to move: value {}, distance {} plies", position.side(), entry.value(), entry.distance().0);
    Ok(())
}
