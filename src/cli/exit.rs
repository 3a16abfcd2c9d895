//! From what went wrong to the exit status of the process.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use kpe::build::BuildError;
use kpe::echo;
use kpe::notation::ParseError;
use kpe::opening::OpeningError;
use kpe::player::PlayerError;
use kpe::rules::options::OptionError;
use kpe::search;
use kpe::table::TableError;
use kpe::verify::VerifyError;

use super::interrupt;

/// The exit status of the process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Status {
    /// What was asked for is done.
    Done = 0,
    /// The answer is no, or a line of a batch failed.
    No = 1,
    /// Wrong usage, position or move.
    Usage = 2,
    /// A table is missing or of other rules.
    Missing = 3,
    /// A table is damaged.
    Damaged = 4,
    /// Input, output, disk or memory.
    Resource = 5,
    /// Stopped by a signal; the number is that of Ctrl-C, another signal has its own.
    Interrupted = 130,
}

/// A request that cannot be carried out as it stands.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// A position or move that is none; `drawn` is the text with the wrong part marked.
    #[error("wrong {what}: {error}\n\n{}", indent(drawn))]
    Text { what: &'static str, error: ParseError, drawn: String },
    /// The move of this number, from 1, in a list of moves is none.
    #[error("move {number}: {error}\n\n{}", indent(drawn))]
    Move { number: usize, error: ParseError, drawn: String },
    /// The rule options do not go together.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Anything else about the arguments.
    #[error("{0}")]
    Usage(String),
    /// The directory named for tables is not there.
    #[error("no directory of tables at {}; build them there with `kpe tables build` or name another", .0.display())]
    NoDirectory(PathBuf),
}

impl Refused {
    /// The refusal of `text`, which was meant to be a `what`.
    pub(super) fn text(what: &'static str, text: &str, error: ParseError) -> Self {
        Self::Text { what, drawn: error.caret(text), error }
    }
}

/// The text two columns to the right.
pub(super) fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// The status for an error, by the first part of its chain that decides it.
pub(super) fn status(error: &anyhow::Error) -> Status {
    let known = error.chain().find_map(|cause| {
        let refused = cause.downcast_ref::<Refused>().map(of_refused);
        let table = cause.downcast_ref::<TableError>().map(of_table);
        let build = cause.downcast_ref::<BuildError>().map(of_build);
        let verify = cause.downcast_ref::<VerifyError>().map(of_verify);
        let opening = cause.downcast_ref::<OpeningError>().map(of_opening);
        let player = cause.downcast_ref::<PlayerError>().map(of_player);
        let memory = cause.downcast_ref::<search::TranspositionError>().map(of_memory);
        refused.or(table).or(build).or(verify).or(opening).or(player).or(memory)
    });
    known.unwrap_or(Status::Resource)
}

fn of_refused(error: &Refused) -> Status {
    match error {
        Refused::Text { .. } | Refused::Move { .. } | Refused::Options(_) | Refused::Usage(_) => Status::Usage,
        Refused::NoDirectory(_) => Status::Missing,
    }
}

/// The status for what is wrong with a table.
pub(super) fn of_table(error: &TableError) -> Status {
    match error {
        TableError::Missing { .. } | TableError::OtherRules { .. } | TableError::NewerFormat { .. } => Status::Missing,
        TableError::Damaged { .. } => Status::Damaged,
        _ => Status::Resource,
    }
}

fn of_opening(error: &OpeningError) -> Status {
    match error {
        OpeningError::NeedsTables { .. } => Status::Missing,
        OpeningError::Table(error) => of_table(error),
    }
}

fn of_player(error: &PlayerError) -> Status {
    match error {
        PlayerError::Table(error) => of_table(error),
        PlayerError::Memory(error) => of_memory(error),
        _ => Status::Usage,
    }
}

/// Too little memory asked for is wrong usage; memory that is not to be had is not.
fn of_memory(error: &search::TranspositionError) -> Status {
    match error {
        search::TranspositionError::TooSmall { .. } => Status::Usage,
        _ => Status::Resource,
    }
}

fn of_build(error: &BuildError) -> Status {
    match error {
        BuildError::Table(error) => of_table(error),
        BuildError::NotLayered(_) => Status::Usage,
        error if error.is_stop() => Status::Interrupted,
        _ => Status::Resource,
    }
}

fn of_verify(error: &VerifyError) -> Status {
    match error {
        VerifyError::Table(error) => of_table(error),
        VerifyError::NotLayered(_) => Status::Usage,
        VerifyError::Memory { .. } => Status::Resource,
        VerifyError::Stopped => Status::Interrupted,
    }
}

/// Standard output was closed from the beginning, and there was something to say.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed, and there is an answer to write; open it, or send it to a file or to /dev/null")]
struct ClosedOutput;

/// The exit code for how a command ended; an error is told on standard error. A reader who went away is none, but nobody has
/// ever been there to read if the output was closed from the beginning.
pub(super) fn code(ended: anyhow::Result<Status>, output_was_closed: bool) -> ExitCode {
    let status = ended.unwrap_or_else(|error| {
        let error = match is_closed_pipe(&error) {
            true if !output_was_closed => return Status::Done,
            true => ClosedOutput.into(),
            false => error,
        };
        // With standard error closed as well there is nobody left to tell.
        let _ = writeln!(io::stderr(), "kpe: {}", echo::lines(&told(&error)));
        status(&error)
    });
    match status {
        Status::Interrupted => interrupt::status(),
        status => status as u8,
    }
    .into()
}

/// The error with its causes, but for those whose text is part of it already.
fn told(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| match told {
        told if told.is_empty() => cause,
        told if told.contains(&cause) => told,
        told => format!("{told}: {cause}"),
    })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_decides_the_status_whatever_is_said_around_it() {
        let missing = TableError::Missing { what: "n30".to_owned(), place: "here".to_owned() };
        assert_eq!(status(&anyhow::Error::from(missing).context("while probing")), Status::Missing);
        let full = BuildError::Memory { needed: 2, allowed: 1 };
        assert_eq!(status(&full.into()), Status::Resource);
        assert_eq!(status(&Refused::Usage("no".to_owned()).into()), Status::Usage);
        assert_eq!(status(&io::Error::other("broken").into()), Status::Resource);
        let io = TableError::Io { path: "x".into(), source: io::Error::other("no luck").into() };
        assert_eq!(told(&io.into()), "x: no luck; check the path, its permissions and the device");
        assert_eq!(told(&io::Error::other("inner").into()), "inner");
        assert!(is_closed_pipe(&io::Error::from(io::ErrorKind::BrokenPipe).into()));
    }
}
