//! Articulated body algorithm: solves with `M + diag` without forming the matrix.
//!
//! `M` of a chain of length `n` is dense: `O(n²)` to form and `O(n³)` to factor. The articulated
//! body recursion applies `(M + diag)⁻¹` in `O(n)`. All bodies of a tree share one com-based frame,
//! so that the recursion needs no coordinate transforms.

use super::buffers::Articulated;
use crate::data::Scratch;
use crate::math::{at, rows, rows_mut, spatial};
use crate::{Data, Model};
use sim_simd::dispatch;

impl Articulated {
    pub(crate) fn new(m: &Model) -> Self {
        Self {
            inertia: vec![0.0; 36 * m.nbody],
            force: vec![0.0; 6 * m.nv],
            inverse: vec![0.0; m.nv],
            body: vec![0.0; 6 * m.nbody],
        }
    }
}

/// Fills `M` and its factors with NaN, so that stale values cannot be used.
pub(crate) fn invalidate_matrix(d: &mut Data) {
    if !d.scratch.no_matrix {
        for field in [&mut d.crb, &mut d.M, &mut d.qM, &mut d.qLD, &mut d.qLDiagInv] {
            field.fill(f64::NAN);
        }
        d.scratch.no_matrix = true;
    }
}

/// Prepares solves with `M + diag`, where `diag` is `scratch.diagonal`. Reads `cinert` and `cdof`.
pub(crate) fn factor(m: &Model, d: &mut Data) {
    dispatch!(recursion(m: &Model, d: &mut Data));
}

#[inline(always)]
fn recursion(m: &Model, d: &mut Data) {
    let Data { cinert, cdof, scratch, .. } = d;
    let Scratch { articulated, diagonal, .. } = scratch;
    let Articulated { inertia, force, inverse, .. } = articulated;
    let inertia = rows_mut::<36>(inertia);
    let force = rows_mut::<6>(force);
    let (cinert, cdof) = (rows::<10>(cinert), rows::<6>(cdof));

    for i in 1..m.nbody {
        inertia[i] = dense(&cinert[i]);
    }
    for i in (1..m.nbody).rev() {
        let first = m.body_dofadr[i].max(0) as usize;
        let parent = at(&m.body_parentid, i);
        let (rest, own) = inertia.split_at_mut(i);
        let own = &mut own[0];
        for k in (first..first + m.body_dofnum[i] as usize).rev() {
            let u = mul(own, &cdof[k]);
            let projected = spatial::dot(&cdof[k], &u)
                + m.dof_armature[k]
                + m.plan.actuator_terms.dof_armature[k]
                + diagonal[k];
            inverse[k] = 1.0 / projected;
            force[k] = u;
            // articulated inertia with dof k free
            for (row, &value) in own.as_chunks_mut::<6>().0.iter_mut().zip(&u) {
                spatial::add_scaled(row, &u, -value * inverse[k]);
            }
        }
        if parent > 0 {
            for (p, o) in rest[parent].iter_mut().zip(&*own) {
                *p += o;
            }
        }
    }
}

/// `x ← (M + diag)⁻¹ x`, with the diagonal given to [`factor`].
pub(crate) fn solve(m: &Model, cdof: &[f64], articulated: &mut Articulated, x: &mut [f64]) {
    dispatch!(substitute(m: &Model, cdof: &[f64], articulated: &mut Articulated, x: &mut [f64]));
}

#[inline(always)]
fn substitute(m: &Model, cdof: &[f64], articulated: &mut Articulated, x: &mut [f64]) {
    let cdof = rows::<6>(cdof);
    let Articulated { force, inverse, body, .. } = articulated;
    let force = rows::<6>(force);
    let body = rows_mut::<6>(body);

    // leaves to root: bias force of each articulated body
    body.fill([0.0; 6]);
    for i in (1..m.nbody).rev() {
        let first = m.body_dofadr[i].max(0) as usize;
        let mut p = body[i];
        for k in (first..first + m.body_dofnum[i] as usize).rev() {
            x[k] -= spatial::dot(&cdof[k], &p);
            spatial::add_scaled(&mut p, &force[k], x[k] * inverse[k]);
        }
        let parent = at(&m.body_parentid, i);
        body[parent] = spatial::add(&body[parent], &p);
    }

    // root to leaves: accelerations
    body[0] = [0.0; 6];
    for i in 1..m.nbody {
        let first = m.body_dofadr[i].max(0) as usize;
        let mut a = body[at(&m.body_parentid, i)];
        for k in first..first + m.body_dofnum[i] as usize {
            x[k] = inverse[k] * (x[k] - spatial::dot(&force[k], &a));
            spatial::add_scaled(&mut a, &cdof[k], x[k]);
        }
        body[i] = a;
    }
}

/// Rigid-body inertia as a dense 6 × 6 matrix.
#[inline(always)]
fn dense(i: &spatial::Inertia) -> [f64; 36] {
    let (x, y, z, mass) = (i[6], i[7], i[8], i[9]);
    [
        i[0], i[3], i[4], 0.0, -z, y, //
        i[3], i[1], i[5], z, 0.0, -x, //
        i[4], i[5], i[2], -y, x, 0.0, //
        0.0, z, -y, mass, 0.0, 0.0, //
        -z, 0.0, x, 0.0, mass, 0.0, //
        y, -x, 0.0, 0.0, 0.0, mass,
    ]
}

/// Symmetric matrix times vector, column by column.
#[inline(always)]
fn mul(matrix: &[f64; 36], v: &spatial::Vec6) -> spatial::Vec6 {
    let mut out = [0.0; 6];
    for (column, &value) in matrix.as_chunks::<6>().0.iter().zip(v) {
        spatial::add_scaled(&mut out, column, value);
    }
    out
}
