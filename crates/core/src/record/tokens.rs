//! The words of a game record's text, each with its place. What they mean is for the reader to say.

use std::ops::Range;

use super::error::{Fault, RecordProblem};
use super::game::GameResult;

/// A word of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; the value without its escapes, and where it stands.
    Tag { name: &'a str, value: String, value_at: Range<usize> },
    /// `12.` or `12...`
    Number(u32),
    /// What should be a move.
    Word(&'a str),
    /// `$3`, `!`, `?!` and the like, by PGN's number.
    Mark(u8),
    /// `{…}` or `; …`, without the signs around it.
    Comment(&'a str),
    /// `(…)`: a line that was not played.
    Variation,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(GameResult),
}

/// The signs that may follow a move, longer ones first, with PGN's numbers.
pub(super) const SIGNS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// A text and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Goes back to this place, where a token began.
    pub(super) const fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next token and its place; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, Range<usize>)>, Fault> {
        self.skip_blanks();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let token = match first {
            '[' => self.tag()?,
            '{' => self.braces()?,
            ';' => Token::Comment(self.line().strip_prefix(';').unwrap_or_default()),
            '(' => self.variation()?,
            '$' | '!' | '?' => self.mark()?,
            ')' => return Err(self.fault(start..start + 1, RecordProblem::Stray("\"(\" before it"))),
            ']' | '}' | '"' => return Err(self.fault(start..start + 1, RecordProblem::Stray("a move or a tag"))),
            _ => self.word()?,
        };
        Ok(Some((token, start..self.at)))
    }

    fn fault(&self, at: Range<usize>, problem: RecordProblem) -> Fault {
        Fault { found: self.text[at.clone()].to_owned(), at, problem }
    }

    /// The character here, or nothing at the end of the text.
    fn here(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// Skips white space and lines that begin with `%`, which PGN keeps for other programs.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let begins_line = self.at == 0 || self.text[..self.at].ends_with(['\n', '\r']);
            if !(begins_line && self.rest().starts_with('%')) {
                return;
            }
            self.line();
        }
    }

    /// The rest of the line, without its end.
    fn line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        self.at += line.len();
        line
    }

    fn tag(&mut self) -> Result<Token<'a>, Fault> {
        self.at += 1;
        self.skip_spaces();
        let rest = self.rest();
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
        if name.is_empty() {
            return Err(self.fault(self.here(), RecordProblem::TagName));
        }
        self.at += name.len();
        self.skip_spaces();
        if !self.rest().starts_with('"') {
            return Err(self.fault(self.here(), RecordProblem::TagValue));
        }
        let (value, value_at) = self.quoted()?;
        self.skip_spaces();
        if !self.rest().starts_with(']') {
            return Err(self.fault(self.here(), RecordProblem::TagEnd));
        }
        self.at += 1;
        Ok(Token::Tag { name, value, value_at })
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// A text in quotation marks on one line, in which `\` stands before `"` and `\`.
    fn quoted(&mut self) -> Result<(String, Range<usize>), Fault> {
        let opened = self.at;
        let start = opened + 1;
        let mut value = String::new();
        let mut signs = self.text[start..].char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.at = start + at + 1;
                    return Ok((value, start..start + at));
                }
                '\\' => match signs.next() {
                    Some((_, sign @ ('"' | '\\'))) => value.push(sign),
                    _ => return Err(self.fault(start + at..start + at + 1, RecordProblem::Escape)),
                },
                '\n' | '\r' => break,
                _ => value.push(sign),
            }
        }
        Err(self.fault(opened..start, RecordProblem::Open("the closing \" on the same line")))
    }

    fn braces(&mut self) -> Result<Token<'a>, Fault> {
        let inside = &self.rest()[1..];
        let Some(length) = inside.find('}') else {
            return Err(self.fault(self.at..self.at + 1, RecordProblem::Open("\"}\" somewhere after it")));
        };
        self.at += length + 2;
        Ok(Token::Comment(&inside[..length]))
    }

    /// Skips a line that was not played, with those in it and the comments, which may hold brackets of their own.
    fn variation(&mut self) -> Result<Token<'a>, Fault> {
        let opened = self.at;
        let mut depth = 0u32;
        while let Some(sign) = self.rest().chars().next() {
            match sign {
                '{' => _ = self.braces()?,
                ';' => _ = self.line(),
                _ => self.at += sign.len_utf8(),
            }
            depth = match sign {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            if depth == 0 {
                return Ok(Token::Variation);
            }
        }
        Err(self.fault(opened..opened + 1, RecordProblem::Open("\")\" somewhere after it")))
    }

    fn mark(&mut self) -> Result<Token<'a>, Fault> {
        let rest = self.rest();
        if let Some(&(sign, number)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            self.at += sign.len();
            return Ok(Token::Mark(number));
        }
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        match rest[1..=digits].parse() {
            Ok(number) => {
                self.at += 1 + digits;
                Ok(Token::Mark(number))
            }
            Err(_) => Err(self.fault(self.at..self.at + 1 + digits, RecordProblem::Mark)),
        }
    }

    /// A move, a number or a result.
    fn word(&mut self) -> Result<Token<'a>, Fault> {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "[]{}();$!?\"".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if let Some(result) = GameResult::named(word) {
            self.at += word.len();
            return Ok(Token::Result(result));
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            self.at += word.len();
            return Ok(Token::Word(word));
        }
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        match word[..digits].parse() {
            Ok(number) if dots > 0 || digits == word.len() => {
                self.at += digits + dots;
                Ok(Token::Number(number))
            }
            _ => Err(self.fault(self.at..self.at + word.len(), RecordProblem::Word)),
        }
    }
}
