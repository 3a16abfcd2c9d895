//! The opening book: value and distance of every position within the first plies from the start.
//!
//! A book holds no keys: its positions have a fixed order (module `walk`), so that entries are all there is to write.
//! The bytes, numbers little-endian:
//!
//! | from | length | what |
//! |---:|---:|---|
//! | 0 | 8 | `kpe-book` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 1 | plies |
//! | 11 | 1 | R, length of the rules' text |
//! | 12 | 4 | number of positions |
//! | 16 | 4 | M, length of the model |
//! | 20 | 4 | P, length of the packed entries |
//! | 24 | 8 | XXH3-64 of bytes 0–23 and of all from 32 on |
//! | 32 | R | the rule options, such as `origin=skip,unlock=same,feed=remains` |
//! | 32 + R | M | model: the distributions of excesses, then those of distances, written as in table files |
//! | 32 + R + M | P | the entries in the order of the walk, packed by the coder of table files as one block |
//!
//! A book is foreign data like a table: whatever its bytes, reading ends with the entries that were written or with an error.
//!
//! ```
//! use kpe_core::book::Book;
//! use kpe_core::rules::kpe::Kpe;
//! use kpe_core::value::Value;
//!
//! let entry = Book::embedded()?.entry(Kpe::start()).expect("the start is in the book");
//! assert_eq!(entry.value(), Value::ZERO); // Kpé is a draw
//! # Ok::<(), kpe_core::table::TableError>(())
//! ```

mod codec;
mod format;
mod walk;

use std::sync::OnceLock;

use hashbrown::HashMap;

use crate::board::Board;
use crate::index::Layer;
use crate::rules::kpe::Kpe;
use crate::table::TableError;
use crate::value::Entry;
use codec::{Hint, Model, Reader};
use walk::Walk;

pub use format::BOOK_VERSION;

/// Plies of the book in the program.
pub const BOOK_PLIES: u8 = 10;
/// Different positions within ten plies from the start; more room is only taken as entries are read.
///
/// Counted ply by ply, a position met after other numbers of plies once for each, they are 731,358.
const ROOM: usize = 660_590;
/// Most plies a book may have: far beyond what anybody would wait for.
const MOST_PLIES: u8 = 16;

/// The name of the book in the program, for messages.
const NAME: &str = "opening.book (in the program)";
static EMBEDDED: &[u8] = include_bytes!("../../../../tables/opening.book");

/// Exact entries of all positions within some plies from the start of Kpé.
#[derive(Debug)]
pub struct Book {
    rules: Kpe,
    places: HashMap<u64, u32>,
    boards: Vec<Board>,
    entries: Vec<Entry>,
    /// Where each ply begins, and the end.
    plies: Vec<usize>,
    /// Layers that hold a position of the book, by [`slot`].
    layers: Box<[bool]>,
}

