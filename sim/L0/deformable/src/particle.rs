//! Particle storage during a step: plain cells for one thread, atomic words for several.
//!
//! Constraints are generic over the storage. Relaxed loads and stores of atomic words compile to
//! ordinary moves, so sharing needs no locks; two constraints of one colour never share a particle,
//! so no thread reads a partially written position.

use std::cell::Cell;

/// Position, m, and inverse mass, 1/kg, of a particle: x, y, z, w.
pub(crate) type Particle = [f64; 4];

/// Random access to particles through a shared reference.
pub(crate) trait ParticleStore {
    /// Loads a particle.
    fn load(&self, i: u32) -> Particle;
    /// Stores the position; the inverse mass must be unchanged.
    fn store(&self, i: u32, x: Particle);
}

/// Particles accessed by one thread.
pub(crate) struct LocalParticles<'a>(&'a [Cell<Particle>]);

impl<'a> LocalParticles<'a> {
    pub(crate) fn new(particles: &'a mut [Particle]) -> Self {
        Self(Cell::from_mut(particles).as_slice_of_cells())
    }
}

impl ParticleStore for LocalParticles<'_> {
    #[inline(always)]
    fn load(&self, i: u32) -> Particle {
        self.0[i as usize].get()
    }

    #[inline(always)]
    fn store(&self, i: u32, x: Particle) {
        self.0[i as usize].set(x);
    }
}

/// Particles shared between threads.
#[cfg(feature = "parallel")]
pub(crate) struct AtomicParticles<'a>(pub(crate) &'a [AtomicParticle]);

/// The bits of a [`Particle`].
#[cfg(feature = "parallel")]
pub(crate) type AtomicParticle = [std::sync::atomic::AtomicU64; 4];

#[cfg(feature = "parallel")]
impl ParticleStore for AtomicParticles<'_> {
    #[inline(always)]
    fn load(&self, i: u32) -> Particle {
        let words = &self.0[i as usize];
        std::array::from_fn(|k| f64::from_bits(words[k].load(std::sync::atomic::Ordering::Relaxed)))
    }

    #[inline(always)]
    fn store(&self, i: u32, x: Particle) {
        let words = &self.0[i as usize];
        for k in 0..3 {
            words[k].store(x[k].to_bits(), std::sync::atomic::Ordering::Relaxed);
        }
    }
}

/// Difference of positions, `a − b`.
#[inline(always)]
pub(crate) fn sub(a: Particle, b: Particle) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a·b`.
#[inline(always)]
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a×b`.
#[inline(always)]
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `s·a`.
#[inline(always)]
pub(crate) fn scale(s: f64, a: [f64; 3]) -> [f64; 3] {
    [s * a[0], s * a[1], s * a[2]]
}

/// `a + b`.
#[inline(always)]
pub(crate) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The particle displaced by `s·d`.
#[inline(always)]
pub(crate) fn moved(x: Particle, s: f64, d: [f64; 3]) -> Particle {
    [x[0] + s * d[0], x[1] + s * d[1], x[2] + s * d[2], x[3]]
}
