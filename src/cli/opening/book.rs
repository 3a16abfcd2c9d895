//! `kpe opening book`: makes the book of the first plies from the full tables, or checks it against them.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use kpe::opening::OpeningError;
use kpe::opening::book::{BOOK_PLIES, Book};
use kpe::rules::Game;
use serde::Serialize;

use super::Common;
use crate::cli::exit::{Refused, Status};
use crate::cli::input;
use crate::cli::output::write_file;
use crate::cli::units::{grouped, number, size};

/// Make the opening book from all tables, or check a book against them
#[derive(Args)]
pub(super) struct BookArgs {
    /// File to write the book to
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Compare every entry of the book in the program, or of FILE, with the tables instead
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "out")]
    check: Option<Option<PathBuf>>,
    /// Plies from the start
    #[arg(long, value_name = "N", default_value_t = BOOK_PLIES, value_parser = number::<u8>(0..=12))]
    plies: u8,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct BookDocument {
    plies: u8,
    positions: usize,
    bytes: usize,
    different: usize,
}

pub(super) fn run(args: &BookArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let values = args.common.values(&source)?.without_book();
    if let Some(file) = &args.check {
        let read;
        let book = match file {
            Some(file) => {
                let bytes = input::read(file, 64, "an opening book")?;
                read = Book::from_bytes(&file.display().to_string(), &bytes)?;
                &read
            }
            None => Book::embedded()?,
        };
        if book.rules() != source.rules {
            let (found, expected) = (Game::Kpe(book.rules()), Game::Kpe(source.rules));
            let what =
                format!("found a book of {found}, expected one of {expected}; name its rule options or another book");
            return Err(Refused::Usage(what).into());
        }
        let mut different = 0;
        for (board, entry) in book.iter() {
            different += usize::from(values.entry(board)? != entry);
        }
        let document =
            BookDocument { plies: book.plies(), positions: book.len(), bytes: book.to_bytes().len(), different };
        args.common.print("kpe.opening.book/1", &document, lines)?;
        return Ok(if different == 0 { Status::Done } else { Status::No });
    }
    let book = Book::collect::<OpeningError>(source.rules, args.plies, |board| values.entry(board))?;
    let bytes = book.to_bytes();
    let out = args.out.as_ref().context("clap asks for --out or --check")?;
    write_file(out, &[], &bytes)?;
    let document = BookDocument { plies: book.plies(), positions: book.len(), bytes: bytes.len(), different: 0 };
    args.common.print("kpe.opening.book/1", &document, lines)
}

fn lines(book: &BookDocument) -> Vec<String> {
    let (positions, bytes) = (grouped(book.positions as u64), size(book.bytes as u64));
    let mut lines = vec![format!("{positions} positions within {} plies, {bytes}", book.plies)];
    if book.different > 0 {
        lines.push(format!("{} of them differ from the tables", grouped(book.different as u64)));
    }
    lines
}
