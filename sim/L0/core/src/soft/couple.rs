//! Which contacts of deformable bodies rigid dofs have to do with.
//!
//! A vertex on something that does not move is a problem of its own: no dof of a rigid body feels it, and
//! the substeps find its force. Such contacts come last, and the solver leaves their rows out. So a sheet
//! on the floor costs the rigid world nothing.

use super::{Soft, Touch};
use crate::math::at;
use crate::{Data, Model};
use sim_types::{Cone, ConstraintState as State, Contact};

/// Memory to sort contacts.
#[derive(Debug, Default)]
pub(crate) struct Sorting {
    /// Particles that touch what moves, counted over all parts.
    marked: Vec<bool>,
    order: Vec<usize>,
    touches: Vec<Touch>,
    contacts: Vec<Contact>,
}

/// Brings the contacts with what moves, and those of the same vertices, before the others.
pub(super) fn sort(m: &Model, soft: &mut Soft, contacts: &mut [Contact]) {
    let Soft { touches, first, first_contact, coupled, sorting, .. } = soft;
    let Sorting { marked, order, touches: other, contacts: old } = sorting;
    let moves = |touch: &Touch| m.body_weldid[at(&m.geom_bodyid, touch.geom)] != 0;
    *coupled = touches.iter().filter(|touch| moves(touch)).count();
    if *coupled == 0 || *coupled == touches.len() {
        return;
    }
    marked.clear();
    marked.resize(first.last().copied().unwrap_or(0), false);
    for touch in touches.iter().filter(|touch| moves(touch)) {
        touch.spot.iter().for_each(|(vertex, _)| marked[first[touch.part] + vertex] = true);
    }
    let feels = |touch: &Touch| {
        moves(touch) || touch.spot.iter().any(|(vertex, _)| marked[first[touch.part] + vertex])
    };
    order.clear();
    order.extend((0..touches.len()).filter(|&k| feels(&touches[k])));
    *coupled = order.len();
    order.extend((0..touches.len()).filter(|&k| !feels(&touches[k])));
    let Some(own) = contacts.get_mut(*first_contact..) else { return };
    other.clear();
    other.extend(order.iter().map(|&k| touches[k]));
    old.clear();
    old.extend_from_slice(own);
    for (slot, &k) in own.iter_mut().zip(&*order) {
        *slot = old[k];
    }
    std::mem::swap(touches, other);
}

impl Soft {
    /// Number of rows that rigid dofs have to do with: the first ones.
    pub(super) fn coupled_rows(&self, d: &Data) -> usize {
        let others = d.contact.get(self.first_contact + self.coupled..).unwrap_or_default();
        let first = others.iter().find_map(|contact| usize::try_from(contact.efc_address).ok());
        first.map_or(d.nefc, |row| row.min(d.nefc))
    }
}

/// Foresees the forces of the other rows: along the normal, what brings the vertex to the acceleration
/// that is wanted of it. Those that are known to carry something do that already.
pub(super) fn foresee(m: &Model, d: &mut Data, soft: &Soft) {
    let gravity = super::solve::gravity(m);
    for (k, touch) in soft.touches.iter().enumerate().skip(soft.coupled) {
        let Some(contact) = d.contact.get(soft.first_contact + k) else { return };
        let Ok(row) = usize::try_from(contact.efc_address) else { continue };
        let count = if m.opt.cone == Cone::Elliptic { 3 } else { 4 };
        // the edges of a pyramid share the load
        let share = if m.opt.cone == Cone::Elliptic { 1 } else { 4 };
        let normal = [contact.frame[0], contact.frame[1], contact.frame[2]];
        let falls = if touch.guess == [0.0; 3] {
            (0..3).map(|k| normal[k] * gravity[k]).sum()
        } else {
            0.0
        };
        let wanted = d.efc_aref[row..row + share].iter().sum::<f64>() / share as f64;
        let weight = touch.spot.inverse_mass(&soft.parts[touch.part].body);
        let softness = weight + d.efc_R[row] / share as f64;
        let force = if weight > 0.0 { ((wanted - falls) / softness).max(0.0) } else { 0.0 };
        let state = if force > 0.0 { State::Quadratic } else { State::Satisfied };
        d.efc_force[row..row + count].fill(0.0);
        d.efc_force[row..row + share].fill(force / share as f64);
        d.efc_state[row..row + count].fill(state);
        d.efc_b[row..row + count].fill(0.0);
    }
}
