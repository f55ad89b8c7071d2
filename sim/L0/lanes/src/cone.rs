//! Elliptic friction cones: force and Hessian of a contact, and its cost along a line.

use crate::solver::Evaluation;
use crate::work::Block;
use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

/// Force of a contact at the residuals `jar`, its Hessian and its cost.
#[inline(always)]
pub(crate) fn evaluate<V: Lanes, const D: usize>(
    block: &Block,
    d: &[V],
    jar: &[V],
) -> Evaluation<V, D> {
    let (zero, mu) = (V::zero(), V::splat(block.mu));
    let (mut force, mut weights) = ([zero; D], [zero; 21]);
    // residuals mapped to the regular cone
    let mut u = [zero; 6];
    u[0] = jar[0] * mu;
    let mut square = zero;
    for j in 1..D {
        u[j] = jar[j] * V::splat(block.friction[j - 1]);
        square += u[j] * u[j];
    }
    let (n, t) = (u[0], square.sqrt());
    let top = n.ge(mu * t) | (t.le(zero) & n.ge(zero));
    let bottom = !top & ((mu * n + t).le(zero) | (t.le(zero) & n.lt(zero)));
    let middle = !top & !bottom;
    let mut cost = zero;
    for j in 0..D {
        let product = (d[j] * jar[j]).masked(bottom);
        force[j] = -product;
        cost += product * jar[j];
        weights[j * (j + 1) / 2 + j] = d[j].masked(bottom);
    }
    if !middle.any() {
        return Evaluation { force, weights, cost };
    }
    let t = t.max(V::splat(MINVAL));
    let dm = d[0] / V::splat(block.mu * block.mu * (1.0 + block.mu * block.mu));
    let nmt = n - mu * t;
    let normal = -(dm * nmt * mu);
    let inverse = V::splat(1.0) / t;
    cost = cost.add_masked(middle, dm * nmt * nmt);
    force[0] = normal.select(middle, force[0]);
    let curvature = mu * n * inverse * inverse * inverse;
    for j in 0..D {
        let scale_j = V::splat(if j == 0 { block.mu } else { block.friction[j - 1] });
        if j > 0 {
            let tangent = -(normal * inverse * u[j]) * scale_j;
            force[j] = tangent.select(middle, force[j]);
        }
        for k in 0..=j {
            let scale_k = V::splat(if k == 0 { block.mu } else { block.friction[k - 1] });
            let mut value = match (k, j) {
                (0, 0) => V::splat(1.0),
                (0, _) => -(mu * inverse * u[j]),
                _ => curvature * u[j] * u[k],
            };
            if k == j && k > 0 {
                value += mu * mu - mu * n * inverse;
            }
            let entry = &mut weights[j * (j + 1) / 2 + k];
            *entry = (value * (dm * scale_k * scale_j)).select(middle, *entry);
        }
    }
    Evaluation { force, weights, cost }
}

/// Coefficients of a contact along a line, as those of the scalar line search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineCone<V> {
    quad: [V; 3],
    u0: V,
    v0: V,
    uu: V,
    uv: V,
    vv: V,
    dm: V,
    mu: f64,
}

impl<V: Lanes> LineCone<V> {
    #[inline(always)]
    pub(crate) fn new(block: &Block, d: &[V], jar: &[V], jv: &[V]) -> Self {
        let (zero, mu) = (V::zero(), V::splat(block.mu));
        let mut cone = Self {
            quad: [zero; 3],
            u0: jar[0] * mu,
            v0: jv[0] * mu,
            uu: zero,
            uv: zero,
            vv: zero,
            dm: d[0] / V::splat(block.mu * block.mu * (1.0 + block.mu * block.mu)),
            mu: block.mu,
        };
        let half = V::splat(0.5);
        for j in 0..block.dim {
            let dj = d[j] * jar[j];
            cone.quad[0] += half * (jar[j] * dj);
            cone.quad[1] += jv[j] * dj;
            cone.quad[2] += half * (jv[j] * d[j] * jv[j]);
            if j > 0 {
                let friction = V::splat(block.friction[j - 1]);
                let (u, v) = (jar[j] * friction, jv[j] * friction);
                cone.uu += u * u;
                cone.uv += u * v;
                cone.vv += v * v;
            }
        }
        cone
    }

    /// Adds the cost at `alpha`: to `quad` in the bottom zone, to cost, slope and curvature in the middle zone.
    #[inline(always)]
    pub(crate) fn add(&self, alpha: V, quad: &mut [V; 3], point: &mut [V; 3]) {
        let (zero, mu) = (V::zero(), V::splat(self.mu));
        let n = self.u0 + alpha * self.v0;
        let square = self.uu + alpha * (V::splat(2.0) * self.uv + alpha * self.vv);
        let on_axis = square.le(zero);
        let t = square.max(zero).sqrt();
        let top = (!on_axis & n.ge(mu * t)) | (on_axis & n.ge(zero));
        let middle = !on_axis & !top & (mu * n + t).gt(zero);
        let bottom = !top & !middle;
        for k in 0..3 {
            quad[k] = quad[k].add_masked(bottom, self.quad[k]);
        }
        if !middle.any() {
            return;
        }
        let inverse = V::splat(1.0) / t.max(V::splat(MINVAL));
        let slope = self.uv + alpha * self.vv;
        let t1 = slope * inverse;
        let t2 = self.vv * inverse - slope * t1 * inverse * inverse;
        let (nmt, nmt1) = (n - mu * t, self.v0 - mu * t1);
        point[0] = point[0].add_masked(middle, V::splat(0.5) * self.dm * nmt * nmt);
        point[1] = point[1].add_masked(middle, self.dm * nmt * nmt1);
        let curvature = self.dm * (nmt1 * nmt1 - nmt * (mu * t2));
        point[2] = point[2].add_masked(middle, curvature);
    }
}
