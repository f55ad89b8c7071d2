//! Degenerate and invalid input: every solver terminates without panic.

use crate::random_problem::{Cone, RandomProblem, SolutionBuffers, Solver};
use sim_constraint::{Info, Params, Workspace, cg, newton, noslip, pgs};

const SOLVERS: [Solver; 4] = [newton, cg, pgs, noslip];

fn params() -> Params {
    Params { noslip_iterations: 20, ..Params::default() }
}

/// Runs all solvers.
fn run(data: &RandomProblem) -> [(SolutionBuffers, Info); 4] {
    SOLVERS.map(|solver| {
        let mut solution = SolutionBuffers::start(data);
        let mut work = Workspace::default();
        let info = solver(&data.problem(), &params(), &mut solution.as_mut(), &mut work);
        (solution, info)
    })
}

#[test]
fn empty_problem() {
    for (_, info) in run(&RandomProblem::default()) {
        assert!(!info.malformed);
    }
}

#[test]
fn unconstrained_dofs_keep_qacc_smooth() {
    let mut data = RandomProblem::random(1, 8, 0, Cone::Pyramidal);
    for v in [&mut data.rownnz, &mut data.rowadr, &mut data.colind] {
        v.clear();
    }
    for v in [&mut data.j, &mut data.d, &mut data.r, &mut data.aref, &mut data.frictionloss] {
        v.clear();
    }
    data.kind.clear();
    (data.ne, data.nf) = (0, 0);
    for (solution, info) in run(&data) {
        assert!(!info.malformed);
        assert!(crate::random_problem::distance(&solution.qacc, &data.qacc_smooth) < 1e-12);
    }
}

#[test]
fn rows_without_columns() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut data = RandomProblem::random(2, 8, 3, cone);
        data.rownnz.fill(0);
        for (solution, info) in run(&data) {
            assert!(!info.malformed);
            assert!(solution.qacc.iter().all(|q| q.is_finite()));
        }
    }
}

/// A row without columns does not change the solution of a primal solver, however large its cost.
#[test]
fn huge_constant_cost() {
    for (cone, solver) in [Cone::Pyramidal, Cone::Elliptic].into_iter().zip([newton as Solver, cg])
    {
        for seed in 0..10 {
            let data = RandomProblem::random(seed, 10, 3, cone);
            let mut with = data.clone();
            with.ne += 1;
            with.kind.insert(0, sim_types::ConstraintType::Equality);
            with.rownnz.insert(0, 0);
            with.rowadr.insert(0, 0);
            with.d.insert(0, 1e15);
            with.r.insert(0, 1e-15);
            with.aref.insert(0, 1e3);
            with.frictionloss.insert(0, 0.0);
            with.contacts.iter_mut().for_each(|contact| contact.row += 1);
            let [plain, constant] = [&data, &with].map(|data| {
                let mut solution = SolutionBuffers::start(data);
                let mut work = Workspace::default();
                let params = Params { iterations: 200, ..params() };
                let info = solver(&data.problem(), &params, &mut solution.as_mut(), &mut work);
                assert!(!info.malformed);
                solution.qacc
            });
            assert_eq!(plain, constant, "seed {seed}");
        }
    }
}

#[test]
fn tiny_and_huge_regularisation() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for seed in 0..10 {
            for factor in [1e-15, 1e-9, 1e9, 1e15] {
                let mut data = RandomProblem::random(seed, 10, 3, cone);
                data.r.iter_mut().for_each(|r| *r *= factor);
                data.d.iter_mut().for_each(|d| *d /= factor);
                for (index, (solution, info)) in run(&data).iter().enumerate() {
                    assert!(!info.malformed);
                    let finite = solution.qacc.iter().all(|q| q.is_finite());
                    assert!(finite, "solver {index}, seed {seed}, factor {factor}: {info:?}");
                }
            }
        }
    }
}

#[test]
fn nan_and_infinity_terminate() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY] {
            let base = RandomProblem::random(3, 10, 4, cone);
            let mut all = vec![base.clone(); 6];
            let last = base.kind.len() - 1;
            all[0].aref[last] = bad;
            all[1].j[0] = bad;
            all[2].d[last] = bad;
            all[3].m[0] = bad;
            all[4].qacc_smooth[2] = bad;
            all[5].frictionloss.fill(bad);
            for data in &all {
                for (_, info) in run(data) {
                    assert!(!info.malformed && info.iterations <= 100);
                }
            }
        }
    }
}

#[test]
fn zero_hessian_is_reported_as_bad_pivot() {
    let mut data = RandomProblem::random(4, 6, 1, Cone::Pyramidal);
    data.m.fill(0.0);
    data.d.fill(0.0);
    assert!(run(&data)[0].1.bad_pivot);
}

#[test]
fn inconsistent_arrays_are_rejected() {
    let base = RandomProblem::random(5, 6, 3, Cone::Elliptic);
    let broken: [fn(&mut RandomProblem); 14] = [
        |m| m.rownnz[0] = 1000,
        |m| m.rownnz[0] = -1,
        |m| m.rowadr[1] = i32::MAX,
        |m| m.colind[0] = -1,
        |m| m.colind.iter_mut().for_each(|c| *c += 100),
        |m| m.aref.truncate(2),
        |m| m.m_rownnz[1] = 0,
        |m| m.m_colind[0] = 3,
        |m| m.ld.truncate(1),
        |m| m.ne = usize::MAX,
        |m| m.contacts.clear(),
        |m| m.contacts[0].dim = 9,
        |m| m.contacts[0].row = 4000,
        |m| m.qfrc_smooth.truncate(1),
    ];
    for (index, break_it) in broken.iter().enumerate() {
        let mut data = base.clone();
        break_it(&mut data);
        for (_, info) in run(&data) {
            assert!(info.malformed, "{index}");
        }
    }
}

#[test]
fn solution_of_wrong_size_is_rejected() {
    let data = RandomProblem::random(6, 6, 2, Cone::Pyramidal);
    for solver in SOLVERS {
        let mut solution = SolutionBuffers::start(&data);
        solution.force.pop();
        let info =
            solver(&data.problem(), &params(), &mut solution.as_mut(), &mut Workspace::default());
        assert!(info.malformed);
    }
}
