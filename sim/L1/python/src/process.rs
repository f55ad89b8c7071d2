//! Child processes: the threads that compile models do not survive a fork.

use crate::error;
use crate::run::guarded;
use pyo3::prelude::*;
use std::sync::LazyLock;

/// The process that imported the package.
static PROCESS: LazyLock<u32> = LazyLock::new(std::process::id);

/// Remembers the process that imports the package.
pub fn initialize() {
    LazyLock::force(&PROCESS);
}

/// Calls a function that may use the global pool of threads, and converts a panic to a `FatalError`. In a child process
/// that was forked, it uses threads that are started for this call: waiting for those of the parent would not end.
///
/// # Errors
/// If `f` panicked, or the threads cannot be started.
pub fn parallel<R: Send>(f: impl FnOnce() -> R + Send) -> PyResult<R> {
    if std::process::id() == *PROCESS {
        return guarded(f);
    }
    let pool = rayon::ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|e| error::fatal(format!("cannot start threads: {e}")))?;
    guarded(|| pool.install(f))
}
