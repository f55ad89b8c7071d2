//! [`Robot`] to [`Spec`]: bodies in the order of the joints, then what hangs on each.

mod joint;
mod material;
mod mesh;
mod shape;

use crate::front_end::{Fidelity, Urdf};
use crate::robot::{Inertial, JointKind, Material, Pose, Robot};
use sim_core::math::quat;
use sim_core::types::JointType;
use sim_mjcf::Spec;
use sim_mjcf::frontend::{Report, quaternion};
use sim_mjcf::spec::{
    self, Angle, Body, BodyId, Compiler, FuseInertia, Joint, Orientation, Origin,
};
use std::collections::{HashMap, HashSet};

/// Fills the spec that the robot brought along.
pub(crate) fn lower(mut robot: Robot, how: &Urdf, report: &mut Report) -> Spec {
    let spec = std::mem::take(&mut robot.base);
    let mut lowering = Lowering {
        robot: &robot,
        how,
        spec,
        report,
        meshes: mesh::Meshes::default(),
        materials: robot.materials.iter().map(|m| (m.name.as_str(), m)).collect(),
        fixed: vec![false; robot.links.len()],
    };
    if how.fidelity == Fidelity::Mujoco {
        lowering.spec.compiler.fuseinertia = FuseInertia::Mujoco;
    }
    if !robot.name.is_empty() {
        lowering.spec.modelname.clone_from(&robot.name);
    }
    let bodies = lowering.bodies();
    lowering.links(&bodies);
    for joint in &robot.joints {
        lowering.joint(joint, &bodies);
    }
    lowering.mimics();
    lowering.spec
}

/// A spec under construction.
struct Lowering<'a, 'r> {
    robot: &'a Robot,
    how: &'a Urdf,
    spec: Spec,
    report: &'r mut Report,
    meshes: mesh::Meshes<'a>,
    /// Materials by name.
    materials: HashMap<&'a str, &'a Material>,
    /// Links that cannot move, and so are or become a part of the world.
    fixed: Vec<bool>,
}

impl Lowering<'_, '_> {
    fn warning(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        self.report.warning(self.spec.location(origin), element, message);
    }

    /// Whether MuJoCo's importer counts where it differs from the file.
    fn as_mujoco(&self) -> bool {
        self.how.fidelity == Fidelity::Mujoco
    }

    /// Adds a body for every link but the world; children follow the order of their joints.
    fn bodies(&mut self) -> Vec<BodyId> {
        let robot = self.robot;
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
        for joint in &robot.joints {
            below[joint.parent].push(joint.child);
        }
        let mut bodies = vec![BodyId(0); robot.links.len()];
        let roots: Vec<usize> = robot.roots().collect();
        let mut stack: Vec<(usize, BodyId)> =
            roots.iter().rev().map(|&root| (root, BodyId(0))).collect();
        while let Some((index, parent)) = stack.pop() {
            let link = &robot.links[index];
            let mut id = BodyId(0);
            if link.name != "world" {
                let body = Body { name: link.name.clone(), origin: link.origin, ..Body::default() };
                id = self.spec.add_body(parent, body);
            }
            bodies[index] = id;
            let fuses = self.spec.compiler.fusestatic;
            self.fixed[index] = match robot.above[index].map(|joint| &robot.joints[joint]) {
                None => id.0 == 0 || (fuses && !self.how.floating_base),
                Some(joint) => fuses && joint.kind == JointKind::Fixed && self.fixed[joint.parent],
            };
            stack.extend(below[index].iter().rev().map(|&child| (child, id)));
        }
        bodies
    }

    /// Inertia and shapes of every link, in the order of the file: meshes are numbered by it.
    fn links(&mut self, bodies: &[BodyId]) {
        let robot = self.robot;
        let mut names = HashSet::new();
        for (index, link) in robot.links.iter().enumerate() {
            let id = bodies[index];
            if id.0 > 0 {
                self.spec.bodies[id.0].inertial =
                    link.inertial.as_ref().map(|inertial| self.inertial(inertial));
            }
            let geoms = self.shapes(link, &mut names);
            let body = &mut self.spec.bodies[id.0];
            body.geoms.extend(geoms);
            let floats = self.how.floating_base && robot.above[index].is_none() && id.0 > 0;
            let mass = link.inertial.as_ref().map_or(0.0, |inertial| inertial.mass);
            if floats && mass > 0.0 {
                body.joints.push(Joint {
                    name: format!("{}_free_joint", link.name),
                    jtype: JointType::Free,
                    origin: link.origin,
                    ..Joint::default()
                });
            } else if floats {
                let message = format!("`{}` has no mass, so the base does not float", link.name);
                self.warning(link.origin, "link", message);
            }
        }
    }

    /// MuJoCo finds the principal axes of the matrix and forgets the frame that it was given in.
    fn inertial(&mut self, given: &Inertial) -> spec::Inertial {
        let Inertial { pose, mass, inertia, origin } = *given;
        let base = spec::Inertial { pos: pose.xyz, mass, origin, ..spec::Inertial::default() };
        let turn = rotation(pose);
        if inertia == [0.0; 6] {
            let orientation = Orientation::Quat(turn);
            return spec::Inertial { orientation, diaginertia: Some([0.0; 3]), ..base };
        }
        let turned = turn != quat::IDENTITY;
        if turned && self.as_mujoco() {
            let message = "has an inertia that is not turned by the `rpy` of its <origin>";
            self.warning(origin, "inertial", message);
        }
        let full =
            if turned && !self.as_mujoco() { turned_inertia(inertia, turn) } else { inertia };
        spec::Inertial { fullinertia: Some(full), ..base }
    }
}

/// Roll, pitch and yaw about fixed axes, as a quaternion.
fn rotation(pose: Pose) -> [f64; 4] {
    if pose.rpy == [0.0; 3] {
        return quat::IDENTITY;
    }
    let fixed =
        Compiler { angle: Angle::Radian, eulerseq: "XYZ".to_owned(), ..Compiler::default() };
    quaternion(&fixed, &Orientation::Euler(pose.rpy)).unwrap_or(quat::IDENTITY)
}

/// R I Rᵀ.
fn turned_inertia(full: [f64; 6], turn: [f64; 4]) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = full;
    let inertia = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
    let r = quat::to_mat(turn);
    let entry = |i: usize, j: usize| {
        let mut sum = 0.0;
        for k in 0..3 {
            for l in 0..3 {
                sum += r[3 * i + k] * inertia[3 * k + l] * r[3 * j + l];
            }
        }
        sum
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}
