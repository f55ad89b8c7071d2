//! One problem for rigid bodies and the vertices that touch them.
//!
//! Vertices are point masses: three columns each after those of the rigid dofs, with their mass on the
//! diagonal.

use super::couple::foresee;
use super::rows::directions;
use super::{ATTACHED, Soft};
use crate::constraint::equal_patterns;
use crate::data::held;
use crate::inertia::ldl;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, scale, sub};
use crate::math::{at, rows, spatial};
use crate::solve::{Solver, params, record, run};
use crate::support::mj_apply_ft;
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_constraint::{ContactRows, Inertia, Info, Problem, Rows, Solution, Workspace};
use sim_types::{Cone, DisableBit, SolverType};

/// The arrays of the problem.
#[derive(Debug, Default)]
pub(crate) struct Extended {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    m: Vec<f64>,
    ld: Vec<f64>,
    diag_inv: Vec<f64>,
    j_rownnz: Vec<i32>,
    j_rowadr: Vec<i32>,
    j_rowsuper: Vec<i32>,
    j_colind: Vec<i32>,
    j: Vec<f64>,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    warm: Vec<f64>,
    qacc: Vec<f64>,
    qfrc: Vec<f64>,
    /// Joint forces of what contacts and attachments are known to carry.
    known: Vec<f64>,
    /// The first column of each particle that touches, counted over all parts; -1 for others.
    column: Vec<i32>,
    /// Those particles, counted over all parts.
    active: Vec<usize>,
}

impl Extended {
    pub(super) fn bytes(&self) -> usize {
        let ints = [&self.rownnz, &self.rowadr, &self.colind, &self.j_rownnz, &self.j_rowadr];
        let numbers = [&self.m, &self.ld, &self.diag_inv, &self.j, &self.qfrc_smooth, &self.qacc];
        ints.into_iter().map(held).sum::<usize>() + numbers.into_iter().map(held).sum::<usize>()
    }
}

/// Solves the constraints of a model in which deformable bodies touch or are held. False, and nothing
/// done, if they are not.
pub(crate) fn solve(m: &Model, d: &mut Data) -> bool {
    let Some(mut soft) = d.soft.take() else { return false };
    let loaded = known_forces(m, d, &mut soft);
    let busy = loaded || !soft.touches.is_empty();
    if busy {
        solve_busy(m, d, &mut soft, loaded);
    }
    d.soft = Some(soft);
    busy
}

/// Collects the joint forces of what contacts and attachments are known to carry; whether there are any.
fn known_forces(m: &Model, d: &Data, soft: &mut Soft) -> bool {
    let Soft { parts, touches, prior, extended, first_contact, .. } = soft;
    let known = &mut extended.known;
    known.clear();
    known.resize(m.nv, 0.0);
    let mut any = false;
    for (k, touch) in touches.iter_mut().enumerate() {
        let counts = d.contact.get(*first_contact + k).is_some_and(|c| c.efc_address >= 0);
        if !counts {
            touch.guess = [0.0; 3];
        }
        if touch.guess != [0.0; 3] {
            any = true;
            let point = touch.spot.mean(|i| parts[touch.part].body.positions()[i].into());
            let back = scale(touch.guess, -1.0);
            mj_apply_ft(m, d, back, [0.0; 3], point, at(&m.geom_bodyid, touch.geom), known);
        }
    }
    for (k, deformable) in m.deformables.iter().enumerate() {
        for (a, attachment) in deformable.attachments.iter().enumerate() {
            let guess = Soft::guess(prior, (k as u32, ATTACHED, a as u32));
            if guess != [0.0; 3]
                && let Some(part) = parts.get(k)
            {
                any = true;
                let point = part.body.positions()[attachment.vertex].into();
                let back = scale(guess, -1.0);
                mj_apply_ft(m, d, back, [0.0; 3], point, attachment.body, known);
            }
        }
    }
    any
}

fn solve_busy(m: &Model, d: &mut Data, soft: &mut Soft, loaded: bool) {
    let mut solver = d.scratch.solver.take().unwrap_or_default();
    solver.collect_contacts(d);
    let rows = soft.coupled_rows(d);
    collect_columns(m, d, soft);
    extend_inertia(m, d, soft);
    extend_rows(m, d, soft, rows);
    extend_forces(m, d, soft, loaded);
    foresee(m, d, soft);
    if rows == 0 {
        d.qacc.copy_from_slice(&soft.extended.qacc_smooth[..m.nv]);
    } else {
        let Solver { workspace, contacts, .. } = &mut *solver;
        let contacts = &contacts[..contacts.partition_point(|contact| contact.row < rows)];
        let info = run_solver(m, d, rows, &mut soft.extended, contacts, workspace);
        record(d, 0, info);
        d.qacc.copy_from_slice(&soft.extended.qacc[..m.nv]);
        d.qfrc_constraint.copy_from_slice(&soft.extended.qfrc[..m.nv]);
    }
    for (total, known) in d.qfrc_constraint.iter_mut().zip(&soft.extended.known) {
        *total += known;
    }
    collect_forces(m, d, soft);
    let Extended { column, active, .. } = &mut soft.extended;
    active.drain(..).for_each(|particle| column[particle] = -1);
    d.scratch.solver = Some(solver);
}

