//! Conversion of a [`Robot`] to a [`Spec`]: bodies in joint order, then their elements.

mod geom;
mod joint;
mod material;
mod mesh;

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

/// Converts a robot to a spec.
pub(crate) fn lower(mut robot: Robot, options: &Urdf, report: &mut Report) -> Spec {
    let spec = std::mem::take(&mut robot.base);
    let mut converter = Converter {
        robot: &robot,
        options,
        spec,
        report,
        meshes: mesh::Meshes::default(),
        materials: robot.materials.iter().map(|m| (m.name.as_str(), m)).collect(),
        fixed: vec![false; robot.links.len()],
    };
    if options.fidelity == Fidelity::Mujoco {
        converter.spec.compiler.fuseinertia = FuseInertia::Mujoco;
    }
    if !robot.name.is_empty() {
        converter.spec.modelname.clone_from(&robot.name);
    }
    let bodies = converter.bodies();
    converter.links(&bodies);
    for joint in &robot.joints {
        converter.joint(joint, &bodies);
    }
    converter.mimics();
    converter.spec
}

/// Conversion state.
struct Converter<'a, 'r> {
    robot: &'a Robot,
    options: &'a Urdf,
    spec: Spec,
    report: &'r mut Report,
    meshes: mesh::Meshes<'a>,
    /// Materials by name.
    materials: HashMap<&'a str, &'a Material>,
    /// Links that are static, and so are or will be fused with the world.
    fixed: Vec<bool>,
}

impl Converter<'_, '_> {
    fn warning(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        self.report.warning(self.spec.location(origin), element, message);
    }

    /// Whether to follow MuJoCo where it differs from the file.
    fn follows_mujoco(&self) -> bool {
        self.options.fidelity == Fidelity::Mujoco
    }

    /// Adds a body for every link except the world; children are in joint order.
    fn bodies(&mut self) -> Vec<BodyId> {
        let robot = self.robot;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
        for joint in &robot.joints {
            children[joint.parent].push(joint.child);
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
            self.fixed[index] = match robot.parent_joints[index].map(|joint| &robot.joints[joint]) {
                None => id.0 == 0 || (fuses && !self.options.floating_base),
                Some(joint) => fuses && joint.kind == JointKind::Fixed && self.fixed[joint.parent],
            };
            stack.extend(children[index].iter().rev().map(|&child| (child, id)));
        }
        bodies
    }

    /// Inertia and geoms of every link, in file order, which determines the numbering of meshes.
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
            let floats =
                self.options.floating_base && robot.parent_joints[index].is_none() && id.0 > 0;
            let mass = link.inertial.as_ref().map_or(0.0, |inertial| inertial.mass);
            if floats && mass > 0.0 {
                body.joints.push(Joint {
                    name: format!("{}_free_joint", link.name),
                    jtype: JointType::Free,
                    origin: link.origin,
                    ..Joint::default()
                });
            } else if floats {
                let message =
                    format!("`{}` has no mass, so the floating base is ignored", link.name);
                self.warning(link.origin, "link", message);
            }
        }
    }

    /// Inertia of a link. MuJoCo diagonalizes the matrix and ignores the rotation of its frame.
    fn inertial(&mut self, given: &Inertial) -> spec::Inertial {
        let Inertial { pose, mass, inertia, origin } = *given;
        let base = spec::Inertial { pos: pose.xyz, mass, origin, ..spec::Inertial::default() };
        let rotation = rotation(pose);
        if inertia == [0.0; 6] {
            let orientation = Orientation::Quat(rotation);
            return spec::Inertial { orientation, diaginertia: Some([0.0; 3]), ..base };
        }
        let rotated = rotation != quat::IDENTITY;
        if rotated && self.follows_mujoco() {
            let message =
                "has an inertia that is not rotated by the `rpy` of its <origin>, as in MuJoCo";
            self.warning(origin, "inertial", message);
        }
        let full = if rotated && !self.follows_mujoco() {
            rotated_inertia(inertia, rotation)
        } else {
            inertia
        };
        spec::Inertial { fullinertia: Some(full), ..base }
    }
}

/// Quaternion of roll, pitch and yaw about fixed axes.
fn rotation(pose: Pose) -> [f64; 4] {
    if pose.rpy == [0.0; 3] {
        return quat::IDENTITY;
    }
    let fixed =
        Compiler { angle: Angle::Radian, eulerseq: "XYZ".to_owned(), ..Compiler::default() };
    quaternion(&fixed, &Orientation::Euler(pose.rpy)).unwrap_or(quat::IDENTITY)
}

/// Rotated inertia R I Rᵀ.
fn rotated_inertia(full: [f64; 6], rotation: [f64; 4]) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = full;
    let inertia = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
    let r = quat::to_mat(rotation);
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
