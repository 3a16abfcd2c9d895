//! A position in one word: eight byte lanes counter-clockwise from the mover's leftmost pit.
//!
//! Lane 0 is the mover's leftmost pit, lanes 4–7 are the opponent's pits from *his* left. The low six bits of
//! a lane hold its stones (never more than 48), bit 7 is the pit's flag, whose meaning belongs to the rules
//! (Kpé: not yet sown from; Goré: owned by the mover). Bit 6 is always clear, so that lane arithmetic never
//! carries into a neighbour. This file knows no rule except how stones are sown.
//!
//! ```
//! use kpe_core::board::{Board, Origin, Pit, Pits};
//!
//! // Ten stones in the mover's rightmost pit, which go round and pass over it.
//! let board = Board::new([0, 0, 0, 10, 1, 0, 0, 0], Pits::NONE);
//! let (sown, last) = board.sow(Pit::new(3), Origin::Skip);
//! assert_eq!((sown.lanes(), last), ([1, 1, 1, 0, 3, 2, 2, 1], Pit::new(6)));
//! assert_eq!(sown.rotate().lanes(), [3, 2, 2, 1, 1, 1, 1, 0]); // as the opponent sees it
//! ```

use std::fmt;

/// Stones of the standard game; no board holds more.
pub const MAX_STONES: u8 = 48;
/// Pits on the board; the mover's are 0–3, the opponent's 4–7.
pub const PITS: usize = 8;

const STONES: u64 = 0x3f3f_3f3f_3f3f_3f3f;
const FLAGS: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;
const ROW: u64 = 0xffff_ffff;

/// A pit, 0–7 counter-clockwise from the mover's leftmost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pit(u8);

impl Pit {
    /// The pit with this number, counted counter-clockwise from the mover's leftmost.
    ///
    /// # Panics
    /// If `number` is above 7.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        assert!(number < PITS as u8, "a pit's number is 0 to 7");
        Self(number)
    }

    /// The pit's number, 0–7.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the pit lies in the mover's own row.
    #[must_use]
    pub const fn is_own(self) -> bool {
        self.0 < 4
    }

    /// The pit `steps` further in the sowing direction.
    #[must_use]
    pub const fn ahead(self, steps: u8) -> Self {
        Self(self.0.wrapping_add(steps) & 7)
    }

    /// The same pit as the other player numbers it.
    #[must_use]
    pub const fn opposite_view(self) -> Self {
        Self(self.0 ^ 4)
    }

    const fn shift(self) -> u32 {
        self.0 as u32 * 8
    }
}

/// A set of pits, one bit each (bit i = pit i).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Pits(pub u8);

impl Pits {
    /// No pit.
    pub const NONE: Self = Self(0);
    /// The mover's own row.
    pub const OWN: Self = Self(0x0f);
    /// The opponent's row.
    pub const OPPONENT: Self = Self(0xf0);

    /// Whether no pit is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of pits in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `pit` is in the set.
    #[must_use]
    pub const fn contains(self, pit: Pit) -> bool {
        self.0 >> pit.0 & 1 != 0
    }

    /// The set with `pit` added.
    #[must_use]
    pub const fn with(self, pit: Pit) -> Self {
        Self(self.0 | 1 << pit.0)
    }

    /// The set with `pit` taken out.
    #[must_use]
    pub const fn without(self, pit: Pit) -> Self {
        Self(self.0 & !(1 << pit.0))
    }

    /// The pits that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The same pits as the other player numbers them.
    #[must_use]
    pub const fn rotate(self) -> Self {
        Self(self.0.rotate_left(4))
    }

