//! The joints that a search may move: limits, steps and random states.

use crate::random::Random;
use crate::{Chain, ChainJoint};
use sim_core::math::{quat, vec3};
use sim_core::types::JointType;

/// The joints that a search may move, of all chains together.
#[derive(Debug, Clone)]
pub(crate) struct Space {
    /// Unknowns.
    pub n: usize,
    /// Length of a row of numbers, one for each unknown, with what rounds it up.
    pub stride: usize,
    pub joints: Vec<Variable>,
    /// Bounds of each unknown's coordinate; infinite for those of balls and free joints.
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    /// Whether every joint is a hinge or slide.
    simple: bool,
}

/// A joint and its unknowns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variable {
    pub id: usize,
    pub kind: JointType,
    /// Where its coordinates are in `qpos`.
    pub adr: usize,
    /// Its first unknown.
    pub at: usize,
    pub range: [f64; 2],
}

impl Variable {
    fn is_scalar(&self) -> bool {
        matches!(self.kind, JointType::Hinge | JointType::Slide)
    }

    /// Where its quaternion is in `qpos`, and where its rotation is among the unknowns.
    fn rotation(&self) -> (usize, usize) {
        if self.kind == JointType::Free { (self.adr + 3, self.at + 3) } else { (self.adr, self.at) }
    }
}

impl Space {
    /// The joints of all chains, each once; and the unknown behind each column of each chain.
    pub(crate) fn new(chains: &[Chain]) -> (Self, Vec<Vec<usize>>) {
        let (mut joints, mut n): (Vec<Variable>, usize) = (Vec::new(), 0);
        let mut maps = Vec::new();
        for chain in chains {
            let mut map = Vec::with_capacity(chain.nv());
            for &ChainJoint { id, kind, qposadr: adr, range, .. } in chain.joints() {
                let known = joints.iter().find(|joint| joint.id == id).map(|joint| joint.at);
                let at = known.unwrap_or_else(|| {
                    joints.push(Variable { id, kind, adr, at: n, range });
                    n += kind.nv();
                    n - kind.nv()
                });
                map.extend(at..at + kind.nv());
            }
            maps.push(map);
        }
        let stride = n.next_multiple_of(4).max(8);
        let simple = joints.iter().all(Variable::is_scalar);
        let (mut lower, mut upper) = (vec![f64::NEG_INFINITY; stride], vec![f64::INFINITY; stride]);
        for joint in joints.iter().filter(|joint| joint.is_scalar()) {
            [lower[joint.at], upper[joint.at]] = joint.range;
        }
        (Self { n, stride, joints, lower, upper, simple }, maps)
    }

    /// How far each unknown may go from `q`.
    #[inline(always)]
    pub(crate) fn room(&self, q: &[f64], low: &mut [f64], high: &mut [f64]) {
        for joint in &self.joints {
            if self.simple || joint.is_scalar() {
                low[joint.at] = self.lower[joint.at] - q[joint.adr];
                high[joint.at] = self.upper[joint.at] - q[joint.adr];
            }
        }
    }

    /// Goes from `q` along `x`, and no further than limits allow.
    #[inline(always)]
    pub(crate) fn go(&self, q: &[f64], x: &[f64], share: f64, out: &mut [f64]) {
        for joint in &self.joints {
            if self.simple || joint.is_scalar() {
                let moved = q[joint.adr] + share * x[joint.at];
                out[joint.adr] = moved.max(joint.range[0]).min(joint.range[1]);
            } else {
                turn(joint, q, x, share, out);
            }
        }
    }

    /// Brings a state within limits.
    pub(crate) fn project(&self, q: &mut [f64]) {
        for joint in &self.joints {
            if joint.is_scalar() {
                q[joint.adr] = q[joint.adr].max(joint.range[0]).min(joint.range[1]);
            } else {
                let at = joint.rotation().0;
                let turned = quat::normalize([q[at], q[at + 1], q[at + 2], q[at + 3]]);
                q[at..at + 4].copy_from_slice(&within(turned, joint.range[1]));
            }
        }
    }

    /// Puts the joints anywhere within limits; where there are none, within a turn and `extent`.
    pub(crate) fn sample(&self, random: &mut Random, extent: f64, q: &mut [f64]) {
        let finite = |range: [f64; 2], extent: f64| {
            let bound = |x: f64, other: f64| if x.is_finite() { x } else { other };
            [bound(range[0], -extent), bound(range[1], extent)]
        };
        for joint in &self.joints {
            match joint.kind {
                JointType::Hinge => {
                    let [low, high] = finite(joint.range, std::f64::consts::PI);
                    q[joint.adr] = random.between(low, high);
                }
                JointType::Slide => {
                    let [low, high] = finite(joint.range, extent);
                    q[joint.adr] = random.between(low, high);
                }
                JointType::Ball | JointType::Free => {
                    let at = joint.rotation().0;
                    let turned = within(random.quat(), joint.range[1]);
                    q[at..at + 4].copy_from_slice(&turned);
                    for k in joint.adr..at {
                        q[k] = random.between(-extent, extent);
                    }
                }
            }
        }
    }

    /// The largest change of a hinge, slide or ball, and its joint.
    pub(crate) fn jump(&self, a: &[f64], b: &[f64]) -> (f64, Option<usize>) {
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

/// Moves a ball or free joint.
#[cold]
fn turn(joint: &Variable, q: &[f64], x: &[f64], share: f64, out: &mut [f64]) {
    let (at, spin) = joint.rotation();
    for k in 0..at - joint.adr {
        out[joint.adr + k] = q[joint.adr + k] + share * x[joint.at + k];
    }
    let velocity = [x[spin], x[spin + 1], x[spin + 2]];
    let turned = quat::integrate([q[at], q[at + 1], q[at + 2], q[at + 3]], velocity, share);
    out[at..at + 4].copy_from_slice(&within(quat::normalize(turned), joint.range[1]));
}

/// A rotation that is not larger than an angle.
fn within(turn: [f64; 4], largest: f64) -> [f64; 4] {
    let vector = quat::to_velocity(turn, 1.0);
    let (axis, angle) = vec3::normalize(vector);
    // a hair inside, so that rounding does not put it outside
    if angle > largest { quat::from_axis_angle(axis, largest * (1.0 - 1e-14)) } else { turn }
}
