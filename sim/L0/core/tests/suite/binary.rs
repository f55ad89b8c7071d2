//! Binary format of models: exact round trips, rejection of invalid data.

use crate::models::{cases, model};
use proptest::prelude::*;
use sim_core::{BinaryError, Model};

/// A loaded model has the same arrays and steps bit-identically.
fn round_trip_is_exact(m: &Model) {
    let bytes = m.to_bytes();
    let again = Model::from_bytes(&bytes).expect("a saved model loads");
    m.visit(&mut |field, view| assert_eq!(again.field(field.name), Some(view), "{}", field.name));
    assert_eq!((again.sizes(), &again.opt, &again.stat), (m.sizes(), &m.opt, &m.stat));
    assert_eq!(again.vis, m.vis);
    assert_eq!(bytes, again.to_bytes());
    let (mut a, mut b) = (m.make_data(), again.make_data());
    for _ in 0..3 {
        assert_eq!(a.step(m).is_ok(), b.step(&again).is_ok());
    }
    assert_eq!(a.qpos, b.qpos);
}
on_every_model!(round_trip_is_exact);

/// Joints and tendons damped by two actuators (-2), and an equality whose joint id exceeds the body count.
#[test]
fn unusual_references_round_trip() {
    let m = sim_mjcf::load_str(
        r#"<mujoco><worldbody><body><joint name="a"/><joint/><joint/><joint name="d"/><geom size="1"/></body></worldbody>
        <equality><joint joint1="d" joint2="a"/></equality>
        <tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>
        <actuator><motor joint="a" damping="1"/><motor joint="a" damping="1"/>
          <motor tendon="t" damping="1"/><motor tendon="t" damping="1"/></actuator></mujoco>"#,
    )
    .expect("a model");
    assert_eq!((m.jnt_actuatorid[0], m.tendon_actuatorid[0], m.eq_obj1id[0]), (-2, -2, 3));
    round_trip_is_exact(&m);
}

#[test]
fn invalid_files_are_rejected() {
    let rejected = |bytes: &[u8]| Model::from_bytes(bytes).expect_err("not a model");
    assert_eq!(rejected(b""), BinaryError::Foreign);
    assert_eq!(rejected(b"<mujoco/>"), BinaryError::Foreign);
    let good = model("robots/arm6").to_bytes();
    let mut other = good.clone();
    other[8] ^= 1;
    assert_eq!(rejected(&other), BinaryError::Version);
    let mut other = good.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    assert_eq!(rejected(&other), BinaryError::Checksum);
    assert_eq!(rejected(&good[..10]), BinaryError::Truncated);
    assert_eq!(rejected(&good[..good.len() - 1]), BinaryError::Checksum);
}

/// Replaces the checksum by that of the modified data.
fn with_valid_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Models with one inconsistent array each.
#[test]
fn inconsistent_arrays_are_rejected() {
    type Change = fn(&mut Model);
    let changes: [(&str, Change); 15] = [
        ("actuator_trnid", |m| m.actuator_trnid[0] = -1),
        ("nJmom", |m| m.nJmom = 0),
        ("body_rootid", |m| m.body_rootid[2] = 2),
        ("body_weldid", |m| m.body_weldid[1] = 0),
        ("body_jntadr", |m| m.body_jntadr[2] = 0),
        ("jnt_qposadr", |m| m.jnt_qposadr[1] = 0),
        ("jnt_dofadr", |m| m.jnt_dofadr[1] = 0),
        ("dof_parentid", |m| m.dof_parentid[1] = -1),
        ("M_colind", |m| m.M_colind[1] = 1),
        ("M_rowadr", |m| m.M_rowadr[1] = 0),
        ("tree_dofnum", |m| m.tree_dofnum[0] = 1),
        ("ten_J_colind", |m| m.ten_J_colind[0] = 1),
        ("wrap_prm", |m| m.wrap_prm.fill(99.0)),
        ("sensor_dim", |m| m.sensor_dim[0] = 0),
        ("sensor_historyadr", |m| m.sensor_history[0] = 5),
    ];
    for (array, change) in changes {
        let mut m = sim_mjcf::load_str(
            r#"<mujoco><worldbody><site name="w"/><geom name="g" size=".1" pos="0 0 3"/>
              <body name="a"><joint name="j"/><geom size=".1"/><site name="s" pos="1 0 0"/>
                <body><joint/><geom size=".1"/><site name="t" pos="2 0 0"/></body></body></worldbody>
            <tendon><spatial name="t"><site site="w"/><geom geom="g" sidesite="s"/><site site="t"/></spatial></tendon>
            <actuator><motor joint="j"/><motor tendon="t"/></actuator>
            <sensor><jointpos joint="j"/></sensor></mujoco>"#,
        )
        .expect("a model");
        assert!(Model::from_bytes(&m.to_bytes()).is_ok());
        change(&mut m);
        let error = Model::from_bytes(&m.to_bytes()).expect_err(array).to_string();
        assert!(error.contains(array), "{array}: {error}");
    }
}

proptest! {
    #![proptest_config(cases())]

    /// A corrupted file with a valid checksum is rejected, or loads to a model that can be stepped.
    #[test]
    fn corrupted_file_with_valid_checksum_does_not_panic(at in 16_usize..20_000, value: u8, name in 0_usize..4) {
        let names = ["robots/arm6", "robots/hand", "features/forest", "features/tendon_spatial"];
        let mut bytes = model(names[name]).to_bytes();
        let at = at % (bytes.len() - 4);
        bytes[at] = value;
        if let Ok(m) = Model::from_bytes(&with_valid_checksum(bytes)) {
            let mut d = m.make_data();
            let _ = d.step(&m);
        }
    }
}
