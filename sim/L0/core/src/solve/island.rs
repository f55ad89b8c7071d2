//! Solution of the islands, each as an independent problem.

use super::bind::{self, Islands, Results};
use super::buffers::Solver;
use super::{params, record_info, run, solve_full, warmstart};
use crate::{Data, Model};
use sim_constraint::{Inertia, Info, Solution, StartPoint, Workspace, solve_from};
use sim_types::{ConstraintState, DisableBit};

/// Solves all islands.
pub(super) fn solve(m: &Model, d: &mut Data, solver: &mut Solver) {
    if d.one_island(m) {
        let (problem, _) = bind::full_problem(m, d, &solver.contacts);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = solve_full(m, d, &params, solver);
        return record_info(d, 0, info);
    }
    warmstart(m, d, solver);
    gather(d);
    let start_point = !m.opt.disabled(DisableBit::WarmStart);
    if start_point {
        gather_start_point(d, solver);
    }
    solver.sort_contacts_by_island(d);
    if solver.island_workspaces.len() < d.nisland {
        solver.island_workspaces.resize_with(d.nisland, Default::default);
    }
    let count = d.nisland;
    let Solver { island_workspaces, island_contacts, island_start, infos, jaref, ma, .. } =
        &mut *solver;
    infos.clear();
    infos.resize(count, Info::default());
    let (islands, results) = bind::islands(d, island_contacts);
    let islands_solver = IslandSolver {
        m,
        islands,
        starts: island_start,
        start_point: start_point.then_some((&jaref[..], &ma[..])),
    };
    islands_solver.solve(0, results, &mut island_workspaces[..count], infos);
    for k in 0..count {
        record_info(d, k, solver.infos[k]);
    }
    scatter(d);
}

/// Shared input of the island solves.
#[derive(Clone, Copy)]
struct IslandSolver<'a> {
    m: &'a Model,
    islands: Islands<'a>,
    /// Index of the first contact of each island.
    starts: &'a [usize],
    /// `Jaref` and `Ma` at the starting point, if warm starts are enabled.
    start_point: Option<(&'a [f64], &'a [f64])>,
}

impl IslandSolver<'_> {
    /// Solves one island per workspace, from index `first`, by recursive bisection. Islands are
    /// independent, so that the result does not depend on the number of threads.
    fn solve(
        &self,
        first: usize,
        results: Results<'_>,
        works: &mut [Workspace],
        infos: &mut [Info],
    ) {
        if let ([work], [info]) = (&mut *works, &mut *infos) {
            *info = self.solve_one(first, &mut results.solution(), work);
            return;
        }
        let half = works.len() / 2;
        if half == 0 {
            return;
        }
        let middle = first + half;
        let dofs = self.islands.dofs(middle).start - self.islands.dofs(first).start;
        let rows = self.islands.rows(middle).start - self.islands.rows(first).start;
        let large = results.force.len() >= MIN_PARALLEL_ROWS;
        let (one, two) = results.split_at(dofs, rows);
        let (works1, works2) = works.split_at_mut(half);
        let (infos1, infos2) = infos.split_at_mut(half);
        join(
            large,
            || self.solve(first, one, works1, infos1),
            || self.solve(middle, two, works2, infos2),
        );
    }

    fn solve_one(&self, k: usize, out: &mut Solution<'_>, work: &mut Workspace) -> Info {
        let problem = self.islands.problem(k, self.starts[k]..self.starts[k + 1]);
        let params = params(self.m, 1.0 / trace(&problem.inertia));
        let Some((jaref, ma)) = self.start_point else {
            return run(self.m.opt.solver, &problem, &params, out, work);
        };
        let given =
            StartPoint { jaref: &jaref[self.islands.rows(k)], ma: &ma[self.islands.dofs(k)] };
        solve_from(&problem, self.m.opt.solver, &params, &given, out, work)
    }
}

/// Minimum number of rows for which two halves are solved in parallel. A caller outside of a rayon pool waits for a
/// thread of the pool to wake up, which takes as long as the solution of several hundred rows.
const MIN_PARALLEL_ROWS: usize = 1000;

/// Runs two closures, in parallel if `large`.
#[cfg(feature = "parallel")]
fn join(large: bool, one: impl FnOnce() + Send, two: impl FnOnce() + Send) {
    if large {
        rayon::join(one, two);
    } else {
        one();
        two();
    }
}

/// Runs two closures sequentially.
#[cfg(not(feature = "parallel"))]
fn join(_large: bool, one: impl FnOnce(), two: impl FnOnce()) {
    one();
    two();
}

/// Runs a solve, if it is large on a thread of a pool.
#[cfg(feature = "parallel")]
pub(super) fn in_pool(is_large: bool, solve: impl FnOnce() + Send) {
    if is_large && rayon::current_thread_index().is_none() {
        rayon::join(solve, || ());
    } else {
        solve();
    }
}

/// Runs a solve.
#[cfg(not(feature = "parallel"))]
pub(super) fn in_pool(_is_large: bool, solve: impl FnOnce()) {
    solve();
}

/// Copies `Jaref` and `Ma` of the starting point into island order.
fn gather_start_point(d: &Data, solver: &mut Solver) {
    let Solver { workspace, jaref, ma, .. } = solver;
    let StartPoint { jaref: by_row, ma: by_dof } = workspace.start_point();
    jaref.clear();
    // a malformed problem has no starting point
    let of = |from: &[f64], at: i32| from.get(at as usize).copied().unwrap_or(0.0);
    jaref.extend(d.map_iefc2efc.iter().map(|&row| of(by_row, row)));
    ma.clear();
    ma.extend(d.map_idof2dof[..d.nidof].iter().map(|&dof| of(by_dof, dof)));
}

/// Trace of the inertia matrix.
fn trace(inertia: &Inertia<'_>) -> f64 {
    let last = |(&adr, &nnz): (&i32, &i32)| inertia.m[(adr + nnz - 1) as usize];
    inertia.rowadr.iter().zip(inertia.rownnz).map(last).sum()
}

/// Copies velocity- and force-dependent arrays into island order.
fn gather(d: &mut Data) {
    let dofs = &d.map_idof2dof[..d.nidof];
    let by_dof = |from: &[f64], to: &mut Vec<f64>| {
        to.clear();
        to.extend(dofs.iter().map(|&dof| from[dof as usize]));
    };
    by_dof(&d.qfrc_smooth, &mut d.ifrc_smooth);
    by_dof(&d.qacc_smooth, &mut d.iacc_smooth);
    by_dof(&d.qacc, &mut d.iacc);
    d.ifrc_constraint.clear();
    d.ifrc_constraint.resize(d.nidof, 0.0);
    d.iefc_aref.clear();
    d.iefc_aref.extend(d.map_iefc2efc.iter().map(|&row| d.efc_aref[row as usize]));
    d.iefc_force.clear();
    d.iefc_force.extend(d.map_iefc2efc.iter().map(|&row| d.efc_force[row as usize]));
    d.iefc_state.clear();
    d.iefc_state.resize(d.nefc, ConstraintState::Satisfied);
}

/// Copies the results back from island order.
fn scatter(d: &mut Data) {
    for (i, &dof) in d.map_idof2dof[..d.nidof].iter().enumerate() {
        d.qacc[dof as usize] = d.iacc[i];
        d.qfrc_constraint[dof as usize] = d.ifrc_constraint[i];
    }
    for (i, &row) in d.map_iefc2efc.iter().enumerate() {
        d.efc_force[row as usize] = d.iefc_force[i];
        d.efc_state[row as usize] = d.iefc_state[i];
    }
}