/// Gives columns to the free vertices of contacts with rows.
fn collect_columns(m: &Model, d: &Data, soft: &mut Soft) {
    let Soft { parts, touches, extended, first, first_contact, coupled, .. } = soft;
    let Extended { column, active, .. } = extended;
    column.resize(first.last().copied().unwrap_or(0), -1);
    for (k, touch) in touches.iter().enumerate().take(*coupled) {
        if d.contact.get(*first_contact + k).is_none_or(|c| c.efc_address < 0) {
            continue;
        }
        for (vertex, weight) in touch.spot.iter() {
            let particle = first[touch.part] + vertex;
            let free = parts[touch.part].body.inverse_masses()[vertex] > 0.0;
            if free && weight > 0.0 && column[particle] < 0 {
                column[particle] = (m.nv + 3 * active.len()) as i32;
                active.push(particle);
            }
        }
    }
}

fn extend_inertia(m: &Model, d: &Data, soft: &mut Soft) {
    let Soft { parts, extended: e, first, .. } = soft;
    e.rownnz.clone_from(&m.M_rownnz);
    e.rowadr.clone_from(&m.M_rowadr);
    e.colind.clone_from(&m.M_colind);
    e.m.clone_from(&d.M);
    e.ld.clone_from(&d.qLD);
    e.diag_inv.clone_from(&d.qLDiagInv);
    for &particle in &e.active {
        let part = first.partition_point(|&start| start <= particle) - 1;
        let mass = parts[part].body.masses()[particle - first[part]];
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

/// Copies the first rows, with the columns of vertices.
fn extend_rows(m: &Model, d: &Data, soft: &mut Soft, rows: usize) {
    let Soft { touches, extended: e, first, first_contact, .. } = soft;
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
        let touch = contact
            .and_then(|k| Some((k, k.checked_sub(*first_contact)?)))
            .and_then(|(k, t)| Some((d.contact.get(k)?, touches.get(t)?)));
        if let Some((contact, touch)) = touch {
            let axis = directions(m, contact).0[row - contact.efc_address.max(0) as usize];
            let mut places = [(i32::MAX, 0.0); 3];
            let columns = touch.spot.iter().map(|(v, w)| (e.column[first[touch.part] + v], w));
            let count = columns
                .filter(|(column, _)| *column >= 0)
                .zip(&mut places)
                .map(|(place, slot)| *slot = place)
                .count();
            let places = &mut places[..count];
            places.sort_unstable_by_key(|place| place.0);
            for &(column, weight) in &*places {
                for (k, axis) in axis.iter().enumerate() {
                    e.j_colind.push(column + k as i32);
                    e.j.push(weight * axis);
                }
            }
        }
        e.j_rownnz.push((e.j.len() - from) as i32);
    }
    equal_patterns(&e.j_rownnz, &e.j_rowadr, &e.j_colind, &mut e.j_rowsuper, |_| true);
}

fn is_contact(d: &Data, row: usize) -> bool {
    d.efc_type[row] as i32 >= sim_types::ConstraintType::ContactFrictionless as i32
}

/// Forces and accelerations without constraints. Vertices fall, but those that are known to carry
/// something are held together with others: they are taken to go with what they carry.
fn extend_forces(m: &Model, d: &Data, soft: &mut Soft, loaded: bool) {
    let gravity = gravity(m);
    let e = &mut soft.extended;
    e.qfrc_smooth.clone_from(&d.qfrc_smooth);
    e.qacc_smooth.clone_from(&d.qacc_smooth);
    if loaded {
        for (total, known) in e.qfrc_smooth.iter_mut().zip(&e.known) {
            *total += known;
        }
        e.qacc_smooth.copy_from_slice(&e.qfrc_smooth);
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, &mut e.qacc_smooth);
    }
    e.warm.clone_from(&d.qacc_warmstart);
    for _ in 0..e.active.len() {
        e.qacc_smooth.extend(gravity.iter());
    }
    let coupled = soft.touches.iter().take(soft.coupled);
    for touch in coupled.filter(|touch| touch.guess != [0.0; 3]) {
        let positions = soft.parts[touch.part].body.positions();
        let point = touch.spot.mean(|i| positions[i].into());
        let body = at(&m.geom_bodyid, touch.geom);
        let rate = point_acceleration(m, d, body, point, &e.qacc_smooth);
        for (vertex, _) in touch.spot.iter() {
            if let Ok(column) = usize::try_from(e.column[soft.first[touch.part] + vertex]) {
                e.qacc_smooth[column..column + 3].copy_from_slice(&rate);
            }
        }
    }
    for column in m.nv..m.nv + 3 * e.active.len() {
        let rate = e.qacc_smooth[column];
        e.qfrc_smooth.push(e.m[e.rowadr[column] as usize] * rate);
        e.warm.push(rate);
    }
    let nv = e.qacc_smooth.len();
    e.qacc.resize(nv, 0.0);
    e.qfrc.clear();
    e.qfrc.resize(nv, 0.0);
}

