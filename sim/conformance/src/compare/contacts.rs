//! Comparison of the contacts of each state: same geom pairs in the same order, all fields of each.

use super::Outcome;
use crate::box_overlap::Cuboid;
use crate::known::{self, PairContacts};
use crate::{Archive, tolerance};
use sim_core::types::{Contact, GeomType};
use sim_core::{Data, Model, Stage, contact_pairs, mj_collision};
use std::ops::Range;

const STAGE: &str = Stage::Collision.function();

/// The recorded contacts, one state after another.
pub(super) struct Contacts<'a> {
    archive: &'a Archive,
    state: usize,
    /// First contact of the state.
    start: usize,
    /// The model with the oracle's signed distance fields, if the model has SDF geoms.
    sdf_model: Option<Box<Model>>,
}

/// A field of a contact: MuJoCo's name and its values.
pub(super) type Column = (&'static str, fn(&Contact) -> Vec<f64>);

pub(super) const COLUMNS: [Column; 11] = [
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
        let has_sdf = m.geom_type.contains(&GeomType::Sdf);
        let sdf_model = has_sdf.then(|| Box::new(with_oracle_sdf(archive, m)));
        Self { archive, state: 0, start: 0, sdf_model }
    }

    /// The recorded contacts, without our model.
    pub(super) fn recorded(archive: &'a Archive) -> Self {
        Self { archive, state: 0, start: 0, sdf_model: None }
    }

    /// The oracle's contacts of state `k`.
    pub(super) fn of_state(&self, k: usize) -> Vec<Contact> {
        let counts = self.archive.get("contact/count");
        let start: usize = counts.iter().take(k).map(|&count| count as usize).sum();
        let count = counts.get(k).map_or(0, |&count| count as usize);
        (start..start + count).map(|i| self.contact(i)).collect()
    }

    /// Whether our contacts equal the oracle's contacts of state `k` up to [`tolerance::DETECTION`].
    pub(super) fn same(&self, d: &Data, k: usize) -> bool {
        let close = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance::DETECTION)
        };
        let theirs = self.of_state(k);
        theirs.len() == d.contact.len()
            && theirs.iter().zip(&d.contact).all(|(a, b)| {
                let same_point = close(&[a.dist], &[b.dist]) && close(&a.pos, &b.pos);
                let same_objects =
                    Pair::of(a) == Pair::of(b) && a.elem == b.elem && a.vert == b.vert;
                same_objects && same_point && close(&a.frame, &b.frame)
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
            geom: self.objects("geom", i),
            flex: self.objects("flex", i),
            elem: self.objects("elem", i),
            vert: self.objects("vert", i),
            exclude: row("exclude")[0] as i32,
            ..Contact::default()
        }
    }

    /// Moves to the next state and returns the range of its contacts.
    pub(super) fn advance(&mut self) -> Option<Range<usize>> {
        let &count = self.archive.get("contact/count").get(self.state)?;
        let all = self.start..self.start + count as usize;
        (self.state, self.start) = (self.state + 1, all.end);
        Some(all)
    }

    /// Runs `mj_collision` for the next state and compares its contacts. The contacts in `d` are not used,
    /// because later stages modify them.
    pub(super) fn compare(&mut self, out: &mut Outcome, m: &Model, d: &Data) {
        let Some(all) = self.advance() else { return };
        let mut d = d.clone();
        self.copy_geom_poses(&mut d);
        mj_collision(self.sdf_model.as_deref().unwrap_or(m), &mut d);
        out.compared += 1;

        let ours = groups(0..d.contact.len(), |i| Pair::of(&d.contact[i]));
        let mut rest = &ours[..];
        for (pair, theirs) in groups(all, |i| self.pair(i)) {
            let Some(at) = rest.iter().position(|(ours, _)| *ours == pair) else {
                if theirs.clone().all(|i| self.sensitive_to_rounding(i)) {
                    continue;
                }
                if let Some(rule) = known_rule(m, &d, pair.geom, &[], self.least_distance(theirs)) {
                    out.accept(rule);
                    continue;
                }
                let detail = format!("the oracle has {}, we have none", pair_name(m, pair));
                return out.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
            };
            check_extra_contacts(out, m, &d, &rest[..at]);
            self.group(out, m, &d, rest[at].1.clone(), theirs);
            rest = &rest[at + 1..];
        }
        check_extra_contacts(out, m, &d, rest);
    }

    /// Compares all contacts of one pair of geoms.
    fn group(
        &self,
        out: &mut Outcome,
        m: &Model,
        d: &Data,
        ours: Range<usize>,
        theirs: Range<usize>,
    ) {
        let ours = &d.contact[ours];
        let mut found = Outcome::default();
        if ours.len() == theirs.len() {
            for (contact, i) in ours.iter().zip(theirs.clone()) {
                self.columns(&mut found, m, contact, i);
            }
        } else if !theirs.clone().any(|i| self.spread(i, 0).is_infinite()) {
            let (n, k) = (ours.len(), theirs.len());
            let pair = pair_name(m, Pair::of(&ours[0]));
            let detail = format!("{n} contacts, the oracle has {k}: {pair}");
            found.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
        }
        out.compared += found.compared;
        if !found.agrees()
            && let Some(rule) = known_rule(m, d, ours[0].geom, ours, self.least_distance(theirs))
        {
            return out.accept(rule);
        }
        out.worst = out.worst.max(found.worst);
        out.differences.append(&mut found.differences);
    }

    /// Copies the oracle's geom poses of the current state: iterations that end at a tolerance or a limit, and gradient
    /// descent on a signed distance field, amplify rounding differences.
    fn copy_geom_poses(&self, d: &mut Data) {
        for (name, field) in [
            ("geom_xpos", &mut d.geom_xpos),
            ("geom_xmat", &mut d.geom_xmat),
            ("flexvert_xpos", &mut d.flexvert_xpos),
            ("flexelem_aabb", &mut d.flexelem_aabb),
            ("bvh_aabb_dyn", &mut d.bvh_aabb_dyn),
        ] {
            let theirs = self.archive.row(&format!("out/{name}"), self.state - 1);
            if theirs.len() == field.len() {
                field.copy_from_slice(theirs);
            }
        }
    }

    /// Compares all fields of a contact.
    fn columns(&self, out: &mut Outcome, m: &Model, contact: &Contact, i: usize) {
        for (name, ours) in [("elem", contact.elem), ("vert", contact.vert)] {
            let theirs = self.objects(name, i);
            if ours != theirs {
                let detail = format!("{name} {ours:?}, the oracle has {theirs:?}");
                let field = format!("contact.{name} of {}", pair_name(m, Pair::of(contact)));
                return out.push(STAGE, &field, f64::INFINITY, 0.0, detail);
            }
        }
        for (name, get) in COLUMNS {
            let field = format!("contact.{name} of {}", pair_name(m, Pair::of(contact)));
            let (ours, theirs) = (get(contact), self.row(name, i));
            // rounding can also decide whether a contact is within its gap
            let uncertain = tolerance::DRIFT_FACTOR * self.spread(i, 0);
            let from_margin = (contact.dist - contact.includemargin).abs();
            if name == "exclude" && from_margin < tolerance::DETECTION.max(uncertain) {
                continue;
            }
            let spread = match name {
                "dist" => self.spread(i, 0),
                "pos" => self.spread(i, 1),
                "frame" => self.spread(i, 2),
                _ => 0.0,
            };
            let tolerance = tolerance_of(m, contact) + tolerance::DRIFT_FACTOR * spread;
            out.reals(STAGE, &field, tolerance, &ours, theirs);
        }
    }

    /// The oracle's smallest distance among some contacts, m.
    fn least_distance(&self, contacts: Range<usize>) -> f64 {
        contacts.map(|i| self.row("dist", i)[0]).fold(f64::INFINITY, f64::min)
    }

    /// Whether rounding decides the existence of contact `i` of the oracle.
    pub(super) fn sensitive_to_rounding(&self, i: usize) -> bool {
        at_margin(self.row("dist", i)[0], self.row("includemargin", i)[0])
            || self.spread(i, 0).is_infinite()
    }

    /// Change of the oracle's distance, position or frame (`part`) under geom displacements of 1e-14,
    /// relative to its scale; infinite if the number of contacts changes.
    pub(super) fn spread(&self, i: usize, part: usize) -> f64 {
        let rows = self.archive.get("contact/spread");
        let Some(&spread) = rows.get(3 * i + part) else { return 0.0 };
        let name = ["dist", "pos", "frame"][part];
        let scale = self.row(name, i).iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
        spread / scale
    }

    /// The geoms and flexes of contact `i`.
    pub(super) fn pair(&self, i: usize) -> Pair {
        Pair { geom: self.objects("geom", i), flex: self.objects("flex", i) }
    }

    pub(super) fn geoms(&self, i: usize) -> [i32; 2] {
        self.objects("geom", i)
    }

    /// The objects of contact `i` of one kind; −1 if they are not recorded.
    fn objects(&self, kind: &str, i: usize) -> [i32; 2] {
        let row = self.row(kind, i);
        [0, 1].map(|side| row.get(side).map_or(-1, |&id| id as i32))
    }

    /// A field of contact `i`.
    pub(super) fn row(&self, name: &str, i: usize) -> &'a [f64] {
        self.archive.row(&format!("contact/{name}"), i)
    }
}

