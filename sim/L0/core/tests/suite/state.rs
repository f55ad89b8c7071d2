//! Time, reset, keyframes, copies, and determinism of stepping.

use crate::models::{Rng, driven, model, steps};
use crate::tolerance::{ROUNDING, close};
use sim_core::field::FieldView;
use sim_core::types::ObjType;
use sim_core::{Data, Model};

/// Bit-exact text representation of all fields.
fn bits(d: &Data) -> Vec<String> {
    let mut all = vec![format!("time {:x}", d.time.to_bits())];
    d.visit(&mut |row, view| {
        let numbers = match view {
            FieldView::F64(v) => v.iter().map(|x| format!("{:x}", x.to_bits())).collect(),
            other => vec![format!("{other:?}")],
        };
        all.push(format!("{} {}", row.name, numbers.join(" ")));
    });
    all
}

fn stepping_is_deterministic(m: &Model) {
    let run = || {
        let mut d = driven(m, 41);
        steps(m, &mut d, 20);
        bits(&d)
    };
    assert_eq!(run(), run());
}
on_every_model!(stepping_is_deterministic);

/// Clones and copies share no memory and continue bit-identically.
fn copies_continue_bit_identically(m: &Model) {
    let mut original = driven(m, 42);
    steps(m, &mut original, 3);
    let mut clone = original.clone();
    let mut copy = driven(m, 43);
    steps(m, &mut copy, 2);
    copy.copy_from(&original);
    assert_eq!(bits(&copy), bits(&original));
    for d in [&mut original, &mut clone, &mut copy] {
        steps(m, d, 5);
    }
    assert_eq!(bits(&clone), bits(&original));
    assert_eq!(bits(&copy), bits(&original));
}
on_every_model!(copies_continue_bit_identically);

fn reset_equals_new_data(m: &Model) {
    let mut used = driven(m, 44);
    steps(m, &mut used, 5);
    used.reset(m);
    let mut fresh = m.make_data();
    assert_eq!(bits(&used), bits(&fresh));
    assert_eq!(used.warning, fresh.warning);
    steps(m, &mut used, 5);
    steps(m, &mut fresh, 5);
    assert_eq!(bits(&used), bits(&fresh));
}
on_every_model!(reset_equals_new_data);

fn time_advances_by_the_time_step(m: &Model) {
    let mut d = m.make_data();
    assert_eq!(d.time, 0.0);
    steps(m, &mut d, 10);
    close("time", &[d.time], &[10.0 * m.opt.timestep], ROUNDING);
}
on_every_model!(time_advances_by_the_time_step);

#[test]
fn results_do_not_depend_on_earlier_steps_of_the_same_data() {
    let m = model("robots/humanoid");
    let mut used = driven(&m, 45);
    steps(&m, &mut used, 5);
    let mut fresh = m.make_data();
    for d in [&mut used, &mut fresh] {
        let mut rng = Rng(46);
        d.qpos.copy_from_slice(&m.qpos0);
        d.qvel = rng.numbers(m.nv, 1.0);
        d.ctrl.fill(0.0);
        d.qfrc_applied.fill(0.0);
        d.xfrc_applied.fill(0.0);
        d.forward(&m).unwrap();
    }
    assert_eq!(used.qacc, fresh.qacc);
}

#[test]
fn keyframe_sets_time_position_velocity_and_control() {
    let m = model("features/keyframes");
    let mut d = driven(&m, 47);
    steps(&m, &mut d, 5);
    let key = m.name2id(ObjType::Key, "complete").unwrap();
    assert!(d.reset_to_keyframe(&m, key));
    assert_eq!(d.time, 1.25);
    assert_eq!(d.qpos, m.key_qpos[key * m.nq..][..m.nq]);
    assert_eq!(d.qpos[0], 0.6);
    assert_eq!(d.qvel, [0.5, 1.0, -1.0, 2.0, 0.1, 0.2, 0.3, 1.0, 2.0, 3.0]);
    assert_eq!(d.ctrl, [0.4, -0.2]);
    assert!(d.qfrc_applied.iter().chain(&d.xfrc_applied).chain(&d.qacc).all(|&x| x == 0.0));
}

#[test]
fn invalid_keyframe_changes_nothing() {
    let m = model("features/keyframes");
    let mut d = driven(&m, 48);
    let before = bits(&d);
    assert!(!d.reset_to_keyframe(&m, m.nkey));
    assert_eq!(bits(&d), before);
}
