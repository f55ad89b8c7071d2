//! Tests of small numerical solvers on random input: optimality, agreement with dense forms, rejection.

use crate::models::{Rng, cases};
use crate::tolerance::{ALGORITHM, CENTRAL, DIFFERENCE, EIGEN, MINIMUM, ROUNDING, close};
use proptest::prelude::*;
use sim_core::math::band::Band;
use sim_core::math::box_qp::{BoxQp, BoxQpError, Options, Status, Work};
use sim_core::math::pose::Pose;
use sim_core::math::{
    cholesky, dot, eig3, mat3, pyramid, quat, quat_derivative, random, scalar, vec3,
};

/// A symmetric matrix with eigenvalues of at least one.
fn positive(rng: &mut Rng, n: usize) -> Vec<f64> {
    let a = rng.numbers(n * n, 1.0);
    let mut h = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
            h[i * n + j] = product + if i == j { 1.0 } else { 0.0 };
        }
    }
    h
}

fn mul(h: &[f64], x: &[f64]) -> Vec<f64> {
    h.chunks_exact(x.len()).map(|row| dot(row, x)).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn box_qp_solution_satisfies_the_kkt_conditions(seed in any::<u64>(), n in 1..8usize) {
        let mut rng = Rng(seed);
        let (h, g) = (positive(&mut rng, n), rng.numbers(n, 4.0));
        let lower: Vec<f64> = rng.numbers(n, 1.0).iter().map(|x| x - 1.1).collect();
        let upper: Vec<f64> = rng.numbers(n, 1.0).iter().map(|x| x + 1.1).collect();
        let program = BoxQp { h: &h, g: &g, lower: Some(&lower), upper: Some(&upper) };
        let mut work = Work::default();
        let mut x = rng.numbers(n, 5.0);
        program.solve(&mut x, &mut work).unwrap();
        let gradient: Vec<f64> = mul(&h, &x).iter().zip(&g).map(|(a, b)| a + b).collect();
        for i in 0..n {
            prop_assert!(lower[i] <= x[i] && x[i] <= upper[i]);
            if work.free().contains(&i) {
                prop_assert!(gradient[i].abs() < MINIMUM, "{}", gradient[i]);
            } else {
                let inward = if x[i] == lower[i] { gradient[i] } else { -gradient[i] };
                prop_assert!(inward > 0.0);
            }
        }
        // a warm start from the answer has nothing to do
        let answer = x.clone();
        program.solve(&mut x, &mut work).unwrap();
        close("again", &x, &answer, MINIMUM);
    }

    #[test]
    fn unbounded_box_qp_solution_is_the_newton_point(seed in any::<u64>(), n in 1..8usize) {
        let mut rng = Rng(seed);
        let (h, g) = (positive(&mut rng, n), rng.numbers(n, 4.0));
        let mut x = vec![0.0; n];
        let program = BoxQp { h: &h, g: &g, lower: None, upper: None };
        let status = program.solve(&mut x, &mut Work::default()).unwrap();
        prop_assert_eq!(status, Status::Unbounded);
        let balance: Vec<f64> = mul(&h, &x).iter().map(|x| -x).collect();
        close("H x = -g", &balance, &g, ALGORITHM);
    }

    #[test]
    fn band_matrix_operations_equal_dense_ones(
        seed in any::<u64>(), n in 1..9usize, width in 1..9usize, dense in 0..9usize,
    ) {
        let mut rng = Rng(seed);
        let band = Band::new(n, width.min(n), dense.min(n)).unwrap();
        let mut mat = vec![0.0; band.len()];
        band.from_dense(&positive(&mut rng, n), &mut mat);
        // entries that the band cuts off could make the matrix indefinite
        for i in 0..n {
            mat[band.diagonal(i)] += 2.0 * n as f64;
        }
        let (mut full, x, mut product) = (vec![0.0; n * n], rng.numbers(n, 1.0), vec![0.0; n]);
        band.to_dense(&mat, &mut full, true);
        band.mul_vec(&mat, &x, &mut product, true);
        close("product", &product, &mul(&full, &x), ROUNDING);
        prop_assert!(band.factor(&mut mat, 0.0, 0.0).unwrap() > 0.0);
        band.solve(&mat, &mut product);
        close("solution", &product, &x, ROUNDING);
    }

    #[test]
    fn rank_one_update_of_a_factor_equals_refactorisation(seed in any::<u64>(), n in 1..7usize) {
        let mut rng = Rng(seed);
        let h = positive(&mut rng, n);
        let x = rng.numbers(n, 1.0);
        let mut factor = h.clone();
        prop_assert_eq!(cholesky::factor(&mut factor, n, 1e-15), n);
        let mut changed = h.clone();
        for i in 0..n {
            for j in 0..n {
                changed[i * n + j] += x[i] * x[j];
            }
        }
        cholesky::factor(&mut changed, n, 1e-15);
        let before = factor.clone();
        prop_assert_eq!(cholesky::update(&mut factor, &mut x.clone(), true), n);
        let lower = |m: &[f64]| -> Vec<f64> {
            (0..n).flat_map(|i| m[i * n..=i * n + i].to_vec()).collect()
        };
        close("updated", &lower(&factor), &lower(&changed), ROUNDING);
        cholesky::update(&mut factor, &mut x.clone(), false);
        close("and back", &lower(&factor), &lower(&before), ALGORITHM);
    }

    #[test]
    fn eigendecomposition_reconstructs_the_matrix(values in prop::array::uniform3(-2.0..2.0f64), q in prop::array::uniform4(0.1..1.0f64)) {
        let v = quat::to_mat(quat::normalize(q));
        let build = |v: &mat3::Mat3, d: [f64; 3]| {
            let scaled: mat3::Mat3 = std::array::from_fn(|k| v[k] * d[k % 3]);
            mat3::mul(&scaled, &mat3::transpose(v))
        };
        let a = build(&v, values);
        let e = eig3::eig3(&a);
        prop_assert!(e.values[0] + 1e-9 >= e.values[1] && e.values[1] + 1e-9 >= e.values[2]);
        // eigenvalues only feel the square of that error
        let mut sorted = values;
        sorted.sort_by(|a, b| b.total_cmp(a));
        close("values", &e.values, &sorted, ALGORITHM);
        close("A", &build(&e.vectors, e.values), &a, EIGEN);
    }

    #[test]
    fn rotation_derivatives_equal_finite_differences(
        q in prop::array::uniform4(0.1..1.0f64), velocity in prop::array::uniform3(-1.0..1.0f64),
        scale in 0.1..1.5f64,
    ) {
        let q = quat::normalize(q);
        let nudged = |q, k: usize, step: f64| {
            let mut axis = [0.0; 3];
            axis[k] = step;
            quat::integrate(q, axis, 1.0)
        };
        let d = quat_derivative::integrate_derivative(velocity, scale);
        let end = |q, v| quat::integrate(q, v, scale);
        let b = quat::integrate(q, [0.3, -0.2, 0.5], 1.0);
        let (by_a, by_b) = quat_derivative::subtract_derivative(q, b);
        for k in 0..3 {
            let turn = |up, down| vec3::scale(quat::subtract(up, down), 0.5 / CENTRAL);
            let by_quat =
                turn(end(nudged(q, k, CENTRAL), velocity), end(nudged(q, k, -CENTRAL), velocity));
            close("start", &mat3::column(&d.by_quat, k), &by_quat, DIFFERENCE);
            let mut faster = [velocity, velocity];
            faster[0][k] += CENTRAL / scale;
            faster[1][k] -= CENTRAL / scale;
            let by_velocity = turn(end(q, faster[0]), end(q, faster[1]));
            close("velocity", &mat3::column(&d.by_velocity, k), &by_velocity, DIFFERENCE);
            let rate = |up, down| vec3::scale(vec3::sub(up, down), 0.5 / CENTRAL);
            let first = rate(
                quat::subtract(nudged(q, k, CENTRAL), b),
                quat::subtract(nudged(q, k, -CENTRAL), b),
            );
            close("first", &mat3::column(&by_a, k), &first, DIFFERENCE);
            let second = rate(
                quat::subtract(q, nudged(b, k, CENTRAL)),
                quat::subtract(q, nudged(b, k, -CENTRAL)),
            );
            close("second", &mat3::column(&by_b, k), &second, DIFFERENCE);
        }
        let turn = quat::subtract(
            quat::integrate(q, velocity, scale + CENTRAL),
            quat::integrate(q, velocity, scale - CENTRAL),
        );
        close("duration", &d.by_scale, &vec3::scale(turn, 0.5 / CENTRAL), DIFFERENCE);
    }

    #[test]
    fn pose_times_inverse_is_identity(
        pos in prop::array::uniform3(-2.0..2.0f64), q in prop::array::uniform4(0.1..1.0f64),
    ) {
        let pose = Pose { pos, quat: quat::normalize(q) };
        let both = pose.then(&pose.inverse());
        // against the distance itself, for zero has no scale
        close("position", &vec3::add(both.pos, [1.0; 3]), &[1.0; 3], ROUNDING);
        close("rotation", &both.quat, &quat::IDENTITY, ROUNDING);
        close("point", &pose.inverse().apply(pose.apply([1.0, 2.0, 3.0])), &[1.0, 2.0, 3.0], ROUNDING);
    }
}

