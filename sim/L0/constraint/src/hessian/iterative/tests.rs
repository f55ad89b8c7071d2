//! Tests that the iterative solution agrees with the matrix and with Newton steps by factorisation.

use super::IterativeSolver;
use super::dissection::Dissection;
use super::graph::BlockGraph;
use crate::hessian::tests::random_problem::{Cone, RandomProblem, Rng, SolutionBuffers, distance};
use crate::hessian::tests::{mul_hessian, states};
use crate::{Info, Params, Workspace, newton};
use sim_types::{ConstraintState, ConstraintType};

/// Analyses a problem and assembles its Hessian at some row states.
fn solver_of(data: &RandomProblem, state: &[ConstraintState]) -> IterativeSolver {
    let problem = data.problem();
    let mut row_blocks = Vec::new();
    assert!(problem.find_row_blocks(&mut row_blocks));
    let mut solver = IterativeSolver::default();
    solver.analyze(&problem, &row_blocks);
    solver.reset(&problem);
    assert!(solver.update(&problem, &row_blocks, state, None));
    solver
}

#[test]
fn solves_after_changes_of_row_states() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let data = RandomProblem::random(seed, 1 + 3 * seed as usize, 6, Cone::Pyramidal);
        let problem = data.problem();
        let mut row_blocks = Vec::new();
        assert!(problem.find_row_blocks(&mut row_blocks));
        let mut state = states(&mut rng, &problem);
        let mut solver = solver_of(&data, &state);
        for i in (0..problem.nefc()).chain(0..problem.nefc() / 2) {
            let x: Vec<f64> = data.qacc_smooth.iter().map(|_| rng.signed()).collect();
            let mut y = mul_hessian(&data, &state, &x);
            assert!(solver.solve(&mut y, 1e-13), "{seed} {i}");
            assert!(distance(&y, &x) < 1e-9, "{seed} {i}: {}", distance(&y, &x));
            let add = state[i] != ConstraintState::Quadratic;
            state[i] = if add { ConstraintState::Quadratic } else { ConstraintState::Satisfied };
            assert!(solver.update(&problem, &row_blocks, &state, None));
        }
    }
}

#[test]
fn includes_cone_terms_that_appear_and_vanish() {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let data = RandomProblem::random(seed, 20, 6, Cone::Elliptic);
        let problem = data.problem();
        let mut row_blocks = Vec::new();
        assert!(problem.find_row_blocks(&mut row_blocks));
        let quadratic = vec![ConstraintState::Quadratic; problem.nefc()];
        let mut cone_state = quadratic.clone();
        for (state, kind) in cone_state.iter_mut().zip(problem.rows.kind) {
            if *kind == ConstraintType::ContactElliptic {
                *state = ConstraintState::Cone;
            }
        }
        // a diagonal cone Hessian is equivalent to quadratic rows
        let mut cones = vec![[0.0; 36]; data.contacts.len()];
        for (contact, cone) in data.contacts.iter().zip(&mut cones) {
            for k in 0..contact.dim {
                cone[k * (contact.dim + 1)] = data.d[contact.row + k];
            }
        }
        let mut solver = solver_of(&data, &cone_state);
        for cones in [Some(&cones[..]), None, Some(&cones[..])] {
            let state = if cones.is_some() { &cone_state } else { &quadratic };
            assert!(solver.update(&problem, &row_blocks, state, cones));
            let x: Vec<f64> = data.qacc_smooth.iter().map(|_| rng.signed()).collect();
            let mut y = mul_hessian(&data, &quadratic, &x);
            assert!(solver.solve(&mut y, 1e-13));
            assert!(distance(&y, &x) < 1e-9, "{seed}: {}", distance(&y, &x));
        }
    }
}

/// Solves by Newton's method, with or without the iterative method.
fn solve(
    data: &RandomProblem,
    always_factor: bool,
    tolerance: f64,
) -> (SolutionBuffers, Info, f64) {
    let mut solution = SolutionBuffers::start(data);
    let mut work = Workspace::default();
    work.hessian.always_factor = always_factor;
    let trace: f64 = (0..data.qacc_smooth.len())
        .map(|i| data.m[(data.m_rowadr[i] + data.m_rownnz[i] - 1) as usize])
        .sum();
    let params = Params { tolerance, scale: 1.0 / trace, ..Params::default() };
    let info = newton(&data.problem(), &params, &mut solution.as_mut(), &mut work);
    assert!(info.converged && !info.bad_pivot && !info.not_finite, "{info:?}");
    assert_eq!(work.hessian.is_iterative(), !always_factor);
    let gradient = work.iterations().last().map_or(0.0, |last| last.gradient);
    (solution, info, gradient)
}

/// Piles of free bodies.
fn cases() -> impl Iterator<Item = (u64, RandomProblem)> {
    (0..6).map(|seed| {
        let cone = [Cone::Pyramidal, Cone::Elliptic][seed as usize % 2];
        (seed, RandomProblem::pile(seed, 80 + 10 * seed as usize, 300, cone))
    })
}

