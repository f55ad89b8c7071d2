//! XPBD substeps of the deformable bodies with their contact and attachment constraints
//! (substepping after Macklin et al. 2019, "Small steps in physics simulation").

use super::aerodynamics::add_medium_drag;
use super::buffers::{ConstraintKind, PointConstraint};
use super::constraint::{RigidSide, SubstepTime};
use super::data::CouplingReport;
use super::resting_contact::{ContactStart, RestingContact};
use super::solve::{gravity, set_row_forces};
use super::{
    ATTACHMENT, ConstraintKey, Deformable, DeformableData, ForceRecord, Instance, RecordLookup,
    SurfaceContact, SurfacePoint,
};
use crate::math::vec3::{Vec3, add, dot, norm, scale, sub};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_deformable::Body;
use sim_types::Contact;

/// Relaxation time of attachments, and lower bound of that of contacts, in time steps.
pub(super) const MIN_RELAXATION_STEPS: f64 = 2.0;

/// Advances the deformable bodies by one time step and applies the impulses of their constraints to
/// the rigid bodies. On entry `d.qvel` is the velocity at the end of the step without these
/// impulses, with the acceleration `qacc`; `qvel` is the velocity with which positions are
/// integrated, if it differs.
///
/// Rigid bodies with constraints gain the velocity `h·qacc` in equal parts over the substeps, as
/// particles do.
pub(crate) fn step(m: &Model, d: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    let Some(mut data) = d.deformables.take() else { return };
    if data.matches(m) {
        let h = m.opt.timestep;
        build_constraints(m, d, &mut data, qacc);
        start_substeps(m, &mut data);
        let count = m.deformables.config.substeps.max(1);
        let substep_length = h / count as f64;
        for k in 1..=count {
            substep(&mut data, SubstepTime { h: substep_length, t: k as f64 * substep_length });
        }
        finish(m, d, &mut data, qacc, qvel);
    }
    d.deformables = Some(data);
}

impl DeformableData {
    /// Generalized velocity with which positions are integrated; `None` if no constraint changed
    /// it.
    pub(crate) fn position_velocity(&self) -> Option<&[f64]> {
        (!self.constraints.is_empty()).then_some(&self.position_velocity[..])
    }
}

/// Appends constraints with their Jacobians.
struct ConstraintBuilder<'a> {
    m: &'a Model,
    d: &'a Data,
    qacc: &'a [f64],
    constraints: &'a mut Vec<PointConstraint>,
    jac: &'a mut Vec<f64>,
    minv: &'a mut Vec<f64>,
    /// Of length nv.
    scratch: &'a mut [f64],
}

impl ConstraintBuilder<'_> {
    /// Adds a constraint with `point` of `body`, unless neither side can move along one of its axes.
    fn add(&mut self, mut constraint: PointConstraint, body: usize, point: Vec3) {
        let Self { m, d, qacc, constraints, jac, minv, scratch } = self;
        constraint.compute_jacobian(m, d, body, point, jac, minv, scratch);
        let h = m.opt.timestep;
        for k in 0..3 {
            let acceleration = constraint.jacobian_product(jac, k, qacc);
            constraint.rigid_acceleration[k] = acceleration;
            // `qvel` is already the velocity at the end of the step
            let end_velocity = constraint.jacobian_product(jac, k, &d.qvel);
            constraint.rigid_velocity[k] = end_velocity - h * acceleration;
        }
        if constraint.inverse_mass.iter().all(|&w| w > 0.0 && w.is_finite()) {
            constraints.push(constraint);
        }
    }
}

