//! Ctrl-C: the first asks the work in hand to stop, the second ends the process. For whoever has something to save, a
//! terminal that is closed and a request to end are heard too. The only module that imports `signal-hook`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use super::exit::Status;

/// A flag that the first SIGINT from now on raises; the next one ends the process with status 130.
pub(super) fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the first signal finds the flag down and raises it.
    flag::register_conditional_shutdown(SIGINT, Status::Interrupted as i32, Arc::clone(&stop))?;
    flag::register(SIGINT, Arc::clone(&stop))?;
    Ok(stop)
}

/// As [`stop_flag`], but a closed terminal and a request to end raise the flag as well, and `notice` is called then, from a
/// thread of its own.
pub(super) fn stop_flag_for_all(notice: impl Fn() + Send + 'static) -> io::Result<Arc<AtomicBool>> {
    let stop = stop_flag()?;
    flag::register(SIGHUP, Arc::clone(&stop))?;
    flag::register(SIGTERM, Arc::clone(&stop))?;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || signals.forever().for_each(|_| notice()));
    Ok(stop)
}

/// Makes a file that grows beyond its limit an error of the write, which can be told, and not the end of the program.
pub(super) fn outlive_full_files() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(|_| ())
}
