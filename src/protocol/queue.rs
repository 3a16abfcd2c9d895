//! The order in which the lines of a session are carried out: what concerns the search in hand at once, the rest in turn.
//!
//! The thread that reads never waits for a search, so that `stop`, `isready` and `quit` are always heard. Lines that must
//! wait for the search in hand are kept here, those behind them too.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::LONGEST_LINE;
use super::session::Session;

/// Bytes of lines that may wait. When there are more the rest of the input waits, `stop` too.
const MOST_WAITING: usize = 4 * LONGEST_LINE;
/// What a short line counts, for it takes memory of its own.
const LEAST: usize = 64;

/// After the end of the input, the time between two lines that say that work goes on.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// What a session hears of.
pub(super) enum Event {
    /// A line of the input.
    Line(String),
    /// A line that is too long was left out.
    TooLong,
    /// The work in hand has ended.
    Done,
    /// The input has ended.
    End,
    /// The session is to end now.
    Quit,
}

/// The room that waiting lines have; the one who reads takes, the session gives back.
#[derive(Default)]
pub(super) struct Room {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    /// Takes room for a line, as soon as there is some.
    pub(super) fn take(&self, line: &str) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used =
            self.freed.wait_while(used, |used| *used >= MOST_WAITING).unwrap_or_else(PoisonError::into_inner);
        *used += line.len().max(LEAST);
    }

    fn give(&self, line: &str) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) -= line.len().max(LEAST);
        self.freed.notify_one();
    }

    /// Whoever waits for room shall wait no more, for nobody takes lines.
    fn open(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = 0;
        self.freed.notify_one();
    }
}

/// A session with the lines that wait for its search.
pub(super) struct Queue<W> {
    session: Session<W>,
    waiting: VecDeque<String>,
    /// How many of these were there when `stop` came: their searches end as they begin.
    stopped: usize,
    room: Arc<Room>,
    ended: bool,
}

impl<W: Write + Send + 'static> Queue<W> {
    pub(super) fn new(session: Session<W>, room: Arc<Room>) -> Self {
        Self { session, waiting: VecDeque::new(), stopped: 0, room, ended: false }
    }

    /// Carries out what comes until the session ends.
    pub(super) fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Some(event) = self.next(events) {
            match event {
                Event::Line(line) => self.hear(line),
                Event::TooLong => self.session.complain(&format!("a line is longer than {LONGEST_LINE} bytes")),
                Event::Done => self.go_on(),
                Event::End => self.ended = true,
                Event::Quit => break,
            }
            // Who sends more or goes away waits for nothing that only `stop` would end.
            if self.ended || !self.waiting.is_empty() {
                self.session.stop_what_waits();
            }
            let is_idle = !self.session.is_working() && self.waiting.is_empty();
            if self.session.is_broken() || (self.ended && is_idle) {
                break;
            }
        }
        self.room.open();
        self.session.quit()
    }

    /// What comes next; `None` when nothing will. Whoever has closed the input may have closed the output too, which shows only
    /// when something is written; without that, long work would go on for nobody.
    fn next(&self, events: &Receiver<Event>) -> Option<Event> {
        if !self.ended {
            return events.recv().ok();
        }
        loop {
            match events.recv_timeout(SIGN_OF_LIFE) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.session.show_life(),
            }
            if self.session.is_broken() {
                return None;
            }
        }
    }

    fn hear(&mut self, line: String) {
        let command = line.split_ascii_whitespace().next().unwrap_or_default();
        let concerns_the_search = matches!(command, "stop" | "isready" | "ugi" | "uci");
        if command == "stop" {
            self.stopped = self.waiting.len();
        }
        let must_wait =
            self.session.is_working() && matches!(command, "go" | "eval" | "setoption" | "uginewgame" | "ucinewgame");
        if !concerns_the_search && (must_wait || !self.waiting.is_empty()) {
            self.waiting.push_back(line);
        } else {
            self.session.answer(&line, false);
            self.room.give(&line);
        }
    }

    /// Carries out what waits for the work that has ended, up to the next work.
    fn go_on(&mut self) {
        self.session.put_away();
        while !self.session.is_working() && !self.session.is_broken() {
            let Some(line) = self.waiting.pop_front() else { return };
            self.session.answer(&line, self.stopped > 0);
            self.stopped = self.stopped.saturating_sub(1);
            self.room.give(&line);
        }
    }
}
