//! At the optimum the gradient vanishes, and all solvers agree.

use crate::make::{Cone, Found, Made, Solver, distance};
use sim_constraint::{Info, Params, Workspace, cg, constraint_update, newton};
use sim_constraint::{noslip, pgs, residual};
use sim_types::{ConstraintState, ConstraintType};

pub fn tight(iterations: usize) -> Params {
    Params { iterations, tolerance: 1e-16, ls_tolerance: 0.01, scale: 0.1, ..Params::default() }
}

fn solve(made: &Made, solver: Solver, params: &Params) -> (Found, Info) {
    let mut found = Found::start(made);
    let mut work = Workspace::default();
    let info = solver(&made.problem(), params, &mut found.solution(), &mut work);
    assert!(!info.malformed && !info.bad_pivot && !info.not_finite, "{info:?}");
    (found, info)
}

fn cases() -> impl Iterator<Item = (u64, Made)> {
    let cones = [Cone::Pyramidal, Cone::Elliptic];
    (0..24).map(move |seed| {
        let nv = 2 + 2 * seed as usize;
        let contacts = 1 + seed as usize % 5;
        (seed, Made::random(seed, nv, contacts, cones[seed as usize % 2]))
    })
}

#[test]
fn newton_meets_the_optimality_conditions() {
    for (seed, made) in cases() {
        let (found, info) = solve(&made, newton, &tight(100));
        assert!(info.converged, "{seed}");
        let problem = made.problem();
        // forces and states are those of the acceleration
        let mut jar = vec![0.0; problem.nefc()];
        residual(&problem, &found.qacc, &mut jar);
        let mut again = found.clone();
        constraint_update(
            &problem,
            &jar,
            &mut again.force,
            &mut again.state,
            &mut again.qfrc_constraint,
            None,
        );
        assert!(distance(&again.force, &found.force) < 1e-9, "{seed}");
        // and the forces balance
        let inertial = made.times_m(&found.qacc);
        let applied: Vec<f64> =
            made.qfrc_smooth.iter().zip(&again.qfrc_constraint).map(|(a, b)| a + b).collect();
        assert!(distance(&inertial, &applied) < 1e-9, "{seed}");
    }
}

#[test]
fn conjugate_gradients_find_what_newton_finds() {
    for (seed, made) in cases() {
        let (by_newton, _) = solve(&made, newton, &tight(100));
        let (by_cg, _) = solve(&made, cg, &tight(20_000));
        let error = distance(&by_cg.qacc, &by_newton.qacc);
        assert!(error < 1e-6, "{seed}: {error}");
    }
}

/// At the apex of an elliptic cone the sweeps try the normal force alone, and may stay although a
/// force with friction would be better; away from it they find the optimum.
#[test]
fn gauss_seidel_finds_what_newton_finds() {
    let mut compared = [0; 2];
    for (seed, made) in cases() {
        let (by_newton, _) = solve(&made, newton, &tight(100));
        let (by_pgs, _) = solve(&made, pgs, &Params { tolerance: -1.0, ..tight(20_000) });
        let elliptic = |row: usize| made.kind[row] == ConstraintType::ContactElliptic;
        if made.contacts.iter().any(|c| elliptic(c.row) && by_pgs.force[c.row] == 0.0) {
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

#[test]
fn all_branches_of_the_cost_are_met() {
    let mut seen = [false; 5];
    for (_, made) in cases() {
        let (found, _) = solve(&made, newton, &tight(100));
        for state in found.state {
            seen[state.number() as usize] = true;
        }
    }
    assert_eq!(seen, [true; 5]);
}

#[test]
fn statistics_are_kept_for_each_iteration() {
    let (_, made) = cases().last().expect("there are cases");
    let mut found = Found::start(&made);
    let mut work = Workspace::default();
    let info = newton(&made.problem(), &tight(100), &mut found.solution(), &mut work);
    assert_eq!(work.iterations().len(), info.iterations);
    assert!(work.iterations().iter().all(|i| i.neval > 1));
    assert!(work.iterations()[0].improvement > 0.0);
    let active = found.state.iter().filter(|&&s| s != ConstraintState::Satisfied).count();
    assert_eq!(work.iterations().last().map(|i| i.nactive as usize), Some(active));
}

#[test]
fn a_used_workspace_changes_nothing() {
    let mut work = Workspace::default();
    for (seed, made) in cases().chain(cases().take(3)) {
        let mut found = Found::start(&made);
        newton(&made.problem(), &tight(100), &mut found.solution(), &mut work);
        let (fresh, _) = solve(&made, newton, &tight(100));
        assert_eq!(fresh.qacc, found.qacc, "{seed}");
    }
}

#[test]
fn no_slip_keeps_normal_forces_and_cones() {
    for (seed, made) in cases() {
        let (mut found, _) = solve(&made, newton, &tight(100));
        let before = found.clone();
        let mut work = Workspace::default();
        let params = Params { noslip_iterations: 50, noslip_tolerance: 1e-12, ..tight(100) };
        let info = noslip(&made.problem(), &params, &mut found.solution(), &mut work);
        assert!(info.iterations > 0);
        for i in 0..made.ne {
            assert_eq!(found.force[i], before.force[i]);
        }
        for contact in &made.contacts {
            let row = contact.row;
            if made.kind[row] == ConstraintType::ContactElliptic {
                assert_eq!(found.force[row], before.force[row], "{seed}");
                let friction: f64 = (1..contact.dim)
                    .map(|j| (found.force[row + j] / contact.friction[j - 1]).powi(2))
                    .sum();
                assert!(friction.sqrt() <= found.force[row] * (1.0 + 1e-9) + 1e-12, "{seed}");
            } else {
                for edge in (row..row + 2 * (contact.dim - 1)).step_by(2) {
                    let sum = |f: &[f64]| f[edge] + f[edge + 1];
                    assert!((sum(&found.force) - sum(&before.force)).abs() < 1e-9, "{seed}");
                    assert!(found.force[edge] >= 0.0 && found.force[edge + 1] >= 0.0);
                }
            }
        }
    }
}
