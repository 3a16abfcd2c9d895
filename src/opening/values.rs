//! Exact values for the analysis: from the end of the game, the book, or the tables.

use std::path::Path;

use crate::board::Board;
use crate::index::Layer;
use crate::notation::{Position, Side};
use crate::rules::kpe::Kpe;
use crate::rules::options::Choice;
use crate::rules::{Game, Rules};
use crate::table::{TableError, TableSet};
use crate::value::{Distance, Entry, Value};

use super::book::Book;

/// Why a figure cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It needs a position that neither the book nor a table has.
    #[error("there is no table for {position}{}; build all tables with `{command}`", if *.book { ", which is beyond the opening book" } else { "" })]
    NeedsTables {
        /// The position.
        position: String,
        /// Whether the book was asked as well.
        book: bool,
        /// The command that builds what is missing.
        command: String,
    },
    /// A table or the book cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Where exact values come from.
#[derive(Debug)]
pub struct Values<'a> {
    rules: Kpe,
    book: Option<&'a Book>,
    tables: &'a TableSet,
    command: String,
}

impl<'a> Values<'a> {
    /// The values of the game of `rules` from tables of these rules, and from the book in the program if it is of them.
    ///
    /// # Errors
    /// If the book is damaged.
    pub fn new(rules: Kpe, tables: &'a TableSet) -> Result<Self, OpeningError> {
        let book = if rules == Kpe::default() { Some(Book::embedded()?) } else { None };
        Ok(Self { rules, book, tables, command: build_command(rules) })
    }

    /// The same without the book.
    #[must_use]
    pub fn without_book(self) -> Self {
        Self { book: None, ..self }
    }

    /// The same, whose messages name this directory as the place for tables.
    #[must_use]
    pub fn with_place(self, directory: &Path) -> Self {
        let command = format!("{} --tables {}", build_command(self.rules), directory.display());
        Self { command, ..self }
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> Kpe {
        self.rules
    }

    /// The command that builds all tables of these rules.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Value, from the mover's point of view, and distance of a position.
    ///
    /// # Errors
    /// [`OpeningError`].
    pub fn entry(&self, board: Board) -> Result<Entry, OpeningError> {
        if let Some(value) = self.rules.over(board) {
            return Ok(Entry::new(Value(value), Distance(0)));
        }
        let layer = Layer::of(board);
        let number = layer.rank(board);
        if let Some(entry) = self.book.and_then(|book| book.probe(layer, number)) {
            return Ok(entry);
        }
        self.tables.probe(layer, number)?.ok_or_else(|| OpeningError::NeedsTables {
            position: Position::from_solver(Game::Kpe(self.rules), Side::South, board, [0, 0])
                .map_or_else(|_| format!("{board:?}"), |position| position.to_string()),
            book: self.book.is_some(),
            command: self.command.clone(),
        })
    }

    /// Value of a position, from the mover's point of view.
    ///
    /// # Errors
    /// [`OpeningError`].
    pub fn value(&self, board: Board) -> Result<Value, OpeningError> {
        self.entry(board).map(Entry::value)
    }

    /// The values of many positions in their order; they are asked for in that of the tables, which is much quicker.
    ///
    /// # Errors
    /// [`OpeningError`].
    pub fn of_all(&self, boards: &[Board]) -> Result<Vec<Value>, OpeningError> {
        let place = |board: Board| {
            let layer = Layer::of(board);
            (layer.min(layer.mirror()), layer, layer.rank(board))
        };
        let mut order: Vec<usize> = (0..boards.len()).collect();
        order.sort_by_cached_key(|&at| place(boards[at]));
        let mut values = vec![Value::ZERO; boards.len()];
        for at in order {
            values[at] = self.value(boards[at])?;
        }
        Ok(values)
    }

    /// The legal moves of a position: pit, stones captured, board after it, value for the mover with the capture.
    ///
    /// # Errors
    /// [`OpeningError`].
    pub fn moves(&self, board: Board) -> Result<Vec<Valued>, OpeningError> {
        let valued = |pit| {
            let played = self.rules.play(board, pit);
            let value = Value(played.captured as i8 - self.value(played.board)?.0);
            Ok(Valued { pit, captured: played.captured, board: played.board, value })
        };
        self.rules.moves(board).into_iter().map(valued).collect()
    }
}

/// A legal move and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The pit sown.
    pub pit: crate::board::Pit,
    /// Stones captured.
    pub captured: u8,
    /// The board after it, as the opponent sees it.
    pub board: Board,
    /// What it is worth to the mover, its own capture included.
    pub value: Value,
}

/// The command that builds all tables of these rules.
fn build_command(rules: Kpe) -> String {
    fn option<C: Choice>(choice: C) -> String {
        if choice == C::WORDS[0].1 { String::new() } else { format!(" --{} {}", C::NAME, choice.word()) }
    }
    format!("kpe tables build{}{}{}", option(rules.origin), option(rules.unlock), option(rules.feed))
}
