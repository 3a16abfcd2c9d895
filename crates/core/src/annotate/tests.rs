//! Games whose values tables know.

use std::sync::Arc;

use super::*;
use crate::engine::TableProbe;
use crate::level::{Level, mix};
use crate::player::repetition;
use crate::record::Record;
use crate::rules::Loops;
use crate::table::{TableSet, embedded};

fn player(game: &str, options: &str) -> Player {
    let game = Game::parse(game, options).unwrap();
    let set = TableSet::new(&game.without_trades()).and_embedded(embedded());
    Player::new(&game, Arc::new(TableProbe::new(set).unwrap()), Level::HIGHEST, 16 << 20, 0).unwrap()
}

fn limits() -> Limits {
    Limits { nodes: Some(20_000), ..Limits::default() }
}

fn annotation(playing: &Playing, player: &Player) -> Annotation {
    annotate(playing, player, &limits(), &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap()
}

/// A game of random moves to its end.
fn random_game(start: &str, loops: Loops, seed: u64) -> Playing {
    let mut playing = Playing::new(Position::parse(start, Game::named("kpe").unwrap()).unwrap(), loops);
    let mut random = seed;
    while playing.ending().is_none() {
        random = mix(random);
        let moves = playing.moves();
        playing.play(moves[random as usize % moves.len()]).unwrap();
    }
    playing
}

#[test]
fn the_lead_changes_by_what_a_move_loses() {
    let player = player("kpe", "");
    let (mut turning, mut repeats) = (0, 0);
    for seed in 0..30 {
        let game = random_game("4-3-3-2-3-3-3-3-12-12-S", Loops::Split, seed);
        let annotation = annotation(&game, &player);
        assert!(annotation.is_sure());
        assert_eq!((annotation.plies.len(), annotation.leads.len()), (game.made().len(), game.made().len() + 1));
        let mut sofar = Playing::new(*game.start(), Loops::Split);
        for (ply, leads) in annotation.plies.iter().zip(annotation.leads.windows(2)) {
            sofar.play(ply.made.action).unwrap();
            let may_repeat = sofar.moves().iter().any(|&action| repetition(&sofar, action).is_some());
            let lost = i16::from(ply.lost()) * if ply.made.side == Side::South { -1 } else { 1 };
            // A repetition may save who is to move next, or spoil it for him.
            assert!(may_repeat || leads[1].stones == leads[0].stones + lost, "{ply:?} {leads:?}");
            assert!(may_repeat || ply.is_turning == (leads[0].stones.signum() != leads[1].stones.signum()));
            turning += usize::from(ply.is_turning);
            repeats += usize::from(may_repeat);
        }
        let [south, north] = [Side::South, Side::North].map(|side| annotation.summary(side));
        assert_eq!(south.moves + north.moves, game.made().len());
        let end = game.ending().unwrap().halves.map(i16::from);
        assert_eq!(annotation.leads.last().unwrap().stones, (end[0] - end[1]) / 2);
    }
    assert!(turning > 30 && repeats > 5, "{turning} {repeats}");
}

/// Two searches of neighbouring positions may differ; a row must not.
#[test]
fn an_estimated_lead_is_that_of_the_move_s_own_value() {
    let player = player("kpe", "");
    let record = Record::read("1. C b 2. D d 3. B c 4. A a 5. D c 6. A b 7. B d").unwrap();
    let annotation = annotation(record.playing(), &player);
    assert!(!annotation.is_sure());
    let mut estimates = 0;
    for (ply, after) in annotation.plies.iter().zip(&annotation.leads[1..]).filter(|(_, after)| !after.is_sure) {
        assert_eq!(after.stones, lead(&ply.position, ply.value), "{ply:?}");
        let lost = i16::from(ply.lost()) * if ply.made.side == Side::South { -1 } else { 1 };
        assert_eq!(after.stones, lead(&ply.position, ply.best_value) + lost, "{ply:?}");
        estimates += 1;
    }
    assert!(estimates > 5, "{estimates}");
}

#[test]
fn an_ending_by_repetition_is_worth_its_share() {
    let player = player("kpe", "");
    let stop = AtomicBool::new(false);
    let (mut seen, mut differs) = (0, 0);
    for seed in 0..120 {
        for loops in [Loops::Split, Loops::Own] {
            let game = random_game("1-3-0-2-0-3-1-0-19-19-S", loops, seed);
            let mut sofar = Playing::new(*game.start(), loops);
            for made in game.made() {
                let known = assess(&player, &sofar, &limits(), &stop).unwrap();
                let table = player.analyse(sofar.position(), None, &limits(), &stop, &mut |_| ()).unwrap();
                let best = known.moves.iter().map(|m| m.value).max().unwrap();
                assert_eq!((known.value, known.best), (best, Some(known.moves[0].action)));
                assert_eq!(known.moves.len(), table.moves.len());
                for m in &known.moves {
                    let Some(share) = repetition(&sofar, m.action) else { continue };
                    assert_eq!((i16::from(m.value.0), m.kind), (share / 2, Kind::Exact));
                    assert!(loops == Loops::Own || share == 0);
                    seen += 1;
                    differs += usize::from(table.moves.iter().any(|t| t.action == m.action && t.value != m.value));
                }
                sofar.play(made.action).unwrap();
            }
            let over = assess(&player, &sofar, &limits(), &stop).unwrap();
            let halves = game.ending().unwrap().halves.map(i16::from);
            assert_eq!((over.best, lead(sofar.position(), over.value)), (None, (halves[0] - halves[1]) / 2));
        }
    }
    assert!(seen > 50 && differs > 10, "{seen} {differs}");
}

#[test]
fn offers_are_valued_too() {
    let player = player("gore", "");
    let text = "[Game \"gore\"][Start \"2-3-0-2-2-1-1-1-18-18-S@ABCD\"] offer:A accept a B offer:ac accept offer:BD";
    let record = Record::read(text).unwrap();
    let annotation = annotation(record.playing(), &player);
    assert!(!annotation.is_sure());
    for ply in &annotation.plies {
        assert!(ply.value <= ply.best_value && ply.choices == ply.position.moves().len(), "{ply:?}");
    }
    let stopped = annotate(record.playing(), &player, &limits(), &AtomicBool::new(true), &mut |_| ()).unwrap();
    assert_eq!(stopped, None);
}
