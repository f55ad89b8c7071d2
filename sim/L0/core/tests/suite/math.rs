//! Quaternions, rotation matrices, spatial vectors: properties on random inputs.

use crate::tolerance::{CENTRAL, DIFFERENCE, ROUNDING, close};
use proptest::prelude::*;
use sim_core::math::{mat3, poly, quat, spatial, vec3};

fn vector() -> impl Strategy<Value = vec3::Vec3> {
    prop::array::uniform3(-2.0..2.0)
}

fn motion() -> impl Strategy<Value = spatial::Vec6> {
    prop::array::uniform6(-2.0..2.0)
}

/// A quaternion that is not close to zero.
fn quaternion() -> impl Strategy<Value = quat::Quat> {
    prop::array::uniform4(-2.0..2.0).prop_filter("too short", |q| sim_core::math::norm(q) > 0.1)
}

fn unit() -> impl Strategy<Value = quat::Quat> {
    quaternion().prop_map(quat::normalize)
}

/// A rigid body's inertia: principal moments that obey the triangle inequality.
fn inertia() -> impl Strategy<Value = spatial::Inertia> {
    (unit(), vector(), prop::array::uniform3(0.1..2.0), 0.1..5.0).prop_map(
        |(q, offset, [a, b, c], mass)| {
            spatial::inertia_about([a + b, b + c, a + c], &quat::to_mat(q), offset, mass)
        },
    )
}

/// `q` or `-q`, so that equal rotations have equal components.
fn canonical(q: quat::Quat) -> quat::Quat {
    let sign = if q.iter().find(|x| x.abs() > 1e-6).is_some_and(|&x| x < 0.0) { -1.0 } else { 1.0 };
    q.map(|x| sign * x)
}

fn add6(a: spatial::Vec6, b: &spatial::Vec6, s: f64) -> spatial::Vec6 {
    let mut sum = a;
    spatial::add_scaled(&mut sum, b, s);
    sum
}

/// The motion `v` fixed to a frame that has moved with velocity `vel` for a short time `t`.
fn moved_with_frame(vel: &spatial::Vec6, v: &spatial::Vec6, t: f64) -> spatial::Vec6 {
    let turn = quat::integrate(quat::IDENTITY, spatial::rotation(vel), t);
    let turned = spatial::join(
        quat::rotate(turn, spatial::rotation(v)),
        quat::rotate(turn, spatial::translation(v)),
    );
    // from the moved origin to the original one
    spatial::shift_motion(&turned, vec3::scale(spatial::translation(vel), t), [0.0; 3])
}

