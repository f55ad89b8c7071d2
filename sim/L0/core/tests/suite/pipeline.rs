//! Entry points of the pipeline that other tests do not call: partial forward dynamics, products with the
//! constraint Jacobian, the dense inertia matrix, state checks, forward against inverse dynamics.

use crate::models::{constrained, driven};
use crate::tolerance::{ALGORITHM, close};
use sim_core::types::{EnableBit, JacobianType, SensorStage, SolverType, StepError, Warning};
use sim_core::{
    Data, Model, inertia_matrix, mj_add_m, mj_check_acc, mj_check_pos, mj_check_vel,
    mj_compare_fwd_inv, mj_forward, mj_forward_skip, mj_fwd_constraint, mj_inv_constraint,
    mj_inverse, mj_inverse_skip, mj_is_sparse, mj_mul_jac_t_vec, mj_mul_jac_vec,
};

const CONTACTS: &str = "constraints/condim3_elliptic";

/// A model with contacts and its forward dynamics at a random state.
fn forward(path: &str) -> (Model, Data) {
    let m = constrained(path);
    let mut d = driven(&m, 3);
    mj_forward(&m, &mut d).unwrap();
    (m, d)
}

#[test]
fn skipped_stages_keep_their_results() {
    let (m, d) = forward(CONTACTS);
    let mut changed = d.clone();
    changed.qfrc_applied.iter_mut().for_each(|force| *force += 0.1);
    let mut full = changed.clone();
    mj_forward(&m, &mut full).unwrap();
    for stage in [SensorStage::Pos, SensorStage::Vel] {
        let mut partial = changed.clone();
        mj_forward_skip(&m, &mut partial, stage, true).unwrap();
        close("qacc", &partial.qacc, &full.qacc, ALGORITHM);
        assert_eq!(partial.sensordata, d.sensordata, "sensors are skipped");
    }
    // without skipping, the results of a changed position are new
    let mut moved = d.clone();
    moved.qpos[2] += 0.01;
    let mut kept = moved.clone();
    mj_forward_skip(&m, &mut moved, SensorStage::None, false).unwrap();
    mj_forward_skip(&m, &mut kept, SensorStage::Pos, false).unwrap();
    assert_ne!(moved.xpos, d.xpos);
    assert_eq!(kept.xpos, d.xpos);
}

#[test]
fn inverse_dynamics_with_skipped_stages_equals_the_whole() {
    let (m, d) = forward(CONTACTS);
    let (mut whole, mut partial) = (d.clone(), d);
    mj_inverse(&m, &mut whole).unwrap();
    mj_inverse_skip(&m, &mut partial, SensorStage::Vel, true).unwrap();
    close("qfrc_inverse", &partial.qfrc_inverse, &whole.qfrc_inverse, ALGORITHM);
}

/// `x · (J y) = (Jᵀ x) · y`.
#[test]
fn jacobian_products_are_adjoint() {
    let (m, d) = forward(CONTACTS);
    assert!(d.nefc > 0);
    let x: Vec<f64> = (0..d.nefc).map(|k| (k as f64 + 0.3).sin()).collect();
    let y: Vec<f64> = (0..m.nv).map(|k| (k as f64 + 0.7).cos()).collect();
    let (mut jy, mut jtx) = (vec![0.0; d.nefc], vec![f64::NAN; m.nv]);
    mj_mul_jac_vec(&d, &y, &mut jy);
    mj_mul_jac_t_vec(&d, &x, &mut jtx);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    close("product", &[product(&x, &jy)], &[product(&jtx, &y)], ALGORITHM);
    // the constraint force in joint coordinates
    mj_mul_jac_t_vec(&d, &d.efc_force, &mut jtx);
    close("qfrc_constraint", &jtx, &d.qfrc_constraint, ALGORITHM);
}