#[test]
fn invalid_quadratic_programs_are_rejected() {
    let (h, g, low, high) = ([2.0, 0.0, 0.0, 2.0], [1.0; 2], [-1.0; 2], [1.0; 2]);
    let solve = |h: &[f64], g: &[f64], lower: &[f64], upper: &[f64]| {
        let program = BoxQp { h, g, lower: Some(lower), upper: Some(upper) };
        program.solve(&mut [0.0; 2], &mut Work::default())
    };
    assert_eq!(solve(&h[..3], &g, &low, &high), Err(BoxQpError::Length { n: 2 }));
    assert_eq!(solve(&h, &g[..1], &low, &high), Err(BoxQpError::Length { n: 2 }));
    assert_eq!(solve(&h, &g, &high, &low), Err(BoxQpError::Bounds { index: 0 }));
    let negative = h.map(|x| -x);
    assert_eq!(solve(&negative, &g, &low, &high), Err(BoxQpError::NotPositiveDefinite));
    let unbounded = BoxQp { h: &negative, g: &g, lower: None, upper: None };
    let result = unbounded.solve(&mut [0.0; 2], &mut Work::default());
    assert_eq!(result, Err(BoxQpError::NotPositiveDefinite));
    let nan = [f64::NAN; 2];
    assert!(solve(&h, &nan, &low, &high).is_err());
    let program = BoxQp { h: &h, g: &g, lower: Some(&low), upper: None };
    let stubborn = Options { backtrack: 1.0, armijo: 2.0, ..Options::default() };
    let status = program.solve_with(&stubborn, &mut [0.0; 2], &mut Work::default());
    assert_eq!(status, Ok(Status::MaxLineSearch));
}

