//! Ctrl-C handling: a run stops after the current step and writes its output.

use std::sync::atomic::{AtomicBool, Ordering};

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Installs the handler: the first Ctrl-C stops the run, the second ends the program.
pub(crate) fn listen() {
    // if no handler can be installed, Ctrl-C ends the program
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}
