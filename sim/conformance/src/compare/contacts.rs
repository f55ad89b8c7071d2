//! The contacts of each state: the same pairs in the same order, and every number of each contact.

use super::Outcome;
use crate::{Archive, known, tolerance};
use sim_core::types::{Contact, GeomType};
use sim_core::{Data, Model, Stage, mj_collision};
use std::ops::Range;

const STAGE: &str = Stage::Collision.function();

/// The recorded contacts, one state after another.
pub(super) struct Contacts<'a> {
    archive: &'a Archive,
    state: usize,
    /// First contact of the state.
    start: usize,
    /// The model with the oracle's distance fields, where it has any.
    fields: Option<Box<Model>>,
}

/// One number or several of a contact, by the oracle's name.
type Column = (&'static str, fn(&Contact) -> Vec<f64>);

const COLUMNS: [Column; 11] = [
    ("dist", |c| vec![c.dist]),
    ("pos", |c| c.pos.to_vec()),
    ("frame", |c| c.frame.to_vec()),
    ("dim", |c| vec![f64::from(c.dim)]),
    ("includemargin", |c| vec![c.includemargin]),
    ("friction", |c| c.friction.to_vec()),
    ("solref", |c| c.solref.to_vec()),
    ("solreffriction", |c| c.solreffriction.to_vec()),
    ("solimp", |c| c.solimp.to_vec()),
    ("mu", |c| vec![c.mu]),
    ("exclude", |c| vec![f64::from(c.exclude)]),
];

impl<'a> Contacts<'a> {
    pub(super) fn of(archive: &'a Archive, m: &Model) -> Self {
        let has_fields = m.geom_type.contains(&GeomType::Sdf);
        let fields = has_fields.then(|| Box::new(with_fields(archive, m)));
        Self { archive, state: 0, start: 0, fields }
    }

    /// The oracle's contacts of state `k`.
    pub(super) fn of_state(&self, k: usize) -> Vec<Contact> {
        let counts = self.archive.get("contact/count");
        let start: usize = counts.iter().take(k).map(|&count| count as usize).sum();
        let count = counts.get(k).map_or(0, |&count| count as usize);
        (start..start + count).map(|i| self.contact(i)).collect()
    }

    /// Whether ours are the oracle's contacts of state `k`, to rounding.
    pub(super) fn same(&self, d: &Data, k: usize) -> bool {
        let near =
            |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance::EDGE);
        let theirs = self.of_state(k);
        theirs.len() == d.contact.len()
            && theirs.iter().zip(&d.contact).all(|(a, b)| {
                let placed = near(&[a.dist], &[b.dist]) && near(&a.pos, &b.pos);
                a.geom == b.geom && placed && near(&a.frame, &b.frame)
            })
    }

    fn contact(&self, i: usize) -> Contact {
        fn array<const N: usize>(row: &[f64]) -> [f64; N] {
            std::array::from_fn(|k| row.get(k).copied().unwrap_or(f64::NAN))
        }
        let row = |name: &str| self.row(name, i);
        Contact {
            dist: row("dist")[0],
            pos: array(row("pos")),
            frame: array(row("frame")),
            includemargin: row("includemargin")[0],
            friction: array(row("friction")),
            solref: array(row("solref")),
            solreffriction: array(row("solreffriction")),
            solimp: array(row("solimp")),
            dim: row("dim")[0] as i32,
            geom: self.geoms(i),
            exclude: row("exclude")[0] as i32,
            ..Contact::default()
        }
    }

    /// Compares the contacts of the next state, found anew: later stages add to them.
    pub(super) fn compare(&mut self, out: &mut Outcome, m: &Model, d: &Data) {
        let counts = self.archive.get("contact/count");
        let Some(&count) = counts.get(self.state) else { return };
        let all = self.start..self.start + count as usize;
        (self.state, self.start) = (self.state + 1, all.end);
        let mut d = d.clone();
        if self.fields.is_some() {
            self.place_geoms(&mut d);
        }
        mj_collision(self.fields.as_deref().unwrap_or(m), &mut d);
        out.compared += 1;

        let ours = groups(0..d.contact.len(), |i| d.contact[i].geom);
        let mut rest = &ours[..];
        for (pair, theirs) in groups(all, |i| self.geoms(i)) {
            let Some(at) = rest.iter().position(|(geoms, _)| *geoms == pair) else {
                if theirs.clone().all(|i| self.undecided(i)) {
                    continue;
                }
                let detail = format!("the oracle has {}, we have none", words(m, &pair));
                return out.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
            };
            only_at_edge(out, m, &d, &rest[..at]);
            self.group(out, m, &d.contact[rest[at].1.clone()], theirs);
            rest = &rest[at + 1..];
        }
        only_at_edge(out, m, &d, rest);
    }

    /// Compares all contacts of one pair of geoms.
    fn group(&self, out: &mut Outcome, m: &Model, ours: &[Contact], theirs: Range<usize>) {
        let mut found = Outcome::default();
        if ours.len() == theirs.len() {
            for (contact, i) in ours.iter().zip(theirs.clone()) {
                self.columns(&mut found, m, contact, i);
            }
        } else if !theirs.clone().any(|i| self.spread(i, 0).is_infinite()) {
            let (n, k) = (ours.len(), theirs.len());
            let detail = format!("{n} contacts, the oracle has {k}: {}", words(m, &ours[0].geom));
            found.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
        }
        out.compared += found.compared;
        let least = theirs.map(|i| self.row("dist", i)[0]).fold(f64::INFINITY, f64::min);
        if !found.agrees() && is_known(m, ours, least) {
            out.mended += 1;
            return;
        }
        out.worst = out.worst.max(found.worst);
        out.differences.append(&mut found.differences);
    }

    /// Puts the geoms exactly where the oracle has them, for the state just begun. A descent in a
    /// distance field magnifies what rounding leaves between the two.
    fn place_geoms(&self, d: &mut Data) {
        for (name, field) in [("geom_xpos", &mut d.geom_xpos), ("geom_xmat", &mut d.geom_xmat)] {
            let theirs = self.archive.row(&format!("out/{name}"), self.state - 1);
            if theirs.len() == field.len() {
                field.copy_from_slice(theirs);
            }
        }
    }

    /// Compares every number of a contact.
    fn columns(&self, out: &mut Outcome, m: &Model, contact: &Contact, i: usize) {
        for (name, get) in COLUMNS {
            let field = format!("contact.{name} of {}", words(m, &contact.geom));
            let (ours, theirs) = (get(contact), self.row(name, i));
            // which side of the gap a contact is on may be decided by rounding, too
            if name == "exclude" && at_edge(contact.dist, contact.includemargin) {
                continue;
            }
            let spread = match name {
                "dist" => self.spread(i, 0),
                "pos" => self.spread(i, 1),
                "frame" => self.spread(i, 2),
                _ => 0.0,
            };
            let tolerance = tolerance_of(m, contact) + tolerance::CHAOS_FACTOR * spread;
            out.reals(STAGE, &field, tolerance, &ours, theirs);
        }
    }

    /// Whether rounding decides on a contact of the oracle.
    fn undecided(&self, i: usize) -> bool {
        at_edge(self.row("dist", i)[0], self.row("includemargin", i)[0])
            || self.spread(i, 0).is_infinite()
    }

    /// How far the oracle's own distance, position or frame moves when the geoms move by rounding,
    /// relative to its size; infinite if the number of contacts changes.
    fn spread(&self, i: usize, part: usize) -> f64 {
        let rows = self.archive.get("contact/spread");
        let Some(&spread) = rows.get(3 * i + part) else { return 0.0 };
        let name = ["dist", "pos", "frame"][part];
        let scale = self.row(name, i).iter().fold(tolerance::FLOOR, |s, x| s.max(x.abs()));
        spread / scale
    }

    fn geoms(&self, i: usize) -> [i32; 2] {
        let row = self.row("geom", i);
        [row[0] as i32, row[1] as i32]
    }

    /// The numbers of contact `i`.
    fn row(&self, name: &str, i: usize) -> &'a [f64] {
        self.archive.row(&format!("contact/{name}"), i)
    }
}

