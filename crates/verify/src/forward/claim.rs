//! What a move makes of a position, as one number to compare.

use crate::board::MAX_STONES;
use crate::value::{Distance, Entry, Value};

/// What a move makes of a position, as a number that grows with what the mover prefers: first the value, then, if it is
/// positive, few plies to the next event, if it is negative, many. What a position is worth is its largest claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Claim(i32);

impl Claim {
    /// Below every move's.
    pub(crate) const NONE: Self = Self(i32::MIN);

    /// The claim of a value and the plies to the event that realises it.
    #[inline]
    pub(crate) fn new(value: i8, plies: u16) -> Self {
        let (value, plies) = (i32::from(value), i32::from(plies));
        // Without branches, so that a run of claims is computed side by side.
        let won = i32::from(value > 0) * (1023 - plies);
        let lost = i32::from(value < 0) * plies;
        Self(value * 1024 + won + lost)
    }

    /// The claim of a finished game or of a whole entry.
    #[inline]
    pub(crate) fn of(entry: Entry) -> Self {
        Self::new(entry.value().0, entry.distance().0)
    }

    /// The claim of a move inside the layer, whose result has this entry for the opponent.
    #[inline]
    pub(crate) fn inner(child: Entry) -> Self {
        Self::new(-child.value().0, 1 + child.distance().0)
    }

    /// The claim of a move that is an event: so many stones captured and what is left worth `child` to the opponent.
    #[inline]
    pub(crate) fn event(captured: i8, child: i8) -> Self {
        Self::new(captured - child, 1)
    }

    /// The value claimed, in stones from the mover's point of view; of [`Claim::NONE`] less than any.
    #[inline]
    pub(crate) fn value(self) -> i32 {
        // What is added to 1024 times the value is never negative and less than 1024.
        self.0 >> 10
    }

    /// The entry that makes this claim.
    pub(crate) fn entry(self) -> Entry {
        let value = self.value();
        let rest = self.0.rem_euclid(1024);
        let plies = if value > 0 { 1023 - rest } else { rest };
        // No position is worth more than the stones on the board, but a foreign table may say so.
        let value = value.clamp(-i32::from(MAX_STONES), MAX_STONES.into()) as i8;
        Entry::new(Value(value), Distance((plies as u16).min(Entry::MAX_DISTANCE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_the_entry_of_its_claim() {
        for value in -48..=48 {
            for distance in [0, 1, 2, 77, Entry::MAX_DISTANCE] {
                let entry = Entry::new(Value(value), Distance(if value == 0 { 0 } else { distance }));
                assert_eq!(Claim::of(entry).entry(), entry);
                assert_eq!(Claim::of(entry).value(), i32::from(value));
                assert!(Claim::of(entry) > Claim::NONE && Claim::of(entry).value() > Claim::NONE.value());
            }
        }
    }

    #[test]
    fn gains_hurry_and_losses_delay() {
        assert!(Claim::new(4, 3) > Claim::new(4, 5) && Claim::new(4, 5) > Claim::new(2, 1));
        assert!(Claim::new(-4, 5) > Claim::new(-4, 3) && Claim::new(-2, 1) > Claim::new(-4, 9));
    }
}
