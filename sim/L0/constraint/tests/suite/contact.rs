//! Tests of `cg_solve_contacts`: feasibility, optimality, fallback, invalid input.

use crate::random_problem::{Cone, RandomProblem, Rng};
use sim_constraint::{
    CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace, Inertia, cg_solve_contacts,
};

struct Contacts {
    data: RandomProblem,
    jacobians: Vec<Vec<f64>>,
    rhs: Vec<[f64; 3]>,
    friction: Vec<f64>,
}

impl Contacts {
    fn random(seed: u64, nv: usize, n: usize) -> Self {
        let mut rng = Rng::new(seed);
        let jacobians =
            (0..n).map(|_| (0..3 * nv).map(|_| rng.signed()).collect()).collect::<Vec<_>>();
        let rhs = (0..n).map(|_| [0; 3].map(|_| 2.0 * rng.signed())).collect();
        let friction = (0..n).map(|_| 0.2 + rng.signed().abs()).collect();
        Self { data: RandomProblem::random(seed, nv, 0, Cone::Pyramidal), jacobians, rhs, friction }
    }

    fn blocks(&self) -> Vec<ContactBlock<'_>> {
        (0..self.rhs.len())
            .map(|i| ContactBlock {
                jacobian: &self.jacobians[i],
                rhs: self.rhs[i],
                friction: self.friction[i],
            })
            .collect()
    }

    fn solve(&self, config: &CGSolverConfig, work: &mut ContactWorkspace) -> CGContactResult {
        cg_solve_contacts(&self.blocks(), &self.data.problem().inertia, &[], config, work)
    }

    /// `W λ − rhs`.
    fn gradient(&self, forces: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let nv = self.data.qacc_smooth.len();
        let mut joint = vec![0.0; nv];
        for (j, f) in self.jacobians.iter().zip(forces) {
            for k in 0..3 {
                for i in 0..nv {
                    joint[i] += j[k * nv + i] * f[k];
                }
            }
        }
        let acceleration = solve_m(&self.data.problem().inertia, &joint);
        let product = |row: &[f64]| row.iter().zip(&acceleration).map(|(a, b)| a * b).sum::<f64>();
        let blocks = self.jacobians.iter().zip(&self.rhs);
        blocks.map(|(j, r)| [0, 1, 2].map(|k| product(&j[k * nv..(k + 1) * nv]) - r[k])).collect()
    }
}

/// `M⁻¹ x` with the factor.
fn solve_m(inertia: &Inertia<'_>, x: &[f64]) -> Vec<f64> {
    let mut x = x.to_vec();
    let row = |i: usize| {
        let start = inertia.rowadr[i] as usize;
        start..start + inertia.rownnz[i] as usize - 1
    };
    for i in (0..x.len()).rev() {
        for k in row(i) {
            x[inertia.colind[k] as usize] -= inertia.ld[k] * x[i];
        }
    }
    for i in 0..x.len() {
        x[i] *= inertia.diag_inv[i];
        for k in row(i) {
            x[i] -= inertia.ld[k] * x[inertia.colind[k] as usize];
        }
    }
    x
}

fn check_cones(contacts: &Contacts, result: &CGContactResult) {
    for (f, mu) in result.forces.iter().zip(&contacts.friction) {
        assert!(f[0] >= 0.0);
        assert!(f[1].hypot(f[2]) <= mu * f[0] * (1.0 + 1e-12));
    }
}

#[test]
fn forces_are_feasible_and_optimal() {
    let config = CGSolverConfig { max_iterations: 2000, tolerance: 1e-8, ..Default::default() };
    let mut work = ContactWorkspace::default();
    for seed in 0..30 {
        let contacts = Contacts::random(seed, 4 + seed as usize, 1 + seed as usize / 3);
        let result = contacts.solve(&config, &mut work);
        assert!(result.converged, "{seed}: {result:?}");
        check_cones(&contacts, &result);
        // the gradient is in the dual cone and orthogonal to the force
        for ((g, f), mu) in
            contacts.gradient(&result.forces).iter().zip(&result.forces).zip(&contacts.friction)
        {
            assert!(g[0] >= mu * g[1].hypot(g[2]) - 1e-7, "{seed}: {g:?}");
            let product: f64 = g.iter().zip(f).map(|(a, b)| a * b).sum();
            assert!(product.abs() < 1e-6, "{seed}: {product}");
        }
    }
}

#[test]
fn fallback_agrees_with_cg_and_is_counted() {
    let cg = CGSolverConfig { max_iterations: 2000, tolerance: 1e-8, fallback_iterations: 0 };
    let pgs = CGSolverConfig { max_iterations: 0, tolerance: 1e-8, fallback_iterations: 20_000 };
    let mut work = ContactWorkspace::default();
    for seed in 0..15 {
        let contacts = Contacts::random(seed, 20, 5);
        let by_cg = contacts.solve(&cg, &mut work);
        assert!(by_cg.converged && !by_cg.fell_back, "{seed}: {by_cg:?}");
        let by_pgs = contacts.solve(&pgs, &mut work);
        assert!(by_pgs.converged && by_pgs.fell_back, "{seed}: {by_pgs:?}");
        check_cones(&contacts, &by_pgs);
        assert_eq!(work.fallbacks(), seed + 1);
        let error = crate::random_problem::distance(
            by_pgs.forces.as_flattened(),
            by_cg.forces.as_flattened(),
        );
        assert!(error < 1e-6, "{seed}: {error}");
    }
}

#[test]
fn optimal_initial_force_needs_no_iteration() {
    let contacts = Contacts::random(3, 15, 4);
    let mut work = ContactWorkspace::default();
    let config = CGSolverConfig::default();
    let first = contacts.solve(&config, &mut work);
    let inertia = contacts.data.problem().inertia;
    let again = cg_solve_contacts(&contacts.blocks(), &inertia, &first.forces, &config, &mut work);
    assert_eq!(again.iterations_used, 0);
    let (again, first) = (again.forces.as_flattened(), first.forces.as_flattened());
    assert!(crate::random_problem::distance(again, first) < 1e-14);
}

#[test]
fn invalid_input_terminates() {
    let config = CGSolverConfig::default();
    let mut work = ContactWorkspace::default();
    let mut contacts = Contacts::random(1, 10, 4);
    assert!(contacts.solve(&config, &mut work).converged);
    contacts.jacobians[0].fill(0.0);
    assert!(contacts.solve(&config, &mut work).forces.iter().flatten().all(|f| f.is_finite()));
    contacts.jacobians[1].truncate(3);
    assert!(contacts.solve(&config, &mut work).forces.iter().flatten().all(|f| f.is_finite()));
    contacts.rhs[2][1] = f64::NAN;
    assert!(!contacts.solve(&config, &mut work).converged);
    contacts.jacobians[3][4] = f64::INFINITY;
    assert!(!contacts.solve(&config, &mut work).converged);
    let none = Contacts::random(1, 10, 0);
    assert!(none.solve(&config, &mut work).converged);
}
