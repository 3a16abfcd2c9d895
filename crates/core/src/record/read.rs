//! Reading game records: several in a text, each with its tags, moves and result, checked against each other.

use std::ops::Range;

use crate::notation::{ParseError, Position};
use crate::rules::kpe::Kpe;
use crate::rules::options::{Choice as _, OptionError};
use crate::rules::{Game, Loops};

use super::error::{Fault, RecordError, RecordProblem};
use super::game::{
    Award, GAME, GameResult, LOOPS, OPTIONS, RESULT, SCORE, START, TERMINATION, UNFINISHED, UNKNOWN, one_line,
};
use super::tokens::{Token, Tokens};
use super::write::Numbering;
use super::{PlayError, Playing, Reason, Record};

/// The byte order mark that some programs put before a text.
const MARK: &str = "\u{feff}";

/// The most tags of a game. Records have a dozen.
const MOST_TAGS: usize = 256;

/// The games of a text, one after the other; it ends with the first error.
///
/// ```
/// use kpe_core::record::Records;
///
/// let games = Records::new(b"1. A a *\n\n[Game \"gore\"]\n1. B c 2. D\n")?;
/// let games: Vec<_> = games.collect::<Result<_, _>>()?;
/// assert_eq!(games.iter().map(|game| game.playing().made().len()).collect::<Vec<_>>(), [2, 3]);
/// # Ok::<(), kpe_core::record::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Records<'a> {
    text: &'a str,
    tokens: Tokens<'a>,
    over: bool,
}

impl<'a> Records<'a> {
    /// The games of a text in UTF-8, with or without a byte order mark, with lines that end in any of the usual ways.
    ///
    /// # Errors
    /// If it is another encoding or no text at all.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RecordError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let (sound, wrong) = bytes.split_at(error.valid_up_to());
            let found = format!("byte {:#04x}", wrong.first().copied().unwrap_or_default());
            let text = String::from_utf8_lossy(sound) + "\u{fffd}";
            Fault { at: sound.len()..text.len(), found, problem: RecordProblem::Encoding }.place(&text)
        })?;
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        if let Some((at, sign)) = text.char_indices().find(|&(_, sign)| control(sign)) {
            let at = at..at + sign.len_utf8();
            return Err(Fault { found: sign.to_string(), at, problem: RecordProblem::Control }.place(text));
        }
        Ok(Self { text, tokens: Tokens::new(text), over: false })
    }

    /// All games of the text, at least one.
    ///
    /// # Errors
    /// [`RecordError`] for the first thing that is wrong.
    pub fn all(bytes: &'a [u8]) -> Result<Vec<Record>, RecordError> {
        let records = Self::new(bytes)?;
        let text = records.text;
        let games = records.collect::<Result<Vec<_>, _>>()?;
        if games.is_empty() {
            let end = text.len();
            return Err(Fault { at: end..end, found: String::new(), problem: RecordProblem::Empty }.place(text));
        }
        Ok(games)
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let game = Reading { text: self.text, tokens: &mut self.tokens }.game();
        self.over = !matches!(game, Ok(Some(_)));
        game.map_err(|fault| fault.place(self.text)).transpose()
    }
}

impl Record {
    /// The one game of a text.
    ///
    /// # Errors
    /// [`RecordError`] with line and column if it is no game, or more than one.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let mut records = Records::new(text.as_bytes())?;
        let text = records.text;
        let error = |at: Range<usize>, problem| Fault { found: text[at.clone()].to_owned(), at, problem }.place(text);
        let first = records.next().unwrap_or_else(|| Err(error(text.len()..text.len(), RecordProblem::Empty)))?;
        match records.tokens.next().map_err(|fault| fault.place(text))? {
            Some((_, at)) => Err(error(at, RecordProblem::Several)),
            None => Ok(first),
        }
    }
}

/// A tag and where it stands.
struct Tag<'a> {
    name: &'a str,
    value: String,
    at: Range<usize>,
}

/// A result and where it stands.
type Said = (GameResult, Range<usize>);

/// One game that is being read.
struct Reading<'t, 'a> {
    text: &'a str,
    tokens: &'t mut Tokens<'a>,
}

