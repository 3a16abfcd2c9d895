//! The `kpe` program; `kpe --help` says what it does.

mod cli;

use std::process::ExitCode;

use kpe::allocator::Telling;

#[global_allocator]
static ALLOCATOR: Telling = Telling { tell: cli::tell_of_refused_memory };

fn main() -> ExitCode {
    cli::run()
}
