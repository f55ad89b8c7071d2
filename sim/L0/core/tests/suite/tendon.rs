//! Tendons and transmissions: Jacobians against finite differences of lengths, tendon armature, wrapping.

use crate::models::{load, moving};
use sim_core::{
    Data, Model, inertia_matrix, mj_energy_vel, mj_forward, mj_fwd_position, mj_integrate_pos,
};

/// Step of finite differences.
const H: f64 = 1e-6;

/// The data with positions integrated along a velocity, after the position stage.
fn displaced(m: &Model, d: &Data, velocity: &[f64], time: f64) -> Data {
    let mut moved = d.clone();
    mj_integrate_pos(m, &mut moved.qpos, velocity, time);
    mj_fwd_position(m, &mut moved);
    moved
}

/// A sparse row as a dense one.
fn dense(nv: usize, values: &[f64], columns: &[i32]) -> Vec<f64> {
    let mut row = vec![0.0; nv];
    for (value, &column) in values.iter().zip(columns) {
        row[usize::try_from(column).unwrap()] += value;
    }
    row
}

fn tendon_row(m: &Model, d: &Data, i: usize) -> Vec<f64> {
    let start = usize::try_from(m.ten_J_rowadr[i]).unwrap();
    let end = start + usize::try_from(m.ten_J_rownnz[i]).unwrap();
    dense(m.nv, &d.ten_J[start..end], &m.ten_J_colind[start..end])
}

fn actuator_row(m: &Model, d: &Data, i: usize) -> Vec<f64> {
    let start = usize::try_from(d.moment_rowadr[i]).unwrap();
    let end = start + usize::try_from(d.moment_rownnz[i]).unwrap();
    dense(m.nv, &d.actuator_moment[start..end], &d.moment_colind[start..end])
}

/// Every Jacobian row matches central differences of the length.
fn jacobians_match_finite_differences(m: &Model) {
    for seed in 0..5 {
        let mut d = moving(m, seed);
        mj_fwd_position(m, &mut d);
        for k in 0..m.nv {
            let mut unit = vec![0.0; m.nv];
            unit[k] = 1.0;
            let (ahead, behind) = (displaced(m, &d, &unit, H), displaced(m, &d, &unit, -H));
            let slope = |a: f64, b: f64| (a - b) / (2.0 * H);
            for i in 0..m.ntendon {
                let expected = slope(ahead.ten_length[i], behind.ten_length[i]);
                let found = tendon_row(m, &d, i)[k];
                assert!((found - expected).abs() < 1e-7, "tendon {i}, dof {k}: {found} {expected}");
            }
            for i in 0..m.nu {
                let expected = slope(ahead.actuator_length[i], behind.actuator_length[i]);
                let found = actuator_row(m, &d, i)[k];
                assert!(
                    (found - expected).abs() < 1e-6,
                    "actuator {i}, dof {k}: {found} {expected}"
                );
            }
        }
    }
}

on_models!(jacobians_match_finite_differences:
    features / tendon_spatial, features / tendon_pulley, features / tendon_wrap_sphere,
    features / tendon_wrap_cylinder, features / transmission_tendon,
    features / transmission_slidercrank,
);

/// A hinge and a ball in one tree, with and without armature on a tendon.
fn with_armature(armature: f64) -> Model {
    load(&format!(
        r#"<mujoco><option gravity="0 0 0"><flag contact="disable"/></option>
        <worldbody><site name="w" pos=".3 .1 1"/>
          <body><joint axis="0 1 .2"/><geom size=".1" pos=".1 0 -.3"/><site name="a" pos="0 .1 -.2"/>
            <body pos="0 0 -.5"><joint type="ball"/><geom type="box" size=".1 .05 .2" pos=".1 .1 -.2"/>
              <site name="b" pos=".1 0 -.3"/></body></body></worldbody>
        <tendon><spatial armature="{armature}"><site site="w"/><site site="a"/><site site="b"/>
          <pulley divisor="2"/><site site="w"/><site site="b"/></spatial></tendon></mujoco>"#
    ))
}

#[test]
fn armature_is_inertia_along_the_tendon() {
    let armature = 0.7;
    let (with, without) = (with_armature(armature), with_armature(0.0));
    let mut d = moving(&with, 3);
    let mut plain = moving(&without, 3);
    mj_forward(&with, &mut d).unwrap();
    mj_forward(&without, &mut plain).unwrap();
    let row = tendon_row(&with, &d, 0);

    let (m, m0) = (inertia_matrix(&with, &d), inertia_matrix(&without, &plain));
    for i in 0..with.nv {
        for j in 0..with.nv {
            let expected = m0[(i, j)] + armature * row[i] * row[j];
            assert!((m[(i, j)] - expected).abs() < 1e-14, "{i} {j}");
        }
    }
    mj_energy_vel(&with, &mut d);
    mj_energy_vel(&without, &mut plain);
    let speed = d.ten_velocity[0];
    let expected = plain.energy[1] + 0.5 * armature * speed * speed;
    assert!((d.energy[1] - expected).abs() < 1e-14);

    // the bias force contains a Jᵀ J̇ q̇
    let rate = |time: f64| {
        let moved = displaced(&with, &d, &d.qvel, time);
        sim_core::math::dot(&tendon_row(&with, &moved, 0), &d.qvel)
    };
    let acceleration = (rate(H) - rate(-H)) / (2.0 * H);
    for k in 0..with.nv {
        let force = d.qfrc_bias[k] - plain.qfrc_bias[k];
        let expected = armature * row[k] * acceleration;
        assert!((force - expected).abs() < 1e-7, "{force} {expected}");
    }
}

