//! Factorisation of the inertia matrix and solves (`mj_factorM`, `mj_solveM`, `mj_solveM2`).

use super::ldl;
use crate::sleep::{awake_dof_ranges, awake_tree_ranges};
use crate::{Data, Model};
use nalgebra::DVector;
use sim_types::{EnableBit, Warning};

/// Factors `M` as `LᵀDL`.
///
/// Reads `M`. Writes `qLD`, `qLDiagInv`.
#[doc(alias = "mj_factorM")]
pub fn mj_factor_m(m: &Model, d: &mut Data) {
    let Data { M, qLD, qLDiagInv, .. } = d;
    let singular = if d.ntree_awake < m.ntree && m.opt.enabled(EnableBit::Sleep) {
        factor_awake(m, &d.tree_awake, M, qLD, qLDiagInv)
    } else {
        qLD.copy_from_slice(M);
        ldl::factor(m.m_pattern(), qLD, qLDiagInv)
    };
    if let Some(dof) = singular {
        d.warn(Warning::Inertia, dof);
    }
}

/// Copies the rows of awake dofs from `matrix` to `factor` and factors them.
fn factor_awake(
    m: &Model,
    tree_awake: &[i32],
    matrix: &[f64],
    factor: &mut [f64],
    diaginv: &mut [f64],
) -> Option<usize> {
    let pattern = m.m_pattern();
    let mut singular = None;
    for dofs in awake_dof_ranges(m, tree_awake) {
        let entries = pattern.entries(dofs.clone());
        factor[entries.clone()].copy_from_slice(&matrix[entries]);
        singular = singular.or(ldl::factor_dofs(pattern, factor, diaginv, dofs));
    }
    singular
}

/// Solves for the awake dofs; other entries of `x` are unchanged.
pub(crate) fn solve_awake(
    m: &Model,
    tree_awake: &[i32],
    factor: &[f64],
    diaginv: &[f64],
    x: &mut [f64],
) {
    for trees in awake_tree_ranges(tree_awake) {
        ldl::solve(m.m_pattern().of_trees(trees), factor, diaginv, x);
    }
}

/// Solves `M x = y` in place for one or more consecutive vectors of length `nv`.
#[doc(alias = "mj_solveM")]
pub fn mj_solve_m(m: &Model, d: &Data, x: &mut [f64]) {
    for x in x.chunks_exact_mut(m.nv.max(1)) {
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, x);
    }
}

/// [`mj_solve_m`] restricted to the dofs of one tree; `x` has length `nv`.
pub(crate) fn solve_m_tree(m: &Model, d: &Data, tree: usize, x: &mut [f64]) {
    ldl::solve(m.m_pattern().of_trees(tree..tree + 1), &d.qLD, &d.qLDiagInv, x);
}

/// Half solve in place: `x ← D^(-1/2) L⁻ᵀ x`, so that `xᵀ x` becomes the old `xᵀ M⁻¹ x`.
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
