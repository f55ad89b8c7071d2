//! `tendon` section.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::{Tendon, WrapKind};

/// Attributes of a tendon that a default class can set.
pub(super) fn tendon_class(t: &Tendon) -> Attributes {
    let mut a = Attributes::default();
    a.number("group", t.group);
    a.word("material", &t.material);
    a.tri("limited", t.limited);
    a.numbers("range", &t.range);
    a.numbers("solreflimit", &t.solref_limit);
    a.numbers("solimplimit", &t.solimp_limit);
    a.numbers("solreffriction", &t.solref_friction);
    a.numbers("solimpfriction", &t.solimp_friction);
    a.number("frictionloss", t.frictionloss);
    a.numbers("springlength", &t.springlength);
    a.number("width", t.width);
    a.number("margin", t.margin);
    a.numbers("stiffness", &t.stiffness);
    a.numbers("damping", &t.damping);
    a.numbers("rgba", &t.rgba);
    a.list("user", &t.user);
    a
}

impl Writer<'_> {
    pub(super) fn tendons(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("tendon", |doc| {
            for t in &spec.tendons {
                let mut t = t.clone();
                t.limited = self.limit(t.origin, t.limited, t.range);
                let mut a = tendon_class(&t);
                if t.actfrclimited != Tendon::default().actfrclimited {
                    a.tri("actuatorfrclimited", t.actfrclimited);
                }
                if t.actfrcrange != [0.0; 2] {
                    a.numbers("actuatorfrcrange", &t.actfrcrange);
                }
                if t.armature != 0.0 {
                    a.number("armature", t.armature);
                }
                if let Some(a) = self.class_attributes("tendon", (&t.name, t.class, t.origin), &a) {
                    doc.open(t.element, &a);
                    t.path.iter().for_each(|wrap| write_wrap(doc, &wrap.kind));
                    doc.close();
                }
            }
        });
    }
}

fn write_wrap(doc: &mut Document, kind: &WrapKind) {
    let mut a = Attributes::default();
    let element = match kind {
        WrapKind::Joint { joint, coef } => {
            a.text("joint", joint.as_str());
            a.number("coef", coef);
            "joint"
        }
        WrapKind::Site { site } => {
            a.text("site", site.as_str());
            "site"
        }
        WrapKind::Geom { geom, sidesite } => {
            a.text("geom", geom.as_str());
            a.word("sidesite", sidesite);
            "geom"
        }
        WrapKind::Pulley { divisor } => {
            a.number("divisor", divisor);
            "pulley"
        }
    };
    doc.element(element, &a);
}
