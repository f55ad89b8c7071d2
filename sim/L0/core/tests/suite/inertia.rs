//! Inertia matrix: agreement with inverse dynamics column by column, and of sparse and dense solves.

use crate::models::{Rng, chain, moving, world};
use crate::tolerance::{ROUNDING, SOLVE, SOLVE_DEEP, close};
use nalgebra::{DMatrix, DVector};
use sim_core::math::dot;
use sim_core::types::StepError;
use sim_core::{
    Data, Model, cholesky_in_place, cholesky_solve_in_place, inertia_matrix, mj_factor_sparse,
    mj_full_m, mj_fwd_position, mj_fwd_velocity, mj_get_totalmass, mj_mul_m, mj_mul_m2, mj_rne,
    mj_set_const, mj_set_totalmass, mj_solve_m, mj_solve_m2, mj_solve_sparse,
};

/// A state with `M` and its factor.
fn ready(m: &Model) -> Data {
    let mut d = moving(m, 21);
    mj_fwd_position(m, &mut d);
    mj_fwd_velocity(m, &mut d);
    d
}

/// Tolerance of solves: a long chain is ill-conditioned.
fn solve_tolerance(m: &Model) -> f64 {
    if m.nv > 50 { SOLVE_DEEP } else { SOLVE }
}

/// Column `i` of `M` is the force that accelerates dof `i` alone, less the bias, plus the rotor.
fn inertia_is_inverse_dynamics_column_by_column(m: &Model) {
    let mut d = ready(m);
    let dense = inertia_matrix(m, &d);
    let mut bias = vec![0.0; m.nv];
    mj_rne(m, &mut d, false, &mut bias);
    close("bias", &bias, &d.qfrc_bias.clone(), ROUNDING);
    // the matrix does not depend on velocity; at rest the difference below loses fewer digits
    d.qvel.fill(0.0);
    mj_fwd_velocity(m, &mut d);
    mj_rne(m, &mut d, false, &mut bias);
    let mut columns = DMatrix::zeros(m.nv, m.nv);
    let mut force = vec![0.0; m.nv];
    for i in 0..m.nv {
        d.qacc.fill(0.0);
        d.qacc[i] = 1.0;
        mj_rne(m, &mut d, true, &mut force);
        for k in 0..m.nv {
            columns[(k, i)] = force[k] - bias[k];
        }
        columns[(i, i)] += m.dof_armature[i];
    }
    close("M", dense.as_slice(), columns.as_slice(), 10.0 * ROUNDING);
}
on_every_model!(inertia_is_inverse_dynamics_column_by_column);

fn inertia_is_symmetric_and_positive_definite(m: &Model) {
    let dense = inertia_matrix(m, &ready(m));
    assert_eq!(dense, dense.transpose());
    assert!(dense.cholesky().is_some());
}
on_every_model!(inertia_is_symmetric_and_positive_definite);

fn dense_and_sparse_solves_agree(m: &Model) {
    let d = ready(m);
    let mut dense = inertia_matrix(m, &d);
    let expected = dense.clone().cholesky().unwrap();
    cholesky_in_place(&mut dense).unwrap();
    let y = DVector::from_vec(Rng(22).numbers(m.nv, 1.0));
    let reference = expected.solve(&y);

    let mut x = y.clone();
    cholesky_solve_in_place(&dense, &mut x);
    close("dense", x.as_slice(), reference.as_slice(), solve_tolerance(m));
    let mut x = y.clone();
    mj_solve_sparse(m, &d, &mut x);
    close("sparse", x.as_slice(), reference.as_slice(), solve_tolerance(m));
}
on_every_model!(dense_and_sparse_solves_agree);

fn solve_inverts_product(m: &Model) {
    let d = ready(m);
    let y = Rng(23).numbers(m.nv, 1.0);
    let (mut x, mut back) = (y.clone(), vec![0.0; m.nv]);
    mj_solve_m(m, &d, &mut x);
    mj_mul_m(m, &d, &x, &mut back);
    close("M M⁻¹ y", &back, &y, solve_tolerance(m));
    mj_mul_m(m, &d, &y, &mut x);
    mj_solve_m(m, &d, &mut x);
    close("M⁻¹ M y", &x, &y, solve_tolerance(m));
}
on_every_model!(solve_inverts_product);

