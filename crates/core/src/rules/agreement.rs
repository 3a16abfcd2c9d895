//! The fast rules against the slow ones, on random positions and in random games. Compiled for tests only.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::slow::{Slow, SlowRules};
use super::{Game, Move, Rules};
use crate::notation::{Position, Side};

/// Every choice of options of both games.
pub(crate) fn all_rules() -> Vec<SlowRules> {
    let both = [false, true];
    let kpe = both.into_iter().flat_map(move |sow_origin| {
        let next = both.into_iter().flat_map(move |unlock_next| both.map(|feed_sown| (unlock_next, feed_sown)));
        next.map(move |(unlock_next, feed_sown)| SlowRules::Kpe { sow_origin, unlock_next, feed_sown })
    });
    let gore = both.into_iter().flat_map(move |sow_origin| both.map(|trade| SlowRules::Gore { sow_origin, trade }));
    kpe.chain(gore).collect()
}

/// The same game in the words of the fast code.
pub(crate) fn game_of(rules: SlowRules) -> Game {
    let word = |is, yes: &'static str, no| if is { yes } else { no };
    match rules {
        SlowRules::Kpe { sow_origin, unlock_next, feed_sown } => {
            let origin = word(sow_origin, "sow", "skip");
            let (unlock, feed) = (word(unlock_next, "next", "same"), word(feed_sown, "sown", "remains"));
            Game::parse("kpe", &format!("origin={origin},unlock={unlock},feed={feed}")).unwrap()
        }
        SlowRules::Gore { sow_origin, trade } => {
            let origin = word(sow_origin, "sow", "skip");
            Game::parse("gore", &format!("origin={origin},trade={}", word(trade, "on", "off"))).unwrap()
        }
    }
}

/// A game and one of its positions with `stones` on the board, or with a few more after an offer was accepted.
pub(crate) fn positions(stones: u32) -> impl Strategy<Value = (SlowRules, Slow)> {
    let rules = prop::sample::select(all_rules());
    (rules, any::<u8>(), any::<u8>(), vec(0usize..8, 48), 0usize..2, 0..=48u32, 0..=48u32, 0usize..200).prop_map(
        move |(rules, set, wide, drops, mover, spare, south, pick)| {
            let mut slow = Slow {
                pits: [0; 8],
                stores: [0, 0],
                mover,
                unsown: [false; 8],
                owner: [0, 0, 0, 0, 1, 1, 1, 1],
                offer: Vec::new(),
            };
            let mut loose = stones as usize;
            match rules {
                SlowRules::Kpe { .. } => {
                    for pit in (0..8).filter(|pit| set >> pit & 1 == 1) {
                        if loose >= 6 {
                            loose -= 6;
                            slow.pits[pit] = 6;
                            slow.unsown[pit] = true;
                        }
                    }
                }
                SlowRules::Gore { trade: true, .. } if set != 0 && set != 0xff => {
                    slow.owner = std::array::from_fn(|pit| usize::from(set >> pit & 1));
                }
                SlowRules::Gore { .. } => {}
            }
            // Now and then everything lies in one row, so that the other must be fed.
            let row = [0xff, 0xff, 0x0f, 0xf0][pick % 4];
            let wide = if wide & row == 0 { row } else { wide & row };
            let open: Vec<usize> = (0..8).filter(|pit| wide >> pit & 1 == 1).collect();
            for drop in &drops[..loose] {
                slow.pits[open[drop % open.len()]] += 1;
            }
            let stored = spare.min(48 - stones);
            slow.stores = [south.min(stored), stored - south.min(stored)];
            // Now and then the position after an offer.
            let offers: Vec<Slow> =
                slow.moves(rules).into_iter().filter(|m| m.text.starts_with("offer")).map(|m| m.result).collect();
            let slow = if pick % 2 == 1 && !offers.is_empty() { offers[pick % offers.len()].clone() } else { slow };
            (rules, slow)
        },
    )
}

type Seen = (String, u32, String, Option<[u32; 2]>);

fn fast_view(position: &Position) -> Vec<Seen> {
    let seen = position.outcomes().into_iter().map(|o| {
        assert_eq!(position.play(o.action), Ok(o));
        let text = o.action.text(position.side()).to_string();
        assert_eq!(position.parse_move(&text), Ok(o.action));
        assert_eq!(o.result.stones(), position.stones(), "stones are lost by {text} in {position}");
        (text, u32::from(o.captured), o.result.to_string(), o.totals.map(|t| t.map(u32::from)))
    });
    let mut seen: Vec<Seen> = seen.collect();
    seen.sort();
    seen
}

fn slow_view(slow: &Slow, rules: SlowRules) -> Vec<Seen> {
    let seen = slow.moves(rules).into_iter().map(|o| {
        assert_eq!(o.result.stones(), slow.stones());
        let totals = o.result.is_over(rules).then(|| o.result.totals());
        (o.text, o.captured, o.result.text(rules), totals)
    });
    let mut seen: Vec<Seen> = seen.collect();
    seen.sort();
    seen
}

