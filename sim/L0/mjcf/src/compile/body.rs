//! Compilation of bodies (mjCBody): pose, inertia and site elements.

use super::Context;
use super::asset::Assets;
use super::bvh::body_bvh;
use super::camera::{self, CompiledCamera};
use super::geom::{self, CompiledGeom};
use super::joint::{self, CompiledJoint};
use super::light::{self, CompiledLight};
use super::math::{EPS, Pose, Vec3, point_inertia, principal_axes, rotate, rotated_inertia, sub};
use super::site::{self, CompiledSite};
use super::symbols::SymbolTable;
use crate::asset::mesh::Bvh;
use crate::spec::{Body, BodyId, FrameId, Tri};
use sim_core::types::{JointType, MINVAL, SleepPolicy};
use std::ops::Range;

/// Maximum number of degrees of freedom of one body.
const MAX_DOFS: usize = 6;

/// A compiled body. Ranges index the lists of [`Tree`].
#[derive(Debug)]
pub(super) struct CompiledBody<'a> {
    pub(super) spec: &'a Body,
    /// Id in the spec.
    pub(super) id: BodyId,
    pub(super) parent: usize,
    /// `body_weldid`: the body itself if it has joints, else the weld id of its parent.
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

impl CompiledBody<'_> {
    /// Combines contype, conaffinity and margin of the geoms.
    pub(super) fn combine_geoms(&mut self, geoms: &[CompiledGeom<'_>]) {
        self.contype = geoms.iter().fold(0, |bits, g| bits | g.spec.contype);
        self.conaffinity = geoms.iter().fold(0, |bits, g| bits | g.spec.conaffinity);
        self.margin = geoms.iter().fold(0.0, |max, g| g.spec.margin.max(max));
    }
}

/// The compiled kinematic tree, as flat lists in model order.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) bodies: Vec<CompiledBody<'a>>,
    pub(super) joints: Vec<CompiledJoint<'a>>,
    pub(super) geoms: Vec<CompiledGeom<'a>>,
    pub(super) sites: Vec<CompiledSite<'a>>,
    pub(super) cameras: Vec<CompiledCamera<'a>>,
    pub(super) lights: Vec<CompiledLight<'a>>,
    /// Unused BVH nodes: MuJoCo counts one extra node when it fuses two bodies that have BVHs.
    pub(super) unused_bvh_nodes: usize,
}

/// Poses of frames relative to their body.
pub(super) struct Frames(Vec<Pose>);

impl Frames {
    fn new(context: &mut Context<'_, '_>) -> Self {
        let mut poses: Vec<Pose> = Vec::with_capacity(context.spec.frames.len());
        // Parent frames precede their children.
        for frame in &context.spec.frames {
            let quat = context.orientation(frame.origin, "frame", &frame.orientation);
            let own = Pose { pos: frame.pos, quat };
            let outer = frame.parent.and_then(|p| poses.get(p.0)).copied();
            poses.push(outer.map_or(own, |outer| outer.then(own)));
        }
        Self(poses)
    }

    /// Pose of a frame; the identity for `None`.
    pub(super) fn get(&self, frame: Option<FrameId>) -> Pose {
        frame.and_then(|f| self.0.get(f.0)).copied().unwrap_or(Pose::IDENTITY)
    }

    /// Transforms a pose from a frame to its body.
    pub(super) fn place(&self, frame: Option<FrameId>, pose: Pose) -> Pose {
        if frame.is_some() { self.get(frame).then(pose) } else { pose }
    }
}

/// Compiles every body, parents first.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    assets: &Assets<'a>,
) -> Tree<'a> {
    let frames = Frames::new(context);
    let mut tree = Tree::default();
    for (id, body) in symbols.bodies.iter().enumerate() {
        let spec = &context.spec.bodies[body.0];
        compile_body(context, (&frames, symbols, assets), &mut tree, id, spec);
    }
    check_masses(context, &tree);
    tree
}

