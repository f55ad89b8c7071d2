//! Contacts of single vertices with bodies without dofs: most contacts of a cloth at rest. They are
//! contact constraints like [`PointConstraint`](super::constraint::PointConstraint), without the
//! rigid side.

use super::surface_contact::{ConstraintKey, SurfacePoint};
use crate::math::vec3::{Vec3, add_scaled, dot, norm, scale, sub};

/// A contact of a vertex with a plane that is fixed during the step: `C = n·x − offset ≥ target`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestingContact {
    pub key: ConstraintKey,
    pub instance: u32,
    vertex: u32,
    normal: Vec3,
    /// Offset of the contact plane along the normal, m.
    plane_offset: f64,
    /// Allowed distance, m: negative for an initial penetration, which decays exponentially.
    target_distance: f64,
    /// Factor `exp(−h/τ)` by which it decays per substep.
    decay: f64,
    friction: f64,
    /// Whether the recovery velocity exceeds the sleep threshold.
    pub wakes_body: bool,
    /// Accumulated impulse of the step, as mass times displacement, kg·m.
    pub accumulated_impulse: Vec3,
    /// Distance at the last projection, m.
    pub residual: f64,
}

/// State of a contact at the start of a step.
pub(super) struct ContactStart {
    pub key: ConstraintKey,
    pub location: SurfacePoint,
    pub position: Vec3,
    pub normal: Vec3,
    pub distance: f64,
    pub relaxation_time: f64,
    pub friction: f64,
}

impl RestingContact {
    /// A contact; `h` is the length of a substep, s, `sleep_speed` the speed below which a body may
    /// fall asleep, m/s.
    pub(super) fn new(start: &ContactStart, h: f64, sleep_speed: f64) -> Self {
        Self {
            key: start.key,
            instance: start.key.0,
            vertex: start.location.particles[0],
            normal: start.normal,
            plane_offset: dot(start.normal, start.position) - start.distance,
            target_distance: start.distance.min(0.0),
            decay: (-h / start.relaxation_time).exp(),
            friction: start.friction,
            wakes_body: -start.distance > sleep_speed * start.relaxation_time,
            accumulated_impulse: [0.0; 3],
            residual: start.distance,
        }
    }

    /// Projects the contact onto its constraint with Coulomb friction: the tangential correction is
    /// at most `μ` times the normal one. `x` and `previous` are the particles of the body now and
    /// before the substep.
    #[inline]
    pub(super) fn solve(&mut self, x: &mut [[f64; 4]], previous: &[[f64; 4]]) {
        self.target_distance *= self.decay;
        let (Some(x), Some(previous_position)) =
            (x.get_mut(self.vertex as usize), previous.get(self.vertex as usize))
        else {
            return;
        };
        let [px, py, pz, weight] = *x;
        let position = [px, py, pz];
        self.residual = dot(self.normal, position) - self.plane_offset;
        let correction = self.target_distance - self.residual;
        if correction.is_nan() || correction <= 0.0 {
            return;
        }
        let projected = add_scaled(position, self.normal, correction);
        let displacement =
            sub(projected, [previous_position[0], previous_position[1], previous_position[2]]);
        let slip = add_scaled(displacement, self.normal, -dot(self.normal, displacement));
        let (length, max_friction) = (norm(slip), self.friction * correction);
        let fraction = if length > max_friction { max_friction / length } else { 1.0 };
        let corrected = add_scaled(projected, slip, -fraction);
        self.accumulated_impulse =
            add_scaled(self.accumulated_impulse, sub(corrected, position), weight.recip());
        *x = [corrected[0], corrected[1], corrected[2], weight];
    }

    /// Mean force over the step, N.
    pub(super) fn force(&self, impulse_to_force: f64) -> Vec3 {
        scale(self.accumulated_impulse, impulse_to_force)
    }
}
