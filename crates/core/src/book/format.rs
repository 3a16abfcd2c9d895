//! The head of a book: the only place where its fields are taken apart.

use super::{Book, MOST_PLIES};
use crate::rules::Game;
use crate::rules::kpe::Kpe;
use crate::table::{TableError, checksum_of_two};

const MAGIC: &[u8; 8] = b"kpe-book";
/// The version of the format that this program writes and reads.
pub const BOOK_VERSION: u16 = 1;
/// Bytes under the checksum before it.
const CHECKED: usize = 24;
const HEAD: usize = 32;

/// A book taken apart.
pub(super) struct Parts<'a> {
    pub(super) rules: Kpe,
    pub(super) plies: u8,
    pub(super) count: usize,
    pub(super) model: &'a [u8],
    pub(super) packed: &'a [u8],
}

/// The bytes of a book with its model and its packed entries.
pub(super) fn write(book: &Book, model: &[u8], packed: &[u8]) -> Vec<u8> {
    let options = Game::Kpe(book.rules()).to_string();
    let mut head = Vec::with_capacity(HEAD);
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&BOOK_VERSION.to_le_bytes());
    head.extend_from_slice(&[book.plies(), options.len() as u8]);
    for length in [book.len(), model.len(), packed.len()] {
        head.extend_from_slice(&(length as u32).to_le_bytes());
    }
    let body = [options.as_bytes(), model, packed].concat();
    let checksum = checksum_of_two(&head, &body);
    [&head, &checksum.to_le_bytes()[..], &body].concat()
}

/// Takes a book apart; its checksum is right if it succeeds.
pub(super) fn read<'a>(name: &str, bytes: &'a [u8]) -> Result<Parts<'a>, TableError> {
    let refuse = |what: &str, found: &dyn ToString, expected: &dyn ToString| {
        damaged(name, what, found.to_string(), expected.to_string())
    };
    let Some((head, body)) = bytes.split_first_chunk::<HEAD>() else {
        return Err(refuse("length", &bytes.len(), &format!("at least {HEAD}")));
    };
    if &head[..8] != MAGIC {
        return Err(refuse("magic", &format!("{:02x?}", &head[..8]), &"that of an opening book"));
    }
    let version = u16::from_le_bytes([head[8], head[9]]);
    if version != BOOK_VERSION {
        let (found, expected) = (format!("version {version}"), format!("version {BOOK_VERSION}"));
        return Err(TableError::NewerFormat { file: name.into(), found, expected });
    }
    let checksum = u64::from_le_bytes([24, 25, 26, 27, 28, 29, 30, 31].map(|at| head[at]));
    let found = checksum_of_two(&head[..CHECKED], body);
    if found != checksum {
        return Err(refuse("checksum", &format!("{found:016x}"), &format!("{checksum:016x}")));
    }
    let (plies, text) = (head[10], usize::from(head[11]));
    if plies > MOST_PLIES {
        return Err(refuse("number of plies", &plies, &format!("at most {MOST_PLIES}")));
    }
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
    let (model, packed) = (number(16), number(20));
    if Some(body.len()) != text.checked_add(model).and_then(|sum| sum.checked_add(packed)) {
        return Err(refuse("length of the parts", &format!("{text} + {model} + {packed}"), &body.len()));
    }
    let (options, rest) = body.split_at(text);
    let (model, packed) = rest.split_at(model);
    Ok(Parts { rules: rules(name, options)?, plies, count: number(12), model, packed })
}

fn rules(name: &str, options: &[u8]) -> Result<Kpe, TableError> {
    let text = String::from_utf8_lossy(options);
    match Game::parse("kpe", &text) {
        Ok(Game::Kpe(rules)) if Game::Kpe(rules).to_string() == text => Ok(rules),
        _ => Err(damaged(name, "rule options", text, "those of Kpé")),
    }
}

/// The error for a wrong part of the book called `name`.
pub(super) fn damaged(name: &str, what: impl ToString, found: impl ToString, expected: impl ToString) -> TableError {
    let (what, found, expected) = (what.to_string(), found.to_string(), expected.to_string());
    TableError::Damaged { file: name.into(), what, found, expected }
}