/// The objects in contact: geoms or flexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The geoms, −1 for a flex.
    pub geom: [i32; 2],
    /// The flexes, −1 for a geom.
    pub flex: [i32; 2],
}

impl Pair {
    /// The objects of a contact.
    pub(super) fn of(contact: &Contact) -> Self {
        Self { geom: contact.geom, flex: contact.flex }
    }
}

/// Groups consecutive contacts of the same pair of objects.
pub(super) fn groups<P: PartialEq>(
    all: Range<usize>,
    pair_of: impl Fn(usize) -> P,
) -> Vec<(P, Range<usize>)> {
    let mut groups: Vec<(P, Range<usize>)> = Vec::new();
    for i in all {
        match groups.last_mut() {
            Some((pair, range)) if *pair == pair_of(i) => range.end = i + 1,
            _ => groups.push((pair_of(i), i..i + 1)),
        }
    }
    groups
}

/// Reports contacts that the oracle does not have, unless their distance is at the margin, where
/// rounding decides, or the difference is known.
fn check_extra_contacts(out: &mut Outcome, m: &Model, d: &Data, groups: &[(Pair, Range<usize>)]) {
    for (pair, range) in groups {
        let contacts = &d.contact[range.clone()];
        let Some(contact) = contacts.iter().find(|c| !at_margin(c.dist, c.includemargin)) else {
            continue;
        };
        if let Some(rule) = known_rule(m, d, pair.geom, contacts, f64::INFINITY) {
            out.accept(rule);
            continue;
        }
        let detail = format!("{} at {:e}, the oracle has none", pair_name(m, *pair), contact.dist);
        out.push(STAGE, "contact", f64::INFINITY, 0.0, detail);
    }
}

