//! Perfect play with tables realises the value: positions played out, not only looked up.
//!
//! Small layers are played out from every position against every defence. That is finite because only the board
//! matters: whatever is reached is checked once. Larger layers are played by sample in whole games under the rules of actual play.

mod common;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use common::{Random, layer};
use kpe::board::Board;
use kpe::engine::Engine;
use kpe::index::Layer;
use kpe::notation::{Position, Side};
use kpe::record::{Playing, Reason};
use kpe::retro::{Observer, solve_pair};
use kpe::rules::gore::NoTrade;
use kpe::rules::kpe::{Feed, Kpe, Unlock};
use kpe::rules::{Game, Loops, Rules};
use kpe::search::{Limits, MemoryTables, Step, TranspositionTable};
use kpe::value::Entry;

/// An engine with the tables of these layers; each must come after those it needs.
fn engine<R: Rules>(rules: R, layers: impl IntoIterator<Item = Layer>) -> Engine<R, MemoryTables> {
    let observer = Observer { stopped: &|| false, progress: &|_| {} };
    let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
    let mut tables = MemoryTables::new();
    for layer in layers {
        if values.contains_key(&layer) {
            continue;
        }
        for solved in solve_pair(rules, layer, |layer| values.get(&layer).map(Vec::as_slice), &observer).unwrap() {
            let entries: Vec<Entry> = solved.entries.to_vec();
            values.insert(solved.layer, entries.iter().map(|entry| entry.value().0).collect());
            tables.insert(solved.layer, entries);
        }
    }
    Engine::new(rules, tables, TranspositionTable::LEAST_BYTES).unwrap()
}

fn best<R: Rules>(engine: &Engine<R, MemoryTables>, board: Board) -> Option<Step> {
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    engine.analyse(board, None, &limits, &AtomicBool::new(false), &mut |_| {}).unwrap().best
}

fn value<R: Rules>(engine: &Engine<R, MemoryTables>, board: Board) -> i8 {
    engine.known(board).expect("the layer is solved").0.0
}

/// A position under examination: the boards the opponent's answers lead to, and how many of them are done.
struct Open {
    board: Board,
    value: i8,
    next: Vec<Board>,
}

/// What the engine's move and every answer to it lead to, each with no less than the value.
fn answers<R: Rules>(engine: &Engine<R, MemoryTables>, board: Board) -> Open {
    let rules = engine.rules();
    let ours = value(engine, board);
    let Some(step) = best(engine, board) else {
        assert_eq!(rules.over(board), Some(ours), "{board:?}");
        return Open { board, value: ours, next: Vec::new() };
    };
    let (theirs, captured) = step.play(rules, board);
    let mut next = Vec::new();
    if let Some(rest) = rules.over(theirs) {
        assert_eq!(captured as i8 - rest, ours, "{board:?} {step:?}");
    }
    for answer in Step::legal(rules, theirs) {
        let (after, taken) = answer.play(rules, theirs);
        assert!(captured as i8 - taken as i8 + value(engine, after) >= ours, "{board:?} {step:?} {answer:?}");
        next.push(after);
    }
    Open { board, value: ours, next }
}

/// Plays every position of the layers out against every defence: no answer takes anything from the value, a finished game has
/// brought it, and no defence holds a player who is better off in a loop. Who is not better off loses nothing by one.
///
/// The number of won positions among them.
fn play_out<R: Rules>(engine: &Engine<R, MemoryTables>, layers: &[Layer]) -> usize {
    // Whether a board is on the line being played; boards not here were never reached.
    let mut on_line: HashMap<Board, bool> = HashMap::new();
    let mut won = 0;
    for &layer in layers {
        for number in 0..layer.positions() {
            let start = layer.unrank(number);
            won += usize::from(value(engine, start) > 0);
            let mut line: Vec<Open> = Vec::new();
            let mut reached = Some(start);
            loop {
                match reached.take().map(|board| (board, on_line.get(&board).copied())) {
                    Some((board, None)) => {
                        on_line.insert(board, true);
                        line.push(answers(engine, board));
                    }
                    Some((board, Some(true))) => {
                        let since = line.iter().position(|open| open.board == board).expect("it is on the line");
                        assert!(line[since..].iter().any(|open| open.value <= 0), "held in a loop: {board:?}");
                    }
                    Some((_, Some(false))) | None => {}
                }
                let Some(last) = line.last_mut() else { break };
                reached = last.next.pop();
                if reached.is_none() {
                    on_line.insert(last.board, false);
                    line.pop();
                }
            }
        }
    }
    won
}

