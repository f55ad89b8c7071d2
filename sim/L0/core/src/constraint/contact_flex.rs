//! Jacobians and rows of contacts with flexes: weighted sums over the bodies of vertices or nodes.

use super::contact::{NO_DOFS, RowShape, finish_rows, write_column};
use super::row::RowSet;
use crate::flex::{Cells, ContactColumn, Dofs, cell_basis, elements, nodes};
use crate::jacobian::for_each_dof;
use crate::math::vec3;
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{Contact, MINVAL};

/// Largest number of bodies of one contact: the nodes of two quadratic cells.
const MAX_BODIES: usize = 54;
/// Weights of nodes below this are omitted, as in MuJoCo; also negative ones of quadratic cells.
const MIN_WEIGHT: f64 = 1e-5;
/// Stiffness of passive contacts, N/m.
const PASSIVE_STIFFNESS: f64 = 1e4;
/// `exclude` of a contact that is a passive force.
const PASSIVE: i32 = 4;

/// A body of a contact and its weight.
#[derive(Clone, Copy)]
struct Weighted {
    body: usize,
    weight: f64,
    dofs: Dofs,
}

/// The bodies of both sides of a contact; weights of the first side are negative.
struct Bodies {
    list: [Weighted; MAX_BODIES],
    count: usize,
}

impl Bodies {
    fn of(m: &Model, d: &Data, contact: &Contact) -> Self {
        let none = Weighted { body: 0, weight: 0.0, dofs: Dofs::Fixed };
        let mut bodies = Self { list: [none; MAX_BODIES], count: 0 };
        bodies.add_side(m, d, contact, 0);
        bodies.add_side(m, d, contact, 1);
        bodies
    }

    fn as_slice(&self) -> &[Weighted] {
        &self.list[..self.count]
    }

    fn push(&mut self, body: usize, weight: f64, dofs: Dofs) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = Weighted { body, weight, dofs };
            self.count += 1;
        }
    }

    fn add_side(&mut self, m: &Model, d: &Data, contact: &Contact, side: usize) {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        if let Ok(g) = usize::try_from(contact.geom[side]) {
            self.push(at(&m.geom_bodyid, g), sign, Dofs::General);
            return;
        }
        let Ok(f) = usize::try_from(contact.flex[side]) else { return };
        let mut weights = [(0, 0.0); 4];
        let count = vertex_weights(m, d, contact, side, &mut weights);
        let weights = &weights[..count];
        if m.flex_interp[f] != 0 {
            self.add_nodes(m, f, weights, sign);
            return;
        }
        for &(v, weight) in weights {
            let dofs = m.plan.flex.vertices[v];
            self.push(at(&m.flex_vertbodyid, v), sign * weight, dofs);
        }
    }

    /// Adds the nodes of the cell that contains a weighted mean of vertices.
    fn add_nodes(&mut self, m: &Model, f: usize, weights: &[(usize, f64)], sign: f64) {
        let rest = rows::<3>(&m.flex_vert0);
        let coord = weights
            .iter()
            .fold([0.0; 3], |sum, &(v, weight)| vec3::add_scaled(sum, rest[v], weight));
        let cells = Cells::of(m, f);
        let (cell, local) = cells.locate(coord);
        let mut basis = [0.0; 27];
        let count = cell_basis(cells.order, local, &mut basis);
        let first = nodes(m, f).start + cells.first_node(cell);
        for (&offset, &weight) in m.plan.flex.cell_offsets(f).iter().zip(&basis[..count]) {
            if weight >= MIN_WEIGHT {
                let node = first + offset as usize;
                let dofs = m.plan.flex.nodes[node];
                self.push(at(&m.flex_nodebodyid, node), sign * weight, dofs);
            }
        }
    }
}

/// Vertices of one side of a contact and their weights: a vertex, or those of an element by inverse distance from
/// the contact. A vertex that is the other side of the contact is omitted.
fn vertex_weights(
    m: &Model,
    d: &Data,
    contact: &Contact,
    side: usize,
    out: &mut [(usize, f64); 4],
) -> usize {
    let f = contact.flex[side] as usize;
    let first = at(&m.flex_vertadr, f);
    if let Ok(v) = usize::try_from(contact.vert[side]) {
        out[0] = (first + v, 1.0);
        return 1;
    }
    let corners = at(&m.flex_dim, f) + 1;
    let element = contact.elem[side] as usize;
    let (mut count, mut sum) = (0, 0.0);
    for &v in &elements(m, f)[element * corners..(element + 1) * corners] {
        if v == contact.vert[1 - side] {
            continue;
        }
        let v = first + v as usize;
        let distance = vec3::distance(contact.pos, rows::<3>(&d.flexvert_xpos)[v]);
        let weight = 1.0 / distance.max(MINVAL);
        out[count] = (v, weight);
        count += 1;
        sum += weight;
    }
    for (_, weight) in &mut out[..count] {
        *weight *= 1.0 / sum;
    }
    count
}

