//! Another program as a contestant, spoken to by the Universal Game Interface.
//!
//! The program is foreign: it may say anything, nothing, or end. Whatever it does costs it the game and no more; one
//! that is silent or names an illegal move is killed and begun anew for the next game. Of what it says no more is kept than
//! a bounded number of lines of bounded length.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use super::contestant::{Allowance, Answer, Contestant, Fault};
use crate::echo::quoted;
use crate::notation::Side;
use crate::record::Playing;
use crate::rules::options::Choice;
use crate::rules::{Game, Loops};
use crate::search::Clock;
use crate::value::Value;

/// Time to begin and to become ready.
const START: Duration = Duration::from_secs(20);
/// How long an answer that is overdue, or was asked for by `stop`, is waited for. It only tells an answer that comes too late
/// from none: both lose.
const GRACE: Duration = Duration::from_secs(2);
/// Time to end when asked to.
const FAREWELL: Duration = Duration::from_millis(300);
/// Time between two looks at the stop flag.
const TICK: Duration = Duration::from_millis(20);
/// The longest line that is heard; of a longer one the rest is passed over.
const LONGEST_LINE: u64 = 1 << 13;
/// Lines that wait to be heard, and lines that wait to be read by the program: one that reads none is not waited for.
const QUEUE: usize = 256;

/// Why a program cannot be a contestant.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command line is empty or has an open quote.
    #[error("no command in {}; expected a program and its arguments", quoted(.0))]
    Command(String),
    /// It does not start or does not speak the protocol.
    #[error("engine {} {what}", quoted(command))]
    Engine {
        /// The command line.
        command: String,
        /// What is wrong.
        what: String,
    },
    /// A level of this program cannot be made.
    #[error(transparent)]
    Level(#[from] crate::player::PlayerError),
}

/// Another program that plays.
pub struct External {
    command: String,
    words: Vec<String>,
    /// Options to set, if the program has them.
    options: Vec<(String, String)>,
    /// Time for a move whose limit is not one of time.
    patience: Duration,
    process: Option<Process>,
}

struct Process {
    child: Child,
    /// Lines on their way to its input; `None` once it is closed.
    input: Option<SyncSender<String>>,
    lines: Receiver<String>,
}

impl External {
    /// Begins the program of a command line, words apart by blanks, `'` and `"` quoting, to play this game. A move whose
    /// limit is not one of time may take it `patience`.
    ///
    /// # Errors
    /// [`StartError`] if it does not begin or speak.
    pub fn start(command: &str, game: &Game, loops: Loops, patience: Duration) -> Result<Self, StartError> {
        let words = split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| StartError::Command(command.to_owned()))?;
        let mut options = vec![("Game".to_owned(), game.name().to_owned())];
        for part in game.to_string().split(',') {
            options.extend(part.split_once('=').map(|(name, word)| (name.to_owned(), word.to_owned())));
        }
        options.push(("Loops".to_owned(), loops.word().to_owned()));
        let mut external = Self { command: command.to_owned(), words, options, patience, process: None };
        let engine = |what| StartError::Engine { command: command.to_owned(), what };
        external.process = Some(external.open().map_err(engine)?);
        Ok(external)
    }

    /// Begins the program and comes to an understanding.
    fn open(&self) -> Result<Process, String> {
        let mut process = Process::spawn(&self.words)?;
        let deadline = Instant::now() + START;
        process.say("ugi").map_err(|error| error.to_string())?;
        // Of the options it names only ours are of interest, however many there are.
        let mut known = vec![false; self.options.len()];
        loop {
            let line = process.hear(deadline, None).map_err(|fault| format!("did not answer ugi: {fault}"))?;
            if line.trim() == "ugiok" {
                break;
            }
            let name = line.trim().strip_prefix("option name ").and_then(|rest| rest.split(" type ").next());
            let ours = |name: &str| self.options.iter().position(|(ours, _)| ours.eq_ignore_ascii_case(name));
            if let Some(option) = name.and_then(ours) {
                known[option] = true;
            }
        }
        for ((name, value), _) in self.options.iter().zip(known).filter(|&(_, known)| known) {
            process.say(&format!("setoption name {name} value {value}")).map_err(|error| error.to_string())?;
        }
        process.ready().map_err(|fault| format!("did not answer isready: {fault}"))?;
        Ok(process)
    }

    fn ask(&mut self, playing: &Playing, allowance: &Allowance, stop: &AtomicBool) -> Result<Answer, Fault> {
        let process = self.process.as_mut().ok_or_else(|| Fault::Gone("not begun".to_owned()))?;
        // What was said unasked; the end is not waited for if there is none.
        let _ = process.lines.try_iter().take(2 * QUEUE).count();
        let moves: String = playing.made().iter().map(|made| format!(" {}", made.text())).collect();
        let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
        process.say(&format!("position fen {}{moves}", playing.start()))?;
        let side = playing.position().side();
        let deadline = Instant::now() + time_waited(allowance, side, self.patience);
        process.say(&go(allowance))?;
        let mut value = None;
        loop {
            let line = process.hear(deadline, Some(stop))?;
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default();
                    let illegal = || Fault::Illegal { found: text.chars().take(40).collect() };
                    let action = playing.position().parse_move(text).map_err(|_| illegal())?;
                    return Ok(Answer { action, value });
                }
                Some("info") => value = score(&line).or(value),
                _ => {}
            }
        }
    }
}

