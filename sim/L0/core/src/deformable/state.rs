//! Access, save and restore, and reset of the state of deformable bodies.

use super::{Attachment, CouplingReport, DeformableData, ForceRecord, Instance};
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_deformable::Body;
use sim_types::{DisableBit, StepError, Warning};
use thiserror::Error;

/// Error of [`Data::set_deformable_state`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DeformableStateError {
    /// The state has the length of other deformable bodies.
    #[error(
        "the state does not match the deformable bodies of the model: {given} numbers, at least {required} required"
    )]
    Length {
        /// Required minimum length.
        required: usize,
        /// Given length.
        given: usize,
    },
    /// A value is not finite.
    #[error("element {index} of the state is not finite")]
    NotFinite {
        /// Its index in the state.
        index: usize,
    },
    /// A mass is not positive.
    #[error("element {index} of the state is a mass and must be positive")]
    Mass {
        /// Its index in the state.
        index: usize,
    },
}

/// Length of the header of a body: its sleep state, and its number of constraints when it fell
/// asleep.
const BODY_SIZE: usize = 6;
/// Length of a particle: position, velocity, pin target, applied force (3 each), mass, pinned flag.
const PARTICLE_SIZE: usize = 14;
/// Length of a force record: key and two forces (3 each).
const RECORD_SIZE: usize = 9;

/// Offset of the mass in a particle.
const MASS_OFFSET: usize = 12;

/// Restores one deformable body from validated numbers.
fn restore(instance: &mut Instance, numbers: &[f64]) {
    let (header, particles) = numbers.split_at(BODY_SIZE);
    let body = &mut instance.body;
    for (i, numbers) in particles.as_chunks::<PARTICLE_SIZE>().0.iter().enumerate() {
        let vector = |k: usize| Vector3::new(numbers[k], numbers[k + 1], numbers[k + 2]);
        // cannot fail: the particle exists and the mass is positive
        let _ = if numbers[MASS_OFFSET + 1] == 0.0 { body.unpin(i) } else { body.pin(i) };
        let _ = body.set_mass(i, numbers[MASS_OFFSET]);
        body.positions_mut()[i] = vector(0);
        body.velocities_mut()[i] = vector(3);
        body.set_target(i, vector(6));
        if let Some(force) = instance.applied_force.get_mut(i) {
            *force = vector(9);
        }
    }
    if let [asleep, slow_time, x, y, z, sleep_constraint_count] = *header {
        body.set_sleep_state([asleep, slow_time, x, y, z]);
        instance.sleep_constraint_count =
            (sleep_constraint_count >= 0.0).then_some(sleep_constraint_count as usize);
    }
}

impl Data {
    /// Number of deformable bodies.
    #[must_use]
    pub fn deformable_count(&self) -> usize {
        self.deformables.as_ref().map_or(0, |data| data.instances.len())
    }

    /// A deformable body: particles, energies and constraint residuals.
    #[must_use]
    pub fn deformable(&self, index: usize) -> Option<&Body> {
        Some(&self.deformables.as_ref()?.instances.get(index)?.body)
    }

    /// Mutable access to a deformable body, to move, pin and unpin particles.
    #[must_use]
    pub fn deformable_mut(&mut self, index: usize) -> Option<&mut Body> {
        Some(&mut self.deformables.as_mut()?.instances.get_mut(index)?.body)
    }

    /// Forces applied to the particles of a deformable body, N, world frame. They persist until
    /// changed.
    #[must_use]
    pub fn deformable_applied(&mut self, index: usize) -> Option<&mut [Vector3<f64>]> {
        Some(&mut self.deformables.as_mut()?.instances.get_mut(index)?.applied_force)
    }

    /// Contact and attachment statistics of the last step.
    #[must_use]
    pub fn coupling_report(&self) -> CouplingReport {
        self.deformables.as_ref().map(|data| data.report.clone()).unwrap_or_default()
    }

    /// Index of the deformable body of contact `id` and the force on it, N, world frame; `None` if
    /// both sides are rigid. After a step it is the mean force over the step.
    #[must_use]
    pub fn deformable_contact(&self, id: usize) -> Option<(usize, Vector3<f64>)> {
        let surface_contact = self.deformables.as_ref()?.surface_contact(id)?;
        Some((surface_contact.instance, surface_contact.force.into()))
    }

    /// Mean force on an attached vertex over the last step, N, world frame.
    #[must_use]
    pub fn attachment_force(&self, deformable: usize, attachment: usize) -> Option<Vector3<f64>> {
        let key = (deformable as u32, super::ATTACHMENT, attachment as u32);
        let records = &self.deformables.as_ref()?.records;
        let found = records.binary_search_by_key(&key, |record| record.key).ok()?;
        Some(records[found].force.into())
    }

