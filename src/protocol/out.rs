//! Where a session and its search write.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An output that several threads write whole lines to, each of them sent at once.
pub(super) struct Out<W> {
    writer: Mutex<W>,
    failure: Mutex<Option<io::Error>>,
    /// Raised at the first failure.
    broken: AtomicBool,
}

impl<W: Write> Out<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer: Mutex::new(writer), failure: Mutex::new(None), broken: AtomicBool::new(false) }
    }

    /// Writes a text of one or more lines in one piece. After a failure nothing more is written.
    pub(super) fn line(&self, text: &str) {
        if self.is_broken() {
            return;
        }
        let mut writer = lock(&self.writer);
        let written = writeln!(writer, "{text}").and_then(|()| writer.flush());
        if let Err(error) = written {
            self.broken.store(true, Relaxed);
            *lock(&self.failure) = Some(error);
        }
    }

    /// Whether nobody hears us any more.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    /// What went wrong; a reader that has gone is a broken pipe.
    pub(super) fn result(&self) -> io::Result<()> {
        lock(&self.failure).take().map_or(Ok(()), Err)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A line is written as a whole or not at all as far as we are concerned.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
