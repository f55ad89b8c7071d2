//! Gravity compensation: weight that is taken off in full leaves nothing to fall.

use crate::models::{load, moving};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use sim_core::types::DisableBit;
use sim_core::{Model, mj_forward};

/// The model with every body's weight taken off by `share`, without springs and limits.
fn lifted(m: &Model, share: f64) -> Model {
    let mut m = m.clone();
    m.body_gravcomp.fill(share);
    m.ngravcomp = m.nbody;
    m.jnt_stiffness.fill(0.0);
    m.jnt_stiffnesspoly.fill(0.0);
    m.opt.disableflags |= DisableBit::Actuation as i32;
    m
}

fn full_compensation_balances_gravity(m: &Model) {
    let m = lifted(m, 1.0);
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

fn half_the_compensation_halves_the_fall(m: &Model) {
    let fall = |share: f64| {
        let m = lifted(m, share);
        let mut d = moving(&m, 4);
        d.qvel.fill(0.0);
        mj_forward(&m, &mut d).unwrap();
        d.qacc
    };
    let half: Vec<f64> = fall(0.0).iter().map(|a| 0.5 * a).collect();
    close("qacc", &fall(0.5), &half, ALGORITHM);
}
on_models!(half_the_compensation_halves_the_fall: robots / arm6, robots / humanoid, features / ball);

/// The force moves from the passive forces to the actuators, where limits of the joint apply.
#[test]
fn actuators_bear_it_within_their_limits() {
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
