//! The contacts of each state: the same pairs in the same order, and every number of each contact.

use super::Outcome;
use crate::{Archive, tolerance};
use sim_core::types::{Contact, GeomType};
use sim_core::{Data, Model, Stage, mj_collision};

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

    /// Compares the contacts of the next state, found anew: later stages add to them.
    pub(super) fn compare(&mut self, out: &mut Outcome, m: &Model, d: &Data) {
        let counts = self.archive.get("contact/count");
        let Some(&count) = counts.get(self.state) else { return };
        let theirs = self.start..self.start + count as usize;
        (self.state, self.start) = (self.state + 1, theirs.end);
        let mut d = d.clone();
        if self.fields.is_some() {
            self.place_geoms(&mut d);
        }
        mj_collision(self.fields.as_deref().unwrap_or(m), &mut d);
        let stage = Stage::Collision.function();
        out.compared += 1;

        let geoms = |i: usize| self.row("geom", i).iter().map(|&g| g as i32).collect::<Vec<_>>();
        let mut ours = 0;
        for i in theirs.clone() {
            // a contact at the very edge of detection is decided by rounding
            while let Some(contact) = d.contact.get(ours)
                && contact.geom[..] != geoms(i)[..]
                && at_edge(contact.dist, contact.includemargin)
                && !theirs.clone().any(|j| geoms(j)[..] == contact.geom[..])
            {
                ours += 1;
            }
            let Some(contact) = d.contact.get(ours).filter(|c| c.geom[..] == geoms(i)[..]) else {
                if at_edge(self.row("dist", i)[0], self.row("includemargin", i)[0])
                    && !d.contact.iter().any(|c| c.geom[..] == geoms(i)[..])
                {
                    continue;
                }
                let detail = format!(
                    "contact {ours} of {} is {}, the oracle has {} of {count}",
                    d.contact.len(),
                    d.contact.get(ours).map_or("missing".into(), |c| words(m, &c.geom)),
                    words(m, &geoms(i)),
                );
                out.push(stage, "contact", f64::INFINITY, 0.0, detail);
                return;
            };
            self.columns(out, m, contact, i);
            ours += 1;
        }
        let more = d.contact[ours..].iter().find(|c| !at_edge(c.dist, c.includemargin));
        if let Some(contact) = more {
            let detail = format!(
                "{} contacts, the oracle has {count}; the first too many is {} at {:e}",
                d.contact.len(),
                words(m, &contact.geom),
                contact.dist,
            );
            out.push(stage, "contact", f64::INFINITY, 0.0, detail);
        }
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
        let tolerance = tolerance_of(m, contact);
        for (name, get) in COLUMNS {
            let field = format!("contact.{name} of {}", words(m, &contact.geom));
            let (ours, theirs) = (get(contact), self.row(name, i));
            // which side of the gap a contact is on may be decided by rounding, too
            if name == "exclude" && at_edge(contact.dist, contact.includemargin) {
                continue;
            }
            out.reals(Stage::Collision.function(), &field, tolerance, &ours, theirs);
        }
    }

    /// The numbers of contact `i`.
    fn row(&self, name: &str, i: usize) -> &'a [f64] {
        self.archive.row(&format!("contact/{name}"), i)
    }
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
    use GeomType as T;
    let kind = |g: i32| usize::try_from(g).ok().map(|g| m.geom_type[g]);
    match contact.geom.map(kind) {
        [Some(T::Plane), Some(T::Sphere | T::Capsule | T::Cylinder | T::Box)]
        | [Some(T::Sphere), Some(T::Sphere | T::Capsule | T::Cylinder | T::Box)]
        | [Some(T::Capsule), Some(T::Capsule | T::Box)]
        | [Some(T::Box), Some(T::Box)] => tolerance::ANALYTIC,
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
