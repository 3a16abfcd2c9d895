//! `kpe completions` and `kpe man`: what shells and `man` want to know, made from the definitions of the commands.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use super::exit::Status;
use super::output::Output;

/// Print a completion script for a shell
///
/// For bash, for instance: kpe completions bash > ~/.local/share/bash-completion/completions/kpe
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write those of all commands
#[derive(Args)]
pub(super) struct ManArgs {
    /// Write kpe.1, kpe-best.1 and so on into this directory
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kpe", &mut script);
    print(script)
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<Status> {
    match &args.directory {
        Some(directory) => {
            let refused = || format!("{}: manual pages not written", directory.display());
            std::fs::create_dir_all(directory).with_context(refused)?;
            clap_mangen::generate_to(Cli::command(), directory).with_context(refused)?;
            Ok(Status::Done)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print(page)
        }
    }
}

fn print(text: Vec<u8>) -> anyhow::Result<Status> {
    let mut out = Output::new();
    out.text(String::from_utf8(text)?)?;
    out.finish()?;
    Ok(Status::Done)
}
