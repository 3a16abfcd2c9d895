//! A game with what a record says of it beside its moves: tags, comments, marks, and a result that no rule gave.

use crate::notation::{Move, Side};

use super::said::Said;
use super::tokens::SIGNS;
use super::write::Numbering;
use super::{Made, PlayError, Playing};

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// South has won.
    South,
    /// North has won.
    North,
    /// Nobody has.
    Draw,
    /// It is not over.
    Open,
}

impl GameResult {
    const WORDS: [(&'static str, Self); 4] =
        [("1-0", Self::South), ("0-1", Self::North), ("1/2-1/2", Self::Draw), ("*", Self::Open)];

    /// The result of a finished game with this winner.
    #[must_use]
    pub const fn won_by(winner: Option<Side>) -> Self {
        match winner {
            Some(Side::South) => Self::South,
            Some(Side::North) => Self::North,
            None => Self::Draw,
        }
    }

    /// The winner of a finished game, `None` inside for a draw; `None` if it is not finished.
    #[must_use]
    pub const fn winner(self) -> Option<Option<Side>> {
        match self {
            Self::South => Some(Some(Side::South)),
            Self::North => Some(Some(Side::North)),
            Self::Draw => Some(None),
            Self::Open => None,
        }
    }

    /// As a record has it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub fn word(self) -> &'static str {
        // Every variant is in the list.
        Self::WORDS.iter().find(|(_, result)| *result == self).map_or("", |(word, _)| word)
    }

    /// The result this word stands for.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, result)| result)
    }
}

/// A result that the moves do not lead to: somebody resigned, or ran out of time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Award {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why: `resignation`, `time`, …
    pub how: String,
}

impl Award {
    /// Whether nobody has said why.
    #[must_use]
    pub fn is_unexplained(&self) -> bool {
        self.how == UNKNOWN
    }
}

/// What is said of a move, or of the game before its first one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Note {
    /// Marks by PGN's numbers: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, others as their writer meant them.
    pub marks: Vec<u8>,
    /// Comments, white space made single blanks, without braces that would end them.
    pub comments: Vec<String>,
}

impl Note {
    /// The marks as a person writes them, `!?`; those that have no sign by their numbers, ` $7`.
    #[doc(hidden)]
    #[must_use]
    pub fn signs(&self) -> String {
        let sign = |mark| SIGNS.iter().find(|&&(_, number)| number == mark).map(|&(sign, _)| sign.to_owned());
        self.marks.iter().map(|&mark| sign(mark).unwrap_or_else(|| format!(" ${mark}"))).collect()
    }

    /// Adds a comment, if it says anything.
    pub fn comment(&mut self, text: &str) {
        let text = plain(text).replace('}', ")");
        if !text.is_empty() {
            self.comments.push(text);
        }
    }
}

