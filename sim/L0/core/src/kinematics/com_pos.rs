//! Centres of mass, spatial inertias and motion axes in the com-based frame (`mj_comPos`).
//!
//! The com-based frame of a kinematic tree has world axes and its origin at the tree's centre of mass:
//! `cinert` and `cdof` are the spatial inertias `I` and motion subspaces `S` of Featherstone, *Rigid Body
//! Dynamics Algorithms* (2008), in that frame.

use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::sleep::{ASLEEP, AwakeSet, for_awake};
use crate::{Data, Model};
use sim_types::{JointType, MINVAL};

/// Computes subtree centres of mass, and body inertias and dof axes in the com-based frame.
///
/// Reads `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`. Writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn mj_com_pos(m: &Model, d: &mut Data) {
    for_awake!(com_pos(m, d));
}

#[inline(always)]
fn com_pos<W: AwakeSet>(m: &Model, d: &mut Data, set: W) {
    let Data { xipos, ximat, xmat, xanchor, xaxis, subtree_com, cinert, cdof, .. } = d;
    let (xipos, ximat, xmat) = (rows::<3>(xipos), rows::<9>(ximat), rows::<9>(xmat));
    let (xanchor, xaxis) = (rows::<3>(xanchor), rows::<3>(xaxis));
    let com = rows_mut::<3>(subtree_com);
    let cinert = rows_mut::<10>(cinert);
    let cdof = rows_mut::<6>(cdof);
    let inertia = rows::<3>(&m.body_inertia);
    let body_awake = &d.body_awake;
    let is_asleep = |i: usize| !W::ALL && body_awake[i] == ASLEEP;

    // equal slice lengths let the compiler remove bounds checks from the loops
    let n = m.nbody;
    let (mass, subtreemass) = (&m.body_mass[..n], &m.body_subtreemass[..n]);
    let (parentid, rootid) = (&m.body_parentid[..n], &m.body_rootid[..n]);
    let (xipos, ximat, inertia) = (&xipos[..n], &ximat[..n], &inertia[..n]);
    let (com, cinert) = (&mut com[..n], &mut cinert[..n]);

    // first moments of mass, accumulated from the leaves to the root, divided by the subtree mass
    for i in set.bodies(m) {
        com[i] = vec3::scale(xipos[i], mass[i]);
    }
    for i in set.children(m).rev() {
        let parent = parentid[i] as usize;
        // subtree_com of a sleeping body already is the quotient
        let moment = if is_asleep(i) { vec3::scale(com[i], subtreemass[i]) } else { com[i] };
        com[parent] = vec3::add(com[parent], moment);
    }
    for i in set.bodies(m) {
        let mass = subtreemass[i];
        com[i] = if mass < MINVAL { xipos[i] } else { vec3::scale(com[i], 1.0 / mass) };
    }

    // spatial inertias about the tree's centre of mass
    cinert[0] = [0.0; 10];
    for i in set.moving(m) {
        let offset = vec3::sub(xipos[i], com[rootid[i] as usize]);
        cinert[i] = spatial::inertia_about(inertia[i], &ximat[i], offset, mass[i]);
    }

    // motion subspace of every joint
    for j in 0..m.njnt {
        let body = at(&m.jnt_bodyid, j);
        if is_asleep(body) {
            continue;
        }
        let dof = at(&m.jnt_dofadr, j);
        let offset = vec3::sub(com[at(&m.body_rootid, body)], xanchor[j]);
        match m.jnt_type[j] {
            JointType::Hinge => cdof[dof] = spatial::rotational_dof(xaxis[j], offset),
            JointType::Slide => cdof[dof] = spatial::join([0.0; 3], xaxis[j]),
            JointType::Ball => body_axis_rotations(&xmat[body], offset, &mut cdof[dof..dof + 3]),
            JointType::Free => {
                cdof[dof] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
                cdof[dof + 1] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
                cdof[dof + 2] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
                body_axis_rotations(&xmat[body], offset, &mut cdof[dof + 3..dof + 6]);
            }
        }
    }
}

/// Spatial axes of the rotations about the three body axes.
#[inline(always)]
fn body_axis_rotations(xmat: &mat3::Mat3, offset: vec3::Vec3, cdof: &mut [spatial::Vec6]) {
    for (k, cdof) in cdof.iter_mut().enumerate() {
        *cdof = spatial::rotational_dof(mat3::column(xmat, k), offset);
    }
}
