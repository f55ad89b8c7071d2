//! Contribution of deformable vertices to the constraint rows of their contacts.

use super::DeformableData;
use crate::math::rows;
use crate::math::vec3::{Vec3, add_scaled, dot};
use crate::{Data, Model};
use sim_types::{Cone, Contact};

/// Directions of the rows of a contact, and their number: the three axes of an elliptic cone or the
/// four edges of a pyramid.
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

/// Adds the velocity of the vertices along each row to `vel` (`efc_vel`), m/s.
pub(crate) fn add_vertex_velocity(m: &Model, d: &Data, vel: &mut [f64]) {
    let Some(data) = &d.deformables else { return };
    for (k, surface_contact) in data.surface_contacts.iter().enumerate() {
        let Some(contact) = d.contact.get(data.first_contact + k) else { return };
        let Ok(first) = usize::try_from(contact.efc_address) else { continue };
        let velocities = data.instances[surface_contact.instance].body.velocities();
        let velocity = surface_contact.location.interpolate(|i| velocities[i].into());
        let (axes, count) = directions(m, contact);
        for (vel, axis) in vel.iter_mut().skip(first).zip(&axes[..count]) {
            *vel += dot(*axis, velocity);
        }
    }
}

impl DeformableData {
    /// The deformable side of a contact; `None` if both sides are rigid.
    pub(crate) fn surface_contact(&self, contact: usize) -> Option<&super::SurfaceContact> {
        self.surface_contacts.get(contact.checked_sub(self.first_contact)?)
    }
}