proptest! {
    #![proptest_config(crate::models::cases())]

    #[test]
    fn normalize_gives_unit_length_and_keeps_direction(q in quaternion()) {
        let n = quat::normalize(q);
        close("|q|", &[sim_core::math::norm(&n)], &[1.0], ROUNDING);
        let length = sim_core::math::norm(&q);
        close("q", &n.map(|x| x * length), &q, ROUNDING);
    }

    #[test]
    fn normalize_is_accurate_near_unit_length(q in unit(), excess in -1e-7..1e-7) {
        let n = quat::normalize(q.map(|x| x * (1.0 + excess)));
        close("q", &n, &q, 1e-15);
    }

    #[test]
    fn quaternion_product_composes_rotations(a in unit(), b in unit(), v in vector()) {
        let one = quat::rotate(quat::mul(a, b), v);
        close("rotate", &one, &quat::rotate(a, quat::rotate(b, v)), ROUNDING);
        let matrix = mat3::mul(&quat::to_mat(a), &quat::to_mat(b));
        close("to_mat", &quat::to_mat(quat::mul(a, b)), &matrix, ROUNDING);
    }

    #[test]
    fn rotate_matches_the_matrix_and_preserves_length(q in unit(), v in vector()) {
        let turned = quat::rotate(q, v);
        let matrix = quat::to_mat(q);
        close("matrix", &turned, &mat3::mul_vec(&matrix, v), ROUNDING);
        close("length", &[vec3::norm(turned)], &[vec3::norm(v)], ROUNDING);
        close("inverse", &quat::rotate(quat::conjugate(q), turned), &v, ROUNDING);
        close("transpose", &mat3::mul_transpose_vec(&matrix, turned), &v, ROUNDING);
        close("RᵀR", &mat3::mul(&mat3::transpose(&matrix), &matrix), &mat3::IDENTITY, ROUNDING);
    }

    #[test]
    fn from_mat_inverts_to_mat(q in unit()) {
        close("q", &canonical(quat::from_mat(&quat::to_mat(q))), &canonical(q), ROUNDING);
    }

    #[test]
    fn from_mat_inverts_to_mat_near_180_degrees(axis in vector(), slack in -1e-4..1e-4) {
        let (axis, length) = vec3::normalize(axis);
        prop_assume!(length > 0.1);
        let q = quat::from_axis_angle(axis, std::f64::consts::PI + slack);
        close("R", &quat::to_mat(quat::from_mat(&quat::to_mat(q))), &quat::to_mat(q), ROUNDING);
    }

    #[test]
    fn from_axis_angle_rotates_about_the_axis(axis in vector(), angle in -3.0..3.0) {
        let (axis, length) = vec3::normalize(axis);
        prop_assume!(length > 0.1);
        let q = quat::from_axis_angle(axis, angle);
        close("axis", &quat::rotate(q, axis), &axis, ROUNDING);
        close("rotation vector", &quat::to_velocity(q, 1.0), &vec3::scale(axis, angle), ROUNDING);
    }

    #[test]
    fn subtract_inverts_integrate(q in unit(), v in vector(), dt in 1e-3..0.8) {
        let turned = quat::integrate(q, v, dt);
        close("turn", &quat::subtract(turned, q), &vec3::scale(v, dt), ROUNDING);
    }

    #[test]
    fn small_rotations_are_first_order(q in unit(), v in vector()) {
        // q̇ = ½ q ω, with ω in the body's axes
        let (plus, minus) = (quat::integrate(q, v, CENTRAL), quat::integrate(q, v, -CENTRAL));
        let rate: Vec<f64> =
            plus.iter().zip(minus).map(|(p, m)| (p - m) / (2.0 * CENTRAL)).collect();
        let expected = quat::mul(q, [0.0, v[0], v[1], v[2]]).map(|x| 0.5 * x);
        close("q̇", &rate, &expected, DIFFERENCE);
    }

    #[test]
    fn from_z_axis_maps_z_to_the_direction(v in vector()) {
        let (direction, length) = vec3::normalize(v);
        prop_assume!(length > 0.1);
        close("z", &quat::rotate(quat::from_z_axis(v), [0.0, 0.0, 1.0]), &direction, ROUNDING);
    }

    #[test]
    fn cross_motion_is_the_derivative_of_a_moving_motion_vector(vel in motion(), v in motion()) {
        let (plus, minus) = (moved_with_frame(&vel, &v, CENTRAL), moved_with_frame(&vel, &v, -CENTRAL));
        let rate: Vec<f64> =
            plus.iter().zip(minus).map(|(p, m)| (p - m) / (2.0 * CENTRAL)).collect();
        close("v̇", &rate, &spatial::cross_motion(&vel, &v), DIFFERENCE);
    }

    #[test]
    fn cross_force_is_dual_to_cross_motion(vel in motion(), v in motion(), f in motion()) {
        let one = spatial::dot(&f, &spatial::cross_motion(&vel, &v));
        let other = -spatial::dot(&spatial::cross_force(&vel, &f), &v);
        prop_assert!((one - other).abs() < 100.0 * ROUNDING);
    }

    #[test]
    fn cross_motion_with_itself_is_zero(v in motion()) {
        close("v × v", &spatial::cross_motion(&v, &v), &[0.0; 6], ROUNDING);
    }

    #[test]
    fn inertia_is_symmetric_positive_and_linear(i in inertia(), a in motion(), b in motion()) {
        let (ia, ib) = (spatial::mul_inertia(&i, &a), spatial::mul_inertia(&i, &b));
        let (one, other) = (spatial::dot(&b, &ia), spatial::dot(&a, &ib));
        prop_assert!((one - other).abs() < 1e3 * ROUNDING);
        prop_assert!(spatial::dot(&a, &ia) >= 0.0);
        close("I(a + 2b)", &spatial::mul_inertia(&i, &add6(a, &b, 2.0)), &add6(ia, &ib, 2.0), ROUNDING);
    }

    #[test]
    fn kinetic_energy_is_independent_of_the_reference_point(
        q in unit(), offset in vector(), moments in prop::array::uniform3(0.1..1.0), v in motion()
    ) {
        let axes = quat::to_mat(q);
        let away = spatial::inertia_about(moments, &axes, offset, 2.0);
        let near = spatial::inertia_about(moments, &axes, [0.0; 3], 2.0);
        let seen = spatial::shift_motion(&v, [0.0; 3], offset);
        let (one, other) = (
            spatial::dot(&v, &spatial::mul_inertia(&away, &v)),
            spatial::dot(&seen, &spatial::mul_inertia(&near, &seen)),
        );
        close("2T", &[one], &[other], ROUNDING);
    }

    #[test]
    fn power_is_independent_of_the_reference_point(
        v in motion(), f in motion(), from in vector(), to in vector()
    ) {
        let here = spatial::dot(&f, &v);
        let there =
            spatial::dot(&spatial::shift_force(&f, from, to), &spatial::shift_motion(&v, from, to));
        prop_assert!((here - there).abs() < 1e3 * ROUNDING);
        let back = spatial::shift_motion(&spatial::shift_motion(&v, from, to), to, from);
        close("there and back", &back, &v, 10.0 * ROUNDING);
    }

    #[test]
    fn spring_force_is_the_derivative_of_the_potential(
        k in 0.0..5.0, a in -1.0..1.0, b in 0.0..1.0, x in -2.0..2.0
    ) {
        let slope = (poly::potential(k, [a, b], x + CENTRAL)
            - poly::potential(k, [a, b], x - CENTRAL)) / (2.0 * CENTRAL);
        close("force", &[x * poly::stiffness(k, [a, b], x)], &[slope], 10.0 * DIFFERENCE);
    }

    #[test]
    fn damping_derivative_matches_differences(
        c in 0.0..5.0, a in 0.0..1.0, b in 0.0..1.0, v in 0.01_f64..2.0, sign in prop::bool::ANY
    ) {
        let v = if sign { v } else { -v };
        let force = |v: f64| v * poly::damping(c, [a, b], v);
        let slope = (force(v + CENTRAL) - force(v - CENTRAL)) / (2.0 * CENTRAL);
        close("slope", &[poly::damping_derivative(c, [a, b], v)], &[slope], 10.0 * DIFFERENCE);
        close("odd", &[force(-v)], &[-force(v)], ROUNDING);
    }
}

#[test]
fn zero_inputs_have_defined_results() {
    assert_eq!(quat::normalize([0.0; 4]), quat::IDENTITY);
    assert_eq!(vec3::normalize([0.0; 3]), ([1.0, 0.0, 0.0], 0.0));
    assert_eq!(quat::from_z_axis([0.0; 3]), quat::IDENTITY);
    assert_eq!(quat::integrate(quat::IDENTITY, [0.0; 3], 1.0), quat::IDENTITY);
    assert_eq!(quat::to_velocity(quat::IDENTITY, 1.0), [0.0; 3]);
}

#[test]
fn from_z_axis_of_minus_z_is_180_degrees() {
    let q = quat::from_z_axis([0.0, 0.0, -2.0]);
    close("z", &quat::rotate(q, [0.0, 0.0, 1.0]), &[0.0, 0.0, -1.0], ROUNDING);
}