#[test]
fn inconsistent_band_sizes_are_rejected() {
    assert_eq!(Band::new(3, 0, 0), None);
    assert_eq!(Band::new(3, 4, 0), None);
    assert_eq!(Band::new(3, 2, 4), None);
    let mut mat = vec![-1.0; 3];
    assert_eq!(Band::new(3, 1, 0).unwrap().factor(&mut mat, 0.0, 0.0), None);
}

#[test]
fn pyramid_encoding_round_trips() {
    let (force, mu) = ([5.0, 0.3, -0.2, 0.01], [0.9, 0.8, 0.7]);
    let (mut edges, mut back) = ([0.0; 6], [0.0; 4]);
    pyramid::encode(&force, &mu, &mut edges);
    pyramid::decode(&edges, &mu, &mut back);
    close("force", &back, &force, ROUNDING);
    pyramid::decode(&[3.0], &[], &mut back);
    assert_eq!(back[0], 3.0);
}

#[test]
fn normal_samples_have_mean_zero_and_variance_one() {
    let mut rng = Rng(5);
    let numbers: Vec<f64> =
        (0..5000).flat_map(|_| random::standard_normal(|| 0.5 + 0.5 * rng.number())).collect();
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    assert_eq!(random::standard_normal(|| 0.0), [0.0; 2]);
    assert_eq!(random::halton(7, 1), 0.0);
}

#[test]
fn spring_damper_solves_its_equation_of_motion() {
    for (k, b) in [(4.0, 0.5), (4.0, 4.0), (1.0, 5.0)] {
        let at = |t: f64| scalar::spring_damper(1.0, -0.5, k, b, t);
        let step = 1e-3;
        let (before, now, after) = (at(0.7 - step), at(0.7), at(0.7 + step));
        let acceleration = (after - 2.0 * now + before) / (step * step);
        let velocity = (after - before) / (2.0 * step);
        assert!((acceleration + b * velocity + k * now).abs() < 1e-5, "{k} {b}");
        close("start", &[at(0.0)], &[1.0], ROUNDING);
    }
}

#[test]
fn invalid_euler_sequences_are_rejected() {
    let half = std::f64::consts::FRAC_PI_2;
    assert!(quat::from_euler([half, 0.0, 0.0], "xyz").is_some());
    for sequence in ["", "xy", "xyzx", "abc", "xyé", "xyw"] {
        assert_eq!(quat::from_euler([half, 0.0, 0.0], sequence), None, "{sequence}");
    }
    let fixed = quat::from_euler([0.3, 0.4, 0.5], "xyz");
    assert_eq!(fixed, quat::from_euler([0.5, 0.4, 0.3], "ZYX"));
}
