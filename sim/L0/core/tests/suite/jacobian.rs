//! Jacobians: columns of each joint type, wrappers, finite differences, velocities and forces.

use crate::models::{Rng, model, moving, world};
use crate::tolerance::{CENTRAL, DIFFERENCE, FORWARD, ONE_SIDED, ROUNDING, close};
use nalgebra::{DMatrix, DVector, Matrix3, Quaternion, UnitQuaternion, Vector3};
use sim_core::types::ObjType;
use sim_core::{
    Data, Model, mj_angmom_mat, mj_angmom_mat_into, mj_apply_ft, mj_fwd_position, mj_fwd_velocity,
    mj_integrate_pos, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_body_com_into, mj_jac_body_into,
    mj_jac_dot, mj_jac_dot_into, mj_jac_geom, mj_jac_geom_into, mj_jac_into, mj_jac_point,
    mj_jac_point_axis, mj_jac_point_axis_into, mj_jac_site, mj_jac_site_into, mj_jac_subtree_com,
    mj_jac_subtree_com_into, mj_object_velocity, mj_subtree_vel,
};

/// Data after the position and velocity stages, with all joints displaced.
fn ready(m: &Model) -> Data {
    let mut d = moving(m, 51);
    mj_fwd_position(m, &mut d);
    mj_fwd_velocity(m, &mut d);
    d
}

fn vector(field: &[f64], i: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&field[3 * i..3 * i + 3])
}

fn rotation(d: &Data, body: usize) -> UnitQuaternion<f64> {
    let q = &d.xquat[4 * body..4 * body + 4];
    UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// A point fixed to the last body, off all joint axes.
fn point(m: &Model, d: &Data) -> Vector3<f64> {
    vector(&d.xpos, m.nbody - 1) + Vector3::new(0.3, -0.2, 0.5)
}

#[track_caller]
fn same(what: &str, got: &DMatrix<f64>, want: &DMatrix<f64>) {
    assert_eq!(got.shape(), want.shape(), "{what}");
    close(what, got.as_slice(), want.as_slice(), ROUNDING);
}

/// `mj_jac` of a model with one moving body against the analytical columns of its joint type.
#[track_caller]
fn check_columns(
    m: &Model,
    columns: impl Fn(&Data, Vector3<f64>) -> Vec<(Vector3<f64>, Vector3<f64>)>,
) {
    let d = ready(m);
    assert!(rotation(&d, m.nbody - 1).angle() > 0.1, "body and world axes must differ");
    let point = point(m, &d);
    let (jacp, jacr) = mj_jac(m, &d, m.nbody - 1, &point);
    let (linear, angular): (Vec<_>, Vec<_>) = columns(&d, point).into_iter().unzip();
    same("jacp", &jacp, &DMatrix::from_iterator(3, m.nv, linear.iter().flatten().copied()));
    same("jacr", &jacr, &DMatrix::from_iterator(3, m.nv, angular.iter().flatten().copied()));
}

const TURNED: &str = r#"<body pos=".1 .2 .3" quat=".7 .2 -.4 .3">"#;

#[test]
fn hinge_columns() {
    let m = world(&format!(
        r#"{TURNED}<joint axis="1 2 -1" pos=".1 0 .2"/><geom size=".1" pos=".2 .3 0"/></body>"#
    ));
    check_columns(&m, |d, point| {
        let axis = rotation(d, 1) * vector(&m.jnt_axis, 0);
        let anchor = vector(&d.xpos, 1) + rotation(d, 1) * vector(&m.jnt_pos, 0);
        vec![(axis.cross(&(point - anchor)), axis)]
    });
}

#[test]
fn slide_columns() {
    let m = world(&format!(
        r#"{TURNED}<joint type="slide" axis="1 2 -1" pos=".1 0 .2"/><geom size=".1"/></body>"#
    ));
    check_columns(&m, |d, _| vec![(rotation(d, 1) * vector(&m.jnt_axis, 0), Vector3::zeros())]);
}

/// Rotations about the three axes of the body.
fn body_axes(d: &Data, arm: Vector3<f64>) -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let axis = |i| rotation(d, 1) * Vector3::ith(i, 1.0);
    (0..3).map(|i| (axis(i).cross(&arm), axis(i))).collect()
}

#[test]
fn ball_columns() {
    let m = world(&format!(
        r#"{TURNED}<joint type="ball" pos=".1 -.1 .2"/><geom size=".1" pos=".2 .3 0"/></body>"#
    ));
    check_columns(&m, |d, point| {
        let anchor = vector(&d.xpos, 1) + rotation(d, 1) * vector(&m.jnt_pos, 0);
        body_axes(d, point - anchor)
    });
}