/// Neighbours that belong to one pair of geoms.
fn groups(all: Range<usize>, geoms: impl Fn(usize) -> [i32; 2]) -> Vec<([i32; 2], Range<usize>)> {
    let mut groups: Vec<([i32; 2], Range<usize>)> = Vec::new();
    for i in all {
        match groups.last_mut() {
            Some((pair, range)) if *pair == geoms(i) => range.end = i + 1,
            _ => groups.push((geoms(i), i..i + 1)),
        }
    }
    groups
}

/// Contacts that the oracle has not are an error, unless they are at the very edge of detection,
/// where rounding decides, or known.
fn only_at_edge(out: &mut Outcome, m: &Model, d: &Data, groups: &[([i32; 2], Range<usize>)]) {
    for (pair, range) in groups {
        let contacts = &d.contact[range.clone()];
        let Some(contact) = contacts.iter().find(|c| !at_edge(c.dist, c.includemargin)) else {
            continue;
        };
        if is_known(m, contacts, f64::INFINITY) {
            out.mended += 1;
            continue;
        }
        let detail = format!("{} at {:e}, the oracle has none", words(m, pair), contact.dist);
        out.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
    }
}

/// Whether the table of known differences has this one: our contacts of a pair, and the oracle's least
/// distance.
fn is_known(m: &Model, ours: &[Contact], theirs: f64) -> bool {
    let kinds = ours[0].geom.map(|g| m.geom_type.get(g as usize).copied());
    let [Some(one), Some(two)] = kinds else { return false };
    let ours = ours.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min);
    known::contacts([one, two]).is_some_and(|row| (row.accepts)(ours, theirs))
}

