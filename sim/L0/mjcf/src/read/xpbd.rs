//! `xpbd`: deformable bodies.

use super::Reader;
use crate::spec::{Attach, Deformable, DeformableKind};
use crate::xml::NodeId;

impl Reader<'_> {
    pub(super) fn xpbd(&mut self, id: NodeId) {
        let mut settings = self.spec.xpbd;
        self.real(id, "damping", &mut settings.damping);
        self.real(id, "sleepspeed", &mut settings.sleep_speed);
        self.real(id, "sleeptime", &mut settings.sleep_time);
        let mut substeps = 0;
        if self.int(id, "substeps", &mut substeps) {
            match usize::try_from(substeps) {
                Ok(n @ 1..=10_000) => settings.substeps = n,
                _ => self.invalid(id, Some("substeps"), "must be between 1 and 10000"),
            }
        }
        let times = [
            ("damping", settings.damping),
            ("sleepspeed", settings.sleep_speed),
            ("sleeptime", settings.sleep_time),
        ];
        for (name, value) in times {
            if !(value >= 0.0 && value.is_finite()) {
                self.invalid(id, Some(name), "must be finite and not negative");
            }
        }
        self.spec.xpbd = settings;
        for child in self.children(id) {
            let kind = match self.name(child) {
                "cloth" => DeformableKind::Cloth,
                "soft" => DeformableKind::Soft,
                _ => DeformableKind::Rope,
            };
            self.deformable(child, kind);
        }
    }

    fn deformable(&mut self, id: NodeId, kind: DeformableKind) {
        let mut b = Deformable { kind, origin: self.origin(id), ..Deformable::default() };
        self.text(id, "name", &mut b.name);
        self.vector(id, "pos", &mut b.pos);
        self.orientation(id, &mut b.alt);
        self.text(id, "preset", &mut b.preset);
        self.text(id, "file", &mut b.file);
        for (name, target) in [
            ("young", &mut b.young),
            ("poisson", &mut b.poisson),
            ("density", &mut b.density),
            ("friction", &mut b.friction),
            ("damping", &mut b.damping),
            ("thickness", &mut b.thickness),
            ("shear", &mut b.shear),
            ("bending", &mut b.bending),
            ("twist", &mut b.twist),
            ("radius", &mut b.radius),
        ] {
            *target = self.array::<1>(id, name).map(|[value]| value);
        }
        for (name, target) in
            [("selfcollide", &mut b.selfcollide), ("margin", &mut b.margin), ("drag", &mut b.drag)]
        {
            self.real(id, name, target);
        }
        self.vector32(id, "rgba", &mut b.rgba);
        self.int(id, "contype", &mut b.contype);
        self.int(id, "conaffinity", &mut b.conaffinity);
        self.vector(id, "solref", &mut b.solref);
        self.vector(id, "solimp", &mut b.solimp);
        self.keyword(id, "shape", &[("box", false), ("sphere", true)], &mut b.sphere);
        self.keyword(id, "model", &[("springs", false), ("neohookean", true)], &mut b.neohookean);
        b.size = self.numbers(id, "size").unwrap_or_default();
        b.cells = self.ints(id, "cells");
        b.fromto = self.array(id, "fromto");
        self.int(id, "segments", &mut b.segments);
        b.points = self.numbers(id, "points").unwrap_or_default();
        for child in self.children(id) {
            let vertices = self.ints(child, "vertex");
            if self.name(child) == "pin" {
                b.pins.extend(vertices);
                continue;
            }
            let mut attach = Attach { vertices, origin: self.origin(child), ..Attach::default() };
            self.text(child, "body", &mut attach.body);
            self.text(child, "site", &mut attach.site);
            if attach.body.is_empty() == attach.site.is_empty() {
                self.invalid(child, None, "must name a `body` or a `site`, and not both");
            }
            b.attachments.push(attach);
        }
        self.spec.deformables.push(b);
    }
}