fn half_products_and_half_solves_preserve_quadratic_forms(m: &Model) {
    let d = ready(m);
    let y = Rng(24).numbers(m.nv, 1.0);
    let (mut half, mut full) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    mj_mul_m2(m, &d, &y, &mut half);
    mj_mul_m(m, &d, &y, &mut full);
    close("|M½ y|² = y·M y", &[dot(&half, &half)], &[dot(&y, &full)], solve_tolerance(m));

    let (mut half, mut full) = (y.clone(), y.clone());
    mj_solve_m2(m, &d, &mut half);
    mj_solve_m(m, &d, &mut full);
    close("|M⁻½ y|² = y·M⁻¹ y", &[dot(&half, &half)], &[dot(&y, &full)], solve_tolerance(m));
}
on_every_model!(half_products_and_half_solves_preserve_quadratic_forms);

fn dense_and_sparse_products_agree(m: &Model) {
    let d = ready(m);
    let y = Rng(25).numbers(m.nv, 1.0);
    let mut sparse = vec![0.0; m.nv];
    mj_mul_m(m, &d, &y, &mut sparse);
    let dense = inertia_matrix(m, &d) * DVector::from_vec(y);
    close("M y", &sparse, dense.as_slice(), ROUNDING);
}
on_every_model!(dense_and_sparse_products_agree);

#[test]
fn multiple_right_hand_sides_are_solved() {
    let m = crate::models::model("robots/arm6");
    let d = ready(&m);
    let both = Rng(26).numbers(2 * m.nv, 1.0);
    let mut together = both.clone();
    mj_solve_m(&m, &d, &mut together);
    let mut apart = both;
    for x in apart.chunks_exact_mut(m.nv) {
        mj_solve_m(&m, &d, x);
    }
    assert_eq!(together, apart);
}

#[test]
fn factorisation_is_deterministic() {
    let m = crate::models::model("robots/humanoid");
    let mut d = ready(&m);
    let before = d.qLD.clone();
    d.qLD.fill(f64::NAN);
    mj_factor_sparse(&m, &mut d);
    assert_eq!(d.qLD, before);
}

#[test]
fn cholesky_reports_the_non_positive_pivot() {
    let mut indefinite = DMatrix::from_row_slice(3, 3, &[4., 2., 0., 2., 1., 0., 0., 0., 1.]);
    assert_eq!(
        cholesky_in_place(&mut indefinite),
        Err(StepError::CholeskyFailed { index: 1, value: 0.0 })
    );
    let mut bad = DMatrix::from_element(1, 1, f64::NAN);
    assert!(matches!(cholesky_in_place(&mut bad), Err(StepError::CholeskyFailed { index: 0, .. })));
}

#[test]
fn cholesky_does_not_write_the_upper_triangle() {
    let mut a = DMatrix::from_row_slice(2, 2, &[4.0, 77.0, 2.0, 3.0]);
    cholesky_in_place(&mut a).unwrap();
    assert_eq!(a[(0, 1)], 77.0);
    assert_eq!((a[(0, 0)], a[(1, 0)]), (2.0, 1.0));
}

/// Rows and trees of every size: kernels are written for short rows and for small trees, and the
/// sizes here lie on both sides of every border.
#[test]
fn all_row_lengths_and_tree_sizes_are_solved() {
    for hinges in (1..=20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129]) {
        dense_and_sparse_solves_agree(&world(&chain(hinges)));
    }
}

#[test]
fn trees_are_solved_independently() {
    let m = world(&[3, 70, 1, 13, 64].map(chain).concat());
    assert_eq!((m.ntree, m.nv), (5, 151));
    dense_and_sparse_solves_agree(&m);
    half_products_and_half_solves_preserve_quadratic_forms(&m);
    inertia_is_inverse_dynamics_column_by_column(&m);
}

