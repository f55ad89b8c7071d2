//! Optimality: zero gradient at the solution, agreement of all solvers.

use crate::random_problem::{Cone, RandomProblem, SolutionBuffers, Solver, distance};
use sim_constraint::{Info, Params, Workspace, cg, constraint_update, newton};
use sim_constraint::{noslip, pgs, residual};
use sim_types::{ConstraintState, ConstraintType};

pub fn tight(iterations: usize) -> Params {
    Params { iterations, tolerance: 1e-16, ls_tolerance: 0.01, scale: 0.1, ..Params::default() }
}

fn solve(data: &RandomProblem, solver: Solver, params: &Params) -> (SolutionBuffers, Info) {
    let mut solution = SolutionBuffers::start(data);
    let mut work = Workspace::default();
    let info = solver(&data.problem(), params, &mut solution.as_mut(), &mut work);
    assert!(!info.malformed && !info.bad_pivot && !info.not_finite, "{info:?}");
    (solution, info)
}

/// Piles are large enough for Newton's method without a factor.
fn piles() -> impl Iterator<Item = (u64, RandomProblem)> {
    let cones = [Cone::Pyramidal, Cone::Elliptic];
    (0..4).map(move |seed| (seed, RandomProblem::pile(seed, 100, 300, cones[seed as usize % 2])))
}

fn cases() -> impl Iterator<Item = (u64, RandomProblem)> {
    let cones = [Cone::Pyramidal, Cone::Elliptic];
    (0..24).map(move |seed| {
        let nv = 2 + 2 * seed as usize;
        let contacts = 1 + seed as usize % 5;
        (seed, RandomProblem::random(seed, nv, contacts, cones[seed as usize % 2]))
    })
}

#[test]
fn newton_satisfies_the_optimality_conditions() {
    for (seed, data) in cases().chain(piles()) {
        let (solution, info) = solve(&data, newton, &tight(100));
        assert!(info.converged, "{seed}");
        let problem = data.problem();
        // force and state are consistent with the acceleration
        let mut jar = vec![0.0; problem.nefc()];
        residual(&problem, &solution.qacc, &mut jar);
        let mut again = solution.clone();
        constraint_update(
            &problem,
            &jar,
            &mut again.force,
            &mut again.state,
            &mut again.qfrc_constraint,
            None,
        );
        assert!(distance(&again.force, &solution.force) < 1e-9, "{seed}");
        // force balance: zero gradient
        let inertial = data.times_m(&solution.qacc);
        let applied: Vec<f64> =
            data.qfrc_smooth.iter().zip(&again.qfrc_constraint).map(|(a, b)| a + b).collect();
        assert!(distance(&inertial, &applied) < 1e-9, "{seed}");
    }
}

#[test]
fn cg_agrees_with_newton() {
    for (seed, data) in cases().chain(piles()) {
        let (by_newton, _) = solve(&data, newton, &tight(100));
        let (by_cg, _) = solve(&data, cg, &tight(20_000));
        let error = distance(&by_cg.qacc, &by_newton.qacc);
        assert!(error < 1e-6, "{seed}: {error}");
    }
}

/// At the apex of an elliptic cone PGS updates the normal force only and can stop although a force
/// with friction has a lower cost; such cases are skipped.
#[test]
fn pgs_agrees_with_newton() {
    let mut compared = [0; 2];
    for (seed, data) in cases() {
        let (by_newton, _) = solve(&data, newton, &tight(100));
        let (by_pgs, _) = solve(&data, pgs, &Params { tolerance: -1.0, ..tight(20_000) });
        let elliptic = |row: usize| data.kind[row] == ConstraintType::ContactElliptic;
        if data.contacts.iter().any(|c| elliptic(c.row) && by_pgs.force[c.row] == 0.0) {
            continue;
        }
        compared[seed as usize % 2] += 1;
        let error = distance(&by_pgs.qacc, &by_newton.qacc);
        assert!(error < 1e-4, "{seed}: {error}");
        let error = distance(&by_pgs.force, &by_newton.force);
        assert!(error < 1e-4, "{seed}: {error}");
    }
    assert!(compared[0] == 12 && compared[1] > 2, "{compared:?}");
}

