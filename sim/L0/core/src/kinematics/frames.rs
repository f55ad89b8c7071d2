//! World poses of the frames fixed to bodies: inertial frames, geoms and sites (the last part of
//! `mj_kinematics`).

use crate::math::pose::Pose;
use crate::math::{at, quat, rows, rows_mut};
use crate::sleep::{ASLEEP, AWAKE};
use crate::{Data, Model};
use sim_simd::transform_frames;
use sim_types::SameFrame;
use std::ops::Range;

pub(crate) use sim_simd::LocalFrame as Local;

/// A pose as the 3 × 4 matrix `[R | p]`.
pub(crate) fn local(pose: Pose) -> Local {
    let mat = quat::to_mat(pose.quat);
    std::array::from_fn(|row| [mat[3 * row], mat[3 * row + 1], mat[3 * row + 2], pose.pos[row]])
}

impl Model {
    /// Pose of a body's inertial frame in the body frame.
    ///
    /// Where `body_sameframe` marks the frame as coinciding with another one, the result is exactly that
    /// frame; `body_ipos` and `body_iquat` may differ from it by about 1e-6. The same holds for
    /// [`Self::geom_frame`] and [`Self::site_frame`].
    ///
    /// # Panics
    ///
    /// If `body` is out of range.
    #[must_use]
    pub fn inertial_frame(&self, body: usize) -> Pose {
        let own =
            Pose { pos: rows(&self.body_ipos)[body], quat: rows::<4>(&self.body_iquat)[body] };
        coinciding(self.body_sameframe[body], own, own)
    }

    /// Pose of a geom in its body's frame.
    ///
    /// # Panics
    ///
    /// If `geom` is out of range.
    #[must_use]
    pub fn geom_frame(&self, geom: usize) -> Pose {
        let own = Pose { pos: rows(&self.geom_pos)[geom], quat: rows::<4>(&self.geom_quat)[geom] };
        let inertial = self.inertial_frame(at(&self.geom_bodyid, geom));
        coinciding(self.geom_sameframe[geom], own, inertial)
    }

    /// Pose of a site in its body's frame.
    ///
    /// # Panics
    ///
    /// If `site` is out of range.
    #[must_use]
    pub fn site_frame(&self, site: usize) -> Pose {
        let own = Pose { pos: rows(&self.site_pos)[site], quat: rows::<4>(&self.site_quat)[site] };
        let inertial = self.inertial_frame(at(&self.site_bodyid, site));
        coinciding(self.site_sameframe[site], own, inertial)
    }
}

/// The pose with the parts that `same` marks replaced by those of the body or inertial frame.
fn coinciding(same: SameFrame, own: Pose, inertial: Pose) -> Pose {
    match same {
        SameFrame::None => own,
        SameFrame::Body => Pose::IDENTITY,
        SameFrame::BodyRot => Pose { quat: quat::IDENTITY, ..own },
        SameFrame::Inertia => inertial,
        SameFrame::InertiaRot => Pose { quat: inertial.quat, ..own },
    }
}

/// World poses of inertial frames, geoms and sites: `x = x_body + R_body p`, `R = R_body R_local`.
pub(crate) fn attached_frames(m: &Model, d: &mut Data) {
    let Data { xpos, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));
    let plan = &m.plan;
    let family = |bodies: &[i32], locals: &[Local], pos: &mut [f64], mat: &mut [f64]| {
        transform_frames(bodies, locals, xpos, xmat, rows_mut(pos), rows_mut(mat));
    };
    family(&plan.body_ids, &plan.body_local, xipos, ximat);
    family(&m.geom_bodyid, &plan.geom_local, geom_xpos, geom_xmat);
    family(&m.site_bodyid, &plan.site_local, site_xpos, site_xmat);
}

/// As [`attached_frames`], for the inertial frames of bodies that are not asleep and the geoms and sites of
/// bodies that are awake.
pub(super) fn attached_frames_awake(m: &Model, d: &mut Data) {
    let Data { xpos, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));
    let plan = &m.plan;
    let family = |range: Range<usize>,
                  (bodies, locals): (&[i32], &[Local]),
                  pos: &mut [f64],
                  mat: &mut [f64]| {
        let pos = &mut rows_mut(pos)[range.clone()];
        let mat = &mut rows_mut(mat)[range.clone()];
        transform_frames(&bodies[range.clone()], &locals[range], xpos, xmat, pos, mat);
    };
    for run in runs(m.nbody, |i| d.body_awake[i] != ASLEEP) {
        family(run, (&plan.body_ids, &plan.body_local), xipos, ximat);
    }
    let moves = |body: i32| d.body_awake[body as usize] == AWAKE;
    for run in runs(m.ngeom, |g| moves(m.geom_bodyid[g])) {
        family(run, (&m.geom_bodyid, &plan.geom_local), geom_xpos, geom_xmat);
    }
    for run in runs(m.nsite, |s| moves(m.site_bodyid[s])) {
        family(run, (&m.site_bodyid, &plan.site_local), site_xpos, site_xmat);
    }
}

/// Maximal ranges of consecutive indices below `count` that satisfy `predicate`.
fn runs(count: usize, predicate: impl Fn(usize) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..count).find(|&i| predicate(i))?;
        next = (start..count).find(|&i| !predicate(i)).unwrap_or(count);
        Some(start..next)
    })
}