/// The two bodies of a contact with one body on each side.
pub(super) fn single_bodies(m: &Model, contact: &Contact) -> Option<[usize; 2]> {
    let body = |side: usize| {
        if let Ok(g) = usize::try_from(contact.geom[side]) {
            return Some(at(&m.geom_bodyid, g));
        }
        let f = usize::try_from(contact.flex[side]).ok()?;
        let v = usize::try_from(contact.vert[side]).ok()?;
        (m.flex_interp[f] == 0).then(|| at(&m.flex_vertbodyid, at(&m.flex_vertadr, f) + v))
    };
    Some([body(0)?, body(1)?])
}

/// Computes the columns of the Jacobian of a contact in increasing order.
fn columns(m: &Model, d: &Data, contact: &Contact, bodies: &Bodies, out: &mut Vec<ContactColumn>) {
    out.clear();
    for &Weighted { body, weight, dofs } in bodies.as_slice() {
        match dofs {
            Dofs::Fixed => {}
            Dofs::Aligned(dof) => {
                for k in 0..3 {
                    let mut linear = [0.0; 3];
                    linear[k] = weight;
                    out.push(ContactColumn {
                        dof: dof as i32 + k as i32,
                        linear,
                        angular: [0.0; 3],
                    });
                }
            }
            Dofs::General => for_each_dof(m, d, body, contact.pos, |dof, linear, angular| {
                let (linear, angular) = (vec3::scale(linear, weight), vec3::scale(angular, weight));
                out.push(ContactColumn { dof: dof as i32, linear, angular });
            }),
        }
    }
    if !out.is_sorted_by_key(|column| column.dof) {
        out.sort_unstable_by_key(|column| column.dof);
    }
    out.dedup_by(|next, kept| {
        let same = next.dof == kept.dof;
        if same {
            kept.linear = vec3::add(kept.linear, next.linear);
            kept.angular = vec3::add(kept.angular, next.angular);
        }
        same
    });
}

/// Adds the rows of a contact with a flex.
pub(super) fn add_one(m: &Model, d: &Data, i: usize, contact: &mut Contact, out: &mut RowSet) {
    let bodies = Bodies::of(m, d, contact);
    let mut list = std::mem::take(&mut out.columns);
    columns(m, d, contact, &bodies, &mut list);
    if list.is_empty() {
        contact.exclude = NO_DOFS;
    } else {
        let shape = RowShape::of(m, contact);
        let start = out.reserve(shape.count, list.len());
        let width = list.len();
        for (k, column) in list.iter().enumerate() {
            out.colind.push(column.dof);
            let entries = &mut out.j[start..];
            write_column(contact, shape.kind, (column.linear, column.angular), entries, (width, k));
        }
        let mut weights = [0.0; 2];
        for &Weighted { body, weight, .. } in bodies.as_slice() {
            for (k, sum) in weights.iter_mut().enumerate() {
                *sum += m.body_invweight0[2 * body + k] * weight.abs();
            }
        }
        finish_rows(m, i, contact, shape, start, weights, out);
    }
    out.columns = list;
}

/// Marks the contacts of flexes whose contacts are passive forces.
pub(super) fn mark_passive(m: &Model, contacts: &mut [Contact]) {
    let passive = |f: i32| usize::try_from(f).is_ok_and(|f| m.flex_passive[f] != 0);
    for contact in contacts {
        if contact.flex.into_iter().any(passive) {
            contact.exclude = PASSIVE;
        }
    }
}

/// Adds the forces of passive contacts to `qfrc_spring`: proportional to the penetration, along the normal.
#[doc(alias = "mj_contactPassive")]
pub(crate) fn passive_forces(m: &Model, d: &mut Data) {
    let mut contacts = std::mem::take(&mut d.contact);
    let mut list = std::mem::take(&mut d.scratch.flex.contact_columns);
    let mut qfrc = std::mem::take(&mut d.qfrc_spring);
    for contact in contacts.iter_mut().filter(|contact| contact.exclude == PASSIVE) {
        contact.efc_address = -1;
        let bodies = Bodies::of(m, d, contact);
        columns(m, d, contact, &bodies, &mut list);
        if list.is_empty() {
            contact.exclude = NO_DOFS;
            continue;
        }
        let normal = [contact.frame[0], contact.frame[1], contact.frame[2]];
        for column in &list {
            let velocity = vec3::dot(normal, column.linear);
            qfrc[column.dof as usize] += -PASSIVE_STIFFNESS * contact.dist * velocity;
        }
    }
    d.contact = contacts;
    d.scratch.flex.contact_columns = list;
    d.qfrc_spring = qfrc;
}
