//! State vectors: sizes, order of components, round trips, keyframes, errors.

use crate::models::{driven, load, model, steps};
use sim_core::types::{StateBits, StateError};
use sim_core::{
    Data, Model, mj_copy_state, mj_extract_state, mj_get_state, mj_set_keyframe, mj_set_state,
    mj_state_size,
};

/// A model in which every state component except the plugin state is non-empty.
fn model_with_all_components() -> Model {
    load(
        r#"<mujoco><option><flag contact="disable"/></option><size nuserdata="3" nkey="2"/>
        <worldbody><body name="m" mocap="true" pos="1 2 3"/>
        <body name="f"><freejoint/><geom size=".1"/></body>
        <body name="h"><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
        <equality><weld body1="m" body2="f" active="false"/><joint joint1="j" active="true"/></equality>
        <actuator><general joint="j" dyntype="filter" dynprm=".1"/>
        <motor joint="j" delay=".01" nsample="6"/></actuator>
        <sensor><jointpos joint="j" nsample="3" delay=".004"/></sensor></mujoco>"#,
    )
}

fn saved(m: &Model, d: &Data, sig: StateBits) -> Vec<f64> {
    let mut state = vec![f64::NAN; mj_state_size(m, sig)];
    mj_get_state(m, d, &mut state, sig).unwrap();
    state
}

#[test]
fn sizes_match_mujoco() {
    let m = model_with_all_components();
    let parts = [1, 8, 7, 1, 22, 7, 2, 7, 24, 2, 3, 4, 3, 0];
    for (k, size) in parts.into_iter().enumerate() {
        assert_eq!(mj_state_size(&m, StateBits::from_bits(1 << k).unwrap()), size, "bit {k}");
    }
    for (sig, bits, size) in [
        (StateBits::PHYSICS, 30, 38),
        (StateBits::FULLPHYSICS, 8223, 39),
        (StateBits::USER, 8128, 45),
        (StateBits::INTEGRATION, 16383, 91),
        (StateBits::NONE, 0, 0),
    ] {
        assert_eq!((sig.bits(), mj_state_size(&m, sig)), (bits, size));
    }
}

#[test]
fn component_order_matches_mujoco() {
    let m = model_with_all_components();
    let mut d = m.make_data();
    let numbers: Vec<f64> = (1..=91).map(f64::from).collect();
    mj_set_state(&m, &mut d, &numbers, StateBits::INTEGRATION).unwrap();
    assert_eq!(d.time, 1.0);
    assert_eq!(d.qpos, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let first = [&d.qvel, &d.act, &d.history, &d.qacc_warmstart, &d.qfrc_applied, &d.xfrc_applied];
    assert_eq!(first.map(|v| v[0]), [10.0, 17.0, 18.0, 40.0, 49.0, 56.0]);
    assert_eq!(d.ctrl, [47.0, 48.0]);
    assert_eq!(d.eq_active, [true, true]);
    assert_eq!(d.mocap_pos, [82.0, 83.0, 84.0]);
    assert_eq!(d.mocap_quat, [85.0, 86.0, 87.0, 88.0]);
    assert_eq!(d.userdata, [89.0, 90.0, 91.0]);
    let mut back = saved(&m, &d, StateBits::INTEGRATION);
    assert_eq!(back[79..81], [1.0, 1.0], "switches are zero or one");
    back[79..81].copy_from_slice(&numbers[79..81]);
    assert_eq!(back, numbers);
}

#[test]
fn extract_state_matches_get_state() {
    let m = model_with_all_components();
    let mut d = driven(&m, 71);
    d.time = 3.5;
    d.userdata.fill(7.0);
    let whole = saved(&m, &d, StateBits::INTEGRATION);
    for bits in [0, 1, 0b1010_1010_1010, 0b10_0111_0001_0110, 16383] {
        let sig = StateBits::from_bits(bits).unwrap();
        let mut part = vec![0.0; mj_state_size(&m, sig)];
        mj_extract_state(&m, &whole, StateBits::INTEGRATION, &mut part, sig).unwrap();
        assert_eq!(part, saved(&m, &d, sig));
        let mut other = m.make_data();
        mj_copy_state(&m, &d, &mut other, sig).unwrap();
        assert_eq!(saved(&m, &other, sig), part);
        let rest = !sig;
        assert_eq!(
            saved(&m, &other, rest),
            saved(&m, &m.make_data(), rest),
            "other components are unchanged"
        );
    }
}

/// Saves after ten steps and takes ten more; restoring into data with a different history and taking ten steps
/// gives the same bits.
fn restored_states_continue_bit_identically(m: &Model) {
    let mut d = driven(m, 72);
    steps(m, &mut d, 10);
    let state = saved(m, &d, StateBits::INTEGRATION);
    steps(m, &mut d, 10);
    let end = saved(m, &d, StateBits::INTEGRATION);
    let mut other = driven(m, 73);
    steps(m, &mut other, 3);
    for data in [&mut d, &mut other] {
        mj_set_state(m, data, &state, StateBits::INTEGRATION).unwrap();
        steps(m, data, 10);
        let again = saved(m, data, StateBits::INTEGRATION);
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&again), bits(&end));
    }
}
on_every_model!(restored_states_continue_bit_identically);

