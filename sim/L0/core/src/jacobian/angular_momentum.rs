//! Angular momentum matrix of a subtree (`mj_angmomMat`).

use super::for_each_dof;
use super::subtree::subtree;
use crate::math::{mat3, rows, vec3};
use crate::{Data, Model};
use nalgebra::DMatrix;

/// Calls `f(dof, column)` with the contribution of each body and dof of the subtree of `root` to the angular
/// momentum matrix about the subtree's centre of mass.
fn for_each_contribution(m: &Model, d: &Data, root: usize, mut f: impl FnMut(usize, vec3::Vec3)) {
    let (xipos, ximat) = (rows::<3>(&d.xipos), rows::<9>(&d.ximat));
    let com = rows::<3>(&d.subtree_com)[root];
    for b in subtree(m, root) {
        let inertia = rows::<3>(&m.body_inertia)[b];
        let arm = vec3::scale(vec3::sub(xipos[b], com), m.body_mass[b]);
        for_each_dof(m, d, b, xipos[b], |k, linear, angular| {
            let local = mat3::mul_transpose_vec(&ximat[b], angular);
            let local = [local[0] * inertia[0], local[1] * inertia[1], local[2] * inertia[2]];
            let spin = mat3::mul_vec(&ximat[b], local);
            f(k, vec3::add(spin, vec3::cross(arm, linear)));
        });
    }
}

/// Writes the row-major `3 × nv` matrix `H` with `L = H q̇` to `mat`, where `L` is the angular momentum of the
/// subtree of `body` about its centre of mass.
///
/// # Panics
/// If the slice is shorter than `3 nv`, or `body` is out of range.
#[doc(alias = "mj_angmomMat")]
pub fn mj_angmom_mat_into(m: &Model, d: &Data, mat: &mut [f64], body: usize) {
    let nv = m.nv;
    mat[..3 * nv].fill(0.0);
    for_each_contribution(m, d, body, |k, momentum| {
        for row in 0..3 {
            mat[row * nv + k] += momentum[row];
        }
    });
}

/// The `3 × nv` matrix `H` with `L = H q̇`, where `L` is the angular momentum of the subtree of `body_id` about
/// its centre of mass.
#[doc(alias = "mj_angmomMat")]
#[must_use]
pub fn mj_angmom_mat(m: &Model, d: &Data, body_id: usize) -> DMatrix<f64> {
    let mut mat = DMatrix::zeros(3, m.nv);
    for_each_contribution(m, d, body_id, |k, momentum| {
        for row in 0..3 {
            mat[(row, k)] += momentum[row];
        }
    });
    mat
}
