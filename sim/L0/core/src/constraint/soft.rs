//! The rows of contacts with deformable bodies: here on the dofs of the rigid side alone. Those of the
//! vertices are added where the problem is solved.

use super::contact::{NO_DOFS, add_rows};
use super::row::RowSet;
use crate::math::at;
use crate::soft::Touch;
use crate::{Data, Model};
use sim_types::Contact;

/// Adds the rows of a contact between a geom and a place on a deformable body.
pub(super) fn add_one(
    m: &Model,
    d: &Data,
    i: usize,
    contact: &mut Contact,
    touch: &Touch,
    out: &mut RowSet,
) {
    let Some(soft) = &d.soft else { return };
    let body = &soft.parts[touch.part].body;
    let rigid = at(&m.geom_bodyid, touch.geom);
    out.merge_chains(m, rigid, 0, false);
    let inverse_mass = touch.spot.inverse_mass(body);
    if out.chain.is_empty() && inverse_mass <= 0.0 {
        contact.exclude = NO_DOFS;
        return;
    }
    // forces act where the vertices are, so that they turn neither side
    let point = touch.spot.mean(|k| body.positions()[k].into());
    add_rows(m, d, i, contact, [rigid, 0], [point; 2], inverse_mass, out);
}
