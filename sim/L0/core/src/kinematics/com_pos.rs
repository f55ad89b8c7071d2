//! Centres of mass, and inertias and motion axes in the com-based frame (`mj_comPos`).

use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::sleep::{ASLEEP, Who, for_awake};
use crate::{Data, Model};
use sim_types::{JointType, MINVAL};

/// Computes subtree centres of mass, and maps inertias and dofs to the frame at the centre of mass
/// of each kinematic tree.
///
/// Reads the poses. Writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn mj_com_pos(m: &Model, d: &mut Data) {
    for_awake!(com_pos(m, d));
}

#[inline(always)]
fn com_pos<W: Who>(m: &Model, d: &mut Data, who: W) {
    let Data { xipos, ximat, xmat, xanchor, xaxis, subtree_com, cinert, cdof, .. } = d;
    let (xipos, ximat, xmat) = (rows::<3>(xipos), rows::<9>(ximat), rows::<9>(xmat));
    let (xanchor, xaxis) = (rows::<3>(xanchor), rows::<3>(xaxis));
    let com = rows_mut::<3>(subtree_com);
    let cinert = rows_mut::<10>(cinert);
    let cdof = rows_mut::<6>(cdof);
    let inertia = rows::<3>(&m.body_inertia);
    let body_awake = &d.body_awake;
    let is_asleep = |i: usize| !W::ALL && body_awake[i] == ASLEEP;

    // slices of one known length need no checks in the loops below
    let n = m.nbody;
    let (mass, subtreemass) = (&m.body_mass[..n], &m.body_subtreemass[..n]);
    let (parentid, rootid) = (&m.body_parentid[..n], &m.body_rootid[..n]);
    let (xipos, ximat, inertia) = (&xipos[..n], &ximat[..n], &inertia[..n]);
    let (com, cinert) = (&mut com[..n], &mut cinert[..n]);

    // mass moments, summed towards the root, then divided by the subtree's mass
    for i in who.bodies(m) {
        com[i] = vec3::scale(xipos[i], mass[i]);
    }
    for i in who.children(m).rev() {
        let parent = parentid[i] as usize;
        // of those who sleep the quotient is known already
        let moment = if is_asleep(i) { vec3::scale(com[i], subtreemass[i]) } else { com[i] };
        com[parent] = vec3::add(com[parent], moment);
    }
    for i in who.bodies(m) {
        let mass = subtreemass[i];
        com[i] = if mass < MINVAL { xipos[i] } else { vec3::scale(com[i], 1.0 / mass) };
    }

    // inertias about the centre of mass of the tree
    cinert[0] = [0.0; 10];
    for i in who.moving(m) {
        let offset = vec3::sub(xipos[i], com[rootid[i] as usize]);
        cinert[i] = spatial::inertia_about(inertia[i], &ximat[i], offset, mass[i]);
    }

    // motion axes
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
            JointType::Ball => rotate_about_body_axes(&xmat[body], offset, &mut cdof[dof..dof + 3]),
            JointType::Free => {
                cdof[dof] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
                cdof[dof + 1] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
                cdof[dof + 2] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
                rotate_about_body_axes(&xmat[body], offset, &mut cdof[dof + 3..dof + 6]);
            }
        }
    }
}

/// Rotations about the three axes of the body.
#[inline(always)]
fn rotate_about_body_axes(xmat: &mat3::Mat3, offset: vec3::Vec3, cdof: &mut [spatial::Vec6]) {
    for (k, cdof) in cdof.iter_mut().enumerate() {
        *cdof = spatial::rotational_dof(mat3::column(xmat, k), offset);
    }
}
