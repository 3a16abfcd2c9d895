//! `kpe tables build`: solves layers and writes them, going on where an earlier build stopped.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use kpe::build::{BuildError, BuildOptions, Progress, build};
use kpe::document::Head;
use kpe::rules::Game;
use kpe::system::limits;
use kpe::table::{Manifest, directory_name, free_bytes};
use serde::Serialize;

use crate::cli::args::{PlaceArgs, RulesArgs, shell_word, title};
use crate::cli::exit::{Refused, Status};
use crate::cli::output::Output;
use crate::cli::progress::{Meter, tell, watch};
use crate::cli::units::{grouped, number, parse_size, size, time};
use crate::cli::{interrupt, system};

/// Solve layers and write them as tables
///
/// The set has every lock layer and every unlocked layer with at most N stones, even numbers
/// only. What is there already is kept, so a build that was stopped goes on where it was.
#[derive(Args)]
pub(in crate::cli) struct BuildArgs {
    /// Most stones on the board
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = number::<u8>(0..=48))]
    stones: u8,
    /// Also build odd numbers of stones, which never arise from the start
    #[arg(long)]
    odd: bool,
    /// Layer pairs to work on at once [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Memory to use, such as 8GiB [default: what is available, less a reserve]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
struct BuildDocument {
    #[serde(flatten)]
    head: Head,
    directory: String,
    files: usize,
    positions: u64,
    bytes: u64,
}

pub(super) fn run(args: &BuildArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    args.place.check_level()?;
    let root = root(&args.place)?;
    let stop = interrupt::stop_flag()?;
    let begun = Instant::now();
    match watch(&stop, |meter| build_into(&root, &game, args, &stop, meter)) {
        Ok(manifest) => {
            report(&root.join(directory_name(&game)), &game, &manifest, begun, args.json)?;
            Ok(Status::Done)
        }
        Err(error) if error.is_stop() && stop.load(Ordering::Relaxed) => {
            tell(&format!("kpe: interrupted; what is finished stays. To go on:\n  {}", same_command()));
            Ok(Status::Interrupted)
        }
        Err(error) => Err(error.into()),
    }
}

fn root(place: &PlaceArgs) -> Result<PathBuf, Refused> {
    place.root().ok_or_else(|| {
        Refused::Usage("this user has no data directory; name a directory with --tables or KPE_TABLES".to_owned())
    })
}

fn build_into(
    root: &Path,
    game: &Game,
    args: &BuildArgs,
    stop: &AtomicBool,
    meter: &Meter,
) -> Result<Manifest, BuildError> {
    let memory = args.memory.unwrap_or_else(limits::spare_memory);
    let observe = |progress| match progress {
        Progress::Start { positions, finished, memory: needed, disk } => {
            announce(root, game, [positions, finished, needed, memory, disk]);
            meter.begin(positions, finished);
        }
        Progress::Unlocked => tell(&format!(
            "kpe: the file system of {} has no locks, so nothing keeps another build out; start none there meanwhile",
            root.display()
        )),
        Progress::Halves(halves) => meter.add_halves(halves),
        Progress::Listing => {}
    };
    let options = BuildOptions {
        root,
        stones: args.stones,
        odd: args.odd,
        threads: system::threads(args.threads),
        memory,
        stop,
        observe: &observe,
    };
    build(game, &options)
}

/// Says what the build will need before it begins.
fn announce(root: &Path, game: &Game, [positions, finished, needed, allowed, disk]: [u64; 5]) {
    let directory = root.join(directory_name(game));
    // Not knowing is no reason to stop; the build itself asks again.
    let free = free_bytes(&directory).map_or(String::new(), |free| format!(" of {} free", size(free)));
    let done = if finished > 0 { format!(", {} of them done", grouped(finished)) } else { String::new() };
    tell(&format!("Building {} ({game})", title(game)));
    tell(&format!("  positions  {}{done}", grouped(positions)));
    tell(&format!("  memory     about {} of {} allowed", size(needed), size(allowed)));
    tell(&format!("  disk       at most {}{free}", size(disk)));
    tell(&format!("  directory  {}", directory.display()));
}

fn report(directory: &Path, game: &Game, manifest: &Manifest, begun: Instant, json: bool) -> anyhow::Result<()> {
    let (files, positions) = (manifest.files.len(), manifest.files.iter().map(|file| file.positions).sum());
    let bytes = manifest.files.iter().map(|file| file.bytes).sum();
    // Bytes of a name that are no text cannot stand in a document.
    let shown = directory.display().to_string();
    let mut out = Output::new();
    if json {
        out.json(&BuildDocument { head: Head::new("kpe.build/1", game), directory: shown, files, positions, bytes })?;
    } else {
        let took = time(begun.elapsed());
        out.line(format!("{} positions in {files} files, {}, in {took}: {shown}", grouped(positions), size(bytes)))?;
    }
    out.finish()?;
    Ok(())
}

/// The command this process was started with, quoted for a shell.
fn same_command() -> String {
    let words = std::env::args_os().map(|word| shell_word(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}
