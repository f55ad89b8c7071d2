//! Solving one island after another.

use super::bind::{self, Solver};
use super::{params, record, run, solve_whole, start};
use crate::math::at;
use crate::{Data, Model};
use sim_constraint::{Given, Inertia, solve_given};
use sim_types::{ConstraintState, DisableBit};

/// Solves all islands.
pub(super) fn solve(m: &Model, d: &mut Data, solver: &mut Solver) {
    if d.one_island(m) {
        let (problem, _) = bind::whole(m, d, &solver.contacts);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = solve_whole(m, d, &params, solver);
        return record(d, 0, info);
    }
    start(m, d, solver);
    gather(d);
    let known = !m.opt.disabled(DisableBit::WarmStart);
    if known {
        gather_products(d, solver);
    }
    solver.split_contacts(d);
    if solver.by_island.len() < d.nisland {
        solver.by_island.resize_with(d.nisland, Default::default);
    }
    for k in 0..d.nisland {
        let Solver { by_island, island_contacts, island_start, jaref, ma, .. } = &mut *solver;
        let work = &mut by_island[k];
        let contacts = &island_contacts[island_start[k]..island_start[k + 1]];
        let (dofs, rows) = (at(&d.island_idofadr, k), at(&d.island_iefcadr, k));
        let (problem, mut out) = bind::island(d, k, contacts);
        let params = params(m, 1.0 / trace(&problem.inertia));
        let info = if known {
            let given = Given {
                jaref: &jaref[rows..rows + problem.nefc()],
                ma: &ma[dofs..dofs + problem.nv()],
            };
            solve_given(&problem, m.opt.solver, &params, &given, &mut out, work)
        } else {
            run(m.opt.solver, &problem, &params, &mut out, work)
        };
        record(d, k, info);
    }
    scatter(d);
}

/// Copies the products with the starting point into the order of islands.
fn gather_products(d: &Data, solver: &mut Solver) {
    let Solver { workspace, jaref, ma, .. } = solver;
    let (by_row, by_dof) = workspace.products();
    jaref.clear();
    jaref.extend(d.map_iefc2efc.iter().map(|&row| by_row[row as usize]));
    ma.clear();
    ma.extend(d.map_idof2dof[..d.nidof].iter().map(|&dof| by_dof[dof as usize]));
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