/// The layers with these unsown pits, or none, and up to so many stones, in an order to solve them.
fn layers(masks: &[u8], most: u8) -> Vec<Layer> {
    let of = |mask: u8| (0..=most).filter_map(move |stones| Layer::new(kpe::board::Pits(mask), stones));
    masks.iter().flat_map(|&mask| of(mask)).collect()
}

#[test]
fn every_won_position_of_small_layers_is_won_against_every_defence() {
    let small = layers(&[0], 11);
    for rules in [Kpe::default(), Kpe { feed: Feed::Sown, ..Kpe::default() }] {
        assert!(play_out(&engine(rules, small.clone()), &small) > 10_000);
    }
    let small = layers(&[0], 10);
    assert!(play_out(&engine(NoTrade::default(), small.clone()), &small) > 5_000);
}

#[test]
fn so_is_every_won_position_under_the_lock() {
    let masks = [0, 0x08, 0x80, 0x01, 0x10, 0x88, 0x09, 0x90];
    for rules in [Kpe::default(), Kpe { unlock: Unlock::Next, ..Kpe::default() }] {
        let all = layers(&masks, 14);
        let engine = engine(rules, all.clone());
        let locked: Vec<Layer> = all.into_iter().filter(|layer| !layer.unsown().is_empty()).collect();
        assert!(play_out(&engine, &locked) > 2_000);
    }
}

/// How the losing side defends itself.
#[derive(Clone, Copy, Debug)]
enum Defence {
    Random,
    /// Takes what it can get at once.
    Greedy,
    /// As the tables say: loses as little as possible, as late as possible.
    Stubborn,
    /// Goes where the game has been if it can.
    Circling,
}

fn defend(defence: Defence, engine: &Engine<Kpe, MemoryTables>, game: &Playing, random: &mut Random) -> Step {
    let board = game.position().board();
    let legal: Vec<Step> = Step::legal(engine.rules(), board).collect();
    let any = legal[random.below(legal.len() as u32) as usize];
    match defence {
        Defence::Random => any,
        Defence::Greedy => legal.into_iter().max_by_key(|step| step.play(engine.rules(), board).1).unwrap(),
        Defence::Stubborn => best(engine, board).unwrap(),
        Defence::Circling => {
            let known = |step: &Step| game.has_been(&game.position().play((*step).into()).unwrap().result);
            legal.into_iter().find(known).unwrap_or(any)
        }
    }
}

#[test]
fn a_sample_of_larger_layers_is_won_in_whole_games() {
    let engine = engine(Kpe::default(), (0..=18).step_by(2).map(|stones| layer(0, stones)));
    let mut random = Random(4);
    let mut games = 0;
    while games < 1200 {
        let stones = 14 + 2 * random.below(3) as u8;
        let board = random.board(layer(0, stones));
        let (value, store) = (value(&engine, board), 24 - board.total() / 2);
        if value <= 0 {
            continue;
        }
        let start = Position::new(Game::Kpe(Kpe::default()), Side::South, board, [store; 2], kpe::board::Pits::NONE);
        for defence in [Defence::Random, Defence::Greedy, Defence::Stubborn, Defence::Circling] {
            let mut game = Playing::new(start.unwrap(), Loops::Split);
            while game.ending().is_none() {
                let step = match game.position().side() {
                    Side::South => best(&engine, game.position().board()).unwrap(),
                    Side::North => defend(defence, &engine, &game, &mut random),
                };
                game.play(step.into()).unwrap();
            }
            let ending = game.ending().unwrap();
            let gain = (i16::from(ending.halves[0]) - i16::from(ending.halves[1])) / 2;
            assert!(gain >= i16::from(value), "{board:?} {defence:?} {gain} of {value}");
            if matches!(defence, Defence::Stubborn) {
                assert_eq!((gain, value % 2), (i16::from(value), 0), "{board:?}");
            }
            assert!(ending.reason == Reason::Rules || gain > 0);
            games += 1;
        }
    }
}
