//! What can be wrong with the text of a game record, and how it is told.

use std::fmt;
use std::ops::Range;

use super::Ending;
use crate::echo::is_obeyed;
use crate::notation::error::Found;
use crate::notation::{IllegalMove, ParseError};
use crate::rules::options::OptionError;

/// Characters of a line that are shown around a fault.
const SHOWN: usize = 70;

/// A text that is no game record: where it is wrong, what stands there and what was expected.
///
/// Displays as one line, `line 3, column 7: found "Q", expected one of A, B, C, D`; [`RecordError::caret`] draws the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {}", Told(self))]
#[non_exhaustive]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What is wrong with it.
    pub problem: RecordProblem,
    /// The line, or the part of a long one that is around the place.
    excerpt: String,
    /// Characters of the excerpt before the wrong part, and in it.
    marked: (usize, usize),
}

/// What is wrong with the text of a record; displays as what was expected, but for the two that are errors of their own.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The bytes are no text.
    #[error("text in UTF-8")]
    Encoding,
    /// A control character, which has no business in a text.
    #[error("text without control characters")]
    Control,
    /// A tag without a name.
    #[error("the name of a tag, in letters and digits")]
    TagName,
    /// A tag without a value.
    #[error("the value of the tag in quotation marks")]
    TagValue,
    /// A tag that does not end.
    #[error("\"]\" after the value of the tag")]
    TagEnd,
    /// A backslash before something else than it may stand before.
    #[error("\\\" or \\\\, the only signs that follow a backslash")]
    Escape,
    /// Something that is opened and never closed; what is missing.
    #[error("{0}")]
    Open(&'static str),
    /// A sign that closes what was not opened; what should be there.
    #[error("{0}")]
    Stray(&'static str),
    /// A tag that was there before.
    #[error("each tag once")]
    TagTwice,
    /// More tags than any record has use for.
    #[error("at most 256 tags")]
    Tags,
    /// A mark with a number that is none.
    #[error("$ and a number up to 255")]
    Mark,
    /// A word that begins like a number and is none.
    #[error("a move, its number, or a result: 1-0, 0-1, 1/2-1/2 or *")]
    Word,
    /// A move with another number than it has.
    #[error("{0}., the number of the next move; perhaps moves are missing or doubled before it")]
    Number(u32),
    /// A move is said to capture what it does not.
    #[error("{}", captured(*.0))]
    Capture(u8),
    /// A result that the moves do not lead to, or that contradicts another one.
    #[error("{expected}, {why}")]
    Result {
        /// What it should be.
        expected: String,
        /// Why.
        why: &'static str,
    },
    /// The tag of the result has another word.
    #[error("1-0, 0-1, 1/2-1/2 or *")]
    ResultWord,
    /// A reason for the end that only the moves can give.
    #[error("another word, for the moves do not end the game")]
    Termination,
    /// A move after the end.
    #[error("no move: the game is over ({0})")]
    Over(Ending),
    /// A move that the rules do not allow.
    #[error("a legal move ({0})")]
    Illegal(IllegalMove),
    /// There is no game in the text.
    #[error("a game: tags such as [Game \"kpe\"], moves, or both")]
    Empty,
    /// There is more than one game.
    #[error("the end, for one game was asked for")]
    Several,
    /// The game or one of its options is unknown; a whole sentence.
    #[error(transparent)]
    Option(Box<OptionError>),
    /// A position or a move is wrong; a whole sentence.
    #[error(transparent)]
    Notation(Box<ParseError>),
}

impl From<OptionError> for RecordProblem {
    fn from(error: OptionError) -> Self {
        Self::Option(Box::new(error))
    }
}

impl From<ParseError> for RecordProblem {
    fn from(error: ParseError) -> Self {
        Self::Notation(Box::new(error))
    }
}

fn captured(stones: u8) -> String {
    if stones == 0 {
        "no capture, for the move makes none".to_owned()
    } else {
        format!("x{stones}, what the move captures")
    }
}

/// The error without its place.
struct Told<'a>(&'a RecordError);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.problem {
            problem @ (RecordProblem::Option(_) | RecordProblem::Notation(_)) => problem.fmt(f),
            problem @ RecordProblem::Encoding => write!(f, "found {}, expected {problem}", self.0.found),
            problem => write!(f, "found {}, expected {problem}", Found(&self.0.found)),
        }
    }
}

/// A fault and the bytes of the text it is at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) at: Range<usize>,
    pub(super) found: String,
    pub(super) problem: RecordProblem,
}

impl Fault {
    /// The error, with line and column in `text`.
    pub(super) fn place(self, text: &str) -> RecordError {
        let before = &text[..self.at.start];
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let line = 1 + line_ends(&before[..line_start]);
        let column = 1 + text[line_start..self.at.start].chars().count();
        let rest = &text[line_start..];
        let whole = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let marked = text[self.at.clone()].chars().take_while(|c| !matches!(c, '\n' | '\r')).count();
        let skipped = (column - 1).saturating_sub(SHOWN / 2);
        let excerpt = whole.chars().skip(skipped).take(SHOWN).map(|c| if is_obeyed(c) { '·' } else { c }).collect();
        let marked = (column - 1 - skipped, marked.clamp(1, SHOWN - (column - 1 - skipped)));
        RecordError { line, column, found: self.found, problem: self.problem, excerpt, marked }
    }
}

/// Lines that end in the text, whether by `\n`, `\r\n` or `\r`.
fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    let pairs = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() - pairs
}

impl RecordError {
    /// Two lines: the line of the text, or the part of it around the fault, and `^` signs under the wrong part.
    #[must_use]
    pub fn caret(&self) -> String {
        let (indent, width) = self.marked;
        format!("{}\n{:indent$}{:^<width$}", self.excerpt, "", "")
    }
}
