//! Builds a chain from a model: the path through the kinematic tree, with constant transforms merged.
//!
//! The pose of a body in its parent is `T = body · Π Trans(anchor) · motion(q) · Trans(-anchor)` over
//! its joints. Every hinge and slide gets a frame whose z axis is the joint axis, so that the
//! transform between two joints is one constant. Where the path goes towards the root, the inverse
//! applies in reverse order; the inverse of a rotation about an axis is the same rotation about the
//! opposite axis.

use super::{Chain, ChainJoint, Column, End, Link, Motion, Waypoint};
use crate::{Error, Frame};
use sim_core::Model;
use sim_core::math::quat;
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::JointType;

pub(super) fn build(m: &Model, base: End, tip: End) -> Result<Chain, Error> {
    let (base_body, base_local) = locate(m, base)?;
    let (tip_body, tip_local) = locate(m, tip)?;
    let (up, down) = path(m, base_body, tip_body);
    let mut builder = Builder::new(m, base_local.inverse());
    for (k, &body) in up.iter().enumerate() {
        builder.add_waypoint(body);
        // the joints of the common ancestor move both ends and cancel
        if k + 1 < up.len() {
            builder.leave(body);
        }
    }
    for &body in &down {
        builder.enter(body);
        builder.add_waypoint(body);
    }
    builder.pending = builder.pending.then(&tip_local);
    let last = builder.pending;
    builder.finish_link(last);
    Ok(builder.chain)
}

/// The body of an end, and the pose of the end in it.
fn locate(m: &Model, end: End) -> Result<(usize, Frame), Error> {
    let (kind, id, count) = match end {
        End::Body(id) => ("body", id, m.nbody),
        End::Site(id) => ("site", id, m.nsite),
    };
    if id >= count {
        return Err(Error::NoSuchElement { kind, id, count });
    }
    Ok(match end {
        End::Body(id) => (id, Frame::IDENTITY),
        End::Site(id) => {
            let local = Frame::new(vector(&m.site_pos, id), quaternion(&m.site_quat, id));
            (m.site_bodyid[id] as usize, local)
        }
    })
}

/// The bodies from `base` up to the common ancestor, and from there down to `tip`.
fn path(m: &Model, base: usize, tip: usize) -> (Vec<usize>, Vec<usize>) {
    let to_root = |mut body: usize| {
        let mut bodies = vec![body];
        while body > 0 {
            body = m.body_parentid[body] as usize;
            bodies.push(body);
        }
        bodies
    };
    let (mut up, mut down) = (to_root(base), to_root(tip));
    // drop the shared ancestors, except for the lowest
    while up.len() > 1 && down.len() > 1 && up[up.len() - 2] == down[down.len() - 2] {
        up.pop();
        down.pop();
    }
    down.pop();
    down.reverse();
    (up, down)
}

fn vector(flat: &[f64], k: usize) -> Vec3 {
    [flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]]
}

fn quaternion(flat: &[f64], k: usize) -> [f64; 4] {
    [flat[4 * k], flat[4 * k + 1], flat[4 * k + 2], flat[4 * k + 3]]
}