#[test]
fn newton_agrees_with_factorisation() {
    for (seed, data) in cases() {
        let (by_factor, _, _) = solve(&data, true, 1e-10);
        let (iterative, _, gradient) = solve(&data, false, 1e-10);
        assert!(gradient < 1e-10, "{seed}: {gradient}");
        let error = distance(&iterative.qacc, &by_factor.qacc);
        assert!(error < 1e-8, "{seed}: {error}");
        let error = distance(&iterative.force, &by_factor.force);
        assert!(error < 1e-8, "{seed}: {error}");
        assert!(iterative.state == by_factor.state, "{seed}");
    }
}

#[test]
fn all_constraint_states_occur_in_piles() {
    let mut seen = [false; 5];
    for (_, data) in cases() {
        for state in solve(&data, false, 1e-10).0.state {
            seen[state.number() as usize] = true;
        }
    }
    assert_eq!(seen, [true; 5]);
}

#[test]
fn default_tolerance_gives_the_accuracy_of_a_factorisation() {
    for (seed, data) in cases() {
        let (by_factor, factor_info, _) = solve(&data, true, 1e-10);
        let (iterative, info, gradient) = solve(&data, false, 1e-8);
        assert!(gradient < 1e-8, "{seed}: {gradient}");
        assert!(info.iterations <= 2 * factor_info.iterations + 2, "{seed}: {info:?}");
        let error = distance(&iterative.qacc, &by_factor.qacc);
        assert!(error < 1e-6, "{seed}: {error}");
    }
}

#[test]
fn slow_convergence_ends_in_a_factorisation() {
    // equality rows a million times stiffer than all others
    let (_, mut data) = cases().next().expect("there are cases");
    for (d, r) in data.d.iter_mut().zip(&mut data.r).take(data.ne) {
        (*d, *r) = (1e7 * *d, 1e-7 * *r);
    }
    let mut solution = SolutionBuffers::start(&data);
    let mut work = Workspace::default();
    let params = Params { tolerance: 1e-12, ..Params::default() };
    let info = newton(&data.problem(), &params, &mut solution.as_mut(), &mut work);
    assert!(info.converged && !work.hessian.is_iterative(), "{info:?}");
}

/// A pile that is large enough to be divided.
fn large_pile(cone: Cone) -> RandomProblem {
    RandomProblem::pile(7, 1000, 2600, cone)
}

#[test]
fn parts_are_coupled_by_their_separator_only() {
    let data = large_pile(Cone::Pyramidal);
    let problem = data.problem();
    let mut row_blocks = Vec::new();
    assert!(problem.find_row_blocks(&mut row_blocks));
    let (mut graph, mut order) = (BlockGraph::default(), Dissection::default());
    graph.build(&problem, &row_blocks);
    order.compute(&graph);
    let mut sorted = order.node.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().enumerate().all(|(i, &node)| node as usize == i));
    assert!(order.parts.len() >= 3, "{:?}", order.parts);
    for part in &order.parts {
        if part.child == 0 {
            assert_eq!(part.separator, part.start);
            continue;
        }
        let [one, two] = [0, 1].map(|k| order.parts[part.child as usize + k]);
        assert_eq!(
            [one.start, one.end, two.end],
            [part.start, two.start, part.separator],
            "{part:?}"
        );
        assert!(one.end > one.start && two.end > two.start, "{part:?}");
        for i in 0..graph.len() {
            for edge in graph.edges_of(i) {
                let [a, b] = [i, edge.col as usize].map(|node| order.position[node]);
                let [low, high] = [a.min(b), a.max(b)];
                let couples =
                    (one.start..one.end).contains(&low) && (two.start..two.end).contains(&high);
                assert!(!couples, "{low} and {high}: {part:?}");
            }
        }
    }
}

#[test]
fn large_piles_agree_with_factorisation() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let data = large_pile(cone);
        let (by_factor, ..) = solve(&data, true, 1e-10);
        let (iterative, _, gradient) = solve(&data, false, 1e-10);
        assert!(gradient < 1e-10, "{gradient}");
        let error = distance(&iterative.qacc, &by_factor.qacc);
        assert!(error < 1e-8, "{error}");
        let (iterative, _, gradient) = solve(&data, false, 1e-8);
        assert!(gradient < 1e-8, "{gradient}");
        let error = distance(&iterative.qacc, &by_factor.qacc);
        assert!(error < 1e-6, "{error}");
    }
}

#[test]
fn directions_in_single_precision_are_refined() {
    let data = large_pile(Cone::Pyramidal);
    let mut rng = Rng::new(1);
    let state = states(&mut rng, &data.problem());
    let mut solver = solver_of(&data, &state);
    let energy = |x: &[f64]| {
        let product = mul_hessian(&data, &state, x);
        x.iter().zip(product).map(|(x, y)| x * y).sum::<f64>().sqrt()
    };
    // also outside the range of single precision
    for unit in [1.0, 1e-60, 1e60] {
        let x: Vec<f64> = data.qacc_smooth.iter().map(|_| unit * rng.signed()).collect();
        let right = mul_hessian(&data, &state, &x);
        for relative in [1e-3, 1e-8, 1e-12] {
            let mut y = right.clone();
            assert!(solver.solve(&mut y, relative));
            let error: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
            let error = energy(&error) / energy(&x);
            assert!(error < 5.0 * relative, "{unit:e} {relative:e}: {error:e}");
        }
    }
}
