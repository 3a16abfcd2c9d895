//! `kpe tables verify`: checks every table file and every entry in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use kpe::rules::Game;
use kpe::table::{Manifest, TableError, TableSet, directory_name};
use kpe::verify::{Progress, Report, Shard, VerifyError, VerifyOptions, verify, verify_sample};

use super::verdict::{Verdict, merge};
use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, smallest_layer};
use crate::cli::exit::{self, Status};
use crate::cli::output::Output;
use crate::cli::progress::{Meter, tell, watch};
use crate::cli::units::{grouped, number};
use crate::cli::{interrupt, system};

/// Some two hundred times the positions there are; nobody lives to see the end of more.
const MOST_SAMPLED: u64 = 1_000_000_000_000;

/// Check the tables there are
///
/// Every entry is compared with those one move on, which proves the set: values, distances and checksums.
#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
    /// Check only N positions drawn at random
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "merge"], value_parser = number::<u64>(1..=MOST_SAMPLED))]
    sample: Option<u64>,
    /// What the random positions hang on; another number draws others
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample", hide_default_value = true,
          value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Check part I of K, so that several machines can share the work
    #[arg(long, value_name = "I/K", conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Put together the documents of all shards, made with --json
    #[arg(long, value_name = "FILE", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Threads to check with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<Status> {
    if !args.merge.is_empty() {
        let verdict = merge(&args.merge)?;
        report(&verdict, args.json)?;
        return Ok(verdict.status());
    }
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let stop = interrupt::stop_flag()?;
    let pool = system::pool(args.threads)?;
    let verdict = match pool.install(|| examine(args, &game, &set, &stop)) {
        Err(VerifyError::Stopped) if stop.load(Ordering::Relaxed) => {
            tell("kpe: interrupted; nothing can be said of the rest");
            return Ok(Status::Interrupted);
        }
        examined => examined?,
    };
    report(&verdict, args.json)?;
    Ok(verdict.status())
}

/// The verdict on a set.
///
/// # Errors
/// If there is no set, or the system refuses something.
fn examine(args: &VerifyArgs, game: &Game, set: &TableSet, stop: &AtomicBool) -> Result<Verdict, VerifyError> {
    if set.layers()?.is_empty() {
        set.require(smallest_layer())?;
    }
    let shard = args.shard.unwrap_or(Shard::ALL);
    let mut verdict = Verdict::new(game, shard, args.sample);
    if let Some(root) = args.place.root()
        && let Err(error) = check_list(&root.join(directory_name(game)), game)
    {
        verdict.add_damage(&error);
    }
    let certified = watch(stop, |meter| certify(args, set, shard, stop, meter));
    match certified {
        Ok(report) => {
            verdict.add_report(game, &report, set.fingerprint()?);
            Ok(verdict)
        }
        // The check ends with the first file that is not sound; which others are not is worth knowing too.
        Err(VerifyError::Table(error)) if exit::of_table(&error) != Status::Resource => {
            for error in damage(set)? {
                verdict.add_damage(&error);
            }
            verdict.add_damage(&error);
            Ok(verdict)
        }
        Err(error) => Err(error),
    }
}

fn certify(
    args: &VerifyArgs,
    set: &TableSet,
    shard: Shard,
    stop: &AtomicBool,
    meter: &Meter,
) -> Result<Report, VerifyError> {
    let observe = |progress| match progress {
        Progress::Start(positions) => meter.begin(positions, 0),
        Progress::Positions(positions) => meter.add_halves(2 * positions),
    };
    let options = VerifyOptions { shard, stop, observe: &observe };
    match args.sample {
        Some(count) => verify_sample(set, count, args.seed, &options),
        None => verify(set, &options),
    }
}

/// Refuses a directory that lacks a file its manifest lists, if it has a manifest.
fn check_list(directory: &Path, game: &Game) -> Result<(), TableError> {
    match Manifest::read(directory)? {
        None => Ok(()),
        Some(manifest) => {
            manifest.check_rules(directory, game)?;
            manifest.check_files(directory)
        }
    }
}

/// What is wrong with each file, values apart.
fn damage(set: &TableSet) -> Result<Vec<TableError>, TableError> {
    let check = |layer| set.require(layer).and_then(|file| file.verify_checksums()).err();
    Ok(set.layers()?.into_iter().filter_map(check).collect())
}

fn report(verdict: &Verdict, json: bool) -> anyhow::Result<()> {
    let mut out = Output::new();
    if json {
        out.json(verdict)?;
    } else {
        for damage in &verdict.damaged {
            out.line(damage)?;
        }
        for fault in &verdict.faults {
            out.line(fault)?;
        }
        let files = if verdict.sample.is_some() { String::new() } else { format!(" in {} files", verdict.files) };
        let end = if verdict.sound { "no fault" } else { "NOT SOUND" };
        out.line(format!("{} positions checked{files}: {end}", grouped(verdict.positions)))?;
    }
    out.finish()?;
    Ok(())
}
