//! `kpe tables digests`: the page `tables/DIGESTS.md`, written from a set or compared with one.

use std::path::PathBuf;

use clap::Args;
use kpe::rules::Game;
use kpe::table::{
    DIGEST_HEADS, DigestRow, TableError, digest_differences, digests_of, directory_name, parse_digests, parse_file_name,
};

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, title};
use crate::cli::exit::{Refused, Status};
use crate::cli::input;
use crate::cli::output::Output;
use crate::cli::system;
use crate::cli::units::{grouped, number, size};

/// Write or compare lengths, counts and SHA-256 of all files of a set
///
/// Without --compare it writes a page in Markdown, the form of tables/DIGESTS.md.
#[derive(Args)]
pub(in crate::cli) struct DigestsArgs {
    /// Compare the set with this page instead; the status is 1 if they differ
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Only files with at most N stones
    #[arg(long, value_name = "N", default_value_t = 48, hide_default_value = true, value_parser = number::<u8>(0..=48))]
    stones: u8,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn run(args: &DigestsArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let name = directory_name(&game);
    let no_place = || Refused::Usage("this user has no data directory; name a directory with --tables".to_owned());
    args.place.check_level()?;
    let root = args.place.root().ok_or_else(no_place)?;
    let directory = root.join(&name);
    if !directory.is_dir() {
        return Err(TableError::Missing { what: name, place: root.display().to_string() }.into());
    }
    let small = |row: &DigestRow| parse_file_name(&row.file).is_some_and(|layer| layer.stones() <= args.stones);
    let mut rows = system::pool(None)?.install(|| digests_of(&directory, &game))?;
    rows.retain(small);
    let mut out = Output::new();
    let status = match &args.compare {
        None => page(&game, &rows, &mut out).map(|()| Status::Done)?,
        Some(path) => {
            let text = input::read_text(path, 16, "a page of digests")?;
            let wrong = |error| Refused::Usage(format!("{}, {error}", path.display()));
            let mut expected = parse_digests(&text).map_err(wrong)?;
            expected.retain(small);
            if expected.is_empty() {
                return Err(Refused::Usage(format!("{} lists no such table files", path.display())).into());
            }
            compare(&rows, &expected, &mut out)?
        }
    };
    out.finish()?;
    Ok(status)
}

fn page(game: &Game, rows: &[DigestRow], out: &mut Output) -> anyhow::Result<()> {
    let sum = |of: fn(&DigestRow) -> u64| rows.iter().map(of).sum::<u64>();
    let positions = sum(|row| row.wins + row.draws + row.losses);
    out.line(format!("# Digests of the tables of {} ({game})\n", title(game)))?;
    out.line("`scripts/reproduce` builds the set, checks it and compares it with this page, which")?;
    out.line("`kpe tables digests` wrote. Wins, draws and losses are those of the player to move, in all")?;
    out.line("layers of a file; `tables/README.md` says how files are named and what is in them.\n")?;
    let (files, bytes) = (rows.len(), sum(|row| row.bytes));
    out.line(format!(
        "{files} files, {} bytes ({}), {} positions.\n",
        grouped(bytes),
        size(bytes),
        grouped(positions)
    ))?;
    out.line(DIGEST_HEADS)?;
    for row in rows {
        out.line(row)?;
    }
    Ok(())
}

fn compare(found: &[DigestRow], expected: &[DigestRow], out: &mut Output) -> anyhow::Result<Status> {
    let differences = digest_differences(found, expected);
    for difference in &differences {
        out.line(difference)?;
    }
    if differences.is_empty() {
        out.line(format!("{} files, all as expected", expected.len()))?;
        return Ok(Status::Done);
    }
    out.line(format!("{} of {} files differ", differences.len(), expected.len()))?;
    Ok(Status::No)
}