impl Book {
    /// The book in the program, of the standard rules; read when it is first asked for.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if it is not sound.
    pub fn embedded() -> Result<&'static Self, TableError> {
        static BOOK: OnceLock<Result<Book, (String, String, String)>> = OnceLock::new();
        let read = || {
            Self::from_bytes(NAME, EMBEDDED).map_err(|error| match error {
                TableError::Damaged { what, found, expected, .. } => (what, found, expected),
                other => ("book".to_owned(), other.to_string(), "one this program reads".to_owned()),
            })
        };
        // An error cannot be handed out twice, so its text is kept and the error made anew.
        BOOK.get_or_init(read).as_ref().map_err(|(what, found, expected)| TableError::Damaged {
            file: NAME.into(),
            what: what.clone(),
            found: found.clone(),
            expected: expected.clone(),
        })
    }

    /// Whether the book in the program may know a position of this layer of the standard rules; told without reading it.
    #[must_use]
    pub const fn embedded_may_know(layer: Layer) -> bool {
        // Nobody captures before his fourth turn; a test sees to it that no more is captured within the book.
        layer.stones() >= 32 && layer.stones().is_multiple_of(2)
    }

    /// The book of the positions within `plies` plies whose entries `look_up` tells.
    ///
    /// # Errors
    /// Those of `look_up`, and a defect if what it told cannot be: a value below one that follows from the positions before.
    pub fn collect<E: From<TableError>>(
        rules: Kpe,
        plies: u8,
        mut look_up: impl FnMut(Board) -> Result<Entry, E>,
    ) -> Result<Self, E> {
        Self::build(rules, plies, 0, |board, hint| {
            let entry = look_up(board)?;
            if codec::excess(entry.value(), hint.floor).is_none() {
                let found = entry.value().to_string();
                let expected = format!("at least {} and of the same parity", hint.floor);
                return Err(format::damaged("opening", format!("value of {board:?}"), found, expected).into());
            }
            Ok(entry)
        })
    }

    fn build<E>(
        rules: Kpe,
        plies: u8,
        room: usize,
        mut entry: impl FnMut(Board, Hint) -> Result<Entry, E>,
    ) -> Result<Self, E> {
        let mut walk = Walk::new(rules, room);
        let mut entries = Vec::with_capacity(room);
        let mut layers = vec![false; Layer::SLOTS].into_boxed_slice();
        for ply in 0..=plies {
            if ply > 0 {
                walk.advance(&entries);
            }
            for at in walk.last() {
                let board = walk.boards[at];
                layers[Layer::of(board).slot()] = true;
                entries.push(entry(board, Hint::new(board, walk.floors[at]))?);
            }
        }
        let Walk { places, boards, plies, .. } = walk;
        Ok(Self { rules, places, boards, entries, plies, layers })
    }

    /// The rules the book is of.
    #[must_use]
    pub const fn rules(&self) -> Kpe {
        self.rules
    }

    /// Plies from the start that the book covers.
    #[must_use]
    pub fn plies(&self) -> u8 {
        // At most MOST_PLIES.
        (self.plies.len() - 2) as u8
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds nothing; never, since the start is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The positions first met after exactly `ply` plies, with their entries, in the order of the book.
    pub fn at_ply(&self, ply: u8) -> impl Iterator<Item = (Board, Entry)> + '_ {
        let bound = |ply: usize| self.plies.get(ply).copied().unwrap_or(self.len());
        let range = bound(ply.into())..bound(usize::from(ply) + 1);
        self.boards[range.clone()].iter().copied().zip(self.entries[range].iter().copied())
    }

    /// All positions in the order of the book, with their entries.
    pub fn iter(&self) -> impl Iterator<Item = (Board, Entry)> + '_ {
        self.boards.iter().copied().zip(self.entries.iter().copied())
    }

    /// Whether the book holds some position of the layer.
    #[must_use]
    pub fn touches(&self, layer: Layer) -> bool {
        self.layers[layer.slot()]
    }

    /// The entry of the position with this number in a layer, if it is within the plies of the book.
    #[must_use]
    pub fn probe(&self, layer: Layer, number: u32) -> Option<Entry> {
        self.places.get(&walk::key(layer, number)).map(|&place| self.entries[place as usize])
    }

    /// The entry of a position, if it is within the plies of the book.
    #[must_use]
    pub fn entry(&self, board: Board) -> Option<Entry> {
        let layer = Layer::of(board);
        self.probe(layer, layer.rank(board))
    }

    /// The bytes of the book.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut hints, mut entries) = (Vec::with_capacity(self.len()), self.entries.iter());
        let again = Self::build(self.rules, self.plies(), self.len(), |_, hint| {
            hints.push(hint);
            Ok::<_, std::convert::Infallible>(entries.next().copied().unwrap_or_default())
        });
        debug_assert!(again.is_ok_and(|again| again.entries == self.entries));
        let model = Model::train(&hints, &self.entries);
        format::write(self, &model.to_bytes(), &model.pack(&hints, &self.entries))
    }

    /// The book in these bytes; `name` stands for the file in messages.
    ///
    /// # Errors
    /// [`TableError::Damaged`] if [`Book::to_bytes`] could not have written them, [`TableError::NewerFormat`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, TableError> {
        let parts = format::read(name, bytes)?;
        let refuse = |error: crate::pack::PackError| format::damaged(name, error.what, error.found, error.expected);
        let model = Model::from_bytes(parts.model).map_err(refuse)?;
        let mut reader = Reader::new(&model, parts.packed).map_err(refuse)?;
        // A wrong number of plies must not walk on for ever: the count of positions is the limit.
        let mut left = parts.count;
        let book = Self::build(parts.rules, parts.plies, parts.count.min(ROOM), |_, hint| {
            left = left.checked_sub(1).ok_or_else(|| {
                format::damaged(name, "number of positions", parts.count, "as many as there are in these plies")
            })?;
            reader.entry(hint).map_err(refuse)
        })?;
        if left > 0 {
            return Err(format::damaged(name, "number of positions", parts.count, book.len()));
        }
        reader.finish().map_err(refuse)?;
        Ok(book)
    }
}

#[cfg(test)]
mod tests;
