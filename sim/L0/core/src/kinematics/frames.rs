//! Frames fixed to bodies: inertial frames, geoms, sites.

use crate::math::pose::Pose;
use crate::math::{at, mat3, quat, rows, rows_mut, vec3};
use crate::sleep::{ASLEEP, AWAKE};
use crate::{Data, Model};
use sim_simd::place_frames;
use sim_types::SameFrame;
use std::ops::Range;

pub(crate) use sim_simd::Local;

/// Precomputes a frame given by position and orientation.
pub(crate) fn local(pose: Pose) -> Local {
    let mat = quat::to_mat(pose.quat);
    std::array::from_fn(|row| [mat[3 * row], mat[3 * row + 1], mat[3 * row + 2], pose.pos[row]])
}

impl Model {
    /// The inertial frame of a body in the body. What the model marks as coinciding with another frame is
    /// that frame itself, here and in [`Self::geom_frame`] and [`Self::site_frame`]; arrays may differ from
    /// it by a millionth.
    ///
    /// # Panics
    ///
    /// When there is no such body.
    #[must_use]
    pub fn inertial_frame(&self, body: usize) -> Pose {
        let own =
            Pose { pos: rows(&self.body_ipos)[body], quat: rows::<4>(&self.body_iquat)[body] };
        coinciding(self.body_sameframe[body], own, own)
    }

    /// The frame of a geom in its body.
    ///
    /// # Panics
    ///
    /// When there is no such geom.
    #[must_use]
    pub fn geom_frame(&self, geom: usize) -> Pose {
        let own = Pose { pos: rows(&self.geom_pos)[geom], quat: rows::<4>(&self.geom_quat)[geom] };
        let inertial = self.inertial_frame(at(&self.geom_bodyid, geom));
        coinciding(self.geom_sameframe[geom], own, inertial)
    }

    /// The frame of a site in its body.
    ///
    /// # Panics
    ///
    /// When there is no such site.
    #[must_use]
    pub fn site_frame(&self, site: usize) -> Pose {
        let own = Pose { pos: rows(&self.site_pos)[site], quat: rows::<4>(&self.site_quat)[site] };
        let inertial = self.inertial_frame(at(&self.site_bodyid, site));
        coinciding(self.site_sameframe[site], own, inertial)
    }
}

/// A frame, of which some parts are those of its body or of its body's inertial frame.
fn coinciding(same: SameFrame, own: Pose, inertial: Pose) -> Pose {
    match same {
        SameFrame::None => own,
        SameFrame::Body => Pose::IDENTITY,
        SameFrame::BodyRot => Pose { quat: quat::IDENTITY, ..own },
        SameFrame::Inertia => inertial,
        SameFrame::InertiaRot => Pose { quat: inertial.quat, ..own },
    }
}

/// Places inertial frames, geoms and sites on their bodies.
pub(super) fn place_attached(m: &Model, d: &mut Data) {
    let Data { xpos, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));
    let plan = &m.plan;
    let family = |bodies: &[i32], locals: &[Local], pos: &mut [f64], mat: &mut [f64]| {
        place_frames(bodies, locals, xpos, xmat, rows_mut(pos), rows_mut(mat));
    };
    family(&plan.body_ids, &plan.body_local, xipos, ximat);
    family(&m.geom_bodyid, &plan.geom_local, geom_xpos, geom_xmat);
    family(&m.site_bodyid, &plan.site_local, site_xpos, site_xmat);
}

/// As [`place_attached`], for what is awake: inertial frames of bodies that do not sleep, and geoms and
/// sites of those that may move.
pub(super) fn place_attached_awake(m: &Model, d: &mut Data) {
    let Data { xpos, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));
    let plan = &m.plan;
    let family = |range: Range<usize>,
                  (bodies, locals): (&[i32], &[Local]),
                  pos: &mut [f64],
                  mat: &mut [f64]| {
        let pos = &mut rows_mut(pos)[range.clone()];
        let mat = &mut rows_mut(mat)[range.clone()];
        place_frames(&bodies[range.clone()], &locals[range], xpos, xmat, pos, mat);
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

/// Ranges of neighbours below `count` that are `wanted`.
fn runs(count: usize, wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..count).find(|&i| wanted(i))?;
        next = (start..count).find(|&i| !wanted(i)).unwrap_or(count);
        Some(start..next)
    })
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
