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
mod input;
mod interrupt;
mod manual;
mod match_log;
mod matches;
mod moves;
mod opening;
mod opponent;
mod output;
mod perft;
mod play;
mod progress;
#[cfg(feature = "serve")]
mod serve;
mod style;
mod system;
mod tables;
mod trade;
mod trading;
mod units;
mod usage;
mod version;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};

use exit::Status;
use kpe::system::limits;

/// What every `--help` ends with.
const AFTER_HELP: &str = concat!(
    "A position is startpos or eight pits, two stores and the player to move, such as 3-0-2-1-4-0-1-1-20-16-S. ",
    "With - the positions are read from standard input, one a line, and each is answered with a line of JSON.\n\n",
    "Exit status: 0 done; 1 the answer is no, or a line failed; 2 wrong usage or position; 3 table missing or of ",
    "other rules; 4 table damaged; 5 input, output or resources; 128 and more: ended by a signal, 130 by Ctrl-C."
);

/// Solves and plays Kpé and Goré, the four-pit mancala games
#[derive(Parser)]
#[command(name = "kpe", max_term_width = 80, arg_required_else_help = true, disable_version_flag = true, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Cli {
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: commit, formats, rules, processor features
    #[arg(long, requires = "version")]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Annotate(annotate::AnnotateArgs),
    Bench(bench::BenchArgs),
    Best(best::BestArgs),
    Completions(manual::CompletionsArgs),
    #[command(visible_aliases = ["uci", "ugi"])]
    Engine(engine::EngineArgs),
    Man(manual::ManArgs),
    Match(matches::MatchArgs),
    Moves(moves::MovesArgs),
    Opening(opening::OpeningArgs),
    Perft(perft::PerftArgs),
    Play(play::PlayArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    Trade(trade::TradeArgs),
}

/// Runs the program with the arguments it was given.
pub(crate) fn run() -> ExitCode {
    // Without it a limit ends the program in a ruder way.
    interrupt::tame_limits().ok();
    limits::raise_open_files();
    let output_was_closed = kpe::memory::refuse_closed_output();
    let ended = match Cli::try_parse() {
        Err(error) => usage::tell(error),
        Ok(Cli { command: Some(command), version: false, .. }) => dispatch(command),
        Ok(cli) => version::print(cli.verbose),
    };
    exit::code(ended, output_was_closed)
}

/// Says that the system refused so many bytes, once; nothing is allocated.
pub(crate) fn tell_of_refused_memory(bytes: usize) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        const ADVICE: &str = "close other programs, raise the limit, or ask for less with --memory or --threads";
        let _ = writeln!(io::stderr(), "kpe: the system refused {bytes} bytes of memory; {ADVICE}");
    }
}

fn dispatch(command: Command) -> anyhow::Result<Status> {
    match command {
        Command::Annotate(args) => annotate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Best(args) => best::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Match(args) => matches::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Opening(args) => opening::run(args),
        Command::Perft(args) => perft::run(&args),
        Command::Play(args) => play::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
        Command::Tables(command) => tables::run(command),
        Command::Trade(args) => trade::run(&args),
    }
}
