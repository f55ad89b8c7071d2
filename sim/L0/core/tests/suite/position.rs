//! Integration and differentiation on the configuration manifold are inverse to each other.

use crate::models::{Rng, model, moving};
use crate::tolerance::{ROUNDING, close};
use proptest::prelude::*;
use sim_core::types::JointType;
use sim_core::{Model, mj_differentiate_pos, mj_integrate_pos, mj_normalize_quat};

/// Addresses of the quaternions in `qpos`.
fn quaternions(m: &Model) -> Vec<usize> {
    (0..m.njnt)
        .filter_map(|j| match m.jnt_type[j] {
            JointType::Ball => Some(m.jnt_qposadr[j] as usize),
            JointType::Free => Some(m.jnt_qposadr[j] as usize + 3),
            JointType::Hinge | JointType::Slide => None,
        })
        .collect()
}

fn differentiate_inverts_integrate(m: &Model) {
    for seed in 0..20 {
        let start = moving(m, seed).qpos;
        let dt = 0.01 + 0.05 * seed as f64;
        // less than half a turn
        let velocity = Rng(seed + 100).numbers(m.nv, 1.7 / dt);
        let (mut end, mut back) = (start.clone(), vec![0.0; m.nv]);
        mj_integrate_pos(m, &mut end, &velocity, dt);
        mj_differentiate_pos(m, &mut back, dt, &start, &end);
        close("velocity", &back, &velocity, 10.0 * ROUNDING);
    }
}
on_every_model!(differentiate_inverts_integrate);

fn integrate_inverts_differentiate(m: &Model) {
    for seed in 0..20 {
        let (start, end) = (moving(m, seed).qpos, moving(m, seed + 200).qpos);
        let (mut velocity, mut got) = (vec![0.0; m.nv], start.clone());
        mj_differentiate_pos(m, &mut velocity, 0.3, &start, &end);
        mj_integrate_pos(m, &mut got, &velocity, 0.3);
        // a quaternion and its negative are the same orientation
        for adr in quaternions(m) {
            if sim_core::math::dot(&got[adr..adr + 4], &end[adr..adr + 4]) < 0.0 {
                got[adr..adr + 4].iter_mut().for_each(|x| *x = -*x);
            }
        }
        close("qpos", &got, &end, 10.0 * ROUNDING);
    }
}
on_every_model!(integrate_inverts_differentiate);

fn integration_keeps_unit_quaternions(m: &Model) {
    let mut qpos = m.qpos0.clone();
    let mut rng = Rng(61);
    for _ in 0..1000 {
        mj_integrate_pos(m, &mut qpos, &rng.numbers(m.nv, 5.0), 0.01);
    }
    for adr in quaternions(m) {
        close("|q|", &[sim_core::math::norm(&qpos[adr..adr + 4])], &[1.0], ROUNDING);
    }
}
on_models!(integration_keeps_unit_quaternions:
    robots / humanoid, features / ball, features / free, features / forest,
);

#[test]
fn normalize_quat_changes_only_quaternions() {
    let m = model("features/forest");
    let mut rng = Rng(62);
    let before = rng.numbers(m.nq, 3.0);
    let mut after = before.clone();
    mj_normalize_quat(&m, &mut after);
    let mut in_quaternion = vec![false; m.nq];
    for adr in quaternions(&m) {
        in_quaternion[adr..adr + 4].fill(true);
        let length = sim_core::math::norm(&before[adr..adr + 4]);
        let unit: Vec<f64> = before[adr..adr + 4].iter().map(|x| x / length).collect();
        close("q", &after[adr..adr + 4], &unit, ROUNDING);
    }
    assert!((0..m.nq).all(|i| in_quaternion[i] || after[i] == before[i]));
    assert!(in_quaternion.contains(&true) && in_quaternion.contains(&false));
}

proptest! {
    #![proptest_config(crate::models::cases())]

    #[test]
    fn two_half_steps_equal_one_step_at_constant_velocity(seed in 0_u64..1000, dt in 1e-4..0.5) {
        let m = model("features/ball");
        let start = moving(&m, seed).qpos;
        let velocity = Rng(seed).numbers(m.nv, 3.0);
        let (mut whole, mut halves) = (start.clone(), start);
        mj_integrate_pos(&m, &mut whole, &velocity, dt);
        mj_integrate_pos(&m, &mut halves, &velocity, 0.5 * dt);
        mj_integrate_pos(&m, &mut halves, &velocity, 0.5 * dt);
        close("qpos", &halves, &whole, ROUNDING);
    }
}