/// What is shown of each sowing: text, path, pits captured (in order), whether it unlocks.
type Shown = (String, String, String, bool);

fn fast_sowings(position: &Position) -> Vec<Shown> {
    let side = position.side();
    let of_move = |action: Move| {
        let sowing = position.sowing(action).unwrap()?;
        assert_eq!(Move::Sow(sowing.origin), action);
        let path = sowing.path.iter().map(|&pit| side.pit_letter(pit)).collect();
        Some((action.text(side).to_string(), path, side.pit_letters(sowing.captured), sowing.unlocks))
    };
    let mut seen: Vec<Shown> = position.moves().into_iter().filter_map(of_move).collect();
    seen.sort();
    seen
}

fn slow_sowings(slow: &Slow, rules: SlowRules) -> Vec<Shown> {
    let letters = |pits: &[usize]| pits.iter().map(|&pit| ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'][pit]).collect();
    let locked = |seen: &Slow| (0..8).any(|pit| pit / 4 == slow.mover && seen.unsown[pit]);
    let moves = slow.moves(rules).into_iter().filter(|o| !o.path.is_empty());
    let mut seen: Vec<Shown> = moves
        .map(|mut o| {
            o.taken.sort_unstable();
            (o.text, letters(&o.path), letters(&o.taken), locked(slow) && !locked(&o.result))
        })
        .collect();
    seen.sort();
    seen
}

/// What the layered solver sees must be what the position sees.
fn layered_agrees<R: Rules>(rules: R, position: &Position) {
    let board = position.solver_board().unwrap();
    let [south, north] = position.stores().map(|s| s as i8);
    let mover = |totals: [u8; 2]| {
        let ahead = totals[0] as i8 - south - (totals[1] as i8 - north);
        if position.side() == Side::South { ahead } else { -ahead }
    };
    assert_eq!(rules.over(board), position.totals().map(mover));
    let mut stores = position.stores();
    if position.side() == Side::North {
        stores.reverse();
    }
    assert_eq!(Position::from_solver(position.game(), position.side(), board, stores), Ok(*position));
    let outcomes = position.outcomes();
    let sowings = outcomes.iter().filter(|o| matches!(o.action, Move::Sow(_)));
    assert_eq!(rules.moves(board).len() as usize, sowings.count());
    for outcome in outcomes {
        let next = outcome.result.solver_board().unwrap();
        match outcome.action {
            Move::Sow(pit) => {
                let played = rules.play(board, pit);
                assert_eq!((played.board, played.captured), (next, outcome.captured));
            }
            _ => assert!(R::PASSES && rules.pass(board) == next),
        }
    }
}

/// Everything one position shows is the same in both codes.
fn agree(rules: SlowRules, slow: &Slow) {
    let text = slow.text(rules);
    let position = Position::parse(&text, game_of(rules)).unwrap_or_else(|error| panic!("{}", error.caret(&text)));
    assert_eq!(position.to_string(), text);
    let totals = slow.is_over(rules).then(|| slow.totals());
    assert_eq!(position.totals().map(|t| t.map(u32::from)), totals, "totals of {text}");
    assert_eq!(fast_view(&position), slow_view(slow, rules), "{text} under {}", position.game());
    assert_eq!(fast_sowings(&position), slow_sowings(slow, rules), "sowings of {text} under {}", position.game());
    match position.game() {
        Game::Kpe(kpe) => layered_agrees(kpe, &position),
        Game::Gore(gore) => {
            if let Some(rules) = gore.no_trade() {
                layered_agrees(rules, &position);
            }
        }
    }
}

#[test]
fn both_codes_agree_on_random_positions_of_every_stone_count() {
    for stones in 0..=48 {
        let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
        let check = |(rules, slow): (SlowRules, Slow)| {
            agree(rules, &slow);
            Ok(())
        };
        runner.run(&positions(stones), check).unwrap();
    }
}

#[test]
fn both_codes_agree_in_random_games() {
    let mut runner = TestRunner::new(Config { cases: 30, failure_persistence: None, ..Config::default() });
    let game = |choices: Vec<usize>| {
        for rules in all_rules() {
            let mut slow = Slow {
                pits: [6; 8],
                stores: [0, 0],
                mover: 0,
                unsown: [matches!(rules, SlowRules::Kpe { .. }); 8],
                owner: [0, 0, 0, 0, 1, 1, 1, 1],
                offer: Vec::new(),
            };
            for choice in &choices {
                agree(rules, &slow);
                let moves = slow.moves(rules);
                if moves.is_empty() {
                    break;
                }
                slow = moves[choice % moves.len()].result.clone();
            }
        }
        Ok(())
    };
    runner.run(&vec(any::<usize>(), 120), game).unwrap();
}
