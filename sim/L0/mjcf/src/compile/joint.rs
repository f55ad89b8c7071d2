//! Compilation of joints (mjCJoint): limits, axis and reference values in radians.

use super::Context;
use super::body::Frames;
use super::math::{EPS, Pose, Vec3, normalize, rotate};
use super::orientation::radians;
use crate::spec::Joint;
use sim_core::types::JointType;

/// A compiled joint.
#[derive(Debug)]
pub(super) struct CompiledJoint<'a> {
    pub(super) spec: &'a Joint,
    pub(super) body: usize,
    pub(super) limited: bool,
    pub(super) actfrclimited: bool,
    pub(super) pos: Vec3,
    pub(super) axis: Vec3,
    pub(super) range: [f64; 2],
    pub(super) reference: f64,
    pub(super) springref: f64,
}

impl CompiledJoint<'_> {
    /// Number of position coordinates.
    pub(super) const fn nq(&self) -> usize {
        self.spec.jtype.nq()
    }

    /// Number of degrees of freedom.
    pub(super) const fn nv(&self) -> usize {
        self.spec.jtype.nv()
    }

    /// Whether the joint is rotational.
    pub(super) const fn is_rotational(&self) -> bool {
        matches!(self.spec.jtype, JointType::Ball | JointType::Hinge)
    }
}

pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    body: usize,
    j: &'a Joint,
) -> CompiledJoint<'a> {
    let compiler = context.spec.compiler_of(j.origin);
    context.check_user(j.origin, "joint", &j.user, context.spec.size.nuser_jnt, "nuser_jnt");
    if j.springdamper != [0.0; 2] && j.springdamper.iter().any(|&x| x <= 0.0) {
        context.invalid(j.origin, "joint", Some("springdamper"), "both values must be positive");
    }

    let scalar = matches!(j.jtype, JointType::Slide | JointType::Hinge);
    let limited =
        j.jtype != JointType::Free && context.limit((j.origin, "joint"), "", j.limited, j.range);
    let mut range = j.range;
    if limited {
        if j.jtype == JointType::Ball {
            if range[0] != 0.0 {
                context.invalid(
                    j.origin,
                    "joint",
                    Some("range"),
                    "the first value of a ball joint's range must be 0",
                );
            }
        } else {
            context.check_range((j.origin, "joint"), "range", range);
        }
        if matches!(j.jtype, JointType::Hinge | JointType::Ball) {
            range = range.map(|x| radians(compiler, x));
        }
    }
    let actfrclimited =
        scalar && context.limit((j.origin, "joint"), "actuatorfrc", j.actfrclimited, j.actfrcrange);
    if actfrclimited {
        context.check_range((j.origin, "joint"), "actuatorfrcrange", j.actfrcrange);
    }

    let frame = frames.get(j.frame);
    let mut axis = if scalar { rotate(frame.quat, j.axis) } else { [0.0, 0.0, 1.0] };
    if normalize(&mut axis) < EPS {
        context.invalid(j.origin, "joint", Some("axis"), "must not be the zero vector");
    }
    let pos = if j.jtype == JointType::Free {
        [0.0; 3]
    } else {
        frame.then(Pose { pos: j.pos, ..Pose::IDENTITY }).pos
    };
    let to_radians = |angle| {
        if j.jtype == JointType::Hinge { radians(compiler, angle) } else { angle }
    };
    CompiledJoint {
        spec: j,
        body,
        limited,
        actfrclimited,
        pos,
        axis,
        range,
        reference: to_radians(j.reference),
        springref: to_radians(j.springref),
    }
}
