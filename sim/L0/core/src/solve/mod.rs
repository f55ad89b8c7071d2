//! Constraint stage (`mj_fwdConstraint`, `mj_invConstraint`): constraint forces and the resulting
//! acceleration.

mod bind;
mod buffers;
mod island;

pub(crate) use buffers::Solver;
pub(crate) use island::join;

use crate::constraint::mj_mul_jac_vec;
use crate::supported::check_supported;
use crate::{Data, Model};
use sim_constraint::{Info, Iteration, Params, Problem, Solution, Workspace};
use sim_types::{ConstraintState, DisableBit, SolverType, StepError, Warning};

/// Computes the constraint forces and the final acceleration.
///
/// Reads the rows, `qacc_smooth`, `qfrc_smooth`, `qacc_warmstart`. Writes `efc_b`, `efc_force`,
/// `efc_state`, `qfrc_constraint`, `qacc`, `solver_niter`, `solver_nnz`.
///
/// # Errors
/// [`StepError::Unsupported`] if the model needs a feature that is not supported.
#[doc(alias = "mj_fwdConstraint")]
pub fn mj_fwd_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_constraint(m, d);
    check_supported(m)
}

/// [`mj_fwd_constraint`] without the check for unsupported sensors.
pub(crate) fn fwd_constraint(m: &Model, d: &mut Data) {
    d.qfrc_constraint.fill(0.0);
    d.solver_niter.fill(0);
    d.solver_nnz.fill(0);
    resize_rows(d);
    if d.deformables.is_some() && crate::deformable::solve(m, d) {
        return;
    }
    if d.nefc == 0 {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        return;
    }
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    let is_large = d.nefc >= MIN_POOL_ROWS;
    island::in_pool(is_large, || solve(m, d, &mut solver));
    d.scratch.solver = Some(solver);
}

/// Number of rows from which on a caller outside of a thread pool enters one, so that threads can share the solution of
/// a large island.
const MIN_POOL_ROWS: usize = 4000;

fn solve(m: &Model, d: &mut Data, solver: &mut Solver) {
    solver.collect_contacts(d);
    compute_efc_b(d);
    if d.solved_by_island(m) {
        return island::solve(m, d, solver);
    }
    let params = params(m, 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64));
    let mut info = solve_full(m, d, &params, solver);
    if params.noslip_iterations > 0 {
        let (problem, mut out) = bind::full_problem(m, d, &solver.contacts);
        let more = sim_constraint::noslip(&problem, &params, &mut out, &mut solver.workspace);
        info.iterations += more.iterations;
    }
    record_info(d, 0, info);
}

/// Computes the constraint forces at the given acceleration `qacc` (inverse dynamics).
///
/// Reads the rows and `qacc`. Writes `efc_force`, `efc_state`, `qfrc_constraint`.
///
/// # Errors
/// [`StepError::Unsupported`] if the model needs a feature that is not supported.
#[doc(alias = "mj_invConstraint")]
pub fn mj_inv_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.qfrc_constraint.fill(0.0);
    resize_rows(d);
    check_supported(m)?;
    if d.nefc == 0 {
        return Ok(());
    }
    let mut jar = std::mem::take(&mut d.scratch.rows);
    jar.resize(d.nefc, 0.0);
    mj_mul_jac_vec(d, &d.qacc, &mut jar);
    for (jar, aref) in jar.iter_mut().zip(&d.efc_aref) {
        *jar -= aref;
    }
    mj_constraint_update(m, d, &jar, false);
    d.scratch.rows = jar;
    Ok(())
}

/// Computes the force and state of each row at `jar = J qacc − aref`, and
/// `qfrc_constraint = Jᵀ efc_force`. Returns the constraint cost `s(jar)`, which MuJoCo returns by
/// its argument `cost`.
///
/// With `flg_cone_hessian` it also writes the row-major `dim × dim` Hessian of the cost to `H` of
/// each elliptic contact in the middle zone of its cone (state [`ConstraintState::Cone`]).
///
/// Reads the rows. Writes `efc_force`, `efc_state`, `qfrc_constraint`, and `H` of contacts.
///
/// # Panics
/// If the length of `jar` is not `nefc`.
#[doc(alias = "mj_constraintUpdate")]
pub fn mj_constraint_update(m: &Model, d: &mut Data, jar: &[f64], flg_cone_hessian: bool) -> f64 {
    assert_eq!(jar.len(), d.nefc, "jar must have one entry per constraint row");
    resize_rows(d);
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    solver.collect_contacts(d);
    let Solver { contacts, cone_hessians, .. } = &mut *solver;
    let (problem, out) = bind::full_problem(m, d, contacts);
    let Solution { force, state, qfrc_constraint, .. } = out;
    let hessians = flg_cone_hessian.then(|| {
        cone_hessians.resize(contacts.len(), [0.0; 36]);
        &mut cone_hessians[..]
    });
    let cost =
        sim_constraint::constraint_update(&problem, jar, force, state, qfrc_constraint, hessians);
    if flg_cone_hessian {
        // in the order of `collect_contacts`
        let listed = d.contact.iter_mut().filter(|c| c.dim > 1 && c.efc_address >= 0);
        for (contact, hessian) in listed.zip(&solver.cone_hessians) {
            if d.efc_state[contact.efc_address as usize] == ConstraintState::Cone {
                contact.H = *hessian;
            }
        }
    }
    d.scratch.solver = Some(solver);
    cost
}

