//! Spatial velocities of bodies and time derivatives of the motion axes (`mj_comVel`), velocities and
//! momenta of subtrees (`mj_subtreeVel`).
//!
//! The forward pass of the recursive Newton–Euler algorithm (Featherstone, *Rigid Body Dynamics Algorithms*,
//! 2008): `v_i = v_parent + S_i q̇_i` and `Ṡ_i = v × S_i`, in the com-based frame.

mod subtree;

pub use subtree::mj_subtree_vel;

use crate::math::{at, rows, rows_mut, spatial};
use crate::sleep::{AwakeSet, for_awake};
use crate::{Data, Model};
use sim_types::JointType;

/// Computes body velocities and the time derivatives of the motion axes in the com-based frame.
///
/// Reads `cdof`, `qvel`. Writes `cvel`, `cdof_dot`.
#[doc(alias = "mj_comVel")]
pub fn mj_com_vel(m: &Model, d: &mut Data) {
    for_awake!(com_vel(m, d));
}

#[inline(always)]
fn com_vel(m: &Model, d: &mut Data, set: impl AwakeSet) {
    let Data { qvel, cdof, cvel, cdof_dot, .. } = d;
    let cdof = rows::<6>(cdof);
    let cvel = rows_mut::<6>(cvel);
    let cdof_dot = rows_mut::<6>(cdof_dot);

    // equal slice lengths let the compiler remove bounds checks from the loop
    let n = m.nbody;
    let (parent, jntadr, jntnum) =
        (&m.body_parentid[..n], &m.body_jntadr[..n], &m.body_jntnum[..n]);
    let cvel = &mut cvel[..n];

    cvel[0] = [0.0; 6];
    for i in set.moving(m) {
        let mut vel = cvel[parent[i] as usize];
        let first = jntadr[i].max(0) as usize;
        for j in first..first + jntnum[i] as usize {
            let mut dof = at(&m.jnt_dofadr, j);
            match m.jnt_type[j] {
                JointType::Hinge | JointType::Slide => {
                    cdof_dot[dof] = spatial::cross_motion(&vel, &cdof[dof]);
                    spatial::add_scaled(&mut vel, &cdof[dof], qvel[dof]);
                }
                kind @ (JointType::Ball | JointType::Free) => {
                    // the translation axes of a free joint are fixed in the world
                    if kind == JointType::Free {
                        for k in dof..dof + 3 {
                            cdof_dot[k] = [0.0; 6];
                            spatial::add_scaled(&mut vel, &cdof[k], qvel[k]);
                        }
                        dof += 3;
                    }
                    // all three rotation axes change with the velocity before the rotation is added
                    for k in dof..dof + 3 {
                        cdof_dot[k] = spatial::cross_motion(&vel, &cdof[k]);
                    }
                    for k in dof..dof + 3 {
                        spatial::add_scaled(&mut vel, &cdof[k], qvel[k]);
                    }
                }
            }
        }
        cvel[i] = vel;
    }
}
