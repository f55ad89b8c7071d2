//! From a model to a chain: the way through the tree, with rigid pieces folded together.
//!
//! A body is placed in its parent by its frame and then by its joints in turn, each about an anchor
//! of its own: `T = body · Π Trans(anchor) · motion(q) · Trans(-anchor)`. Every hinge and slide gets
//! a frame with its axis as z, so that whatever lies between two joints is one constant. On the way
//! towards the root the inverse applies, in the opposite order; the inverse of a turn about an axis
//! is the same turn about the opposite axis.

use super::{Chain, ChainJoint, Column, End, Link, Motion, Waypoint};
use crate::{Error, Frame};
use sim_core::Model;
use sim_core::math::quat;
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::JointType;

pub(super) fn build(m: &Model, base: End, tip: End) -> Result<Chain, Error> {
    let (base_body, base_local) = locate(m, base)?;
    let (tip_body, tip_local) = locate(m, tip)?;
    let (up, down) = way(m, base_body, tip_body);
    let mut builder = Builder::new(m, base_local.inverse());
    for (k, &body) in up.iter().enumerate() {
        builder.pass(body);
        // the last of the way up carries both ends; its own joints move both alike
        if k + 1 < up.len() {
            builder.leave(body);
        }
    }
    for &body in &down {
        builder.enter(body);
        builder.pass(body);
    }
    builder.pending = builder.pending.then(&tip_local);
    let last = builder.pending;
    builder.close(last);
    Ok(builder.chain)
}

/// The body of an end, and the end's frame in it.
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
            let local = Frame::new(triple(&m.site_pos, id), four(&m.site_quat, id));
            (m.site_bodyid[id] as usize, local)
        }
    })
}

/// The bodies from `base` up to the one that carries both ends, and from there down to `tip`.
fn way(m: &Model, base: usize, tip: usize) -> (Vec<usize>, Vec<usize>) {
    let to_root = |mut body: usize| {
        let mut bodies = vec![body];
        while body > 0 {
            body = m.body_parentid[body] as usize;
            bodies.push(body);
        }
        bodies
    };
    let (mut up, mut down) = (to_root(base), to_root(tip));
    // both end in the world; drop what they share, but for the first of it
    while up.len() > 1 && down.len() > 1 && up[up.len() - 2] == down[down.len() - 2] {
        up.pop();
        down.pop();
    }
    down.pop();
    down.reverse();
    (up, down)
}

fn triple(flat: &[f64], k: usize) -> Vec3 {
    [flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]]
}

fn four(flat: &[f64], k: usize) -> [f64; 4] {
    [flat[4 * k], flat[4 * k + 1], flat[4 * k + 2], flat[4 * k + 3]]
}

