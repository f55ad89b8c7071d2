//! Parallel execution on rayon's current thread pool, with the feature `parallel`.

/// Runs two closures, in parallel only on a thread of a rayon pool. From any other thread each
/// `rayon::join` would block until a thread of the pool takes it, so callers install the pool once per
/// solve.
#[cfg(feature = "parallel")]
pub(crate) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    if rayon::current_thread_index().is_some() { rayon::join(one, two) } else { (one(), two()) }
}

/// [`join`] for a large problem, else one closure after the other.
pub(crate) fn join_if<A: Send, B: Send>(
    is_large: bool,
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_large { join(one, two) } else { (one(), two()) }
}

/// Runs two closures one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(one: impl FnOnce() -> A, two: impl FnOnce() -> B) -> (A, B) {
    (one(), two())
}
