//! Where positions live during a step: plain cells for one thread, atomic words for several.
//!
//! A constraint is written once, for either. Relaxed loads and stores of atomic words are ordinary
//! moves, so sharing costs no locks; and because no two constraints of a colour share a particle,
//! no thread sees a half-written position.

use std::cell::Cell;

/// Position and inverse mass of a particle: x, y, z, w.
pub(crate) type Particle = [f64; 4];

/// Particles that many constraints read and write.
pub(crate) trait Cells {
    /// The particle.
    fn load(&self, i: u32) -> Particle;
    /// Sets the position; the inverse mass must be the one loaded.
    fn store(&self, i: u32, x: Particle);
}

/// Particles of one thread.
pub(crate) struct Plain<'a>(&'a [Cell<Particle>]);

impl<'a> Plain<'a> {
    pub(crate) fn new(particles: &'a mut [Particle]) -> Self {
        Self(Cell::from_mut(particles).as_slice_of_cells())
    }
}

impl Cells for Plain<'_> {
    #[inline(always)]
    fn load(&self, i: u32) -> Particle {
        self.0[i as usize].get()
    }

    #[inline(always)]
    fn store(&self, i: u32, x: Particle) {
        self.0[i as usize].set(x);
    }
}

/// Particles that threads share.
#[cfg(feature = "parallel")]
pub(crate) struct Shared<'a>(pub(crate) &'a [Words]);

/// The bits of a [`Particle`].
#[cfg(feature = "parallel")]
pub(crate) type Words = [std::sync::atomic::AtomicU64; 4];

#[cfg(feature = "parallel")]
impl Cells for Shared<'_> {
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

/// `a − b`, without the mass.
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

/// The particle moved by `s·d`.
#[inline(always)]
pub(crate) fn moved(x: Particle, s: f64, d: [f64; 3]) -> Particle {
    [x[0] + s * d[0], x[1] + s * d[1], x[2] + s * d[2], x[3]]
}
