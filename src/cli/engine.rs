//! `kpe engine`: the program as an engine for others, by the Universal Game Interface.

use std::io;

use anyhow::Context;
use clap::Args;
use kpe::protocol::{Host, serve};

use super::args::PlaceArgs;
use super::exit::Status;
use super::units::number;

/// Play and analyse for other programs, by the Universal Game Interface
///
/// Reads commands from standard input and answers on standard output until quit; PROTOCOL.md describes them.
/// The name uci is the same command.
#[derive(Args)]
pub(super) struct EngineArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Threads of a search, unless the option Threads is set [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true,
          value_parser = number::<u16>(1..=1024))]
    threads: u16,
}

pub(super) fn run(args: &EngineArgs) -> anyhow::Result<Status> {
    // Says now whether the directory named is there; the session opens it when it is needed.
    args.place.check()?;
    let host = Host { tables: args.place.root(), threads: usize::from(args.threads) };
    // A lock of standard input cannot be lent to the session's threads, nor need it be.
    serve(io::stdin().lock(), io::stdout(), host).context("standard input or output")?;
    Ok(Status::Done)
}
