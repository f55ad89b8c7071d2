//! The inertia matrix: what it is (inverse dynamics, column by column), and solves that must agree.

use crate::models::{Rng, chain, moving, world};
use crate::tolerance::{ROUNDING, SOLVE, SOLVE_DEEP, close};
use nalgebra::{DMatrix, DVector};
use sim_core::math::dot;
use sim_core::types::StepError;
use sim_core::{
    Data, Model, cholesky_in_place, cholesky_solve_in_place, mj_factor_sparse, mj_full_m,
    mj_fwd_position, mj_fwd_velocity, mj_mul_m, mj_mul_m2, mj_rne, mj_solve_m, mj_solve_m2,
    mj_solve_sparse,
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
    let dense = mj_full_m(m, &d);
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
    let dense = mj_full_m(m, &ready(m));
    assert_eq!(dense, dense.transpose());
    assert!(dense.cholesky().is_some());
}
on_every_model!(inertia_is_symmetric_and_positive_definite);

fn dense_and_sparse_solves_agree(m: &Model) {
    let d = ready(m);
    let mut dense = mj_full_m(m, &d);
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

fn solving_undoes_multiplying(m: &Model) {
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
on_every_model!(solving_undoes_multiplying);

fn half_products_and_half_solves_keep_their_promises(m: &Model) {
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
on_every_model!(half_products_and_half_solves_keep_their_promises);

fn the_dense_matrix_multiplies_like_the_sparse_one(m: &Model) {
    let d = ready(m);
    let y = Rng(25).numbers(m.nv, 1.0);
    let mut sparse = vec![0.0; m.nv];
    mj_mul_m(m, &d, &y, &mut sparse);
    let dense = mj_full_m(m, &d) * DVector::from_vec(y);
    close("M y", &sparse, dense.as_slice(), ROUNDING);
}
on_every_model!(the_dense_matrix_multiplies_like_the_sparse_one);

#[test]
fn several_right_sides_are_solved_one_after_another() {
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
fn factoring_again_gives_the_same_factor() {
    let m = crate::models::model("robots/humanoid");
    let mut d = ready(&m);
    let before = d.qLD.clone();
    d.qLD.fill(f64::NAN);
    mj_factor_sparse(&m, &mut d);
    assert_eq!(d.qLD, before);
}

#[test]
fn cholesky_names_the_pivot_that_is_not_positive() {
    let mut indefinite = DMatrix::from_row_slice(3, 3, &[4., 2., 0., 2., 1., 0., 0., 0., 1.]);
    assert_eq!(
        cholesky_in_place(&mut indefinite),
        Err(StepError::CholeskyFailed { index: 1, value: 0.0 })
    );
    let mut bad = DMatrix::from_element(1, 1, f64::NAN);
    assert!(matches!(cholesky_in_place(&mut bad), Err(StepError::CholeskyFailed { index: 0, .. })));
}

#[test]
fn cholesky_leaves_the_upper_triangle_alone() {
    let mut a = DMatrix::from_row_slice(2, 2, &[4.0, 77.0, 2.0, 3.0]);
    cholesky_in_place(&mut a).unwrap();
    assert_eq!(a[(0, 1)], 77.0);
    assert_eq!((a[(0, 0)], a[(1, 0)]), (2.0, 1.0));
}

/// Rows and trees of every size: kernels are written for short rows and for small trees, and the
/// sizes here lie on both sides of every border.
#[test]
fn every_length_of_row_and_size_of_tree_is_solved() {
    for hinges in (1..=20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129]) {
        dense_and_sparse_solves_agree(&world(&chain(hinges)));
    }
}

#[test]
fn trees_are_solved_independently_of_their_neighbours() {
    let m = world(&[3, 70, 1, 13, 64].map(chain).concat());
    assert_eq!((m.ntree, m.nv), (5, 151));
    dense_and_sparse_solves_agree(&m);
    half_products_and_half_solves_keep_their_promises(&m);
    inertia_is_inverse_dynamics_column_by_column(&m);
}

/// A step of a deep tree does without the matrix. It may leave it unknown, but not out of date.
#[test]
fn the_matrix_is_never_out_of_date() {
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
fn a_step_of_a_deep_tree_marks_a_matrix_that_was_built_by_hand() {
    let m = world(&chain(90));
    let mut d = moving(&m, 27);
    d.step(&m).unwrap();
    sim_core::mj_crb(&m, &mut d);
    assert!(d.M.iter().all(|x| x.is_finite()));
    d.step(&m).unwrap();
    assert!(d.M.iter().all(|x| x.is_nan()));
}
