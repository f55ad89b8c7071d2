//! Footprints: a stage reads only what it says, and writes exactly the fields that name it.
//!
//! Everything is evaluated once. Then each field that the stage may not read, its own results
//! included, is poisoned, and the stage alone must bring back its own fields, bit by bit, and leave
//! the poison in all others.

use crate::models::{driven, model};
use sim_core::field::FieldView;
use sim_core::{
    Data, Model, Stage, mj_camlight, mj_com_pos, mj_com_vel, mj_factor_m, mj_forward,
    mj_fwd_acceleration, mj_fwd_actuation, mj_fwd_constraint, mj_fwd_velocity, mj_kinematics,
    mj_make_m, mj_passive, mj_rne_post_constraint, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel,
    mj_subtree_vel, mj_transmission,
};

/// Every field with its stage and its bits.
fn snapshot(d: &Data) -> Vec<(&'static str, Stage, Vec<u64>)> {
    let mut all = Vec::new();
    d.visit(&mut |row, view| {
        let bits = match view {
            FieldView::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
            FieldView::I32(v) => v.iter().map(|&x| u64::from(x.cast_unsigned())).collect(),
            FieldView::U8(v) => v.iter().map(|&x| u64::from(x)).collect(),
            other => vec![other.len() as u64],
        };
        all.push((row.name, row.stage, bits));
    });
    all
}

const MODELS: [&str; 12] = [
    "robots/arm6",
    "robots/humanoid",
    "features/energy_flag",
    "features/cameras_lights",
    "features/affine_actuators",
    "features/actuator_damping_armature",
    "features/transmission_tendon",
    "features/transmission_refsite",
    "features/actuator_activation",
    "features/dcmotor_combined",
    "features/delay_interpolation",
    "features/sensor_history",
];

/// Runs a stage among poison, on every model.
#[track_caller]
fn check(own: &[Stage], reads: &[&str], run: impl Fn(&Model, &mut Data)) {
    let mut written = 0;
    for path in MODELS {
        let m = model(path);
        let mut d = driven(&m, 71);
        mj_forward(&m, &mut d).unwrap();
        mj_subtree_vel(&m, &mut d);
        mj_rne_post_constraint(&m, &mut d);
        let truth = snapshot(&d);
        for row in Data::FIELDS.iter().filter(|row| !reads.contains(&row.name)) {
            if let Some(values) = d.field_mut(row.name) {
                values.fill(f64::NAN);
            }
        }
        let before = snapshot(&d);
        run(&m, &mut d);
        for ((row, poisoned), true_row) in snapshot(&d).iter().zip(&before).zip(&truth) {
            let (name, stage, bits) = row;
            if own.contains(stage) {
                assert_eq!(bits, &true_row.2, "{path}: {name} is not what it was");
                written += usize::from(!bits.is_empty());
            } else {
                assert_eq!(bits, &poisoned.2, "{path}: {name} belongs to {stage:?}");
            }
        }
    }
    assert!(written > 0, "no model has a field of {own:?}");
}

#[test]
fn kinematics() {
    check(&[Stage::Kinematics], &["qpos", "mocap_pos", "mocap_quat"], mj_kinematics);
}

#[test]
fn com_pos() {
    check(&[Stage::ComPos], &["xipos", "ximat", "xmat", "xanchor", "xaxis"], mj_com_pos);
}

#[test]
fn camlight() {
    check(&[Stage::Camlight], &["xpos", "xquat", "xmat", "subtree_com"], mj_camlight);
}

#[test]
fn make_m() {
    check(&[Stage::MakeM], &["cinert", "cdof", "ten_J"], mj_make_m);
}

#[test]
fn factor_m() {
    check(&[Stage::FactorM], &["M"], mj_factor_m);
}

#[test]
fn transmission() {
    check(
        &[Stage::Transmission],
        &["qpos", "xquat", "site_xpos", "site_xmat", "subtree_com", "cdof", "ten_length", "ten_J"],
        mj_transmission,
    );
}

#[test]
fn com_vel() {
    check(&[Stage::ComVel], &["cdof", "qvel"], mj_com_vel);
}

#[test]
fn passive() {
    let reads = ["qpos", "qvel", "ten_length", "ten_velocity", "ten_J"];
    check(&[Stage::Passive], &reads, mj_passive);
}

/// The driver of the velocity stage: what it calls, and the bias force, which only it computes.
#[test]
fn fwd_velocity() {
    check(
        &[Stage::FwdVelocity, Stage::ComVel, Stage::Passive, Stage::Rne],
        &[
            "qpos",
            "qvel",
            "actuator_moment",
            "cdof",
            "cinert",
            "subtree_com",
            "site_xpos",
            "ten_length",
            "ten_J",
        ],
        mj_fwd_velocity,
    );
}

#[test]
fn fwd_actuation() {
    check(
        &[Stage::FwdActuation],
        &["ctrl", "act", "history", "actuator_length", "actuator_velocity", "actuator_moment"],
        mj_fwd_actuation,
    );
}

#[test]
fn fwd_acceleration() {
    check(
        &[Stage::FwdAcceleration],
        &[
            "qfrc_passive",
            "qfrc_bias",
            "qfrc_applied",
            "qfrc_actuator",
            "xfrc_applied",
            "xipos",
            "subtree_com",
            "cdof",
            "qLD",
            "qLDiagInv",
        ],
        mj_fwd_acceleration,
    );
}

#[test]
fn fwd_constraint() {
    check(&[Stage::FwdConstraint], &["qacc_smooth", "qpos", "ten_length"], |m, d| {
        mj_fwd_constraint(m, d).unwrap();
    });
}

#[test]
fn subtree_vel() {
    check(&[Stage::SubtreeVel], &["xipos", "ximat", "cvel", "subtree_com"], mj_subtree_vel);
}

#[test]
fn rne_post_constraint() {
    check(
        &[Stage::RnePostConstraint],
        &[
            "qvel",
            "qacc",
            "xfrc_applied",
            "xipos",
            "subtree_com",
            "cdof",
            "cdof_dot",
            "cinert",
            "cvel",
        ],
        mj_rne_post_constraint,
    );
}

/// Sensors may call for quantities that are computed on demand; here those are up to date.
#[test]
fn sensors() {
    check(
        &[Stage::Sensor],
        &[
            "history",
            "qpos",
            "qvel",
            "xpos",
            "xquat",
            "xmat",
            "xipos",
            "ximat",
            "site_xpos",
            "site_xmat",
            "geom_xpos",
            "geom_xmat",
            "cam_xpos",
            "cam_xmat",
            "subtree_com",
            "subtree_linvel",
            "subtree_angmom",
            "cvel",
            "cacc",
            "cfrc_int",
            "actuator_length",
            "actuator_velocity",
            "actuator_force",
            "qfrc_actuator",
            "energy",
        ],
        |m, d| {
            mj_sensor_pos(m, d);
            mj_sensor_vel(m, d);
            mj_sensor_acc(m, d);
        },
    );
}
