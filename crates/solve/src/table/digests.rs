//! `DIGESTS.md`: a table for people and programs of what every file of a set must be.
//!
//! It is Markdown. A row of the table begins with `|` and the name of a table file; whatever else stands in the page is
//! prose and not read.

use std::fmt;
use std::path::Path;

use rayon::prelude::*;

use super::digest::sha256_of_table;
use super::manifest::open_named;
use crate::echo::quoted;
use crate::rules::Game;
use kpe_core::table::TableError;
use kpe_core::table::{parse_file_name, table_names};

/// What a table file must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DigestRow {
    /// Its name.
    pub file: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Positions won by the player to move, in all its layers.
    pub wins: u64,
    /// Positions of value 0.
    pub draws: u64,
    /// Positions lost by the player to move.
    pub losses: u64,
    /// SHA-256 of its bytes in lower-case hexadecimal.
    pub sha256: String,
}

/// The two lines above the rows.
pub const DIGEST_HEADS: &str = "| file | bytes | wins | draws | losses | SHA-256 |\n|---|---:|---:|---:|---:|---|";

impl fmt::Display for DigestRow {
    /// The row of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, bytes, wins, draws, losses, sha256 } = self;
        write!(f, "| `{file}` | {bytes} | {wins} | {draws} | {losses} | `{sha256}` |")
    }
}

/// A row that names a table file and is not what a row must be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "line {line}: found {}, expected a row | file | bytes | wins | draws | losses | SHA-256 | for each file once",
    quoted(found)
)]
pub struct DigestError {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
}

impl DigestRow {
    /// The row that a line of Markdown holds; `None` if it is prose.
    fn parse(text: &str) -> Option<Result<Self, ()>> {
        let cells: Vec<&str> =
            text.trim().strip_prefix('|')?.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let file = cells.first().filter(|name| parse_file_name(name).is_some())?;
        let number = |cell: &str| cell.replace(',', "").parse::<u64>().map_err(drop);
        let row = match cells[..] {
            [_, bytes, wins, draws, losses, sha256, ""] => (|| {
                Ok(Self {
                    file: (*file).to_owned(),
                    bytes: number(bytes)?,
                    wins: number(wins)?,
                    draws: number(draws)?,
                    losses: number(losses)?,
                    sha256: sha256.to_ascii_lowercase(),
                })
            })(),
            _ => Err(()),
        };
        let is_digest = |row: &Self| row.sha256.len() == 64 && row.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(row.and_then(|row| if is_digest(&row) { Ok(row) } else { Err(()) }))
    }
}

/// The rows of a page, in its order.
///
/// # Errors
/// If a row is not whole, or a file has two.
pub fn parse_digests(page: &str) -> Result<Vec<DigestRow>, DigestError> {
    let mut rows: Vec<DigestRow> = Vec::new();
    for (line, text) in (1..).zip(page.lines()) {
        let error = || DigestError { line, found: text.to_owned() };
        match DigestRow::parse(text) {
            None => {}
            Some(Ok(row)) if rows.iter().all(|other| other.file != row.file) => rows.push(row),
            Some(_) => return Err(error()),
        }
    }
    Ok(rows)
}

/// The rows for the files in `directory`, which is a set of `game`, in the order of their names.
///
/// # Errors
/// If a file cannot be read, is damaged, is another one than its name says, or is of other rules.
pub fn digests_of(directory: &Path, game: &Game) -> Result<Vec<DigestRow>, TableError> {
    table_names(directory)?.into_par_iter().map(|name| digest_of(directory, name, game)).collect()
}

fn digest_of(directory: &Path, name: String, game: &Game) -> Result<DigestRow, TableError> {
    let file = open_named(directory, &name, game)?;
    let sections = file.metadata().sections.iter().map(|section| section.statistics);
    let (wins, draws, losses) = sections.fold((0u64, 0u64, 0u64), |(wins, draws, losses), counts| {
        let sum = |sum: u64, more| sum.saturating_add(more);
        (sum(wins, counts.wins), sum(draws, counts.draws), sum(losses, counts.losses))
    });
    let sha256 = sha256_of_table(&file)?;
    Ok(DigestRow { file: name, bytes: file.length(), wins, draws, losses, sha256 })
}

/// What differs between the files found and those expected, a line each; none if they are the same.
#[must_use]
pub fn digest_differences(found: &[DigestRow], expected: &[DigestRow]) -> Vec<String> {
    let in_list = |list: &[DigestRow], file: &str| list.iter().find(|row| row.file == file).cloned();
    let mut differences = Vec::new();
    for row in expected {
        match in_list(found, &row.file) {
            None => differences.push(format!("{}: missing", row.file)),
            Some(other) if other != *row => {
                differences.push(format!("{}: found\n  {other}\nexpected\n  {row}", row.file))
            }
            Some(_) => {}
        }
    }
    let more = found.iter().filter(|row| in_list(expected, &row.file).is_none());
    differences.extend(more.map(|row| format!("{}: not in the list", row.file)));
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, bytes: u64) -> DigestRow {
        DigestRow { file: file.to_owned(), bytes, wins: 3, draws: 2, losses: 1, sha256: "0a".repeat(32) }
    }

    #[test]
    fn rows_are_found_among_prose() {
        let rows = vec![row("n04.kpt", 1_234_567), row("n24_AB_-.kpt", 9)];
        let page =
            format!("# Digests\n\nSome | prose.\n{DIGEST_HEADS}\n{}\n{}\n\n| other | table |\n", rows[0], rows[1]);
        assert_eq!(parse_digests(&page), Ok(rows.clone()));
        let loose = page.replace('`', "").replace("1234567", "1,234,567").replace("0a", "0A").replace("| n", "  |n");
        assert_eq!(parse_digests(&loose), Ok(rows));
    }

    #[test]
    fn rows_that_are_not_whole_are_refused() {
        let good = row("n04.kpt", 5).to_string();
        for bad in [
            "| n04.kpt | 5 |".to_owned(),
            good.replace("| 3", "| x"),
            good.replace("0a0a", "0a"),
            good.replace("0a0a", "zzzz"),
            format!("{good}\n{good}"),
        ] {
            assert!(parse_digests(&bad).is_err(), "{bad}");
        }
        assert_eq!(parse_digests("| file | bytes |\n|---|"), Ok(vec![]));
    }

    #[test]
    fn every_difference_is_told() {
        let expected = [row("n00.kpt", 1), row("n02.kpt", 2), row("n04.kpt", 3)];
        let found = [row("n00.kpt", 1), row("n02.kpt", 9), row("n06.kpt", 3)];
        let told = digest_differences(&found, &expected);
        assert_eq!(told.len(), 3);
        for (told, file) in told.iter().zip(["n02.kpt: found", "n04.kpt: missing", "n06.kpt: not"]) {
            assert!(told.starts_with(file), "{told}");
        }
        assert!(digest_differences(&expected, &expected).is_empty());
    }
}
