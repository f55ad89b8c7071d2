//! Pose, velocity and acceleration of bodies, geoms, sites and cameras (`mj_objectVelocity`,
//! `mj_objectAcceleration`).

use crate::math::mat3::{self, Mat3};
use crate::math::quat::{self, Quat};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows, spatial};
use crate::{Data, Model};
use sim_types::ObjType;

/// A frame attached to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Index of the body it is attached to.
    pub body: usize,
    /// World position (m).
    pub pos: Vec3,
    /// World rotation matrix, row-major.
    pub mat: Mat3,
}

impl Frame {
    /// The frame of element `id` of type `kind`; `None` for types without a frame. `ObjType::Body` is the
    /// inertial frame of a body, `ObjType::XBody` its body frame.
    ///
    /// # Panics
    ///
    /// If `id` is out of range.
    #[must_use]
    pub fn of(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Self> {
        let (body, pos, mat) = match kind {
            ObjType::Body => (id, &d.xipos, &d.ximat),
            ObjType::XBody => (id, &d.xpos, &d.xmat),
            ObjType::Geom => (at(&m.geom_bodyid, id), &d.geom_xpos, &d.geom_xmat),
            ObjType::Site => (at(&m.site_bodyid, id), &d.site_xpos, &d.site_xmat),
            ObjType::Camera => (at(&m.cam_bodyid, id), &d.cam_xpos, &d.cam_xmat),
            _ => return None,
        };
        Some(Self { body, pos: rows::<3>(pos)[id], mat: rows::<9>(mat)[id] })
    }

    /// World orientation of element `id` as a quaternion, composed of the body's and the local one.
    pub(crate) fn quat(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Quat> {
        let (body, local) = match kind {
            ObjType::XBody => return Some(rows::<4>(&d.xquat)[id]),
            ObjType::Body => (id, &m.body_iquat),
            ObjType::Geom => (at(&m.geom_bodyid, id), &m.geom_quat),
            ObjType::Site => (at(&m.site_bodyid, id), &m.site_quat),
            ObjType::Camera => (at(&m.cam_bodyid, id), &m.cam_quat),
            _ => return None,
        };
        Some(quat::mul(rows::<4>(&d.xquat)[body], rows::<4>(local)[id]))
    }

    /// The row of a com-based motion field (`cvel`, `cacc`) of this frame's body, shifted to the frame's
    /// origin.
    fn motion(&self, m: &Model, d: &Data, field: &[f64]) -> [f64; 6] {
        let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, self.body)];
        spatial::shift_motion(&rows::<6>(field)[self.body], com, self.pos)
    }

    /// Rotates a spatial vector from world axes to the axes of this frame.
    pub(crate) fn to_local(self, v: &[f64; 6]) -> [f64; 6] {
        spatial::join(
            mat3::mul_transpose_vec(&self.mat, spatial::rotation(v)),
            mat3::mul_transpose_vec(&self.mat, spatial::translation(v)),
        )
    }

    /// Velocity `[angular, linear]` of the frame in world axes; zero on bodies fixed to the world. Reads
    /// `cvel`, `subtree_com`.
    #[must_use]
    pub fn velocity(&self, m: &Model, d: &Data) -> [f64; 6] {
        if m.body_weldid[self.body] == 0 { [0.0; 6] } else { self.motion(m, d, &d.cvel) }
    }

    /// Acceleration `[angular, linear]` of the frame in world axes, minus gravity; zero on bodies fixed to the
    /// world. Reads `cacc`, `cvel`, `subtree_com`.
    #[must_use]
    pub fn acceleration(&self, m: &Model, d: &Data) -> [f64; 6] {
        if m.body_weldid[self.body] == 0 {
            return [0.0; 6];
        }
        let acc = self.motion(m, d, &d.cacc);
        let vel = self.motion(m, d, &d.cvel);
        // spatial to classical acceleration: add ω × v
        let correction = vec3::cross(spatial::rotation(&vel), spatial::translation(&vel));
        spatial::join(spatial::rotation(&acc), vec3::add(spatial::translation(&acc), correction))
    }
}

/// Velocity `[angular, linear]` of an object, in its own axes if `local`, else in world axes. `None` for
/// object types without a frame.
#[doc(alias = "mj_objectVelocity")]
#[must_use]
pub fn mj_object_velocity(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<[f64; 6]> {
    let frame = Frame::of(m, d, kind, id)?;
    let vel = frame.velocity(m, d);
    Some(if local { frame.to_local(&vel) } else { vel })
}

/// Acceleration `[angular, linear]` of an object minus gravity, in its own axes if `local`, else in world
/// axes. `None` for object types without a frame. Requires [`mj_rne_post_constraint`](crate::mj_rne_post_constraint).
#[doc(alias = "mj_objectAcceleration")]
#[must_use]
pub fn mj_object_acceleration(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<[f64; 6]> {
    let frame = Frame::of(m, d, kind, id)?;
    let acc = frame.acceleration(m, d);
    Some(if local { frame.to_local(&acc) } else { acc })
}
