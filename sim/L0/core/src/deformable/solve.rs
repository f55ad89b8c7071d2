//! Constraint problem of the rigid dofs and the deformable vertices in contact.
//!
//! Each vertex is a point mass: three columns after those of the rigid dofs, with its mass on the
//! diagonal of M.

use super::buffers::ExtendedProblem;
use super::contact_rows::directions;
use super::coupling::predict_uncoupled_forces;
use super::{ATTACHMENT, DeformableData};
use crate::constraint::find_row_supernodes;
use crate::inertia::ldl;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, scale, sub};
use crate::math::{at, rows, spatial};
use crate::solve::{Solver, params, record_info, run};
use crate::support::mj_apply_ft;
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_constraint::{ContactRows, Inertia, Info, Problem, Rows, Solution, Workspace};
use sim_types::{Cone, DisableBit};

/// Solves the constraints of a model with deformable contacts or attachments. Returns false,
/// without effect, if there are no deformable contacts and no predicted forces.
pub(crate) fn solve(m: &Model, d: &mut Data) -> bool {
    let Some(mut data) = d.deformables.take() else { return false };
    let has_predicted = collect_predicted_forces(m, d, &mut data);
    let active = has_predicted || !data.surface_contacts.is_empty();
    if active {
        solve_extended(m, d, &mut data, has_predicted);
    }
    d.deformables = Some(data);
    active
}

/// Sums the generalized forces of the predicted contact and attachment forces; returns whether
/// there are any.
fn collect_predicted_forces(m: &Model, d: &Data, data: &mut DeformableData) -> bool {
    let DeformableData { instances, surface_contacts, records, extended, first_contact, .. } = data;
    let predicted_qfrc = &mut extended.predicted_qfrc;
    predicted_qfrc.clear();
    predicted_qfrc.resize(m.nv, 0.0);
    let mut any = false;
    for (k, surface_contact) in surface_contacts.iter_mut().enumerate() {
        let has_rows = d.contact.get(*first_contact + k).is_some_and(|c| c.efc_address >= 0);
        if !has_rows {
            surface_contact.predicted_force = [0.0; 3];
        }
        if surface_contact.predicted_force != [0.0; 3] {
            any = true;
            let point = surface_contact
                .location
                .interpolate(|i| instances[surface_contact.instance].body.positions()[i].into());
            let reaction = scale(surface_contact.predicted_force, -1.0);
            mj_apply_ft(
                m,
                d,
                reaction,
                [0.0; 3],
                point,
                at(&m.geom_bodyid, surface_contact.geom),
                predicted_qfrc,
            );
        }
    }
    for (k, deformable) in m.deformables.iter().enumerate() {
        for (a, attachment) in deformable.attachments.iter().enumerate() {
            let predicted_force =
                DeformableData::predicted_force(records, (k as u32, ATTACHMENT, a as u32));
            if predicted_force != [0.0; 3]
                && let Some(instance) = instances.get(k)
            {
                any = true;
                let point = instance.body.positions()[attachment.vertex].into();
                let reaction = scale(predicted_force, -1.0);
                mj_apply_ft(m, d, reaction, [0.0; 3], point, attachment.body, predicted_qfrc);
            }
        }
    }
    any
}

fn solve_extended(m: &Model, d: &mut Data, data: &mut DeformableData, has_predicted: bool) {
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    solver.collect_contacts(d);
    let rows = data.coupled_rows(d);
    collect_columns(m, d, data);
    extend_inertia(m, d, data);
    extend_rows(m, d, data, rows);
    extend_forces(m, d, data, has_predicted);
    predict_uncoupled_forces(m, d, data);
    if rows == 0 {
        d.qacc.copy_from_slice(&data.extended.qacc_smooth[..m.nv]);
    } else {
        let Solver { workspace, contacts, .. } = &mut *solver;
        let contacts = &contacts[..contacts.partition_point(|contact| contact.row < rows)];
        let info = run_solver(m, d, rows, &mut data.extended, contacts, workspace);
        record_info(d, 0, info);
        d.qacc.copy_from_slice(&data.extended.qacc[..m.nv]);
        d.qfrc_constraint.copy_from_slice(&data.extended.qfrc[..m.nv]);
    }
    for (total, predicted_qfrc) in d.qfrc_constraint.iter_mut().zip(&data.extended.predicted_qfrc) {
        *total += predicted_qfrc;
    }
    collect_forces(m, d, data);
    let ExtendedProblem { column, active_particles, .. } = &mut data.extended;
    active_particles.drain(..).for_each(|particle| column[particle] = -1);
    d.scratch.solver = Some(solver);
}

