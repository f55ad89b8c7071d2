//! Contact rows (`mj_instantiateContact`): frictionless, pyramidal or elliptic.

use super::chain::JacDifPair;
use super::contact_flex;
use super::impedance::SolParams;
use super::row::{RowInfo, RowSet, mj_is_sparse};
use crate::math::vec3::{Vec3, dot};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{Cone, ConstraintType, Contact, DisableBit};

/// `exclude` of a contact without rows because no dof moves its bodies relative to each other.
pub(super) const NO_DOFS: i32 = 3;

/// Adds the rows of all contacts that are not excluded.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::Contact) || m.nv == 0 && d.deformables.is_none() {
        return;
    }
    let mut contacts = std::mem::take(&mut d.contact);
    if m.plan.flex.passive_contacts {
        contact_flex::mark_passive(m, &mut contacts);
    }
    for (i, contact) in contacts.iter_mut().enumerate() {
        contact.efc_address = -1;
        if contact.exclude == 0 {
            match d.deformables.as_ref().and_then(|data| data.surface_contact(i)) {
                None => add_one(m, d, i, contact, out),
                Some(own) => super::deformable::add_one(m, d, i, contact, own, out),
            }
        }
    }
    d.contact = contacts;
}

fn add_one(m: &Model, d: &Data, i: usize, contact: &mut Contact, out: &mut RowSet) {
    let bodies = match contact.geom.map(usize::try_from) {
        [Ok(g1), Ok(g2)] => [at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2)],
        _ => match contact_flex::single_bodies(m, contact) {
            Some(bodies) => bodies,
            None => {
                contact_flex::add_one(m, d, i, contact, out);
                return;
            }
        },
    };
    out.merge_chains(m, bodies[0], bodies[1], false);
    if out.chain.is_empty() && keeps_zero_rows(m, bodies) {
        // explicit pair of geoms that move together: the entries of their common dofs are zero
        out.merge_chains(m, bodies[0], bodies[1], true);
    }
    if out.chain.is_empty() {
        contact.exclude = NO_DOFS;
        return;
    }
    add_rows(m, d, i, contact, bodies, [contact.pos; 2], 0.0, out);
}

/// Whether a contact has rows even if no dof moves its bodies relative to each other. MuJoCo detects empty
/// rows in a sparse Jacobian only, and there not for two geoms of one simple body.
fn keeps_zero_rows(m: &Model, bodies: [usize; 2]) -> bool {
    !mj_is_sparse(m) || bodies[0] == bodies[1] && m.body_simple[bodies[0]] != 0
}

/// Adds the rows of a contact between points of two bodies whose merged chain is in `out.chain`.
/// `extra_invweight` is an inverse mass added to that of the bodies.
#[allow(clippy::too_many_arguments, reason = "independent properties of a contact")]
pub(super) fn add_rows(
    m: &Model,
    d: &Data,
    i: usize,
    contact: &mut Contact,
    bodies: [usize; 2],
    points: [Vec3; 2],
    extra_invweight: f64,
    out: &mut RowSet,
) {
    let shape = RowShape::of(m, contact);
    let start = out.reserve(shape.count, out.chain.len());
    let jac_dif = JacDifPair::new(m, d, bodies, points);
    fill_jacobian(d, contact, &jac_dif, shape.kind, start, out);
    let weights = rows::<2>(&m.body_invweight0);
    let [mut linear, angular] = [0, 1].map(|k| weights[bodies[0]][k] + weights[bodies[1]][k]);
    linear += extra_invweight;
    finish_rows(m, i, contact, shape, start, [linear, angular], out);
}

/// Type and number of the rows of a contact.
#[derive(Clone, Copy)]
pub(super) struct RowShape {
    pub kind: ConstraintType,
    pub count: usize,
}

impl RowShape {
    pub(super) fn of(m: &Model, contact: &Contact) -> Self {
        let dim = contact.dim as usize;
        let (kind, count) = match (dim, m.opt.cone) {
            (1, _) => (ConstraintType::ContactFrictionless, 1),
            (_, Cone::Pyramidal) => (ConstraintType::ContactPyramidal, 2 * (dim - 1)),
            (_, Cone::Elliptic) => (ConstraintType::ContactElliptic, dim),
        };
        Self { kind, count }
    }
}

