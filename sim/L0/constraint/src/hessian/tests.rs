//! Tests that both factorisations of the Hessian agree with the matrix.

use super::root_path::RootPathFactor;
use super::supernodal::SupernodalFactor;
use crate::problem::Problem;
use random_problem::{Cone, RandomProblem, Rng, distance};
use sim_types::{ConstraintState, ConstraintType};

#[path = "../../tests/suite/random_problem.rs"]
#[allow(dead_code, reason = "shared with the integration tests, which use all of it")]
pub(crate) mod random_problem;

/// `(M + Jᵀ D J) x` over the quadratic rows.
pub(super) fn mul_hessian(data: &RandomProblem, state: &[ConstraintState], x: &[f64]) -> Vec<f64> {
    let mut out = data.times_m(x);
    for (i, &state) in state.iter().enumerate() {
        let entries = data.rowadr[i] as usize..(data.rowadr[i] + data.rownnz[i]) as usize;
        if state == ConstraintState::Quadratic {
            let product: f64 =
                entries.clone().map(|k| data.j[k] * x[data.colind[k] as usize]).sum();
            for k in entries {
                out[data.colind[k] as usize] += data.j[k] * data.d[i] * product;
            }
        }
    }
    out
}

pub(super) fn states(rng: &mut Rng, problem: &Problem<'_>) -> Vec<ConstraintState> {
    let pick =
        |rng: &mut Rng| [ConstraintState::Satisfied, ConstraintState::Quadratic][rng.below(2)];
    (0..problem.nefc()).map(|_| pick(rng)).collect()
}

#[test]
fn both_factorisations_solve_after_rank_one_updates() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let data = RandomProblem::random(seed, 1 + 3 * seed as usize, 6, Cone::Pyramidal);
        let problem = data.problem();
        let mut row_blocks = Vec::new();
        assert!(problem.find_row_blocks(&mut row_blocks));
        let (mut root_path, mut supernodal) =
            (RootPathFactor::default(), SupernodalFactor::default());
        root_path.tree.compute(&problem, &row_blocks);
        root_path.resize(true);
        supernodal.analyze(&problem, &row_blocks);

        let mut state = states(&mut rng, &problem);
        root_path.assemble(&problem, &row_blocks, &state);
        supernodal.assemble(&problem, &row_blocks, &state);
        assert!(
            root_path.factor(&problem, &state, None)
                && supernodal.factor(&problem, &row_blocks, &state, None)
        );
        // rows are added and removed one by one
        for i in (0..problem.nefc()).chain(0..problem.nefc() / 2) {
            let x: Vec<f64> = data.qacc_smooth.iter().map(|_| rng.signed()).collect();
            let right = mul_hessian(&data, &state, &x);
            let (mut a, mut b) = (right.clone(), right);
            root_path.solve(&mut a);
            supernodal.solve(&mut b);
            assert!(distance(&a, &x) < 1e-10 && distance(&b, &x) < 1e-10, "{seed} {i}");
            let add = state[i] != ConstraintState::Quadratic;
            state[i] = if add { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
            let weight = if add { data.d[i] } else { -data.d[i] };
            let entries = data.rowadr[i] as usize..(data.rowadr[i] + data.rownnz[i]) as usize;
            let (j, cols) = (&data.j[entries.clone()], &data.colind[entries]);
            assert!(
                root_path.rank_one_update(j, cols, weight)
                    && supernodal.rank_one_update(j, cols, weight)
            );
        }
    }
}

#[test]
fn both_factorisations_include_cone_terms() {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let mut data = RandomProblem::random(seed, 20, 6, Cone::Elliptic);
        let problem = data.problem();
        let mut row_blocks = Vec::new();
        assert!(problem.find_row_blocks(&mut row_blocks));
        let elliptic = |i: usize| problem.rows.kind[i] == ConstraintType::ContactElliptic;
        let state: Vec<_> = (0..problem.nefc())
            .map(|i| if elliptic(i) { ConstraintState::Cone } else { ConstraintState::Quadratic })
            .collect();
        // a diagonal cone Hessian is equivalent to quadratic rows
        let mut cones = vec![[0.0; 36]; data.contacts.len()];
        for (contact, cone) in data.contacts.iter().zip(&mut cones) {
            for k in 0..contact.dim {
                cone[k * (contact.dim + 1)] = data.d[contact.row + k];
            }
        }
        let (mut root_path, mut supernodal) =
            (RootPathFactor::default(), SupernodalFactor::default());
        root_path.tree.compute(&problem, &row_blocks);
        root_path.resize(true);
        supernodal.analyze(&problem, &row_blocks);
        root_path.assemble(&problem, &row_blocks, &state);
        supernodal.assemble(&problem, &row_blocks, &state);
        assert!(root_path.factor(&problem, &state, Some(&cones)));
        assert!(supernodal.factor(&problem, &row_blocks, &state, Some(&cones)));
        let x: Vec<f64> = data.qacc_smooth.iter().map(|_| rng.signed()).collect();
        data.contacts.clear();
        let right = mul_hessian(&data, &vec![ConstraintState::Quadratic; state.len()], &x);
        let (mut a, mut b) = (right.clone(), right);
        root_path.solve(&mut a);
        supernodal.solve(&mut b);
        assert!(distance(&a, &x) < 1e-10 && distance(&b, &x) < 1e-10, "{seed}");
    }
}

#[test]
fn ordering_of_an_arrow_matrix_has_no_fill_in() {
    // every dof is coupled to the last one only; in natural order the factor would be dense
    let n = 40;
    let mut data = RandomProblem::random(1, n, 0, Cone::Pyramidal);
    data.m_rownnz = vec![1; n];
    data.m_rowadr = (0..n as i32).collect();
    data.m_colind = (0..n as i32).collect();
    (data.m, data.ld, data.diag_inv) = (vec![1.0; n], vec![1.0; n], vec![1.0; n]);
    let rows = n - 1;
    (data.ne, data.nf) = (0, 0);
    data.kind = vec![ConstraintType::LimitJoint; rows];
    data.rownnz = vec![2; rows];
    data.rowadr = (0..rows as i32).map(|i| 2 * i).collect();
    data.colind = (0..rows as i32).flat_map(|i| [i, n as i32 - 1]).collect();
    (data.j, data.d, data.r) = (vec![1.0; 2 * rows], vec![1.0; rows], vec![1.0; rows]);
    (data.aref, data.frictionloss) = (vec![0.0; rows], vec![0.0; rows]);
    data.contacts.clear();
    let problem = data.problem();
    assert!(problem.is_well_formed());
    let mut row_blocks = Vec::new();
    assert!(problem.find_row_blocks(&mut row_blocks));
    let mut supernodal = SupernodalFactor::default();
    supernodal.analyze(&problem, &row_blocks);
    assert_eq!(supernodal.nnz(), 2 * n - 1);
}
