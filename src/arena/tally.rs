//! Why the games of a match ended, and who took longer than allowed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::game::{GameRecord, Verdict};

/// How often each reason occurred, by its word.
pub type Reasons = BTreeMap<&'static str, u64>;

/// Counts over the games of finished pairs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Why games ended, all of them.
    pub endings: Reasons,
    /// Games ended before their end because the result was taken for known.
    pub adjudicated: u64,
    /// The games each contestant lost by a fault.
    pub faults: [Reasons; 2],
    /// The moves of each contestant that came later than allowed, those that lost a game included.
    pub late: [u64; 2],
    /// The longest time by which such a move was late.
    pub overrun: [Duration; 2],
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let verdict = &record.result.verdict;
        *self.endings.entry(verdict.word()).or_default() += 1;
        self.adjudicated += u64::from(verdict.is_adjudication());
        if let Verdict::Fault(side, fault) = verdict {
            *self.faults[(*side as usize + record.south) % 2].entry(fault.word()).or_default() += 1;
        }
        for side in [0, 1] {
            let contestant = (side + record.south) % 2;
            self.late[contestant] += u64::from(record.late[side]);
            self.overrun[contestant] = self.overrun[contestant].max(record.overrun[side]);
        }
    }
}