/// A step of a deep tree does without the matrix. It may leave it unknown, but not out of date.
#[test]
fn inertia_matrix_is_never_stale() {
    let m = world(&(chain(90) + r#"<body><freejoint/><geom size=".1"/></body>"#));
    let mut d = moving(&m, 27);
    for _ in 0..2 {
        for evaluate in [Data::step, Data::forward] {
            let mut fresh = d.clone();
            mj_fwd_position(&m, &mut fresh);
            evaluate(&mut d, &m).unwrap();
            let pairs = [(&d.M, &fresh.M), (&d.qM, &fresh.qM), (&d.qLD, &fresh.qLD)];
            for (now, expected) in pairs {
                assert!(now == expected || now.iter().all(|x| x.is_nan()));
            }
        }
    }
    d.forward(&m).unwrap();
    assert!(d.M.iter().chain(&d.qM).chain(&d.qLD).all(|x| x.is_finite()));
}

#[test]
fn step_of_a_deep_tree_invalidates_the_matrix() {
    let m = world(&chain(90));
    let mut d = moving(&m, 27);
    d.step(&m).unwrap();
    sim_core::mj_crb(&m, &mut d);
    assert!(d.M.iter().all(|x| x.is_finite()));
    d.step(&m).unwrap();
    assert!(d.M.iter().all(|x| x.is_nan()));
}

/// `mj_full_m` expands any matrix in the layout of `qM`.
fn full_matrix_of_qm_is_the_inertia_matrix(m: &Model) {
    let d = ready(m);
    let mut full = vec![1.0; m.nv * m.nv];
    mj_full_m(m, &mut full, &d.qM);
    assert_eq!(full, inertia_matrix(m, &d).as_slice());
    let doubled: Vec<f64> = d.qM.iter().map(|x| 2.0 * x).collect();
    let mut twice = vec![0.0; m.nv * m.nv];
    mj_full_m(m, &mut twice, &doubled);
    assert!(twice.iter().zip(&full).all(|(t, f)| *t == 2.0 * f));
}
on_every_model!(full_matrix_of_qm_is_the_inertia_matrix);

/// Body `i` of a binary tree of hinges with armature, and its subtree.
fn binary_tree(i: usize, nodes: usize) -> String {
    if i > nodes {
        return String::new();
    }
    let axis = ["1 0 0", "0 1 0", "0 0 1"][i % 3];
    format!(
        r#"<body pos=".1 {} -.2"><joint axis="{axis}" armature=".1"/><geom size=".05"/>{}{}</body>"#,
        if i.is_multiple_of(2) { 0.1 } else { -0.1 },
        binary_tree(2 * i, nodes),
        binary_tree(2 * i + 1, nodes),
    )
}

/// The sparse factorisation agrees with dense Cholesky to 1e-12 on a tree of 63 dofs.
#[test]
fn sparse_factorisation_agrees_with_dense_cholesky_above_50_dofs() {
    let m = world(&binary_tree(1, 63));
    assert_eq!(m.nv, 63);
    let d = ready(&m);
    let mut rng = Rng(3);
    let y = DVector::from_fn(m.nv, |_, _| rng.number());
    let mut sparse = y.clone();
    mj_solve_sparse(&m, &d, &mut sparse);
    let (mut factor, mut dense) = (inertia_matrix(&m, &d), y.clone());
    cholesky_in_place(&mut factor).unwrap();
    cholesky_solve_in_place(&factor, &mut dense);
    let error = (&sparse - &dense).norm() / dense.norm();
    assert!(error <= 1e-12, "{error:e}");
    let reference = inertia_matrix(&m, &d).cholesky().unwrap().solve(&y);
    let error = (&dense - &reference).norm() / reference.norm();
    assert!(error <= 1e-12, "{error:e}");
}

/// Masses and inertias scale with the total mass; the derived constants wait for `mj_set_const`.
#[test]
fn total_mass_scales_masses_and_inertias() {
    let old = world(&chain(10));
    let mut m = old.clone();
    let total = mj_get_totalmass(&m);
    mj_set_totalmass(&mut m, 3.0 * total);
    assert!((mj_get_totalmass(&m) / total - 3.0).abs() < 1e-12);
    let triple: Vec<f64> = old.body_inertia.iter().map(|x| 3.0 * x).collect();
    close("body_inertia", &m.body_inertia, &triple, ROUNDING);
    assert_eq!(m.body_subtreemass, old.body_subtreemass);
    mj_set_const(&mut m);
    close("subtreemass", &[m.body_subtreemass[0]], &[3.0 * total], ROUNDING);
}