#[test]
fn wrong_lengths_and_missing_components_are_rejected() {
    let m = model_with_all_components();
    let mut d = m.make_data();
    let before = saved(&m, &d, StateBits::INTEGRATION);
    let sig = StateBits::QPOS;
    let short = Err(StateError::Length { needed: 8, given: 7 });
    assert_eq!(mj_get_state(&m, &d, &mut [0.0; 7], sig), short);
    assert_eq!(mj_set_state(&m, &mut d, &[0.0; 7], sig), short);
    let long = Err(StateError::Length { needed: 8, given: 9 });
    assert_eq!(mj_extract_state(&m, &[0.0; 9], sig, &mut [0.0; 8], sig), long);
    assert_eq!(mj_extract_state(&m, &[0.0; 8], sig, &mut [0.0; 9], sig), long);
    assert_eq!(
        mj_extract_state(&m, &[0.0; 8], sig, &mut [0.0; 7], StateBits::QVEL),
        Err(StateError::NotContained { source_bits: 2, wanted_bits: 4 })
    );
    let mut other = model("robots/humanoid").make_data();
    let foreign = Err(StateError::OtherModel);
    assert_eq!(mj_get_state(&m, &other, &mut [0.0; 8], sig), foreign);
    assert_eq!(mj_set_state(&m, &mut other, &[0.0; 8], sig), foreign);
    assert_eq!(mj_copy_state(&m, &other, &mut d, sig), foreign);
    assert_eq!(mj_copy_state(&m, &d, &mut other, sig), foreign);
    assert_eq!(saved(&m, &d, StateBits::INTEGRATION), before);
}

#[test]
fn keyframe_round_trip() {
    let mut m = model_with_all_components();
    let mut d = driven(&m, 74);
    d.time = 2.5;
    d.act[0] = 0.3;
    d.mocap_pos[1] = -4.0;
    d.mocap_quat.copy_from_slice(&[0.5, 0.5, 0.5, 0.5]);
    mj_set_keyframe(&mut m, &d, 1).unwrap();
    let mut back = m.make_data();
    assert!(back.reset_to_keyframe(&m, 1));
    let kept = StateBits::TIME
        | StateBits::QPOS
        | StateBits::QVEL
        | StateBits::ACT
        | StateBits::CTRL
        | StateBits::MOCAP_POS
        | StateBits::MOCAP_QUAT;
    assert_eq!(saved(&m, &back, kept), saved(&m, &d, kept));
    assert_eq!(saved(&m, &back, !kept), saved(&m, &m.make_data(), !kept));
    assert_eq!(m.key_qpos[..m.nq], m.qpos0, "the other keyframe is unchanged");
    let error = mj_set_keyframe(&mut m, &d, 2).unwrap_err();
    assert_eq!(error, StateError::NoKeyframe { key: 2, nkey: 2 });
    let other = model("robots/humanoid").make_data();
    assert_eq!(mj_set_keyframe(&mut m, &other, 0), Err(StateError::OtherModel));
}
