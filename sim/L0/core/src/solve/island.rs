//! Solution of the islands, each as an independent problem.

use super::bind::{self, Islands, Results};
use super::buffers::Solver;
use super::{params, record_info, run, solve_full};
use crate::math::at;
use crate::{Data, Model};
use sim_constraint::{
    Inertia, Info, Params, Problem, Solution, StartCosts, Workspace, solve_start, start_costs,
};
use sim_types::{ConstraintState, DisableBit};

/// Solves all islands.
pub(super) fn solve(m: &Model, d: &mut Data, solver: &mut Solver) {
    if d.one_island(m) {
        let (problem, _) = bind::full_problem(m, d, &solver.contacts);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = solve_full(m, d, &params, solver);
        return record_info(d, 0, info);
    }
    gather(d, solver);
    solver.sort_contacts_by_island(d);
    if solver.island_workspaces.len() < d.nisland {
        solver.island_workspaces.resize_with(d.nisland, Default::default);
    }
    let free = free_gauss_cost(m, d);
    let count = d.nisland;
    let Solver { island_workspaces, island_contacts, island_start, infos, costs, b, warm, .. } =
        &mut *solver;
    infos.clear();
    infos.resize(count, Info::default());
    costs.clear();
    costs.resize(count, None);
    let (islands, mut results) = bind::islands(d, island_contacts);
    let islands_solver = IslandSolver { islands, starts: island_start, b, warm };
    let works = &mut island_workspaces[..count];
    if m.opt.disabled(DisableBit::WarmStart) {
        let run_one = |k: usize, out: &mut Solution<'_>, work: &mut Workspace, info: &mut Info| {
            let problem = islands_solver.problem(k);
            *info = run(m.opt.solver, &problem, &island_params(m, &problem), out, work);
        };
        islands_solver.for_each(0, results, works, infos, &run_one);
    } else {
        // all islands start from the same acceleration
        let evaluate = |k: usize,
                        out: &mut Solution<'_>,
                        work: &mut Workspace,
                        cost: &mut Option<StartCosts>| {
            let (warm, b) = islands_solver.start(k);
            let problem = islands_solver.problem(k);
            *cost = start_costs(&problem, m.opt.solver, warm, b, out, work);
        };
        islands_solver.for_each(0, results.reborrow(), works, costs, &evaluate);
        let total = costs.iter().flatten().fold(StartCosts { warm: free, smooth: 0.0 }, add);
        let is_warm = total.is_warm();
        let solve_one =
            |k: usize, out: &mut Solution<'_>, work: &mut Workspace, info: &mut Info| {
                let problem = islands_solver.problem(k);
                let params = island_params(m, &problem);
                let (_, b) = islands_solver.start(k);
                *info = solve_start(&problem, m.opt.solver, &params, b, is_warm, out, work);
            };
        islands_solver.for_each(0, results, works, infos, &solve_one);
    }
    for k in 0..count {
        record_info(d, k, solver.infos[k]);
    }
    scatter(d);
}

fn add(sum: StartCosts, cost: &StartCosts) -> StartCosts {
    StartCosts { warm: sum.warm + cost.warm, smooth: sum.smooth + cost.smooth }
}

/// Gauss cost at the previous acceleration of the dofs outside all islands.
fn free_gauss_cost(m: &Model, d: &Data) -> f64 {
    let mut cost = 0.0;
    let (warm, smooth) = (&d.qacc_warmstart, &d.qacc_smooth);
    for dof in d.map_idof2dof[d.nidof..].iter().map(|&dof| dof as usize) {
        let x = warm[dof] - smooth[dof];
        cost -= d.qfrc_smooth[dof] * x;
        let start = at(&m.M_rowadr, dof);
        let diagonal = start + at(&m.M_rownnz, dof) - 1;
        cost += d.M[diagonal] * warm[dof] * x;
        for adr in start..diagonal {
            let other = at(&m.M_colind, adr);
            cost += d.M[adr] * (warm[other] * x + warm[dof] * (warm[other] - smooth[other]));
        }
    }
    0.5 * cost
}

/// Solver settings of an island.
fn island_params(m: &Model, problem: &Problem<'_>) -> Params {
    params(m, 1.0 / trace(&problem.inertia))
}

/// Shared input of the island solves.
#[derive(Clone, Copy)]
struct IslandSolver<'a> {
    islands: Islands<'a>,
    /// Index of the first contact of each island.
    starts: &'a [usize],
    /// `efc_b` and `qacc_warmstart` in island order.
    b: &'a [f64],
    warm: &'a [f64],
}

