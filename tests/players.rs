//! A player of whole games, who has to choose between going on and coming back.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::Random;
use kpe::engine::TableProbe;
use kpe::index::Layer;
use kpe::level::Level;
use kpe::notation::{Move, Position};
use kpe::player::Player;
use kpe::record::{Playing, Reason};
use kpe::rules::{Game, Loops};
use kpe::search::{Limits, Probe as _};
use kpe::table::{TableSet, embedded};

/// What a move is worth to its mover whose position is irrevocably new, by tables, in stones; `None` of other moves.
fn by_tables(probe: &TableProbe, position: &Position, action: Move) -> Option<i8> {
    let outcome = position.play(action).ok()?;
    if outcome.captured == 0 || outcome.totals.is_some() {
        return None;
    }
    let board = outcome.result.board();
    let layer = Layer::of(board);
    Some(outcome.captured as i8 - probe.probe(layer, layer.rank(board))?.value().0)
}

/// A move that ends the game by repetition and a capture that are worth the same: the game goes on, for the other
/// player may still go wrong.
#[test]
fn a_player_does_not_end_a_game_for_what_going_on_is_worth_too() {
    let game = Game::named("kpe").unwrap();
    let probe = Arc::new(TableProbe::new(TableSet::new(&game).and_embedded(embedded())).unwrap());
    let player = Player::new(&game, Arc::clone(&probe), Level::HIGHEST, 4 << 20, 0).unwrap();
    let mut dice = Random(11);
    let mut met = 0;
    for _ in 0..40_000 {
        let mut pits = [0u8; 8];
        let stones = 2 + 2 * dice.below(4) as u8;
        (0..stones).for_each(|_| pits[dice.below(8) as usize] += 1);
        let text: Vec<String> = pits.iter().map(ToString::to_string).collect();
        let store = (48 - stones) / 2;
        let start = Position::parse(&format!("{}-{store}-{store}-S", text.join("-")), game).unwrap();
        let mut playing = Playing::new(start, Loops::Split);
        while playing.ending().is_none() && playing.made().len() < 40 {
            let moves = playing.moves();
            let back: Vec<Move> = moves.iter().copied().filter(|&action| repeats(&playing, action)).collect();
            let position = playing.position();
            let values: Option<Vec<i8>> = moves
                .iter()
                .filter(|action| !back.contains(action))
                .map(|&action| by_tables(&probe, position, action))
                .collect();
            // Nothing depends on the game so far if every other move captures.
            if !back.is_empty() && values.is_some_and(|values| values.iter().max() == Some(&0)) {
                let stop = AtomicBool::new(false);
                let choice = player.choose(&playing, None, &Limits::default(), &stop, &mut |_| ()).unwrap().unwrap();
                assert!(!back.contains(&choice.action), "{position}: {:?} of {back:?}", choice.action);
                met += 1;
            }
            playing.play(moves[dice.below(moves.len() as u32) as usize]).unwrap();
        }
        if met == 5 {
            break;
        }
    }
    assert!(met > 0);
}

/// Whether a move ends the game by repetition.
fn repeats(playing: &Playing, action: Move) -> bool {
    let mut end = playing.clone();
    end.play(action).is_ok() && end.ending().is_some_and(|ending| ending.reason == Reason::Repetition)
}
