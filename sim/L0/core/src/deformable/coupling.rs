//! Partition of the contacts of deformable bodies into those coupled to rigid dofs and the others.
//!
//! A contact of a vertex with a body without dofs does not affect the rigid problem: its force
//! results from the substeps. Such contacts are sorted last and their rows are not given to the
//! solver, so that a sheet on the floor does not enlarge the rigid problem.

use super::buffers::ContactPartition;
use super::{DeformableData, SurfaceContact};
use crate::math::at;
use crate::{Data, Model};
use sim_types::{Cone, ConstraintState as State, Contact};

/// Sorts contacts with moving bodies, and all contacts of the same vertices, before the others.
pub(super) fn partition_contacts(m: &Model, data: &mut DeformableData, contacts: &mut [Contact]) {
    let DeformableData {
        surface_contacts,
        particle_offset,
        first_contact,
        coupled_contacts,
        partition,
        ..
    } = data;
    let ContactPartition { is_coupled, order, surface_contacts: reordered, contacts: previous } =
        partition;
    let has_dofs = |c: &SurfaceContact| m.body_weldid[at(&m.geom_bodyid, c.geom)] != 0;
    *coupled_contacts = surface_contacts.iter().filter(|c| has_dofs(c)).count();
    if *coupled_contacts == 0 || *coupled_contacts == surface_contacts.len() {
        return;
    }
    is_coupled.clear();
    is_coupled.resize(particle_offset.last().copied().unwrap_or(0), false);
    for c in surface_contacts.iter().filter(|c| has_dofs(c)) {
        let offset = particle_offset[c.instance];
        c.location.iter().for_each(|(vertex, _)| is_coupled[offset + vertex] = true);
    }
    let coupled = |c: &SurfaceContact| {
        let offset = particle_offset[c.instance];
        has_dofs(c) || c.location.iter().any(|(vertex, _)| is_coupled[offset + vertex])
    };
    order.clear();
    order.extend((0..surface_contacts.len()).filter(|&k| coupled(&surface_contacts[k])));
    *coupled_contacts = order.len();
    order.extend((0..surface_contacts.len()).filter(|&k| !coupled(&surface_contacts[k])));
    let Some(own) = contacts.get_mut(*first_contact..) else { return };
    reordered.clear();
    reordered.extend(order.iter().map(|&k| surface_contacts[k]));
    previous.clear();
    previous.extend_from_slice(own);
    for (slot, &k) in own.iter_mut().zip(&*order) {
        *slot = previous[k];
    }
    std::mem::swap(surface_contacts, reordered);
}

impl DeformableData {
    /// Number of constraint rows that involve rigid dofs; they precede the others.
    pub(super) fn coupled_rows(&self, d: &Data) -> usize {
        let uncoupled =
            d.contact.get(self.first_contact + self.coupled_contacts..).unwrap_or_default();
        let first = uncoupled.iter().find_map(|contact| usize::try_from(contact.efc_address).ok());
        first.map_or(d.nefc, |row| row.min(d.nefc))
    }
}

/// Predicts the normal force of each uncoupled contact as if its vertex were free:
///
/// ```text
/// f = max(0, (aref − n·g) / (Σ wᵢ²/mᵢ + R))
/// ```
///
/// Without `n·g` if the contact has a predicted force already, which balances gravity.
pub(super) fn predict_uncoupled_forces(m: &Model, d: &mut Data, data: &DeformableData) {
    let gravity = super::solve::gravity(m);
    for (k, surface_contact) in data.surface_contacts.iter().enumerate().skip(data.coupled_contacts)
    {
        let Some(contact) = d.contact.get(data.first_contact + k) else { return };
        let Ok(row) = usize::try_from(contact.efc_address) else { continue };
        let count = if m.opt.cone == Cone::Elliptic { 3 } else { 4 };
        // each of the four edges of a pyramid carries a quarter of the normal force
        let normal_rows = if m.opt.cone == Cone::Elliptic { 1 } else { 4 };
        let normal = [contact.frame[0], contact.frame[1], contact.frame[2]];
        let gravity_term = if surface_contact.predicted_force == [0.0; 3] {
            (0..3).map(|k| normal[k] * gravity[k]).sum()
        } else {
            0.0
        };
        let aref = d.efc_aref[row..row + normal_rows].iter().sum::<f64>() / normal_rows as f64;
        let inverse_mass =
            surface_contact.location.inverse_mass(&data.instances[surface_contact.instance].body);
        let diagonal = inverse_mass + d.efc_R[row] / normal_rows as f64;
        let force =
            if inverse_mass > 0.0 { ((aref - gravity_term) / diagonal).max(0.0) } else { 0.0 };
        let state = if force > 0.0 { State::Quadratic } else { State::Satisfied };
        d.efc_force[row..row + count].fill(0.0);
        d.efc_force[row..row + normal_rows].fill(force / normal_rows as f64);
        d.efc_state[row..row + count].fill(state);
        d.efc_b[row..row + count].fill(0.0);
    }
}