#[test]
fn free_joint_columns() {
    let m = world(&format!(r#"{TURNED}<freejoint/><geom size=".1" pos=".2 .3 0"/></body>"#));
    check_columns(&m, |d, point| {
        let mut columns: Vec<_> =
            (0..3).map(|i| (Vector3::ith(i, 1.0), Vector3::zeros())).collect();
        columns.extend(body_axes(d, point - vector(&d.xpos, 1)));
        columns
    });
}

#[test]
fn world_jacobian_is_zero() {
    let m = model("robots/humanoid");
    let d = ready(&m);
    let (jacp, jacr) = mj_jac(&m, &d, 0, &Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(jacp, DMatrix::zeros(3, m.nv));
    assert_eq!(jacr, DMatrix::zeros(3, m.nv));
}

#[test]
fn angular_velocity_of_two_hinges_is_the_sum_of_their_axes() {
    let m = world(
        r#"<body quat=".7 .2 -.4 .3"><joint axis="1 2 -1"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 0" quat=".5 .5 .1 .2"><joint axis="0 1 1"/><geom size=".1" pos=".2 0 0"/>
        </body></body>"#,
    );
    let d = ready(&m);
    let (_, jacr) = mj_jac_body(&m, &d, 2);
    let axes = [0, 1].map(|j| rotation(&d, j + 1) * vector(&m.jnt_axis, j));
    same(
        "jacr",
        &jacr,
        &DMatrix::from_columns(&axes.map(|a| DVector::from_column_slice(a.as_slice()))),
    );
    let turn = axes[0] * d.qvel[0] + axes[1] * d.qvel[1];
    let velocity = mj_object_velocity(&m, &d, ObjType::XBody, 2, false).unwrap();
    close("ω", &velocity[..3], turn.as_slice(), ROUNDING);
}

/// Every wrapper equals `mj_jac` at its point.
fn wrappers_match_mj_jac(m: &Model) {
    let d = ready(m);
    let stacked = |(jacp, jacr): (DMatrix<f64>, DMatrix<f64>)| {
        let mut both = DMatrix::zeros(6, m.nv);
        both.rows_mut(0, 3).copy_from(&jacr);
        both.rows_mut(3, 3).copy_from(&jacp);
        both
    };
    for body in 0..m.nbody {
        let at = |field: &[f64]| mj_jac(m, &d, body, &vector(field, body));
        assert_eq!(mj_jac_body(m, &d, body), at(&d.xpos));
        assert_eq!(mj_jac_body_com(m, &d, body), stacked(at(&d.xipos)));
        let point = Vector3::new(0.1, 0.2, 0.3);
        assert_eq!(mj_jac_point(m, &d, body, &point), stacked(mj_jac(m, &d, body, &point)));
    }
    for site in 0..m.nsite {
        let body = m.site_bodyid[site] as usize;
        assert_eq!(mj_jac_site(m, &d, site), mj_jac(m, &d, body, &vector(&d.site_xpos, site)));
    }
    for geom in 0..m.ngeom {
        let body = m.geom_bodyid[geom] as usize;
        let expected = stacked(mj_jac(m, &d, body, &vector(&d.geom_xpos, geom)));
        assert_eq!(mj_jac_geom(m, &d, geom), expected);
    }
}
on_every_model!(wrappers_match_mj_jac);

/// The row-major slices, each requested separately.
fn slices_match_matrix_rows(m: &Model) {
    let d = ready(m);
    let (body, point) = (m.nbody - 1, point(m, &d));
    let (jacp, jacr) = mj_jac(m, &d, body, &point);
    let (mut p, mut r) = (vec![f64::NAN; 3 * m.nv], vec![f64::NAN; 3 * m.nv]);
    mj_jac_into(m, &d, Some(&mut p), None, point.into(), body);
    mj_jac_into(m, &d, None, Some(&mut r), point.into(), body);
    assert_eq!(p, jacp.transpose().as_slice());
    assert_eq!(r, jacr.transpose().as_slice());
}
on_every_model!(slices_match_matrix_rows);

/// Forward differences of a point and of the body's rotation, one dof at a time.
fn jacobians_match_finite_differences(m: &Model) {
    let d = ready(m);
    let body = m.nbody - 1;
    let local = Vector3::new(0.3, -0.2, 0.5);
    let place = |d: &Data| vector(&d.xpos, body) + rotation(d, body) * local;
    let (jacp, jacr) = mj_jac(m, &d, body, &place(&d));
    let (mut linear, mut angular) = (DMatrix::zeros(3, m.nv), DMatrix::zeros(3, m.nv));
    let mut moved = d.clone();
    for k in 0..m.nv {
        let mut qvel = vec![0.0; m.nv];
        qvel[k] = 1.0;
        moved.qpos.copy_from_slice(&d.qpos);
        mj_integrate_pos(m, &mut moved.qpos, &qvel, FORWARD);
        mj_fwd_position(m, &mut moved);
        linear.set_column(k, &((place(&moved) - place(&d)) / FORWARD));
        let turn = rotation(&moved, body) * rotation(&d, body).inverse();
        angular.set_column(k, &(turn.scaled_axis() / FORWARD));
    }
    close("jacp", jacp.as_slice(), linear.as_slice(), ONE_SIDED);
    close("jacr", jacr.as_slice(), angular.as_slice(), ONE_SIDED);
}
on_every_model!(jacobians_match_finite_differences);

#[test]
fn free_base_with_two_hinges_has_eight_columns() {
    let m = world(
        r#"<body pos="0 0 1"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint axis="0 1 1"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 .1 0"><joint axis="1 0 1" pos="0 .1 0"/><geom size=".1" pos=".2 0 0"/>
        </body></body></body>"#,
    );
    assert_eq!(mj_jac_body(&m, &ready(&m), 3).0.shape(), (3, 8));
    jacobians_match_finite_differences(&m);
}

#[test]
fn free_base_with_a_ball_joint() {
    jacobians_match_finite_differences(&world(
        r#"<body pos="0 0 1" quat=".6 .1 .7 .2"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0" quat=".5 .5 .1 .2"><joint type="ball" pos=".1 .1 0"/>
        <geom size=".1" pos=".2 0 0"/></body></body>"#,
    ));
}

/// `J q̇` is the velocity that the velocity stage computes.
fn jacobian_times_qvel_is_the_velocity(m: &Model) {
    let d = ready(m);
    let qvel = DVector::from_column_slice(&d.qvel);
    for body in 0..m.nbody {
        let velocity = mj_object_velocity(m, &d, ObjType::Body, body, false).unwrap();
        let got = mj_jac_body_com(m, &d, body) * &qvel;
        close("velocity", got.as_slice(), &velocity, ROUNDING);
    }
}
on_every_model!(jacobian_times_qvel_is_the_velocity);

fn subtree_jacobian_is_the_mass_weighted_mean(m: &Model) {
    let d = ready(m);
    for root in 0..m.nbody {
        let below = |mut b: usize| {
            while b > root {
                b = m.body_parentid[b] as usize;
            }
            b == root
        };
        let mut sum = DMatrix::zeros(3, m.nv);
        for b in (root..m.nbody).filter(|&b| below(b)) {
            sum += m.body_mass[b] * mj_jac(m, &d, b, &vector(&d.xipos, b)).0;
        }
        let mass = m.body_subtreemass[root];
        if mass > 0.0 {
            same("subtree", &mj_jac_subtree_com(m, &d, root), &(sum / mass));
        }
    }
}
on_every_model!(subtree_jacobian_is_the_mass_weighted_mean);

/// The generalized force of a wrench is `Jᵀ` times the wrench, added to `qfrc`.
fn apply_ft_is_jacobian_transpose_times_wrench(m: &Model) {
    let d = ready(m);
    let mut rng = Rng(52);
    for body in 0..m.nbody {
        let (force, torque, point) = (rng.vector(), rng.vector(), rng.vector());
        let (jacp, jacr) = mj_jac(m, &d, body, &Vector3::from(point));
        let expected = jacp.tr_mul(&DVector::from_column_slice(&force))
            + jacr.tr_mul(&DVector::from_column_slice(&torque));
        let mut qfrc = vec![0.0; m.nv];
        mj_apply_ft(m, &d, force, torque, point, body, &mut qfrc);
        close("qfrc", &qfrc, expected.as_slice(), ROUNDING);
        mj_apply_ft(m, &d, force, torque, point, body, &mut qfrc);
        close("twice", &qfrc, (2.0 * expected).as_slice(), ROUNDING);
    }
}
on_every_model!(apply_ft_is_jacobian_transpose_times_wrench);

#[test]
fn axis_jacobian_is_rotational() {
    let m = model("robots/quadruped");
    let d = ready(&m);
    let (body, point, axis) = (m.nbody - 1, point(&m, &d), Vector3::new(0.2, 0.5, -0.4));
    let (jacp, jaca) = mj_jac_point_axis(&m, &d, body, &point, &axis);
    let (expected, jacr) = mj_jac(&m, &d, body, &point);
    assert_eq!(jacp, expected);
    let cross: Matrix3<f64> = -axis.cross_matrix();
    same("jaca", &jaca, &DMatrix::from_column_slice(3, m.nv, (cross * jacr).as_slice()));
}

/// Jacobians written to slices initialised with NaN, as matrices.
fn from_slices(nv: usize, fill: impl Fn(&mut [f64], &mut [f64])) -> (DMatrix<f64>, DMatrix<f64>) {
    let (mut p, mut r) = (vec![f64::NAN; 3 * nv], vec![f64::NAN; 3 * nv]);
    fill(&mut p, &mut r);
    (DMatrix::from_row_slice(3, nv, &p), DMatrix::from_row_slice(3, nv, &r))
}

/// Every `_into` function matches its matrix form.
fn slices_agree_with_matrices(m: &Model) {
    let d = ready(m);
    let halves = |both: DMatrix<f64>| (both.rows(3, 3).into_owned(), both.rows(0, 3).into_owned());
    let (point, axis) = (Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.5, -0.4, 0.8));
    for b in 0..m.nbody {
        let body = from_slices(m.nv, |p, r| mj_jac_body_into(m, &d, Some(p), Some(r), b));
        assert_eq!(body, mj_jac_body(m, &d, b));
        let com = from_slices(m.nv, |p, r| mj_jac_body_com_into(m, &d, Some(p), Some(r), b));
        assert_eq!(com, halves(mj_jac_body_com(m, &d, b)));
        let dot = from_slices(m.nv, |p, r| {
            mj_jac_dot_into(m, &d, Some(p), None, point.into(), b);
            mj_jac_dot_into(m, &d, None, Some(r), point.into(), b);
        });
        assert_eq!(dot, mj_jac_dot(m, &d, b, &point));
        let tip = from_slices(m.nv, |p, a| {
            mj_jac_point_axis_into(m, &d, Some(p), Some(a), point.into(), axis.into(), b);
        });
        let (p, a) = mj_jac_point_axis(m, &d, b, &point, &axis);
        same("point", &tip.0, &p);
        same("axis", &tip.1, &a);
        let sums = from_slices(m.nv, |p, l| {
            mj_jac_subtree_com_into(m, &d, p, b);
            mj_angmom_mat_into(m, &d, l, b);
        });
        assert_eq!(sums, (mj_jac_subtree_com(m, &d, b), mj_angmom_mat(m, &d, b)));
    }
    for site in 0..m.nsite {
        let slices = from_slices(m.nv, |p, r| mj_jac_site_into(m, &d, Some(p), Some(r), site));
        assert_eq!(slices, mj_jac_site(m, &d, site));
    }
    for geom in 0..m.ngeom {
        let slices = from_slices(m.nv, |p, r| mj_jac_geom_into(m, &d, Some(p), Some(r), geom));
        assert_eq!(slices, halves(mj_jac_geom(m, &d, geom)));
    }
}
on_every_model!(slices_agree_with_matrices);

/// Central differences of the Jacobian along the motion, at a point fixed to the body.
fn jac_dot_matches_differences_along_the_motion(m: &Model) {
    let d = ready(m);
    let local = Vector3::new(0.3, -0.2, 0.5);
    for body in 0..m.nbody {
        let place = |d: &Data| vector(&d.xpos, body) + rotation(d, body) * local;
        let at = |time: f64| {
            let mut moved = d.clone();
            mj_integrate_pos(m, &mut moved.qpos, &d.qvel, time);
            mj_fwd_position(m, &mut moved);
            mj_jac(m, &moved, body, &place(&moved))
        };
        let (after, before) = (at(CENTRAL), at(-CENTRAL));
        let (jacp, jacr) = mj_jac_dot(m, &d, body, &place(&d));
        let rate = |a: &DMatrix<f64>, b: &DMatrix<f64>| (a - b) / (2.0 * CENTRAL);
        let (linear, angular) = (rate(&after.0, &before.0), rate(&after.1, &before.1));
        close("jacp", jacp.as_slice(), linear.as_slice(), DIFFERENCE);
        close("jacr", jacr.as_slice(), angular.as_slice(), DIFFERENCE);
    }
}
on_every_model!(jac_dot_matches_differences_along_the_motion);

#[test]
fn jac_dot_with_all_joint_types() {
    jac_dot_matches_differences_along_the_motion(&world(
        r#"<body pos="0 0 1" quat=".6 .1 .7 .2"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0" quat=".5 .5 .1 .2"><joint type="slide" axis="1 2 0"/>
        <joint type="ball" pos=".1 .1 0"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 0"><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 .1"><joint axis="0 1 1"/><joint axis="1 0 1" pos="0 .1 0"/>
        <geom size=".1" pos=".2 0 0"/></body></body></body></body>"#,
    ));
}

/// The matrix times `qvel` is `subtree_angmom`.
fn angular_momentum_is_linear_in_velocity(m: &Model) {
    let mut d = ready(m);
    mj_subtree_vel(m, &mut d);
    let qvel = DVector::from_column_slice(&d.qvel);
    for body in 0..m.nbody {
        let momentum = mj_angmom_mat(m, &d, body) * &qvel;
        close("L", momentum.as_slice(), &d.subtree_angmom[3 * body..][..3], ROUNDING);
    }
}
on_every_model!(angular_momentum_is_linear_in_velocity);
