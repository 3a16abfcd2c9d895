//! The 24 orders in which a player can sow his four pits on his first four turns.
//!
//! *South's figure* of an order: the value of the start, for South, when South must sow his pits in that order on his first
//! four turns and both players otherwise play perfectly, North knowing the order. *North's figure* is the same with North bound and
//! seen from North. The *matrix* binds both. *Choosing as he goes* binds a player to sow a pit he has not sown yet on each of his
//! first four turns, but leaves him the choice each time.

use serde::Serialize;

use super::restricted::{Restricted, Vow};
use super::values::{OpeningError, Values};
use crate::board::{Board, Pit};
use crate::rules::kpe::Kpe;
use crate::value::Value;

/// What an order is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OrderFigures {
    /// The pits in the order in which they are sown, each player's from his own left: `ABCD`.
    pub order: String,
    /// Stones South can force when he alone is bound, from his point of view.
    pub south: i8,
    /// Stones North can force when he alone is bound, from his point of view.
    pub north: i8,
}

/// Both players' figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Pair {
    /// South's, from his point of view.
    pub south: i8,
    /// North's, from his point of view.
    pub north: i8,
}

/// What all orders are worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Orders {
    /// The value of the start for South when nobody is bound.
    pub free: i8,
    /// Every order, alphabetically.
    pub orders: Vec<OrderFigures>,
    /// Who also unlocks on his first four turns but chooses the order as he goes.
    pub own_choice: Pair,
    /// Values for South when both are bound: rows by South's order, columns by North's, both alphabetical.
    pub matrix: Vec<Vec<i8>>,
    /// Positions in which a bound player could not sow the pit in turn.
    pub conflicts: u64,
}

/// Every order of the four pits, alphabetically.
#[must_use]
pub fn every_order() -> Vec<[Pit; 4]> {
    let mut orders = Vec::with_capacity(24);
    for word in 0..256u32 {
        let pits = [6, 4, 2, 0].map(|shift| (word >> shift & 3) as u8);
        if pits.iter().fold(0, |set, pit| set | 1 << pit) == 0b1111 {
            orders.push(pits.map(Pit::new));
        }
    }
    orders
}

/// An order as text.
#[must_use]
pub fn order_name(order: [Pit; 4]) -> String {
    order.iter().map(|pit| char::from(b'A' + pit.index() as u8)).collect()
}

/// The value, for South, of the game from the start with these vows of South and North; and conflicts met.
///
/// # Errors
/// [`OpeningError`].
pub fn bound_value(values: &Values<'_>, vows: [Option<Vow>; 2]) -> Result<(Value, u64), OpeningError> {
    let mut game = Restricted::new(values.rules(), vows, |board: Board, _| values.value(board));
    let value = game.value(Kpe::start())?;
    Ok((value, game.conflicts()))
}

/// Works all of it out; the opening book suffices.
///
/// # Errors
/// [`OpeningError`].
pub fn orders(values: &Values<'_>) -> Result<Orders, OpeningError> {
    let mut conflicts = 0;
    let mut value = |vows| {
        let (value, met) = bound_value(values, vows)?;
        conflicts += met;
        Ok::<i8, OpeningError>(value.0)
    };
    let every = every_order();
    let mut figures = Vec::with_capacity(every.len());
    let mut matrix = Vec::with_capacity(every.len());
    for &order in &every {
        let vow = Some(Vow::Order(order));
        let (south, north) = (value([vow, None])?, -value([None, vow])?);
        figures.push(OrderFigures { order: order_name(order), south, north });
        let row: Result<_, _> = every.iter().map(|&other| value([vow, Some(Vow::Order(other))])).collect();
        matrix.push(row?);
    }
    let own_choice = Pair { south: value([Some(Vow::By(4)), None])?, north: -value([None, Some(Vow::By(4))])? };
    let free = values.value(Kpe::start())?.0;
    Ok(Orders { free, orders: figures, own_choice, matrix, conflicts })
}

impl Orders {
    /// The orders that cost their player something, worst first: name and stones lost against playing freely.
    #[must_use]
    pub fn losing(&self, of_south: bool) -> Vec<(&str, i8)> {
        let loss =
            |figures: &OrderFigures| if of_south { self.free - figures.south } else { -self.free - figures.north };
        let mut losing: Vec<_> = self.orders.iter().map(|f| (f.order.as_str(), loss(f))).filter(|f| f.1 > 0).collect();
        losing.sort_by_key(|&(name, loss)| (std::cmp::Reverse(loss), name));
        losing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_all_there_and_alphabetical() {
        let names: Vec<_> = every_order().into_iter().map(order_name).collect();
        assert_eq!((names.len(), names[0].as_str(), names[23].as_str()), (24, "ABCD", "DCBA"));
        assert!(names.is_sorted());
    }
}
