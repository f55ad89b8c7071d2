//! Linear velocity and angular momentum of every subtree (`mj_subtreeVel`).

use crate::math::{mat3, rows, rows_mut, spatial, vec3};
use crate::sleep::{AwakeSet, for_awake};
use crate::{Data, Model};
use sim_types::MINVAL;

/// Computes the velocity of each subtree's centre of mass and its angular momentum about it.
///
/// Reads `xipos`, `ximat`, `cvel`, `subtree_com`. Writes `subtree_linvel`, `subtree_angmom`,
/// `flg_subtreevel`.
#[doc(alias = "mj_subtreeVel")]
pub fn mj_subtree_vel(m: &Model, d: &mut Data) {
    for_awake!(subtree_vel(m, d));
}

#[inline(always)]
fn subtree_vel(m: &Model, d: &mut Data, set: impl AwakeSet) {
    let Data { xipos, ximat, cvel, subtree_com, subtree_linvel, subtree_angmom, scratch, .. } = d;
    let (xipos, ximat, com) = (rows::<3>(xipos), rows::<9>(ximat), rows::<3>(subtree_com));
    let cvel = rows::<6>(cvel);
    let linvel = rows_mut::<3>(subtree_linvel);
    let angmom = rows_mut::<3>(subtree_angmom);
    let body_vel = rows_mut::<6>(&mut scratch.body_a);
    let inertia = rows::<3>(&m.body_inertia);

    // equal slice lengths let the compiler remove bounds checks from the loops
    let n = m.nbody;
    let (parentid, mass) = (&m.body_parentid[..n], &m.body_mass[..n]);
    let (rootid, subtreemass) = (&m.body_rootid[..n], &m.body_subtreemass[..n]);
    let (xipos, ximat, com, cvel) = (&xipos[..n], &ximat[..n], &com[..n], &cvel[..n]);
    let (linvel, angmom) = (&mut linvel[..n], &mut angmom[..n]);
    let (body_vel, inertia) = (&mut body_vel[..n], &inertia[..n]);

    // momenta of the individual bodies
    for i in set.bodies(m) {
        let root = com[rootid[i] as usize];
        body_vel[i] = spatial::shift_motion(&cvel[i], root, xipos[i]);
        linvel[i] = vec3::scale(spatial::translation(&body_vel[i]), mass[i]);
        let local = mat3::mul_transpose_vec(&ximat[i], spatial::rotation(&body_vel[i]));
        let local = [local[0] * inertia[i][0], local[1] * inertia[i][1], local[2] * inertia[i][2]];
        angmom[i] = mat3::mul_vec(&ximat[i], local);
    }

    // linear momentum accumulated from the leaves to the root, then divided by the subtree mass
    for i in set.bodies(m).rev() {
        if i > 0 {
            let parent = parentid[i] as usize;
            linvel[parent] = vec3::add(linvel[parent], linvel[i]);
        }
        linvel[i] = vec3::scale(linvel[i], 1.0 / subtreemass[i].max(MINVAL));
    }

    // angular momentum accumulated from the leaves to the root, shifted to the parent's subtree_com
    for i in set.moving(m).rev() {
        let parent = parentid[i] as usize;
        let own = vec3::cross(
            vec3::sub(xipos[i], com[i]),
            vec3::scale(vec3::sub(spatial::translation(&body_vel[i]), linvel[i]), mass[i]),
        );
        angmom[i] = vec3::add(angmom[i], own);
        let shift = vec3::cross(
            vec3::sub(com[i], com[parent]),
            vec3::scale(vec3::sub(linvel[i], linvel[parent]), subtreemass[i]),
        );
        angmom[parent] = vec3::add(angmom[parent], vec3::add(angmom[i], shift));
    }
    d.flg_subtreevel = true;
}