impl Contestant for External {
    fn begin(&mut self) -> Result<(), Fault> {
        if self.process.is_none() {
            self.process = Some(self.open().map_err(Fault::Gone)?);
        }
        let begun = self.process.as_mut().map_or(Ok(()), |process| {
            process.say("uginewgame")?;
            process.ready()
        });
        if begun.is_err() {
            self.process = None;
        }
        begun
    }

    fn choose(&mut self, playing: &Playing, allowance: &Allowance, stop: &AtomicBool) -> Result<Answer, Fault> {
        let answer = self.ask(playing, allowance, stop);
        if answer.is_err() {
            self.process = None;
        }
        answer
    }
}

impl std::fmt::Debug for External {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("External").field("command", &self.command).finish_non_exhaustive()
    }
}

/// How long a move is waited for.
fn time_waited(allowance: &Allowance, side: Side, patience: Duration) -> Duration {
    allowance.time_of(side).map_or(patience, |time| time.saturating_add(allowance.margin).saturating_add(GRACE))
}

/// Reads a line of bounded length; the rest of a longer one is passed over. `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', line)?;
    if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// The line that asks for a move.
fn go(allowance: &Allowance) -> String {
    let milliseconds = |time: Duration| time.as_millis();
    let mut line = "go".to_owned();
    if let Some(time) = allowance.time {
        line += &format!(" movetime {}", milliseconds(time));
    } else if let Some([south, north]) = allowance.clocks {
        let times = |south: &Clock, of: fn(&Clock) -> Duration| [milliseconds(of(south)), milliseconds(of(&north))];
        let [p1, p2] = times(&south, |clock| clock.remaining);
        let [inc1, inc2] = times(&south, |clock| clock.increment);
        line += &format!(" p1time {p1} p2time {p2} p1inc {inc1} p2inc {inc2}");
    }
    line += &allowance.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
    line += &allowance.nodes.map_or(String::new(), |nodes| format!(" nodes {nodes}"));
    line
}

/// The score of an `info` line in stones.
fn score(line: &str) -> Option<Value> {
    let (_, rest) = line.split_once(" score cp ")?;
    let hundredths: i32 = rest.split_ascii_whitespace().next()?.parse().ok()?;
    // Rounded to the nearest stone.
    Some(Value((hundredths.clamp(-4800, 4800) as f64 / 100.0).round() as i8))
}

