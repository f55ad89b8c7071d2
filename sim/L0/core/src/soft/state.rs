//! Reading, setting, saving and resetting deformable bodies.

use super::{Attachment, CouplingReport, Part, Prior, Soft};
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_deformable::Body;
use sim_types::{DisableBit, StepError, Warning};
use thiserror::Error;

/// Why a state of deformable bodies cannot be restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DeformableStateError {
    /// It is of other bodies.
    #[error(
        "this state is of other deformable bodies: {given} numbers, and {needed} are needed at least"
    )]
    Length {
        /// Numbers that are needed at least.
        needed: usize,
        /// Numbers that were given.
        given: usize,
    },
    /// A number that is not finite.
    #[error("number {index} of the state is not finite")]
    NotFinite {
        /// Its place.
        index: usize,
    },
    /// A mass that is not positive.
    #[error("number {index} of the state is a mass, and must be above 0")]
    Mass {
        /// Its place.
        index: usize,
    },
}

/// Numbers of a deformable body in a saved state: its sleep, and what it rests on.
const PART: usize = 6;
/// Numbers of a particle: position, velocity, target, force of the application, mass, whether it is
/// pinned.
const PARTICLE: usize = 14;
/// Numbers of what a contact or attachment carried: its key and two forces.
const CARRIED: usize = 9;

/// Where among the numbers of a particle its mass is.
const MASS: usize = 12;

/// Restores one deformable body; the numbers are known to be good.
fn restore(part: &mut Part, numbers: &[f64]) {
    let (own, particles) = numbers.split_at(PART);
    let body = &mut part.body;
    for (i, numbers) in particles.as_chunks::<PARTICLE>().0.iter().enumerate() {
        let vector = |k: usize| Vector3::new(numbers[k], numbers[k + 1], numbers[k + 2]);
        // no error is possible: the particle is there, and the mass is positive
        let _ = if numbers[MASS + 1] == 0.0 { body.unpin(i) } else { body.pin(i) };
        let _ = body.set_mass(i, numbers[MASS]);
        body.positions_mut()[i] = vector(0);
        body.velocities_mut()[i] = vector(3);
        body.set_target(i, vector(6));
        if let Some(force) = part.applied.get_mut(i) {
            *force = vector(9);
        }
    }
    if let [asleep, calm, x, y, z, at_rest] = *own {
        body.set_sleep_state([asleep, calm, x, y, z]);
        part.at_rest = (at_rest >= 0.0).then_some(at_rest as usize);
    }
}

impl Data {
    /// Number of deformable bodies.
    #[must_use]
    pub fn deformable_count(&self) -> usize {
        self.soft.as_ref().map_or(0, |soft| soft.parts.len())
    }

    /// A deformable body: its particles, energy and residuals.
    #[must_use]
    pub fn deformable(&self, index: usize) -> Option<&Body> {
        Some(&self.soft.as_ref()?.parts.get(index)?.body)
    }

    /// A deformable body, to change: move its particles, pin and unpin them.
    #[must_use]
    pub fn deformable_mut(&mut self, index: usize) -> Option<&mut Body> {
        Some(&mut self.soft.as_mut()?.parts.get_mut(index)?.body)
    }

    /// Forces on the particles of a deformable body, in N: added in every step until they are changed.
    #[must_use]
    pub fn deformable_applied(&mut self, index: usize) -> Option<&mut [Vector3<f64>]> {
        Some(&mut self.soft.as_mut()?.parts.get_mut(index)?.applied)
    }

    /// What the last step of the deformable bodies was like.
    #[must_use]
    pub fn coupling_report(&self) -> CouplingReport {
        self.soft.as_ref().map(|soft| soft.report.clone()).unwrap_or_default()
    }

    /// The deformable body and the force on it of contact `id`, in world axes; nothing if both sides
    /// are rigid. After a step this is the mean force over the step.
    #[must_use]
    pub fn deformable_contact(&self, id: usize) -> Option<(usize, Vector3<f64>)> {
        let touch = self.soft.as_ref()?.touch_of(id)?;
        Some((touch.part, touch.force.into()))
    }

    /// The force on an attached vertex in the last step, in N, world axes.
    #[must_use]
    pub fn attachment_force(&self, deformable: usize, attachment: usize) -> Option<Vector3<f64>> {
        let key = (deformable as u32, super::ATTACHED, attachment as u32);
        let prior = &self.soft.as_ref()?.prior;
        let found = prior.binary_search_by_key(&key, |prior| prior.key).ok()?;
        Some(prior[found].force.into())
    }

