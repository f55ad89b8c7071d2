//! Accelerations and interaction forces of bodies after the forward dynamics
//! (`mj_rnePostConstraint`).

use super::{newton_euler, world_acceleration};
use crate::math::{at, rows, rows_mut, spatial};
use crate::{Data, Model};
use sim_simd::dispatch;

/// Computes body accelerations, external forces and interaction forces with the parent.
///
/// Reads `cdof`, `cdof_dot`, `cinert`, `cvel`, `qvel`, `qacc`, `xfrc_applied`. Writes `cacc`,
/// `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn mj_rne_post_constraint(m: &Model, d: &mut Data) {
    dispatch!(rne_post_constraint(m: &Model, d: &mut Data));
}

#[inline(always)]
fn rne_post_constraint(m: &Model, d: &mut Data) {
    let Data {
        qvel,
        qacc,
        xfrc_applied,
        xipos,
        subtree_com,
        cdof,
        cdof_dot,
        cinert,
        cvel,
        cacc,
        cfrc_ext,
        cfrc_int,
        ..
    } = d;
    let (cdof, cdof_dot) = (rows::<6>(cdof), rows::<6>(cdof_dot));
    let (cinert, cvel) = (rows::<10>(cinert), rows::<6>(cvel));
    let (xipos, com) = (rows::<3>(xipos), rows::<3>(subtree_com));
    let applied = rows::<6>(xfrc_applied);
    let (cacc, ext, int) = (rows_mut::<6>(cacc), rows_mut::<6>(cfrc_ext), rows_mut::<6>(cfrc_int));

    // external wrenches act at the body's centre of mass, force first
    ext[0] = [0.0; 6];
    for i in 1..m.nbody {
        let wrench =
            spatial::join(spatial::translation(&applied[i]), spatial::rotation(&applied[i]));
        ext[i] = spatial::shift_force(&wrench, xipos[i], com[at(&m.body_rootid, i)]);
    }

    cacc[0] = world_acceleration(&m.opt);
    int[0] = [0.0; 6];
    for i in 1..m.nbody {
        let mut a = cacc[at(&m.body_parentid, i)];
        let first = m.body_dofadr[i].max(0) as usize;
        for k in first..first + m.body_dofnum[i] as usize {
            spatial::add_scaled(&mut a, &cdof_dot[k], qvel[k]);
            spatial::add_scaled(&mut a, &cdof[k], qacc[k]);
        }
        cacc[i] = a;
        int[i] = newton_euler(&cinert[i], &a, &cvel[i]);
        spatial::add_scaled(&mut int[i], &ext[i], -1.0);
    }
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        int[parent] = spatial::add(&int[parent], &int[i]);
    }
    d.flg_rnepost = true;
}