/// Builds the contact and attachment constraints of the step.
fn build_constraints(m: &Model, d: &Data, data: &mut DeformableData, qacc: &[f64]) {
    data.constraints.clear();
    data.resting_contacts.clear();
    data.jac.clear();
    data.minv.clear();
    for list in [
        &mut data.position_velocity,
        &mut data.displacement,
        &mut data.velocity,
        &mut data.previous_displacement,
    ] {
        list.clear();
        list.resize(m.nv, 0.0);
    }
    let DeformableData { constraints, jac, minv, position_velocity: scratch, .. } = data;
    let mut builder = ConstraintBuilder { m, d, qacc, constraints, jac, minv, scratch };
    let contacts = data.surface_contacts.iter().zip(d.contact.iter().skip(data.first_contact));
    for (surface_contact, contact) in contacts.filter(|(_, contact)| contact.exclude == 0) {
        let body = &data.instances[surface_contact.instance].body;
        add_contact(surface_contact, contact, body, &mut builder, &mut data.resting_contacts);
    }
    for (k, deformable) in m.deformables.iter().enumerate() {
        add_attachments(k, deformable, &data.instances[k].body, &mut builder);
    }
}

/// Adds the constraint of a contact: a [`RestingContact`] for a single vertex on a body without dofs.
fn add_contact(
    surface_contact: &SurfaceContact,
    contact: &Contact,
    body: &Body,
    builder: &mut ConstraintBuilder<'_>,
    resting_contacts: &mut Vec<RestingContact>,
) {
    let m = builder.m;
    let h = m.opt.timestep;
    let config = m.deformables.config;
    let &SurfaceContact { instance, location, geom, .. } = surface_contact;
    let key = surface_contact.key();
    let start = location.interpolate(|i| body.positions()[i].into());
    let frame = std::array::from_fn(|k| rows::<3>(&contact.frame)[k]);
    // negative `solref` has no time constant
    let [time, ratio] = contact.solref;
    let time_constant = if time > 0.0 && ratio > 0.0 { time } else { 0.0 };
    let relaxation_time = time_constant.max(MIN_RELAXATION_STEPS * h);
    let friction = contact.friction[0];
    let rigid_body = at(&m.geom_bodyid, geom);
    if location.count == 1 && m.body_treeid[rigid_body] < 0 {
        if body.inverse_masses()[location.particles[0] as usize] > 0.0 {
            let (position, normal, distance) = (start, frame[0], contact.dist);
            let start = ContactStart {
                key,
                location,
                position,
                normal,
                distance,
                relaxation_time,
                friction,
            };
            let substep_length = h / config.substeps.max(1) as f64;
            resting_contacts.push(RestingContact::new(&start, substep_length, config.sleep_speed));
        }
        return;
    }
    let constraint = PointConstraint {
        kind: ConstraintKind::Contact { friction },
        initial_error: [contact.dist, 0.0, 0.0],
        relaxation_time,
        inverse_mass: [location.inverse_mass(body); 3],
        ..PointConstraint::new(key, instance, location, frame, start)
    };
    builder.add(constraint, rigid_body, start);
}

/// Adds the attachment constraints of the deformable body `k`.
fn add_attachments(
    k: usize,
    deformable: &Deformable,
    body: &Body,
    builder: &mut ConstraintBuilder<'_>,
) {
    let d = builder.d;
    for (a, attachment) in deformable.attachments.iter().enumerate() {
        let vertex = attachment.vertex;
        let start: Vec3 = body.positions()[vertex].into();
        let location = SurfacePoint::vertex(vertex as u32);
        let mat = &rows::<9>(&d.xmat)[attachment.body];
        let rotated = mat3::mul_vec(mat, attachment.pos);
        let point = add(rows::<3>(&d.xpos)[attachment.body], rotated);
        let key: ConstraintKey = (k as u32, ATTACHMENT, a as u32);
        let frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let constraint = PointConstraint {
            initial_error: sub(start, point),
            relaxation_time: MIN_RELAXATION_STEPS * builder.m.opt.timestep,
            inverse_mass: [location.inverse_mass(body); 3],
            ..PointConstraint::new(key, k, location, frame, start)
        };
        builder.add(constraint, attachment.body, start);
    }
}

