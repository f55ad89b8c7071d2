//! A kinematic chain: the joints between two frames of a model, with the constant transforms between
//! them merged.

mod build;
mod forward;

pub(crate) use forward::forward_inline;

use crate::error::{check_length, find};
use crate::{Error, Frame};
use sim_core::Model;
use sim_core::types::{JointType, ObjType};

/// An end of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The frame of a body; body 0 is the world.
    Body(usize),
    /// The frame of a site.
    Site(usize),
}

impl End {
    /// The world.
    pub const WORLD: Self = Self::Body(0);

    /// The body with this name.
    ///
    /// # Errors
    /// When there is none; the error suggests a similar name.
    pub fn body(m: &Model, name: &str) -> Result<Self, Error> {
        find(m, ObjType::Body, "body", m.nbody, name).map(Self::Body)
    }

    /// The site with this name.
    ///
    /// # Errors
    /// When there is none; the error suggests a similar name.
    pub fn site(m: &Model, name: &str) -> Result<Self, Error> {
        find(m, ObjType::Site, "site", m.nsite, name).map(Self::Site)
    }
}

/// The motion of a link relative to the previous frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// Rotation about, or translation along, the z axis.
    Axis,
    /// Rotation by a quaternion, or its inverse where the chain goes towards the root.
    Ball { inverse: bool },
    /// Free motion, or its inverse.
    Free { inverse: bool },
    /// No motion.
    Fixed,
}

/// A joint and the constant transform after it: `next = frame · motion(q) · after`.
#[derive(Debug, Clone, Copy)]
struct Link {
    motion: Motion,
    /// 1 for a hinge, else 0.
    rotation: f64,
    /// 1 for a slide, else 0.
    translation: f64,
    /// Reference position, subtracted from the joint coordinate.
    reference: f64,
    /// Address of the joint's coordinates in `qpos`.
    adr: usize,
    after: Frame,
}

/// A column of the Jacobian: motion about or along an axis of a frame of the chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// Index of the link.
    pub link: usize,
    /// Index of the frame in the cache.
    pub frame: usize,
    /// Axis of the frame: 0, 1 or 2.
    pub axis: usize,
    /// 1, or -1 where the chain goes towards the root.
    pub sign: f64,
    /// Rotation about the axis; otherwise translation along it.
    pub is_rotation: bool,
}

/// A joint of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainJoint {
    /// Id of the joint in the model.
    pub id: usize,
    /// Joint type.
    pub kind: JointType,
    /// Address of its coordinates in `qpos`.
    pub qposadr: usize,
    /// Address of its first dof in the model.
    pub dofadr: usize,
    /// Column of its first dof in the Jacobian of the chain.
    pub column: usize,
    /// Limits of a hinge or slide; for a ball joint, 0 and the largest angle. Infinite if unlimited.
    pub range: [f64; 2],
}

/// A body of the chain: its pose in a frame of the cache.
#[derive(Debug, Clone, Copy)]
struct Waypoint {
    body: usize,
    frame: usize,
    local: Frame,
}

/// The joints between two frames of a model, the base and the tip.
///
/// Poses, Jacobians and targets are those of the tip relative to the base. Functions take the whole
/// `qpos` of the model and read the coordinates of the chain's joints; columns of Jacobians are in
/// the order of [`dofs`](Self::dofs), from base to tip. If base and tip are on different branches, the
/// chain goes up to their common ancestor and down again. Mocap bodies are at their pose in the model.
#[derive(Debug, Clone)]
pub struct Chain {
    nq: usize,
    start: Frame,
    links: Vec<Link>,
    columns: Vec<Column>,
    joints: Vec<ChainJoint>,
    dofs: Vec<usize>,
    waypoints: Vec<Waypoint>,
    /// Whether every link is a hinge or a slide, so that column `i` is the z axis of frame `i`.
    all_scalar: bool,
}

/// The frames of a chain's joints and of its tip at one configuration, computed by
/// [`Chain::forward`]. Created by [`Chain::make_cache`].
#[derive(Debug, Clone)]
pub struct JointFrameCache {
    frames: Vec<Frame>,
}

impl JointFrameCache {
    /// The frame of each joint before its motion, with the origin on the joint axis; the last frame is
    /// that of the tip.
    #[inline(always)]
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The pose of the tip in the base.
    #[inline(always)]
    #[must_use]
    pub fn tip(&self) -> &Frame {
        self.frames.last().unwrap_or(&Frame::IDENTITY)
    }

