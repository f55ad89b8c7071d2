//! The contact sensor: which contacts match, which of them are reported, and what of each.

use crate::math::inside::inside_geom;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::support::contact_force;
use crate::{Data, Model};
use sim_types::{Contact, MINVAL, ObjType};

/// What a contact reports, in the order of the bits of the first integer parameter.
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

/// The fields and how many numbers each has.
const FIELDS: [(Field, usize); 7] = [
    (Field::Found, 1),
    (Field::Force, 3),
    (Field::Torque, 3),
    (Field::Dist, 1),
    (Field::Pos, 3),
    (Field::Normal, 3),
    (Field::Tangent, 3),
];

/// Values of the second integer parameter: how contacts are chosen.
const MINDIST: i32 = 1;
const MAXFORCE: i32 = 2;
const NETFORCE: i32 = 3;

/// A contact that matches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    /// Which contact.
    id: usize,
    /// Whether its normal has to be turned around.
    flip: bool,
    /// Contacts with less of it come first.
    criterion: f64,
}

/// The numbers of one contact, or of all as one.
struct Report {
    found: f64,
    force: Vec3,
    torque: Vec3,
    dist: f64,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

/// Reads sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    out.fill(0.0);
    let [fields, reduce, _] = m.sensor_intprm.as_chunks::<3>().0[i];
    let size = size(fields);
    if size == 0 {
        return;
    }
    let mut matches = std::mem::take(&mut d.scratch.matches);
    find(m, d, i, reduce, &mut matches);
    let count = matches.len();
    if reduce == NETFORCE {
        if let Some(slot) = out.get_mut(..size) {
            net(m, d, &matches).write(fields, slot);
        }
    } else {
        let slots = out.len() / size;
        if matches!(reduce, MINDIST | MAXFORCE) {
            let order = |a: &Match, b: &Match| {
                a.criterion.total_cmp(&b.criterion).then_with(|| a.id.cmp(&b.id))
            };
            if slots < count {
                matches.select_nth_unstable_by(slots, order);
            }
            matches[..slots.min(count)].sort_unstable_by(order);
        }
        for (found, slot) in matches.iter().zip(out.chunks_exact_mut(size)) {
            single(m, d, found, count).write(fields, slot);
        }
    }
    d.scratch.matches = matches;
}

/// How many numbers the wanted fields have.
fn size(fields: i32) -> usize {
    let wanted = FIELDS.iter().filter(|(field, _)| fields & 1 << *field as i32 != 0);
    wanted.map(|(_, size)| size).sum()
}

/// Finds the contacts that match, in their order.
fn find(m: &Model, d: &Data, i: usize, reduce: i32, matches: &mut Vec<Match>) {
    matches.clear();
    let one = (m.sensor_objtype[i], m.sensor_objid[i]);
    let two = (m.sensor_reftype[i], m.sensor_refid[i]);
    for (id, contact) in d.contact.iter().enumerate() {
        let Some(flip) = matching(m, d, contact, one, two) else { continue };
        let criterion = match reduce {
            MINDIST => contact.dist,
            MAXFORCE => -square(contact_force(m, d, id).unwrap_or_default()),
            _ => 0.0,
        };
        // no difference between the two zeros
        matches.push(Match { id, flip, criterion: criterion + 0.0 });
    }
}

fn square([x, y, z, ..]: [f64; 6]) -> f64 {
    vec3::dot([x, y, z], [x, y, z])
}

/// Whether a contact is between what the sensor names, and if so, whether the other way around.
fn matching(
    m: &Model,
    d: &Data,
    contact: &Contact,
    one: (ObjType, i32),
    two: (ObjType, i32),
) -> Option<bool> {
    let named = |(kind, _): (ObjType, i32)| kind != ObjType::Unknown;
    if let (ObjType::Site, Ok(site)) = (one.0, usize::try_from(one.1)) {
        let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
        let size = rows::<3>(&m.site_size)[site];
        if !inside_geom(pos, mat, size, m.site_type[site], contact.pos) {
            return None;
        }
    }
    let [a, b] = contact.geom;
    let is = |geom: i32, named: (ObjType, i32)| belongs(m, geom, named);
    let (a1, b1, a2, b2) = (is(a, one), is(b, one), is(a, two), is(b, two));
    if !(a1 || b1) || !(a2 || b2) {
        return None;
    }
    match (named(one), named(two)) {
        (true, true) if a1 && b2 => Some(false),
        (true, true) => (b1 && a2).then_some(true),
        (true, false) => Some(!a1),
        (false, true) => Some(!b2),
        (false, false) => Some(false),
    }
}

/// Whether a geom of a contact, or -1, is what the sensor names, or part of it.
fn belongs(m: &Model, geom: i32, (kind, id): (ObjType, i32)) -> bool {
    let body = usize::try_from(geom).ok().map(|g| m.geom_bodyid[g]);
    match kind {
        // a site has been asked for the contact's position
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => geom == id,
        ObjType::Body => body == Some(id),
        ObjType::XBody => body.is_some_and(|mut body| {
            // parents come before their children
            while body > id.max(0) {
                body = m.body_parentid[body as usize];
            }
            body == id
        }),
        _ => false,
    }
}

/// One contact. Turned around, it is rotated by half a turn about its second tangent.
fn single(m: &Model, d: &Data, found: &Match, count: usize) -> Report {
    let contact = &d.contact[found.id];
    let [fx, fy, fz, tx, ty, tz] = contact_force(m, d, found.id).unwrap_or_default();
    let side = if found.flip { -1.0 } else { 1.0 };
    let [n0, n1, n2, t0, t1, t2, ..] = contact.frame;
    Report {
        found: count as f64,
        // the opposite force, in the turned frame
        force: [fx, fy, side * fz],
        torque: [tx, ty, side * tz],
        dist: contact.dist,
        pos: contact.pos,
        normal: vec3::scale([n0, n1, n2], side),
        tangent: vec3::scale([t0, t1, t2], side),
    }
}

/// All contacts as one, in world axes, at the centre of their forces.
fn net(m: &Model, d: &Data, matches: &[Match]) -> Report {
    let wrench = |found: &Match| {
        let side = if found.flip { -1.0 } else { 1.0 };
        contact_force(m, d, found.id).unwrap_or_default().map(|x| side * x)
    };
    let (mut centre, mut total) = ([0.0; 3], 0.0);
    for found in matches {
        let weight = square(wrench(found)).sqrt();
        centre = vec3::add_scaled(centre, d.contact[found.id].pos, weight);
        total += weight;
    }
    let point = vec3::scale(centre, 1.0 / total.max(MINVAL));
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    for found in matches {
        let contact = &d.contact[found.id];
        let [fx, fy, fz, tx, ty, tz] = wrench(found);
        let push = mat3::mul_transpose_vec(&contact.frame, [fx, fy, fz]);
        let arm = vec3::sub(contact.pos, point);
        force = vec3::add(force, push);
        torque = vec3::add(torque, mat3::mul_transpose_vec(&contact.frame, [tx, ty, tz]));
        torque = vec3::add(torque, vec3::cross(arm, push));
    }
    Report {
        found: matches.len() as f64,
        force,
        torque,
        dist: 0.0,
        pos: point,
        normal: [1.0, 0.0, 0.0],
        tangent: [0.0, 1.0, 0.0],
    }
}

impl Report {
    /// Writes the wanted fields.
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
