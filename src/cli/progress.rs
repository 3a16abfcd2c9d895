//! How far long work has come, on standard error: a bar on a terminal, else a plain line every ten seconds. The only
//! module that imports `indicatif`.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kpe::echo;

use super::units::{grouped, time};

/// Time between two looks at the counts.
const TICK: Duration = Duration::from_millis(100);
/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Counts of positions, which the threads at work add to.
#[derive(Default)]
pub(super) struct Meter {
    /// Half positions: a position may be half done.
    total: AtomicU64,
    done: AtomicU64,
    /// Of those done the ones that were so from the beginning.
    before: AtomicU64,
}

impl Meter {
    /// Says how many positions there are and how many of them are done already.
    pub(super) fn begin(&self, total: u64, done: u64) {
        self.before.store(done.saturating_mul(2), Relaxed);
        self.done.store(done.saturating_mul(2), Relaxed);
        // Last: it is what the display waits for.
        self.total.store(total.saturating_mul(2), Relaxed);
    }

    /// Counts so many half positions more.
    pub(super) fn add_halves(&self, halves: u64) {
        self.done.fetch_add(halves, Relaxed);
    }

    /// The part done, in percent.
    pub(super) fn percent(&self) -> f64 {
        100.0 * self.done.load(Relaxed) as f64 / self.total.load(Relaxed).max(1) as f64
    }

    /// All that is to be said, in at most 60 columns.
    fn line(&self, since: Duration) -> String {
        let (total, done, before) = (self.total.load(Relaxed), self.done.load(Relaxed), self.before.load(Relaxed));
        let rate = (done - before) as f64 / since.as_secs_f64().max(1e-9);
        let counts = format!("{:>5.1} % of {}", self.percent(), grouped(total / 2));
        if done == before {
            return counts;
        }
        let left = Duration::from_secs_f64((total.saturating_sub(done) as f64 / rate).min(1e9));
        // Nobody needs hundredths of an estimate.
        let left = if left.as_secs() < 60 { format!("{} s", left.as_secs()) } else { time(left) };
        format!("{counts}  {:.1} M/s  {left} left", rate / 2e6)
    }
}

/// Does `work` and meanwhile shows what it counts. `stop` is looked at only to say that it was seen.
pub(super) fn watch<T>(stop: &AtomicBool, work: impl FnOnce(&Meter) -> T) -> T {
    let meter = Meter::default();
    let (finished, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let meter = &meter;
        // Where the system has no thread to give the work is done unseen.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || show(meter, stop, &waiting));
        let result = work(meter);
        drop(finished);
        result
    })
}

fn show(meter: &Meter, stop: &AtomicBool, finished: &mpsc::Receiver<()>) {
    let mut display = Display::new();
    let mut begun = None;
    let mut told = false;
    while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        if meter.total.load(Relaxed) > 0 {
            let since = begun.get_or_insert_with(Instant::now).elapsed();
            display.update(meter, since);
        }
        if stop.load(Relaxed) && !told {
            told = true;
            display.say("stopping as soon as the step in hand allows; interrupt again to end at once");
        }
    }
    display.end();
}

enum Display {
    Bar(ProgressBar),
    Plain { last: Instant },
}

impl Display {
    fn new() -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if dumb || !io::stderr().is_terminal() {
            return Self::Plain { last: Instant::now() };
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        // The template is a constant and sound; should it not be, the default bar will do.
        if let Ok(style) = ProgressStyle::with_template("[{bar:16}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self::Bar(bar)
    }

    fn update(&mut self, meter: &Meter, since: Duration) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(meter.total.load(Relaxed));
                bar.set_position(meter.done.load(Relaxed));
                bar.set_message(meter.line(since));
            }
            Self::Plain { last } if last.elapsed() >= PLAIN_EVERY => {
                *last = Instant::now();
                self.say(&meter.line(since));
            }
            Self::Plain { .. } => {}
        }
    }

    fn say(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| tell(text)),
            Self::Plain { .. } => tell(text),
        }
    }

    fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// A line on standard error. That it cannot be written is no reason to stop work.
pub(super) fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{}", echo::lines(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_how_fast_and_how_long_still() {
        let meter = Meter::default();
        meter.begin(5_712_575_732, 712_575_732);
        assert_eq!(meter.line(Duration::ZERO), " 12.5 % of 5,712,575,732");
        meter.add_halves(2_000_000_000);
        let line = meter.line(Duration::from_secs(100));
        assert_eq!(line, " 30.0 % of 5,712,575,732  10.0 M/s  6 min 40 s left");
        assert!(line.len() <= 60);
        meter.add_halves(7_825_151_464);
        assert!(meter.line(Duration::from_secs(500)).ends_with("  8 s left"));
    }

    #[test]
    fn what_the_work_returns_is_returned() {
        let stop = AtomicBool::new(false);
        assert_eq!(watch(&stop, |meter| (meter.begin(0, 0), 7).1), 7);
    }
}
