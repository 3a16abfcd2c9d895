//! Refusals of a busy server: at once for those who ask now and then, later for those who do nothing else.
//!
//! Whoever is told to ask again later and asks again at once, on hundreds of connections, would make the server say no as
//! fast as it can. So only so many refusals a second are said at once, and the others when it is time to ask again; their
//! connections are idle meanwhile and make room for others.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Refusals a second that are said at once.
const AT_ONCE: u32 = 50;
/// What `Retry-After` says.
pub(super) const AGAIN: Duration = Duration::from_secs(1);

/// The refusals of the second under way.
pub(super) struct Refusals(Mutex<(Instant, u32)>);

impl Refusals {
    pub(super) fn new() -> Self {
        Self(Mutex::new((Instant::now(), 0)))
    }

    /// How long the next refusal is to wait.
    pub(super) fn pause(&self) -> Duration {
        self.pause_at(Instant::now())
    }

    fn pause_at(&self, now: Instant) -> Duration {
        let mut second = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(second.0) >= Duration::from_secs(1) {
            *second = (now, 0);
        }
        second.1 = second.1.saturating_add(1);
        if second.1 <= AT_ONCE { Duration::ZERO } else { AGAIN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_a_second_are_said_at_once() {
        let refusals = Refusals::new();
        let now = Instant::now();
        for _ in 0..AT_ONCE {
            assert_eq!(refusals.pause_at(now), Duration::ZERO);
        }
        assert_eq!(refusals.pause_at(now), AGAIN);
        assert_eq!(refusals.pause_at(now + Duration::from_secs(2)), Duration::ZERO);
    }
}