    /// One bit a lane, in the lane's bit 0.
    const fn lane_ones(self) -> u64 {
        // Bit i of the set moves to bit 8i: spread over the lanes, pick the lane's own bit, carry it to bit 7.
        let spread = (self.0 as u64).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
        (spread + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & ONES
    }
}

impl FromIterator<Pit> for Pits {
    fn from_iter<I: IntoIterator<Item = Pit>>(pits: I) -> Self {
        pits.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The pits of the set in ascending order.
impl IntoIterator for Pits {
    type Item = Pit;
    type IntoIter = PitsIter;
    fn into_iter(self) -> PitsIter {
        PitsIter(self.0)
    }
}

/// Iterator over a [`Pits`] set, ascending.
#[derive(Clone, Debug)]
pub struct PitsIter(u8);

impl Iterator for PitsIter {
    type Item = Pit;
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = Pit(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(pit)
    }
}

/// What happens at the pit a hand was lifted from when the hand goes all the way round (RULES 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Origin {
    /// It is passed over and stays empty.
    #[default]
    Skip,
    /// It is sown like any other pit.
    Sow,
}

/// Width of the sowing tables: more than any hand, and a power of two, so that no bounds check is needed.
const HANDS: usize = 64;
/// `SOW[origin][stones]`: the lanes that a hand of `stones` lifted from pit 0 adds to.
const SOW: [[u64; HANDS]; 2] = sow_table();
/// `LAST[origin][stones]`: how far beyond its pit the last stone of a hand falls, 0–7.
const LAST: [[u8; HANDS]; 2] = last_table();

const fn sow_table() -> [[u64; HANDS]; 2] {
    let mut table = [[0; HANDS]; 2];
    let mut origin = 0;
    while origin < 2 {
        let mut stones = 1;
        while stones < HANDS {
            let last = last_step(origin, stones);
            table[origin][stones] = table[origin][stones - 1] + (1 << (8 * last));
            stones += 1;
        }
        origin += 1;
    }
    table
}

const fn last_table() -> [[u8; HANDS]; 2] {
    let mut table = [[0; HANDS]; 2];
    let mut origin = 0;
    while origin < 2 {
        let mut stones = 1;
        while stones < HANDS {
            table[origin][stones] = last_step(origin, stones) as u8;
            stones += 1;
        }
        origin += 1;
    }
    table
}

/// RULES 1: with k stones from pit h the last falls in pit (h + k + (k-1) div 7) mod 8 when the origin is skipped.
const fn last_step(origin: usize, stones: usize) -> usize {
    if origin == 0 { (stones + (stones - 1) / 7) % 8 } else { stones % 8 }
}

impl Origin {
    /// How far beyond its pit the last stone of a hand of `stones` (1–48) falls, 0–7.
    #[must_use]
    #[inline]
    pub const fn last(self, stones: u8) -> u8 {
        LAST[self as usize][stones as usize % HANDS]
    }

    /// The lanes a hand of `stones` lifted from `pit` adds to, one number a lane.
    #[must_use]
    #[inline]
    pub const fn sown(self, pit: Pit, stones: u8) -> Board {
        Board(SOW[self as usize][stones as usize % HANDS].rotate_left(pit.shift()))
    }
}

/// The eight pits seen from the player to move, with one flag a pit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board(u64);

impl Board {
    /// The board with these stones and the flag set on `flags`.
    ///
    /// # Panics
    /// If the stones add up to more than 48.
    #[must_use]
    pub fn new(stones: [u8; PITS], flags: Pits) -> Self {
        let total: u32 = stones.iter().map(|&s| u32::from(s)).sum();
        assert!(total <= u32::from(MAX_STONES), "a board holds at most 48 stones, not {total}");
        Self(u64::from_le_bytes(stones)).with_flags(flags)
    }

    /// The board with this word, without a check: for words that came from [`Board::bits`].
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The word.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Stones in `pit`.
    #[must_use]
    #[inline]
    pub const fn stones(self, pit: Pit) -> u8 {
        (self.0 >> pit.shift()) as u8 & 0x3f
    }

    /// Stones in each pit.
    #[must_use]
    pub const fn lanes(self) -> [u8; PITS] {
        (self.0 & STONES).to_le_bytes()
    }

    /// Stones on the whole board.
    #[must_use]
    #[inline]
    pub const fn total(self) -> u8 {
        ((self.0 & STONES).wrapping_mul(ONES) >> 56) as u8
    }

    /// Stones in the mover's row.
    #[must_use]
    #[inline]
    pub const fn own(self) -> u8 {
        ((self.0 & STONES & ROW).wrapping_mul(ONES) >> 56) as u8
    }

    /// Stones in the opponent's row.
    #[must_use]
    #[inline]
    pub const fn opponents(self) -> u8 {
        ((self.0 & STONES & !ROW).wrapping_mul(ONES) >> 56) as u8
    }

    /// Whether the opponent's row holds no stone.
    #[must_use]
    #[inline]
    pub const fn opponent_is_empty(self) -> bool {
        self.0 & STONES & !ROW == 0
    }

    /// Whether the mover's row holds no stone.
    #[must_use]
    #[inline]
    pub const fn own_is_empty(self) -> bool {
        self.0 & STONES & ROW == 0
    }

