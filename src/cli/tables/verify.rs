//! `kpe tables verify`: checks every table file and every entry in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use kpe::board::MAX_STONES;
use kpe::build::layers_of;
use kpe::rules::Game;
use kpe::table::{MANIFEST, Manifest, TableError, TableSet, check_sums, directory_name};
use kpe::verify::{Progress, Report, Shard, VerifyError, VerifyOptions, verify, verify_sample};

use super::verdict::{Verdict, merge};
use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, shell_word, smallest_layer};
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
    /// Another number draws other positions
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample",
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
    if let Some(root) = args.place.root() {
        match check_list(&root, game) {
            Ok(None) => {}
            Ok(Some(incomplete)) => {
                verdict.add_incomplete(incomplete);
                return Ok(verdict);
            }
            Err(error) => verdict.add_damage(&error),
        }
    }
    let mut verdict = watch(stop, |meter| match certify(args, set, shard, stop, meter) {
        Ok(report) => {
            verdict.add_report(game, &report, set.fingerprint()?);
            Ok(verdict)
        }
        Err(VerifyError::Table(error)) if exit::of_table(&error) != Status::Resource => {
            // The check ends with the first file that is not sound; which others are not is worth knowing too, but not to
            // somebody who asked for a quick look.
            if args.sample.is_none() {
                for error in damage(set, stop, meter)? {
                    verdict.add_damage(&error);
                }
            }
            verdict.add_damage(&error);
            Ok(verdict)
        }
        Err(error) => Err(error),
    })?;
    // The sums of damaged tables are wrong of course: the list is looked at where nothing else is. A quick look reads no whole
    // files; shards share the reading.
    let part = |at: usize, name: &str| match args.sample {
        _ if stop.load(Ordering::Relaxed) => false,
        Some(_) => name == MANIFEST,
        None => at % shard.count() == shard.number() - 1,
    };
    if verdict.damaged.is_empty()
        && let Some(root) = args.place.root()
        && let Err(error) = check_sums(&root.join(directory_name(game)), part)
    {
        verdict.add_damage(&error);
    }
    if stop.load(Ordering::Relaxed) { Err(VerifyError::Stopped) } else { Ok(verdict) }
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

/// Compares the set below `root` with its manifest, if it has one; what is to be said if files that it lists are missing.
///
/// # Errors
/// If the manifest is of other rules, or a file has another length than it says.
fn check_list(root: &Path, game: &Game) -> Result<Option<String>, TableError> {
    let directory = root.join(directory_name(game));
    let Some(manifest) = Manifest::read(&directory)? else { return Ok(None) };
    manifest.check_rules(&directory, game)?;
    let missing = manifest.missing_files(&directory)?;
    if missing.is_empty() {
        manifest.check_files(&directory)?;
        return Ok(None);
    }
    let (names, are, them) = match missing.len() {
        1 => (missing[0].to_owned(), "is", "it"),
        _ => (missing.join(", "), "are", "them"),
    };
    let command = build_command(&manifest, root, game);
    Ok(Some(format!(
        "incomplete: {names} {are} listed in {MANIFEST} but missing; {command} makes {them} again; nothing was checked"
    )))
}

/// The command that builds the set of this manifest.
fn build_command(manifest: &Manifest, root: &Path, game: &Game) -> String {
    let mut command = "kpe tables build".to_owned();
    if !matches!(game, Game::Kpe(_)) {
        command += &format!(" --game {}", game.name());
    }
    let plain = Game::named(game.name()).map(|game| game.to_string()).unwrap_or_default();
    let asked = game.to_string();
    for option in asked.split(',').filter(|option| !plain.split(',').any(|default| default == *option)) {
        command += &format!(" --{}", option.replace('=', " "));
    }
    match manifest.files.iter().map(|file| file.stones).max() {
        Some(stones) if stones < MAX_STONES => command += &format!(" --stones {stones}"),
        _ => {}
    }
    if manifest.files.iter().any(|file| file.stones % 2 == 1) {
        command += " --odd";
    }
    format!("{command} --tables {}", shell_word(&root.to_string_lossy()))
}

/// What is wrong with each file, values apart.
///
/// # Errors
/// [`VerifyError::Stopped`], or if a directory cannot be read.
fn damage(set: &TableSet, stop: &AtomicBool, meter: &Meter) -> Result<Vec<TableError>, VerifyError> {
    let layers = set.layers()?;
    let positions = |layer| layers_of(layer).map(|side| u64::from(side.positions())).sum::<u64>();
    meter.begin(layers.iter().map(|&layer| positions(layer)).sum(), 0);
    let mut found = Vec::new();
    for layer in layers {
        if stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Stopped);
        }
        found.extend(set.require(layer).and_then(|file| file.verify_checksums()).err());
        meter.add_halves(2 * positions(layer));
    }
    Ok(found)
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
        if verdict.incomplete() {
            out.finish()?;
            return Ok(());
        }
        let files = if verdict.sample.is_some() { String::new() } else { format!(" in {} files", verdict.files) };
        let end = if verdict.sound { "no fault" } else { "NOT SOUND" };
        out.line(format!("{} positions checked{files}: {end}", grouped(verdict.positions)))?;
    }
    out.finish()?;
    Ok(())
}