#[test]
fn inertia_is_added_to_a_dense_matrix() {
    let (m, d) = forward("robots/arm7");
    let mut sum = vec![1.0; m.nv * m.nv];
    mj_add_m(&m, &d, &mut sum);
    let expected: Vec<f64> = inertia_matrix(&m, &d).iter().map(|x| x + 1.0).collect();
    close("M", &sum, &expected, ALGORITHM);
}

#[test]
fn automatic_jacobians_are_sparse_from_60_dofs() {
    let mut m = constrained("chains/chain_10");
    assert!(!mj_is_sparse(&m));
    m.opt.jacobian = JacobianType::Sparse;
    assert!(mj_is_sparse(&m));
    let mut long = constrained("chains/chain_100");
    assert!(mj_is_sparse(&long));
    long.opt.jacobian = JacobianType::Dense;
    assert!(!mj_is_sparse(&long));
}

#[test]
fn bad_states_are_reported_and_reset() {
    type Check = fn(&Model, &mut Data) -> Result<(), StepError>;
    type Case = (Check, Warning, fn(&mut Data));
    let cases: [Case; 3] = [
        (mj_check_pos, Warning::BadQpos, |d| d.qpos[0] = f64::NAN),
        (mj_check_vel, Warning::BadQvel, |d| d.qvel[0] = f64::INFINITY),
        (mj_check_acc, Warning::BadQacc, |d| d.qacc[0] = 1e300),
    ];
    for (check, warning, spoil) in cases {
        let (m, mut d) = forward("robots/cartpole");
        let before = d.clone();
        check(&m, &mut d).unwrap();
        assert_eq!(d.qpos, before.qpos, "a good state is kept");
        spoil(&mut d);
        check(&m, &mut d).unwrap();
        assert_eq!(d.warning[warning as usize].number, 1);
        assert!(d.qpos.iter().chain(&d.qvel).all(|x| x.is_finite()));
    }
}

/// Forward and inverse dynamics agree at the solver's optimum.
#[test]
fn forward_and_inverse_dynamics_differ_by_the_solver_tolerance() {
    let mut m = constrained("constraints/fwdinv_flag");
    assert_ne!(m.opt.enableflags & EnableBit::FwdInv as i32, 0);
    m.opt.solver = SolverType::Newton;
    (m.opt.tolerance, m.opt.iterations) = (0.0, 100);
    let mut d = driven(&m, 3);
    mj_forward(&m, &mut d).unwrap();
    let forces = d.qfrc_constraint.clone();
    mj_compare_fwd_inv(&m, &mut d);
    assert_eq!(d.qfrc_constraint, forces, "results of forward dynamics are kept");
    let scale = forces.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    assert!(d.solver_fwdinv.iter().all(|x| *x < 1e-6 * scale), "{:?}", d.solver_fwdinv);
}

/// The inverse of the constraint map gives the forces of the solver at its acceleration.
#[test]
fn inverse_constraint_forces_are_those_of_the_solver() {
    let mut m = constrained(CONTACTS);
    (m.opt.tolerance, m.opt.iterations) = (0.0, 100);
    let mut d = driven(&m, 3);
    mj_forward(&m, &mut d).unwrap();
    mj_fwd_constraint(&m, &mut d).unwrap();
    let solved = d.qfrc_constraint.clone();
    mj_inv_constraint(&m, &mut d).unwrap();
    close("qfrc_constraint", &d.qfrc_constraint, &solved, 1e-6);
}

#[test]
fn solver_iterations_end_with_the_smallest_gradient() {
    let (m, d) = forward(CONTACTS);
    let iterations = d.solver_iterations(&m, 0);
    let gradients: Vec<f64> = iterations.iter().map(|iteration| iteration.gradient).collect();
    let last = *gradients.last().expect("an iteration");
    assert!(gradients.iter().all(|&gradient| last <= gradient), "{gradients:?}");
    assert!(d.solver_iterations(&m, usize::MAX).is_empty());
}
