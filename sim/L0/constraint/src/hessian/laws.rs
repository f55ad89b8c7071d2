//! Both forms of the Hessian solve the same equations.

use super::path::Paths;
use super::sparse::Sparse;
use crate::group;
use crate::problem::Problem;
use make::{Cone, Made, Random, distance};
use sim_types::{ConstraintState, ConstraintType};

#[path = "../../tests/suite/make.rs"]
#[allow(dead_code, reason = "shared with the integration tests, which use all of it")]
mod make;

/// `(M + Jᵀ D J) x` over the quadratic rows.
fn multiply(made: &Made, state: &[ConstraintState], x: &[f64]) -> Vec<f64> {
    let mut out = made.times_m(x);
    for (i, &state) in state.iter().enumerate() {
        let entries = made.rowadr[i] as usize..(made.rowadr[i] + made.rownnz[i]) as usize;
        if state == ConstraintState::Quadratic {
            let product: f64 =
                entries.clone().map(|k| made.j[k] * x[made.colind[k] as usize]).sum();
            for k in entries {
                out[made.colind[k] as usize] += made.j[k] * made.d[i] * product;
            }
        }
    }
    out
}

fn states(random: &mut Random, problem: &Problem<'_>) -> Vec<ConstraintState> {
    let pick = |random: &mut Random| {
        [ConstraintState::Satisfied, ConstraintState::Quadratic][random.below(2)]
    };
    (0..problem.nefc()).map(|_| pick(random)).collect()
}

#[test]
fn both_forms_solve_and_follow_changes() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let made = Made::random(seed, 1 + 3 * seed as usize, 6, Cone::Pyramidal);
        let problem = made.problem();
        let mut runs = Vec::new();
        group::find(&problem, &mut runs);
        let (mut paths, mut sparse) = (Paths::default(), Sparse::default());
        paths.tree.find(&problem, &runs);
        paths.resize(true);
        sparse.find(&problem, &runs);

        let mut state = states(&mut random, &problem);
        paths.assemble(&problem, &runs, &state);
        sparse.assemble(&problem, &runs, &state);
        assert!(
            paths.factor(&problem, &state, None) && sparse.factor(&problem, &runs, &state, None)
        );
        // rows come and go one by one
        for i in (0..problem.nefc()).chain(0..problem.nefc() / 2) {
            let x: Vec<f64> = made.qacc_smooth.iter().map(|_| random.signed()).collect();
            let right = multiply(&made, &state, &x);
            let (mut a, mut b) = (right.clone(), right);
            paths.solve(&mut a);
            sparse.solve(&mut b);
            assert!(distance(&a, &x) < 1e-10 && distance(&b, &x) < 1e-10, "{seed} {i}");
            let add = state[i] != ConstraintState::Quadratic;
            state[i] = if add { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
            let weight = if add { made.d[i] } else { -made.d[i] };
            let entries = made.rowadr[i] as usize..(made.rowadr[i] + made.rownnz[i]) as usize;
            let (j, cols) = (&made.j[entries.clone()], &made.colind[entries]);
            assert!(paths.update(j, cols, weight) && sparse.update(j, cols, weight));
        }
    }
}

#[test]
fn both_forms_add_cones() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let mut made = Made::random(seed, 20, 6, Cone::Elliptic);
        let problem = made.problem();
        let mut runs = Vec::new();
        group::find(&problem, &mut runs);
        let elliptic = |i: usize| problem.rows.kind[i] == ConstraintType::ContactElliptic;
        let state: Vec<_> = (0..problem.nefc())
            .map(|i| if elliptic(i) { ConstraintState::Cone } else { ConstraintState::Quadratic })
            .collect();
        // a diagonal block acts as a quadratic row does
        let mut cones = vec![[0.0; 36]; made.contacts.len()];
        for (contact, cone) in made.contacts.iter().zip(&mut cones) {
            for k in 0..contact.dim {
                cone[k * (contact.dim + 1)] = made.d[contact.row + k];
            }
        }
        let (mut paths, mut sparse) = (Paths::default(), Sparse::default());
        paths.tree.find(&problem, &runs);
        paths.resize(true);
        sparse.find(&problem, &runs);
        paths.assemble(&problem, &runs, &state);
        sparse.assemble(&problem, &runs, &state);
        assert!(paths.factor(&problem, &state, Some(&cones)));
        assert!(sparse.factor(&problem, &runs, &state, Some(&cones)));
        let x: Vec<f64> = made.qacc_smooth.iter().map(|_| random.signed()).collect();
        made.contacts.clear();
        let right = multiply(&made, &vec![ConstraintState::Quadratic; state.len()], &x);
        let (mut a, mut b) = (right.clone(), right);
        paths.solve(&mut a);
        sparse.solve(&mut b);
        assert!(distance(&a, &x) < 1e-10 && distance(&b, &x) < 1e-10, "{seed}");
    }
}

#[test]
fn a_hub_is_eliminated_last() {
    // every dof is coupled to the last one alone; in the order of dofs the factor would be full
    let n = 40;
    let mut made = Made::random(1, n, 0, Cone::Pyramidal);
    made.m_rownnz = vec![1; n];
    made.m_rowadr = (0..n as i32).collect();
    made.m_colind = (0..n as i32).collect();
    (made.m, made.ld, made.diag_inv) = (vec![1.0; n], vec![1.0; n], vec![1.0; n]);
    let rows = n - 1;
    (made.ne, made.nf) = (0, 0);
    made.kind = vec![ConstraintType::LimitJoint; rows];
    made.rownnz = vec![2; rows];
    made.rowadr = (0..rows as i32).map(|i| 2 * i).collect();
    made.colind = (0..rows as i32).flat_map(|i| [i, n as i32 - 1]).collect();
    (made.j, made.d, made.r) = (vec![1.0; 2 * rows], vec![1.0; rows], vec![1.0; rows]);
    (made.aref, made.frictionloss) = (vec![0.0; rows], vec![0.0; rows]);
    made.contacts.clear();
    let problem = made.problem();
    assert!(problem.is_well_formed());
    let mut runs = Vec::new();
    group::find(&problem, &mut runs);
    let mut sparse = Sparse::default();
    sparse.find(&problem, &runs);
    assert_eq!(sparse.nnz(), 2 * n - 1);
}
