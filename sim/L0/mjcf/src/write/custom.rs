//! `custom` section.

use super::Writer;
use super::element::{Attributes, Document};
use sim_core::types::ObjType;

impl Writer<'_> {
    pub(super) fn custom(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("custom", |doc| {
            for n in &spec.numerics {
                let mut a = Attributes::default();
                a.text("name", n.name.as_str());
                a.numbers("data", &n.data);
                doc.element("numeric", &a);
            }
            for t in &spec.texts {
                let mut a = Attributes::default();
                a.text("name", t.name.as_str());
                a.text("data", t.data.as_str());
                doc.element("text", &a);
            }
            for t in &spec.tuples {
                let mut a = Attributes::default();
                a.text("name", t.name.as_str());
                doc.open("tuple", &a);
                for e in &t.elements {
                    let mut a = Attributes::default();
                    a.text("objtype", object(e.objtype));
                    a.text("objname", e.objname.as_str());
                    a.number("prm", e.prm);
                    doc.element("element", &a);
                }
                doc.close();
            }
        });
    }
}

/// Keyword of an object type.
pub(super) const fn object(kind: ObjType) -> &'static str {
    match kind.name() {
        Some(name) => name,
        None => "unknown",
    }
}
