//! Contact sensor: selection of the matching contacts, reduction, and the reported fields.

use super::buffers::MatchedContact;
use crate::math::inside::inside_geom;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::support::contact_force;
use crate::{Data, Model};
use sim_types::{Contact, MINVAL, ObjType};

/// Reportable quantities, in the order of the bits of the first integer parameter (`mjtConDataField`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Found,
    Force,
    Torque,
    Dist,
    Pos,
    Normal,
    Tangent,
}

/// The fields and the number of values of each.
const FIELDS: [(Field, usize); 7] = [
    (Field::Found, 1),
    (Field::Force, 3),
    (Field::Torque, 3),
    (Field::Dist, 1),
    (Field::Pos, 3),
    (Field::Normal, 3),
    (Field::Tangent, 3),
];

/// Reduction (second integer parameter): the contacts with the smallest distance.
const MINDIST: i32 = 1;
/// Reduction: the contacts with the largest force.
const MAXFORCE: i32 = 2;
/// Reduction: one equivalent contact with the sum of all wrenches.
const NETFORCE: i32 = 3;

/// All fields of one contact, or of the equivalent contact of the net wrench.
struct ContactReading {
    found: f64,
    force: Vec3,
    torque: Vec3,
    dist: f64,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

/// Reading of sensor `i`. Unused slots are zero.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    out.fill(0.0);
    let [fields, reduce, _] = m.sensor_intprm.as_chunks::<3>().0[i];
    let size = slot_size(fields);
    if size == 0 {
        return;
    }
    let mut matches = std::mem::take(&mut d.scratch.matched_contacts);
    find_matches(m, d, i, reduce, &mut matches);
    let count = matches.len();
    if reduce == NETFORCE {
        if let Some(slot) = out.get_mut(..size) {
            net_wrench(m, d, &matches).write(fields, slot);
        }
    } else {
        let slots = out.len() / size;
        if matches!(reduce, MINDIST | MAXFORCE) {
            let order = |a: &MatchedContact, b: &MatchedContact| {
                a.criterion.total_cmp(&b.criterion).then_with(|| a.id.cmp(&b.id))
            };
            if slots < count {
                matches.select_nth_unstable_by(slots, order);
            }
            matches[..slots.min(count)].sort_unstable_by(order);
        }
        for (matched, slot) in matches.iter().zip(out.chunks_exact_mut(size)) {
            single_contact(m, d, matched, count).write(fields, slot);
        }
    }
    d.scratch.matched_contacts = matches;
}

/// Number of values of the selected fields.
fn slot_size(fields: i32) -> usize {
    let selected = FIELDS.iter().filter(|(field, _)| fields & 1 << *field as i32 != 0);
    selected.map(|(_, size)| size).sum()
}

/// Collects the contacts that match sensor `i`, in the order of `Data::contact`.
fn find_matches(m: &Model, d: &Data, i: usize, reduce: i32, matches: &mut Vec<MatchedContact>) {
    matches.clear();
    let one = (m.sensor_objtype[i], m.sensor_objid[i]);
    let two = (m.sensor_reftype[i], m.sensor_refid[i]);
    for (id, contact) in d.contact.iter().enumerate() {
        let Some(flip) = match_order(m, d, contact, one, two) else { continue };
        let criterion = match reduce {
            MINDIST => contact.dist,
            MAXFORCE => -force_squared(contact_force(m, d, id).unwrap_or_default()),
            _ => 0.0,
        };
        // adding 0.0 turns -0.0 into 0.0, which total_cmp distinguishes
        matches.push(MatchedContact { id, flip, criterion: criterion + 0.0 });
    }
}

/// Squared magnitude of the force part of a contact wrench.
fn force_squared([x, y, z, ..]: [f64; 6]) -> f64 {
    vec3::dot([x, y, z], [x, y, z])
}

/// `Some(flip)` if the contact is between the two objects of the sensor, with `flip` if they are in reverse
/// order; `None` if it does not match.
fn match_order(
    m: &Model,
    d: &Data,
    contact: &Contact,
    one: (ObjType, i32),
    two: (ObjType, i32),
) -> Option<bool> {
    let specified = |(kind, _): (ObjType, i32)| kind != ObjType::Unknown;
    if let (ObjType::Site, Ok(site)) = (one.0, usize::try_from(one.1)) {
        let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
        let size = rows::<3>(&m.site_size)[site];
        if !inside_geom(pos, mat, size, m.site_type[site], contact.pos) {
            return None;
        }
    }
    let [a, b] = contact.geom;
    let is = |geom: i32, object: (ObjType, i32)| belongs_to(m, geom, object);
    let (a1, b1, a2, b2) = (is(a, one), is(b, one), is(a, two), is(b, two));
    if !(a1 || b1) || !(a2 || b2) {
        return None;
    }
    match (specified(one), specified(two)) {
        (true, true) if a1 && b2 => Some(false),
        (true, true) => (b1 && a2).then_some(true),
        (true, false) => Some(!a1),
        (false, true) => Some(!b2),
        (false, false) => Some(false),
    }
}

