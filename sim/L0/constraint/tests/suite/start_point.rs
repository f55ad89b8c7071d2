//! Evaluating the starting points before the solution equals a warm start followed by the solution.

use super::random_problem::{Cone, RandomProblem, SolutionBuffers};
use sim_constraint::{
    Info, Params, Workspace, newton, residual, solve_start, solve_warmstart, start_costs, warmstart,
};
use sim_types::SolverType;

#[test]
fn evaluated_starting_points_do_not_change_the_solution() {
    for seed in 0..20 {
        let data = RandomProblem::random(seed, 2 + 4 * seed as usize, 6, Cone::Elliptic);
        let problem = data.problem();
        let params = Params::default();
        let warm: Vec<f64> = data.qacc_smooth.iter().map(|a| 0.5 * a + 0.1).collect();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, problem.qacc_smooth, &mut b);

        let mut apart = SolutionBuffers::start(&data);
        let mut work = Workspace::default();
        let kind = SolverType::Newton;
        warmstart(&problem, kind, &warm, &b, &mut apart.as_mut(), &mut work);
        let first = newton(&problem, &params, &mut apart.as_mut(), &mut work);

        let mut given = SolutionBuffers::start(&data);
        let mut work = Workspace::default();
        let costs = start_costs(&problem, kind, &warm, &b, &mut given.as_mut(), &mut work);
        let is_warm = costs.expect("the problem is well formed").is_warm();
        let second =
            solve_start(&problem, kind, &params, &b, is_warm, &mut given.as_mut(), &mut work);
        let mut whole = SolutionBuffers::start(&data);
        let third =
            solve_warmstart(&problem, kind, &params, &warm, &b, &mut whole.as_mut(), &mut work);
        assert!(!first.malformed, "{seed}");
        assert_eq!([first, first], [second, third], "{seed}");
        for solution in [&given, &whole] {
            let worst = super::random_problem::distance(&solution.qacc, &apart.qacc);
            assert!(worst < 1e-9, "{seed}: {worst}");
        }

        // without an evaluation, or after one of inconsistent lengths
        let short = &b[1..];
        for _ in 0..2 {
            let info =
                solve_start(&problem, kind, &params, short, true, &mut given.as_mut(), &mut work);
            assert_eq!(info, Info { malformed: true, ..Info::default() });
            let out = &mut given.as_mut();
            assert_eq!(start_costs(&problem, kind, &warm, short, out, &mut work), None);
        }
    }
}
