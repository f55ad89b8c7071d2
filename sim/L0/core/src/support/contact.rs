//! Force and torque of a contact in its frame (`mj_contactForce`).

use crate::math::pyramid;
use crate::{Data, Model};
use sim_types::Cone;

/// Writes the wrench of contact `id` in the contact frame to `result`: normal force, two friction forces,
/// then the torques about the same axes. Zero if the contact has no constraint rows or `id` is out of range.
///
/// Reads `contact`, `efc_force`.
#[doc(alias = "mj_contactForce")]
pub fn mj_contact_force(m: &Model, d: &Data, id: usize, result: &mut [f64; 6]) {
    *result = contact_force(m, d, id).unwrap_or_default();
}

/// The wrench of a contact; `None` if it has no constraint rows.
pub(crate) fn contact_force(m: &Model, d: &Data, id: usize) -> Option<[f64; 6]> {
    let contact = d.contact.get(id)?;
    let rows = d.efc_force.get(usize::try_from(contact.efc_address).ok()?..)?;
    let dim = usize::try_from(contact.dim).ok().filter(|dim| (1..=6).contains(dim))?;
    let mut force = [0.0; 6];
    if m.opt.cone == Cone::Pyramidal {
        let edges = rows.get(..(2 * (dim - 1)).max(1))?;
        pyramid::decode(edges, &contact.friction[..dim - 1], &mut force);
    } else {
        force[..dim].copy_from_slice(rows.get(..dim)?);
    }
    Some(force)
}
