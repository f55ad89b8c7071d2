//! `contact` section.

use super::Reader;
use crate::spec::{Exclude, Pair};
use crate::xml::NodeId;

impl Reader<'_> {
    pub(super) fn contact(&mut self, id: NodeId) {
        for child in self.children(id) {
            match self.name(child) {
                "pair" => {
                    let class = self.class(child, "class").unwrap_or_default();
                    let mut pair = self.spec.defaults[class.0].pair.clone();
                    pair.origin = self.origin(child);
                    self.pair(child, &mut pair);
                    self.spec.pairs.push(pair);
                }
                "exclude" => {
                    let mut exclude = Exclude { origin: self.origin(child), ..Exclude::default() };
                    self.text(child, "name", &mut exclude.name);
                    self.text(child, "body1", &mut exclude.body1);
                    self.text(child, "body2", &mut exclude.body2);
                    self.spec.excludes.push(exclude);
                }
                _ => {}
            }
        }
    }

    pub(super) fn pair(&mut self, id: NodeId, pair: &mut Pair) {
        self.text(id, "name", &mut pair.name);
        self.text(id, "geom1", &mut pair.geom1);
        self.text(id, "geom2", &mut pair.geom2);
        self.int(id, "condim", &mut pair.condim);
        self.vector(id, "friction", &mut pair.friction);
        self.vector(id, "solref", &mut pair.solref);
        self.vector(id, "solreffriction", &mut pair.solreffriction);
        self.vector(id, "solimp", &mut pair.solimp);
        self.real(id, "margin", &mut pair.margin);
        self.real(id, "gap", &mut pair.gap);
    }
}
