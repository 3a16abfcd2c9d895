//! What the tests of the search share: a slow exhaustive solver and random numbers.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub mod slow;

use kpe::board::{Board, PITS, Pits};
use kpe::index::Layer;

/// SplitMix64: numbers that are the same on every run.
pub struct Random(pub u64);

impl Random {
    /// The next number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((x >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A position of the layer, all equally likely.
    pub fn board(&mut self, layer: Layer) -> Board {
        layer.unrank(self.below(layer.positions()))
    }
}

/// The layer with these unsown pits.
pub fn layer(unsown: u8, stones: u8) -> Layer {
    Layer::new(Pits(unsown), stones).expect("a layer of the game")
}

/// A board without unsown pits.
pub fn board(stones: [u8; PITS]) -> Board {
    Board::new(stones, Pits::NONE)
}
