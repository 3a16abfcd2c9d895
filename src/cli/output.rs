//! Standard output: buffered, and flushed where somebody may be waiting for it.

use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use kpe::echo;
use kpe::system::files::Target;
use serde::Serialize;

use super::exit::Refused;
use super::interrupt;
use super::style::{self, Style};

/// Standard output. What is written is seen after [`Output::finish`] or a flush.
pub(super) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether this program decorates what it writes.
    decorated: bool,
}

impl Output {
    /// Standard output, for this thread alone.
    pub(super) fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()), decorated: Style::of_output().is_on() }
    }

    /// Writes text and the end of its line. Names, comments and other foreign text in it may hold anything: what a terminal
    /// would obey is written with escapes.
    pub(super) fn line(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{}", tamed(&text.to_string(), self.decorated)).map_err(named)
    }

    /// Writes text and leaves the line open, as a prompt does.
    pub(super) fn text(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        write!(self.out, "{}", tamed(&text.to_string(), self.decorated)).map_err(named)
    }

    /// Writes one document as one line.
    pub(super) fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, document).map_err(|error| named(error.into()))?;
        self.out.write_all(b"\n").map_err(named)
    }

    /// Makes what was written seen.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(named)
    }

    /// Ends the output; without it a failure to write would be lost.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

/// What standard output is called in messages.
pub(super) const STANDARD_OUTPUT: &str = "standard output";

/// A failure to write to standard output that says so.
pub(super) fn named(error: io::Error) -> io::Error {
    cannot_write(STANDARD_OUTPUT, &error)
}

/// A failure to write to what is called `name` that says so, with advice where there is some.
pub(super) fn cannot_write(name: &str, error: &io::Error) -> io::Error {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; free some space or write elsewhere"
        }
        _ => "",
    };
    io::Error::new(error.kind(), format!("cannot write to {name}: {error}{advice}"))
}

/// Writes a file that the user has named, whole or not at all and never onto one of `inputs`. A request to end that comes
/// meanwhile is heard when nothing half-written is left.
///
/// # Errors
/// If it cannot be written; what is no place for it is [`Refused::Usage`].
pub(super) fn write_file(path: &Path, inputs: &[&Path], bytes: &[u8]) -> anyhow::Result<()> {
    interrupt::stop_flag()?;
    let mut target = begin_file(path, inputs)?;
    target.write_all(bytes).and_then(|()| target.finish()).map_err(|error| cannot_write(&name_of(path), &error))?;
    Ok(())
}

/// Begins to write such a file.
///
/// # Errors
/// As [`write_file`].
pub(super) fn begin_file(path: &Path, inputs: &[&Path]) -> anyhow::Result<Target> {
    let is_table = |path: &Path| path.extension().is_some_and(|extension| extension == "kpt");
    if is_table(path) || path.canonicalize().is_ok_and(|path| is_table(&path)) {
        let what = format!("{} is the name of a table file, expected another name than *.kpt", path.display());
        return Err(Refused::Usage(what).into());
    }
    Target::create(path, inputs).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory if error.raw_os_error().is_none() => {
            Refused::Usage(format!("cannot write to {}: {error}", path.display())).into()
        }
        _ => cannot_write(&name_of(path), &error).into(),
    })
}

/// How a file is called in messages.
pub(super) fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Somewhere to write to whose failures have its name.
pub(super) struct Named<W> {
    pub(super) out: W,
    pub(super) name: String,
}

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| match error.kind() {
            // Whoever writes all of it tries again.
            io::ErrorKind::Interrupted => error,
            _ => cannot_write(&self.name, &error),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| cannot_write(&self.name, &error))
    }
}

/// A text with nothing for a terminal to obey but this program's own decoration, if there is any.
fn tamed(text: &str, decorated: bool) -> Cow<'_, str> {
    match echo::lines(text) {
        Cow::Owned(escaped) if decorated => {
            let plain = style::CODES.iter().fold(escaped, |text, code| text.replace(&*echo::plain(code), code));
            plain.into()
        }
        tame => tame,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoration_is_kept_and_commands_are_not() {
        assert_eq!(tamed("\x1b[1mA\x1b[0m \x1b[2mb\x1b[0m\n", true), "\x1b[1mA\x1b[0m \x1b[2mb\x1b[0m\n");
        assert_eq!(tamed("\x1b[1mA\x1b[31m\u{202e}\x1b[0m", true), "\x1b[1mA\\u{1b}[31m\\u{202e}\x1b[0m");
        assert_eq!(tamed("\x1b[1mA", false), "\\u{1b}[1mA");
    }
}