impl Process {
    fn spawn(words: &[String]) -> Result<Self, String> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("does not start: {error}"))?;
        let mut input = child.stdin.take().ok_or("has no input")?;
        let output = child.stdout.take().ok_or("has no output")?;
        let (said, to_say) = mpsc::sync_channel::<String>(QUEUE);
        let speak = move || {
            // An error is that it is gone: its output ends then as well.
            for line in to_say {
                if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        };
        let (sender, lines) = mpsc::sync_channel(QUEUE);
        let listen = move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while read_line(&mut output, &mut bytes).is_ok_and(|more| more) {
                if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                    break;
                }
            }
        };
        let started = [thread::Builder::new().spawn(listen), thread::Builder::new().spawn(speak)];
        if let Some(error) = started.into_iter().find_map(Result::err) {
            // Whether or not it can be ended, it is no contestant.
            let _ = child.kill().and_then(|()| child.wait());
            return Err(format!("cannot be spoken with: {error}"));
        }
        Ok(Self { child, input: Some(said), lines })
    }

    /// Sends it a line, which it may read or not.
    fn say(&self, line: &str) -> Result<(), Fault> {
        let sent = match &self.input {
            Some(input) => input.try_send(line.to_owned()),
            None => Err(TrySendError::Disconnected(String::new())),
        };
        sent.map_err(|error| match error {
            TrySendError::Full(_) => Fault::Gone("it does not read its input".to_owned()),
            TrySendError::Disconnected(_) => Fault::Gone("its input is closed".to_owned()),
        })
    }

    /// The next line. If `stop` is raised it is passed on once, and the answer must come soon.
    fn hear(&mut self, deadline: Instant, stop: Option<&AtomicBool>) -> Result<String, Fault> {
        let (mut deadline, mut stopped) = (deadline, false);
        loop {
            if !stopped && stop.is_some_and(|stop| stop.load(Relaxed)) {
                stopped = true;
                deadline = deadline.min(Instant::now() + GRACE);
                self.say("stop")?;
            }
            if Instant::now() >= deadline {
                return Err(Fault::Silent);
            }
            match self.lines.recv_timeout(TICK) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Gone("its output has ended".to_owned())),
            }
        }
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.say("isready")?;
        let deadline = Instant::now() + START;
        while self.hear(deadline, None)?.trim() != "readyok" {}
        Ok(())
    }
}

impl Drop for Process {
    /// Asks it to end, and sees to it.
    fn drop(&mut self) {
        let _ = self.say("quit");
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(TICK / 4);
        }
        // Of a child that ends just now there is nothing left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words of a command line; `None` if a quote stays open.
fn split(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_program_that_reads_nothing_is_not_waited_for() {
        let process = Process::spawn(&["sleep", "60"].map(str::to_owned)).unwrap();
        // More than fits into any pipe.
        let line = "x".repeat(1 << 12);
        let said = (0..4 * QUEUE).try_for_each(|_| process.say(&line));
        assert!(matches!(said, Err(Fault::Gone(what)) if what.contains("does not read")));
    }

    #[test]
    fn command_lines_are_split() {
        let words = |text| split(text).map(|words| words.join("|"));
        assert_eq!(words("a  b 'c d' e\"f g\"h ''").as_deref(), Some("a|b|c d|ef gh|"));
        assert_eq!(words("a 'b"), None);
        assert_eq!(words("  ").as_deref(), Some(""));
    }

    #[test]
    fn lines_are_written_and_understood() {
        let clock = |seconds| Clock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(seconds),
            moves_to_go: None,
        };
        let clocks = Allowance { clocks: Some([clock(3), clock(4)]), ..Allowance::default() };
        assert_eq!(go(&clocks), "go p1time 3000 p2time 4000 p1inc 3 p2inc 4");
        assert_eq!(go(&Allowance { depth: Some(3), nodes: Some(9), ..Allowance::default() }), "go depth 3 nodes 9");
        assert_eq!(score("info depth 3 score cp -250 nodes 1"), Some(Value(-3)));
        assert_eq!(score("info depth 3 score cp x"), None);
        assert_eq!(score("info string score"), None);
    }

    #[test]
    fn of_a_line_that_is_too_long_the_rest_is_no_line() {
        let text = format!("{} bestmove a\nbestmove b\n", "x".repeat(LONGEST_LINE as usize));
        let (mut input, mut line) = (text.as_bytes(), Vec::new());
        assert!(read_line(&mut input, &mut line).unwrap() && line.len() as u64 == LONGEST_LINE);
        assert!(read_line(&mut input, &mut line).unwrap() && line == b"bestmove b\n");
        assert!(!read_line(&mut input, &mut line).unwrap());
    }

    #[test]
    fn what_is_no_engine_is_told() {
        let start = |command| {
            External::start(command, &Game::named("kpe").unwrap(), Loops::Split, Duration::from_secs(1))
                .unwrap_err()
                .to_string()
        };
        assert!(start("/no/such/program").contains("does not start"));
        // The program may be gone before or after it was asked.
        let gone = start("true");
        assert!(gone.contains("did not answer ugi") || gone.contains("pipe"), "{gone}");
        assert!(start(" ").contains("no command"));
    }
}
