//! Parallel loops over particles on rayon's current thread pool.

use crate::particle::{AtomicParticle, AtomicParticles, Particle, ParticleStore};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Particles per parallel task.
const GRAIN: usize = 1024;

/// Minimum number of threads for which the parallel step is faster.
const FEWEST_THREADS: usize = 3;
/// Minimum number of particles for which the parallel step is faster.
const FEWEST_PARTICLES: usize = 2048;

/// Whether a parallel step of this many particles is faster than a serial one.
pub(crate) fn pays(particles: usize) -> bool {
    particles >= FEWEST_PARTICLES && rayon::current_num_threads() >= FEWEST_THREADS
}

/// Copies particles to atomic storage.
pub(crate) fn share(x: &[Particle], shared: &mut Vec<AtomicParticle>) {
    if shared.len() != x.len() {
        shared.resize_with(x.len(), || [const { AtomicU64::new(0) }; 4]);
    }
    for (x, words) in x.iter().zip(shared) {
        for k in 0..4 {
            words[k].store(x[k].to_bits(), Ordering::Relaxed);
        }
    }
}

/// Copies particles from atomic storage.
pub(crate) fn gather(shared: &[AtomicParticle], x: &mut [Particle]) {
    let shared = AtomicParticles(shared);
    for (i, x) in x.iter_mut().enumerate() {
        *x = shared.load(i as u32);
    }
}

/// Replaces every particle by `one(particle, velocity)`.
pub(crate) fn predict(
    one: impl Fn(Particle, &mut [f64; 3]) -> Particle + Sync,
    x: &[AtomicParticle],
    previous: &mut [Particle],
    v: &mut [[f64; 3]],
) {
    let chunks =
        x.par_chunks(GRAIN).zip(previous.par_chunks_mut(GRAIN)).zip(v.par_chunks_mut(GRAIN));
    chunks.for_each(|((x, previous), v)| {
        let x = AtomicParticles(x);
        for (i, (p, v)) in previous.iter_mut().zip(v).enumerate() {
            *p = x.load(i as u32);
            x.store(i as u32, one(*p, v));
        }
    });
}

/// Sets every velocity to `one(particle, previous particle)`.
pub(crate) fn set_velocities(
    one: impl Fn(Particle, Particle) -> [f64; 3] + Sync,
    x: &[AtomicParticle],
    previous: &[Particle],
    v: &mut [[f64; 3]],
) {
    let chunks = x.par_chunks(GRAIN).zip(previous.par_chunks(GRAIN)).zip(v.par_chunks_mut(GRAIN));
    chunks.for_each(|((x, previous), v)| {
        let x = AtomicParticles(x);
        for (i, (p, v)) in previous.iter().zip(v).enumerate() {
            *v = one(x.load(i as u32), *p);
        }
    });
}
