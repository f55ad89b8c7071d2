//! `default`: what each class gives its members, written as the difference from its parent.

use super::element::{Attributes, Document};
use super::{Writer, actuator, asset, relations, tree};
use crate::spec::{DefaultClass, DefaultId, Spec};

/// Elements that a class has prototypes of, with the attributes of each prototype.
fn prototypes(class: &DefaultClass) -> [(&'static str, Attributes); KINDS] {
    [
        ("mesh", asset::mesh_class(&class.mesh)),
        ("material", asset::material(&class.material)),
        ("joint", tree::joint(&class.joint)),
        ("geom", tree::geom(&class.geom)),
        ("site", tree::site(&class.site)),
        ("camera", tree::camera(&class.camera)),
        ("light", tree::light(&class.light)),
        ("pair", relations::pair(&class.pair)),
        ("equality", relations::equality(&class.equality)),
        ("tendon", relations::tendon_class(&class.tendon)),
        ("general", actuator::general(&class.actuator)),
    ]
}

/// Number of kinds of prototypes.
const KINDS: usize = 11;

/// Every class as it will be read back.
pub(super) struct Classes<'a> {
    spec: &'a Spec,
    read: Vec<[(&'static str, Attributes); KINDS]>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let builtin = prototypes(&DefaultClass::default());
        let mut read: Vec<[(&'static str, Attributes); KINDS]> = Vec::new();
        for class in &spec.defaults {
            let own = prototypes(class);
            let parent = class.parent.and_then(|p| read.get(p.0)).unwrap_or(&builtin);
            let read_back = std::array::from_fn(|k| (own[k].0, own[k].1.over(&parent[k].1)));
            read.push(read_back);
        }
        Self { spec, read }
    }

    /// What an element of a class must write itself, `class` first when it is not the main one.
    ///
    /// An element that lacks something its class gives is written without the class. `None` when
    /// the main class gives it too, and nothing can be written.
    pub(super) fn member(
        &self,
        kind: &str,
        class: DefaultId,
        attributes: &Attributes,
    ) -> Option<Attributes> {
        for class in [class, DefaultId(0)] {
            let Some(read) = self.read.get(class.0) else { continue };
            let base = read.iter().find(|(name, _)| *name == kind).map(|(_, a)| a)?;
            if let Some(mut rest) = attributes.beyond(base) {
                if class.0 > 0 {
                    let mut all = Attributes::default();
                    all.text("class", self.spec.defaults[class.0].name.as_str());
                    all.0.append(&mut rest.0);
                    return Some(all);
                }
                return Some(rest);
            }
        }
        None
    }
}

impl Writer<'_> {
    pub(super) fn defaults(&mut self, doc: &mut Document) {
        let builtin = prototypes(&DefaultClass::default());
        let shared = !self.differences(0, &builtin).is_empty();
        if self.spec.defaults.len() > 1 || shared {
            self.class(doc, 0, &builtin);
        }
    }

    /// What a class adds to its parent.
    fn differences(
        &self,
        class: usize,
        parent: &[(&'static str, Attributes); KINDS],
    ) -> Vec<(&'static str, Attributes)> {
        let own = prototypes(&self.spec.defaults[class]);
        let parts = own.iter().zip(parent).map(|((name, a), (_, p))| (*name, a.difference(p)));
        parts.filter(|(_, a)| !a.0.is_empty()).collect()
    }

    /// Writes a class and the classes inside it. The depth is that of the text that was read, which
    /// the reader bounds.
    fn class(
        &self,
        doc: &mut Document,
        class: usize,
        parent: &[(&'static str, Attributes); KINDS],
    ) {
        let mut attributes = Attributes::default();
        if class > 0 {
            attributes.text("class", self.spec.defaults[class].name.as_str());
        }
        doc.open("default", &attributes);
        for (name, mut attributes) in self.differences(class, parent) {
            if name == "material" {
                asset::open_material(doc, &mut attributes);
                doc.close();
            } else {
                doc.element(name, &attributes);
            }
        }
        for (inner, other) in self.spec.defaults.iter().enumerate() {
            if other.parent == Some(DefaultId(class)) {
                self.class(doc, inner, &self.classes.read[class]);
            }
        }
        doc.close();
    }
}
