//! `equality` section.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::Equality;
use sim_core::types::{EqType, ObjType};

/// Attributes of an equality that a default class can set.
pub(super) fn equality(e: &Equality) -> Attributes {
    let mut a = Attributes::default();
    a.boolean("active", e.active);
    a.numbers("solref", &e.solref);
    a.numbers("solimp", &e.solimp);
    a
}

impl Writer<'_> {
    pub(super) fn equalities(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("equality", |doc| {
            for e in &spec.equalities {
                let mut a = equality(e);
                let element = objects(e, &mut a);
                if let Some(a) = self.class_attributes("equality", (&e.name, e.class, e.origin), &a)
                {
                    doc.element(element, &a);
                }
            }
        });
    }
}

/// Writes the objects and data of an equality, and returns its element name.
fn objects(e: &Equality, a: &mut Attributes) -> &'static str {
    let (first, second) = match (e.etype, e.objtype) {
        (EqType::Joint, _) => ("joint1", "joint2"),
        (EqType::Tendon, _) => ("tendon1", "tendon2"),
        (EqType::Flex | EqType::FlexVert | EqType::FlexStrain, _) => ("flex", ""),
        (_, ObjType::Site) => ("site1", "site2"),
        _ => ("body1", "body2"),
    };
    a.word(first, &e.name1);
    if !second.is_empty() {
        a.word(second, &e.name2);
    }
    let bodies = e.objtype != ObjType::Site;
    match e.etype {
        EqType::Connect => {
            if bodies {
                a.numbers("anchor", &e.data[..3]);
            }
            "connect"
        }
        EqType::Weld => {
            if bodies && e.data[..3] != [0.0; 3] {
                a.numbers("anchor", &e.data[..3]);
            }
            if bodies && e.data[3..10] != [0.0; 7] {
                a.numbers("relpose", &e.data[3..10]);
            }
            a.number("torquescale", e.data[10]);
            "weld"
        }
        EqType::Flex => "flex",
        EqType::FlexVert => "flexvert",
        EqType::FlexStrain => {
            a.numbers("cell", &e.data[..3]);
            "flexstrain"
        }
        EqType::Tendon => {
            a.numbers("polycoef", &e.data[..5]);
            "tendon"
        }
        _ => {
            a.numbers("polycoef", &e.data[..5]);
            "joint"
        }
    }
}
