//! What a position is worth: units, sign and point of view.
//!
//! ```
//! use kpe_core::value::{Distance, Entry, Value};
//!
//! let entry = Entry::new(Value(4), Distance(1));
//! assert_eq!((entry.value(), entry.distance()), (Value(4), Distance(1)));
//! assert_eq!((-entry.value()).to_string(), "-4"); // the same, from the other side
//! ```

use std::fmt;
use std::ops::Neg;

/// Stones the player to move will still take minus those the opponent will, both playing perfectly; −48…48.
///
/// Stones already in the stores do not count. Negate it to see it from the other side (RULES 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Value(pub i8);

impl Value {
    /// A balanced position, or one that repeats for ever.
    pub const ZERO: Self = Self(0);
}

impl Neg for Value {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Value {
    /// With its sign, as a player reads it: `+6`, `0`, `-4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.pad("0") } else { f.pad(&format!("{:+}", self.0)) }
    }
}

/// Plies to the next irrevocable event under best play; 0 for a finished position (RULES 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Distance(pub u16);

/// How sure a search result is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Proven: from a table, or by a search that used neither horizon nor repetition.
    Exact,
    /// Proven to be at least this.
    AtLeast,
    /// Proven to be at most this.
    AtMost,
    /// A guess of the evaluation at the depth reached.
    Estimate,
}

impl Kind {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::AtLeast => "at-least",
            Self::AtMost => "at-most",
            Self::Estimate => "estimate",
        }
    }
}

/// What a table says of one position: its value and distance, in one 16-bit word.
///
/// Bits 9–15 hold the value plus 64, bits 0–8 the distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Entry(u16);

impl Default for Entry {
    /// A draw.
    fn default() -> Self {
        Self::new(Value::ZERO, Distance(0))
    }
}

impl Entry {
    /// The largest distance an entry can hold; a solver that meets a larger one must refuse.
    pub const MAX_DISTANCE: u16 = 505;

    /// The entry for this value and distance.
    ///
    /// # Panics
    /// In debug builds, if the value is beyond ±48 or the distance beyond [`Entry::MAX_DISTANCE`].
    #[must_use]
    #[inline]
    pub const fn new(value: Value, distance: Distance) -> Self {
        debug_assert!(value.0 >= -48 && value.0 <= 48 && distance.0 <= Self::MAX_DISTANCE);
        Self(((value.0 + 64) as u16) << 9 | distance.0)
    }

    /// The value, from the mover's point of view.
    #[must_use]
    #[inline]
    pub const fn value(self) -> Value {
        Value((self.0 >> 9) as i8 - 64)
    }

    /// The distance in plies.
    #[must_use]
    #[inline]
    pub const fn distance(self) -> Distance {
        Distance(self.0 & 0x1ff)
    }
}
