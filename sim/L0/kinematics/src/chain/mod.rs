//! A kinematic chain: the joints on the way from one frame of a model to another, with everything
//! that does not depend on the state folded into one constant for each.

mod build;
mod forward;

pub(crate) use forward::place_inline;

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
    /// When there is none; a name that is spelled almost so is suggested.
    pub fn body(m: &Model, name: &str) -> Result<Self, Error> {
        find(m, ObjType::Body, "body", m.nbody, name).map(Self::Body)
    }

    /// The site with this name.
    ///
    /// # Errors
    /// When there is none; a name that is spelled almost so is suggested.
    pub fn site(m: &Model, name: &str) -> Result<Self, Error> {
        find(m, ObjType::Site, "site", m.nsite, name).map(Self::Site)
    }
}

/// What a link does to the frame before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// Turns about its z axis or moves along it.
    Axis,
    /// Turns by a quaternion, or by its inverse where the chain goes towards the root.
    Ball { inverse: bool },
    /// Moves and turns freely, or the inverse.
    Free { inverse: bool },
    /// Stays as it is.
    Fixed,
}

/// A joint and the rigid piece behind it: `next = frame · motion(q) · after`.
#[derive(Debug, Clone, Copy)]
struct Link {
    motion: Motion,
    /// 1 for a hinge, else 0.
    turn: f64,
    /// 1 for a slide, else 0.
    slide: f64,
    /// What is taken from the joint's coordinate.
    reference: f64,
    /// Where the joint's coordinates are in `qpos`.
    adr: usize,
    after: Frame,
}

/// What a column of the Jacobian is made of: an axis of a frame of the chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// The link whose motion it is.
    pub link: usize,
    /// The frame, in the order of the cache.
    pub frame: usize,
    /// Which of its axes.
    pub axis: usize,
    /// 1, or -1 where the chain goes towards the root.
    pub sign: f64,
    /// Whether it turns about the axis (else it moves along it).
    pub turns: bool,
}

/// A joint of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainJoint {
    /// Its number in the model.
    pub id: usize,
    /// What kind it is.
    pub kind: JointType,
    /// Where its coordinates are in `qpos`.
    pub qposadr: usize,
    /// The first of its dofs in the model.
    pub dofadr: usize,
    /// The column of its first dof in the chain's Jacobian.
    pub column: usize,
    /// Lowest and highest coordinate of a hinge or slide; for a ball, 0 and the largest angle.
    /// Infinite where there is no limit.
    pub range: [f64; 2],
}

/// A body on the way, and where it is in the frame of the joint behind it.
#[derive(Debug, Clone, Copy)]
struct Waypoint {
    body: usize,
    frame: usize,
    local: Frame,
}

/// The joints on the way from one frame of a model to another.
///
/// Poses, Jacobians and targets are those of the tip as seen from the base. Coordinates are the
/// model's `qpos`, of which only those of the chain's joints are read; columns of Jacobians are in
/// the order of [`dofs`](Self::dofs), from base to tip. Where base and tip are on different branches
/// the way goes up to the body that carries both and down again. A mocap body stays where the model
/// puts it.
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
    simple: bool,
}

/// The frames of a chain's joints and of its tip at one state: what [`Chain::forward`] writes and
/// everything else reads. Made once by [`Chain::make_cache`].
#[derive(Debug, Clone)]
pub struct JointFrameCache {
    frames: Vec<Frame>,
}

impl JointFrameCache {
    /// The frames: each joint's before it moves, its origin on the joint's axis, and the tip's last.
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

    /// Bytes that the cache takes, with what it has on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.frames.capacity() * size_of::<Frame>()
    }
}

impl Chain {
    /// The chain from `base` to `tip`.
    ///
    /// # Errors
    /// When the model has no such body or site.
    pub fn new(m: &Model, base: End, tip: End) -> Result<Self, Error> {
        build::build(m, base, tip)
    }

    /// The chain from the world to the body with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn to_body(m: &Model, name: &str) -> Result<Self, Error> {
        Self::new(m, End::WORLD, End::body(m, name)?)
    }

    /// The chain from the world to the site with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn to_site(m: &Model, name: &str) -> Result<Self, Error> {
        Self::new(m, End::WORLD, End::site(m, name)?)
    }

    /// Coordinates of the model.
    #[must_use]
    pub const fn nq(&self) -> usize {
        self.nq
    }

    /// Columns of the Jacobian.
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

    /// The model's dof behind each column of the Jacobian.
    #[must_use]
    pub fn dofs(&self) -> &[usize] {
        &self.dofs
    }

    /// The bodies from base to tip.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = usize> {
        self.waypoints.iter().map(|waypoint| waypoint.body)
    }

    /// The pose of the `k`-th of the [`bodies`](Self::bodies) in the base; `None` when there are
    /// fewer, or the cache is another chain's.
    #[must_use]
    pub fn body_pose(&self, cache: &JointFrameCache, k: usize) -> Option<Frame> {
        let waypoint = self.waypoints.get(k)?;
        Some(cache.frames.get(waypoint.frame)?.then(&waypoint.local))
    }

    /// Memory for the frames of this chain.
    #[must_use]
    pub fn make_cache(&self) -> JointFrameCache {
        JointFrameCache { frames: vec![Frame::IDENTITY; self.links.len() + 1] }
    }

    /// Computes the frames of all joints and of the tip; returns the tip's.
    ///
    /// # Errors
    /// When `qpos` is not the model's, or the cache is another chain's.
    #[inline]
    pub fn forward(&self, qpos: &[f64], cache: &mut JointFrameCache) -> Result<Frame, Error> {
        self.check(qpos, cache)?;
        self.place(qpos, &mut cache.frames);
        Ok(*cache.tip())
    }

    pub(crate) fn check(&self, qpos: &[f64], cache: &JointFrameCache) -> Result<(), Error> {
        check_length("qpos", qpos.len(), self.nq)?;
        check_length("the cache of frames", cache.frames.len(), self.links.len() + 1)
    }

    #[inline(always)]
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    #[inline(always)]
    pub(crate) const fn is_simple(&self) -> bool {
        self.simple
    }

    /// 1 and 0 for a hinge, 0 and 1 for a slide, of each link of a simple chain.
    #[inline(always)]
    pub(crate) fn turn_slide(&self) -> impl Iterator<Item = (f64, f64)> {
        self.links.iter().map(|link| (link.turn, link.slide))
    }

    pub(crate) const fn frame_count(&self) -> usize {
        self.links.len() + 1
    }

    /// A point that does not move, and how far from it the tip can be at most.
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
        let rigid: f64 =
            self.links.iter().map(|link| sim_core::math::vec3::norm(link.after.pos())).sum();
        (self.start.pos(), rigid + self.joints.iter().map(travel).sum::<f64>())
    }
}
