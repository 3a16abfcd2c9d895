//! The Universal Game Interface (UGI), by which other programs play and ask; `uci` is understood as its alias.
//!
//! Lines of text come in, lines of text go out; `PROTOCOL.md` describes them. Whatever comes in, a line that makes no
//! sense is answered by `info string error: …` and changes nothing. A search runs in a thread of its own and the input is
//! read by another, so that the session always listens.
//!
//! Nothing here knows standard input and output: [`serve`] takes any reader and writer.

mod command;
mod go;
mod options;
mod out;
mod queue;
mod session;
mod work;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::{panic, thread};

pub use command::{Command, CommandError, Dialect, Query};
pub use go::Go;
use queue::{Event, Queue, Room};
use session::Session;

/// The longest line that is read, in bytes; the moves of the longest games take far less.
const LONGEST_LINE: usize = 1 << 20;

/// What the program that serves knows of its surroundings.
#[derive(Clone, Debug)]
pub struct Host {
    /// Where tables lie unless the option `Tables` says otherwise.
    pub tables: Option<PathBuf>,
    /// Threads of a search unless the option `Threads` says otherwise.
    pub threads: usize,
}

/// Answers every line of `input` until `quit` or the end of the input.
///
/// At the end of the input a search that has a limit is still finished; `quit` stops it.
///
/// # Errors
/// If the input cannot be read, or the output not be written for another reason than that its reader is gone.
pub fn serve<W: Write + Send + 'static>(mut input: impl BufRead, output: W, host: Host) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let room = Arc::new(Room::default());
    let queue = Queue::new(Session::new(output, host, sender.clone()), Arc::clone(&room));
    thread::scope(|scope| {
        let session =
            thread::Builder::new().name("session".to_owned()).spawn_scoped(scope, move || queue.run(&events))?;
        let read = listen(&mut input, &sender, &room);
        // Nobody hears it if the session has ended before.
        let _ = sender.send(if read.is_ok() { Event::End } else { Event::Quit });
        let ended = session.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        read.and(ended)
    })
}

/// Passes on what comes in until `quit`, the end of the input, or the end of the session.
fn listen(input: &mut impl BufRead, sender: &Sender<Event>, room: &Room) -> io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if read_line(input, &mut bytes)? == 0 {
            return Ok(());
        }
        let event = if bytes.len() > LONGEST_LINE && !bytes.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            Event::TooLong
        } else {
            let line = String::from_utf8_lossy(&bytes).into_owned();
            if line.split_ascii_whitespace().next() == Some("quit") {
                Event::Quit
            } else {
                room.take(&line);
                Event::Line(line)
            }
        };
        let is_last = matches!(event, Event::Quit);
        if sender.send(event).is_err() || is_last {
            return Ok(());
        }
    }
}

/// Reads a line, or the first part of one that is too long; the bytes read, 0 at the end of the input.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.take(LONGEST_LINE as u64 + 1).read_until(b'\n', bytes)
}
