//! Loops over particles, shared among the threads of rayon's current pool.

use crate::cells::{Cells, Particle, Shared, Words};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Particles that one thread takes at a time.
const GRAIN: usize = 1024;

/// Threads from which sharing makes up for what it costs.
const FEWEST_THREADS: usize = 3;
/// Particles from which it does.
const FEWEST_PARTICLES: usize = 2048;

/// Whether a step of so many particles is faster when it is shared.
pub(crate) fn pays(particles: usize) -> bool {
    particles >= FEWEST_PARTICLES && rayon::current_num_threads() >= FEWEST_THREADS
}

/// Copies particles to where threads can share them.
pub(crate) fn share(x: &[Particle], shared: &mut Vec<Words>) {
    if shared.len() != x.len() {
        shared.resize_with(x.len(), || [const { AtomicU64::new(0) }; 4]);
    }
    for (x, words) in x.iter().zip(shared) {
        for k in 0..4 {
            words[k].store(x[k].to_bits(), Ordering::Relaxed);
        }
    }
}

/// Copies them back.
pub(crate) fn gather(shared: &[Words], x: &mut [Particle]) {
    let shared = Shared(shared);
    for (i, x) in x.iter_mut().enumerate() {
        *x = shared.load(i as u32);
    }
}

/// Moves every particle to where `one` says.
pub(crate) fn predict(
    one: impl Fn(Particle, &mut [f64; 3]) -> Particle + Sync,
    x: &[Words],
    previous: &mut [Particle],
    v: &mut [[f64; 3]],
) {
    let chunks =
        x.par_chunks(GRAIN).zip(previous.par_chunks_mut(GRAIN)).zip(v.par_chunks_mut(GRAIN));
    chunks.for_each(|((x, previous), v)| {
        let x = Shared(x);
        for (i, (p, v)) in previous.iter_mut().zip(v).enumerate() {
            *p = x.load(i as u32);
            x.store(i as u32, one(*p, v));
        }
    });
}

/// Gives every particle the velocity that `one` says.
pub(crate) fn set_velocities(
    one: impl Fn(Particle, Particle) -> [f64; 3] + Sync,
    x: &[Words],
    previous: &[Particle],
    v: &mut [[f64; 3]],
) {
    let chunks = x.par_chunks(GRAIN).zip(previous.par_chunks(GRAIN)).zip(v.par_chunks_mut(GRAIN));
    chunks.for_each(|((x, previous), v)| {
        let x = Shared(x);
        for (i, (p, v)) in previous.iter().zip(v).enumerate() {
            *v = one(x.load(i as u32), *p);
        }
    });
}