    /// The pits that hold at least one stone.
    #[must_use]
    #[inline]
    pub const fn occupied(self) -> Pits {
        Pits(gather((self.0 & STONES) + (FLAGS - ONES)))
    }

    /// The pits that hold exactly two or four stones.
    #[must_use]
    #[inline]
    pub const fn twos_and_fours(self) -> Pits {
        let stones = self.0 & STONES;
        // A lane is 0 after the xor exactly where it held the number; 0x80 - lane has its top bit exactly then.
        let two = FLAGS - (stones ^ (2 * ONES));
        let four = FLAGS - (stones ^ (4 * ONES));
        Pits(gather(two | four))
    }

    /// Whether some pit holds `stones` (0–48) or more.
    #[must_use]
    #[inline]
    pub const fn any_at_least(self, stones: u8) -> bool {
        ((self.0 & STONES) + (FLAGS - stones as u64 * ONES)) & FLAGS != 0
    }

    /// The pits whose flag is set.
    #[must_use]
    #[inline]
    pub const fn flags(self) -> Pits {
        Pits(gather(self.0))
    }

    /// The same stones with exactly these flags.
    #[must_use]
    #[inline]
    pub const fn with_flags(self, flags: Pits) -> Self {
        Self(self.0 & STONES | flags.lane_ones() << 7)
    }

    /// The board as the other player sees it.
    #[must_use]
    #[inline]
    pub const fn rotate(self) -> Self {
        Self(self.0.rotate_left(32))
    }

    /// The board as the other player sees it when a flag says *mine*: it is then set on the other pits.
    #[must_use]
    #[inline]
    pub const fn rotate_owned(self) -> Self {
        Self(self.0.rotate_left(32) ^ FLAGS)
    }

    /// The board after the hand of `pit` is sown, still from the mover's view, and the pit of the last stone.
    /// Flags are unchanged; `pit` must hold a stone.
    #[must_use]
    #[inline]
    pub const fn sow(self, pit: Pit, origin: Origin) -> (Self, Pit) {
        let stones = self.stones(pit);
        let lifted = self.0 - ((stones as u64) << pit.shift());
        (Self(lifted + origin.sown(pit, stones).0), pit.ahead(origin.last(stones)))
    }

    /// The board with the stones of `pits` taken off (flags stay), and how many they were.
    #[must_use]
    #[inline]
    pub const fn take(self, pits: Pits) -> (Self, u8) {
        let taken = self.0 & (pits.lane_ones() * 0x3f);
        (Self(self.0 - taken), (taken.wrapping_mul(ONES) >> 56) as u8)
    }

    /// The board with the stones of `other` added lane by lane (its flags, where set, must be clear here).
    #[must_use]
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The board with `other` subtracted lane by lane, flags included; every lane must suffice.
    #[must_use]
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// The board with the stones of `other` taken away, or `None` where a pit has too few.
    /// Neither board may have a flag.
    #[must_use]
    #[inline]
    pub const fn checked_minus(self, other: Self) -> Option<Self> {
        let rest = (self.0 | FLAGS) - other.0;
        if rest & FLAGS == FLAGS { Some(Self(rest & !FLAGS)) } else { None }
    }

    /// A board with `stones` in `pit` and none elsewhere.
    #[must_use]
    #[inline]
    pub const fn single(pit: Pit, stones: u8) -> Self {
        Self((stones as u64) << pit.shift())
    }

    /// A board with `stones` in each pit of the set and none elsewhere.
    #[must_use]
    #[inline]
    pub const fn each(pits: Pits, stones: u8) -> Self {
        Self(pits.lane_ones() * stones as u64)
    }

    /// Whether every lane is well formed and the board holds at most 48 stones.
    #[must_use]
    pub fn is_valid(self) -> bool {
        let sum: u32 = self.lanes().iter().map(|&s| u32::from(s)).sum();
        self.0 & !(STONES | FLAGS) == 0 && sum <= u32::from(MAX_STONES)
    }
}

/// The top bits of the eight lanes as one byte.
const fn gather(lanes: u64) -> u8 {
    ((lanes & FLAGS) >> 7).wrapping_mul(0x0102_0408_1020_4080).wrapping_shr(56) as u8
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({:?}, flags {:08b})", self.lanes(), self.flags().0)
    }
}

#[cfg(test)]
mod tests;
