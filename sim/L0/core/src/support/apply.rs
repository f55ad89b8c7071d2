//! Projection of forces applied to bodies to joint space, `Jᵀ f` (`mj_applyFT`, `mj_xfrcAccumulate`).

use crate::math::{at, rows, rows_mut, spatial, vec3};
use crate::{Data, Model};

/// Adds to `qfrc` the generalized force of a force and a torque on `body`, both in the world frame, with the
/// force acting at the world position `point`.
///
/// Reads `subtree_com`, `cdof`.
#[doc(alias = "mj_applyFT")]
pub fn mj_apply_ft(
    m: &Model,
    d: &Data,
    force: [f64; 3],
    torque: [f64; 3],
    point: [f64; 3],
    body: usize,
    qfrc: &mut [f64],
) {
    let origin = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let wrench = spatial::shift_force(&spatial::join(torque, force), point, origin);
    let cdof = rows::<6>(&d.cdof);
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        for k in first..first + m.body_dofnum[b] as usize {
            qfrc[k] += spatial::dot(&cdof[k], &wrench);
        }
        b = at(&m.body_parentid, b);
    }
}

/// Adds the generalized force of `xfrc_applied` to `qfrc_smooth`. Reads `xfrc_applied`, `xipos`,
/// `subtree_com`, `cdof`.
#[doc(alias = "mj_xfrcAccumulate")]
pub(crate) fn accumulate_applied(m: &Model, d: &mut Data) {
    // OR of all bits but the sign; no early exit, so that the loop vectorizes
    let any = d.xfrc_applied.iter().fold(0, |bits, f| bits | f.to_bits() << 1);
    if any == 0 {
        return;
    }
    let Data { xfrc_applied, xipos, subtree_com, cdof, qfrc_smooth, scratch, .. } = d;
    let (xipos, com) = (rows::<3>(xipos), rows::<3>(subtree_com));
    let wrench = rows_mut::<6>(&mut scratch.body_a);

    // wrench on each body about the tree's centre of mass
    for (i, applied) in rows::<6>(xfrc_applied).iter().enumerate() {
        let force = spatial::rotation(applied);
        let arm = vec3::sub(xipos[i], com[at(&m.body_rootid, i)]);
        let torque = vec3::add(spatial::translation(applied), vec3::cross(arm, force));
        wrench[i] = spatial::join(torque, force);
    }
    project_wrenches(m, cdof, &mut scratch.body_a, qfrc_smooth);
}

/// Adds to `qfrc` the generalized force of one wrench per body, given about the tree's centre of mass. On
/// return `wrench` holds the sums over subtrees.
pub(crate) fn project_wrenches(m: &Model, cdof: &[f64], wrench: &mut [f64], qfrc: &mut [f64]) {
    let wrench = rows_mut::<6>(wrench);
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        if parent > 0 {
            wrench[parent] = spatial::add(&wrench[parent], &wrench[i]);
        }
    }
    for (k, (force, cdof)) in qfrc.iter_mut().zip(rows::<6>(cdof)).enumerate() {
        *force += spatial::dot(cdof, &wrench[at(&m.dof_bodyid, k)]);
    }
}
