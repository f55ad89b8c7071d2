//! What the vertices add to the rows of contacts.

use super::Soft;
use crate::math::rows;
use crate::math::vec3::{Vec3, add_scaled, dot};
use crate::{Data, Model};
use sim_types::{Cone, Contact};

/// Rows of a contact: three axes of a cone, or four edges of a pyramid.
pub(super) fn directions(m: &Model, contact: &Contact) -> ([Vec3; 4], usize) {
    let frame: &[Vec3] = rows(&contact.frame);
    let (n, t, s) = (frame[0], frame[1], frame[2]);
    let [a, b, ..] = contact.friction;
    match m.opt.cone {
        Cone::Elliptic => ([n, t, s, [0.0; 3]], 3),
        Cone::Pyramidal => {
            let edges = [(t, a), (t, -a), (s, b), (s, -b)];
            (edges.map(|(axis, mu)| add_scaled(n, axis, mu)), 4)
        }
    }
}

/// Adds the velocities of the vertices to those along the rows.
pub(crate) fn add_velocity(m: &Model, d: &Data, vel: &mut [f64]) {
    let Some(soft) = &d.soft else { return };
    for (k, touch) in soft.touches.iter().enumerate() {
        let Some(contact) = d.contact.get(soft.first_contact + k) else { return };
        let Ok(first) = usize::try_from(contact.efc_address) else { continue };
        let speeds = soft.parts[touch.part].body.velocities();
        let speed = touch.spot.mean(|i| speeds[i].into());
        let (axes, count) = directions(m, contact);
        for (vel, axis) in vel.iter_mut().skip(first).zip(&axes[..count]) {
            *vel += dot(*axis, speed);
        }
    }
}

impl Soft {
    /// The touch behind a contact, if it is one of a deformable body.
    pub(crate) fn touch_of(&self, contact: usize) -> Option<&super::Touch> {
        self.touches.get(contact.checked_sub(self.first_contact)?)
    }
}