/// Sweeps over the rows of one contact at a time and over single rows differ by rounding errors. Rows that are not
/// contiguous in memory are visited one by one.
#[test]
fn pgs_does_not_depend_on_the_layout_of_rows() {
    for (seed, data) in piles() {
        let mut spread = data.clone();
        spread.j.clear();
        spread.colind.clear();
        for row in 0..data.kind.len() {
            let entries = data.rowadr[row] as usize..(data.rowadr[row] + data.rownnz[row]) as usize;
            spread.rowadr[row] = spread.j.len() as i32;
            spread.j.extend(&data.j[entries.clone()]);
            spread.colind.extend(&data.colind[entries]);
            spread.j.push(0.0);
            spread.colind.push(0);
        }
        let params = Params { tolerance: -1.0, ..tight(5) };
        let ((in_blocks, _), (by_rows, _)) =
            (solve(&data, pgs, &params), solve(&spread, pgs, &params));
        assert!(in_blocks.force.iter().any(|&f| f > 0.0), "{seed}");
        let error = distance(&in_blocks.force, &by_rows.force);
        assert!(error < 1e-11, "{seed}: {error}");
    }
}

#[test]
fn all_constraint_states_occur() {
    let mut seen = [false; 5];
    for (_, data) in cases() {
        let (solution, _) = solve(&data, newton, &tight(100));
        for state in solution.state {
            seen[state.number() as usize] = true;
        }
    }
    assert_eq!(seen, [true; 5]);
}

#[test]
fn statistics_are_stored_for_each_iteration() {
    let (_, data) = cases().last().expect("there are cases");
    let mut solution = SolutionBuffers::start(&data);
    let mut work = Workspace::default();
    let info = newton(&data.problem(), &tight(100), &mut solution.as_mut(), &mut work);
    assert_eq!(work.iterations().len(), info.iterations);
    assert!(work.iterations().iter().all(|i| i.neval > 1));
    assert!(work.iterations()[0].improvement > 0.0);
    let active = solution.state.iter().filter(|&&s| s != ConstraintState::Satisfied).count();
    assert_eq!(work.iterations().last().map(|i| i.nactive as usize), Some(active));
}

#[test]
fn reused_workspace_gives_identical_results() {
    let mut work = Workspace::default();
    for (seed, data) in cases().chain(piles()).chain(cases().take(3)).chain(piles().take(1)) {
        let mut solution = SolutionBuffers::start(&data);
        newton(&data.problem(), &tight(100), &mut solution.as_mut(), &mut work);
        let (fresh, _) = solve(&data, newton, &tight(100));
        assert_eq!(fresh.qacc, solution.qacc, "{seed}");
    }
}

#[test]
fn noslip_preserves_normal_forces_and_cones() {
    for (seed, data) in cases() {
        let (mut solution, _) = solve(&data, newton, &tight(100));
        let before = solution.clone();
        let mut work = Workspace::default();
        let params = Params { noslip_iterations: 50, noslip_tolerance: 1e-12, ..tight(100) };
        let info = noslip(&data.problem(), &params, &mut solution.as_mut(), &mut work);
        assert!(info.iterations > 0);
        for i in 0..data.ne {
            assert_eq!(solution.force[i], before.force[i]);
        }
        for contact in &data.contacts {
            let row = contact.row;
            if data.kind[row] == ConstraintType::ContactElliptic {
                assert_eq!(solution.force[row], before.force[row], "{seed}");
                let friction: f64 = (1..contact.dim)
                    .map(|j| (solution.force[row + j] / contact.friction[j - 1]).powi(2))
                    .sum();
                assert!(friction.sqrt() <= solution.force[row] * (1.0 + 1e-9) + 1e-12, "{seed}");
            } else {
                for edge in (row..row + 2 * (contact.dim - 1)).step_by(2) {
                    let sum = |f: &[f64]| f[edge] + f[edge + 1];
                    assert!((sum(&solution.force) - sum(&before.force)).abs() < 1e-9, "{seed}");
                    assert!(solution.force[edge] >= 0.0 && solution.force[edge + 1] >= 0.0);
                }
            }
        }
    }
}
