//! Bad numbers and bad shapes are data: nothing panics, nothing runs forever.

use crate::make::{Cone, Found, Made, Solver};
use sim_constraint::{Info, Params, Workspace, cg, newton, noslip, pgs};

const SOLVERS: [Solver; 4] = [newton, cg, pgs, noslip];

fn params() -> Params {
    Params { noslip_iterations: 20, ..Params::default() }
}

/// Runs all solvers.
fn run(made: &Made) -> [(Found, Info); 4] {
    SOLVERS.map(|solver| {
        let mut found = Found::start(made);
        let mut work = Workspace::default();
        let info = solver(&made.problem(), &params(), &mut found.solution(), &mut work);
        (found, info)
    })
}

#[test]
fn nothing_at_all() {
    for (_, info) in run(&Made::default()) {
        assert!(!info.malformed);
    }
}

#[test]
fn dofs_without_rows_keep_their_acceleration() {
    let mut made = Made::random(1, 8, 0, Cone::Pyramidal);
    for v in [&mut made.rownnz, &mut made.rowadr, &mut made.colind] {
        v.clear();
    }
    for v in [&mut made.j, &mut made.d, &mut made.r, &mut made.aref, &mut made.frictionloss] {
        v.clear();
    }
    made.kind.clear();
    (made.ne, made.nf) = (0, 0);
    for (found, info) in run(&made) {
        assert!(!info.malformed);
        assert!(crate::make::distance(&found.qacc, &made.qacc_smooth) < 1e-12);
    }
}

#[test]
fn rows_without_columns() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let mut made = Made::random(2, 8, 3, cone);
        made.rownnz.fill(0);
        for (found, info) in run(&made) {
            assert!(!info.malformed);
            assert!(found.qacc.iter().all(|q| q.is_finite()));
        }
    }
}

#[test]
fn tiny_and_huge_regularisation() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for seed in 0..10 {
            for factor in [1e-15, 1e-9, 1e9, 1e15] {
                let mut made = Made::random(seed, 10, 3, cone);
                made.r.iter_mut().for_each(|r| *r *= factor);
                made.d.iter_mut().for_each(|d| *d /= factor);
                for (index, (found, info)) in run(&made).iter().enumerate() {
                    assert!(!info.malformed);
                    let finite = found.qacc.iter().all(|q| q.is_finite());
                    assert!(finite, "solver {index}, seed {seed}, factor {factor}: {info:?}");
                }
            }
        }
    }
}

#[test]
fn nan_and_infinity_end() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY] {
            let base = Made::random(3, 10, 4, cone);
            let mut all = vec![base.clone(); 6];
            let last = base.kind.len() - 1;
            all[0].aref[last] = bad;
            all[1].j[0] = bad;
            all[2].d[last] = bad;
            all[3].m[0] = bad;
            all[4].qacc_smooth[2] = bad;
            all[5].frictionloss.fill(bad);
            for made in &all {
                for (_, info) in run(made) {
                    assert!(!info.malformed && info.iterations <= 100);
                }
            }
        }
    }
}

#[test]
fn a_matrix_without_inertia_is_reported() {
    let mut made = Made::random(4, 6, 1, Cone::Pyramidal);
    made.m.fill(0.0);
    made.d.fill(0.0);
    assert!(run(&made)[0].1.bad_pivot);
}

#[test]
fn wrong_shapes_are_refused() {
    let base = Made::random(5, 6, 3, Cone::Elliptic);
    let broken: [fn(&mut Made); 14] = [
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
        let mut made = base.clone();
        break_it(&mut made);
        for (_, info) in run(&made) {
            assert!(info.malformed, "{index}");
        }
    }
}

#[test]
fn a_solution_of_the_wrong_size_is_refused() {
    let made = Made::random(6, 6, 2, Cone::Pyramidal);
    for solver in SOLVERS {
        let mut found = Found::start(&made);
        found.force.pop();
        let info =
            solver(&made.problem(), &params(), &mut found.solution(), &mut Workspace::default());
        assert!(info.malformed);
    }
}