/// Wakes bodies, finds pairs of deformable bodies and starts the step of each awake body.
fn start_substeps(m: &Model, data: &mut DeformableData) {
    wake(m, data);
    data.body_pairs.find_candidates(m, &mut data.instances);
    let DeformableData {
        instances, constraints, resting_contacts, particle_offset, diverged, ..
    } = data;
    let gravity = gravity(m);
    for (k, (instance, deformable)) in instances.iter_mut().zip(m.deformables.iter()).enumerate() {
        instance.solver.config = m.deformables.config;
        match instance.solver.begin_step(&mut instance.body, gravity, m.opt.timestep) {
            Ok(active) => instance.active = active,
            Err(_) => {
                instance.active = false;
                diverged.get_or_insert(particle_offset[k]);
            }
        }
        if !instance.active {
            continue;
        }
        let Instance { body, applied_force, external_acceleration, triangle_count, .. } = instance;
        let loads = applied_force.iter().zip(body.inverse_masses());
        for (acceleration, (force, inverse_mass)) in external_acceleration.iter_mut().zip(loads) {
            *acceleration = force * *inverse_mass;
        }
        add_medium_drag(m, deformable.drag, body, triangle_count, external_acceleration);
    }
    constraints.retain(|constraint| instances[constraint.instance].active);
    resting_contacts.retain(|resting| instances[resting.instance as usize].active);
}

/// Wakes bodies that are constrained to moving bodies or have a large constraint error, that gained
/// or lost a constraint since they fell asleep, or that have applied forces.
fn wake(m: &Model, data: &mut DeformableData) {
    let DeformableData { instances, constraints, resting_contacts, .. } = data;
    let sleep_speed = m.deformables.config.sleep_speed;
    for instance in instances.iter_mut() {
        instance.constraint_count = 0;
    }
    for constraint in &*constraints {
        let instance = &mut instances[constraint.instance];
        instance.constraint_count += 1;
        let error = match constraint.kind {
            ConstraintKind::Contact { .. } => -constraint.initial_error[0],
            ConstraintKind::Attachment => norm(constraint.initial_error),
        };
        if !constraint.dof_range().is_empty()
            || constraint.rigid_velocity != [0.0; 3]
            || error > sleep_speed * constraint.relaxation_time
        {
            instance.body.wake();
        }
    }
    for resting in &*resting_contacts {
        let instance = &mut instances[resting.instance as usize];
        instance.constraint_count += 1;
        if resting.wakes_body {
            instance.body.wake();
        }
    }
    for instance in instances {
        let has_applied_force = instance.applied_force.iter().any(|f| *f != Vector3::zeros());
        let count = instance.constraint_count;
        if has_applied_force
            || instance.body.is_asleep()
                && *instance.sleep_constraint_count.get_or_insert(count) != count
        {
            instance.body.wake();
        }
        if !instance.body.is_asleep() {
            instance.sleep_constraint_count = None;
        }
    }
}

/// One substep: internal constraints, contacts between deformable bodies, then contact and attachment
/// constraints.
fn substep(data: &mut DeformableData, time: SubstepTime) {
    let DeformableData {
        instances,
        constraints,
        resting_contacts,
        body_pairs,
        jac,
        minv,
        displacement,
        velocity,
        previous_displacement,
        ..
    } = data;
    for instance in instances.iter_mut().filter(|instance| instance.active) {
        instance.solver.substep(&mut instance.body, &instance.external_acceleration);
    }
    body_pairs.solve(instances);
    previous_displacement.copy_from_slice(displacement);
    for (displacement, velocity) in displacement.iter_mut().zip(&*velocity) {
        *displacement += time.h * velocity;
    }
    let mut rigid = RigidSide { jac, minv, displacement, previous_displacement };
    for constraint in constraints {
        let (x, previous) = instances[constraint.instance].solver.state_mut();
        constraint.solve(time, x, previous, &mut rigid);
    }
    for group in resting_contacts.chunk_by_mut(|a, b| a.instance == b.instance) {
        let (x, previous) = instances[group[0].instance as usize].solver.state_mut();
        group.iter_mut().for_each(|resting| resting.solve(x, previous));
    }
    for ((velocity, now), before) in
        velocity.iter_mut().zip(&*displacement).zip(&*previous_displacement)
    {
        *velocity = (now - before) / time.h;
    }
    for instance in instances.iter_mut().filter(|instance| instance.active) {
        instance.solver.end_substep();
    }
}

