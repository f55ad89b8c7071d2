//! Bodies: pose, inertia, and everything that hangs on them.

use super::Context;
use super::asset::Assets;
use super::attached::{self, CameraOut, LightOut, SiteOut};
use super::bvh::Bvh;
use super::geom::{self, GeomOut};
use super::joint::{self, JointOut};
use super::math::{EPS, Pose, Vec3, point_inertia, principal_axes, rotate, sub, turned_inertia};
use super::order::Order;
use crate::spec::{Body, BodyId, FrameId, Tri};
use sim_core::types::{JointType, MINVAL, SleepPolicy};
use std::ops::Range;

/// Most degrees of freedom of one body.
const MAX_DOFS: usize = 6;

/// A compiled body. Ranges index the lists of [`Tree`].
#[derive(Debug)]
pub(super) struct BodyOut<'a> {
    pub(super) spec: &'a Body,
    /// Its id in the spec.
    pub(super) id: BodyId,
    pub(super) parent: usize,
    /// The body it moves with: itself when it has joints.
    pub(super) weldid: usize,
    pub(super) pose: Pose,
    pub(super) inertial: Pose,
    pub(super) mass: f64,
    pub(super) inertia: Vec3,
    pub(super) contype: i32,
    pub(super) conaffinity: i32,
    pub(super) margin: f64,
    pub(super) dofnum: usize,
    pub(super) joints: Range<usize>,
    pub(super) geoms: Range<usize>,
    pub(super) bvh: Bvh,
}

impl BodyOut<'_> {
    /// Collects what the body needs to know about its geoms.
    pub(super) fn collect(&mut self, geoms: &[GeomOut<'_>]) {
        self.contype = geoms.iter().fold(0, |bits, g| bits | g.spec.contype);
        self.conaffinity = geoms.iter().fold(0, |bits, g| bits | g.spec.conaffinity);
        self.margin = geoms.iter().fold(0.0, |most, g| g.spec.margin.max(most));
    }
}

/// The compiled kinematic tree, as flat lists in model order.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) bodies: Vec<BodyOut<'a>>,
    pub(super) joints: Vec<JointOut<'a>>,
    pub(super) geoms: Vec<GeomOut<'a>>,
    pub(super) sites: Vec<SiteOut<'a>>,
    pub(super) cameras: Vec<CameraOut<'a>>,
    pub(super) lights: Vec<LightOut<'a>>,
    /// Nodes of bounding trees that no body has: MuJoCo counts one for each two trees it fuses.
    pub(super) spare_nodes: usize,
}

/// Frames, each relative to the body around it.
pub(super) struct Frames(Vec<Pose>);

impl Frames {
    fn new(context: &mut Context<'_, '_>) -> Self {
        let mut poses: Vec<Pose> = Vec::with_capacity(context.spec.frames.len());
        // A frame comes after the frame around it.
        for frame in &context.spec.frames {
            let quat = context.orientation(frame.origin, "frame", &frame.orientation);
            let own = Pose { pos: frame.pos, quat };
            let outer = frame.parent.and_then(|p| poses.get(p.0)).copied();
            poses.push(outer.map_or(own, |outer| outer.then(own)));
        }
        Self(poses)
    }

    /// The pose of a frame; no frame is the identity.
    pub(super) fn get(&self, frame: Option<FrameId>) -> Pose {
        frame.and_then(|f| self.0.get(f.0)).copied().unwrap_or(Pose::IDENTITY)
    }

    /// A pose inside a frame, in the coordinates of the body.
    pub(super) fn place(&self, frame: Option<FrameId>, pose: Pose) -> Pose {
        if frame.is_some() { self.get(frame).then(pose) } else { pose }
    }
}

/// Compiles every body, parents first.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    assets: &Assets<'a>,
) -> Tree<'a> {
    let frames = Frames::new(context);
    let mut tree = Tree::default();
    for (id, body) in order.bodies.iter().enumerate() {
        let spec = &context.spec.bodies[body.0];
        compile_body(context, (&frames, order, assets), &mut tree, id, spec);
    }
    check_masses(context, &tree);
    tree
}