    /// Size of the cache in bytes, including the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.frames.capacity() * size_of::<Frame>()
    }
}

impl Chain {
    /// Creates the chain from `base` to `tip`.
    ///
    /// # Errors
    /// When the model has no such body or site.
    pub fn new(m: &Model, base: End, tip: End) -> Result<Self, Error> {
        build::build(m, base, tip)
    }

    /// Creates the chain from the world to the body with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn to_body(m: &Model, name: &str) -> Result<Self, Error> {
        Self::new(m, End::WORLD, End::body(m, name)?)
    }

    /// Creates the chain from the world to the site with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn to_site(m: &Model, name: &str) -> Result<Self, Error> {
        Self::new(m, End::WORLD, End::site(m, name)?)
    }

    /// Length of the model's `qpos`.
    #[must_use]
    pub const fn nq(&self) -> usize {
        self.nq
    }

    /// Number of columns of the Jacobian.
    #[inline(always)]
    #[must_use]
    pub const fn nv(&self) -> usize {
        self.columns.len()
    }

    /// The joints from base to tip.
    #[must_use]
    pub fn joints(&self) -> &[ChainJoint] {
        &self.joints
    }

    /// The dof of the model for each column of the Jacobian.
    #[must_use]
    pub fn dofs(&self) -> &[usize] {
        &self.dofs
    }

    /// The bodies from base to tip.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = usize> {
        self.waypoints.iter().map(|waypoint| waypoint.body)
    }

    /// The pose of the `k`-th of the [`bodies`](Self::bodies) relative to the base; `None` if there are
    /// fewer bodies, or the cache belongs to another chain.
    #[must_use]
    pub fn body_pose(&self, cache: &JointFrameCache, k: usize) -> Option<Frame> {
        let waypoint = self.waypoints.get(k)?;
        Some(cache.frames.get(waypoint.frame)?.then(&waypoint.local))
    }

    /// Allocates a cache for the frames of this chain.
    #[must_use]
    pub fn make_cache(&self) -> JointFrameCache {
        JointFrameCache { frames: vec![Frame::IDENTITY; self.links.len() + 1] }
    }

    /// Forward kinematics: computes the frames of all joints and of the tip; returns that of the tip.
    ///
    /// # Errors
    /// When `qpos` has the wrong length, or the cache belongs to another chain.
    #[inline]
    pub fn forward(&self, qpos: &[f64], cache: &mut JointFrameCache) -> Result<Frame, Error> {
        self.check(qpos, cache)?;
        self.compute_frames(qpos, &mut cache.frames);
        Ok(*cache.tip())
    }

    pub(crate) fn check(&self, qpos: &[f64], cache: &JointFrameCache) -> Result<(), Error> {
        check_length("qpos", qpos.len(), self.nq)?;
        check_length("the frame cache", cache.frames.len(), self.links.len() + 1)
    }

    #[inline(always)]
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    #[inline(always)]
    pub(crate) const fn all_scalar(&self) -> bool {
        self.all_scalar
    }

    /// `(1, 0)` for a hinge and `(0, 1)` for a slide, for each link of a chain of such joints.
    #[inline(always)]
    pub(crate) fn rotation_translation(&self) -> impl Iterator<Item = (f64, f64)> {
        self.links.iter().map(|link| (link.rotation, link.translation))
    }

    pub(crate) const fn frame_count(&self) -> usize {
        self.links.len() + 1
    }

    /// A fixed point, and an upper bound of the distance of the tip from it.
    pub(crate) fn reach(&self) -> ([f64; 3], f64) {
        let travel = |joint: &ChainJoint| match joint.kind {
            JointType::Slide => {
                let reference = self.links.iter().find(|link| link.adr == joint.qposadr);
                let reference = reference.map_or(0.0, |link| link.reference);
                (joint.range[0] - reference).abs().max((joint.range[1] - reference).abs())
            }
            JointType::Free => f64::INFINITY,
            JointType::Hinge | JointType::Ball => 0.0,
        };
        let length: f64 =
            self.links.iter().map(|link| sim_core::math::vec3::norm(link.after.pos())).sum();
        (self.start.pos(), length + self.joints.iter().map(travel).sum::<f64>())
    }
}