impl<'a> Reading<'_, 'a> {
    fn fault<T>(&self, at: Range<usize>, problem: impl Into<RecordProblem>) -> Result<T, Fault> {
        Err(Fault { found: self.text[at.clone()].to_owned(), at, problem: problem.into() })
    }

    /// A fault that a parser found in this part of the text.
    fn fault_within<T>(&self, part: &Range<usize>, error: ParseError) -> Result<T, Fault> {
        let at = part.start + error.at.start..part.start + error.at.end;
        // The value of a tag is shorter than its text by the escapes in it.
        let is_place = at.end <= part.end && self.text.get(at.clone()).is_some();
        self.fault(if is_place { at } else { part.clone() }, error)
    }

    /// The next game; `None` at the end of the text.
    fn game(&mut self) -> Result<Option<Record>, Fault> {
        let (tags, comments) = self.tags()?;
        let begun = self.tokens.next()?;
        match begun {
            None if tags.is_empty() => return Ok(None),
            Some((Token::Result(_), at)) if tags.is_empty() => {
                return self.fault(at, RecordProblem::Stray("a move or a tag of the game it is of"));
            }
            Some((_, at)) => self.tokens.back_to(at.start),
            None => {}
        }
        let mut record = Record::new(self.start(&tags)?);
        comments.into_iter().for_each(|comment| record.last_note().comment(comment));
        tags.iter().for_each(|tag| record.set_tag(tag.name, &tag.value));
        let said = self.moves(&mut record)?;
        self.conclude(&mut record, &tags, said)?;
        record.keep_said(|name| tags.iter().find(|tag| tag.name == name).map(|tag| one_line(&tag.value)));
        Ok(Some(record))
    }

    /// The tags that a game begins with, and the comments among them.
    fn tags(&mut self) -> Result<(Vec<Tag<'a>>, Vec<&'a str>), Fault> {
        let (mut tags, mut comments) = (Vec::<Tag<'_>>::new(), Vec::new());
        while let Some((token, at)) = self.tokens.next()? {
            match token {
                Token::Tag { name, .. } if tags.iter().any(|tag| tag.name == name) => {
                    return self.fault(at, RecordProblem::TagTwice);
                }
                Token::Tag { .. } if tags.len() == MOST_TAGS => return self.fault(at, RecordProblem::Tags),
                Token::Tag { name, value, value_at } => tags.push(Tag { name, value, at: value_at }),
                Token::Comment(text) => comments.push(text),
                _ => {
                    self.tokens.back_to(at.start);
                    break;
                }
            }
        }
        Ok((tags, comments))
    }

    /// The game before its first move, as the tags describe it; what they do not say is as usual.
    fn start(&self, tags: &[Tag<'_>]) -> Result<Playing, Fault> {
        let tag = |name| tags.iter().find(|tag| tag.name == name);
        let fault = |at: &Range<usize>, error: OptionError| Fault {
            found: self.text[at.clone()].to_owned(),
            at: at.clone(),
            problem: error.into(),
        };
        let mut game = Game::Kpe(Kpe::default());
        if let Some(Tag { value, at, .. }) = tag(GAME) {
            game = Game::named(value).map_err(|error| fault(at, error))?;
        }
        if let Some(Tag { value, at, .. }) = tag(OPTIONS) {
            game = Game::parse(game.name(), value).map_err(|error| fault(at, error))?;
        }
        let mut loops = Loops::default();
        if let Some(Tag { value, at, .. }) = tag(LOOPS) {
            loops = Loops::parse(value).map_err(|error| fault(at, error))?;
        }
        let mut start = Position::start(game);
        if let Some(Tag { value, at, .. }) = tag(START) {
            start = Position::parse(value, game).or_else(|error| self.fault_within(at, error))?;
        }
        Ok(Playing::new(start, loops))
    }

    /// Plays the moves of the text up to the result, the next game or the end; the result, if there is one.
    fn moves(&mut self, record: &mut Record) -> Result<Option<Said>, Fault> {
        let mut numbering = Numbering::new(record.playing().start().side());
        let mut said = None;
        while let Some((token, at)) = self.tokens.next()? {
            let side = record.playing().position().side();
            match token {
                Token::Comment(text) => record.last_note().comment(text),
                Token::Tag { .. } => return Ok(self.leave(at, said)),
                _ if said.is_some() => return Ok(self.leave(at, said)),
                Token::Variation => {}
                Token::Mark(mark) => record.last_note().marks.push(mark),
                Token::Number(number) => {
                    let expected = { numbering }.next(side);
                    if number != expected {
                        return self.fault(at, RecordProblem::Number(expected));
                    }
                }
                Token::Word(word) => {
                    self.play(record, word, at)?;
                    numbering.next(side);
                }
                Token::Result(result) => said = Some((result, at)),
            }
        }
        Ok(said)
    }

    /// Leaves the token here to the next game.
    fn leave(&mut self, at: Range<usize>, said: Option<Said>) -> Option<Said> {
        self.tokens.back_to(at.start);
        said
    }

    /// Makes the move that a word says, with `x` and the stones it captures or without.
    fn play(&self, record: &mut Record, word: &str, at: Range<usize>) -> Result<(), Fault> {
        let (text, captured) = match word.rsplit_once('x') {
            Some((text, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                (text, Some(digits))
            }
            _ => (word, None),
        };
        if let Some(ending) = record.playing().ending() {
            return self.fault(at, RecordProblem::Over(ending));
        }
        let text_at = at.start..at.start + text.len();
        let action = match record.playing().position().parse_move(text) {
            Ok(action) => action,
            Err(error) => return self.fault_within(&text_at, error),
        };
        let made = match record.play(action) {
            Ok(made) => made,
            Err(PlayError::Text(error)) => return self.fault_within(&text_at, error),
            Err(PlayError::Over { ending }) => return self.fault(at, RecordProblem::Over(ending)),
            Err(PlayError::Illegal { reason }) => return self.fault(at, RecordProblem::Illegal(reason)),
        };
        match captured {
            Some(digits) if digits.parse() != Ok(made.captured) => {
                self.fault(text_at.end..at.end, RecordProblem::Capture(made.captured))
            }
            _ => Ok(()),
        }
    }

    /// Checks what the text says of the end against what the moves lead to, and against itself.
    fn conclude(&self, record: &mut Record, tags: &[Tag<'_>], said: Option<Said>) -> Result<(), Fault> {
        let tag = |name| tags.iter().find(|tag| tag.name == name);
        let tagged = match tag(RESULT) {
            Some(Tag { value, at, .. }) => match GameResult::named(value) {
                Some(result) => Some((result, at.clone())),
                None => return self.fault(at.clone(), RecordProblem::ResultWord),
            },
            None => None,
        };
        let wrong = |expected: &str, why| RecordProblem::Result { expected: expected.to_owned(), why };
        if let (Some((tagged, _)), Some((said, at))) = (&tagged, &said)
            && said != tagged
        {
            return self.fault(at.clone(), wrong(tagged.word(), "as the tag Result has it"));
        }
        let said = said.or(tagged);
        let termination = tag(TERMINATION);
        match (record.playing().ending(), said) {
            (Some(ending), said) => {
                let result = GameResult::won_by(ending.winner());
                if let Some((_, at)) = said.filter(|said| said.0 != result) {
                    return self.fault(at, wrong(result.word(), TO_THIS));
                }
                if let Some(tag) =
                    termination.filter(|tag| is_of_rules(&tag.value) && tag.value != ending.reason.word())
                {
                    return self.fault(tag.at.clone(), wrong(ending.reason.word(), TO_THIS));
                }
                let score = ending.totals().join("-");
                match tag(SCORE).filter(|tag| tag.value != score) {
                    Some(tag) => self.fault(tag.at.clone(), wrong(&score, TO_THIS)),
                    None => Ok(()),
                }
            }
            (None, said) => {
                if let Some(tag) = termination.filter(|tag| is_of_rules(&tag.value)) {
                    return self.fault(tag.at.clone(), RecordProblem::Termination);
                }
                let how = termination.map_or(UNKNOWN, |tag| if tag.value == UNFINISHED { UNKNOWN } else { &tag.value });
                if let Some(winner) = said.and_then(|said| said.0.winner()) {
                    record.award(Award { winner, how: how.to_owned() });
                }
                Ok(())
            }
        }
    }
}

/// Why a result is expected.
const TO_THIS: &str = "to which the moves lead";

/// Whether a termination is one that only the rules give.
fn is_of_rules(termination: &str) -> bool {
    [Reason::Rules, Reason::Repetition].map(Reason::word).contains(&termination)
}
