//! `kpe tables verify`: checks every table file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use clap::Args;
use kpe::build::layers_of;
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::table::{MANIFEST, Manifest, TableError, TableFile, TableSet, directory_name, file_name};
use serde::Serialize;

use crate::cli::args::{PlaceArgs, RulesArgs, check_layered, smallest_layer};
use crate::cli::exit::{self, Status};
use crate::cli::json::Head;
use crate::cli::output::Output;
use crate::cli::progress::{Meter, watch};
use crate::cli::system;
use crate::cli::units::grouped;

/// Check the tables there are
#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
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

#[derive(Serialize)]
struct VerifyDocument<'a> {
    #[serde(flatten)]
    head: Head,
    sound: bool,
    positions: u64,
    files: &'a [FileDocument],
}

#[derive(Serialize)]
struct FileDocument {
    file: String,
    positions: u64,
    sound: bool,
    error: Option<String>,
}

/// What was found out about the set.
#[derive(Default)]
struct Findings {
    files: Vec<FileDocument>,
    /// The status of the worst fault, if there is one.
    worst: Option<Status>,
}

impl Findings {
    fn sound(&mut self, file: &TableFile) {
        let (positions, file) = (positions_of(file), file.path().display().to_string());
        self.files.push(FileDocument { file, positions, sound: true, error: None });
    }

    fn fault(&mut self, file: &Path, error: &TableError) {
        self.worst = self.worst.max(Some(exit::of_table(error)));
        let (file, error) = (file.display().to_string(), Some(error.to_string()));
        self.files.push(FileDocument { file, positions: 0, sound: false, error });
    }

    fn positions(&self) -> u64 {
        self.files.iter().map(|file| file.positions).sum()
    }
}

fn positions_of(file: &TableFile) -> u64 {
    file.metadata().sections.iter().map(|section| u64::from(section.layer.positions())).sum()
}

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<Status> {
    let game = args.rules.game()?;
    check_layered(&game)?;
    let set = args.place.open(&game)?;
    let threads = args.threads.map_or_else(system::threads, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start the threads")?;
    let mut found = Findings::default();
    if let Some(root) = args.place.root() {
        check_list(&root.join(directory_name(&game)), &game, &mut found);
    }
    let layers = set.layers()?;
    if layers.is_empty() {
        set.require(smallest_layer())?;
    }
    watch(&AtomicBool::new(false), |meter| pool.install(|| examine(&set, &layers, meter, &mut found)));
    report(&found, &game, args.json)?;
    Ok(found.worst.unwrap_or(Status::Done))
}

/// Checks that the directory has every file its manifest lists, if it has a manifest.
fn check_list(directory: &Path, game: &Game, found: &mut Findings) {
    let checked = Manifest::read(directory).and_then(|manifest| match manifest {
        None => Ok(()),
        Some(manifest) => manifest.check_rules(directory, game).and_then(|()| manifest.check_files(directory)),
    });
    if let Err(error) = checked {
        found.fault(&directory.join(MANIFEST), &error);
    }
}

/// Checks the files of these layer pairs one after the other, each in parallel.
fn examine(set: &TableSet, layers: &[Layer], meter: &Meter, found: &mut Findings) {
    let positions = |&layer: &Layer| layers_of(layer).map(|side| u64::from(side.positions())).sum::<u64>();
    meter.begin(layers.iter().map(positions).sum(), 0);
    for layer in layers {
        match set.require(*layer) {
            Err(error) => found.fault(Path::new(&file_name(*layer)), &error),
            Ok(file) => match file.verify_checksums() {
                Err(error) => found.fault(file.path(), &error),
                Ok(()) => found.sound(file),
            },
        }
        meter.add_halves(2 * positions(layer));
    }
}

fn report(found: &Findings, game: &Game, json: bool) -> anyhow::Result<()> {
    let mut out = Output::new();
    let faults = found.files.iter().filter_map(|file| file.error.as_ref());
    if json {
        let (sound, positions) = (found.worst.is_none(), found.positions());
        let head = Head::new("kpe.verify/1", game);
        out.json(&VerifyDocument { head, sound, positions, files: &found.files })?;
    } else {
        let wrong = faults.clone().count();
        for fault in faults {
            out.line(fault)?;
        }
        let sound = found.files.len() - wrong;
        out.line(format!("{sound} files with {} positions sound, {wrong} faulty", grouped(found.positions())))?;
    }
    out.finish()?;
    Ok(())
}
