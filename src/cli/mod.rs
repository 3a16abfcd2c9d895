//! The command line. Only the files below this one import `clap`, print, or know about exit statuses.
//!
//! What was asked for goes to standard output, everything else to standard error.

mod advice;
mod annotate;
mod args;
mod batch;
mod bench;
mod best;
mod drawing;
mod engine;
mod exit;
mod interrupt;
mod matches;
mod moves;
mod opening;
mod opponent;
mod output;
mod perft;
mod progress;
#[cfg(feature = "serve")]
mod serve;
mod style;
mod system;
mod tables;
mod trade;
mod trading;
mod units;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::Status;

/// What every `--help` ends with.
const AFTER_HELP: &str = concat!(
    "A position is startpos or eight pits, two stores and the player to move, such as 3-0-2-1-4-0-1-1-20-16-S. ",
    "With - the positions are read from standard input, one a line, and each is answered with a line of JSON.\n\n",
    "Exit status: 0 done; 1 the answer is no, or a line failed; 2 wrong usage or position; 3 table missing or of ",
    "other rules; 4 table damaged; 5 input, output or resources; 130 interrupted."
);

/// Solves and plays Kpé and Goré, the four-pit mancala games
#[derive(Parser)]
#[command(name = "kpe", version, max_term_width = 80, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Annotate(annotate::AnnotateArgs),
    Bench(bench::BenchArgs),
    Best(best::BestArgs),
    #[command(visible_aliases = ["uci", "ugi"])]
    Engine(engine::EngineArgs),
    Match(matches::MatchArgs),
    Moves(moves::MovesArgs),
    Opening(opening::OpeningArgs),
    Perft(perft::PerftArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    Trade(trade::TradeArgs),
}

/// Runs the program with the arguments it was given.
pub(crate) fn run() -> ExitCode {
    // Ends the process itself for --help, --version and wrong usage (status 2).
    let cli = Cli::parse();
    exit::code(dispatch(cli.command))
}

fn dispatch(command: Command) -> anyhow::Result<Status> {
    match command {
        Command::Annotate(args) => annotate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Best(args) => best::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Opening(args) => opening::run(args),
        Command::Perft(args) => perft::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
        Command::Tables(command) => tables::run(command),
        Command::Trade(args) => trade::run(&args),
    }
}
