//! Solving from given products `Jaref` and `Ma` equals solving from the acceleration.

use super::random_problem::{Cone, RandomProblem, SolutionBuffers};
use sim_constraint::{
    Info, Params, StartPoint, Workspace, newton, residual, solve_from, solve_warmstart, warmstart,
};
use sim_types::SolverType;

#[test]
fn given_products_do_not_change_the_solution() {
    for seed in 0..20 {
        let data = RandomProblem::random(seed, 8 + 4 * seed as usize, 6, Cone::Elliptic);
        let problem = data.problem();
        let params = Params::default();
        let warm: Vec<f64> = data.qacc_smooth.iter().map(|a| 0.5 * a + 0.1).collect();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, problem.qacc_smooth, &mut b);

        let mut apart = SolutionBuffers::start(&data);
        let mut work = Workspace::default();
        let kind = SolverType::Newton;
        warmstart(&problem, kind, &warm, &b, &mut apart.as_mut(), &mut work);
        let StartPoint { jaref, ma } = work.start_point();
        let (jaref, ma) = (jaref.to_vec(), ma.to_vec());
        let mut given = SolutionBuffers::start(&data);
        given.qacc.copy_from_slice(&apart.qacc);
        let first = newton(&problem, &params, &mut apart.as_mut(), &mut work);

        let products = StartPoint { jaref: &jaref, ma: &ma };
        let mut work = Workspace::default();
        let second = solve_from(&problem, kind, &params, &products, &mut given.as_mut(), &mut work);
        let mut whole = SolutionBuffers::start(&data);
        let third =
            solve_warmstart(&problem, kind, &params, &warm, &b, &mut whole.as_mut(), &mut work);
        assert!(!first.malformed && first.iterations == second.iterations, "{seed}");
        assert_eq!(first, third, "{seed}");
        for solution in [&given, &whole] {
            let worst = super::random_problem::distance(&solution.qacc, &apart.qacc);
            assert!(worst < 1e-9, "{seed}: {worst}");
        }

        let short = StartPoint { jaref: &jaref[1..], ma: &ma };
        let info = solve_from(&problem, kind, &params, &short, &mut given.as_mut(), &mut work);
        assert_eq!(info, Info { malformed: true, ..Info::default() });
    }
}