/// A frame at `pos` whose z axis is `axis`.
fn along(pos: Vec3, axis: Vec3) -> Frame {
    // the z axis is exact; x and y are an arbitrary right-handed completion
    let z = vec3::normalize(axis).0;
    let least = (0..3).min_by(|&a, &b| z[a].abs().total_cmp(&z[b].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let x = vec3::normalize(vec3::cross(other, z)).0;
    let y = vec3::cross(z, x);
    Frame::from_mat(pos, &[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
}

fn translation(pos: Vec3) -> Frame {
    Frame::from_mat(pos, &sim_core::math::mat3::IDENTITY)
}

struct Builder<'a> {
    m: &'a Model,
    chain: Chain,
    /// Constant transform since the last joint.
    pending: Frame,
    /// Bodies passed since the last joint, each with the constant transform up to it.
    passed: Vec<(usize, Frame)>,
}

impl<'a> Builder<'a> {
    fn new(m: &'a Model, pending: Frame) -> Self {
        let chain = Chain {
            nq: m.nq,
            start: Frame::IDENTITY,
            links: Vec::new(),
            columns: Vec::new(),
            joints: Vec::new(),
            dofs: Vec::new(),
            waypoints: Vec::new(),
            all_scalar: true,
        };
        Self { m, chain, pending, passed: Vec::new() }
    }

    /// Records that the path passes through the frame of `body`, a waypoint of the chain.
    fn add_waypoint(&mut self, body: usize) {
        self.passed.push((body, self.pending));
    }

    /// Sets the constant transform after the last joint.
    fn finish_link(&mut self, constant: Frame) {
        let Chain { links, start, waypoints, .. } = &mut self.chain;
        let frame = links.len();
        *links.last_mut().map_or(start, |link| &mut link.after) = constant;
        let back = constant.inverse();
        for (body, local) in self.passed.drain(..) {
            waypoints.push(Waypoint { body, frame, local: back.then(&local) });
        }
    }

    /// Appends the transform from the parent of `body` to `body`.
    fn enter(&mut self, body: usize) {
        let joints = self.joints(body);
        if !joints.clone().any(|j| self.m.jnt_type[j] == JointType::Free) {
            self.pending = self.pending.then(&self.body_frame(body));
        }
        for j in joints {
            self.joint(j, false);
        }
    }

    /// Appends the transform from `body` to its parent.
    fn leave(&mut self, body: usize) {
        let joints = self.joints(body);
        let free = joints.clone().any(|j| self.m.jnt_type[j] == JointType::Free);
        for j in joints.rev() {
            self.joint(j, true);
        }
        if !free {
            self.pending = self.pending.then(&self.body_frame(body).inverse());
        }
    }

    fn joints(&self, body: usize) -> std::ops::Range<usize> {
        let first = self.m.body_jntadr[body].max(0) as usize;
        first..first + self.m.body_jntnum[body].max(0) as usize
    }

    /// Pose of a body in its parent at the reference configuration.
    fn body_frame(&self, body: usize) -> Frame {
        Frame::new(vector(&self.m.body_pos, body), quaternion(&self.m.body_quat, body))
    }

    fn joint(&mut self, j: usize, inverse: bool) {
        let m = self.m;
        let kind = m.jnt_type[j];
        let (qposadr, dofadr) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
        let limited = m.jnt_limited[j];
        let range = match kind {
            _ if !limited => [f64::NEG_INFINITY, f64::INFINITY],
            JointType::Ball => [0.0, m.jnt_range[2 * j].max(m.jnt_range[2 * j + 1])],
            _ => [m.jnt_range[2 * j], m.jnt_range[2 * j + 1]],
        };
        let column = self.chain.columns.len();
        self.chain.joints.push(ChainJoint { id: j, kind, qposadr, dofadr, column, range });
        let anchor = vector(&m.jnt_pos, j);
        match kind {
            JointType::Hinge | JointType::Slide => {
                let axis = vector(&m.jnt_axis, j);
                let axis = if inverse { vec3::scale(axis, -1.0) } else { axis };
                self.axis_joint(j, qposadr, dofadr, &along(anchor, axis));
            }
            JointType::Ball => {
                self.quaternion_joint(Motion::Ball { inverse }, qposadr, dofadr, anchor);
            }
            JointType::Free => {
                self.quaternion_joint(Motion::Free { inverse }, qposadr, dofadr, [0.0; 3]);
            }
        }
    }

    /// A hinge or slide along the z axis of `frame`.
    fn axis_joint(&mut self, j: usize, adr: usize, dof: usize, frame: &Frame) {
        self.finish_link(self.pending.then(frame));
        let hinge = self.m.jnt_type[j] == JointType::Hinge;
        self.column(self.chain.links.len(), 2, 1.0, hinge, dof);
        let [rotation, translation] = if hinge { [1.0, 0.0] } else { [0.0, 1.0] };
        let (motion, reference) = (Motion::Axis, self.m.qpos0[adr]);
        let after = Frame::IDENTITY;
        self.chain.links.push(Link { motion, rotation, translation, reference, adr, after });
        self.pending = frame.inverse();
    }

    /// A ball or free joint. Its columns are axes of the moved body, so the frame after it is stored
    /// and the constant transform becomes a separate fixed link.
    fn quaternion_joint(&mut self, motion: Motion, adr: usize, dof: usize, anchor: Vec3) {
        self.chain.all_scalar = false;
        self.finish_link(self.pending.then(&translation(anchor)));
        let before = self.chain.links.len();
        let link = |motion: Motion| Link {
            motion,
            rotation: 0.0,
            translation: 0.0,
            reference: 0.0,
            adr,
            after: Frame::IDENTITY,
        };
        let inverse =
            matches!(motion, Motion::Ball { inverse: true } | Motion::Free { inverse: true });
        // towards the tip the axes are those of the moved body, towards the root those of its parent
        let (rotated, translated, sign) =
            if inverse { (before, before + 1, -1.0) } else { (before + 1, before, 1.0) };
        let mut dof = dof;
        if matches!(motion, Motion::Free { .. }) {
            for axis in 0..3 {
                self.column(translated, axis, sign, false, dof + axis);
            }
            dof += 3;
        }
        for axis in 0..3 {
            self.column(rotated, axis, sign, true, dof + axis);
        }
        self.chain.links.push(link(motion));
        self.finish_link(Frame::IDENTITY);
        self.chain.links.push(link(Motion::Fixed));
        self.pending = translation(vec3::scale(anchor, -1.0));
    }

    /// Adds a Jacobian column for a dof of the next link.
    fn column(&mut self, frame: usize, axis: usize, sign: f64, is_rotation: bool, dof: usize) {
        let link = self.chain.links.len();
        self.chain.columns.push(Column { link, frame, axis, sign, is_rotation });
        self.chain.dofs.push(dof);
    }
}

/// A normalized quaternion of `qpos`.
#[inline(always)]
pub(super) fn orientation(q: &[f64]) -> [f64; 4] {
    quat::normalize([q[0], q[1], q[2], q[3]])
}
