//! Layers and the numbering of their positions.
//!
//! A *layer* is all positions with the same unsown pits on both sides and the same number of stones. The six
//! stones every unsown pit is sure to hold are left out, so a layer with u unsown pits and n stones numbers the
//! ways to put m = n − 6u stones into eight pits: C(m + 7, 7) of them (RULES 4).
//!
//! The number of a position is its rank in the combinatorial number system over prefix sums. The pits run in the
//! order 3 7 2 6 1 5 0 4, fastest first: a pit and the one facing it in the sowing direction (i and i + 4) are
//! neighbours, so that the pits which change fast in a position also change fast in its children, whose boards are
//! rotated. Consecutive positions differ in pits 3 and 7 only as long as their sum lasts; such a stretch is a *run*.
//!
//! ```
//! use kpe_core::board::{Board, Pits};
//! use kpe_core::index::Layer;
//!
//! let layer = Layer::new(Pits::NONE, 24).expect("24 stones, everybody unlocked");
//! assert_eq!(layer.positions(), 2_629_575);
//! let board = Board::new([2, 4, 3, 5, 1, 4, 2, 3], Pits::NONE);
//! assert_eq!((Layer::of(board), layer.unrank(layer.rank(board))), (layer, board));
//! ```

use crate::board::{Board, MAX_STONES, Pit, Pits};

/// Stones a pit holds for certain while it has not been sown from.
pub const UNSOWN_STONES: u8 = 6;
/// Pits in the order of the numbering, fastest first.
const ORDER: [u8; 8] = [3, 7, 2, 6, 1, 5, 0, 4];
/// Width of a row of binomials: a power of two, so that a masked prefix sum needs no bounds check.
const ROWS: usize = 64;
/// `BINOMIAL[j][p]` = C(p + j, j + 1): what the prefix sum p of the first j + 1 pits adds to the rank.
const BINOMIAL: [[u32; ROWS]; 7] = binomial_table();

const fn binomial_table() -> [[u32; ROWS]; 7] {
    let mut table = [[0; ROWS]; 7];
    let mut j = 0;
    while j < 7 {
        let mut p = 1;
        while p < ROWS {
            // C(p + j, j + 1) = C(p + j - 1, j + 1) + C(p + j - 1, j)
            table[j][p] = table[j][p - 1] + if j == 0 { 1 } else { table[j - 1][p] };
            p += 1;
        }
        j += 1;
    }
    table
}

/// A set of positions that is solved, stored and numbered together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layer {
    unsown: Pits,
    stones: u8,
}

impl Layer {
    /// The layer of positions with these unsown pits (mover's as bits 0–3, opponent's as bits 4–7) and `stones` on the
    /// board; `None` if so many stones do not go on a board or do not fill the unsown pits.
    #[must_use]
    pub const fn new(unsown: Pits, stones: u8) -> Option<Self> {
        if stones > MAX_STONES || (stones as u32) < UNSOWN_STONES as u32 * unsown.len() {
            return None;
        }
        Some(Self { unsown, stones })
    }

    /// The layer a board belongs to when its flags mean *unsown*.
    #[must_use]
    #[inline]
    pub fn of(board: Board) -> Self {
        Self { unsown: board.flags(), stones: board.total() }
    }

    /// The layer of a board of which the flags and the number of stones are at hand.
    #[inline]
    pub(crate) const fn from_parts(unsown: Pits, stones: u8) -> Self {
        debug_assert!(Self::new(unsown, stones).is_some());
        Self { unsown, stones }
    }

    /// The unsown pits: the mover's as bits 0–3, the opponent's as bits 4–7.
    #[must_use]
    pub const fn unsown(self) -> Pits {
        self.unsown
    }

    /// Stones on the board, those in unsown pits included.
    #[must_use]
    pub const fn stones(self) -> u8 {
        self.stones
    }

    /// Stones that are numbered: all but six in each unsown pit.
    #[must_use]
    pub const fn loose_stones(self) -> u8 {
        self.stones - UNSOWN_STONES * self.unsown.len() as u8
    }

    /// Number of positions in the layer.
    #[must_use]
    pub const fn positions(self) -> u32 {
        BINOMIAL[6][self.loose_stones() as usize + 1]
    }

    /// Slots of a list that has one for each layer, with [`Layer::slot`].
    pub const SLOTS: usize = 256 * 64;

    /// The layer's place in a list of [`Layer::SLOTS`].
    #[inline]
    #[must_use]
    pub const fn slot(self) -> usize {
        self.unsown.0 as usize * 64 + self.stones as usize
    }

    /// The layer of the same positions as the other player sees them.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { unsown: self.unsown.rotate(), stones: self.stones }
    }

    /// The layer's own mirror image: nobody or both players have the same pits unsown.
    #[must_use]
    pub fn is_symmetric(self) -> bool {
        self == self.mirror()
    }

    /// Six stones and the flag in each unsown pit: a full board is a loose one plus this.
    #[must_use]
    #[inline]
    pub fn base(self) -> Board {
        let flags = Board::default().with_flags(self.unsown);
        Board::from_bits(flags.bits() + (flags.bits() >> 7) * u64::from(UNSOWN_STONES))
    }

    /// The number of a full board of this layer, 0 to [`Layer::positions`] − 1.
    ///
    /// # Panics
    /// In debug builds, if the board is of another layer; otherwise the number then means nothing.
    #[must_use]
    #[inline]
    pub fn rank(self, board: Board) -> u32 {
        debug_assert_eq!(Self::of(board), self);
        rank(board.minus(self.base()))
    }

    /// The full board with this number.
    ///
    /// # Panics
    /// If the layer has no such number.
    #[must_use]
    pub fn unrank(self, number: u32) -> Board {
        assert!(number < self.positions(), "layer has {} positions, asked for number {number}", self.positions());
        unrank(number, self.loose_stones()).plus(self.base())
    }
}