/// The text on one line, without control characters.
pub(super) fn plain(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a tag without control characters.
pub(super) fn one_line(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Names of tags that follow from the game itself and cannot be set.
pub(super) const GAME: &str = "Game";
pub(super) const OPTIONS: &str = "Options";
pub(super) const LOOPS: &str = "Loops";
pub(super) const START: &str = "Start";
pub(super) const RESULT: &str = "Result";
pub(super) const TERMINATION: &str = "Termination";
pub(super) const SCORE: &str = "Score";
pub(super) const LABEL: &str = "Label";
const DERIVED: [&str; 8] = [GAME, OPTIONS, LOOPS, START, RESULT, TERMINATION, SCORE, LABEL];

/// What a game that goes on has for a termination.
pub(super) const UNFINISHED: &str = "unfinished";
/// How a game was won or lost of which only that is known.
pub(super) const UNKNOWN: &str = "unknown";
/// What [`Record::resign`] gives as the reason.
const RESIGNATION: &str = "resignation";
/// The label of a game whose winner declined an offer (RULES 3.7).
pub(super) const WITHOUT_GLORY: &str = "victory without glory";

/// A game as a record has it. [`Record::read`] and `Display` are inverse to each other; `RECORDS.md` describes the text.
///
/// ```
/// use kpe_core::record::Record;
///
/// let text = "[Game \"kpe\"]\n[Start \"0-0-0-1-1-0-0-0-23-23-S\"]\n[South \"Ama\"]\n\n1. Dx2 {The end.} 1-0\n";
/// let record = Record::read(text)?;
/// assert_eq!((record.tag("South"), record.note(1).comments.as_slice()), (Some("Ama"), &["The end.".to_owned()][..]));
/// assert_eq!(Record::read(&record.to_string())?, record);
///
/// let error = Record::read("1. A b 2. Q").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 11: found \"Q\", expected one of A, B, C, D");
/// # Ok::<(), kpe_core::record::RecordError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    playing: Playing,
    /// Names and values of the tags that do not follow from the game, in their order.
    tags: Vec<(String, String)>,
    /// What is said before the first move, then after each.
    notes: Vec<Note>,
    award: Option<Award>,
    pub(super) said: Said,
}

impl Record {
    /// The record of a game so far, without comments.
    #[must_use]
    pub fn new(playing: Playing) -> Self {
        let notes = vec![Note::default(); playing.made().len() + 1];
        Self { playing, tags: Vec::new(), notes, award: None, said: Said::default() }
    }

    /// The game so far.
    #[must_use]
    pub const fn playing(&self) -> &Playing {
        &self.playing
    }

    /// Makes a move.
    ///
    /// # Errors
    /// As [`Playing::play`].
    pub fn play(&mut self, action: Move) -> Result<Made, PlayError> {
        let made = self.playing.play(action)?;
        self.notes.push(Note::default());
        self.turn();
        Ok(made)
    }

    /// Takes the last move back, with what was said of it, and a result that no rule gave.
    pub fn take_back(&mut self) -> Option<Made> {
        let made = self.playing.take_back()?;
        self.notes.pop();
        self.turn();
        Some(made)
    }

    /// The end is another one from now on, if there is one.
    fn turn(&mut self) {
        self.award = None;
        self.said = std::mem::take(&mut self.said).after_a_move();
    }

    /// Ends the game in favour of the other player.
    pub fn resign(&mut self, loser: Side) {
        self.award(Award { winner: Some(loser.other()), how: RESIGNATION.to_owned() });
    }

    /// Gives the game a result; one that has ended by its rules keeps its own.
    pub fn award(&mut self, award: Award) {
        let how = plain(&award.how);
        let how = if how.is_empty() { UNKNOWN.to_owned() } else { how };
        self.turn();
        self.award = self.playing.ending().is_none().then_some(Award { how, ..award });
    }

    /// Takes a result back that no rule gave; whether there was one.
    pub fn cancel_award(&mut self) -> bool {
        let was_awarded = self.award.is_some();
        if was_awarded {
            self.turn();
        }
        was_awarded
    }

    /// The result that no rule gave.
    #[must_use]
    pub const fn awarded(&self) -> Option<&Award> {
        self.award.as_ref()
    }

    /// Whether the game is over, by the rules or otherwise.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.playing.ending().is_some() || self.award.is_some()
    }

    /// How the game came out.
    #[must_use]
    pub fn result(&self) -> GameResult {
        match (self.playing.ending(), &self.award) {
            (Some(ending), _) => GameResult::won_by(ending.winner()),
            (None, Some(award)) => GameResult::won_by(award.winner),
            (None, None) => GameResult::Open,
        }
    }

    /// Why it ended: `rules`, `repetition`, another word if no rule ended it, or `unfinished` (or what the record says
    /// instead of that).
    #[must_use]
    pub fn termination(&self) -> &str {
        match (self.playing.ending(), &self.award) {
            (Some(ending), _) => ending.reason.word(),
            (None, Some(award)) => &award.how,
            (None, None) => self.said.termination.as_deref().unwrap_or(UNFINISHED),
        }
    }

    /// The value of a tag such as `South`, `North` or `Date` that does not follow from the game.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets such a tag. Does nothing if the name is no word of letters, digits and `_`, or follows from the game.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name || DERIVED.contains(&name) {
            return;
        }
        let value = one_line(value);
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// All tags as they are written: what the game is, what was set, how it came out.
    #[must_use]
    pub fn tags(&self) -> Vec<(&str, String)> {
        let game = self.playing.game();
        let mut tags = vec![
            (GAME, game.name().to_owned()),
            (OPTIONS, game.to_string()),
            (LOOPS, self.playing.loops().to_string()),
            (START, self.playing.start().to_string()),
        ];
        tags.extend(self.tags.iter().map(|(name, value)| (name.as_str(), value.clone())));
        tags.push((RESULT, self.result().word().to_owned()));
        let said = self.said.clone();
        tags.push((TERMINATION, said.termination.unwrap_or_else(|| self.termination().to_owned())));
        let ending = self.playing.ending();
        let score = said.score.or_else(|| Some(ending?.totals().join("-")));
        let label = ending.is_some_and(|ending| ending.without_glory).then(|| WITHOUT_GLORY.to_owned());
        tags.extend(score.map(|score| (SCORE, score)));
        tags.extend(said.label.or(label).map(|label| (LABEL, label)));
        tags
    }

    /// The number of each move as it is written: a turn of South and one of North have the same.
    #[must_use]
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbering = Numbering::new(self.playing.start().side());
        self.playing.made().iter().map(|made| numbering.next(made.side)).collect()
    }

    /// What is said before the first move (0) or after move `number`, from 1.
    ///
    /// # Panics
    /// If there are fewer moves.
    #[must_use]
    pub fn note(&self, number: usize) -> &Note {
        &self.notes[number]
    }

    /// The same to be added to.
    ///
    /// # Panics
    /// If there are fewer moves.
    pub fn note_mut(&mut self, number: usize) -> &mut Note {
        &mut self.notes[number]
    }

    /// What is said of the last move, or of the game if there is none yet.
    pub(super) fn last_note(&mut self) -> &mut Note {
        self.notes.last_mut().expect("there is a note before the first move")
    }
}