fn compile_body<'a>(
    context: &mut Context<'a, '_>,
    (frames, symbols, assets): (&Frames, &SymbolTable<'a>, &Assets<'a>),
    tree: &mut Tree<'a>,
    id: usize,
    b: &'a Body,
) {
    let compiler = context.spec.compiler_of(b.origin);
    context.check_user(b.origin, "body", &b.user, context.spec.size.nuser_body, "nuser_body");
    let parent = symbols.parents[id];
    let weldid = if !b.joints.is_empty() || id == 0 { id } else { tree.bodies[parent].weldid };

    let [low, high] = compiler.inertiagrouprange;
    let in_group_range = |group: i32| (low..=high).contains(&group);
    let infer = id > 0 && (b.inertial.is_none() || compiler.inertiafromgeom == Tri::True);
    let geoms = tree.geoms.len()..tree.geoms.len() + b.geoms.len();
    for g in &b.geoms {
        let out = geom::compile(
            context,
            (frames, symbols, assets),
            (id, weldid == 0),
            g,
            infer && in_group_range(g.group),
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
        tree.sites.push(site::site(context, (frames, symbols, assets), id, s));
    }
    for c in &b.cameras {
        tree.cameras.push(camera::camera(context, frames, symbols, id, c));
    }
    for l in &b.lights {
        tree.lights.push(light::light(context, frames, symbols, id, l));
    }
    if aligns_free(b, compiler.alignfree) {
        pose = pose.then(inertial);
        let to_inertial = inertial.inverse();
        inertial = Pose::IDENTITY;
        tree.geoms[geoms.clone()].iter_mut().for_each(|g| g.pose = to_inertial.then(g.pose));
        tree.sites[sites..].iter_mut().for_each(|s| s.pose = to_inertial.then(s.pose));
        tree.cameras[cameras..].iter_mut().for_each(|c| c.pose = to_inertial.then(c.pose));
        for l in &mut tree.lights[lights..] {
            l.pos = to_inertial.then(Pose { pos: l.pos, ..Pose::IDENTITY }).pos;
            l.dir = rotate(to_inertial.quat, l.dir);
        }
    }
    let mut out = CompiledBody {
        spec: b,
        id: symbols.bodies[id],
        parent,
        weldid,
        pose,
        inertial,
        mass,
        inertia,
        contype: 0,
        conaffinity: 0,
        margin: 0.0,
        dofnum: tree.joints[joints.clone()].iter().map(CompiledJoint::nv).sum(),
        joints,
        bvh: body_bvh(geoms.start, &tree.geoms[geoms.clone()], inertial),
        geoms: geoms.clone(),
    };
    out.combine_geoms(&tree.geoms[geoms]);
    check_mocap_and_sleep(context, tree, &out);
    tree.bodies.push(out);
}

/// Whether the body frame is aligned with the inertial frame: a free body without children and with
/// `align`.
fn aligns_free(b: &Body, alignfree: bool) -> bool {
    let [joint] = &b.joints[..] else { return false };
    joint.jtype == JointType::Free
        && b.children.is_empty()
        && (joint.align == Tri::True || (joint.align == Tri::Auto && alignfree))
}

/// Checks the requirements of mocap bodies and of sleep policies.
fn check_mocap_and_sleep(context: &mut Context<'_, '_>, tree: &Tree<'_>, b: &CompiledBody<'_>) {
    let origin = b.spec.origin;
    if b.spec.mocap && (b.dofnum > 0 || b.parent != 0 || tree.bodies.is_empty()) {
        let message = "requires a child of the world without joints";
        context.invalid(origin, "body", Some("mocap"), message);
    }
    if b.spec.sleep != SleepPolicy::Auto {
        let mut ancestor = b.parent;
        while ancestor > 0 && tree.bodies[ancestor].dofnum == 0 {
            ancestor = tree.bodies[ancestor].parent;
        }
        if b.dofnum == 0 || ancestor > 0 {
            let message = "can only be set for the first moving body of a kinematic tree";
            context.invalid(origin, "body", Some("sleep"), message);
        }
    }
}

/// Inertial frame, mass and principal moments of a body.
fn inertia(
    context: &mut Context<'_, '_>,
    b: &Body,
    pose: Pose,
    geoms: &[CompiledGeom<'_>],
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
                let message = "is not positive definite";
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
    // As in MuJoCo, the inertial frame of a body without inertia equals its pose in the parent.
    let (frame, mass, moments) = result.unwrap_or((pose, 0.0, [0.0; 3]));

    let (origin, element) = match &b.inertial {
        Some(given) => (given.origin, "inertial"),
        None => (b.origin, "body"),
    };
    if mass < 0.0 || moments.iter().any(|&x| x < 0.0) {
        let message =
            "negative mass or inertia is clamped to the compiler's boundmass and boundinertia";
        context.warning(origin, element, message);
    }
    let mass = mass.max(compiler.boundmass);
    let mut moments = moments.map(|x| x.max(compiler.boundinertia));
    if mass < 0.0 || moments.iter().any(|&x| x < 0.0) {
        context.invalid(origin, element, None, "mass and inertia must not be negative");
    }
    let [x, y, z] = moments;
    if x + y < z || x + z < y || y + z < x {
        if compiler.balanceinertia {
            moments = [(x + y + z) / 3.0; 3];
        } else {
            let message = format!(
                "inertia {x} {y} {z} violates the triangle inequality A + B >= C; correct it, or set balanceinertia=\"true\" in <compiler>"
            );
            context.invalid(origin, element, None, message);
        }
    }
    (frame, mass, moments)
}

/// Combined inertia of the geoms that have mass; `None` if there are none.
fn geom_inertia(
    context: &mut Context<'_, '_>,
    b: &Body,
    geoms: &[CompiledGeom<'_>],
) -> Option<(Pose, f64, Vec3)> {
    let massive: Vec<_> = geoms.iter().filter(|g| g.mass > EPS).collect();
    if let [only] = massive[..] {
        return Some((only.pose, only.mass, only.inertia));
    }
    if massive.is_empty() {
        return None;
    }
    let mut mass = 0.0;
    let mut com = [0.0; 3];
    for g in &massive {
        mass += g.mass;
        for k in 0..3 {
            com[k] += g.mass * g.pose.pos[k];
        }
    }
    let com = com.map(|x| x / mass);
    let mut full = [0.0; 6];
    for g in &massive {
        let rotated = rotated_inertia(g.inertia, g.pose.quat);
        let translated = point_inertia(g.mass, sub(g.pose.pos, com));
        for k in 0..6 {
            full[k] += rotated[k] + translated[k];
        }
    }
    let (moments, quat) = principal_axes(full);
    if moments[2] < EPS {
        let message =
            "the inertia computed from the geoms is not positive: they are too small or too light";
        context.invalid(b.origin, "body", None, message);
    }
    Some((Pose { pos: com, quat }, mass, moments))
}

/// Checks that the joints of a body are compatible.
fn check_joints(context: &mut Context<'_, '_>, b: &Body, joints: &[CompiledJoint<'_>]) {
    let dofs: usize = joints.iter().map(CompiledJoint::nv).sum();
    if let Some(free) = joints.iter().find(|j| j.spec.jtype == JointType::Free) {
        let origin = free.spec.origin;
        if joints.len() > 1 {
            let message = "a free joint must be the only joint of its body";
            context.invalid(origin, "joint", Some("type"), message);
        }
    } else if dofs > MAX_DOFS {
        let message =
            format!("has {dofs} degrees of freedom, which exceeds the maximum of {MAX_DOFS}");
        context.invalid(b.origin, "body", None, message);
    }
    let ball = joints.iter().position(|j| j.spec.jtype == JointType::Ball);
    if let Some(rotational) = ball.and_then(|i| joints[i + 1..].iter().find(|j| j.is_rotational()))
    {
        let message = "a rotational joint cannot follow a ball joint in the same body";
        context.invalid(rotational.spec.origin, "joint", Some("type"), message);
    }
}

/// Checks that bodies with free joints are children of the world, after `fusestatic`.
pub(super) fn check_free(context: &mut Context<'_, '_>, tree: &Tree<'_>) {
    for joint in tree.joints.iter().filter(|joint| joint.spec.jtype == JointType::Free) {
        if tree.bodies[joint.body].parent != 0 {
            let message = "a free joint requires a child of the world, but this body is nested in another one";
            context.invalid(joint.spec.origin, "joint", Some("type"), message);
        }
    }
}

/// Checks that every moving body has mass and inertia, its own or that of bodies welded to it.
fn check_masses(context: &mut Context<'_, '_>, tree: &Tree<'_>) {
    let mut massive = vec![false; tree.bodies.len()];
    for b in &tree.bodies {
        if b.mass >= MINVAL && b.inertia.iter().all(|&x| x >= MINVAL) {
            massive[b.weldid] = true;
        }
    }
    for (id, b) in tree.bodies.iter().enumerate() {
        if !b.joints.is_empty() && id > 0 && !massive[id] {
            let message = format!(
                "mass and inertia of a moving body must be larger than {MINVAL:e}: add a geom with mass or \
                 an <inertial>"
            );
            context.invalid(b.spec.origin, "body", None, message);
        }
    }
}
