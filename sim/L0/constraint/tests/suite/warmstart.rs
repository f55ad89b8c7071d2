//! Tests of the warm start.

use crate::optimum::tight;
use crate::random_problem::{Cone, RandomProblem, Rng, SolutionBuffers};
use sim_constraint::{Workspace, constraint_update, newton, residual, warmstart};
use sim_types::SolverType;

/// Total cost: Gauss term plus constraint cost.
fn cost(data: &RandomProblem, qacc: &[f64]) -> f64 {
    let problem = data.problem();
    let mut jar = vec![0.0; problem.nefc()];
    residual(&problem, qacc, &mut jar);
    let mut solution = SolutionBuffers::start(data);
    let SolutionBuffers { force, state, qfrc_constraint, .. } = &mut solution;
    let constraints = constraint_update(&problem, &jar, force, state, qfrc_constraint, None);
    let inertial = data.times_m(qacc);
    let gauss: f64 = (0..qacc.len())
        .map(|i| 0.5 * (inertial[i] - data.qfrc_smooth[i]) * (qacc[i] - data.qacc_smooth[i]))
        .sum();
    constraints + gauss
}

#[test]
fn acceleration_with_lower_cost_is_selected() {
    let mut rng = Rng::new(9);
    let mut work = Workspace::default();
    let mut chosen = [0; 2];
    for seed in 0..40 {
        let data = RandomProblem::random(
            seed,
            12,
            3,
            [Cone::Pyramidal, Cone::Elliptic][seed as usize % 2],
        );
        let problem = data.problem();
        let mut solution = SolutionBuffers::start(&data);
        newton(&problem, &tight(100), &mut solution.as_mut(), &mut work);
        let noise = [0.01, 3.0][(seed / 2) as usize % 2];
        let warm: Vec<f64> = solution.qacc.iter().map(|q| q + noise * rng.signed()).collect();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, &data.qacc_smooth, &mut b);
        let newton = SolverType::Newton;
        warmstart(&problem, newton, &warm, &b, &mut solution.as_mut(), &mut work);
        let best = cost(&data, &warm).min(cost(&data, &data.qacc_smooth));
        assert_eq!(cost(&data, &solution.qacc), best, "{seed}");
        chosen[usize::from(solution.qacc == warm)] += 1;
    }
    assert!(chosen[0] > 0 && chosen[1] > 0, "{chosen:?}");
}

#[test]
fn dual_warm_start_never_costs_more_than_zero_force() {
    let mut work = Workspace::default();
    for seed in 0..20 {
        let data = RandomProblem::random(seed, 10, 3, Cone::Elliptic);
        let problem = data.problem();
        let mut solution = SolutionBuffers::start(&data);
        newton(&problem, &tight(100), &mut solution.as_mut(), &mut work);
        let best = solution.force.clone();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, &data.qacc_smooth, &mut b);
        let warm = solution.qacc.clone();
        warmstart(&problem, SolverType::Pgs, &warm, &b, &mut solution.as_mut(), &mut work);
        assert!(crate::random_problem::distance(&solution.force, &best) < 1e-9, "{seed}");
        // far from the optimum zero force has the lower cost
        let far: Vec<f64> = warm.iter().map(|w| w - 1e3).collect();
        warmstart(&problem, SolverType::Pgs, &far, &b, &mut solution.as_mut(), &mut work);
        assert!(solution.force.iter().all(|&f| f == 0.0), "{seed}");
    }
}