impl Data {
    /// Statistics of each iteration of the last solve of an island, or of the whole system (island
    /// 0) if it was not solved by islands; at most 200 iterations.
    #[doc(alias = "mjSolverStat")]
    #[must_use]
    pub fn solver_iterations(&self, m: &Model, island: usize) -> &[Iteration] {
        let Some(solver) = &self.scratch.solver else { return &[] };
        let by_island = self.solved_by_island(m) && !self.one_island(m);
        match (by_island, solver.island_workspaces.get(island)) {
            (true, Some(workspace)) if island < self.nisland => workspace.iterations(),
            (false, _) if island == 0 && self.nefc > 0 => solver.workspace.iterations(),
            _ => &[],
        }
    }

    /// Whether the islands are solved separately.
    fn solved_by_island(&self, m: &Model) -> bool {
        self.nisland > 0
            && m.opt.noslip_iterations == 0
            && matches!(m.opt.solver, SolverType::Cg | SolverType::Newton)
    }
}

/// Resizes the result arrays to `nefc`.
fn resize_rows(d: &mut Data) {
    d.efc_b.resize(d.nefc, 0.0);
    d.efc_force.resize(d.nefc, 0.0);
    d.efc_state.resize(d.nefc, ConstraintState::Satisfied);
}

/// `efc_b = J qacc_smooth − aref`.
fn compute_efc_b(d: &mut Data) {
    let mut b = std::mem::take(&mut d.efc_b);
    mj_mul_jac_vec(d, &d.qacc_smooth, &mut b);
    for (b, aref) in b.iter_mut().zip(&d.efc_aref) {
        *b -= aref;
    }
    d.efc_b = b;
}

/// Solves the whole system as one problem.
fn solve_full(m: &Model, d: &mut Data, params: &Params, solver: &mut Solver) -> Info {
    if m.opt.disabled(DisableBit::WarmStart) {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        d.efc_force.fill(0.0);
        let (problem, mut out) = bind::full_problem(m, d, &solver.contacts);
        return run(m.opt.solver, &problem, params, &mut out, &mut solver.workspace);
    }
    let b = std::mem::take(&mut d.efc_b);
    let warm = std::mem::take(&mut d.qacc_warmstart);
    let (problem, mut out) = bind::full_problem(m, d, &solver.contacts);
    let work = &mut solver.workspace;
    let info =
        sim_constraint::solve_warmstart(&problem, m.opt.solver, params, &warm, &b, &mut out, work);
    (d.efc_b, d.qacc_warmstart) = (b, warm);
    info
}

pub(crate) fn params(m: &Model, scale: f64) -> Params {
    let count = |n: i32| n.max(0) as usize;
    Params {
        iterations: count(m.opt.iterations),
        tolerance: m.opt.tolerance,
        ls_iterations: count(m.opt.ls_iterations),
        ls_tolerance: m.opt.ls_tolerance,
        scale,
        noslip_iterations: count(m.opt.noslip_iterations),
        noslip_tolerance: m.opt.noslip_tolerance,
    }
}

/// Runs the selected solver.
pub(crate) fn run(
    solver: SolverType,
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    workspace: &mut Workspace,
) -> Info {
    match solver {
        SolverType::Newton => sim_constraint::newton(problem, params, out, workspace),
        SolverType::Cg => sim_constraint::cg(problem, params, out, workspace),
        SolverType::Pgs => sim_constraint::pgs(problem, params, out, workspace),
    }
}

/// Stores the statistics of an island (for the first `mjNISLAND` islands), and raises a warning if a
/// pivot was not positive or a number not finite.
pub(crate) fn record_info(d: &mut Data, island: usize, info: Info) {
    if info.bad_pivot || info.not_finite || info.malformed {
        d.warn(Warning::Solver, island);
    }
    if let (Some(iterations), Some(nnz)) =
        (d.solver_niter.get_mut(island), d.solver_nnz.get_mut(island))
    {
        (*iterations, *nnz) = (info.iterations as i32, info.nnz as i32);
    }
}
