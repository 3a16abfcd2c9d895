//! `kpe tables`: building, describing, checking and asking tables of solved layers.

mod build;
mod digests;
mod export;
mod fault;
mod info;
mod probe;
mod stats;
mod verdict;
mod verify;

use clap::Subcommand;

use super::exit::Status;

/// Build, describe, check and ask tables of solved positions
#[derive(Subcommand)]
pub(super) enum TablesCommand {
    Build(build::BuildArgs),
    Info(info::InfoArgs),
    Verify(verify::VerifyArgs),
    Stats(stats::StatsArgs),
    Export(export::ExportArgs),
    Digests(digests::DigestsArgs),
    Probe(probe::ProbeArgs),
}

pub(super) fn run(command: TablesCommand) -> anyhow::Result<Status> {
    match command {
        TablesCommand::Build(args) => build::run(&args),
        TablesCommand::Info(args) => info::run(&args),
        TablesCommand::Verify(args) => verify::run(&args),
        TablesCommand::Stats(args) => stats::run(&args),
        TablesCommand::Export(args) => export::run(&args),
        TablesCommand::Digests(args) => digests::run(&args),
        TablesCommand::Probe(args) => probe::run(&args),
    }
}
