//! Jacobian of the centre of mass of a subtree (`mj_jacSubtreeCom`).

use super::for_each_dof;
use crate::math::{at, rows};
use crate::{Data, Model};
use nalgebra::DMatrix;
use sim_types::MINVAL;

/// Jacobian `3 × nv` of the centre of mass of `body_id` and everything below it.
#[doc(alias = "mj_jacSubtreeCom")]
#[must_use]
pub fn mj_jac_subtree_com(m: &Model, d: &Data, body_id: usize) -> DMatrix<f64> {
    let mut jac = DMatrix::zeros(3, m.nv);
    let xipos = rows::<3>(&d.xipos);
    let mut inside = vec![false; m.nbody];
    inside[body_id] = true;
    for b in body_id..m.nbody {
        // bodies come after their parents, so one pass finds the subtree
        if b > body_id && b > 0 {
            inside[b] = inside[at(&m.body_parentid, b)];
        }
        if inside[b] {
            for_each_dof(m, d, b, xipos[b], |k, linear, _| {
                for row in 0..3 {
                    jac[(row, k)] += m.body_mass[b] * linear[row];
                }
            });
        }
    }
    jac / m.body_subtreemass[body_id].max(MINVAL)
}
