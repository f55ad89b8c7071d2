//! Parallel execution on rayon's current thread pool, with the feature `parallel`.

/// Runs two closures, if possible in parallel.
#[cfg(feature = "parallel")]
pub(crate) fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(one, two)
}

/// Runs two closures one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A, B>(one: impl FnOnce() -> A, two: impl FnOnce() -> B) -> (A, B) {
    (one(), two())
}
