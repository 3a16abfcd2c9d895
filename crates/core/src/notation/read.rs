//! Reading a position from its text (RULES 1). What the text says is checked by the position itself.

use std::ops::Range;

use super::{LETTERS, ParseError, Position, Problem, SetupError, Side};
use crate::board::{Board, MAX_STONES, PITS, Pit, Pits};
use crate::rules::Game;

/// The word for the start of the game chosen.
const START: &str = "startpos";
/// Pits and stores.
const NUMBERS: usize = PITS + 2;

impl Position {
    /// The position of `game` that this text describes, or the start for `startpos`.
    ///
    /// # Errors
    /// [`ParseError`] with the place if the text is malformed or the game allows no such position.
    pub fn parse(text: &str, game: Game) -> Result<Self, ParseError> {
        if text == START {
            return Ok(Self::start(game));
        }
        let mut reader = Reader { text, at: 0 };
        let numbers = reader.numbers()?;
        let side = reader.side()?;
        let suffix = match game {
            Game::Kpe(_) => reader.kpe_suffix()?,
            Game::Gore(_) => reader.gore_suffix()?,
        };
        let flags = match game {
            Game::Kpe(_) => side.pits(suffix.pits),
            Game::Gore(_) if side == Side::North => Pits(!suffix.pits.0).rotate(),
            Game::Gore(_) => suffix.pits,
        };
        let [a, b, c, d, e, f, g, h, south, north] = numbers;
        let board = Board::new([a, b, c, d, e, f, g, h], Pits::NONE);
        let board = if side == Side::North { board.rotate() } else { board };
        Self::new(game, side, board.with_flags(flags), side.order([south, north]), side.pits(suffix.offered))
            .map_err(|error| ParseError::new(text, suffix.place(text, error), error.into()))
    }
}

/// What follows the player to move: pits in South's numbering and where they stand in the text.
struct Suffix {
    pits: Pits,
    pits_at: Range<usize>,
    offered: Pits,
    offered_at: Range<usize>,
}

impl Suffix {
    /// The part of the text a refused set-up is about.
    fn place(&self, text: &str, error: SetupError) -> Range<usize> {
        match error {
            SetupError::Stones { .. } => 0..text.len(),
            SetupError::Unsown { pit, .. } => {
                let letter = text[self.pits_at.clone()].find(pit).unwrap_or(0);
                self.pits_at.start + letter..self.pits_at.start + letter + 1
            }
            SetupError::NoPit { .. } | SetupError::FixedOwners => self.pits_at.clone(),
            SetupError::Offer { .. } => self.offered_at.clone(),
        }
    }
}

/// A text and how far it has been read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn end(&self) -> Range<usize> {
        self.at..self.text.len()
    }

    /// The place of the next character, empty at the end.
    fn next_char(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    fn fail<T>(&self, at: Range<usize>, problem: impl Into<Problem>) -> Result<T, ParseError> {
        Err(ParseError::new(self.text, at, problem.into()))
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// The ten numbers, each with the dash that follows it.
    fn numbers(&mut self) -> Result<[u8; NUMBERS], ParseError> {
        let mut numbers = [0; NUMBERS];
        let mut sum = 0;
        for number in &mut numbers {
            let start = self.at;
            *number = self.number()?;
            sum += u32::from(*number);
            if sum > u32::from(MAX_STONES) {
                return self.fail(start..self.at, SetupError::Stones { stones: sum });
            }
            if !self.eat('-') {
                return self.fail(self.next_char(), Problem::Dash);
            }
        }
        Ok(numbers)
    }

    /// A number of stones that fit on a board, without leading zeros.
    fn number(&mut self) -> Result<u8, ParseError> {
        let rest = self.rest();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let place = self.at..self.at + digits;
        if digits == 0 {
            let field = rest.find('-').unwrap_or(rest.len());
            let place = if field == 0 { self.next_char() } else { self.at..self.at + field };
            return self.fail(place, Problem::Number);
        }
        if digits > 1 && rest.starts_with('0') {
            return self.fail(place, Problem::LeadingZero);
        }
        match rest[..digits].parse() {
            Ok(stones) if stones <= MAX_STONES => {
                self.at = place.end;
                Ok(stones)
            }
            _ => self.fail(place, Problem::Number),
        }
    }

    fn side(&mut self) -> Result<Side, ParseError> {
        for side in [Side::South, Side::North] {
            if self.eat(side.letter()) {
                return Ok(side);
            }
        }
        self.fail(self.next_char(), Problem::Side)
    }

    fn kpe_suffix(&mut self) -> Result<Suffix, ParseError> {
        let (mut pits, start) = (Pits::NONE, self.at + 1);
        if self.eat(':') {
            pits = self.letters()?;
            if !self.rest().is_empty() {
                return self.fail(self.next_char(), Problem::Letter);
            }
        } else if !self.rest().is_empty() {
            return self.fail(self.end(), Problem::KpeSuffix);
        }
        Ok(Suffix { pits, pits_at: start..self.at, offered: Pits::NONE, offered_at: self.end() })
    }

    fn gore_suffix(&mut self) -> Result<Suffix, ParseError> {
        if self.rest().is_empty() {
            return Ok(Suffix { pits: Pits::OWN, pits_at: self.end(), offered: Pits::NONE, offered_at: self.end() });
        }
        if !self.eat('@') {
            return self.fail(self.end(), Problem::GoreSuffix);
        }
        let start = self.at;
        let pits = self.letters()?;
        let pits_at = start..self.at;
        let mut offered = Pits::NONE;
        let offer_start = self.at + 1;
        if self.eat('~') {
            offered = self.letters()?;
            if !self.rest().is_empty() {
                return self.fail(self.next_char(), Problem::Letter);
            }
        } else if !self.rest().is_empty() {
            return self.fail(self.next_char(), Problem::OfferSuffix);
        }
        Ok(Suffix { pits, pits_at, offered, offered_at: offer_start..self.at })
    }

    /// One letter or more in order, up to what is no letter.
    fn letters(&mut self) -> Result<Pits, ParseError> {
        let mut pits = Pits::NONE;
        while let Some(number) = self.rest().chars().next().and_then(|c| LETTERS.iter().position(|&l| l == c)) {
            if pits.0 >> number != 0 {
                return self.fail(self.next_char(), Problem::Order);
            }
            pits = pits.with(Pit::new(number as u8));
            self.at += 1;
        }
        if pits.is_empty() { self.fail(self.next_char(), Problem::Letter) } else { Ok(pits) }
    }
}
