//! Goré (RULES 3): two-armed captures, pass, trade of pits.

use crate::board::Origin;

/// Whether pits can be sold for captured stones (RULES 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Trade {
    /// They can: the full game.
    #[default]
    On,
    /// They cannot: each player owns his row throughout, and the game can be solved by layers.
    Off,
}

/// The rules of Goré under one choice of options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Gore {
    /// Treatment of the pit a long hand was lifted from.
    pub origin: Origin,
    /// Whether pits are traded.
    pub trade: Trade,
}
