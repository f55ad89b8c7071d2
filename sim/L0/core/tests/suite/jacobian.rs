//! Jacobians: formulas joint by joint, wrappers, finite differences, and what they map.

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

/// A state with positions and velocities computed; every joint is turned.
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

/// A point that moves with the last body, off every axis.
fn point(m: &Model, d: &Data) -> Vector3<f64> {
    vector(&d.xpos, m.nbody - 1) + Vector3::new(0.3, -0.2, 0.5)
}

#[track_caller]
fn same(what: &str, got: &DMatrix<f64>, want: &DMatrix<f64>) {
    assert_eq!(got.shape(), want.shape(), "{what}");
    close(what, got.as_slice(), want.as_slice(), ROUNDING);
}

/// `mj_jac` of a model with one moving body against columns written down from the joint's type.
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
fn a_hinge_turns_points_about_its_axis() {
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
fn a_slide_moves_points_along_its_axis() {
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
fn a_ball_turns_points_about_the_axes_of_its_body() {
    let m = world(&format!(
        r#"{TURNED}<joint type="ball" pos=".1 -.1 .2"/><geom size=".1" pos=".2 .3 0"/></body>"#
    ));
    check_columns(&m, |d, point| {
        let anchor = vector(&d.xpos, 1) + rotation(d, 1) * vector(&m.jnt_pos, 0);
        body_axes(d, point - anchor)
    });
}

#[test]
fn a_free_joint_translates_along_world_axes_and_turns_about_body_axes() {
    let m = world(&format!(r#"{TURNED}<freejoint/><geom size=".1" pos=".2 .3 0"/></body>"#));
    check_columns(&m, |d, point| {
        let mut columns: Vec<_> =
            (0..3).map(|i| (Vector3::ith(i, 1.0), Vector3::zeros())).collect();
        columns.extend(body_axes(d, point - vector(&d.xpos, 1)));
        columns
    });
}

#[test]
fn the_world_does_not_move() {
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

/// Every wrapper is `mj_jac` at the point it names.
fn wrappers_ask_mj_jac(m: &Model) {
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
on_every_model!(wrappers_ask_mj_jac);

/// The row-major form, with each half on its own.
fn slices_hold_the_same_rows(m: &Model) {
    let d = ready(m);
    let (body, point) = (m.nbody - 1, point(m, &d));
    let (jacp, jacr) = mj_jac(m, &d, body, &point);
    let (mut p, mut r) = (vec![f64::NAN; 3 * m.nv], vec![f64::NAN; 3 * m.nv]);
    mj_jac_into(m, &d, Some(&mut p), None, point.into(), body);
    mj_jac_into(m, &d, None, Some(&mut r), point.into(), body);
    assert_eq!(p, jacp.transpose().as_slice());
    assert_eq!(r, jacr.transpose().as_slice());
}
on_every_model!(slices_hold_the_same_rows);

/// Moves one dof at a time and looks where a point and its body went.
fn jacobians_are_derivatives(m: &Model) {
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
on_every_model!(jacobians_are_derivatives);

#[test]
fn free_base_with_two_hinges_has_eight_columns() {
    let m = world(
        r#"<body pos="0 0 1"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint axis="0 1 1"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 .1 0"><joint axis="1 0 1" pos="0 .1 0"/><geom size=".1" pos=".2 0 0"/>
        </body></body></body>"#,
    );
    assert_eq!(mj_jac_body(&m, &ready(&m), 3).0.shape(), (3, 8));
    jacobians_are_derivatives(&m);
}

#[test]
fn free_base_with_a_ball() {
    jacobians_are_derivatives(&world(
        r#"<body pos="0 0 1" quat=".6 .1 .7 .2"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0" quat=".5 .5 .1 .2"><joint type="ball" pos=".1 .1 0"/>
        <geom size=".1" pos=".2 0 0"/></body></body>"#,
    ));
}

/// `J q̇` is the velocity that the velocity stage computes.
fn jacobians_give_velocities(m: &Model) {
    let d = ready(m);
    let qvel = DVector::from_column_slice(&d.qvel);
    for body in 0..m.nbody {
        let velocity = mj_object_velocity(m, &d, ObjType::Body, body, false).unwrap();
        let got = mj_jac_body_com(m, &d, body) * &qvel;
        close("velocity", got.as_slice(), &velocity, ROUNDING);
    }
}
on_every_model!(jacobians_give_velocities);

fn subtree_jacobian_is_the_mean_over_bodies(m: &Model) {
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
on_every_model!(subtree_jacobian_is_the_mean_over_bodies);

/// A wrench on a body becomes `Jᵀ` times the wrench, and adds up.
fn applied_wrench_is_jacobian_transposed_times_wrench(m: &Model) {
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
on_every_model!(applied_wrench_is_jacobian_transposed_times_wrench);

#[test]
fn an_axis_changes_by_turning() {
    let m = model("robots/quadruped");
    let d = ready(&m);
    let (body, point, axis) = (m.nbody - 1, point(&m, &d), Vector3::new(0.2, 0.5, -0.4));
    let (jacp, jaca) = mj_jac_point_axis(&m, &d, body, &point, &axis);
    let (expected, jacr) = mj_jac(&m, &d, body, &point);
    assert_eq!(jacp, expected);
    let cross: Matrix3<f64> = -axis.cross_matrix();
    same("jaca", &jaca, &DMatrix::from_column_slice(3, m.nv, (cross * jacr).as_slice()));
}

/// A Jacobian by its slices, as a matrix. They start out as garbage.
fn from_slices(nv: usize, fill: impl Fn(&mut [f64], &mut [f64])) -> (DMatrix<f64>, DMatrix<f64>) {
    let (mut p, mut r) = (vec![f64::NAN; 3 * nv], vec![f64::NAN; 3 * nv]);
    fill(&mut p, &mut r);
    (DMatrix::from_row_slice(3, nv, &p), DMatrix::from_row_slice(3, nv, &r))
}

/// Every function that fills slices gives what its matrix form gives.
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

/// The rate of a Jacobian is its change along the motion, at a point that moves with the body.
fn rates_are_derivatives_along_the_motion(m: &Model) {
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
on_every_model!(rates_are_derivatives_along_the_motion);

#[test]
fn rates_with_every_joint_between_free_base_and_tip() {
    rates_are_derivatives_along_the_motion(&world(
        r#"<body pos="0 0 1" quat=".6 .1 .7 .2"><freejoint/><geom size=".1" pos=".1 0 0"/>
        <body pos=".3 0 0" quat=".5 .5 .1 .2"><joint type="slide" axis="1 2 0"/>
        <joint type="ball" pos=".1 .1 0"/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 0"><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 .1"><joint axis="0 1 1"/><joint axis="1 0 1" pos="0 .1 0"/>
        <geom size=".1" pos=".2 0 0"/></body></body></body></body>"#,
    ));
}

/// The matrix times velocity is the angular momentum that the velocity stage computes.
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
