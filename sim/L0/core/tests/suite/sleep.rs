//! Sleeping trees: their state is bitwise constant, a disturbance wakes the whole island, and
//! nobody gains energy by it.

use crate::models::{constrained, load, steps};
use sim_core::types::{EnableBit, Integrator};
use sim_core::{Data, Model, check_sleep_init, mj_forward};

/// A floor with some bodies on it, and what comes after the `worldbody`.
fn floor(bodies: &str, after: &str) -> Model {
    load(&format!(
        r#"<mujoco><option><flag sleep="enable" energy="enable"/></option>
        <worldbody><geom type="plane" size="5 5 .1"/>{bodies}</worldbody>{after}</mujoco>"#
    ))
}

const STACK: &str = r#"
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
    <body pos="0 0 .3"><freejoint/><geom type="box" size=".15 .15 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#;

/// Steps until `asleep` trees sleep.
#[track_caller]
fn until_asleep(m: &Model, d: &mut Data, asleep: usize) {
    for _ in 0..2000 {
        d.step(m).unwrap();
        if m.ntree - d.ntree_awake == asleep {
            return;
        }
    }
    panic!("{:?} after {} s", d.tree_asleep, d.time);
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn resting_stack_sleeps_as_one_island_with_unchanged_state() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut m = floor(STACK, "");
        m.opt.integrator = integrator;
        let mut d = m.make_data();
        until_asleep(&m, &mut d, 3);
        assert_eq!(d.tree_asleep, [1, 0, 2], "{integrator:?}");
        assert_eq!((d.nbody_awake, d.nv_awake, d.nparent_awake), (1, 0, 3));
        assert!(d.qvel.iter().all(|x| x.to_bits() == 0));
        let before = (bits(&d.qpos), bits(&d.xpos), bits(&d.geom_xpos), bits(&d.qfrc_bias));
        steps(&m, &mut d, 300);
        assert_eq!((d.ncon, d.nefc), (0, 0));
        let after = (bits(&d.qpos), bits(&d.xpos), bits(&d.geom_xpos), bits(&d.qfrc_bias));
        assert_eq!(before, after, "{integrator:?}");
    }
}

#[test]
fn every_disturbance_wakes_the_whole_island() {
    let m = floor(STACK, "");
    let mut rest = m.make_data();
    until_asleep(&m, &mut rest, 3);
    let woken = |disturb: &dyn Fn(&mut Data)| {
        let mut d = rest.clone();
        disturb(&mut d);
        d.step(&m).unwrap();
        d.tree_awake
    };
    assert_eq!(woken(&|_| {}), [0, 0, 0]);
    assert_eq!(woken(&|d| d.qpos[9] += 1e-15), [1, 1, 0], "moved");
    assert_eq!(woken(&|d| d.qvel[0] = 1e-300), [1, 1, 0], "given a velocity");
    assert_eq!(woken(&|d| d.qfrc_applied[12] = 1.0), [0, 0, 1], "pushed at a joint");
    assert_eq!(woken(&|d| d.xfrc_applied[6 * 2 + 2] = 1.0), [1, 1, 0], "pushed at a body");
}

#[test]
fn contact_wakes_the_whole_stack_and_no_other_tree() {
    let m = constrained("features/sleep_flag");
    let mut d = m.make_data();
    until_asleep(&m, &mut d, 3);
    let mut hit = None;
    for _ in 0..1000 {
        let before = d.tree_awake.clone();
        d.step(&m).unwrap();
        if before[..2] == [0, 0] && d.tree_awake[..2] != [0, 0] {
            hit = Some(d.tree_awake.clone());
            break;
        }
    }
    assert_eq!(hit, Some(vec![1, 1, 1, 0]));
    until_asleep(&m, &mut d, 4);
}

#[test]
fn falling_asleep_never_increases_energy() {
    for drop in [0.1, 0.1003, 0.13, 0.2] {
        let m = floor(
            &format!(
                r#"<body pos="0 0 {drop}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#
            ),
            "",
        );
        let mut awake = m.clone();
        awake.opt.enableflags &= !(EnableBit::Sleep as i32);
        let energy = |d: &Data| {
            let mut d = d.clone();
            mj_forward(&awake, &mut d).unwrap();
            d.energy[0] + d.energy[1]
        };
        let mut d = m.make_data();
        let mut before = energy(&d);
        while d.ntree_awake > 0 && d.time < 5.0 {
            before = energy(&d);
            d.step(&m).unwrap();
        }
        assert_eq!(d.ntree_awake, 0, "dropped from {drop}");
        assert!(energy(&d) <= before, "{} after {before}", energy(&d));
    }
}