fn compile_body<'a>(
    context: &mut Context<'a, '_>,
    (frames, order, assets): (&Frames, &Order<'a>, &Assets<'a>),
    tree: &mut Tree<'a>,
    id: usize,
    b: &'a Body,
) {
    let compiler = context.spec.compiler_of(b.origin);
    context.check_user(b.origin, "body", &b.user, context.spec.size.nuser_body, "nuser_body");
    let parent = order.parents[id];
    let weldid = if !b.joints.is_empty() || id == 0 { id } else { tree.bodies[parent].weldid };

    let [low, high] = compiler.inertiagrouprange;
    let counts = |group: i32| (low..=high).contains(&group);
    let infer = id > 0 && (b.inertial.is_none() || compiler.inertiafromgeom == Tri::True);
    let geoms = tree.geoms.len()..tree.geoms.len() + b.geoms.len();
    for g in &b.geoms {
        let out = geom::compile(
            context,
            (frames, order, assets),
            (id, weldid == 0),
            g,
            infer && counts(g.group),
        );
        tree.geoms.push(out);
    }

    let quat = context.orientation(b.origin, "body", &b.orientation);
    let pose = Pose { pos: b.pos, quat };
    let (mut inertial, mass, inertia) = if id == 0 {
        (pose, 0.0, [0.0; 3])
    } else {
        inertia(context, b, pose, &tree.geoms[geoms.clone()])
    };

    let mut pose = frames.place(b.frame, pose);
    let joints = tree.joints.len()..tree.joints.len() + b.joints.len();
    for j in &b.joints {
        tree.joints.push(joint::compile(context, frames, id, j));
    }
    check_joints(context, b, &tree.joints[joints.clone()]);
    let (sites, cameras, lights) = (tree.sites.len(), tree.cameras.len(), tree.lights.len());
    for s in &b.sites {
        tree.sites.push(attached::site(context, (frames, order, assets), id, s));
    }
    for c in &b.cameras {
        tree.cameras.push(attached::camera(context, frames, order, id, c));
    }
    for l in &b.lights {
        tree.lights.push(attached::light(context, frames, order, id, l));
    }
    if aligned(b, compiler.alignfree) {
        pose = pose.then(inertial);
        let back = inertial.inverse();
        inertial = Pose::IDENTITY;
        tree.geoms[geoms.clone()].iter_mut().for_each(|g| g.pose = back.then(g.pose));
        tree.sites[sites..].iter_mut().for_each(|s| s.pose = back.then(s.pose));
        tree.cameras[cameras..].iter_mut().for_each(|c| c.pose = back.then(c.pose));
        for l in &mut tree.lights[lights..] {
            l.pos = back.then(Pose { pos: l.pos, ..Pose::IDENTITY }).pos;
            l.dir = rotate(back.quat, l.dir);
        }
    }
    let mut out = BodyOut {
        spec: b,
        id: order.bodies[id],
        parent,
        weldid,
        pose,
        inertial,
        mass,
        inertia,
        contype: 0,
        conaffinity: 0,
        margin: 0.0,
        dofnum: tree.joints[joints.clone()].iter().map(JointOut::nv).sum(),
        joints,
        bvh: Bvh::new(geoms.start, &tree.geoms[geoms.clone()], inertial),
        geoms: geoms.clone(),
    };
    out.collect(&tree.geoms[geoms]);
    check_roles(context, tree, &out);
    tree.bodies.push(out);
}

/// Whether the frame of a body moves to its inertial frame: a lone free body that asks for it.
fn aligned(b: &Body, alignfree: bool) -> bool {
    let [joint] = &b.joints[..] else { return false };
    joint.jtype == JointType::Free
        && b.children.is_empty()
        && (joint.align == Tri::True || (joint.align == Tri::Auto && alignfree))
}

/// What only some bodies may be: moved by the caller, or with a say about sleeping.
fn check_roles(context: &mut Context<'_, '_>, tree: &Tree<'_>, b: &BodyOut<'_>) {
    let origin = b.spec.origin;
    if b.spec.mocap && (b.dofnum > 0 || b.parent != 0 || tree.bodies.is_empty()) {
        let message = "must be a child of the world without joints: the caller moves it";
        context.invalid(origin, "body", Some("mocap"), message);
    }
    if b.spec.sleep != SleepPolicy::Auto {
        let mut above = b.parent;
        while above > 0 && tree.bodies[above].dofnum == 0 {
            above = tree.bodies[above].parent;
        }
        if b.dofnum == 0 || above > 0 {
            let message = "belongs to the first body of a tree that has joints";
            context.invalid(origin, "body", Some("sleep"), message);
        }
    }
}

