//! A start whose products are handed on is the start that computes them.

use super::make::{Cone, Found, Made};
use sim_constraint::{
    Given, Info, Params, Workspace, newton, residual, solve_given, solve_warm, warm_start,
};
use sim_types::SolverType;

#[test]
fn handed_on_products_change_nothing() {
    for seed in 0..20 {
        let made = Made::random(seed, 8 + 4 * seed as usize, 6, Cone::Elliptic);
        let problem = made.problem();
        let params = Params::default();
        let warm: Vec<f64> = made.qacc_smooth.iter().map(|a| 0.5 * a + 0.1).collect();
        let mut b = vec![0.0; problem.nefc()];
        residual(&problem, problem.qacc_smooth, &mut b);

        let mut apart = Found::start(&made);
        let mut work = Workspace::default();
        let kind = SolverType::Newton;
        warm_start(&problem, kind, &warm, &b, &mut apart.solution(), &mut work);
        let (jaref, ma) = work.products();
        let (jaref, ma) = (jaref.to_vec(), ma.to_vec());
        let mut given = Found::start(&made);
        given.qacc.copy_from_slice(&apart.qacc);
        let first = newton(&problem, &params, &mut apart.solution(), &mut work);

        let products = Given { jaref: &jaref, ma: &ma };
        let mut work = Workspace::default();
        let second =
            solve_given(&problem, kind, &params, &products, &mut given.solution(), &mut work);
        let mut whole = Found::start(&made);
        let third =
            solve_warm(&problem, kind, &params, &warm, &b, &mut whole.solution(), &mut work);
        assert!(!first.malformed && first.iterations == second.iterations, "{seed}");
        assert_eq!(first, third, "{seed}");
        for found in [&given, &whole] {
            let worst = super::make::distance(&found.qacc, &apart.qacc);
            assert!(worst < 1e-9, "{seed}: {worst}");
        }

        let short = Given { jaref: &jaref[1..], ma: &ma };
        let info = solve_given(&problem, kind, &params, &short, &mut given.solution(), &mut work);
        assert_eq!(info, Info { malformed: true, ..Info::default() });
    }
}
