//! Solving one island after another.

use super::bind::{self, Solver};
use super::{params, record, run};
use crate::{Data, Model};
use sim_constraint::Inertia;
use sim_types::ConstraintState;

/// Solves all islands.
pub(super) fn solve(m: &Model, d: &mut Data, solver: &mut Solver) {
    if d.one_island(m) {
        let (problem, mut out) = bind::whole(m, d, &solver.contacts);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = run(m.opt.solver, &problem, &params, &mut out, &mut solver.workspace);
        return record(d, 0, info);
    }
    gather(d);
    solver.split_contacts(d);
    if solver.by_island.len() < d.nisland {
        solver.by_island.resize_with(d.nisland, Default::default);
    }
    for k in 0..d.nisland {
        let contacts = solver.island_start[k]..solver.island_start[k + 1];
        let (problem, mut out) = bind::island(d, k, &solver.island_contacts[contacts]);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = run(m.opt.solver, &problem, &params, &mut out, &mut solver.by_island[k]);
        record(d, k, info);
    }
    scatter(d);
}

/// The sum of the diagonal of the inertia.
fn trace(inertia: &Inertia<'_>) -> f64 {
    let last = |(&adr, &nnz): (&i32, &i32)| inertia.m[(adr + nnz - 1) as usize];
    inertia.rowadr.iter().zip(inertia.rownnz).map(last).sum()
}

/// Copies what depends on velocities and forces into the order of islands.
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

/// Copies the results back.
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