#[test]
fn sphere_wrapping_length_is_two_tangents_and_an_arc() {
    let m = load(
        r#"<mujoco><worldbody><geom name="ball" size="1"/>
          <site name="a" pos="-2 0 0"/><site name="b" pos="2 0 0"/><site name="up" pos="0 3 0"/>
          <site name="in" pos="0 .1 0"/><site name="high" pos="-2 1.5 0"/><site name="far" pos="2 1.5 0"/>
        </worldbody><tendon>
          <spatial><site site="a"/><geom geom="ball" sidesite="up"/><site site="b"/></spatial>
          <spatial><site site="high"/><geom geom="ball"/><site site="far"/></spatial>
          <spatial><site site="high"/><geom geom="ball" sidesite="in"/><site site="far"/></spatial>
        </tendon></mujoco>"#,
    );
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    // tangents of length √3, with an arc of 60° between the tangent points
    let around = 2.0 * 3.0_f64.sqrt() + std::f64::consts::FRAC_PI_3;
    assert!((d.ten_length[0] - around).abs() < 1e-14);
    assert_eq!(d.ten_wrapnum[0], 4);
    assert_eq!(d.ten_length[1], 4.0, "the straight segment does not wrap");
    // inside wrapping: the path touches the top of the circle
    assert!((d.ten_length[2] - 2.0 * (4.0_f64 + 0.25).sqrt()).abs() < 1e-6);
    assert_eq!(m.tendon_length0, d.ten_length);
}

/// A segment that is tangent to a cylinder in its last point, which is also the side site: both tangent points
/// coincide with it and rounding must not add a full turn. MuJoCo 3.8.0 does at about one state in a hundred.
#[test]
fn a_segment_tangent_in_its_end_point_has_no_arc() {
    let (mut bodies, mut tendons) = (String::new(), String::new());
    for k in 0..16 {
        let (x, start, turn) = (0.05 * f64::from(k), 0.004 + 0.0005 * f64::from(k), 23 * k);
        bodies += &format!(
            r#"<body pos="{x} .2 1" euler="{turn} {k} 0">
            <geom name="g{k}" type="cylinder" size=".0025 .003"/>
            <site name="a{k}" pos="-{start} .0025 .0003"/><site name="b{k}" pos="0 .0025 0"/></body>"#
        );
        tendons += &format!(
            r#"<spatial><site site="a{k}"/><geom geom="g{k}" sidesite="b{k}"/><site site="b{k}"/></spatial>"#
        );
    }
    let m = load(&format!(
        r#"<mujoco><worldbody><body><joint type="ball"/>{bodies}</body></worldbody>
        <tendon>{tendons}</tendon></mujoco>"#
    ));
    for seed in 0..100 {
        let mut d = moving(&m, seed);
        mj_fwd_position(&m, &mut d);
        for (i, length) in d.ten_length.iter().enumerate() {
            let straight = m.tendon_length0[i];
            assert!(
                (length - straight).abs() < 1e-7,
                "seed {seed}, tendon {i}: {length} {straight}"
            );
        }
    }
}

/// A fixed tendon with a repeated joint equals one with the summed coefficient.
#[test]
fn repeated_joint_coefficients_are_summed() {
    let text = |joints: &str| {
        format!(
            r#"<mujoco><worldbody>
            <body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
            <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body></body>
            <body pos="0 1 0"><joint name="c" axis="0 1 0" frictionloss=".1"/><geom size=".1" pos=".2 0 0"/></body>
            </worldbody><tendon><fixed name="t" frictionloss=".1" limited="true" range="-.1 .1">{joints}</fixed></tendon>
            <equality><tendon tendon1="t" polycoef="0.05 1 0 0 0"/></equality></mujoco>"#
        )
    };
    let [twice, once] = [
        r#"<joint joint="a" coef=".5"/><joint joint="b" coef=".2"/><joint joint="a" coef=".3"/>"#,
        r#"<joint joint="a" coef=".8"/><joint joint="b" coef=".2"/>"#,
    ]
    .map(|joints| {
        let m = sim_mjcf::load_str(&text(joints)).unwrap_or_else(|error| panic!("{error}"));
        let mut d = m.make_data();
        for _ in 0..50 {
            sim_core::mj_step(&m, &mut d).expect("a step");
        }
        assert!(d.warning.iter().all(|w| w.number == 0));
        d.qpos.copy_from_slice(&[0.4, -0.2, 0.1]);
        mj_forward(&m, &mut d).expect("forward");
        d
    });
    assert!(once.nefc >= 3, "{} rows", once.nefc);
    assert_eq!(twice.nefc, once.nefc);
    assert_eq!(twice.efc_J_colind, once.efc_J_colind);
    let pairs = twice.efc_J.iter().zip(&once.efc_J);
    assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-15);
}
