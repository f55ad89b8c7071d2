//! Uncoupled subproblems have the same solution jointly and separately.

use crate::optimum::tight;
use crate::random_problem::{Cone, RandomProblem, SolutionBuffers, Solver, distance};
use sim_constraint::{Workspace, cg, newton, pgs};
use sim_types::ConstraintType;

/// Block-diagonal combination of two problems, with rows in the required order.
fn join(a: &RandomProblem, b: &RandomProblem) -> RandomProblem {
    let mut joined = a.clone();
    let (dofs, entries) = (a.parent.len() as i32, a.m.len() as i32);
    joined.parent.extend(b.parent.iter().map(|p| p.map(|p| p + dofs as usize)));
    joined.m_rownnz.extend(&b.m_rownnz);
    joined.m_rowadr.extend(b.m_rowadr.iter().map(|r| r + entries));
    joined.m_colind.extend(b.m_colind.iter().map(|c| c + dofs));
    joined.m.extend(&b.m);
    joined.ld.extend(&b.ld);
    joined.diag_inv.extend(&b.diag_inv);
    joined.qacc_smooth.extend(&b.qacc_smooth);
    joined.qfrc_smooth.extend(&b.qfrc_smooth);
    for v in [&mut joined.rownnz, &mut joined.rowadr, &mut joined.colind] {
        v.clear();
    }
    for v in
        [&mut joined.j, &mut joined.d, &mut joined.r, &mut joined.aref, &mut joined.frictionloss]
    {
        v.clear();
    }
    joined.kind.clear();
    joined.contacts.clear();
    let class = |k: ConstraintType| match k {
        ConstraintType::Equality => 0,
        ConstraintType::FrictionDof | ConstraintType::FrictionTendon => 1,
        _ => 2,
    };
    for wanted in 0..3 {
        for (data, shift) in [(a, 0), (b, dofs)] {
            for i in 0..data.kind.len() {
                if class(data.kind[i]) != wanted {
                    continue;
                }
                if let Some(contact) = data.contacts.iter().find(|c| c.row == i) {
                    let row = joined.kind.len();
                    joined.contacts.push(sim_constraint::ContactRows { row, ..*contact });
                }
                let (adr, nnz) = (data.rowadr[i] as usize, data.rownnz[i] as usize);
                joined.kind.push(data.kind[i]);
                joined.rowadr.push(joined.colind.len() as i32);
                joined.rownnz.push(nnz as i32);
                joined.colind.extend(data.colind[adr..adr + nnz].iter().map(|c| c + shift));
                joined.j.extend(&data.j[adr..adr + nnz]);
                joined.d.push(data.d[i]);
                joined.r.push(data.r[i]);
                joined.aref.push(data.aref[i]);
                joined.frictionloss.push(data.frictionloss[i]);
            }
        }
    }
    joined.ne = a.ne + b.ne;
    joined.nf = a.nf + b.nf;
    joined
}

#[test]
fn uncoupled_blocks_are_independent() {
    let mut work = Workspace::default();
    for seed in 0..12 {
        let cone = [Cone::Pyramidal, Cone::Elliptic][seed as usize % 2];
        let a = RandomProblem::random(seed, 9, 3, cone);
        let b = RandomProblem::random(seed + 100, 14, 2, cone);
        let joined = join(&a, &b);
        assert!(joined.problem().is_well_formed());
        let solvers: [(Solver, usize, f64); 3] =
            [(newton, 100, 1e-9), (cg, 20_000, 1e-6), (pgs, 20_000, 1e-4)];
        for (solver, iterations, bound) in solvers {
            let mut solve = |data: &RandomProblem| {
                let mut solution = SolutionBuffers::start(data);
                solver(&data.problem(), &tight(iterations), &mut solution.as_mut(), &mut work);
                solution.qacc
            };
            let separate = [solve(&a), solve(&b)].concat();
            let error = distance(&solve(&joined), &separate);
            assert!(error < bound, "{seed}: {error}");
        }
    }
}
