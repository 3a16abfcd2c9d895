//! Whole games of Goré with trades, and what the engine says of trades.

mod common;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::Random;
use kpe::board::{Board, Pit, Pits};
use kpe::engine::{Prospect, TableProbe, TradeEngine};
use kpe::rules::gore::{Gore, State, Trade};
use kpe::rules::{Game, Move};
use kpe::search::trade::Earlier;
use kpe::search::{Budget, Limits, NoTables};
use kpe::table::{TableSet, embedded};
use kpe::value::{Kind, Value};

const MEMORY: usize = 16 << 20;

fn tables(gore: Gore) -> TableProbe {
    let without = Game::Gore(Gore { trade: Trade::Off, ..gore });
    let probe = TableProbe::new(TableSet::new(&without).and_embedded(embedded())).unwrap();
    probe.unpack(64 << 20);
    probe
}

/// A player: names a move of a position in a game that had others before.
type Player<'a> = &'a mut dyn FnMut(State, &[Earlier]) -> Move;

/// Plays a game to its end; the first player's total minus the second's, and the plies played.
fn play(gore: Gore, players: [Player<'_>; 2]) -> (i8, usize) {
    let (mut state, mut turn) = (Gore::start(), 0);
    let mut seen: Vec<(State, usize)> = Vec::new();
    let sign = |turn: usize| if turn == 0 { 1 } else { -1 };
    for plies in 0.. {
        if let Some(value) = gore.over(state) {
            return (sign(turn) * value, plies);
        }
        // RULES 3.6: a position that comes back ends the game, and what is left is shared.
        if seen.contains(&(state, turn)) {
            return (sign(turn) * (state.own_store as i8 - state.other_store as i8), plies);
        }
        let earlier: Vec<Earlier> =
            seen.iter().map(|&(state, whose)| Earlier { state, turned: whose != turn }).collect();
        seen.push((state, turn));
        let action = players[turn](state, &earlier);
        assert!(gore.is_legal(state, action), "{action:?} in {state:?}");
        state = gore.play(state, action).state;
        turn ^= usize::from(!action.is_answer());
    }
    unreachable!("there are finitely many positions")
}

fn random(random: &mut Random) -> impl FnMut(State, &[Earlier]) -> Move {
    |state, _| {
        let moves: Vec<Move> = Gore::default().moves(state).collect();
        moves[random.below(moves.len() as u32) as usize]
    }
}

/// Games against a random player, the engine first in every other one: won, drawn, lost.
fn against_random(games: usize, limits: &Limits) -> [usize; 3] {
    let gore = Gore::default();
    let probe = tables(gore);
    let engine = TradeEngine::new(gore, &probe, MEMORY).unwrap();
    let mut searching = |state, earlier: &[Earlier]| {
        let analysis = engine.analyse(state, earlier, None, limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
        analysis.best.expect("the game goes on")
    };
    let mut dice = Random(2024);
    let mut results = [0; 3];
    for game in 0..games {
        let mut rolling = random(&mut dice);
        let (lead, plies) = if game % 2 == 0 {
            play(gore, [&mut searching, &mut rolling])
        } else {
            let (lead, plies) = play(gore, [&mut rolling, &mut searching]);
            (-lead, plies)
        };
        results[(1 - lead.signum()) as usize] += 1;
        if lead <= 0 {
            println!("game {game}: {lead} after {plies} plies");
        }
    }
    results
}

#[test]
fn a_short_search_does_not_lose_to_chance() {
    let results = against_random(40, &Limits { nodes: Some(5_000), ..Limits::default() });
    assert_eq!(results[2], 0, "{results:?}");
}

/// `cargo test --release --test trading -- --ignored --nocapture nodes`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_games_at_twenty_thousand_nodes_without_a_loss() {
    let results = against_random(1000, &Limits { nodes: Some(20_000), ..Limits::default() });
    println!("won {}, drawn {}, lost {}", results[0], results[1], results[2]);
    assert_eq!(results[2], 0);
}

/// `cargo test --release --test trading -- --ignored --nocapture milliseconds`
#[test]
#[ignore = "takes a quarter of an hour on one core"]
fn a_thousand_games_at_fifty_milliseconds_without_a_loss() {
    let limits = Limits { time: Some(Budget::fixed(Duration::from_millis(50))), ..Limits::default() };
    let results = against_random(1000, &limits);
    println!("won {}, drawn {}, lost {}", results[0], results[1], results[2]);
    assert_eq!(results[2], 0);
}

#[test]
fn a_game_between_two_engines_ends() {
    let gore = Gore::default();
    for nodes in [200, 1000, 4000] {
        let engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
        let player = |nodes| {
            let engine = &engine;
            move |state, earlier: &[Earlier]| {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let analysis =
                    engine.analyse(state, earlier, None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
                analysis.best.expect("the game goes on")
            }
        };
        let (_, plies) = play(gore, [&mut player(nodes), &mut player(nodes + 50)]);
        assert!(plies < 2000, "{plies} plies");
    }
}

fn state(pits: [u8; 8], owned: u8, [own_store, other_store]: [u8; 2]) -> State {
    State { board: Board::new(pits, Pits(owned)), own_store, other_store, offered: Pits::NONE }
}

#[test]
fn every_legal_move_is_valued_the_best_first() {
    let gore = Gore::default();
    let engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
    let state = state([4, 1, 0, 2, 3, 3, 0, 5], 0x0f, [12, 18]);
    let analysis = engine.analyse(
        state,
        &[],
        None,
        &Limits { depth: Some(6), ..Limits::default() },
        &AtomicBool::new(false),
        &mut |_| (),
    );
    let analysis = analysis.unwrap();
    let mut left: Vec<Move> = gore.moves(state).collect();
    assert_eq!((analysis.best, analysis.line[0]), (Some(analysis.moves[0].action), analysis.moves[0].action));
    assert!(analysis.moves.is_sorted_by(|a, b| a.value >= b.value));
    for m in &analysis.moves {
        assert_eq!(gore.play(state, m.action).state, m.state);
        left.retain(|&action| action != m.action);
    }
    assert!(left.is_empty(), "{left:?}");
    let mut now = state;
    for action in analysis.line {
        assert!(gore.is_legal(now, action));
        now = gore.play(now, action).state;
    }
}

#[test]
fn one_thread_with_a_limit_of_nodes_or_turns_is_reproducible() {
    let gore = Gore::default();
    let mut engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
    let state = state([4, 1, 0, 2, 3, 3, 0, 5], 0x2d, [12, 18]);
    for limits in [
        Limits { nodes: Some(30_000), ..Limits::default() },
        Limits { depth: Some(7), lines: 3, ..Limits::default() },
        Limits { nodes: Some(1), ..Limits::default() },
    ] {
        let mut run = || {
            engine.clear();
            engine.analyse(state, &[], None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap()
        };
        let analysis = run();
        assert_eq!(analysis, run());
        assert!(limits.nodes.is_none_or(|nodes| analysis.nodes == nodes), "{}", analysis.nodes);
    }
}

#[test]
fn a_pending_offer_is_answered() {
    let gore = Gore::default();
    let engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
    // The buyer sows the nine stones of his new pit round the board, captures four and has 8 stones to 1 in the end; if he
    // declines he must pass and has 6 to 3.
    let seller = state([3, 0, 0, 0, 0, 0, 0, 0], 0x0f, [0, 6]);
    let asked = gore.play(seller, Move::Offer(Pits(1))).state;
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let analysis = engine.analyse(asked, &[], None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let known: Vec<(Move, i8, Kind)> = analysis.moves.iter().map(|m| (m.action, m.value.0, m.kind)).collect();
    assert_eq!(known, [(Move::Accept, 7, Kind::Exact), (Move::Decline, 3, Kind::Exact)]);
    let market = engine.market(seller, &limits, &AtomicBool::new(false));
    let deal = market.deals.iter().find(|deal| deal.pits == Pits(1)).unwrap();
    assert_eq!((deal.accepted.value, deal.declined.value), (Value(-7), Value(-3)));
    assert_eq!((deal.answer(), deal.worth()), (Move::Accept, deal.accepted));
    assert_eq!(market.ordinary, Some((Move::Sow(Pit::new(0)), Prospect { value: Value(-3), kind: Kind::Exact })));
    assert_eq!(market.deals.len(), gore.offers(seller).count());
    assert!(market.deals.is_sorted_by(|a, b| a.worth().value >= b.worth().value));
}

/// The mover owns every stone on the board but has captured fewer. An offer would be declined, and the other, who has no stone, would
/// pass: the same position three plies later, and the game would be over and lost.
#[test]
fn an_offer_that_comes_back_at_once_is_not_made() {
    let gore = Gore::default();
    let engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
    let state = state([0, 15, 11, 8, 0, 3, 1, 0], 0x6f, [2, 8]);
    for depth in 3..=9 {
        let limits = Limits { depth: Some(depth), lines: usize::MAX, ..Limits::default() };
        let analysis = engine.analyse(state, &[], None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
        assert!(matches!(analysis.best, Some(Move::Sow(_))), "{analysis:?}");
        let offers = analysis.moves.iter().filter(|m| matches!(m.action, Move::Offer(_)));
        assert!(offers.map(|m| m.value.0).max() <= Some(-6), "{analysis:?}");
    }
}

#[test]
fn finished_games_and_wrong_choices() {
    let gore = Gore::default();
    let engine = TradeEngine::new(gore, NoTables, MEMORY).unwrap();
    let analyse = |state, allowed: Option<&[Move]>| {
        engine.analyse(
            state,
            &[],
            allowed,
            &Limits { depth: Some(2), ..Limits::default() },
            &AtomicBool::new(false),
            &mut |_| (),
        )
    };
    let over = analyse(state([2, 0, 1, 0, 0, 0, 2, 0], 0x0f, [20, 23]), None).unwrap();
    assert_eq!((over.best, over.value, over.kind), (None, Value(-2), Kind::Exact));
    let market = engine.market(state([2; 8], 0x0f, [16, 16]), &Limits::default(), &AtomicBool::new(false));
    assert_eq!((market.ordinary, market.deals.len(), market.nodes, market.depth), (None, 0, 0, 0));
    assert!(analyse(Gore::start(), Some(&[Move::Pass])).is_err());
    assert!(analyse(Gore::start(), Some(&[])).is_err());
}

/// What earlier searches found out does not know where the game has been in the meantime.
#[test]
fn a_game_with_a_history_does_not_trust_what_was_found_without_it() {
    let gore = Gore::default();
    let mut engine = TradeEngine::new(gore, NoTables, 1 << 20).unwrap();
    let limits = Limits { depth: Some(3), lines: usize::MAX, ..Limits::default() };
    let mut dice = Random(19);
    let (mut compared, mut matters) = (0, 0);
    while compared < 150 {
        let mut pits = [0; 8];
        (0..10).for_each(|_| pits[dice.below(8) as usize] += 1);
        let root = state(pits, 0x0f, [20, 18]);
        let Some(reply) = gore.moves(root).find_map(|first| {
            let next = gore.play(root, first).state;
            let answer = gore.moves(next).find(|answer| matches!(answer, Move::Sow(_)))?;
            let after = gore.play(next, answer).state;
            (matches!(first, Move::Sow(_)) && gore.over(next).is_none() && gore.over(after).is_none()).then_some(after)
        }) else {
            continue;
        };
        if gore.over(root).is_some() {
            continue;
        }
        // The game had the position to which the first move and its answer lead.
        let earlier = [Earlier { state: reply, turned: false }];
        let ask = |engine: &TradeEngine<_>, earlier: &[Earlier]| {
            let found = engine.analyse(root, earlier, None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap();
            let mut moves: Vec<_> = found.moves.iter().map(|m| (m.value, m.kind, m.action)).collect();
            moves.sort_by_key(|m| (m.0, format!("{:?}", m.2)));
            moves
        };
        engine.clear();
        let alone = ask(&engine, &earlier);
        engine.clear();
        let without = ask(&engine, &[]);
        assert_eq!(ask(&engine, &earlier), alone, "{root:?} after {reply:?}");
        compared += 1;
        matters += usize::from(without != alone);
    }
    assert!(matters > 20, "{matters} of {compared}");
}