/// A frame at `pos` whose z axis is `axis`.
fn along(pos: Vec3, axis: Vec3) -> Frame {
    // the axis itself stays exact; the others are any that make the frame right-handed
    let z = vec3::normalize(axis).0;
    let least = (0..3).min_by(|&a, &b| z[a].abs().total_cmp(&z[b].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let x = vec3::normalize(vec3::cross(other, z)).0;
    let y = vec3::cross(z, x);
    Frame::from_mat(pos, &[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
}

fn shift(pos: Vec3) -> Frame {
    Frame::from_mat(pos, &sim_core::math::mat3::IDENTITY)
}

struct Builder<'a> {
    m: &'a Model,
    chain: Chain,
    /// The rigid piece since the last joint.
    pending: Frame,
    /// Bodies passed since then, each with the piece up to it.
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
            simple: true,
        };
        Self { m, chain, pending, passed: Vec::new() }
    }

    /// Notes that the way comes through the frame of `body`.
    fn pass(&mut self, body: usize) {
        self.passed.push((body, self.pending));
    }

    /// Ends the rigid piece behind the last joint.
    fn close(&mut self, piece: Frame) {
        let Chain { links, start, waypoints, .. } = &mut self.chain;
        let frame = links.len();
        *links.last_mut().map_or(start, |link| &mut link.after) = piece;
        let back = piece.inverse();
        for (body, local) in self.passed.drain(..) {
            waypoints.push(Waypoint { body, frame, local: back.then(&local) });
        }
    }

    /// From the parent of `body` to `body`.
    fn enter(&mut self, body: usize) {
        let joints = self.joints(body);
        if !joints.clone().any(|j| self.m.jnt_type[j] == JointType::Free) {
            self.pending = self.pending.then(&self.placed(body));
        }
        for j in joints {
            self.joint(j, false);
        }
    }

    /// From `body` to its parent.
    fn leave(&mut self, body: usize) {
        let joints = self.joints(body);
        let free = joints.clone().any(|j| self.m.jnt_type[j] == JointType::Free);
        for j in joints.rev() {
            self.joint(j, true);
        }
        if !free {
            self.pending = self.pending.then(&self.placed(body).inverse());
        }
    }

    fn joints(&self, body: usize) -> std::ops::Range<usize> {
        let first = self.m.body_jntadr[body].max(0) as usize;
        first..first + self.m.body_jntnum[body].max(0) as usize
    }

    /// A body's frame in its parent, before its joints move it.
    fn placed(&self, body: usize) -> Frame {
        Frame::new(triple(&self.m.body_pos, body), four(&self.m.body_quat, body))
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
        let anchor = triple(&m.jnt_pos, j);
        match kind {
            JointType::Hinge | JointType::Slide => {
                let axis = triple(&m.jnt_axis, j);
                let axis = if inverse { vec3::scale(axis, -1.0) } else { axis };
                self.axis_joint(j, qposadr, dofadr, &along(anchor, axis));
            }
            JointType::Ball => {
                self.turning_joint(Motion::Ball { inverse }, qposadr, dofadr, anchor);
            }
            JointType::Free => {
                self.turning_joint(Motion::Free { inverse }, qposadr, dofadr, [0.0; 3]);
            }
        }
    }

    /// A hinge or slide along the z axis of `frame`.
    fn axis_joint(&mut self, j: usize, adr: usize, dof: usize, frame: &Frame) {
        self.close(self.pending.then(frame));
        let hinge = self.m.jnt_type[j] == JointType::Hinge;
        self.column(self.chain.links.len(), 2, 1.0, hinge, dof);
        let [turn, slide] = if hinge { [1.0, 0.0] } else { [0.0, 1.0] };
        let (motion, reference) = (Motion::Axis, self.m.qpos0[adr]);
        let after = Frame::IDENTITY;
        self.chain.links.push(Link { motion, turn, slide, reference, adr, after });
        self.pending = frame.inverse();
    }

    /// A joint with a quaternion. Its columns are axes of the body it moves, so the frame behind it
    /// is kept as it is, and the rigid piece gets a link of its own.
    fn turning_joint(&mut self, motion: Motion, adr: usize, dof: usize, anchor: Vec3) {
        self.chain.simple = false;
        self.close(self.pending.then(&shift(anchor)));
        let before = self.chain.links.len();
        let link = |motion: Motion| Link {
            motion,
            turn: 0.0,
            slide: 0.0,
            reference: 0.0,
            adr,
            after: Frame::IDENTITY,
        };
        let inverse =
            matches!(motion, Motion::Ball { inverse: true } | Motion::Free { inverse: true });
        // seen from the base, what moves is the body; on the way to the root, what carries it
        let (turned, carried, sign) =
            if inverse { (before, before + 1, -1.0) } else { (before + 1, before, 1.0) };
        let mut dof = dof;
        if matches!(motion, Motion::Free { .. }) {
            for axis in 0..3 {
                self.column(carried, axis, sign, false, dof + axis);
            }
            dof += 3;
        }
        for axis in 0..3 {
            self.column(turned, axis, sign, true, dof + axis);
        }
        self.chain.links.push(link(motion));
        self.close(Frame::IDENTITY);
        self.chain.links.push(link(Motion::Fixed));
        self.pending = shift(vec3::scale(anchor, -1.0));
    }

    /// A dof of the link that comes next.
    fn column(&mut self, frame: usize, axis: usize, sign: f64, turns: bool, dof: usize) {
        let link = self.chain.links.len();
        self.chain.columns.push(Column { link, frame, axis, sign, turns });
        self.chain.dofs.push(dof);
    }
}

/// A quaternion of `qpos`, of length one.
#[inline(always)]
pub(super) fn orientation(q: &[f64]) -> [f64; 4] {
    quat::normalize([q[0], q[1], q[2], q[3]])
}
