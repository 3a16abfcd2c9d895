//! Ctrl-C: the first asks the work in hand to stop, the second ends the process. The only module that imports
//! `signal-hook`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::exit::Status;

/// A flag that the first SIGINT from now on raises; the next one ends the process with status 130.
pub(super) fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: the first signal finds the flag down and raises it.
    flag::register_conditional_shutdown(SIGINT, Status::Interrupted as i32, Arc::clone(&stop))?;
    flag::register(SIGINT, Arc::clone(&stop))?;
    Ok(stop)
}