/// The acceleration of a point of a body by that of the dofs.
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

/// The model's gravity, if it is on.
pub(super) fn gravity(m: &Model) -> Vector3<f64> {
    if m.opt.disabled(DisableBit::Gravity) { Vector3::zeros() } else { m.opt.gravity.into() }
}

fn run_solver(
    m: &Model,
    d: &mut Data,
    rows: usize,
    e: &mut Extended,
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
    let (kind, cold) = (m.opt.solver, m.opt.disabled(DisableBit::WarmStart));
    if cold {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        out.force.fill(0.0);
    }
    let mut info = if cold {
        run(kind, &problem, &params, &mut out, work)
    } else if kind == SolverType::Pgs {
        sim_constraint::warmstart(&problem, kind, &e.warm, offset, &mut out, work);
        run(kind, &problem, &params, &mut out, work)
    } else {
        sim_constraint::solve_warmstart(&problem, kind, &params, &e.warm, offset, &mut out, work)
    };
    if params.noslip_iterations > 0 {
        info.iterations += sim_constraint::noslip(&problem, &params, &mut out, work).iterations;
    }
    info
}

/// The force of every contact in world axes; what was known of it goes to its rows too.
fn collect_forces(m: &Model, d: &mut Data, soft: &mut Soft) {
    for (k, touch) in soft.touches.iter_mut().enumerate() {
        let Some(contact) = d.contact.get(soft.first_contact + k) else { return };
        let Ok(first) = usize::try_from(contact.efc_address) else {
            touch.force = [0.0; 3];
            continue;
        };
        let (axes, count) = directions(m, contact);
        let rows = &mut d.efc_force[first..first + count];
        let mut force = [0.0; 3];
        for (axis, row) in axes.iter().zip(&*rows) {
            force = add_scaled(force, *axis, *row);
        }
        touch.force = add(force, touch.guess);
        put(m, contact, touch.force, rows);
    }
}

/// Takes the forces of deformable bodies, as the solver foresaw them, out of the acceleration: the
/// substeps will put in what they come to. To be undone by [`give_back`].
pub(crate) fn withhold(m: &Model, d: &mut Data) {
    let Some(mut soft) = d.soft.take() else { return };
    let Soft { parts, touches, extended, withheld, .. } = &mut *soft;
    withheld.clear();
    if !touches.is_empty() || extended.known.iter().any(|&f| f != 0.0) {
        withheld.extend_from_slice(&d.qacc);
        withheld.extend_from_slice(&d.qfrc_constraint);
        let foreseen = &mut extended.qfrc;
        foreseen.clone_from(&extended.known);
        for touch in &*touches {
            let force = sub(touch.guess, touch.force);
            if force != [0.0; 3] {
                let point = touch.spot.mean(|i| parts[touch.part].body.positions()[i].into());
                mj_apply_ft(m, d, force, [0.0; 3], point, at(&m.geom_bodyid, touch.geom), foreseen);
            }
        }
        for (total, foreseen) in d.qfrc_constraint.iter_mut().zip(&*foreseen) {
            *total -= foreseen;
        }
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, foreseen);
        for (total, foreseen) in d.qacc.iter_mut().zip(&*foreseen) {
            *total -= foreseen;
        }
    }
    d.soft = Some(soft);
}

/// Undoes [`withhold`].
pub(crate) fn give_back(d: &mut Data) {
    if let Some(soft) = &d.soft
        && let Some((qacc, qfrc)) = soft.withheld.split_at_checked(d.qacc.len())
        && qfrc.len() == d.qacc.len()
    {
        d.qacc.copy_from_slice(qacc);
        d.qfrc_constraint.copy_from_slice(qfrc);
        d.qacc_warmstart.copy_from_slice(qacc);
    }
}

/// Writes the force of a contact into its rows.
pub(super) fn put(m: &Model, contact: &sim_types::Contact, force: Vec3, rows: &mut [f64]) {
    let frame: &[Vec3] = crate::math::rows(&contact.frame);
    let along = [0, 1, 2].map(|k| dot(frame[k], force));
    match (m.opt.cone, rows) {
        (Cone::Elliptic, [n, t, s, ..]) => [*n, *t, *s] = along,
        (Cone::Pyramidal, [a, b, c, d, ..]) => {
            let share = 0.25 * along[0];
            let [one, two] = [1, 2].map(|k| 0.5 * along[k] / contact.friction[k - 1]);
            [*a, *b, *c, *d] = [share + one, share - one, share + two, share - two];
        }
        _ => {}
    }
}
