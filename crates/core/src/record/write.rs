//! A game record as text.

use std::fmt;

use crate::notation::Side;

use super::Record;

/// Columns of a line; a word that is longer has a line of its own.
const WIDTH: usize = 79;

/// The numbers of moves: a turn of South and one of North have the same. An answer to an offer is part of the turn it opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbering {
    number: u32,
    side: Side,
}

impl Numbering {
    /// Before the first move, which this player makes.
    pub(super) const fn new(first: Side) -> Self {
        Self { number: 1, side: first }
    }

    /// The number of the next move, which this player makes.
    pub(super) fn next(&mut self, side: Side) -> u32 {
        self.number += u32::from(side != self.side && side == Side::South);
        self.side = side;
        self.number
    }
}

/// Words on lines of [`WIDTH`] columns.
struct Lines<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.out.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.out.write_str(" ")?;
            self.column += 1;
        }
        self.column += width;
        self.out.write_str(word)
    }

    /// The marks and comments after a move, or before the first one.
    fn note(&mut self, note: &super::Note) -> fmt::Result {
        note.marks.iter().try_for_each(|mark| self.word(&format!("${mark}")))?;
        note.comments
            .iter()
            .try_for_each(|comment| format!("{{{comment}}}").split(' ').try_for_each(|word| self.word(word)))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut lines = Lines { out: f, column: 0 };
        lines.note(self.note(0))?;
        // The player of the move before, if nothing was said after it.
        let mut before = None;
        for ((at, made), number) in self.playing().made().iter().enumerate().zip(self.numbers()) {
            let text =
                if made.captured > 0 { format!("{}x{}", made.text(), made.captured) } else { made.text().to_string() };
            let text = match (made.side, before) {
                (Side::South, Some(Side::South)) | (Side::North, Some(_)) => text,
                (Side::South, _) => format!("{number}. {text}"),
                (Side::North, None) => format!("{number}... {text}"),
            };
            lines.word(&text)?;
            let note = self.note(at + 1);
            lines.note(note)?;
            before = note.comments.is_empty().then_some(made.side);
        }
        lines.word(self.result().word())?;
        writeln!(f)
    }
}
