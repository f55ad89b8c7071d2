//! Factoring the inertia matrix and solving with it (`mj_factorM`, `mj_solveM`, `mj_solveM2`).

use super::ldl;
use crate::{Data, Model};
use nalgebra::DVector;
use sim_types::Warning;

/// Factors `M` as `LᵀDL`.
///
/// Reads `M`. Writes `qLD`, `qLDiagInv`.
#[doc(alias = "mj_factorM")]
pub fn mj_factor_m(m: &Model, d: &mut Data) {
    d.qLD.copy_from_slice(&d.M);
    let singular = ldl::factor(m.m_pattern(), &mut d.qLD, &mut d.qLDiagInv);
    if let Some(dof) = singular {
        d.warn(Warning::Inertia, dof);
    }
}

/// Solves `M x = y` in place: `x` holds one or more vectors of length `nv`, one after another.
#[doc(alias = "mj_solveM")]
pub fn mj_solve_m(m: &Model, d: &Data, x: &mut [f64]) {
    for x in x.chunks_exact_mut(m.nv.max(1)) {
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, x);
    }
}

/// As [`mj_solve_m`] in the dofs of one tree; `x` has length `nv`, and the rest of it stays.
pub(crate) fn solve_m_tree(m: &Model, d: &Data, tree: usize, x: &mut [f64]) {
    let all = m.m_pattern();
    let (treeadr, treenum) = (&all.treeadr[tree..=tree], &all.treenum[tree..=tree]);
    ldl::solve(ldl::Pattern { treeadr, treenum, ..all }, &d.qLD, &d.qLDiagInv, x);
}

/// Half of a solve, in place: `x ← D^(-1/2) L⁻ᵀ y`, so that `x · x = y · M⁻¹ y`.
#[doc(alias = "mj_solveM2")]
pub fn mj_solve_m2(m: &Model, d: &Data, x: &mut [f64]) {
    for x in x.chunks_exact_mut(m.nv.max(1)) {
        ldl::solve_transpose(m.m_pattern(), &d.qLD, x);
        for (x, inverse) in x.iter_mut().zip(&d.qLDiagInv) {
            *x *= inverse.sqrt();
        }
    }
}

/// Sparse factorization of the inertia matrix along the kinematic tree; the same as
/// [`mj_factor_m`].
pub fn mj_factor_sparse(m: &Model, d: &mut Data) {
    mj_factor_m(m, d);
}

/// Solves `M x = y` in place with the sparse factorization.
pub fn mj_solve_sparse(m: &Model, d: &Data, x: &mut DVector<f64>) {
    mj_solve_m(m, d, x.as_mut_slice());
}