impl<'a> IslandSolver<'a> {
    /// Calls a function for one island per workspace, from index `first`, by recursive bisection. Islands are
    /// independent, so that the result does not depend on the number of threads.
    fn for_each<T: Send>(
        &self,
        first: usize,
        results: Results<'_>,
        works: &mut [Workspace],
        values: &mut [T],
        call: &(impl Fn(usize, &mut Solution<'_>, &mut Workspace, &mut T) + Sync),
    ) {
        if let ([work], [value]) = (&mut *works, &mut *values) {
            return call(first, &mut results.solution(), work, value);
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
        let (values1, values2) = values.split_at_mut(half);
        join(
            large,
            || self.for_each(first, one, works1, values1, call),
            || self.for_each(middle, two, works2, values2, call),
        );
    }

    fn problem(&self, k: usize) -> Problem<'a> {
        self.islands.problem(k, self.starts[k]..self.starts[k + 1])
    }

    /// Previous acceleration and residual at the unconstrained acceleration of an island.
    fn start(&self, k: usize) -> (&'a [f64], &'a [f64]) {
        (&self.warm[self.islands.dofs(k)], &self.b[self.islands.rows(k)])
    }
}

/// Minimum number of rows for which two halves are solved in parallel. A caller outside of a rayon pool waits for a
/// thread of the pool to wake up, which takes as long as the solution of several hundred rows.
const MIN_PARALLEL_ROWS: usize = 1000;

/// Runs two closures, in parallel if `large`.
#[cfg(feature = "parallel")]
pub(crate) fn join(large: bool, one: impl FnOnce() + Send, two: impl FnOnce() + Send) {
    if large {
        rayon::join(one, two);
    } else {
        one();
        two();
    }
}

/// Runs two closures sequentially.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join(_large: bool, one: impl FnOnce(), two: impl FnOnce()) {
    one();
    two();
}

/// Runs a solve, if it is large on a thread of a pool, with a second one that stays awake: threads that share a solve
/// are needed every few microseconds, and waking one takes longer.
#[cfg(feature = "parallel")]
pub(super) fn in_pool(is_large: bool, solve: impl FnOnce() + Send) {
    use std::sync::atomic::{AtomicBool, Ordering};
    /// Ends the wait of the other thread, also when a solve panics.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    if !is_large {
        return solve();
    }
    let done = AtomicBool::new(false);
    let wait = || {
        let mut idle = 0;
        while !done.load(Ordering::Acquire) {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                idle = 0;
                continue;
            }
            idle += 1;
            std::hint::spin_loop();
            if idle % SPINS == 0 {
                // to other programs on a busy machine
                std::thread::yield_now();
            }
        }
    };
    rayon::join(
        || {
            let _end = End(&done);
            solve();
        },
        wait,
    );
}

/// Number of attempts to find work between those to let other programs run.
#[cfg(feature = "parallel")]
const SPINS: usize = 16;

/// Runs a solve.
#[cfg(not(feature = "parallel"))]
pub(super) fn in_pool(_is_large: bool, solve: impl FnOnce()) {
    solve();
}

/// Trace of the inertia matrix.
fn trace(inertia: &Inertia<'_>) -> f64 {
    let last = |(&adr, &nnz): (&i32, &i32)| inertia.m[(adr + nnz - 1) as usize];
    inertia.rowadr.iter().zip(inertia.rownnz).map(last).sum()
}

/// Copies velocity- and force-dependent arrays and the starting point into island order.
fn gather(d: &mut Data, solver: &mut Solver) {
    let dofs = &d.map_idof2dof[..d.nidof];
    let by_dof = |from: &[f64], to: &mut Vec<f64>| {
        to.clear();
        to.extend(dofs.iter().map(|&dof| from[dof as usize]));
    };
    by_dof(&d.qfrc_smooth, &mut d.ifrc_smooth);
    by_dof(&d.qacc_smooth, &mut d.iacc_smooth);
    by_dof(&d.qacc_warmstart, &mut solver.warm);
    d.iacc.clone_from(&d.iacc_smooth);
    d.ifrc_constraint.clear();
    d.ifrc_constraint.resize(d.nidof, 0.0);
    let in_order = d.nisland == 1;
    let by_row = |from: &[f64], to: &mut Vec<f64>| {
        to.clear();
        if in_order {
            return to.extend_from_slice(from);
        }
        to.extend(d.map_iefc2efc.iter().map(|&row| from[row as usize]));
    };
    by_row(&d.efc_aref, &mut d.iefc_aref);
    by_row(&d.efc_b, &mut solver.b);
    d.iefc_force.clear();
    d.iefc_force.resize(d.nefc, 0.0);
    d.iefc_state.clear();
    d.iefc_state.resize(d.nefc, ConstraintState::Satisfied);
}

/// Copies the results back from island order. Dofs outside all islands are unconstrained.
fn scatter(d: &mut Data) {
    let (island_dofs, free) = d.map_idof2dof.split_at(d.nidof);
    for (i, &dof) in island_dofs.iter().enumerate() {
        d.qacc[dof as usize] = d.iacc[i];
        d.qfrc_constraint[dof as usize] = d.ifrc_constraint[i];
    }
    for &dof in free {
        d.qacc[dof as usize] = d.qacc_smooth[dof as usize];
    }
    if d.nisland == 1 {
        d.efc_force.copy_from_slice(&d.iefc_force);
        return d.efc_state.copy_from_slice(&d.iefc_state);
    }
    for (i, &row) in d.map_iefc2efc.iter().enumerate() {
        d.efc_force[row as usize] = d.iefc_force[i];
        d.efc_state[row as usize] = d.iefc_state[i];
    }
}
