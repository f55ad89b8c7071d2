//! The constraint stage (`mj_fwdConstraint`): forces that keep the constraints, and the acceleration
//! that follows.

mod bind;
mod island;

pub(crate) use bind::Solver;

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
/// [`StepError::Unsupported`] when the model needs a part that is not built yet.
#[doc(alias = "mj_fwdConstraint")]
pub fn mj_fwd_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_constraint(m, d);
    check_supported(m)
}

/// As [`mj_fwd_constraint`], without the check for unsupported features.
pub(crate) fn fwd_constraint(m: &Model, d: &mut Data) {
    d.qfrc_constraint.fill(0.0);
    d.solver_niter.fill(0);
    d.solver_nnz.fill(0);
    size_rows(d);
    if d.deformables.is_some() && crate::deformable::solve(m, d) {
        return;
    }
    if d.nefc == 0 {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        return;
    }
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    solver.collect_contacts(d);
    offset(d);
    if d.by_island(m) {
        island::solve(m, d, &mut solver);
    } else {
        let params = params(m, 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64));
        let mut info = solve_whole(m, d, &params, &mut solver);
        if params.noslip_iterations > 0 {
            let (problem, mut out) = bind::whole(m, d, &solver.contacts);
            let more = sim_constraint::noslip(&problem, &params, &mut out, &mut solver.workspace);
            info.iterations += more.iterations;
        }
        record(d, 0, info);
    }
    d.scratch.solver = Some(solver);
}

/// Computes the constraint forces that go with the given acceleration.
///
/// Reads the rows and `qacc`. Writes `efc_force`, `efc_state`, `qfrc_constraint`.
///
/// # Errors
/// [`StepError::Unsupported`] when the model needs a part that is not built yet.
#[doc(alias = "mj_invConstraint")]
pub fn mj_inv_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.qfrc_constraint.fill(0.0);
    size_rows(d);
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
    mj_constraint_update(m, d, &jar);
    d.scratch.rows = jar;
    Ok(())
}

/// Computes force and state of every row at `jar = J qacc - aref`, and the joint forces they make.
/// Returns the cost of the constraints.
///
/// Writes `efc_force`, `efc_state`, `qfrc_constraint`.
///
/// # Panics
/// If `jar` has not `nefc` entries.
#[doc(alias = "mj_constraintUpdate")]
pub fn mj_constraint_update(m: &Model, d: &mut Data, jar: &[f64]) -> f64 {
    assert_eq!(jar.len(), d.nefc, "one residual for each row");
    size_rows(d);
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    solver.collect_contacts(d);
    let (problem, out) = bind::whole(m, d, &solver.contacts);
    let Solution { force, state, qfrc_constraint, .. } = out;
    let cost =
        sim_constraint::constraint_update(&problem, jar, force, state, qfrc_constraint, None);
    d.scratch.solver = Some(solver);
    cost
}

impl Data {
    /// What the solver did in each iteration of its last run on an island, or on the whole system where
    /// that is solved at once; at most 200 iterations.
    #[doc(alias = "mjSolverStat")]
    #[must_use]
    pub fn solver_iterations(&self, m: &Model, island: usize) -> &[Iteration] {
        let Some(solver) = &self.scratch.solver else { return &[] };
        let by_island = self.by_island(m) && !self.one_island(m);
        match (by_island, solver.by_island.get(island)) {
            (true, Some(workspace)) if island < self.nisland => workspace.iterations(),
            (false, _) if island == 0 && self.nefc > 0 => solver.workspace.iterations(),
            _ => &[],
        }
    }

    /// Whether islands are solved one after another.
    fn by_island(&self, m: &Model) -> bool {
        self.nisland > 0
            && m.opt.noslip_iterations == 0
            && matches!(m.opt.solver, SolverType::Cg | SolverType::Newton)
    }
}

/// Gives the results an entry for each row.
fn size_rows(d: &mut Data) {
    d.efc_b.resize(d.nefc, 0.0);
    d.efc_force.resize(d.nefc, 0.0);
    d.efc_state.resize(d.nefc, ConstraintState::Satisfied);
}

/// `efc_b`: how far the rows are from their references without any constraint force.
fn offset(d: &mut Data) {
    let mut b = std::mem::take(&mut d.efc_b);
    mj_mul_jac_vec(d, &d.qacc_smooth, &mut b);
    for (b, aref) in b.iter_mut().zip(&d.efc_aref) {
        *b -= aref;
    }
    d.efc_b = b;
}

/// The point that the solver starts from.
fn start(m: &Model, d: &mut Data, solver: &mut Solver) {
    if m.opt.disabled(DisableBit::WarmStart) {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        d.efc_force.fill(0.0);
        return;
    }
    let b = std::mem::take(&mut d.efc_b);
    let warm = std::mem::take(&mut d.qacc_warmstart);
    let (problem, mut out) = bind::whole(m, d, &solver.contacts);
    sim_constraint::warmstart(&problem, m.opt.solver, &warm, &b, &mut out, &mut solver.workspace);
    (d.efc_b, d.qacc_warmstart) = (b, warm);
    // what no constraint touches needs no solver
    if d.nisland > 0 {
        for &dof in &d.map_idof2dof[d.nidof..] {
            d.qacc[dof as usize] = d.qacc_smooth[dof as usize];
        }
    }
}

/// Solves the whole system at once.
fn solve_whole(m: &Model, d: &mut Data, params: &Params, solver: &mut Solver) -> Info {
    let primal = matches!(m.opt.solver, SolverType::Cg | SolverType::Newton);
    if !primal || m.opt.disabled(DisableBit::WarmStart) {
        start(m, d, solver);
        let (problem, mut out) = bind::whole(m, d, &solver.contacts);
        return run(m.opt.solver, &problem, params, &mut out, &mut solver.workspace);
    }
    let b = std::mem::take(&mut d.efc_b);
    let warm = std::mem::take(&mut d.qacc_warmstart);
    let (problem, mut out) = bind::whole(m, d, &solver.contacts);
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

/// Runs the solver that the model asks for.
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

/// Keeps what is known of the first islands' solves, and counts those that met a pivot that is not
/// positive, or numbers that are not finite.
pub(crate) fn record(d: &mut Data, island: usize, info: Info) {
    if info.bad_pivot || info.not_finite || info.malformed {
        d.warn(Warning::Solver, island);
    }
    if let (Some(iterations), Some(nnz)) =
        (d.solver_niter.get_mut(island), d.solver_nnz.get_mut(island))
    {
        (*iterations, *nnz) = (info.iterations as i32, info.nnz as i32);
    }
}
