//! The reduction: six stones become *four* in every pit, and the game is cut off after [`HORIZON`] plies, what is left on the
//! board then belonging to nobody. The lock is the rule itself: no capture before a player has sown from all four
//! pits; an unsown pit then holds at least four stones instead of six, and five when a hand has reached it, so it is not
//! captured either. The oracle plays stone by stone (`rules::slow`), keeps the history of turns as a list, and tries everything.

use super::*;
use slow::{Slow, SlowRules};
use std::cell::RefCell;

#[path = "../../../crates/core/src/rules/slow.rs"]
#[allow(dead_code)]
mod slow;

const HORIZON: u8 = 8;
const RULES: SlowRules = SlowRules::Kpe { sow_origin: false, unlock_next: false, feed_sown: false };

fn slow_of(board: Board) -> Slow {
    Slow {
        pits: board.lanes().map(u32::from),
        stores: [0, 0],
        mover: 0,
        unsown: std::array::from_fn(|pit| board.flags().0 >> pit & 1 != 0),
        owner: std::array::from_fn(|pit| pit / 4),
        offer: Vec::new(),
    }
}

fn unsown(position: &Slow, player: usize) -> usize {
    (0..4).filter(|pit| position.unsown[4 * player + pit]).count()
}

/// Which of the moves (pit of the mover from his left, position after it) keep the vow.
fn keeps(vow: Option<Vow>, position: &Slow, turn: usize, pit: usize, after: &Slow) -> bool {
    let player = position.mover;
    match vow {
        None => true,
        Some(Vow::Order(order)) => turn > 4 || order[turn - 1].index() == pit,
        Some(Vow::By(last)) => unsown(after, player) <= usize::from(last).saturating_sub(turn),
        Some(Vow::NotBefore(first)) => {
            turn >= first.into() || unsown(position, player) == 0 || unsown(after, player) > 0
        }
    }
}

/// South's stones minus North's under best play, nothing remembered and nothing left out.
fn enumerate(position: &Slow, vows: [Option<Vow>; 2], ply: usize) -> i32 {
    let moves = position.moves(RULES);
    if moves.is_empty() {
        let [south, north] = position.totals();
        return south as i32 - north as i32;
    }
    if ply == usize::from(HORIZON) {
        return position.stores[0] as i32 - position.stores[1] as i32;
    }
    let pit = |text: &str| "ABCDabcd".find(text).unwrap() % 4;
    let vow = vows[position.mover];
    let turn = ply / 2 + 1;
    let kept: Vec<_> =
        moves.iter().filter(|m| keeps(vow, position, turn, pit(&m.text), &m.result)).map(|m| &m.result).collect();
    let chosen = if kept.is_empty() { moves.iter().map(|m| &m.result).collect() } else { kept };
    let values = chosen.into_iter().map(|after| enumerate(after, vows, ply + 1));
    if position.mover == 0 { values.max().unwrap() } else { values.min().unwrap() }
}

/// The value of the cut-off game for the mover, every position valued once.
fn free(board: Board, ply: u8, seen: &RefCell<HashMap<(Board, u8), i8>>) -> i8 {
    let rules = Kpe::default();
    if let Some(value) = rules.over(board) {
        return value;
    }
    if ply == HORIZON {
        return 0;
    }
    if let Some(&value) = seen.borrow().get(&(board, ply)) {
        return value;
    }
    let of = |pit| {
        let played = rules.play(board, pit);
        played.captured as i8 - free(played.board, ply + 1, seen)
    };
    let value = rules.moves(board).into_iter().map(of).max().unwrap();
    seen.borrow_mut().insert((board, ply), value);
    value
}

fn solve(start: Board, vows: [Option<Vow>; 2]) -> i32 {
    let seen = RefCell::new(HashMap::new());
    let worth = |board, ply| Ok::<_, std::convert::Infallible>(Value(free(board, ply, &seen)));
    Restricted::new(Kpe::default(), vows, worth).value(start).unwrap().0.into()
}

fn check(start: Board, vows: [Option<Vow>; 2]) {
    assert_eq!(solve(start, vows), enumerate(&slow_of(start), vows, 0), "{start:?} {vows:?}");
}

fn order(pits: [u8; 4]) -> Option<Vow> {
    Some(Vow::Order(pits.map(Pit::new)))
}

#[test]
fn orders_on_four_stones_a_pit() {
    let start = Board::new([4; 8], Pits(0xff));
    for pits in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        check(start, [order(pits), None]);
        check(start, [None, order(pits)]);
        check(start, [order(pits), order([3, 1, 2, 0])]);
    }
}

#[test]
fn delays_on_four_stones_a_pit() {
    // Half of the pits of both players have been sown from, so that vows of few turns bind.
    for (board, flags) in
        [([0, 5, 5, 4, 6, 5, 0, 7], 0xb6u8), ([6, 0, 6, 5, 1, 6, 5, 3], 0x6d), ([7, 1, 6, 5, 0, 1, 6, 6], 0xcc)]
    {
        let start = Board::new(board, Pits(flags));
        let most = start.flags().and(Pits::OWN).len().max(start.flags().and(Pits::OPPONENT).len()) as u8;
        for k in most..=4 {
            for vow in [Vow::By(k), Vow::NotBefore(k)] {
                check(start, [Some(vow), None]);
                check(start, [None, Some(vow)]);
                check(start, [Some(vow), Some(Vow::By(most))]);
            }
        }
    }
}

#[test]
fn a_vow_that_cannot_be_kept_gives_way_to_the_rules() {
    // South may not unlock yet, but only the unsown pit has stones.
    let start = Board::new([0, 0, 9, 0, 3, 4, 2, 5], Pits(0x04));
    let seen = RefCell::new(HashMap::new());
    let worth = |board, ply| Ok::<_, std::convert::Infallible>(Value(free(board, ply, &seen)));
    let mut game = Restricted::new(Kpe::default(), [Some(Vow::NotBefore(3)), None], worth);
    let value = game.value(start).unwrap();
    assert!(game.conflicts() > 0);
    assert_eq!(i32::from(value.0), enumerate(&slow_of(start), [Some(Vow::NotBefore(3)), None], 0));
}
