//! Inertia matrix by the composite rigid body algorithm (`mj_crb`), and its `LᵀDL` factor (`mj_factorM`,
//! `mj_solveM`).

use crate::math::{mul_inertia, spatial_dot};
use crate::plan::Plan;
use crate::work::Work;
use sim_simd::lanes::Lanes;
use sim_types::MINVAL;

/// Reads `cinert`, `cdof`. Writes `m`.
#[inline(always)]
pub(crate) fn crb<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    w.crb.copy_from_slice(&w.cinert);
    for (i, body) in plan.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let child = w.crb[i];
            let sum = &mut w.crb[body.parent];
            for k in 0..10 {
                sum[k] += child[k];
            }
        }
    }
    for (i, row) in plan.inertia.iter().enumerate() {
        let out = &mut w.m[row.start..][..row.len];
        if let Some(constant) = row.simple {
            out[0] = V::splat(constant);
            continue;
        }
        let force = mul_inertia(&w.crb[row.body], &w.cdof[i]);
        let mut unit = 0;
        if row.has_free_root {
            (out[0], out[1], out[2]) = (force[3], force[4], force[5]);
            unit = 3;
        }
        let cols = &plan.m_colind[row.start..][..row.len];
        for (value, &j) in out[unit..].iter_mut().zip(&cols[unit..]) {
            *value = spatial_dot(&w.cdof[j], &force);
        }
        out[row.len - 1] += V::splat(row.armature);
    }
}

/// Factors the matrix in `ld` in place and writes the inverse pivots.
#[inline(always)]
pub(crate) fn factor<V: Lanes>(plan: &Plan, ld: &mut [V], diag_inv: &mut [V]) {
    for (k, row) in plan.inertia.iter().enumerate().rev() {
        let n = row.len - 1;
        let (above, rest) = ld.split_at_mut(row.start);
        let row_values = &mut rest[..=n];
        let pivot = row_values[n];
        let pivot = pivot.select(pivot.abs().ge(V::splat(MINVAL)), V::splat(MINVAL));
        let inverse = V::splat(1.0) / pivot;
        row_values[n] = pivot;
        diag_inv[k] = inverse;
        let adr = &plan.m_coladr[row.start..][..n];
        for a in 0..n {
            let f = row_values[a] * inverse;
            let target = &mut above[adr[a]..][..=a];
            for (t, r) in target.iter_mut().zip(&row_values[..=a]) {
                *t -= f * *r;
            }
        }
        for value in &mut row_values[..n] {
            *value = *value * inverse;
        }
    }
}

/// `x ← (LᵀDL)⁻¹ x`.
#[inline(always)]
pub(crate) fn solve<V: Lanes>(plan: &Plan, ld: &[V], diag_inv: &[V], x: &mut [V]) {
    for (k, row) in plan.inertia.iter().enumerate().rev() {
        let value = x[k];
        let cols = &plan.m_colind[row.start..][..row.len - 1];
        for (l, &j) in ld[row.start..].iter().zip(cols) {
            x[j] -= *l * value;
        }
    }
    for (x, inverse) in x.iter_mut().zip(diag_inv) {
        *x = *x * *inverse;
    }
    for (k, row) in plan.inertia.iter().enumerate() {
        let cols = &plan.m_colind[row.start..][..row.len - 1];
        let mut sum = x[k];
        for (l, &j) in ld[row.start..].iter().zip(cols) {
            sum -= *l * x[j];
        }
        x[k] = sum;
    }
}

/// `out = M x`.
#[inline(always)]
pub(crate) fn mul<V: Lanes>(plan: &Plan, m: &[V], x: &[V], out: &mut [V]) {
    for (i, row) in plan.inertia.iter().enumerate() {
        let n = row.len - 1;
        let values = &m[row.start..][..=n];
        let cols = &plan.m_colind[row.start..][..n];
        let xi = x[i];
        let mut sum = values[n] * xi;
        for (value, &j) in values.iter().zip(cols) {
            sum += *value * x[j];
            out[j] += *value * xi;
        }
        out[i] = sum;
    }
}
