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

    // slices of one known length need no checks in the loops below
    let n = m.nbody;
    let (parent, dofadr, dofnum) =
        (&m.body_parentid[..n], &m.body_dofadr[..n], &m.body_dofnum[..n]);
    let (cinert, cvel, xipos, applied) = (&cinert[..n], &cvel[..n], &xipos[..n], &applied[..n]);
    let (cacc, ext, int) = (&mut cacc[..n], &mut ext[..n], &mut int[..n]);

    // external wrenches act at the body's centre of mass, force first
    ext[0] = [0.0; 6];
    for i in 1..n {
        if applied[i] == [0.0; 6] {
            ext[i] = [0.0; 6];
            continue;
        }
        let wrench =
            spatial::join(spatial::translation(&applied[i]), spatial::rotation(&applied[i]));
        ext[i] = spatial::shift_force(&wrench, xipos[i], com[at(&m.body_rootid, i)]);
    }

    cacc[0] = world_acceleration(&m.opt);
    int[0] = [0.0; 6];
    for i in 1..n {
        let mut a = cacc[parent[i] as usize];
        let first = dofadr[i].max(0) as usize;
        for k in first..first + dofnum[i] as usize {
            spatial::add_scaled(&mut a, &cdof_dot[k], qvel[k]);
            spatial::add_scaled(&mut a, &cdof[k], qacc[k]);
        }
        cacc[i] = a;
        int[i] = newton_euler(&cinert[i], &a, &cvel[i]);
        spatial::add_scaled(&mut int[i], &ext[i], -1.0);
    }
    for i in (1..n).rev() {
        let parent = parent[i] as usize;
        int[parent] = spatial::add(&int[parent], &int[i]);
    }
    d.flg_rnepost = true;
}