/// The rule of known differences that accepts our contacts of a pair, given the oracle's smallest distance.
pub(super) fn known_rule(
    m: &Model,
    d: &Data,
    geoms: [i32; 2],
    ours: &[Contact],
    theirs: f64,
) -> Option<&'static str> {
    let [Ok(one), Ok(two)] = geoms.map(usize::try_from) else { return None };
    let row = known::contacts([*m.geom_type.get(one)?, *m.geom_type.get(two)?])?;
    let boxes = [one, two].map(|geom| Cuboid::of(m, d, geom));
    let pairs = contact_pairs(m, usize::MAX)?;
    let pair = pairs.iter().find(|pair| pair.geoms == [one, two] || pair.geoms == [two, one])?;
    (row.accepts)(&PairContacts { boxes, ours, theirs, margin: pair.margin }).then_some(row.name)
}

/// The model with the oracle's signed distance fields and bounding boxes: gradient descent amplifies
/// rounding differences.
fn with_oracle_sdf(archive: &Archive, m: &Model) -> Model {
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

/// Whether a contact's distance is so close to its margin that rounding decides its existence.
pub(super) fn at_margin(dist: f64, margin: f64) -> bool {
    (dist - margin).abs() < tolerance::DETECTION
}

/// Relative tolerance of a contact.
fn tolerance_of(m: &Model, contact: &Contact) -> f64 {
    let kind = |g: i32| usize::try_from(g).ok().map(|g| m.geom_type[g]);
    match contact.geom.map(kind) {
        [Some(a), Some(b)] => precision([a, b]),
        _ => tolerance::ITERATIVE,
    }
}

/// Relative tolerance of contacts between two geom types, in ascending order of type.
pub(super) fn precision(kinds: [GeomType; 2]) -> f64 {
    use GeomType as T;
    match kinds {
        [T::Plane, T::Sphere | T::Capsule | T::Cylinder | T::Box]
        | [T::Sphere, T::Sphere | T::Capsule | T::Cylinder | T::Box]
        | [T::Capsule, T::Capsule | T::Box]
        | [T::Box, T::Box] => tolerance::ANALYTIC,
        _ => tolerance::ITERATIVE,
    }
}

/// Types and indices of two objects, for messages.
fn pair_name(m: &Model, pair: Pair) -> String {
    let name = |side: usize| {
        let geom = pair.geom[side];
        match usize::try_from(geom).ok().and_then(|g| m.geom_type.get(g)) {
            Some(kind) => format!("{kind:?} {geom}"),
            None => format!("flex {}", pair.flex[side]),
        }
    };
    format!("{} - {}", name(0), name(1))
}
