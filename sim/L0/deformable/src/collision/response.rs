//! Position correction of a contact, with Coulomb friction.

use crate::particle::{Particle, ParticleStore, add, dot, moved, scale, sub};

/// Particle positions before the substep.
pub(crate) trait PreviousPositions {
    /// The particle `i` before the substep.
    fn position(&self, i: u32) -> Particle;
}

impl PreviousPositions for [Particle] {
    #[inline(always)]
    fn position(&self, i: u32) -> Particle {
        self[i as usize]
    }
}

/// Parameters of the correction.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactParams {
    /// Friction coefficient.
    pub(super) friction: f64,
    /// Fraction of a penetration from before the substep that is corrected.
    pub(super) recovery: f64,
}

/// Enforces `C = n·Σ cᵢ xᵢ ≥ distance` for `Σ cᵢ = 0` and the current value `gap`.
#[inline]
pub(super) fn enforce_distance<const N: usize>(
    x: &impl ParticleStore,
    previous: &(impl PreviousPositions + ?Sized),
    at: [u32; N],
    c: [f64; N],
    n: [f64; 3],
    gap: f64,
    distance: f64,
    params: ContactParams,
) {
    if gap >= distance {
        return;
    }
    let mut target = distance;
    if params.recovery < 1.0 {
        let before: f64 = (0..N).map(|k| c[k] * along(n, previous.position(at[k]))).sum();
        if before < distance {
            target = before + (distance - before) * params.recovery;
        }
    }
    if gap < target {
        apply_correction(x, previous, at, c, n, target - gap, params.friction);
    }
}

fn along(n: [f64; 3], x: Particle) -> f64 {
    dot(n, [x[0], x[1], x[2]])
}

/// Displaces the particles by `Δxᵢ = wᵢ cᵢ depth/(Σ wⱼcⱼ²) n`, so that `n·Σ cᵢ xᵢ` grows by
/// `depth`, and cancels the tangential displacement since the start of the substep up to
/// `friction·depth`.
#[inline]
pub(super) fn apply_correction<const N: usize>(
    x: &impl ParticleStore,
    previous: &(impl PreviousPositions + ?Sized),
    at: [u32; N],
    c: [f64; N],
    n: [f64; 3],
    depth: f64,
    friction: f64,
) {
    let mut p = at.map(|i| x.load(i));
    let weight: f64 = (0..N).map(|k| p[k][3] * c[k] * c[k]).sum();
    if weight <= 0.0 {
        return;
    }
    let mut displacement = [0.0; 3];
    for k in 0..N {
        p[k] = moved(p[k], p[k][3] * c[k] * depth / weight, n);
        displacement = add(displacement, scale(c[k], sub(p[k], previous.position(at[k]))));
    }
    let along = dot(displacement, n);
    let tangential = add(displacement, scale(-along, n));
    let length = dot(tangential, tangential).sqrt();
    if length > 0.0 {
        let s = -(friction * depth / length).min(1.0) / weight;
        for k in 0..N {
            p[k] = moved(p[k], p[k][3] * c[k] * s, tangential);
        }
    }
    for k in 0..N {
        x.store(at[k], p[k]);
    }
}
