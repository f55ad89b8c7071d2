//! The force of a contact (`mj_contactForce`).

use crate::math::pyramid;
use crate::{Data, Model};
use sim_types::Cone;

/// Force and torque at contact `id`, in the contact's frame: normal force, two of friction, then
/// torques about the same axes. Zero where the contact has no constraint rows, or does not exist.
///
/// Reads `contact`, `efc_force`.
#[doc(alias = "mj_contactForce")]
pub fn mj_contact_force(m: &Model, d: &Data, id: usize, result: &mut [f64; 6]) {
    *result = contact_force(m, d, id).unwrap_or_default();
}

/// The force of a contact; nothing where it has no rows.
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
