//! Elastic forces of flexes: bending, stretching, solid elasticity, cells and edge springs.

mod bending;
mod cells;
mod edges;
mod elements;

use crate::flex::Dofs;
use crate::math::at;
use crate::math::vec3::Vec3;
use crate::support::mj_apply_ft;
use crate::{Data, Model};

/// Adds the elastic forces of all flexes to `qfrc_spring` and `qfrc_damper`.
///
/// As in MuJoCo, forces of triangles and tetrahedra include their damping and do not depend on the flags of
/// springs and dampers.
pub(super) fn forces(m: &Model, d: &mut Data, spring: bool, damper: bool) {
    for f in 0..m.nflex {
        if m.flex_dim[f] == 1 || m.flex_rigid[f] {
            continue;
        }
        if m.flex_dim[f] == 2 {
            bending::forces(m, d, f, spring, damper);
        }
        // as in MuJoCo, the first coefficient decides whether there are any
        let elastic = m.flex_stiffness[at(&m.flex_stiffnessadr, f)] != 0.0;
        if !elastic || m.flex_edgeequality[f] == 3 {
            continue;
        }
        if m.flex_interp[f] == 0 {
            elements::forces(m, d, f);
        } else {
            cells::forces(m, d, f, spring, damper);
        }
    }
    edges::forces(m, d, spring, damper);
}

/// Adds the generalized force of a force on a vertex or node to `qfrc`.
#[inline(always)]
fn apply(
    m: &Model,
    d: &Data,
    (dofs, body): (Dofs, i32),
    force: Vec3,
    point: Vec3,
    qfrc: &mut [f64],
) {
    match dofs {
        Dofs::Fixed => {}
        Dofs::Aligned(dof) => {
            for (q, f) in qfrc[dof as usize..dof as usize + 3].iter_mut().zip(force) {
                *q += f;
            }
        }
        Dofs::General => mj_apply_ft(m, d, force, [0.0; 3], point, body as usize, qfrc),
    }
}
