//! What comes in while a game is played: lines of standard input and requests to end, in one queue.

use std::io::{self, BufReader, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use crate::cli::batch::read_line;
use crate::cli::exit::Refused;
use crate::cli::interrupt;

/// Something that has come in.
pub(super) enum Event {
    /// A line without its end, or why it is none.
    Line(Result<String, Refused>),
    /// Standard input has ended.
    End,
    /// Standard input cannot be read.
    Broken(io::Error),
    /// Ctrl-C, a terminal that was closed, or a request to end.
    Signal,
}

/// The queue.
pub(super) struct Events {
    queue: Receiver<Event>,
    /// Up once a signal has come, so that a search ends.
    pub(super) stop: Arc<AtomicBool>,
}

impl Events {
    /// Begins to listen.
    pub(super) fn begin() -> io::Result<Self> {
        let (sender, queue) = mpsc::channel();
        let signals = sender.clone();
        // A queue nobody takes from any more is the end of the program.
        let stop = interrupt::stop_flag_with(move || _ = signals.send(Event::Signal))?;
        let is_terminal = io::stdin().is_terminal();
        let listen = move || {
            let mut input = BufReader::new(io::stdin().lock());
            loop {
                let (event, last) = match read_line(&mut input) {
                    Ok(Some(line)) => (Event::Line(line), false),
                    Ok(None) => (Event::End, true),
                    // A terminal that is closed cannot be read, which may be noticed before the signal comes.
                    Err(_) if is_terminal => {
                        interrupt::terminal_closed();
                        (Event::Signal, true)
                    }
                    Err(error) => (Event::Broken(error), true),
                };
                if sender.send(event).is_err() || last {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn(listen)?;
        Ok(Self { queue, stop })
    }

    /// Waits for the next event.
    pub(super) fn wait(&self) -> Event {
        self.queue.recv().unwrap_or(Event::End)
    }

    /// The next event, if one has come.
    pub(super) fn look(&self) -> Option<Event> {
        match self.queue.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Event::End),
        }
    }
}
