//! Contacts of single vertices with what does not move: most contacts of a cloth that lies somewhere. They
//! are ties like all others, without anything that a rigid side needs.

use super::{Key, Spot};
use crate::math::vec3::{Vec3, add_scaled, dot, norm, scale, sub};

/// A vertex that lies on something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lie {
    pub key: Key,
    pub part: u32,
    vertex: u32,
    normal: Vec3,
    /// Height of the surface along the normal.
    level: f64,
    /// How deep the vertex may be; what is too deep comes up bit by bit.
    goal: f64,
    /// What a substep leaves of that.
    fade: f64,
    friction: f64,
    /// Whether it is deep enough to wake the body.
    pub pushes: bool,
    /// Impulse of the step, as displacement times mass.
    pub sum: Vec3,
    /// Distance when it was last solved.
    pub left: f64,
}

/// What a contact is like at the start of a step.
pub(super) struct Start {
    pub key: Key,
    pub spot: Spot,
    pub place: Vec3,
    pub normal: Vec3,
    pub gap: f64,
    pub ease: f64,
    pub friction: f64,
}

impl Lie {
    /// A contact; `h` is the length of a substep, `slow` the speed below which a body may sleep.
    pub(super) fn new(start: &Start, h: f64, slow: f64) -> Self {
        Self {
            key: start.key,
            part: start.key.0,
            vertex: start.spot.at[0],
            normal: start.normal,
            level: dot(start.normal, start.place) - start.gap,
            goal: start.gap.min(0.0),
            fade: (-h / start.ease).exp(),
            friction: start.friction,
            pushes: -start.gap > slow * start.ease,
            sum: [0.0; 3],
            left: start.gap,
        }
    }

    /// Projects the contact: `x` and `previous` are the particles of its part.
    #[inline]
    pub(super) fn solve(&mut self, x: &mut [[f64; 4]], previous: &[[f64; 4]]) {
        self.goal *= self.fade;
        let (Some(x), Some(before)) =
            (x.get_mut(self.vertex as usize), previous.get(self.vertex as usize))
        else {
            return;
        };
        let [px, py, pz, weight] = *x;
        let place = [px, py, pz];
        self.left = dot(self.normal, place) - self.level;
        let up = self.goal - self.left;
        if up.is_nan() || up <= 0.0 {
            return;
        }
        let raised = add_scaled(place, self.normal, up);
        let moved = sub(raised, [before[0], before[1], before[2]]);
        let slip = add_scaled(moved, self.normal, -dot(self.normal, moved));
        let (length, most) = (norm(slip), self.friction * up);
        let share = if length > most { most / length } else { 1.0 };
        let to = add_scaled(raised, slip, -share);
        self.sum = add_scaled(self.sum, sub(to, place), weight.recip());
        *x = [to[0], to[1], to[2], weight];
    }

    /// The force of the step, if its impulses are spread over it.
    pub(super) fn force(&self, to_force: f64) -> Vec3 {
        scale(self.sum, to_force)
    }
}