/// The board without its flags and without the six stones of every flagged pit.
#[must_use]
#[inline]
pub const fn loose(board: Board) -> Board {
    let flags = board.bits() & 0x8080_8080_8080_8080;
    Board::from_bits(board.bits() - flags - (flags >> 7) * UNSOWN_STONES as u64)
}

/// The number of a board without flags among all with the same number of stones.
///
/// The number does not depend on the stones in pit 4, the slowest: boards with more stones continue the sequence.
#[must_use]
#[inline]
pub fn rank(loose: Board) -> u32 {
    // Bytes reversed: pits 7 6 5 4 in the low half, 3 2 1 0 in the high half, both in the order of the numbering.
    let sums = loose.bits().swap_bytes().wrapping_mul(0x0101_0101_0101_0101);
    let theirs = sums as u32;
    let ours = ((sums >> 32) as u32).wrapping_sub((theirs >> 24).wrapping_mul(0x0101_0101));
    let even = ours.wrapping_add(theirs << 8);
    let odd = ours.wrapping_add(theirs);
    let place = |j: usize, sums: u32, lane: u32| BINOMIAL[j][(sums >> (8 * lane)) as usize & 63];
    (even & 63)
        + place(1, odd, 0)
        + place(2, even, 1)
        + place(3, odd, 1)
        + place(4, even, 2)
        + place(5, odd, 2)
        + place(6, even, 3)
}

/// The board without flags that has this number among those with `stones` stones.
#[must_use]
pub fn unrank(number: u32, stones: u8) -> Board {
    let mut rest = number;
    let mut above = stones;
    let mut lanes = [0u8; 8];
    for j in (0..7).rev() {
        // The largest prefix sum, at most that of the place above, whose share fits into the rest.
        let sum = (0..=above).rev().find(|&p| BINOMIAL[j][p as usize] <= rest).unwrap_or(0);
        rest -= BINOMIAL[j][sum as usize];
        lanes[ORDER[j + 1] as usize] = above - sum;
        above = sum;
    }
    lanes[ORDER[0] as usize] = above;
    Board::new(lanes, Pits::NONE)
}

/// The board that follows a loose one in the numbering, `None` after the last.
#[must_use]
pub fn successor(loose: Board) -> Option<Board> {
    let mut lanes = loose.lanes();
    // The first prefix sum that can grow does, and all sums before it go back to nothing.
    let at = (1..8).find(|&j| lanes[ORDER[j] as usize] > 0)?;
    let before: u8 = (0..at).map(|j| std::mem::take(&mut lanes[ORDER[j] as usize])).sum();
    lanes[ORDER[at] as usize] -= 1;
    lanes[ORDER[at - 1] as usize] = before + 1;
    Some(Board::new(lanes, Pits::NONE))
}

/// The fastest pit of the numbering; a run counts it up while pit 7 counts down.
pub const RUN_PIT: Pit = Pit::new(3);

/// The layers of the pair that `layer` belongs to, the one that names it first: a layer and its mirror image, or the one
/// layer that is its own.
pub fn layers_of(layer: Layer) -> impl Iterator<Item = Layer> + use<> {
    let first = layer.min(layer.mirror());
    [Some(first), (!first.is_symmetric()).then(|| first.mirror())].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(n, k) the slow way.
    fn choose(n: u64, k: u64) -> u64 {
        (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
    }

    #[test]
    fn layers_have_the_sizes_of_the_rules() {
        for unsown in 0..=255u8 {
            for stones in 0..=MAX_STONES {
                let u = unsown.count_ones() as u8;
                match Layer::new(Pits(unsown), stones) {
                    None => assert!(stones < 6 * u),
                    Some(layer) => {
                        assert_eq!(u64::from(layer.positions()), choose(u64::from(stones - 6 * u) + 7, 7));
                    }
                }
            }
        }
        assert!(Layer::new(Pits::NONE, 49).is_none());
    }

    #[test]
    fn the_numbering_is_a_bijection_in_order() {
        for stones in 0..=12 {
            let layer = Layer::new(Pits::NONE, stones).unwrap();
            let mut board = unrank(0, stones);
            for number in 0..layer.positions() {
                assert_eq!(rank(board), number);
                assert_eq!(unrank(number, stones), board);
                match successor(board) {
                    Some(next) => board = next,
                    None => assert_eq!(number + 1, layer.positions()),
                }
            }
        }
    }

    #[test]
    fn large_layers_number_as_well() {
        for (unsown, stones) in [(0u8, 48), (0x10, 48), (0x0f, 48), (0xa5, 46), (0xff, 48), (0x80, 47)] {
            let layer = Layer::new(Pits(unsown), stones).unwrap();
            let step = (layer.positions() / 50_021).max(1) as usize;
            for number in (0..layer.positions()).step_by(step) {
                let board = layer.unrank(number);
                assert!(board.is_valid());
                assert_eq!(Layer::of(board), layer);
                assert_eq!(layer.rank(board), number);
            }
            assert_eq!(layer.rank(layer.unrank(layer.positions() - 1)), layer.positions() - 1);
        }
    }
}
