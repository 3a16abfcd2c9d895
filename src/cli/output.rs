//! Standard output: buffered, and flushed where somebody may be waiting for it.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

/// Standard output. What is written is seen after [`Output::finish`] or a flush.
pub(super) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    /// Standard output, for this thread alone.
    pub(super) fn new() -> Self {
        Self(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes text and the end of its line.
    pub(super) fn line(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }

    /// Writes text and leaves the line open, as a prompt does.
    pub(super) fn text(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        write!(self.0, "{text}")
    }

    /// Writes one document as one line.
    pub(super) fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, document)?;
        self.0.write_all(b"\n")
    }

    /// Makes what was written seen.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    /// Ends the output; without it a failure to write would be lost.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}
