//! The unknowns of the solver: joints of all chains, their limits, integration and sampling.

use crate::rng::Rng;
use crate::{Chain, ChainJoint};
use sim_core::math::{quat, vec3};
use sim_core::types::JointType;

/// The joints of all chains, each once, and their degrees of freedom.
#[derive(Debug, Clone)]
pub(crate) struct Variables {
    /// Number of variables (degrees of freedom).
    pub n: usize,
    /// Length of a padded row with one entry per variable.
    pub stride: usize,
    pub joints: Vec<VariableJoint>,
    /// Limits of the coordinate of each variable; infinite for ball and free joints.
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    /// Whether every joint is a hinge or slide.
    all_scalar: bool,
}

/// A joint and its variables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VariableJoint {
    /// Id of the joint in the model.
    pub id: usize,
    pub kind: JointType,
    /// Address of its coordinates in `qpos`.
    pub adr: usize,
    /// Index of its first variable.
    pub variable: usize,
    pub range: [f64; 2],
}

impl VariableJoint {
    fn is_scalar(&self) -> bool {
        matches!(self.kind, JointType::Hinge | JointType::Slide)
    }

    /// Address of its quaternion in `qpos`, and index of its first rotational variable.
    fn rotation(&self) -> (usize, usize) {
        if self.kind == JointType::Free {
            (self.adr + 3, self.variable + 3)
        } else {
            (self.adr, self.variable)
        }
    }
}

impl Variables {
    /// Collects the joints of all chains; also returns the variable of each Jacobian column of each
    /// chain.
    pub(crate) fn new(chains: &[Chain]) -> (Self, Vec<Vec<usize>>) {
        let (mut joints, mut n): (Vec<VariableJoint>, usize) = (Vec::new(), 0);
        let mut maps = Vec::new();
        for chain in chains {
            let mut map = Vec::with_capacity(chain.nv());
            for &ChainJoint { id, kind, qposadr: adr, range, .. } in chain.joints() {
                let known = joints.iter().find(|joint| joint.id == id).map(|joint| joint.variable);
                let variable = known.unwrap_or_else(|| {
                    joints.push(VariableJoint { id, kind, adr, variable: n, range });
                    n += kind.nv();
                    n - kind.nv()
                });
                map.extend(variable..variable + kind.nv());
            }
            maps.push(map);
        }
        let stride = n.next_multiple_of(4).max(8);
        let all_scalar = joints.iter().all(VariableJoint::is_scalar);
        let (mut lower, mut upper) = (vec![f64::NEG_INFINITY; stride], vec![f64::INFINITY; stride]);
        for joint in joints.iter().filter(|joint| joint.is_scalar()) {
            [lower[joint.variable], upper[joint.variable]] = joint.range;
        }
        (Self { n, stride, joints, lower, upper, all_scalar }, maps)
    }

    /// Bounds of a step from `q`, from the joint limits.
    #[inline(always)]
    pub(crate) fn step_bounds(&self, q: &[f64], lower: &mut [f64], upper: &mut [f64]) {
        for joint in &self.joints {
            if self.all_scalar || joint.is_scalar() {
                let i = joint.variable;
                lower[i] = self.lower[i] - q[joint.adr];
                upper[i] = self.upper[i] - q[joint.adr];
            }
        }
    }

    /// Integrates the step `alpha x` from `q` and clamps the result to the joint limits.
    #[inline(always)]
    pub(crate) fn integrate(&self, q: &[f64], x: &[f64], alpha: f64, out: &mut [f64]) {
        for joint in &self.joints {
            if self.all_scalar || joint.is_scalar() {
                let moved = q[joint.adr] + alpha * x[joint.variable];
                out[joint.adr] = moved.max(joint.range[0]).min(joint.range[1]);
            } else {
                integrate_rotation(joint, q, x, alpha, out);
            }
        }
    }

    /// Projects a configuration onto the joint limits.
    pub(crate) fn project(&self, q: &mut [f64]) {
        for joint in &self.joints {
            if joint.is_scalar() {
                q[joint.adr] = q[joint.adr].max(joint.range[0]).min(joint.range[1]);
            } else {
                let at = joint.rotation().0;
                let rotation = quat::normalize([q[at], q[at + 1], q[at + 2], q[at + 3]]);
                q[at..at + 4].copy_from_slice(&clamp_rotation(rotation, joint.range[1]));
            }
        }
    }

    /// Samples a configuration uniformly within the joint limits; unlimited hinges within ±π,
    /// unlimited slides and translations within ±`extent`.
    pub(crate) fn sample(&self, rng: &mut Rng, extent: f64, q: &mut [f64]) {
        let finite = |range: [f64; 2], extent: f64| {
            let bound = |x: f64, other: f64| if x.is_finite() { x } else { other };
            [bound(range[0], -extent), bound(range[1], extent)]
        };
        for joint in &self.joints {
            match joint.kind {
                JointType::Hinge => {
                    let [low, high] = finite(joint.range, std::f64::consts::PI);
                    q[joint.adr] = rng.between(low, high);
                }
                JointType::Slide => {
                    let [low, high] = finite(joint.range, extent);
                    q[joint.adr] = rng.between(low, high);
                }
                JointType::Ball | JointType::Free => {
                    let at = joint.rotation().0;
                    let rotation = clamp_rotation(rng.quat(), joint.range[1]);
                    q[at..at + 4].copy_from_slice(&rotation);
                    for k in joint.adr..at {
                        q[k] = rng.between(-extent, extent);
                    }
                }
            }
        }
    }

    /// The largest change of a joint between two configurations, and the id of the joint.
    pub(crate) fn largest_change(&self, a: &[f64], b: &[f64]) -> (f64, Option<usize>) {
        let mut largest = (0.0, None);
        for joint in &self.joints {
            let change = if joint.is_scalar() {
                (a[joint.adr] - b[joint.adr]).abs()
            } else {
                let at = joint.rotation().0;
                let [p, q] = [a, b].map(|q| [q[at], q[at + 1], q[at + 2], q[at + 3]]);
                let moved = (joint.adr..at).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
                vec3::norm(quat::subtract(p, q)).max(moved)
            };
            if change > largest.0 {
                largest = (change, Some(joint.id));
            }
        }
        largest
    }
}

/// Integrates a ball or free joint.
#[cold]
fn integrate_rotation(joint: &VariableJoint, q: &[f64], x: &[f64], alpha: f64, out: &mut [f64]) {
    let (at, angular) = joint.rotation();
    for k in 0..at - joint.adr {
        out[joint.adr + k] = q[joint.adr + k] + alpha * x[joint.variable + k];
    }
    let velocity = [x[angular], x[angular + 1], x[angular + 2]];
    let rotation = quat::integrate([q[at], q[at + 1], q[at + 2], q[at + 3]], velocity, alpha);
    out[at..at + 4].copy_from_slice(&clamp_rotation(quat::normalize(rotation), joint.range[1]));
}

/// Limits the angle of a rotation to `max_angle`.
fn clamp_rotation(rotation: [f64; 4], max_angle: f64) -> [f64; 4] {
    let vector = quat::to_velocity(rotation, 1.0);
    let (axis, angle) = vec3::normalize(vector);
    // slightly less than the limit, so that rounding cannot exceed it
    if angle > max_angle {
        quat::from_axis_angle(axis, max_angle * (1.0 - 1e-14))
    } else {
        rotation
    }
}
