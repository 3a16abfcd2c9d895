//! What can be wrong with a text, a set-up or a move, and how it is told.

use std::fmt;
use std::ops::Range;

use super::Side;
use crate::board::MAX_STONES;
use crate::echo;
use crate::index::UNSOWN_STONES;
use crate::rules::gore::MOST_OFFERED;

/// A text that is no position or no legal move: where it is wrong, what stands there and what was expected.
///
/// Displays as one line, `found "07", expected a number without leading zeros`; [`ParseError::caret`] draws the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {}, expected {problem}", Found(found))]
#[non_exhaustive]
pub struct ParseError {
    /// The bytes of the text that are wrong; empty, at the text's end, where something is missing.
    pub at: Range<usize>,
    /// What stands there.
    pub found: String,
    /// What was expected instead; displays as a phrase after "expected".
    pub problem: Problem,
}

impl ParseError {
    pub(super) fn new(text: &str, at: Range<usize>, problem: Problem) -> Self {
        Self { found: text[at.clone()].to_owned(), at, problem }
    }

    /// Two lines: the text the error came from, or the part of a long one around the place, and `^` signs under the wrong part.
    ///
    /// Characters that would move the cursor or turn the line round are shown as `·`, so that the signs stay in place.
    #[must_use]
    pub fn caret(&self, text: &str) -> String {
        let columns = |part: Option<&str>| part.map_or(0, |part| part.chars().count());
        let before = columns(text.get(..self.at.start));
        let skipped = if before > echo::LONGEST / 2 { before - echo::LONGEST / 4 } else { 0 };
        let mut shown = String::new();
        if skipped > 0 {
            shown.push('…');
        }
        let mut rest = text.chars().skip(skipped);
        shown.extend(rest.by_ref().take(echo::LONGEST).map(|c| if echo::is_obeyed(c) { '·' } else { c }));
        if rest.next().is_some() {
            shown.push('…');
        }
        let indent = before - skipped + usize::from(skipped > 0);
        let width = columns(text.get(self.at.clone())).clamp(1, echo::LONGEST - (before - skipped));
        format!("{shown}\n{:indent$}{:^<width$}", "", "")
    }
}

/// The wrong part of a text, shortened if it is long.
pub(crate) struct Found<'a>(pub(crate) &'a str);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("nothing more") } else { echo::quoted(self.0).fmt(f) }
    }
}

/// What a wrong text should have said instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A number is missing or is none.
    #[error("a number of stones, 0 to {MAX_STONES}")]
    Number,
    /// A number begins with a needless 0.
    #[error("a number without leading zeros")]
    LeadingZero,
    /// A `-` is missing.
    #[error("\"-\" between two numbers")]
    Dash,
    /// The player to move is missing.
    #[error("S or N, the player to move")]
    Side,
    /// Something follows a Kpé position, perhaps a suffix of Goré.
    #[error("\":\" and the unsown pits of Kpé, or the end")]
    KpeSuffix,
    /// Something follows a Goré position, perhaps a suffix of Kpé.
    #[error("\"@\" and the pits South owns in Goré, or the end")]
    GoreSuffix,
    /// Something follows the pits South owns.
    #[error("a pit's letter, \"~\" and the pits offered, or the end")]
    OfferSuffix,
    /// A letter names no pit, or a list of pits is empty.
    #[error("a pit's letter, one of ABCDabcd")]
    Letter,
    /// A letter is repeated or out of order.
    #[error("letters in the order ABCDabcd, each once")]
    Order,
    /// The text is well formed, but what it says cannot be.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The text is no move at all, or none of those the position allows.
    #[error("one of {legal}{}", because(*.reason))]
    Move {
        /// Why the move is refused, if it is a move.
        reason: Option<IllegalMove>,
        /// The legal moves, or the first of many.
        legal: String,
    },
    /// A move was asked for in a finished game.
    #[error("no move: the game is over")]
    Over,
}

fn because(reason: Option<IllegalMove>) -> String {
    reason.map_or(String::new(), |reason| format!(" ({reason})"))
}

/// Why a set-up is no position of its game; displays as what it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The board and the stores hold more stones than the game has.
    #[error("at most {MAX_STONES} stones in all, these make {stones}")]
    Stones {
        /// Stones on the board and in the stores.
        stones: u32,
    },
    /// A pit that is said to be unsown holds fewer than its first six stones.
    #[error("{UNSOWN_STONES} stones or more in a pit not yet sown from, {pit} holds {stones}")]
    Unsown {
        /// The pit's letter.
        pit: char,
        /// What it holds.
        stones: u8,
    },
    /// A player owns no pit.
    #[error("one pit or more for each player, {side} has none")]
    NoPit {
        /// The player.
        side: Side,
    },
    /// Pits have changed hands in the game without trades.
    #[error("ABCD: without trades each player owns his row")]
    FixedOwners,
    /// An offer is pending that could not have been made.
    #[error("an offer that {} could have made: {reason}", .side.other())]
    Offer {
        /// The player who must answer.
        side: Side,
        /// Why the other could not have made it.
        reason: IllegalOffer,
    },
}

/// Why pits cannot be offered (RULES 3.4); a reason to put after a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalOffer {
    /// The game is Kpé, or trades are off.
    #[error("there are no offers in this game")]
    NoTrade,
    /// The game is finished.
    #[error("the game is over, no pit holds three stones")]
    Over,
    /// A pit in the offer belongs to the receiver.
    #[error("only pits one owns can be offered")]
    NotOwned,
    /// No pit would be left.
    #[error("one pit must be kept")]
    KeepsNone,
    /// The offer has too many pits, or none.
    #[error("one to {MOST_OFFERED} pits can be offered")]
    Size,
    /// The receiver lacks the captured stones.
    #[error("the receiver must have {needed} captured stones to pay, he has {has}")]
    Price {
        /// Six for each pit.
        needed: u32,
        /// What he has.
        has: u8,
    },
    /// The player who offers has no stone to sow and must pass.
    #[error("a player who cannot sow cannot offer")]
    MustPass,
}

/// Why a move is not legal; a reason to put after a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The game is finished.
    #[error("the game is over")]
    Over,
    /// The pit holds nothing.
    #[error("the pit is empty")]
    Empty,
    /// The pit is the opponent's.
    #[error("the pit is the opponent's")]
    NotOwned,
    /// The opponent has no stones and another move gives him some.
    #[error("the opponent must be fed")]
    MustFeed,
    /// An offer is pending.
    #[error("the offer must be answered")]
    MustAnswer,
    /// There is nothing to answer.
    #[error("no offer is pending")]
    NoOffer,
    /// There is a pit to sow from, or the game has no pass.
    #[error("only a player who cannot sow passes")]
    NoPass,
    /// The offer cannot be made.
    #[error("{0}")]
    Offer(#[from] IllegalOffer),
}
