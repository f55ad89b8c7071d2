//! Warm starts.

use crate::make::{Cone, Found, Made, Random};
use crate::optimum::tight;
use sim_constraint::{Workspace, constraint_update, newton, residual, warm_start};
use sim_types::SolverType;

/// Gauss term and constraints together.
fn cost(made: &Made, qacc: &[f64]) -> f64 {
    let problem = made.problem();
    let mut jar = vec![0.0; problem.nefc()];
    residual(&problem, qacc, &mut jar);
    let mut found = Found::start(made);
    let Found { force, state, qfrc_constraint, .. } = &mut found;
    let constraints = constraint_update(&problem, &jar, force, state, qfrc_constraint, None);
    let inertial = made.times_m(qacc);
    let gauss: f64 = (0..qacc.len())
        .map(|i| 0.5 * (inertial[i] - made.qfrc_smooth[i]) * (qacc[i] - made.qacc_smooth[i]))
        .sum();
    constraints + gauss
}

#[test]
fn the_cheaper_of_two_accelerations_is_chosen() {
    let mut random = Random::new(9);
    let mut work = Workspace::default();
    let mut chosen = [0; 2];
    for seed in 0..40 {
        let made = Made::random(seed, 12, 3, [Cone::Pyramidal, Cone::Elliptic][seed as usize % 2]);
        let problem = made.problem();
        let mut found = Found::start(&made);
        newton(&problem, &tight(100), &mut found.solution(), &mut work);
        let noise = [0.01, 3.0][(seed / 2) as usize % 2];
        let warm: Vec<f64> = found.qacc.iter().map(|q| q + noise * random.signed()).collect();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, &made.qacc_smooth, &mut b);
        let newton = SolverType::Newton;
        warm_start(&problem, newton, &warm, &b, &mut found.solution(), &mut work);
        let best = cost(&made, &warm).min(cost(&made, &made.qacc_smooth));
        assert_eq!(cost(&made, &found.qacc), best, "{seed}");
        chosen[usize::from(found.qacc == warm)] += 1;
    }
    assert!(chosen[0] > 0 && chosen[1] > 0, "{chosen:?}");
}

#[test]
fn a_dual_warm_start_never_costs_more_than_no_force() {
    let mut work = Workspace::default();
    for seed in 0..20 {
        let made = Made::random(seed, 10, 3, Cone::Elliptic);
        let problem = made.problem();
        let mut found = Found::start(&made);
        newton(&problem, &tight(100), &mut found.solution(), &mut work);
        let best = found.force.clone();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, &made.qacc_smooth, &mut b);
        let warm = found.qacc.clone();
        warm_start(&problem, SolverType::Pgs, &warm, &b, &mut found.solution(), &mut work);
        assert!(crate::make::distance(&found.force, &best) < 1e-9, "{seed}");
        // far away, no force is better
        let far: Vec<f64> = warm.iter().map(|w| w - 1e3).collect();
        warm_start(&problem, SolverType::Pgs, &far, &b, &mut found.solution(), &mut work);
        assert!(found.force.iter().all(|&f| f == 0.0), "{seed}");
    }
}
