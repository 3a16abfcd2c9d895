//! `kpe tables verify`: checks every table file and every entry, whole, in shards or by a sample.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use clap::Args;
use kpe::build::layers_of;
use kpe::rules::Game;
use kpe::table::{MANIFEST, Manifest, TableError, TableSet, directory_name, file_name};
use kpe::verify::{Progress, Report, Shard, VerifyError, VerifyOptions, shard_layers, verify, verify_sample};

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, smallest_layer};
use crate::cli::exit::{Refused, Status};
use crate::cli::progress::{Meter, tell, watch};
use crate::cli::{interrupt, system};
use report::{DamageDocument, SampleDocument, SetDocument, VerifyDocument};

/// Check the tables there are
///
/// Every checksum, and for every position that its value and distance follow from those one move
/// on: a set that passes is right, whoever built it. The status is 4 if anything is wrong.
#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
    /// Look at N positions drawn at random instead of all
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "merge"])]
    sample: Option<u64>,
    /// Where the random numbers of the sample start
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Check part I of K only, as 3/8; all K together check the set
    #[arg(long, value_name = "I/K")]
    shard: Option<Shard>,
    /// Add up the JSON reports of all shards instead of checking anything
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["shard", "threads"])]
    merge: Vec<PathBuf>,
    /// Threads to check with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
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
        return merge(&args.merge, args.json);
    }
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    if set.layers()?.is_empty() {
        set.require(smallest_layer())?;
    }
    let unlisted = args.place.root().and_then(|root| check_list(&root.join(directory_name(&game)), &game));
    let threads = args.threads.map_or_else(system::threads, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start the threads")?;
    let stop = interrupt::stop_flag()?;
    let checked = watch(&stop, |meter| pool.install(|| check(&set, args, &stop, meter)));
    let (report, mut damaged) = match checked {
        Err(VerifyError::Stopped) => {
            tell("kpe: interrupted; nothing is known of the files that were not checked");
            return Ok(Status::Interrupted);
        }
        checked => checked?,
    };
    damaged.extend(unlisted);
    let sample = args.sample.map(|count| SampleDocument { count, seed: args.seed });
    let shard = args.shard.unwrap_or(Shard::ALL);
    let document = VerifyDocument::new(game, shard, sample, SetDocument::of(&set)?, &report, damaged);
    document.print(args.json)?;
    Ok(document.status())
}

/// What is wrong with the files that the directory's manifest lists, if it has a manifest.
fn check_list(directory: &Path, game: &Game) -> Option<DamageDocument> {
    let checked = Manifest::read(directory).and_then(|manifest| match manifest {
        None => Ok(()),
        Some(manifest) => manifest.check_rules(directory, game).and_then(|()| manifest.check_files(directory)),
    });
    checked
        .err()
        .map(|error| DamageDocument { file: directory.join(MANIFEST).display().to_string(), error: error.to_string() })
}

/// Checks what was asked for; if a file is damaged, all of the shard that are.
fn check(
    set: &TableSet,
    args: &VerifyArgs,
    stop: &AtomicBool,
    meter: &Meter,
) -> Result<(Report, Vec<DamageDocument>), VerifyError> {
    let observe = |progress| match progress {
        Progress::Start(positions) => meter.begin(positions, 0),
        Progress::Positions(positions) => meter.add_halves(2 * positions),
    };
    let shard = args.shard.unwrap_or(Shard::ALL);
    let options = VerifyOptions { shard, stop, observe: &observe };
    let checked = match args.sample {
        Some(count) => verify_sample(set, count, args.seed, &options),
        None => verify(set, &options),
    };
    match checked {
        Ok(report) => Ok((report, Vec::new())),
        Err(VerifyError::Table(first @ TableError::Damaged { .. })) => {
            let mut damaged = damaged_files(set, shard, meter)?;
            if damaged.is_empty() {
                // The file belongs to another shard, or was mended meanwhile.
                damaged.push(damage(&first, String::new()));
            }
            Ok((Report::default(), damaged))
        }
        Err(error) => Err(error),
    }
}

/// Every damaged file of a shard.
fn damaged_files(set: &TableSet, shard: Shard, meter: &Meter) -> Result<Vec<DamageDocument>, VerifyError> {
    let pairs = shard_layers(set, shard)?;
    let positions = |&pair| layers_of(pair).map(|layer| u64::from(layer.positions())).sum::<u64>();
    meter.begin(pairs.iter().map(positions).sum(), 0);
    let mut damaged = Vec::new();
    for pair in &pairs {
        match set.require(*pair).and_then(|file| file.verify_checksums()) {
            Ok(()) => {}
            Err(error @ TableError::Damaged { .. }) => damaged.push(damage(&error, file_name(*pair))),
            Err(error) => return Err(error.into()),
        }
        meter.add_halves(2 * positions(pair));
    }
    Ok(damaged)
}

fn damage(error: &TableError, name: String) -> DamageDocument {
    let file = match error {
        TableError::Damaged { file, .. } => file.display().to_string(),
        _ => name,
    };
    DamageDocument { file, error: error.to_string() }
}

/// Adds up the reports of shards. They may be many to a file, one a line.
fn merge(files: &[PathBuf], json: bool) -> anyhow::Result<Status> {
    let mut parts = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let place = format!("{}, line {line}", file.display());
            let wrong = |error: String| Refused::Usage(format!("{place} is no report of a shard: {error}"));
            let part: VerifyDocument = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            part.check().map_err(|error| wrong(error.to_string()))?;
            parts.push(part);
        }
    }
    match VerifyDocument::merge(parts) {
        Ok(whole) => {
            whole.print(json)?;
            Ok(whole.status())
        }
        Err(error) => {
            tell(&format!("kpe: these reports prove nothing: {error}"));
            Ok(Status::No)
        }
    }
}
