//! `contact` section.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::Pair;

/// Attributes of a pair that a default class can set.
pub(super) fn pair(p: &Pair) -> Attributes {
    let mut a = Attributes::default();
    a.number("condim", p.condim);
    a.numbers("friction", &p.friction);
    a.numbers("solref", &p.solref);
    a.numbers("solreffriction", &p.solreffriction);
    a.numbers("solimp", &p.solimp);
    a.number("margin", p.margin);
    a.number("gap", p.gap);
    a
}

impl Writer<'_> {
    pub(super) fn contacts(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("contact", |doc| {
            for p in &spec.pairs {
                let mut a = pair(p);
                a.word("geom1", &p.geom1);
                a.word("geom2", &p.geom2);
                self.class_element(doc, "pair", (&p.name, p.class, p.origin), a);
            }
            for e in &spec.excludes {
                let mut a = Attributes::default();
                a.word("name", &e.name);
                a.word("body1", &e.body1);
                a.word("body2", &e.body2);
                doc.element("exclude", &a);
            }
        });
    }
}
