//! `kpe opening report`: all findings as one page.

use std::path::PathBuf;

use clap::Args;
use kpe::opening::Values;
use kpe::opening::report::{Depths, findings};

use super::{Common, tell_missing};
use crate::cli::exit::Status;
use crate::cli::output::write_file;

/// Write all findings about the opening as one self-contained page
#[derive(Args)]
pub(super) struct ReportArgs {
    /// File to write the page to
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Status> {
    let (source, next) = (args.common.open()?, args.common.open_next()?);
    // The page is for others too: it names no directory of this machine.
    let (values, next) = (Values::new(source.rules, &source.set)?, Values::new(next.rules, &next.set)?);
    let found = findings(&values, Some(&next), Depths::default())?;
    tell_missing(&found.missing);
    write_file(&args.html, &[], found.html().as_bytes())?;
    args.common
        .print("kpe.opening.report/1", &found, |found| vec![format!("{} sections left out", found.missing.len())])
}
