//! `kpe tables export`: a layer in forms that other programs read. `tables/TOOLS.md` describes them.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use kpe::index::{Layer, successor};
use kpe::notation::{Position, Side};
use kpe::rules::Game;
use kpe::table::TableFile;
use kpe::value::Entry;

use super::stats::parse_layer;
use crate::cli::args::{PlaceArgs, RulesArgs, check_layered};
use crate::cli::exit::Status;
use crate::cli::interrupt;
use crate::cli::output::{Named, STANDARD_OUTPUT, begin_file, cannot_write, name_of};
use crate::cli::progress::tell;

/// Write all positions of a layer for other programs
///
/// In the order of their numbers: csv and jsonl with position, value and distance; npy as a
/// NumPy array of 16-bit integers, a row a position, value and distance its columns; raw as
/// 16-bit words, (value + 64) * 512 + distance. A position of value 0 has no distance: the
/// field is empty, null or 0.
#[derive(Args)]
pub(in crate::cli) struct ExportArgs {
    /// The layer, as n24 or n48_AB_-
    #[arg(value_parser = parse_layer)]
    layer: Layer,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
    Npy,
    Raw,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let file = set.require(args.layer)?;
    let export = Export { game, layer: args.layer, format: args.format };
    let stop = interrupt::stop_flag()?;
    let written = match &args.out {
        None => export.write(file, Named { out: io::stdout().lock(), name: STANDARD_OUTPUT.to_owned() }, &stop),
        Some(path) => export.write_to(file, path, &stop),
    };
    match written {
        Err(error) if error.is::<Stopped>() => {
            tell("kpe: interrupted; no file was written");
            Ok(Status::Interrupted)
        }
        written => written.map(|()| Status::Done),
    }
}

/// A request to end has come.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Stopped;

/// What is written and how.
struct Export {
    game: Game,
    layer: Layer,
    format: Format,
}

impl Export {
    /// Writes to the file at `path`, which is there only when it is whole. Something that is no plain file, as a pipe, is
    /// written to as it is.
    fn write_to(&self, file: &TableFile, path: &Path, stop: &AtomicBool) -> anyhow::Result<()> {
        let name = name_of(path);
        let mut out = Named { out: begin_file(path, &[file.path()])?, name };
        self.write(file, &mut out, stop)?;
        let Named { out, name } = out;
        out.finish().map_err(|error| cannot_write(&name, &error))?;
        Ok(())
    }

    /// Writes every position, a block of the table at a time.
    fn write(&self, file: &TableFile, out: impl Write, stop: &AtomicBool) -> anyhow::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        match self.format {
            Format::Csv => out.write_all(b"position,value,distance\n")?,
            Format::Npy => out.write_all(&npy_header(self.layer.positions()))?,
            Format::Jsonl | Format::Raw => {}
        }
        let mut board = Some(kpe::index::unrank(0, self.layer.loose_stones()));
        file.each_block(self.layer, |_, entries| {
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped.into());
            }
            for &entry in entries {
                match self.format {
                    Format::Csv | Format::Jsonl => {
                        // There is a board for every entry; the last one has no successor.
                        let loose = board.unwrap_or_default();
                        board = successor(loose);
                        let board = loose.plus(self.layer.base());
                        let position = Position::from_solver(self.game, Side::South, board, [0, 0])?;
                        self.line(&mut out, &position, entry)?;
                    }
                    Format::Npy => {
                        out.write_all(&i16::from(entry.value().0).to_le_bytes())?;
                        out.write_all(&distance(entry).unwrap_or(0).to_le_bytes())?;
                    }
                    Format::Raw => {
                        let word = ((i16::from(entry.value().0) + 64) as u16) << 9 | distance(entry).unwrap_or(0);
                        out.write_all(&word.to_le_bytes())?;
                    }
                }
            }
            Ok::<(), anyhow::Error>(())
        })?;
        out.flush()?;
        Ok(())
    }

    fn line(&self, out: &mut impl Write, position: &Position, entry: Entry) -> io::Result<()> {
        let value = entry.value().0;
        match (self.format, distance(entry)) {
            (Format::Csv, Some(plies)) => writeln!(out, "{position},{value},{plies}"),
            (Format::Csv, None) => writeln!(out, "{position},{value},"),
            (_, Some(plies)) => {
                writeln!(out, "{{\"position\":\"{position}\",\"value\":{value},\"distance\":{plies}}}")
            }
            (_, None) => writeln!(out, "{{\"position\":\"{position}\",\"value\":{value},\"distance\":null}}"),
        }
    }
}

/// The distance of an entry; a position of value 0 has none.
fn distance(entry: Entry) -> Option<u16> {
    (entry.value().0 != 0).then_some(entry.distance().0)
}

/// The head of a NumPy file, version 1.0, for an array of `rows` times two 16-bit integers. Its length is a multiple of 64.
fn npy_header(rows: u32) -> Vec<u8> {
    const BEFORE: usize = 10;
    let mut text = format!("{{'descr': '<i2', 'fortran_order': False, 'shape': ({rows}, 2), }}");
    while !(BEFORE + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numpy_files_begin_as_numpy_says() {
        for rows in [1, 19_448, u32::MAX] {
            let header = npy_header(rows);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), header.len() - 10);
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }
}