#[test]
fn enabled_sleep_does_not_change_awake_dynamics() {
    let m = constrained("features/sleep_flag");
    let mut off = m.clone();
    off.opt.enableflags &= !(EnableBit::Sleep as i32);
    let (mut a, mut b) = (m.make_data(), off.make_data());
    let mut compared = 0;
    while a.ntree_awake == m.ntree && compared < 2000 {
        assert_eq!(bits(&a.qpos), bits(&b.qpos), "step {compared}");
        a.step(&m).unwrap();
        b.step(&off).unwrap();
        compared += 1;
    }
    assert!((20..2000).contains(&compared), "{compared} steps");
}

#[test]
fn disabling_sleep_wakes_all_trees() {
    let mut m = floor(STACK, "");
    let mut d = m.make_data();
    until_asleep(&m, &mut d, 3);
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    d.step(&m).unwrap();
    assert_eq!((d.ntree_awake, d.nv_awake), (3, m.nv));
    assert!(d.nefc > 0);
}

#[test]
fn enabling_sleep_keeps_static_kinematics() {
    let on = floor(r#"<body pos="0 1 2"><geom name="fixed" size=".1"/></body>"#, "");
    let mut m = on.clone();
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    let mut d = m.make_data();
    mj_forward(&on, &mut d).unwrap();
    assert_eq!(d.geom_xpos[3..], [0.0, 1.0, 2.0]);
}

#[test]
fn moving_mocap_body_wakes_welded_trees() {
    let m = floor(
        r#"<body name="mocap" mocap="true" pos="0 0 1"/>
        <body name="held" pos="0 0 1"><freejoint/><geom size=".1"/></body>"#,
        r#"<equality><weld body1="mocap" body2="held"/></equality>"#,
    );
    let mut d = m.make_data();
    until_asleep(&m, &mut d, 1);
    steps(&m, &mut d, 50);
    assert_eq!(d.ntree_awake, 0);
    d.mocap_pos[0] = 0.2;
    d.step(&m).unwrap();
    assert_eq!(d.ntree_awake, 1);
    until_asleep(&m, &mut d, 1);
    assert!((d.qpos[0] - 0.2).abs() < 1e-3, "{}", d.qpos[0]);
}

#[test]
fn sleep_policies_are_resolved() {
    let m = floor(
        r#"<body pos="0 0 .1" sleep="never"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="1 0 .1" sleep="allowed"><joint name="j" axis="0 0 1" damping="1"/>
          <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
        <body pos="2 0 .1"><joint name="k" axis="0 0 1" damping="1"/>
          <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
        <body pos="3 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#,
        r#"<actuator><motor joint="j"/><motor joint="k"/></actuator>"#,
    );
    let mut d = m.make_data();
    assert_eq!(d.tree_awake, [1, 1, 1, 0], "at the start");
    assert_eq!((d.ncon, d.nefc), (0, 0));
    steps(&m, &mut d, 300);
    assert_eq!(d.tree_awake, [1, 0, 1, 0], "never, allowed, actuated, from the start");
}

#[test]
fn tree_in_contact_with_an_awake_tree_cannot_be_initialised_asleep() {
    let mut m = floor(STACK, "");
    m.tree_sleep_policy[0] = sim_core::types::SleepPolicy::Init;
    let error = check_sleep_init(&m).unwrap_err();
    assert_eq!((error.wanted, error.slept, error.body), (1, 0, 1));
    assert_eq!(m.make_data().ntree_awake, 3, "and is awake");
    m.tree_sleep_policy[1] = sim_core::types::SleepPolicy::Init;
    assert_eq!(check_sleep_init(&m), Ok(()));
    assert_eq!(m.make_data().tree_awake, [0, 0, 1]);
}

#[test]
fn invalid_sleep_cycles_do_not_hang() {
    let m = floor(STACK, "");
    for ring in [[7, 7, 7], [1, 2, 1], [0, 0, 0], [i32::MAX, i32::MIN, 5]] {
        let mut d = m.make_data();
        d.tree_asleep.copy_from_slice(&ring);
        d.qvel.fill(0.1);
        steps(&m, &mut d, 20);
        assert!(d.qpos.iter().all(|x| x.is_finite()));
    }
}
