//! What a position of the full game looks worth where the search must stop.
//!
//! The sum of the store difference, of a weight for each pit by owner and content, and of something for having the move.
//! While each player owns his row and a table knows the game without trades, its value takes the place of most of
//! that sum: trades change it, but seldom by much.

use crate::board::Board;
use crate::index::Layer;
use crate::rules::gore::{PRICE, State};
use crate::search::probe::{Access, Probe};
use crate::search::score::UNITS;

/// Parts of a stone that weights count.
const PARTS: i32 = 64;
/// For owning a pit, whatever it holds.
const PIT: i16 = 24;
/// For each stone in one's own pits: it is safe there from oneself, and is one's own in the end.
const STONE: i16 = 10;
/// For a pit the opponent can bring to two or four with one stone.
const EXPOSED: i16 = 12;
/// For having the move.
const TEMPO: i32 = 24;
/// Share of the value without trades, of 8 parts.
const TABLE_SHARE: i32 = 7;
/// The same if both players can pay for a pit: who can offer can wait.
const PAYING_SHARE: i32 = 5;
/// The owner flags when each player owns his row.
const ROWS: u64 = 0x8080_8080;
const FLAGS: u64 = 0x8080_8080_8080_8080;

/// By lane (bits 0–5 stones, bit 7 owned by the mover), in 64ths of a stone.
const WEIGHTS: [i16; 256] = weights();

const fn weights() -> [i16; 256] {
    let mut table = [0; 256];
    let mut lane = 0;
    while lane < 256 {
        let stones = (lane & 0x3f) as i16;
        let exposed = if stones == 1 || stones == 3 { EXPOSED * (stones + 1) / 2 } else { 0 };
        let weight = PIT + STONE * stones - exposed;
        table[lane] = if lane & 0x80 != 0 { weight } else { -weight };
        lane += 1;
    }
    table
}

/// The estimate in quarters of a stone: the mover's final total minus the opponent's. `stones` lie on the board.
#[inline]
pub(super) fn evaluate<P: Probe>(probe: &P, state: State, stones: u8) -> i32 {
    let lead = i32::from(state.own_store) - i32::from(state.other_store);
    let bits = state.board.bits();
    let lanes = bits.to_le_bytes();
    let sum = lanes.iter().fold(TEMPO, |sum, &lane| sum + i32::from(WEIGHTS[usize::from(lane)]));
    let weighed = sum * UNITS / PARTS;
    if bits & FLAGS == ROWS
        && let Some(value) = without_trades(probe, Board::from_bits(bits & !FLAGS), stones)
    {
        let paying = state.own_store.min(state.other_store) >= PRICE;
        let share = if paying { PAYING_SHARE } else { TABLE_SHARE };
        return lead * UNITS + (value * UNITS * share + weighed * (8 - share)) / 8;
    }
    lead * UNITS + weighed
}

/// What the mover will still take minus what the opponent will, if a table quickly says so.
#[inline]
fn without_trades<P: Probe>(probe: &P, board: Board, stones: u8) -> Option<i32> {
    let layer = Layer::from_parts(crate::board::Pits::NONE, stones);
    if probe.access(layer) != Access::Quick {
        return None;
    }
    probe.value(layer, layer.rank(board)).map(|value| i32::from(value.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::search::{MemoryTables, NoTables};
    use crate::value::{Distance, Entry, Value};

    #[test]
    fn the_estimate_is_the_same_for_both_players_but_for_the_move() {
        let board = Board::new([9, 1, 0, 2, 3, 3, 0, 7], Pits(0x8b));
        let state = State { board, own_store: 10, other_store: 4, offered: Pits::NONE };
        let turned = State { board: board.rotate_owned(), own_store: 4, other_store: 10, offered: Pits::NONE };
        let (ours, theirs) = (evaluate(&NoTables, state, 25), evaluate(&NoTables, turned, 25));
        assert!((ours + theirs - 2 * TEMPO * UNITS / PARTS).abs() <= 1, "{ours} {theirs}");
        let pit_more = State { board: board.with_flags(Pits(0xcb)), ..state };
        assert!(evaluate(&NoTables, pit_more, 25) > ours);
    }

    #[test]
    fn tables_speak_while_each_player_owns_his_row() {
        let layer = Layer::new(Pits::NONE, 3).unwrap();
        let mut tables = MemoryTables::new();
        tables.insert(layer, vec![Entry::new(Value(3), Distance(1)); layer.positions() as usize]);
        let state = |owned| State {
            board: Board::new([3, 0, 0, 0, 0, 0, 0, 0], Pits(owned)),
            own_store: 5,
            other_store: 6,
            offered: Pits::NONE,
        };
        assert!((4..=12).contains(&evaluate(&tables, state(0x0f), 3)));
        assert_eq!(evaluate(&tables, state(0x1f), 3), evaluate(&NoTables, state(0x1f), 3));
    }
}
