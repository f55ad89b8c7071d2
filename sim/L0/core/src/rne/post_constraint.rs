//! Body accelerations, external wrenches and interaction wrenches after the constraint solver
//! (`mj_rnePostConstraint`).
//!
//! The recursion of [`mj_rne`](super::mj_rne) with `f_i = I_i a_i + v_i ×* I_i v_i − f_ext,i`.

use super::{newton_euler, world_acceleration};
use crate::constraint::for_each_connect_weld;
use crate::math::spatial::{self, Vec6};
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, rows, rows_mut};
use crate::support::contact_force;
use crate::{Data, Model};
use sim_simd::dispatch;

/// Computes body accelerations, external wrenches and the wrenches exchanged with the parent.
///
/// Reads `cdof`, `cdof_dot`, `cinert`, `cvel`, `qvel`, `qacc`, `xfrc_applied`, `xipos`, `subtree_com`,
/// `contact`, `efc_force` and the equality rows. Writes `cacc`, `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn mj_rne_post_constraint(m: &Model, d: &mut Data) {
    mj_external_wrenches(m, d);
    rne_from_external_wrenches(m, d);
}

/// The second part of [`mj_rne_post_constraint`]: `cacc` and `cfrc_int` from `cfrc_ext`.
pub(crate) fn rne_from_external_wrenches(m: &Model, d: &mut Data) {
    dispatch!(rne_post_constraint(m: &Model, d: &mut Data));
}

/// The first part of [`mj_rne_post_constraint`]: computes only `cfrc_ext`, from applied wrenches, contacts,
/// and connect and weld constraints.
///
/// Reads `xfrc_applied`, `xipos`, `subtree_com`, `contact`, `efc_force` and the equality rows.
pub fn mj_external_wrenches(m: &Model, d: &mut Data) {
    let mut ext = std::mem::take(&mut d.cfrc_ext);
    let wrenches = rows_mut::<6>(&mut ext);
    let (xipos, com) = (rows::<3>(&d.xipos), rows::<3>(&d.subtree_com));
    wrenches.fill([0.0; 6]);
    // adds a wrench acting at a point of a body, shifted to the tree's centre of mass; the world is skipped
    let mut add = |body: usize, wrench: &Vec6, point: Vec3, sign: f64| {
        if body > 0 {
            let wrench = spatial::shift_force(wrench, point, com[at(&m.body_rootid, body)]);
            spatial::add_scaled(&mut wrenches[body], &wrench, sign);
        }
    };
    for (body, applied) in rows::<6>(&d.xfrc_applied).iter().enumerate().skip(1) {
        if *applied != [0.0; 6] {
            // xfrc_applied is [force, torque]
            let wrench = spatial::join(spatial::translation(applied), spatial::rotation(applied));
            add(body, &wrench, xipos[body], 1.0);
        }
    }
    for (id, contact) in d.contact.iter().enumerate() {
        // as in MuJoCo, contacts of flexes are not included
        if contact.flex != [-1; 2] {
            continue;
        }
        let Ok(g1) = usize::try_from(contact.geom[0]) else { continue };
        let Some(force) = contact_force(m, d, id) else { continue };
        let to_world = |v: Vec3| mat3::mul_transpose_vec(&contact.frame, v);
        let wrench = spatial::join(
            to_world([force[3], force[4], force[5]]),
            to_world([force[0], force[1], force[2]]),
        );
        add(at(&m.geom_bodyid, g1), &wrench, contact.pos, -1.0);
        // geom[1] is -1 for a contact with a deformable body
        if let Ok(g2) = usize::try_from(contact.geom[1]) {
            add(at(&m.geom_bodyid, g2), &wrench, contact.pos, 1.0);
        }
    }
    for_each_connect_weld(m, d, |bodies, points, wrench| {
        add(bodies[0], wrench, points[0], 1.0);
        add(bodies[1], wrench, points[1], -1.0);
    });
    d.cfrc_ext = ext;
}

#[inline(always)]
fn rne_post_constraint(m: &Model, d: &mut Data) {
    let Data { qvel, qacc, cdof, cdof_dot, cinert, cvel, cacc, cfrc_ext, cfrc_int, .. } = d;
    let (cdof, cdof_dot) = (rows::<6>(cdof), rows::<6>(cdof_dot));
    let (cinert, cvel) = (rows::<10>(cinert), rows::<6>(cvel));
    let (cacc, ext, int) = (rows_mut::<6>(cacc), rows::<6>(cfrc_ext), rows_mut::<6>(cfrc_int));

    // equal slice lengths let the compiler remove bounds checks from the loops
    let n = m.nbody;
    let (parent, dofadr, dofnum) =
        (&m.body_parentid[..n], &m.body_dofadr[..n], &m.body_dofnum[..n]);
    let (cinert, cvel) = (&cinert[..n], &cvel[..n]);
    let (cacc, ext, int) = (&mut cacc[..n], &ext[..n], &mut int[..n]);

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
