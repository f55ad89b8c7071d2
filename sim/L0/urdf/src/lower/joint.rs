//! Conversion of joints and `mimic` constraints.

use super::{Converter, rotation};
use crate::robot::{self, JointKind};
use sim_core::math::quat;
use sim_core::types::{EqType, JointType, ObjType};
use sim_mjcf::frontend::quaternion;
use sim_mjcf::spec::{BodyId, Equality, Joint, Orientation, Tri};
use std::collections::HashSet;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

impl Converter<'_, '_> {
    pub(super) fn joint(&mut self, joint: &robot::Joint, bodies: &[BodyId]) {
        let body = bodies[joint.child];
        // The world has no parent.
        if body.0 == 0 {
            return;
        }
        let joints = self.components(joint);
        let body = &mut self.spec.bodies[body.0];
        body.pos = joint.pose.xyz;
        body.orientation = Orientation::Quat(rotation(joint.pose));
        body.joints.extend(joints);
    }

    /// The MJCF joints of a URDF joint.
    fn components(&mut self, joint: &robot::Joint) -> Vec<Joint> {
        let one = |jtype: JointType, suffix: &str, axis: [f64; 3]| Joint {
            name: format!("{}{suffix}", joint.name),
            jtype,
            axis,
            origin: joint.origin,
            ..Joint::default()
        };
        let mut components = match joint.kind {
            JointKind::Fixed => return Vec::new(),
            JointKind::Revolute | JointKind::Continuous => {
                vec![one(JointType::Hinge, "", joint.axis)]
            }
            JointKind::Prismatic => vec![one(JointType::Slide, "", joint.axis)],
            JointKind::Spherical => vec![one(JointType::Ball, "", joint.axis)],
            JointKind::Floating if self.follows_mujoco() || self.fixed[joint.parent] => {
                vec![one(JointType::Free, "", Z)]
            }
            // A free joint must be a child of the world; in a moving frame these four are
            // equivalent.
            JointKind::Floating => {
                let message = format!(
                    "`{0}` floats in a moving frame: it is converted to three slide joints and a ball joint, \
                     {0}_TX, {0}_TY, {0}_TZ and {0}_R",
                    joint.name
                );
                self.warning(joint.origin, "joint", message);
                vec![
                    one(JointType::Slide, "_TX", X),
                    one(JointType::Slide, "_TY", Y),
                    one(JointType::Slide, "_TZ", Z),
                    one(JointType::Ball, "_R", Z),
                ]
            }
            JointKind::Planar => {
                let zaxis = Orientation::ZAxis(joint.axis);
                let rotation = quaternion(&self.spec.compiler, &zaxis).unwrap_or(quat::IDENTITY);
                let r = quat::to_mat(rotation);
                vec![
                    one(JointType::Slide, "_TX", [r[0], r[3], r[6]]),
                    one(JointType::Slide, "_TY", [r[1], r[4], r[7]]),
                    one(JointType::Hinge, "_RZ", joint.axis),
                ]
            }
        };
        if let Some(dynamics) = joint.dynamics {
            for component in &mut components {
                component.damping[0] = dynamics.damping;
                component.frictionloss = dynamics.friction;
            }
        }
        if let (Some(limit), Some(first)) = (joint.limit, components.first_mut()) {
            limits(&limit, first);
        }
        components
    }

    /// `mimic` constraints: q = multiplier × q_other + offset.
    pub(super) fn mimics(&mut self) {
        let robot = self.robot;
        let scalars = robot.joints.iter().filter(|joint| joint.kind.is_scalar());
        let scalars: HashSet<&str> = scalars.map(|joint| joint.name.as_str()).collect();
        for joint in robot.joints.iter().filter(|joint| joint.kind.is_scalar()) {
            let Some(mimic) = &joint.mimic else { continue };
            if self.follows_mujoco() {
                let message =
                    format!("is ignored as in MuJoCo: `{}` moves independently", joint.name);
                self.warning(mimic.origin, "mimic", message);
                continue;
            }
            let mut equality = Equality {
                element: "joint",
                etype: EqType::Joint,
                objtype: ObjType::Joint,
                name1: joint.name.clone(),
                origin: mimic.origin,
                ..Equality::default()
            };
            equality.data[..2].copy_from_slice(&[mimic.offset, mimic.multiplier]);
            if scalars.contains(mimic.joint.as_str()) {
                equality.name2.clone_from(&mimic.joint);
            }
            self.spec.equalities.push(equality);
        }
    }
}

/// Position and actuator force limits; an invalid range is kept but disabled.
fn limits(limit: &robot::Limit, joint: &mut Joint) {
    joint.range = [limit.lower.unwrap_or_default(), limit.upper.unwrap_or_default()];
    if limit.lower.is_some() != limit.upper.is_some() || joint.range[0] > joint.range[1] {
        joint.limited = Tri::False;
    }
    let effort = limit.effort.unwrap_or_default().abs();
    if effort > 0.0 {
        joint.actfrcrange = [-effort, effort];
    }
}
