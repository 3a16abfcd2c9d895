//! What the text of a record says of the end beside what the moves lead to, kept so that it is written again.

use super::game::{LABEL, SCORE, TERMINATION, UNFINISHED, UNKNOWN, WITHOUT_GLORY, plain};
use super::{GameResult, Record};

/// The values of the tags about the end that are not those the game itself has.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Said {
    pub(super) termination: Option<String>,
    pub(super) score: Option<String>,
    pub(super) label: Option<String>,
}

impl Said {
    /// What still holds when the game goes on or back: a label that is not about its end.
    pub(super) fn after_a_move(self) -> Self {
        Self { label: self.label.filter(|label| label != WITHOUT_GLORY), ..Self::default() }
    }

    /// What contradicts the game, a sentence each.
    pub(super) fn warnings(&self, record: &Record) -> Vec<String> {
        let ending = record.playing().ending();
        let ends = ending.map(|ending| format!("the moves end the game by {}", ending.reason.word()));
        let open = || "the moves do not end the game".to_owned();
        let mut warnings = Vec::new();
        let mut warn = |tag: &str, value: &str, why: String| {
            warnings.push(format!("The tag {tag} says {value:?}, but {why}."));
        };
        if let Some(said) = &self.termination {
            match (&ends, record.result()) {
                (Some(ends), _) => warn(TERMINATION, said, ends.clone()),
                (None, GameResult::Open) => {}
                (None, result) => warn(TERMINATION, said, format!("the result is {}", result.word())),
            }
        }
        if let Some(said) = &self.score {
            warn(SCORE, said, open());
        }
        match (&self.label, ending) {
            (Some(said), Some(ending)) if ending.without_glory => {
                warn(LABEL, said, format!("it is a {WITHOUT_GLORY}"));
            }
            (Some(said), Some(_)) if said == WITHOUT_GLORY => {
                warn(LABEL, said, "the winner declined no offer".to_owned())
            }
            _ => {}
        }
        warnings
    }
}

impl Record {
    /// What the text of the record says of the end that contradicts its moves or its result, a sentence each.
    ///
    /// It is kept all the same, and written again.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.said.warnings(self)
    }

    /// Keeps the values of the tags about the end that the game itself does not have.
    pub(super) fn keep_said(&mut self, tag: impl Fn(&str) -> Option<String>) {
        let ending = self.playing().ending();
        let own = match (ending, self.awarded()) {
            (Some(ending), _) => ending.reason.word(),
            (None, Some(award)) => &award.how,
            (None, None) => UNFINISHED,
        };
        // One that says nothing is as good as none.
        let is_other = |said: &String| !plain(said).is_empty() && plain(said) != plain(own);
        let termination = tag(TERMINATION).filter(is_other);
        let score = tag(SCORE).filter(|said| ending.is_none_or(|ending| ending.totals().join("-") != *said));
        let glory = ending.is_some_and(|ending| ending.without_glory);
        let label = tag(LABEL).filter(|said| !(glory && said == WITHOUT_GLORY));
        self.said = Said { termination, score, label };
    }

    /// The outcome in words: `1-0 (resignation)`, and of one that nothing explains, `1-0, as the record says`.
    #[must_use]
    pub fn outcome(&self) -> String {
        let result = self.result().word();
        match self.termination() {
            UNKNOWN => format!("{result}, no reason given"),
            termination => format!("{result} ({termination})"),
        }
    }
}