    /// Appends the state of the deformable bodies to `state`. [`Data::set_deformable_state`]
    /// restores it bit by bit: positions, velocities, pins, masses, sleep states, applied forces
    /// and contact forces. Radius, friction and contact distance are not included.
    pub fn deformable_state(&self, state: &mut Vec<f64>) {
        let Some(data) = &self.deformables else { return };
        for instance in &data.instances {
            let body = &instance.body;
            state.extend(body.sleep_state());
            state.push(instance.sleep_constraint_count.map_or(-1.0, |count| count as f64));
            for (i, force) in instance.applied_force.iter().enumerate().take(body.len()) {
                let vectors =
                    [body.positions()[i], body.velocities()[i], body.targets()[i], *force];
                state.extend(vectors.iter().flatten());
                state.extend([body.masses()[i], f64::from(u8::from(body.is_pinned(i)))]);
            }
        }
        for record in &data.records {
            let (instance, geom, feature) = record.key;
            state.extend([instance, geom, feature].map(f64::from));
            state.extend(record.force.iter().chain(&record.sustained));
        }
    }

    /// Restores a state of [`Data::deformable_state`].
    ///
    /// # Errors
    /// A state of other deformable bodies or with invalid values; nothing is changed then.
    pub fn set_deformable_state(&mut self, state: &[f64]) -> Result<(), DeformableStateError> {
        let given = state.len();
        let Some(data) = &mut self.deformables else {
            let required = 0;
            return if given == 0 {
                Ok(())
            } else {
                Err(DeformableStateError::Length { required, given })
            };
        };
        let required = data
            .instances
            .iter()
            .map(|instance| BODY_SIZE + PARTICLE_SIZE * instance.body.len())
            .sum();
        if given < required || !(given - required).is_multiple_of(RECORD_SIZE) {
            return Err(DeformableStateError::Length { required, given });
        }
        if let Some(index) = state.iter().position(|x| !x.is_finite()) {
            return Err(DeformableStateError::NotFinite { index });
        }
        let mut start = 0;
        for instance in &data.instances {
            let masses = (0..instance.body.len())
                .map(|i| start + BODY_SIZE + PARTICLE_SIZE * i + MASS_OFFSET);
            for index in masses {
                if !(state[index] > 0.0 && state[index].recip().is_finite()) {
                    return Err(DeformableStateError::Mass { index });
                }
            }
            start += BODY_SIZE + PARTICLE_SIZE * instance.body.len();
        }
        let mut rest = state;
        for instance in &mut data.instances {
            let (header, after) = rest.split_at(BODY_SIZE + PARTICLE_SIZE * instance.body.len());
            restore(instance, header);
            rest = after;
        }
        data.records.clear();
        for &[instance, geom, feature, a, b, c, p, q, r] in rest.as_chunks::<RECORD_SIZE>().0 {
            let key = (instance as u32, geom as u32, feature as u32);
            data.records.push(ForceRecord { key, force: [a, b, c], sustained: [p, q, r] });
        }
        data.records.sort_unstable_by_key(|record| record.key);
        Ok(())
    }

    /// Restores the initial state of the deformable bodies, or creates it if the model has others.
    /// Part of [`Data::reset`].
    pub fn reset_deformables(&mut self, m: &Model) {
        match &mut self.deformables {
            Some(data) if data.matches(m) => data.reset(m),
            None if m.deformables.is_empty() => {}
            data => *data = DeformableData::new(m),
        }
    }
}

impl DeformableData {
    /// Copies the state, reusing allocated memory if the particle counts are the same.
    pub(crate) fn copy(to: &mut Option<Box<Self>>, from: Option<&Self>) {
        let same = |a: &Self, b: &Self| a.particle_offset == b.particle_offset;
        match (to.as_deref_mut(), from) {
            (Some(to), Some(from)) if same(to, from) => {
                for (to, from) in to.instances.iter_mut().zip(&from.instances) {
                    to.body.copy_state(&from.body);
                    to.applied_force.copy_from_slice(&from.applied_force);
                    to.sleep_constraint_count = from.sleep_constraint_count;
                }
                to.surface_contacts.clone_from(&from.surface_contacts);
                to.records.clone_from(&from.records);
                to.first_contact = from.first_contact;
                to.coupled_contacts = from.coupled_contacts;
                to.diverged = from.diverged;
                to.report = from.report.clone();
            }
            (None, None) => {}
            (_, from) => *to = from.map(|from| Box::new(from.clone())),
        }
    }
}

/// Resets the data if the state of a deformable body became non-finite in the last step.
///
/// # Errors
/// [`StepError::Diverged`] if it did and `autoreset` is disabled.
pub(crate) fn check(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let Some(particle) = d.deformables.as_mut().and_then(|data| data.diverged.take()) else {
        return Ok(());
    };
    // particle coordinates are numbered after `qpos`
    let index = m.nq + 3 * particle;
    d.warn(Warning::BadQpos, index);
    if m.opt.disabled(DisableBit::AutoReset) {
        return Err(StepError::Diverged { warning: Warning::BadQpos, index, time: d.time });
    }
    let counts = d.warning;
    d.reset(m);
    d.warning = counts;
    Ok(())
}

impl Attachment {
    /// Attachment of a vertex to a site; `None` if the site does not exist.
    #[must_use]
    pub fn to_site(m: &Model, vertex: usize, site: usize) -> Option<Self> {
        let body = usize::try_from(*m.site_bodyid.get(site)?).ok()?;
        let pos = *crate::math::rows::<3>(&m.site_pos).get(site)?;
        Some(Self { vertex, body, pos })
    }
}
