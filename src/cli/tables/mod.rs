//! `kpe tables`: building, describing, checking and asking tables of solved layers.

mod build;
mod info;
mod probe;
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
    Probe(probe::ProbeArgs),
}

pub(super) fn run(command: TablesCommand) -> anyhow::Result<Status> {
    match command {
        TablesCommand::Build(args) => build::run(&args),
        TablesCommand::Info(args) => info::run(&args),
        TablesCommand::Verify(args) => verify::run(&args),
        TablesCommand::Probe(args) => probe::run(&args),
    }
}
