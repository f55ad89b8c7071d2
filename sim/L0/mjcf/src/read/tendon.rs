//! `tendon` section.

use super::Reader;
use crate::spec::{Tendon, Wrap, WrapKind};
use crate::xml::NodeId;

impl Reader<'_> {
    pub(super) fn tendons(&mut self, id: NodeId) {
        for child in self.children(id) {
            let class = self.class(child, "class").unwrap_or_default();
            let mut tendon = self.spec.defaults[class.0].tendon.clone();
            tendon.origin = self.origin(child);
            tendon.element = if self.name(child) == "fixed" { "fixed" } else { "spatial" };
            self.text(child, "name", &mut tendon.name);
            self.tendon(child, &mut tendon);
            for element in self.children(child) {
                let wrap = self.wrap(element);
                tendon.path.push(wrap);
            }
            self.spec.tendons.push(tendon);
        }
    }

    /// Attributes that a default class can set.
    pub(super) fn tendon(&mut self, id: NodeId, t: &mut Tendon) {
        self.int(id, "group", &mut t.group);
        self.text(id, "material", &mut t.material);
        self.tri(id, "limited", &mut t.limited);
        self.tri(id, "actuatorfrclimited", &mut t.actfrclimited);
        for (name, target) in [
            ("width", &mut t.width),
            ("margin", &mut t.margin),
            ("armature", &mut t.armature),
            ("frictionloss", &mut t.frictionloss),
        ] {
            self.real(id, name, target);
        }
        self.vector(id, "range", &mut t.range);
        self.vector(id, "actuatorfrcrange", &mut t.actfrcrange);
        self.vector(id, "solreflimit", &mut t.solref_limit);
        self.vector(id, "solimplimit", &mut t.solimp_limit);
        self.vector(id, "solreffriction", &mut t.solref_friction);
        self.vector(id, "solimpfriction", &mut t.solimp_friction);
        self.vector(id, "stiffness", &mut t.stiffness);
        self.vector(id, "damping", &mut t.damping);
        if self.vector(id, "springlength", &mut t.springlength) == 1 {
            t.springlength[1] = t.springlength[0];
        }
        self.vector32(id, "rgba", &mut t.rgba);
        self.user(id, &mut t.user);
    }

    fn wrap(&mut self, id: NodeId) -> Wrap {
        let text = |name| self.dom.attr(id, name).unwrap_or_default().to_owned();
        let number = |name| {
            let mut value = 0.0;
            self.real(id, name, &mut value);
            value
        };
        let kind = match self.name(id) {
            "site" => WrapKind::Site { site: text("site") },
            "geom" => WrapKind::Geom { geom: text("geom"), sidesite: text("sidesite") },
            "pulley" => WrapKind::Pulley { divisor: number("divisor") },
            _ => WrapKind::Joint { joint: text("joint"), coef: number("coef") },
        };
        Wrap { kind, origin: self.origin(id) }
    }
}
