//! Linear velocity and angular momentum of every subtree (`mj_subtreeVel`).

use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::MINVAL;

/// Computes the velocity of each subtree's centre of mass and its angular momentum about it.
///
/// Reads the poses, `cvel`, `subtree_com`. Writes `subtree_linvel`, `subtree_angmom`,
/// `flg_subtreevel`.
#[doc(alias = "mj_subtreeVel")]
pub fn mj_subtree_vel(m: &Model, d: &mut Data) {
    dispatch!(subtree_vel(m: &Model, d: &mut Data));
}

#[inline(always)]
fn subtree_vel(m: &Model, d: &mut Data) {
    let Data { xipos, ximat, cvel, subtree_com, subtree_linvel, subtree_angmom, scratch, .. } = d;
    let (xipos, ximat, com) = (rows::<3>(xipos), rows::<9>(ximat), rows::<3>(subtree_com));
    let cvel = rows::<6>(cvel);
    let linvel = rows_mut::<3>(subtree_linvel);
    let angmom = rows_mut::<3>(subtree_angmom);
    let body_vel = rows_mut::<6>(&mut scratch.body_a);
    let inertia = rows::<3>(&m.body_inertia);

    // momenta of single bodies
    for i in 0..m.nbody {
        let root = com[at(&m.body_rootid, i)];
        body_vel[i] = spatial::shift_motion(&cvel[i], root, xipos[i]);
        linvel[i] = vec3::scale(spatial::translation(&body_vel[i]), m.body_mass[i]);
        let local = mat3::mul_transpose_vec(&ximat[i], spatial::rotation(&body_vel[i]));
        let local = [local[0] * inertia[i][0], local[1] * inertia[i][1], local[2] * inertia[i][2]];
        angmom[i] = mat3::mul_vec(&ximat[i], local);
    }

    // linear momentum towards the root, then velocity
    for i in (0..m.nbody).rev() {
        if i > 0 {
            let parent = at(&m.body_parentid, i);
            linvel[parent] = vec3::add(linvel[parent], linvel[i]);
        }
        linvel[i] = vec3::scale(linvel[i], 1.0 / m.body_subtreemass[i].max(MINVAL));
    }

    // angular momentum towards the root, moving the reference point at each step
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        let own = vec3::cross(
            vec3::sub(xipos[i], com[i]),
            vec3::scale(vec3::sub(spatial::translation(&body_vel[i]), linvel[i]), m.body_mass[i]),
        );
        angmom[i] = vec3::add(angmom[i], own);
        let shift = vec3::cross(
            vec3::sub(com[i], com[parent]),
            vec3::scale(vec3::sub(linvel[i], linvel[parent]), m.body_subtreemass[i]),
        );
        angmom[parent] = vec3::add(angmom[parent], vec3::add(angmom[i], shift));
    }
    d.flg_subtreevel = true;
}
