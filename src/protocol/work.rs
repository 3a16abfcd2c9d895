//! A search in a thread of its own, and what it writes.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::out::Out;
use super::queue::Event;
use crate::engine::Source;
use crate::notation::{Move, Position};
use crate::perft::perft;
use crate::player::{Assessment, Player, Progress};
use crate::record::Playing;
use crate::search::Limits;

/// What stands for a move where there is none.
pub(super) const NO_MOVE: &str = "0000";
/// Paths of so many plies are counted without a look at the stop flag: at most some millions in Kpé, in Goré with offers.
const UNSTOPPABLE_PLIES: [u32; 2] = [10, 3];
/// The longest line of play that is written.
const LONGEST_LINE: usize = 60;

/// A search under way.
pub(super) struct Work {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    /// Whether only `stop` ends it.
    pub(super) waits_for_stop: bool,
}

impl Work {
    /// Begins work in a new thread, whose end is told; `None` if the system has none to give.
    pub(super) fn begin(
        waits_for_stop: bool,
        events: Sender<Event>,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> Option<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let all = move || {
            let _told = TellsEnd(events);
            work(&seen);
        };
        let thread = thread::Builder::new().name("search".to_owned()).spawn(all).ok()?;
        Some(Self { stop, thread, waits_for_stop })
    }

    /// Asks it to end.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.thread.thread().unpark();
    }

    /// Waits for its end.
    pub(super) fn join(self) {
        // A panic there has been told on standard error; the session goes on.
        let _ = self.thread.join();
    }
}

/// Tells of the end of work, be it by a panic.
struct TellsEnd(Sender<Event>);

impl Drop for TellsEnd {
    fn drop(&mut self) {
        // Nobody hears it if the session has ended.
        let _ = self.0.send(Event::Done);
    }
}

/// What a search needs.
pub(super) struct Task<W> {
    pub(super) player: Arc<Player>,
    pub(super) playing: Playing,
    /// The moves to choose from; `None` = all.
    pub(super) allowed: Option<Vec<Move>>,
    pub(super) limits: Limits,
    pub(super) waits_for_stop: bool,
    pub(super) out: Arc<Out<W>>,
}

impl<W: Write> Task<W> {
    /// Searches, writes what it finds out, and in the end the best move.
    pub(super) fn search(self, stop: &AtomicBool) {
        let start = Instant::now();
        let position = self.playing.position();
        let mut last = None;
        let mut observe = |found: &Progress| {
            last = Some((found.hundredths, found.line.first().copied()));
            self.out.line(&progress(position, found, start.elapsed()));
            if self.out.is_broken() {
                stop.store(true, Relaxed);
            }
        };
        let allowed = self.allowed.as_deref();
        let chosen = self.player.choose(&self.playing, allowed, &self.limits, stop, &mut observe);
        let action = match chosen {
            Ok(Some(choice)) => {
                // What is said last is said of the move that is named.
                let assessment = choice.assessment.with_best(Some(choice.action));
                self.out.line(&conclusion(position, &assessment, start.elapsed(), last));
                Some(choice.action)
            }
            Ok(None) => None,
            Err(error) => {
                self.out.line(&format!("info string error: {error}"));
                // Whatever is wrong, a game goes on.
                allowed.unwrap_or(&self.playing.moves()).first().copied()
            }
        };
        while self.waits_for_stop && !stop.load(Relaxed) {
            thread::park();
        }
        let text = action.map_or(NO_MOVE.to_owned(), |action| action.text(position.side()).to_string());
        self.out.line(&format!("bestmove {text}"));
    }
}

/// The line about an iteration.
fn progress(position: &Position, found: &Progress, time: Duration) -> String {
    info(position, u32::from(found.depth), found.hundredths, found.nodes, time, "", &found.line)
}

/// The lines about the result; `last` is what was told last: the score, in hundredths of a stone, and the first move of the line.
fn conclusion(position: &Position, analysis: &Assessment, time: Duration, last: Option<(i32, Option<Move>)>) -> String {
    let hits = if analysis.source == Source::Table { " tbhits 1" } else { "" };
    let score = i32::from(analysis.value.0) * 100;
    let mut lines = String::new();
    // An iteration that was cut short, or the history of the game, may say more than the last whole iteration.
    if last.is_none_or(|(last, first)| (last - score).abs() > 50 || first != analysis.best) {
        let (depth, nodes) = (u32::from(analysis.depth), analysis.nodes);
        lines += &info(position, depth, score, nodes, time, hits, &analysis.line);
        lines += "\n";
    }
    let distance = analysis.distance.filter(|_| analysis.value.0 != 0);
    let distance = distance.map_or(String::new(), |plies| format!(" distance {}", plies.0));
    let (kind, source) = (analysis.kind.word(), analysis.source.word());
    lines + &format!("info string value {} {kind}{distance} by {source}", analysis.value)
}

fn info(position: &Position, depth: u32, score: i32, nodes: u64, time: Duration, hits: &str, line: &[Move]) -> String {
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let milliseconds = time.as_millis();
    let line = moves_text(position, line);
    format!("info depth {depth} score cp {score} nodes {nodes} nps {speed}{hits} time {milliseconds} pv{line}")
}

/// A line of play, a blank before each move.
fn moves_text(position: &Position, line: &[Move]) -> String {
    let mut position = *position;
    let mut text = String::new();
    for &action in line.iter().take(LONGEST_LINE) {
        let Ok(outcome) = position.play(action) else { break };
        text += &format!(" {}", action.text(position.side()));
        position = outcome.result;
    }
    text
}

/// Counts paths of moves and writes the counts by first move.
pub(super) fn count<W: Write>(position: &Position, depth: u32, out: &Out<W>, stop: &AtomicBool) {
    let mut total = u64::from(depth == 0 || position.totals().is_some());
    if total == 0 {
        for outcome in position.outcomes() {
            let Some(paths) = paths(&outcome.result, depth - 1, stop) else {
                return out.line("info string perft stopped");
            };
            out.line(&format!("{}: {paths}", outcome.action.text(position.side())));
            total += paths;
        }
    }
    out.line(&format!("nodes {total}"));
}

/// As [`perft`]; `None` if it was stopped.
fn paths(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    let trading = position.solver_board().is_none();
    if depth <= UNSTOPPABLE_PLIES[usize::from(trading)] || position.totals().is_some() {
        return Some(perft(position, depth));
    }
    position.outcomes().iter().map(|outcome| paths(&outcome.result, depth - 1, stop)).sum()
}