/// Assigns columns to the free vertices of coupled contacts.
fn collect_columns(m: &Model, d: &Data, data: &mut DeformableData) {
    let DeformableData {
        instances,
        surface_contacts,
        extended,
        particle_offset,
        first_contact,
        coupled_contacts,
        ..
    } = data;
    let ExtendedProblem { column, active_particles, .. } = extended;
    column.resize(particle_offset.last().copied().unwrap_or(0), -1);
    for (k, surface_contact) in surface_contacts.iter().enumerate().take(*coupled_contacts) {
        if d.contact.get(*first_contact + k).is_none_or(|c| c.efc_address < 0) {
            continue;
        }
        for (vertex, weight) in surface_contact.location.iter() {
            let particle = particle_offset[surface_contact.instance] + vertex;
            let free = instances[surface_contact.instance].body.inverse_masses()[vertex] > 0.0;
            if free && weight > 0.0 && column[particle] < 0 {
                column[particle] = (m.nv + 3 * active_particles.len()) as i32;
                active_particles.push(particle);
            }
        }
    }
}

fn extend_inertia(m: &Model, d: &Data, data: &mut DeformableData) {
    let DeformableData { instances, extended: e, particle_offset, .. } = data;
    e.rownnz.clone_from(&m.M_rownnz);
    e.rowadr.clone_from(&m.M_rowadr);
    e.colind.clone_from(&m.M_colind);
    e.m.clone_from(&d.M);
    e.ld.clone_from(&d.qLD);
    e.diag_inv.clone_from(&d.qLDiagInv);
    for &particle in &e.active_particles {
        let instance = particle_offset.partition_point(|&start| start <= particle) - 1;
        let mass = instances[instance].body.masses()[particle - particle_offset[instance]];
        for _ in 0..3 {
            e.colind.push(e.rownnz.len() as i32);
            e.rownnz.push(1);
            e.rowadr.push(e.m.len() as i32);
            e.m.push(mass);
            e.ld.push(mass);
            e.diag_inv.push(mass.recip());
        }
    }
}

/// Copies the first `rows` rows of the Jacobian and appends the columns of the vertices.
fn extend_rows(m: &Model, d: &Data, data: &mut DeformableData, rows: usize) {
    let DeformableData { surface_contacts, extended: e, particle_offset, first_contact, .. } = data;
    e.j_rownnz.clear();
    e.j_rowadr.clear();
    e.j_colind.clear();
    e.j.clear();
    for row in 0..rows {
        let start = at(&d.efc_J_rowadr, row);
        let entries = start..start + at(&d.efc_J_rownnz, row);
        let from = e.j.len();
        e.j_rowadr.push(from as i32);
        e.j_colind.extend_from_slice(&d.efc_J_colind[entries.clone()]);
        e.j.extend_from_slice(&d.efc_J[entries]);
        let contact = usize::try_from(d.efc_id[row]).ok().filter(|_| is_contact(d, row));
        let surface_contact = contact
            .and_then(|k| Some((k, k.checked_sub(*first_contact)?)))
            .and_then(|(k, t)| Some((d.contact.get(k)?, surface_contacts.get(t)?)));
        if let Some((contact, surface_contact)) = surface_contact {
            let axis = directions(m, contact).0[row - contact.efc_address.max(0) as usize];
            let mut blocks = [(i32::MAX, 0.0); 3];
            let columns = surface_contact
                .location
                .iter()
                .map(|(v, w)| (e.column[particle_offset[surface_contact.instance] + v], w));
            let count = columns
                .filter(|(column, _)| *column >= 0)
                .zip(&mut blocks)
                .map(|(block, slot)| *slot = block)
                .count();
            let blocks = &mut blocks[..count];
            blocks.sort_unstable_by_key(|block| block.0);
            for &(column, weight) in &*blocks {
                for (k, axis) in axis.iter().enumerate() {
                    e.j_colind.push(column + k as i32);
                    e.j.push(weight * axis);
                }
            }
        }
        e.j_rownnz.push((e.j.len() - from) as i32);
    }
    find_row_supernodes(
        &e.j_rownnz,
        &e.j_rowadr,
        &e.j_colind,
        &mut e.j_rowsuper,
        |_| true,
        |_| false,
    );
}

fn is_contact(d: &Data, row: usize) -> bool {
    d.efc_type[row] as i32 >= sim_types::ConstraintType::ContactFrictionless as i32
}

