//! Requests to end: Ctrl-C (SIGINT), SIGTERM, and SIGHUP of a terminal that is closed. The first asks the work in hand to stop,
//! the second ends the process. The status is 128 and the signal's number, as a shell tells it of processes that a signal
//! has ended. The only module that imports `signal-hook`.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use super::exit::Status;

/// What is added to the number of a signal to make a status.
const BASE: i32 = 128;

/// The signal that came last; 0 for none.
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// A flag that the first signal from now on raises; the next one ends the process.
pub(super) fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in heard() {
        // In this order: the first signal finds the flag down and raises it.
        flag::register_conditional_shutdown(signal, BASE + signal, Arc::clone(&stop))?;
        flag::register_usize(signal, Arc::clone(&LAST), signal as usize)?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// As [`stop_flag`], and `notice` is called at every signal, from a thread of its own.
pub(super) fn stop_flag_with(notice: impl Fn() + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    let stop = stop_flag()?;
    let mut signals = Signals::new(heard())?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| notice()))?;
    Ok(stop)
}

/// The status of a process that a signal has ended; as if by Ctrl-C if none has come.
pub(super) fn status() -> u8 {
    let last = LAST.load(Ordering::Relaxed) as i32;
    (BASE + if last == 0 { SIGINT } else { last }) as u8
}

/// Notes that the terminal is gone, as its signal would.
pub(super) fn terminal_closed() {
    _ = LAST.compare_exchange(0, SIGHUP as usize, Ordering::Relaxed, Ordering::Relaxed);
}

/// The signals that are asked to be heard: whoever starts a process by `nohup` wants it to outlive the terminal.
fn heard() -> Vec<i32> {
    let ignored = std::fs::read_to_string("/proc/self/status").map_or(0, |text| ignored_in(&text));
    [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| signal != SIGHUP || ignored >> (signal - 1) & 1 == 0)
        .collect()
}

/// The signals that `/proc/self/status` calls ignored, bit n − 1 for number n.
fn ignored_in(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Makes a file that grows beyond its limit an error of the write, which can be told, and not the end of the program; and the
/// end for want of memory, which has been told, one with the status for it.
pub(super) fn tame_limits() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default())?;
    flag::register_conditional_shutdown(SIGABRT, Status::Resource as i32, Arc::new(AtomicBool::new(true)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read() {
        assert_eq!(ignored_in("SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"), 0x1001);
        assert_eq!(ignored_in("Name:\tkpe\n"), 0);
    }
}