/// Inertial frame, mass and principal moments of a body.
fn inertia(
    context: &mut Context<'_, '_>,
    b: &Body,
    pose: Pose,
    geoms: &[GeomOut<'_>],
) -> (Pose, f64, Vec3) {
    let compiler = context.spec.compiler_of(b.origin);
    let mut result = None;
    if let Some(given) = &b.inertial {
        let quat = context.orientation(given.origin, "inertial", &given.orientation);
        let mut moments = given.diaginertia.unwrap_or_default();
        let mut frame = Pose { pos: given.pos, quat };
        if let Some(full) = given.fullinertia {
            (moments, frame.quat) = principal_axes(full);
            if moments[2] < EPS {
                let message = "is not the inertia of a body: its eigenvalues must be positive";
                context.invalid(given.origin, "inertial", Some("fullinertia"), message);
            }
        }
        result = Some((frame, given.mass, moments));
    }
    let from_geoms = match compiler.inertiafromgeom {
        Tri::True => true,
        Tri::Auto => b.inertial.is_none(),
        Tri::False => false,
    };
    if from_geoms {
        result = geom_inertia(context, b, geoms).or(result);
    }
    // A body without any inertia keeps its inertial frame where the body is in its parent.
    let (frame, mass, moments) = result.unwrap_or((pose, 0.0, [0.0; 3]));

    let (origin, element) = match &b.inertial {
        Some(given) => (given.origin, "inertial"),
        None => (b.origin, "body"),
    };
    if mass < 0.0 || moments.iter().any(|&x| x < 0.0) {
        let message =
            "negative mass or inertia is raised to the compiler's boundmass and boundinertia";
        context.warning(origin, element, message);
    }
    let mass = mass.max(compiler.boundmass);
    let mut moments = moments.map(|x| x.max(compiler.boundinertia));
    if mass < 0.0 || moments.iter().any(|&x| x < 0.0) {
        context.invalid(origin, element, None, "mass and inertia cannot be negative");
    }
    let [x, y, z] = moments;
    if x + y < z || x + z < y || y + z < x {
        if compiler.balanceinertia {
            moments = [(x + y + z) / 3.0; 3];
        } else {
            let message = format!(
                "inertia {x} {y} {z} is not that of a body: each number must be at most the sum of the \
                 other two (A + B >= C); correct it, or set balanceinertia=\"true\" in <compiler>"
            );
            context.invalid(origin, element, None, message);
        }
    }
    (frame, mass, moments)
}

/// Inertia of the geoms that have mass; `None` when there are none.
fn geom_inertia(
    context: &mut Context<'_, '_>,
    b: &Body,
    geoms: &[GeomOut<'_>],
) -> Option<(Pose, f64, Vec3)> {
    let heavy: Vec<_> = geoms.iter().filter(|g| g.mass > EPS).collect();
    if let [only] = heavy[..] {
        return Some((only.pose, only.mass, only.inertia));
    }
    if heavy.is_empty() {
        return None;
    }
    let mut mass = 0.0;
    let mut com = [0.0; 3];
    for g in &heavy {
        mass += g.mass;
        for k in 0..3 {
            com[k] += g.mass * g.pose.pos[k];
        }
    }
    let com = com.map(|x| x / mass);
    let mut full = [0.0; 6];
    for g in &heavy {
        let turned = turned_inertia(g.inertia, g.pose.quat);
        let moved = point_inertia(g.mass, sub(g.pose.pos, com));
        for k in 0..6 {
            full[k] += turned[k] + moved[k];
        }
    }
    let (moments, quat) = principal_axes(full);
    if moments[2] < EPS {
        let message =
            "the geoms are too small or too light: the inertia of the body is not positive";
        context.invalid(b.origin, "body", None, message);
    }
    Some((Pose { pos: com, quat }, mass, moments))
}

/// Which joints may share a body.
fn check_joints(context: &mut Context<'_, '_>, b: &Body, joints: &[JointOut<'_>]) {
    let dofs: usize = joints.iter().map(JointOut::nv).sum();
    if let Some(free) = joints.iter().find(|j| j.spec.jtype == JointType::Free) {
        let origin = free.spec.origin;
        if joints.len() > 1 {
            let message = "a free joint must be the only joint of its body";
            context.invalid(origin, "joint", Some("type"), message);
        }
    } else if dofs > MAX_DOFS {
        let message = format!("has {dofs} degrees of freedom; {MAX_DOFS} are the most");
        context.invalid(b.origin, "body", None, message);
    }
    let ball = joints.iter().position(|j| j.spec.jtype == JointType::Ball);
    if let Some(turn) = ball.and_then(|i| joints[i + 1..].iter().find(|j| j.rotates())) {
        let message = "a joint that rotates cannot follow a ball joint in the same body";
        context.invalid(turn.spec.origin, "joint", Some("type"), message);
    }
}

/// A free joint moves in the world. A parent that becomes a part of the world is the world.
pub(super) fn check_free(context: &mut Context<'_, '_>, tree: &Tree<'_>) {
    for joint in tree.joints.iter().filter(|joint| joint.spec.jtype == JointType::Free) {
        if tree.bodies[joint.body].parent != 0 {
            let message =
                "a free joint must be in a child of the world: this body is inside another one";
            context.invalid(joint.spec.origin, "joint", Some("type"), message);
        }
    }
}

/// Every body that moves must have mass, of its own or from bodies welded to it.
fn check_masses(context: &mut Context<'_, '_>, tree: &Tree<'_>) {
    let mut heavy = vec![false; tree.bodies.len()];
    for b in &tree.bodies {
        if b.mass >= MINVAL && b.inertia.iter().all(|&x| x >= MINVAL) {
            heavy[b.weldid] = true;
        }
    }
    for (id, b) in tree.bodies.iter().enumerate() {
        if !b.joints.is_empty() && id > 0 && !heavy[id] {
            let message = format!(
                "moves, so its mass and inertia must be larger than {MINVAL:e}: give it a geom with mass or \
                 an <inertial>"
            );
            context.invalid(b.spec.origin, "body", None, message);
        }
    }
}