    /// The state of the deformable bodies, appended to `state`: to be restored by
    /// [`Data::set_deformable_state`] to the last bit. Pins, masses, sleep and forces of the application
    /// are in it; radius, friction and contact distance are not.
    pub fn deformable_state(&self, state: &mut Vec<f64>) {
        let Some(soft) = &self.soft else { return };
        for part in &soft.parts {
            let body = &part.body;
            state.extend(body.sleep_state());
            state.push(part.at_rest.map_or(-1.0, |count| count as f64));
            for (i, force) in part.applied.iter().enumerate().take(body.len()) {
                let vectors =
                    [body.positions()[i], body.velocities()[i], body.targets()[i], *force];
                state.extend(vectors.iter().flatten());
                state.extend([body.masses()[i], f64::from(u8::from(body.is_pinned(i)))]);
            }
        }
        for prior in &soft.prior {
            let (part, geom, feature) = prior.key;
            state.extend([part, geom, feature].map(f64::from));
            state.extend(prior.force.iter().chain(&prior.steady));
        }
    }

    /// Restores what [`Data::deformable_state`] gave.
    ///
    /// # Errors
    /// Numbers of other deformable bodies, or that cannot be; nothing is changed then.
    pub fn set_deformable_state(&mut self, state: &[f64]) -> Result<(), DeformableStateError> {
        let given = state.len();
        let Some(soft) = &mut self.soft else {
            let needed = 0;
            return if given == 0 {
                Ok(())
            } else {
                Err(DeformableStateError::Length { needed, given })
            };
        };
        let needed = soft.parts.iter().map(|part| PART + PARTICLE * part.body.len()).sum();
        if given < needed || !(given - needed).is_multiple_of(CARRIED) {
            return Err(DeformableStateError::Length { needed, given });
        }
        if let Some(index) = state.iter().position(|x| !x.is_finite()) {
            return Err(DeformableStateError::NotFinite { index });
        }
        let mut start = 0;
        for part in &soft.parts {
            let masses = (0..part.body.len()).map(|i| start + PART + PARTICLE * i + MASS);
            for index in masses {
                if !(state[index] > 0.0 && state[index].recip().is_finite()) {
                    return Err(DeformableStateError::Mass { index });
                }
            }
            start += PART + PARTICLE * part.body.len();
        }
        let mut rest = state;
        for part in &mut soft.parts {
            let (own, after) = rest.split_at(PART + PARTICLE * part.body.len());
            restore(part, own);
            rest = after;
        }
        soft.prior.clear();
        for &[part, geom, feature, a, b, c, p, q, r] in rest.as_chunks::<CARRIED>().0 {
            let key = (part as u32, geom as u32, feature as u32);
            soft.prior.push(Prior { key, force: [a, b, c], steady: [p, q, r] });
        }
        soft.prior.sort_unstable_by_key(|prior| prior.key);
        Ok(())
    }

    /// Back to where the model has its deformable bodies; new ones if the model has others. Part of
    /// [`Data::reset`].
    pub fn reset_deformables(&mut self, m: &Model) {
        match &mut self.soft {
            Some(soft) if soft.fits(m) => soft.reset(m),
            None if m.deformables.is_empty() => {}
            soft => *soft = Soft::of(m),
        }
    }
}

impl Soft {
    /// Makes one an exact copy of another, reusing its memory where it fits.
    pub(crate) fn copy(to: &mut Option<Box<Self>>, from: Option<&Self>) {
        let same = |a: &Self, b: &Self| a.first == b.first;
        match (to.as_deref_mut(), from) {
            (Some(to), Some(from)) if same(to, from) => {
                for (to, from) in to.parts.iter_mut().zip(&from.parts) {
                    to.body.copy_motion(&from.body);
                    to.applied.copy_from_slice(&from.applied);
                    to.at_rest = from.at_rest;
                }
                to.touches.clone_from(&from.touches);
                to.prior.clone_from(&from.prior);
                to.first_contact = from.first_contact;
                to.coupled = from.coupled;
                to.diverged = from.diverged;
                to.report = from.report.clone();
            }
            (None, None) => {}
            (_, from) => *to = from.map(|from| Box::new(from.clone())),
        }
    }
}

/// Resets the data if a deformable body came to numbers that are not finite; it was left as it was.
///
/// # Errors
/// [`StepError::Diverged`] if it did and `autoreset` is disabled.
pub(crate) fn check(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let Some(particle) = d.soft.as_mut().and_then(|soft| soft.diverged.take()) else {
        return Ok(());
    };
    // counted after the positions of joints
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
    /// An attachment of a vertex to a site, where the site is in its body.
    #[must_use]
    pub fn to_site(m: &Model, vertex: usize, site: usize) -> Option<Self> {
        let body = usize::try_from(*m.site_bodyid.get(site)?).ok()?;
        let pos = *crate::math::rows::<3>(&m.site_pos).get(site)?;
        Some(Self { vertex, body, pos })
    }
}
