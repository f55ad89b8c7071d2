//! Constraint rows of contacts with deformable bodies, on the dofs of the rigid side. The columns of the
//! deformable vertices are appended when the problem is solved (`deformable/solve.rs`).

use super::contact::{NO_DOFS, add_rows};
use super::row::RowSet;
use crate::deformable::SurfaceContact;
use crate::math::at;
use crate::{Data, Model};
use sim_types::Contact;

/// Adds the rows of a contact between a geom and a point on a deformable body.
pub(super) fn add_one(
    m: &Model,
    d: &Data,
    i: usize,
    contact: &mut Contact,
    surface_contact: &SurfaceContact,
    out: &mut RowSet,
) {
    let Some(data) = &d.deformables else { return };
    let body = &data.instances[surface_contact.instance].body;
    let rigid = at(&m.geom_bodyid, surface_contact.geom);
    out.merge_chains(m, rigid, 0, false);
    let inverse_mass = surface_contact.location.inverse_mass(body);
    if out.chain.is_empty() && inverse_mass <= 0.0 {
        contact.exclude = NO_DOFS;
        return;
    }
    // the force acts at the deformable point on both sides, so that angular momentum is conserved
    let point = surface_contact.location.interpolate(|k| body.positions()[k].into());
    add_rows(m, d, i, contact, [rigid, 0], [point; 2], inverse_mass, out);
}
