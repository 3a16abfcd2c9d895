//! What clap answers by itself: help on standard output, wrong usage on standard error.

use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue};
use kpe::echo;

use super::exit::Status;

/// The parts of an error that repeat what the user wrote.
const REPEATED: [ContextKind; 4] =
    [ContextKind::InvalidArg, ContextKind::InvalidSubcommand, ContextKind::InvalidValue, ContextKind::TrailingArg];

/// Prints why there is no command to carry out, which may be that help was asked for.
///
/// # Errors
/// If standard output, to which help goes, cannot be written.
pub(super) fn tell(error: clap::Error) -> anyhow::Result<Status> {
    if error.use_stderr() {
        // With standard error closed as well there is nobody left to tell.
        let _ = tamed(error).print();
        return Ok(Status::Usage);
    }
    error.print().and_then(|()| io::stdout().flush()).map_err(super::output::named)?;
    Ok(Status::Done)
}

/// The error with what it repeats shortened and without what a terminal obeys.
fn tamed(mut error: clap::Error) -> clap::Error {
    let mut changed = false;
    for kind in REPEATED {
        let Some(ContextValue::String(text)) = error.get(kind) else { continue };
        let shown = echo::short(text).into_owned();
        changed |= shown != *text;
        error.insert(kind, ContextValue::String(shown));
    }
    if changed {
        // It may advise to write the same text in another way.
        error.remove(ContextKind::Suggested);
    }
    error
}
