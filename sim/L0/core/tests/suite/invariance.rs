//! Invariance of the dynamics under rigid motion of the world frame.

use crate::models::{Rng, driven, steps};
use crate::tolerance::{TRAJECTORY, close};
use sim_core::Model;
use sim_core::math::{quat, vec3};
use sim_core::types::JointType;

/// A rigid displacement: rotation, then translation.
#[derive(Clone, Copy)]
struct Displacement {
    rotation: quat::Quat,
    translation: vec3::Vec3,
}

impl Displacement {
    fn rotate(self, v: &mut [f64]) {
        let rotated = quat::rotate(self.rotation, [v[0], v[1], v[2]]);
        v[..3].copy_from_slice(&rotated);
    }

    /// Displaces a pose.
    fn pose(self, pos: &mut [f64], rot: &mut [f64]) {
        self.rotate(pos);
        for (p, t) in pos.iter_mut().zip(self.translation) {
            *p += t;
        }
        let rotated = quat::mul(self.rotation, [rot[0], rot[1], rot[2], rot[3]]);
        rot.copy_from_slice(&rotated);
    }

    /// The model with displaced trees and rotated gravity.
    fn model(self, m: &Model) -> Model {
        let mut m = m.clone();
        for b in (1..m.nbody).filter(|&b| m.body_parentid[b] == 0).collect::<Vec<_>>() {
            self.pose(&mut m.body_pos[3 * b..][..3], &mut m.body_quat[4 * b..][..4]);
        }
        for (j, q) in free_joints(&m) {
            assert_eq!(
                m.jnt_stiffness[j], 0.0,
                "a spring on a free joint depends on the world frame"
            );
            let (pos, rot) = m.qpos0[q..q + 7].split_at_mut(3);
            self.pose(pos, rot);
        }
        self.rotate(&mut m.opt.gravity);
        m.refresh();
        m
    }

    /// Coordinates of the displaced mechanism: only free joints change.
    fn state(self, m: &Model, qpos: &mut [f64], qvel: &mut [f64]) {
        for (j, q) in free_joints(m) {
            let (pos, rot) = qpos[q..q + 7].split_at_mut(3);
            self.pose(pos, rot);
            self.rotate(&mut qvel[m.jnt_dofadr[j] as usize..]);
        }
    }
}

fn free_joints(m: &Model) -> Vec<(usize, usize)> {
    let free = (0..m.njnt).filter(|&j| m.jnt_type[j] == JointType::Free);
    free.map(|j| (j, m.jnt_qposadr[j] as usize)).collect()
}

fn check(m: &Model, by: Displacement) {
    let other = by.model(m);
    let mut d = driven(m, 11);
    let mut e = other.make_data();
    (e.qpos, e.qvel, e.ctrl) = (d.qpos.clone(), d.qvel.clone(), d.ctrl.clone());
    by.state(m, &mut e.qpos, &mut e.qvel);
    // forces on bodies and on the translations of free joints are in world axes
    e.xfrc_applied = d.xfrc_applied.clone();
    for wrench in e.xfrc_applied.chunks_exact_mut(3) {
        by.rotate(wrench);
    }
    e.qfrc_applied = d.qfrc_applied.clone();
    for (j, _) in free_joints(m) {
        by.rotate(&mut e.qfrc_applied[m.jnt_dofadr[j] as usize..]);
    }
    // actuators on free joints act along world axes
    assert!(
        m.actuator_trnid
            .chunks_exact(2)
            .all(|id| { m.jnt_type[id[0] as usize] != JointType::Free })
    );

    steps(m, &mut d, 100);
    steps(&other, &mut e, 100);
    let (mut qpos, mut qvel) = (d.qpos.clone(), d.qvel.clone());
    by.state(m, &mut qpos, &mut qvel);
    close("qpos", &e.qpos, &qpos, TRAJECTORY);
    close("qvel", &e.qvel, &qvel, TRAJECTORY);
}

fn dynamics_are_invariant_under_translation(m: &Model) {
    check(m, Displacement { rotation: quat::IDENTITY, translation: [1.0, -2.0, 0.5] });
}

fn dynamics_are_invariant_under_rotation_of_world_and_gravity(m: &Model) {
    let rotation = Rng(12).rotation();
    check(m, Displacement { rotation, translation: [0.3, 0.2, -0.7] });
}

macro_rules! on_displaced_models {
    ($check:ident) => {
        on_models!($check:
            robots / arm6, robots / cartpole, robots / double_pendulum, robots / hand,
            robots / humanoid, robots / quadruped, chains / chain_10, chains / chain_100,
            features / ball, features / branching_tree, features / free,
            features / free_offset_inertia, features / multi_joint_body, features / rk4_tree,
            features / slide, features / tilted_gravity,
        );
    };
}
on_displaced_models!(dynamics_are_invariant_under_translation);
on_displaced_models!(dynamics_are_invariant_under_rotation_of_world_and_gravity);
