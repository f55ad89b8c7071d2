//! Gravity compensation: full compensation balances gravity.

use crate::models::{load, moving};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use sim_core::types::DisableBit;
use sim_core::{Model, mj_forward};

/// The model with the fraction `gravcomp` of every body's weight compensated, without springs and actuation.
fn compensated(m: &Model, gravcomp: f64) -> Model {
    let mut m = m.clone();
    m.body_gravcomp.fill(gravcomp);
    m.ngravcomp = m.nbody;
    m.jnt_stiffness.fill(0.0);
    m.jnt_stiffnesspoly.fill(0.0);
    m.opt.disableflags |= DisableBit::Actuation as i32;
    m
}

fn full_compensation_balances_gravity(m: &Model) {
    let m = compensated(m, 1.0);
    let mut d = moving(&m, 3);
    d.qvel.fill(0.0);
    mj_forward(&m, &mut d).unwrap();
    close("qfrc_gravcomp", &d.qfrc_gravcomp, &d.qfrc_bias, ROUNDING);
    close("qacc", &d.qacc, &vec![0.0; m.nv], ALGORITHM);
}
on_models!(full_compensation_balances_gravity:
    robots / arm6, robots / arm7, robots / cartpole, robots / hand, robots / hopper,
    robots / humanoid, robots / quadruped, chains / chain_10, features / ball,
    features / branching_tree, features / forest, features / multi_joint_body,
    features / tilted_gravity,
);

fn half_compensation_halves_the_acceleration(m: &Model) {
    let acceleration = |gravcomp: f64| {
        let m = compensated(m, gravcomp);
        let mut d = moving(&m, 4);
        d.qvel.fill(0.0);
        mj_forward(&m, &mut d).unwrap();
        d.qacc
    };
    let half: Vec<f64> = acceleration(0.0).iter().map(|a| 0.5 * a).collect();
    close("qacc", &acceleration(0.5), &half, ALGORITHM);
}
on_models!(half_compensation_halves_the_acceleration: robots / arm6, robots / humanoid, features / ball);

/// With `actuatorgravcomp` the force is part of `qfrc_actuator`, where the joint's force range applies.
#[test]
fn actgravcomp_is_clamped_to_the_joint_force_range() {
    let arm = |joint: &str| {
        load(&format!(
            r#"<mujoco><option><flag contact="disable"/></option><worldbody>
            <body gravcomp="1"><joint axis="0 1 0" {joint}/><geom size=".1" mass="2" pos="1 0 0"/></body>
            </worldbody><actuator><motor joint="j"/></actuator></mujoco>"#
        ))
    };
    let weight = 2.0 * 9.81;
    for (joint, passive, actuator) in [
        (r#"name="j""#, -weight, 0.0),
        (r#"name="j" actuatorgravcomp="true""#, 0.0, -weight),
        (r#"name="j" actuatorgravcomp="true" actuatorfrcrange="-5 5""#, 0.0, -5.0),
    ] {
        let m = arm(joint);
        let mut d = m.make_data();
        mj_forward(&m, &mut d).unwrap();
        close(joint, &[d.qfrc_passive[0], d.qfrc_actuator[0]], &[passive, actuator], ROUNDING);
    }
}
