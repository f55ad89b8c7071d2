//! Jacobian of the centre of mass of a subtree (`mj_jacSubtreeCom`).

use super::for_each_dof;
use crate::math::{rows, vec3};
use crate::{Data, Model};
use nalgebra::DMatrix;
use sim_types::MINVAL;

/// The bodies of a subtree, which have consecutive indices, root first.
pub(super) fn subtree(m: &Model, root: usize) -> impl Iterator<Item = usize> {
    (root..m.nbody).take_while(move |&b| b == root || m.body_parentid[b] >= root as i32)
}

/// Calls `f(dof, column)` with the contribution of each body and dof to the Jacobian of the subtree's centre
/// of mass: the body's Jacobian column weighted by its mass fraction.
fn for_each_contribution(m: &Model, d: &Data, root: usize, mut f: impl FnMut(usize, vec3::Vec3)) {
    let xipos = rows::<3>(&d.xipos);
    let total = m.body_subtreemass[root].max(MINVAL);
    for b in subtree(m, root) {
        let fraction = m.body_mass[b] / total;
        for_each_dof(m, d, b, xipos[b], |k, linear, _| f(k, vec3::scale(linear, fraction)));
    }
}

/// Jacobian `3 × nv` of the centre of mass of the subtree of `body_id`.
#[doc(alias = "mj_jacSubtreeCom")]
#[must_use]
pub fn mj_jac_subtree_com(m: &Model, d: &Data, body_id: usize) -> DMatrix<f64> {
    let mut jac = DMatrix::zeros(3, m.nv);
    for_each_contribution(m, d, body_id, |k, velocity| {
        for row in 0..3 {
            jac[(row, k)] += velocity[row];
        }
    });
    jac
}

/// Writes the Jacobian of the centre of mass of the subtree of `body` to a row-major `3 × nv` slice.
///
/// # Panics
/// If the slice is shorter than `3 nv`, or `body` is out of range.
#[doc(alias = "mj_jacSubtreeCom")]
pub fn mj_jac_subtree_com_into(m: &Model, d: &Data, jacp: &mut [f64], body: usize) {
    let nv = m.nv;
    jacp[..3 * nv].fill(0.0);
    for_each_contribution(m, d, body, |k, velocity| {
        for row in 0..3 {
            jacp[row * nv + k] += velocity[row];
        }
    });
}
