//! One push between particles, with friction.

use crate::cells::{Cells, Particle, add, dot, moved, scale, sub};

/// Where particles were before the substep.
pub(crate) trait Past {
    /// The particle.
    fn before(&self, i: u32) -> Particle;
}

impl Past for [Particle] {
    #[inline(always)]
    fn before(&self, i: u32) -> Particle {
        self[i as usize]
    }
}

/// How places push each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Coefficient of friction.
    pub(super) friction: f64,
    /// Share of what was too near before the substep that comes right in it.
    pub(super) recover: f64,
}

/// Keeps `n·Σ cᵢ xᵢ`, with `Σ cᵢ = 0` and now at `gap`, from being less than `distance`.
#[inline]
pub(super) fn keep_apart<const N: usize>(
    x: &impl Cells,
    past: &(impl Past + ?Sized),
    at: [u32; N],
    c: [f64; N],
    n: [f64; 3],
    gap: f64,
    distance: f64,
    manner: Manner,
) {
    if gap >= distance {
        return;
    }
    let mut goal = distance;
    if manner.recover < 1.0 {
        let before: f64 = (0..N).map(|k| c[k] * along(n, past.before(at[k]))).sum();
        if before < distance {
            goal = before + (distance - before) * manner.recover;
        }
    }
    if gap < goal {
        push(x, past, at, c, n, goal - gap, manner.friction);
    }
}

fn along(n: [f64; 3], x: Particle) -> f64 {
    dot(n, [x[0], x[1], x[2]])
}

/// Moves particles so that `Σ cᵢ xᵢ`, with `Σ cᵢ = 0`, grows by `depth` along the unit vector `n`,
/// and takes back what slid across it since the substep began, up to `friction` times the push.
#[inline]
pub(super) fn push<const N: usize>(
    x: &impl Cells,
    past: &(impl Past + ?Sized),
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
    let mut slide = [0.0; 3];
    for k in 0..N {
        p[k] = moved(p[k], p[k][3] * c[k] * depth / weight, n);
        slide = add(slide, scale(c[k], sub(p[k], past.before(at[k]))));
    }
    let along = dot(slide, n);
    let across = add(slide, scale(-along, n));
    let far = dot(across, across).sqrt();
    if far > 0.0 {
        let s = -(friction * depth / far).min(1.0) / weight;
        for k in 0..N {
            p[k] = moved(p[k], p[k][3] * c[k] * s, across);
        }
    }
    for k in 0..N {
        x.store(at[k], p[k]);
    }
}