/// Writes the results to deformable and rigid bodies.
fn finish(m: &Model, d: &mut Data, data: &mut DeformableData, qacc: &[f64], qvel: Option<&[f64]>) {
    let h = m.opt.timestep;
    let DeformableData {
        instances,
        constraints,
        position_velocity,
        displacement,
        velocity,
        diverged,
        particle_offset,
        ..
    } = data;
    for (k, instance) in instances.iter_mut().enumerate().filter(|(_, instance)| instance.active) {
        if instance.solver.end_step(&mut instance.body).is_err() {
            diverged.get_or_insert(particle_offset[k]);
        }
    }
    if !constraints.is_empty() {
        position_velocity.copy_from_slice(qvel.unwrap_or(&d.qvel));
        // mean velocity over the substeps, which is less than that at the end of the step
        let offset = 0.5 * h * (1.0 - 1.0 / m.deformables.config.substeps.max(1) as f64);
        for constraint in &*constraints {
            for i in constraint.dof_range() {
                position_velocity[i] = d.qvel[i] - offset * qacc[i] + displacement[i] / h;
            }
        }
        for (v, velocity) in d.qvel.iter_mut().zip(&*velocity) {
            *v += velocity;
        }
    }
    record_forces(m, d, data);
}

/// Records the constraint forces: for the prediction of the next step, in `efc_force`, and in the
/// report.
fn record_forces(m: &Model, d: &mut Data, data: &mut DeformableData) {
    let count = m.deformables.config.substeps.max(1) as f64;
    let substep_length = m.opt.timestep / count;
    let impulse_to_force = 1.0 / (substep_length * substep_length * count);
    let DeformableData {
        constraints,
        resting_contacts,
        records,
        surface_contacts,
        first_contact,
        new_records,
        report,
        body_pairs,
        ..
    } = data;
    *report = CouplingReport {
        body_pair_contacts: body_pairs.candidate_count(),
        ..CouplingReport::default()
    };
    new_records.clear();
    let mut lookup = RecordLookup::new(records);
    let mut record = |key: ConstraintKey, force: Vec3| {
        let before = lookup.find(key).map_or([0.0; 3], |record| record.force);
        new_records.push(ForceRecord { key, force, sustained: sustained(before, force) });
    };
    for resting in &*resting_contacts {
        record(resting.key, resting.force(impulse_to_force));
        report.contacts += 1;
        report.penetration = report.penetration.max(-resting.residual);
    }
    for constraint in &*constraints {
        let components = scale(constraint.accumulated_impulse, impulse_to_force);
        let force = [0, 1, 2].map(|k| (0..3).map(|i| components[i] * constraint.frame[i][k]).sum());
        record(constraint.key, force);
        match constraint.kind {
            ConstraintKind::Contact { .. } => {
                report.contacts += 1;
                report.penetration = report.penetration.max(-constraint.residual[0]);
            }
            ConstraintKind::Attachment => {
                report.attachments += 1;
                report.separation = report.separation.max(norm(constraint.residual));
            }
        }
    }
    new_records.sort_unstable_by_key(|record| record.key);
    std::mem::swap(new_records, records);
    let mut lookup = RecordLookup::new(records);
    for (k, surface_contact) in surface_contacts.iter_mut().enumerate() {
        let Some(contact) = d.contact.get(*first_contact + k) else { break };
        surface_contact.force =
            lookup.find(surface_contact.key()).map_or([0.0; 3], |record| record.force);
        if let Ok(row) = usize::try_from(contact.efc_address)
            && let Some(rows) = d.efc_force.get_mut(row..)
        {
            set_row_forces(m, contact, surface_contact.force, rows);
        }
    }
}

/// Projection of the previous force on the current one, at most the current one: an impact is not
/// expected to continue.
fn sustained(before: Vec3, force: Vec3) -> Vec3 {
    let square = dot(force, force);
    let lasting = dot(before, force).max(0.0);
    if square > 0.0 { scale(force, (lasting / square).min(1.0)) } else { [0.0; 3] }
}