/// Smooth forces and accelerations of the extended problem. Free vertices accelerate with gravity.
/// A vertex with a predicted force is supported by its neighbours, which are not part of the
/// problem: it is given the acceleration of the rigid point in contact with it.
fn extend_forces(m: &Model, d: &Data, data: &mut DeformableData, has_predicted: bool) {
    let gravity = gravity(m);
    let e = &mut data.extended;
    e.qfrc_smooth.clone_from(&d.qfrc_smooth);
    e.qacc_smooth.clone_from(&d.qacc_smooth);
    if has_predicted {
        for (total, predicted_qfrc) in e.qfrc_smooth.iter_mut().zip(&e.predicted_qfrc) {
            *total += predicted_qfrc;
        }
        e.qacc_smooth.copy_from_slice(&e.qfrc_smooth);
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, &mut e.qacc_smooth);
    }
    e.qacc_warmstart.clone_from(&d.qacc_warmstart);
    for _ in 0..e.active_particles.len() {
        e.qacc_smooth.extend(gravity.iter());
    }
    let coupled_contacts = data.surface_contacts.iter().take(data.coupled_contacts);
    for surface_contact in
        coupled_contacts.filter(|surface_contact| surface_contact.predicted_force != [0.0; 3])
    {
        let positions = data.instances[surface_contact.instance].body.positions();
        let point = surface_contact.location.interpolate(|i| positions[i].into());
        let body = at(&m.geom_bodyid, surface_contact.geom);
        let acceleration = point_acceleration(m, d, body, point, &e.qacc_smooth);
        for (vertex, _) in surface_contact.location.iter() {
            if let Ok(column) =
                usize::try_from(e.column[data.particle_offset[surface_contact.instance] + vertex])
            {
                e.qacc_smooth[column..column + 3].copy_from_slice(&acceleration);
            }
        }
    }
    for column in m.nv..m.nv + 3 * e.active_particles.len() {
        let acceleration = e.qacc_smooth[column];
        e.qfrc_smooth.push(e.m[e.rowadr[column] as usize] * acceleration);
        e.qacc_warmstart.push(acceleration);
    }
    let nv = e.qacc_smooth.len();
    e.qacc.resize(nv, 0.0);
    e.qfrc.clear();
    e.qfrc.resize(nv, 0.0);
}

/// Linear acceleration of a point of a body by generalized accelerations, `J qacc`, m/s².
fn point_acceleration(m: &Model, d: &Data, body: usize, point: Vec3, qacc: &[f64]) -> Vec3 {
    let arm = sub(point, rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)]);
    let cdof = rows::<6>(&d.cdof);
    let weld = at(&m.body_weldid, body);
    let mut dof = m.body_dofadr[weld] + m.body_dofnum[weld] - 1;
    let mut sum = [0.0; 3];
    while m.body_dofnum[weld] > 0 && dof >= 0 {
        let motion = &cdof[dof as usize];
        let linear = add(spatial::translation(motion), cross(spatial::rotation(motion), arm));
        sum = add_scaled(sum, linear, qacc[dof as usize]);
        dof = m.dof_parentid[dof as usize];
    }
    sum
}

/// Gravity of the model; zero if disabled.
pub(super) fn gravity(m: &Model) -> Vector3<f64> {
    if m.opt.disabled(DisableBit::Gravity) { Vector3::zeros() } else { m.opt.gravity.into() }
}

fn run_solver(
    m: &Model,
    d: &mut Data,
    rows: usize,
    e: &mut ExtendedProblem,
    contacts: &[ContactRows],
    work: &mut Workspace,
) -> Info {
    let problem = Problem {
        inertia: Inertia {
            rownnz: &e.rownnz,
            rowadr: &e.rowadr,
            colind: &e.colind,
            m: &e.m,
            ld: &e.ld,
            diag_inv: &e.diag_inv,
        },
        rows: Rows {
            ne: d.ne,
            nf: d.nf,
            kind: &d.efc_type[..rows],
            rownnz: &e.j_rownnz,
            rowadr: &e.j_rowadr,
            colind: &e.j_colind,
            j: &e.j,
            d: &d.efc_D[..rows],
            r: &d.efc_R[..rows],
            aref: &d.efc_aref[..rows],
            frictionloss: &d.efc_frictionloss[..rows],
        },
        contacts,
        qfrc_smooth: &e.qfrc_smooth,
        qacc_smooth: &e.qacc_smooth,
    };
    let offset = &mut d.efc_b[..rows];
    sim_constraint::residual(&problem, &e.qacc_smooth, offset);
    let diagonal = e.rowadr.iter().zip(&e.rownnz).map(|(&adr, &nnz)| e.m[(adr + nnz - 1) as usize]);
    let params = params(m, 1.0 / diagonal.sum::<f64>().max(sim_types::MINVAL));
    let mut out = Solution {
        qacc: &mut e.qacc,
        force: &mut d.efc_force[..rows],
        state: &mut d.efc_state[..rows],
        qfrc_constraint: &mut e.qfrc,
    };
    let (kind, cold_start) = (m.opt.solver, m.opt.disabled(DisableBit::WarmStart));
    if cold_start {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        out.force.fill(0.0);
    }
    let mut info = if cold_start {
        run(kind, &problem, &params, &mut out, work)
    } else {
        sim_constraint::solve_warmstart(
            &problem,
            kind,
            &params,
            &e.qacc_warmstart,
            offset,
            &mut out,
            work,
        )
    };
    if params.noslip_iterations > 0 {
        info.iterations += sim_constraint::noslip(&problem, &params, &mut out, work).iterations;
    }
    info
}

