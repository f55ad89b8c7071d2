//! Frames fixed to bodies: inertial frames, geoms, sites.

use crate::math::{mat3, quat, rows, rows_mut, vec3};
use crate::{Data, Model};
use sim_types::SameFrame;

/// The world poses that an attached frame is computed from.
#[derive(Clone, Copy)]
struct BodyPoses<'a> {
    xpos: &'a [[f64; 3]],
    xmat: &'a [[f64; 9]],
    xipos: &'a [[f64; 3]],
    ximat: &'a [[f64; 9]],
}

/// Places inertial frames, geoms and sites on their bodies.
#[inline(always)]
pub(super) fn place_attached(m: &Model, d: &mut Data) {
    let Data { xpos, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));

    // inertial frames
    let (xipos, ximat) = (rows_mut::<3>(xipos), rows_mut::<9>(ximat));
    let (ipos, imat) = (rows::<3>(&m.body_ipos), rows::<9>(&m.plan.body_imat));
    // slices of one known length need no checks in the loop below
    let n = m.nbody;
    let (xpos, xmat) = (&xpos[..n], &xmat[..n]);
    let (xipos, ximat) = (&mut xipos[..n], &mut ximat[..n]);
    let (ipos, imat, same) = (&ipos[..n], &imat[..n], &m.body_sameframe[..n]);
    xipos[0] = [0.0; 3];
    ximat[0] = mat3::IDENTITY;
    for i in 1..n {
        match same[i] {
            SameFrame::Body => {
                xipos[i] = xpos[i];
                ximat[i] = xmat[i];
            }
            same => {
                xipos[i] = vec3::add(xpos[i], mat3::mul_vec(&xmat[i], ipos[i]));
                ximat[i] = if same == SameFrame::BodyRot {
                    xmat[i]
                } else {
                    mat3::mul(&xmat[i], &imat[i])
                };
            }
        }
    }

    let poses = BodyPoses { xpos, xmat, xipos, ximat };
    place(
        poses,
        &m.geom_bodyid,
        &m.geom_sameframe,
        rows(&m.geom_pos),
        rows(&m.plan.geom_mat),
        rows_mut(geom_xpos),
        rows_mut(geom_xmat),
    );
    place(
        poses,
        &m.site_bodyid,
        &m.site_sameframe,
        rows(&m.site_pos),
        rows(&m.plan.site_mat),
        rows_mut(site_xpos),
        rows_mut(site_xmat),
    );
}

/// Places a family of frames, copying what coincides with a frame of the body.
#[inline(always)]
fn place(
    poses: BodyPoses<'_>,
    body: &[i32],
    same: &[SameFrame],
    local_pos: &[[f64; 3]],
    local_mat: &[[f64; 9]],
    out_pos: &mut [[f64; 3]],
    out_mat: &mut [[f64; 9]],
) {
    let frames = body.iter().zip(same).zip(local_pos).zip(local_mat);
    for ((((&body, &same), &pos), mat), (out_pos, out_mat)) in
        frames.zip(out_pos.iter_mut().zip(out_mat))
    {
        let b = body as usize;
        *out_pos = match same {
            SameFrame::Body => poses.xpos[b],
            SameFrame::Inertia => poses.xipos[b],
            _ => vec3::add(poses.xpos[b], mat3::mul_vec(&poses.xmat[b], pos)),
        };
        *out_mat = match same {
            SameFrame::Body | SameFrame::BodyRot => poses.xmat[b],
            SameFrame::Inertia | SameFrame::InertiaRot => poses.ximat[b],
            SameFrame::None => mat3::mul(&poses.xmat[b], mat),
        };
    }
}

/// World pose of a frame given in a body's frame.
#[doc(alias = "mj_local2Global")]
pub(crate) fn local_to_global(
    d: &Data,
    body: usize,
    pos: [f64; 3],
    rot: [f64; 4],
) -> ([f64; 3], [f64; 9]) {
    let world = vec3::add(rows::<3>(&d.xpos)[body], mat3::mul_vec(&rows::<9>(&d.xmat)[body], pos));
    (world, quat::to_mat(quat::mul(rows::<4>(&d.xquat)[body], rot)))
}
