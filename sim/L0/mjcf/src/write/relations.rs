//! `contact`, `equality`, `tendon`, `custom` and `keyframe`.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::{Equality, Key, Pair, Tendon, WrapKind};
use sim_core::types::{EqType, ObjType};

/// Every attribute of a pair that a class can give.
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

/// Every attribute of an equality that a class can give.
pub(super) fn equality(e: &Equality) -> Attributes {
    let mut a = Attributes::default();
    a.boolean("active", e.active);
    a.numbers("solref", &e.solref);
    a.numbers("solimp", &e.solimp);
    a
}

/// Every attribute of a tendon that a class can give.
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
    pub(super) fn contacts(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("contact", |doc| {
            for p in &spec.pairs {
                let mut a = pair(p);
                a.word("geom1", &p.geom1);
                a.word("geom2", &p.geom2);
                self.member(doc, "pair", (&p.name, p.class, p.origin), a);
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

    pub(super) fn equalities(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("equality", |doc| {
            for e in &spec.equalities {
                let mut a = equality(e);
                let element = objects(e, &mut a);
                if let Some(a) = self.share("equality", (&e.name, e.class, e.origin), &a) {
                    doc.element(element, &a);
                }
            }
        });
    }

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
                if let Some(a) = self.share("tendon", (&t.name, t.class, t.origin), &a) {
                    doc.open(t.element, &a);
                    t.path.iter().for_each(|wrap| write_wrap(doc, &wrap.kind));
                    doc.close();
                }
            }
        });
    }

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

    pub(super) fn keys(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("keyframe", |doc| {
            for (i, key) in spec.keys.iter().enumerate() {
                let attributes = self.key(i, key);
                doc.element("key", &attributes);
            }
        });
    }

    /// A keyframe: as written, or, when it follows its objects, as compiled.
    fn key(&self, i: usize, key: &Key) -> Attributes {
        let mut a = Attributes::default();
        a.word("name", &key.name);
        if key.time != 0.0 {
            a.number("time", key.time);
        }
        let Some(m) = self.compiled.as_ref().filter(|_| self.spec.follows(key)) else {
            a.list("qpos", &key.qpos);
            a.list("qvel", &key.qvel);
            a.list("act", &key.act);
            a.list("ctrl", &key.ctrl);
            a.list("mpos", &key.mpos);
            a.list("mquat", &key.mquat);
            return a;
        };
        a.list("qpos", &m.key_qpos[i * m.nq..][..m.nq]);
        a.list("qvel", &m.key_qvel[i * m.nv..][..m.nv]);
        a.list("act", &m.key_act[i * m.na..][..m.na]);
        a.list("ctrl", &m.key_ctrl[i * m.nu..][..m.nu]);
        a.list("mpos", &m.key_mpos[i * 3 * m.nmocap..][..3 * m.nmocap]);
        a.list("mquat", &m.key_mquat[i * 4 * m.nmocap..][..4 * m.nmocap]);
        a
    }
}

/// Adds what an equality joins, and returns the name of its element.
fn objects(e: &Equality, a: &mut Attributes) -> &'static str {
    let (first, second) = match (e.etype, e.objtype) {
        (EqType::Joint, _) => ("joint1", "joint2"),
        (EqType::Tendon, _) => ("tendon1", "tendon2"),
        (_, ObjType::Site) => ("site1", "site2"),
        _ => ("body1", "body2"),
    };
    a.word(first, &e.name1);
    a.word(second, &e.name2);
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

/// The word for a kind of object.
pub(super) const fn object(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body => "body",
        ObjType::XBody => "xbody",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Mesh => "mesh",
        ObjType::HField => "hfield",
        ObjType::Texture => "texture",
        ObjType::Material => "material",
        ObjType::Pair => "pair",
        ObjType::Exclude => "exclude",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Sensor => "sensor",
        ObjType::Numeric => "numeric",
        ObjType::Text => "text",
        ObjType::Tuple => "tuple",
        ObjType::Key => "key",
        _ => "unknown",
    }
}