/// Completes the rows of a contact whose Jacobian is written; `weights` are the inverse masses for translation and
/// rotation.
pub(super) fn finish_rows(
    m: &Model,
    i: usize,
    contact: &mut Contact,
    RowShape { kind, count }: RowShape,
    start: usize,
    weights: [f64; 2],
    out: &mut RowSet,
) {
    let (first, dim) = (out.len(), contact.dim as usize);
    let common = RowInfo { kind, id: i, margin: 0.0, frictionloss: 0.0 };
    out.commit(start, count, &common);
    contact.efc_address = first as i32;

    // all pyramid edges have the position of the normal, only the first elliptic row has one
    let with_pos = if kind == ConstraintType::ContactPyramidal { count } else { 1 };
    out.pos[first..first + with_pos].fill(contact.dist);
    out.margin[first..first + with_pos].fill(contact.includemargin);

    diag_approx(contact, weights, kind, &mut out.diag[first..]);
    let params =
        SolParams::with_friction(&m.opt, contact.solref, contact.solreffriction, contact.solimp);
    out.make_impedance(first, &params, contact.dist - contact.includemargin);
    if dim > 1 {
        contact.mu = out.regularize_cone(first, m.opt.impratio, &contact.friction[..dim - 1]);
    }
    out.finish_diag_approx(first);
}

/// Writes the Jacobian of a contact at address `start`.
fn fill_jacobian(
    d: &Data,
    contact: &Contact,
    jac_dif: &JacDifPair,
    kind: ConstraintType,
    start: usize,
    out: &mut RowSet,
) {
    let cdof = rows::<6>(&d.cdof);
    let RowSet { chain, colind, j, .. } = out;
    let width = chain.len();
    let entries = &mut j[start..];
    // the chain is stored last dof first
    for (k, &link) in chain.iter().rev().enumerate() {
        colind.push(link.dof);
        let column = jac_dif.column(cdof, link);
        write_column(contact, kind, column, entries, (width, k));
    }
}

/// Writes column `k` of the rows of a contact, of which there are `width`, from the relative linear and angular
/// velocity.
#[inline(always)]
pub(super) fn write_column(
    contact: &Contact,
    kind: ConstraintType,
    (linear, angular): (Vec3, Vec3),
    entries: &mut [f64],
    (width, k): (usize, usize),
) {
    let frame: &[Vec3] = rows(&contact.frame);
    let dim = contact.dim as usize;
    let normal = dot(frame[0], linear);
    // friction axes: two sliding, one torsional, two rolling
    let along = |axis: usize| match axis {
        1 | 2 => dot(frame[axis], linear),
        _ => dot(frame[axis - 3], angular),
    };
    match kind {
        ConstraintType::ContactPyramidal => {
            for axis in 1..dim {
                let tangent = contact.friction[axis - 1] * along(axis);
                entries[(2 * axis - 2) * width + k] = normal + tangent;
                entries[(2 * axis - 1) * width + k] = normal - tangent;
            }
        }
        _ => {
            entries[k] = normal;
            for axis in 1..dim {
                entries[axis * width + k] = along(axis);
            }
        }
    }
}

/// Approximates the diagonal of `J M⁻¹ Jᵀ` (`mj_diagApprox`).
fn diag_approx(
    contact: &Contact,
    [linear, angular]: [f64; 2],
    kind: ConstraintType,
    diag: &mut [f64],
) {
    match kind {
        ConstraintType::ContactPyramidal => {
            for (axis, pair) in diag.chunks_exact_mut(2).enumerate() {
                let friction = contact.friction[axis];
                let side = if axis < 2 { linear } else { angular };
                pair.fill(linear + friction * friction * side);
            }
        }
        _ => {
            for (axis, diag) in diag.iter_mut().enumerate() {
                *diag = if axis < 3 { linear } else { angular };
            }
        }
    }
}