/// Whether a geom of a contact (-1 for none) belongs to an object of the sensor.
fn belongs_to(m: &Model, geom: i32, (kind, id): (ObjType, i32)) -> bool {
    let body = usize::try_from(geom).ok().map(|g| m.geom_bodyid[g]);
    match kind {
        // a site was matched by the position of the contact
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => geom == id,
        ObjType::Body => body == Some(id),
        ObjType::XBody => body.is_some_and(|mut body| {
            // the index of a parent is lower than those of its children
            while body > id.max(0) {
                body = m.body_parentid[body as usize];
            }
            body == id
        }),
        _ => false,
    }
}

/// Reading of one contact, in its contact frame. A flipped contact is rotated by 180° about its second
/// tangent.
fn single_contact(m: &Model, d: &Data, matched: &MatchedContact, count: usize) -> ContactReading {
    let contact = &d.contact[matched.id];
    let [fx, fy, fz, tx, ty, tz] = contact_force(m, d, matched.id).unwrap_or_default();
    let sign = if matched.flip { -1.0 } else { 1.0 };
    let [n0, n1, n2, t0, t1, t2, ..] = contact.frame;
    ContactReading {
        found: count as f64,
        // flipped: the reaction force in the rotated frame
        force: [fx, fy, sign * fz],
        torque: [tx, ty, sign * tz],
        dist: contact.dist,
        pos: contact.pos,
        normal: vec3::scale([n0, n1, n2], sign),
        tangent: vec3::scale([t0, t1, t2], sign),
    }
}

/// The contact equivalent to all matches: their net wrench in world axes, at the force-weighted mean of their
/// positions.
fn net_wrench(m: &Model, d: &Data, matches: &[MatchedContact]) -> ContactReading {
    let wrench = |matched: &MatchedContact| {
        let sign = if matched.flip { -1.0 } else { 1.0 };
        contact_force(m, d, matched.id).unwrap_or_default().map(|x| sign * x)
    };
    let (mut weighted, mut total) = ([0.0; 3], 0.0);
    for matched in matches {
        let weight = force_squared(wrench(matched)).sqrt();
        weighted = vec3::add_scaled(weighted, d.contact[matched.id].pos, weight);
        total += weight;
    }
    let point = vec3::scale(weighted, 1.0 / total.max(MINVAL));
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    for matched in matches {
        let contact = &d.contact[matched.id];
        let [fx, fy, fz, tx, ty, tz] = wrench(matched);
        let world_force = mat3::mul_transpose_vec(&contact.frame, [fx, fy, fz]);
        let arm = vec3::sub(contact.pos, point);
        force = vec3::add(force, world_force);
        torque = vec3::add(torque, mat3::mul_transpose_vec(&contact.frame, [tx, ty, tz]));
        torque = vec3::add(torque, vec3::cross(arm, world_force));
    }
    ContactReading {
        found: matches.len() as f64,
        force,
        torque,
        dist: 0.0,
        pos: point,
        normal: [1.0, 0.0, 0.0],
        tangent: [0.0, 1.0, 0.0],
    }
}

impl ContactReading {
    /// Writes the selected fields to `out`.
    fn write(&self, fields: i32, out: &mut [f64]) {
        let mut rest = out;
        for (field, size) in FIELDS {
            if fields & 1 << field as i32 == 0 {
                continue;
            }
            let Some((slot, after)) = rest.split_at_mut_checked(size) else { return };
            match field {
                Field::Found => slot.fill(self.found),
                Field::Force => slot.copy_from_slice(&self.force),
                Field::Torque => slot.copy_from_slice(&self.torque),
                Field::Dist => slot.fill(self.dist),
                Field::Pos => slot.copy_from_slice(&self.pos),
                Field::Normal => slot.copy_from_slice(&self.normal),
                Field::Tangent => slot.copy_from_slice(&self.tangent),
            }
            rest = after;
        }
    }
}
