//! Ctrl-C: a run stops where it is, and what it has is written.

use std::sync::atomic::{AtomicBool, Ordering};

static STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C asks the run to stop; the second ends the program.
pub(crate) fn listen() {
    // without a handler Ctrl-C simply ends the program
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Whether the run shall stop.
pub(crate) fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}
