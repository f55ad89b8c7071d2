//! Joints: limits, axes and references in final units.

use super::Context;
use super::body::Frames;
use super::math::{EPS, Pose, Vec3, normalize, rotate};
use super::{is_limited, orientation::radians};
use crate::error::ErrorKind;
use crate::spec::{Joint, Tri};
use sim_core::types::JointType;

/// A compiled joint.
#[derive(Debug)]
pub(super) struct JointOut<'a> {
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

impl JointOut<'_> {
    /// Position coordinates.
    pub(super) const fn nq(&self) -> usize {
        match self.spec.jtype {
            JointType::Free => 7,
            JointType::Ball => 4,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    /// Degrees of freedom.
    pub(super) const fn nv(&self) -> usize {
        match self.spec.jtype {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    /// Whether the joint turns its body.
    pub(super) const fn rotates(&self) -> bool {
        matches!(self.spec.jtype, JointType::Ball | JointType::Hinge)
    }
}

pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    body: usize,
    j: &'a Joint,
) -> JointOut<'a> {
    let compiler = &context.spec.compiler;
    context.check_user(j.origin, "joint", &j.user, context.spec.size.nuser_jnt, "nuser_jnt");
    if j.jtype == JointType::Free && j.align == Tri::True {
        let kind = ErrorKind::Unsupported("align=\"true\"".to_owned());
        context.error(j.origin, "freejoint", Some("align"), kind);
    }
    if j.springdamper != [0.0; 2] && j.springdamper.iter().any(|&x| x <= 0.0) {
        context.invalid(j.origin, "joint", Some("springdamper"), "both numbers must be positive");
    }

    let scalar = matches!(j.jtype, JointType::Slide | JointType::Hinge);
    let limited = j.jtype != JointType::Free && limit(context, j, j.limited, j.range, "", "range");
    let mut range = j.range;
    if limited {
        if j.jtype == JointType::Ball {
            if range[0] != 0.0 {
                context.invalid(
                    j.origin,
                    "joint",
                    Some("range"),
                    "the first number of a ball joint's range must be 0",
                );
            }
        } else if range[0] >= range[1] {
            context.invalid(
                j.origin,
                "joint",
                Some("range"),
                "the first number must be smaller than the second",
            );
        }
        if matches!(j.jtype, JointType::Hinge | JointType::Ball) {
            range = range.map(|x| radians(compiler, x));
        }
    }
    let actfrclimited = scalar
        && limit(context, j, j.actfrclimited, j.actfrcrange, "actuatorfrc", "actuatorfrcrange");
    if actfrclimited && j.actfrcrange[0] >= j.actfrcrange[1] {
        let message = "the first number must be smaller than the second";
        context.invalid(j.origin, "joint", Some("actuatorfrcrange"), message);
    }

    let frame = frames.get(j.frame);
    let mut axis = if scalar { rotate(frame.quat, j.axis) } else { [0.0, 0.0, 1.0] };
    if normalize(&mut axis) < EPS {
        context.invalid(j.origin, "joint", Some("axis"), "the axis has no length");
    }
    let pos = if j.jtype == JointType::Free {
        [0.0; 3]
    } else {
        frame.then(Pose { pos: j.pos, ..Pose::IDENTITY }).pos
    };
    let turn = |angle| {
        if j.jtype == JointType::Hinge { radians(compiler, angle) } else { angle }
    };
    JointOut {
        spec: j,
        body,
        limited,
        actfrclimited,
        pos,
        axis,
        range,
        reference: turn(j.reference),
        springref: turn(j.springref),
    }
}

/// Whether a joint limit is active; complains when the compiler may not infer it.
fn limit(
    context: &mut Context<'_, '_>,
    j: &Joint,
    limited: Tri,
    range: [f64; 2],
    prefix: &str,
    attribute: &str,
) -> bool {
    if limited == Tri::Auto && range != [0.0; 2] {
        if !context.spec.compiler.autolimits {
            let message = format!(
                "has no effect without `{prefix}limited` when autolimits is off: add {prefix}limited=\"true\""
            );
            context.invalid(j.origin, "joint", Some(attribute), message);
        } else if range[0] >= range[1] {
            let message =
                format!("attribute \"{attribute}\" is empty, so the joint is not limited");
            context.warning(j.origin, "joint", message);
        }
    }
    is_limited(limited, range)
}
