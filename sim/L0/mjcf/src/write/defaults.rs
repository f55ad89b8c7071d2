//! `default` section: each class as the difference from its parent.

use super::element::{Attributes, Document};
use super::{Writer, actuator, asset, contact, equality, tendon, tree};
use crate::spec::{DefaultClass, DefaultId, Spec};

/// Default elements of a class with their attributes.
fn default_elements(class: &DefaultClass) -> [(&'static str, Attributes); ELEMENT_TYPES] {
    [
        ("mesh", asset::mesh_class(&class.mesh)),
        ("material", asset::material(&class.material)),
        ("joint", tree::joint(&class.joint)),
        ("geom", tree::geom(&class.geom)),
        ("site", tree::site(&class.site)),
        ("camera", tree::camera(&class.camera)),
        ("light", tree::light(&class.light)),
        ("pair", contact::pair(&class.pair)),
        ("equality", equality::equality(&class.equality)),
        ("tendon", tendon::tendon_class(&class.tendon)),
        ("general", actuator::general(&class.actuator)),
    ]
}

/// Number of element types with defaults.
const ELEMENT_TYPES: usize = 11;

/// All classes as they will be parsed.
pub(super) struct Classes<'a> {
    spec: &'a Spec,
    parsed: Vec<[(&'static str, Attributes); ELEMENT_TYPES]>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let builtin = default_elements(&DefaultClass::default());
        let mut parsed: Vec<[(&'static str, Attributes); ELEMENT_TYPES]> = Vec::new();
        for class in &spec.defaults {
            let own = default_elements(class);
            let parent = class.parent.and_then(|p| parsed.get(p.0)).unwrap_or(&builtin);
            let parsed_class =
                std::array::from_fn(|k| (own[k].0, own[k].1.merged_over(&parent[k].1)));
            parsed.push(parsed_class);
        }
        Self { spec, parsed }
    }

    /// Attributes of an element that differ from its class, preceded by `class` unless it is
    /// `main`.
    ///
    /// An element that lacks an attribute of its class is written without the class. `None` if the
    /// main class has it too, since MJCF cannot unset an attribute.
    pub(super) fn attributes(
        &self,
        kind: &str,
        class: DefaultId,
        attributes: &Attributes,
    ) -> Option<Attributes> {
        for class in [class, DefaultId(0)] {
            let Some(parsed) = self.parsed.get(class.0) else { continue };
            let base = parsed.iter().find(|(name, _)| *name == kind).map(|(_, a)| a)?;
            if let Some(mut rest) = attributes.override_of(base) {
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
        let builtin = default_elements(&DefaultClass::default());
        let shared = !self.differences(0, &builtin).is_empty();
        if self.spec.defaults.len() > 1 || shared {
            self.class(doc, 0, &builtin);
        }
    }

    /// Attributes of a class that differ from its parent.
    fn differences(
        &self,
        class: usize,
        parent: &[(&'static str, Attributes); ELEMENT_TYPES],
    ) -> Vec<(&'static str, Attributes)> {
        let own = default_elements(&self.spec.defaults[class]);
        let parts = own.iter().zip(parent).map(|((name, a), (_, p))| (*name, a.difference(p)));
        parts.filter(|(_, a)| !a.0.is_empty()).collect()
    }

    /// Writes a class and its nested classes. The reader bounds the depth.
    fn class(
        &self,
        doc: &mut Document,
        class: usize,
        parent: &[(&'static str, Attributes); ELEMENT_TYPES],
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
                self.class(doc, inner, &self.classes.parsed[class]);
            }
        }
        doc.close();
    }
}
