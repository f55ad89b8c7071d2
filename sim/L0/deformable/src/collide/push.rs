//! One push between particles, with friction.

use crate::cells::{Cells, Particle, add, dot, moved, scale, sub};

/// Moves particles so that `Σ cᵢ xᵢ`, with `Σ cᵢ = 0`, grows by `depth` along the unit vector `n`,
/// and takes back what slid across it since the substep began, up to `friction` times the push.
#[inline]
pub(super) fn push<const N: usize>(
    x: &impl Cells,
    previous: &[Particle],
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
        slide = add(slide, scale(c[k], sub(p[k], previous[at[k] as usize])));
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