/// A model with the oracle's distance fields and boxes, to the last bit: a descent magnifies what
/// rounding leaves between the two.
fn with_fields(archive: &Archive, m: &Model) -> Model {
    let mut m = m.clone();
    for (name, field) in [
        ("oct_aabb", &mut m.oct_aabb),
        ("oct_coeff", &mut m.oct_coeff),
        ("bvh_aabb", &mut m.bvh_aabb),
        ("geom_aabb", &mut m.geom_aabb),
        ("geom_size", &mut m.geom_size),
    ] {
        let theirs = archive.get(&format!("model/{name}"));
        if theirs.len() == field.len() {
            field.copy_from_slice(theirs);
        }
    }
    m
}

/// Whether rounding decides on this contact.
fn at_edge(dist: f64, margin: f64) -> bool {
    (dist - margin).abs() < tolerance::EDGE
}

/// How close the numbers of a contact have to be.
fn tolerance_of(m: &Model, contact: &Contact) -> f64 {
    let kind = |g: i32| usize::try_from(g).ok().map(|g| m.geom_type[g]);
    match contact.geom.map(kind) {
        [Some(a), Some(b)] => precision([a, b]),
        _ => tolerance::SEARCHED,
    }
}

/// How close the contacts of two shapes, in the order of their types, have to be.
pub(super) fn precision(kinds: [GeomType; 2]) -> f64 {
    use GeomType as T;
    match kinds {
        [T::Plane, T::Sphere | T::Capsule | T::Cylinder | T::Box]
        | [T::Sphere, T::Sphere | T::Capsule | T::Cylinder | T::Box]
        | [T::Capsule, T::Capsule | T::Box]
        | [T::Box, T::Box] => tolerance::ANALYTIC,
        _ => tolerance::SEARCHED,
    }
}

/// Two geoms, by number and shape.
fn words(m: &Model, geoms: &[i32]) -> String {
    let word = |&g: &i32| match usize::try_from(g).ok().and_then(|g| m.geom_type.get(g)) {
        Some(kind) => format!("{kind:?} {g}"),
        None => "flex".into(),
    };
    geoms.iter().map(word).collect::<Vec<_>>().join(" - ")
}