/// Computes the force of each contact in the world frame and adds the predicted force to its rows.
fn collect_forces(m: &Model, d: &mut Data, data: &mut DeformableData) {
    for (k, surface_contact) in data.surface_contacts.iter_mut().enumerate() {
        let Some(contact) = d.contact.get(data.first_contact + k) else { return };
        let Ok(first) = usize::try_from(contact.efc_address) else {
            surface_contact.force = [0.0; 3];
            continue;
        };
        let (axes, count) = directions(m, contact);
        let rows = &mut d.efc_force[first..first + count];
        let mut force = [0.0; 3];
        for (axis, row) in axes.iter().zip(&*rows) {
            force = add_scaled(force, *axis, *row);
        }
        surface_contact.force = add(force, surface_contact.predicted_force);
        set_row_forces(m, contact, surface_contact.force, rows);
    }
}

/// Removes the predicted forces of deformable bodies from `qacc` and `qfrc_constraint`: the
/// substeps apply the actual impulses instead. [`restore_solution`] undoes it.
pub(crate) fn remove_predicted_forces(m: &Model, d: &mut Data) {
    let Some(mut data) = d.deformables.take() else { return };
    let DeformableData { instances, surface_contacts, extended, saved_solution, .. } = &mut *data;
    saved_solution.clear();
    if !surface_contacts.is_empty() || extended.predicted_qfrc.iter().any(|&f| f != 0.0) {
        saved_solution.extend_from_slice(&d.qacc);
        saved_solution.extend_from_slice(&d.qfrc_constraint);
        let predicted = &mut extended.qfrc;
        predicted.clone_from(&extended.predicted_qfrc);
        for surface_contact in &*surface_contacts {
            let force = sub(surface_contact.predicted_force, surface_contact.force);
            if force != [0.0; 3] {
                let point = surface_contact.location.interpolate(|i| {
                    instances[surface_contact.instance].body.positions()[i].into()
                });
                mj_apply_ft(
                    m,
                    d,
                    force,
                    [0.0; 3],
                    point,
                    at(&m.geom_bodyid, surface_contact.geom),
                    predicted,
                );
            }
        }
        for (total, predicted) in d.qfrc_constraint.iter_mut().zip(&*predicted) {
            *total -= predicted;
        }
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, predicted);
        for (total, predicted) in d.qacc.iter_mut().zip(&*predicted) {
            *total -= predicted;
        }
    }
    d.deformables = Some(data);
}

/// Restores `qacc` and `qfrc_constraint` saved by [`remove_predicted_forces`].
pub(crate) fn restore_solution(d: &mut Data) {
    if let Some(data) = &d.deformables
        && let Some((qacc, qfrc)) = data.saved_solution.split_at_checked(d.qacc.len())
        && qfrc.len() == d.qacc.len()
    {
        d.qacc.copy_from_slice(qacc);
        d.qfrc_constraint.copy_from_slice(qfrc);
        d.qacc_warmstart.copy_from_slice(qacc);
    }
}

/// Decomposes the force of a contact into its constraint rows.
pub(super) fn set_row_forces(
    m: &Model,
    contact: &sim_types::Contact,
    force: Vec3,
    rows: &mut [f64],
) {
    let frame: &[Vec3] = crate::math::rows(&contact.frame);
    let components = [0, 1, 2].map(|k| dot(frame[k], force));
    match (m.opt.cone, rows) {
        (Cone::Elliptic, [n, t, s, ..]) => [*n, *t, *s] = components,
        (Cone::Pyramidal, [a, b, c, d, ..]) => {
            let edge_force = 0.25 * components[0];
            let [first, second] = [1, 2].map(|k| 0.5 * components[k] / contact.friction[k - 1]);
            [*a, *b, *c, *d] =
                [edge_force + first, edge_force - first, edge_force + second, edge_force - second];
        }
        _ => {}
    }
}
