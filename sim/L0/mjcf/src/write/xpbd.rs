//! `xpbd`: deformable bodies.

use super::Writer;
use super::element::{Attributes, Document};
use crate::compile::deformable_element;
use crate::spec::{Deformable, DeformableKind, DeformableSettings};

impl Writer<'_> {
    pub(super) fn deformables(&self, doc: &mut Document) {
        let spec = self.spec;
        let plain = DeformableSettings::default();
        if spec.deformables.is_empty() && spec.xpbd == plain {
            return;
        }
        let mut a = Attributes::default();
        a.number("substeps", spec.xpbd.substeps);
        for (name, value, usual) in [
            ("damping", spec.xpbd.damping, plain.damping),
            ("sleepspeed", spec.xpbd.sleep_speed, plain.sleep_speed),
            ("sleeptime", spec.xpbd.sleep_time, plain.sleep_time),
        ] {
            if value != usual {
                a.number(name, value);
            }
        }
        doc.open("xpbd", &a);
        spec.deformables.iter().for_each(|b| self.deformable(doc, b));
        doc.close();
    }

    fn deformable(&self, doc: &mut Document, b: &Deformable) {
        let usual = Deformable::default();
        let mut a = Attributes::default();
        a.word("name", &b.name);
        a.numbers("pos", &b.pos);
        a.orientation(&self.orientation(b.origin, b.alt));
        a.word("preset", &b.preset);
        a.word("file", &b.file);
        for (name, value) in [
            ("young", b.young),
            ("poisson", b.poisson),
            ("density", b.density),
            ("friction", b.friction),
            ("damping", b.damping),
            ("thickness", b.thickness),
            ("shear", b.shear),
            ("bending", b.bending),
            ("twist", b.twist),
            ("radius", b.radius),
        ] {
            if let Some(value) = value {
                a.number(name, value);
            }
        }
        for (name, value, usual) in [
            ("selfcollide", b.selfcollide, usual.selfcollide),
            ("margin", b.margin, usual.margin),
            ("drag", b.drag, usual.drag),
        ] {
            if value != usual {
                a.number(name, value);
            }
        }
        if b.rgba != usual.rgba {
            a.numbers("rgba", &b.rgba);
        }
        a.number("contype", b.contype);
        a.number("conaffinity", b.conaffinity);
        a.numbers("solref", &b.solref);
        a.numbers("solimp", &b.solimp);
        if b.kind == DeformableKind::Soft {
            a.text("shape", if b.sphere { "sphere" } else { "box" });
            a.text("model", if b.neohookean { "neohookean" } else { "springs" });
        }
        a.list("size", &b.size);
        a.list("cells", &b.cells);
        if b.kind == DeformableKind::Rope {
            a.number("segments", b.segments);
            a.list("points", &b.points);
            if let Some(ends) = b.fromto {
                a.numbers("fromto", &ends);
            }
        }
        doc.open(deformable_element(b.kind), &a);
        if !b.pins.is_empty() {
            let mut a = Attributes::default();
            a.numbers("vertex", &b.pins);
            doc.element("pin", &a);
        }
        for attach in &b.attachments {
            let mut a = Attributes::default();
            a.numbers("vertex", &attach.vertices);
            a.word("body", &attach.body);
            a.word("site", &attach.site);
            doc.element("attach", &a);
        }
        doc.close();
    }
}
