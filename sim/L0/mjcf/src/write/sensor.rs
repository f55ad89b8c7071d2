//! `sensor` section.

use super::actuator::interp;
use super::custom::object;
use super::element::{Attributes, Document};
use super::{Writer, plugin};
use crate::spec::Sensor;
use sim_core::types::{DataType, ObjType, SensorStage, SensorType};

impl Writer<'_> {
    pub(super) fn sensors(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("sensor", |doc| {
            for s in &spec.sensors {
                doc.open(s.element, &sensor(s));
                plugin::config(doc, s.plugin.as_deref().map_or(&[], |p| &p.config));
                doc.close();
            }
        });
    }
}

fn sensor(s: &Sensor) -> Attributes {
    let mut a = Attributes::default();
    a.word("name", &s.name);
    target(s, &mut a);
    if s.cutoff != 0.0 {
        a.number("cutoff", s.cutoff);
    }
    if s.noise != 0.0 {
        a.number("noise", s.noise);
    }
    if s.nsample != 0 {
        a.number("nsample", s.nsample);
        a.text("interp", interp(s.interp));
    }
    if s.delay != 0.0 {
        a.number("delay", s.delay);
    }
    if s.interval != [0.0; 2] {
        a.numbers("interval", &s.interval);
    }
    a.list("user", &s.user);
    a
}

/// Attributes of the sensed and reference objects.
fn target(s: &Sensor, a: &mut Attributes) {
    use SensorType as S;
    match s.stype {
        S::CamProjection => {
            a.word("site", &s.objname);
            a.word("camera", &s.refname);
        }
        S::Rangefinder => {
            a.word(if s.objtype == ObjType::Camera { "camera" } else { "site" }, &s.objname);
            let words = ["dist", "dir", "origin", "point", "normal", "depth"];
            a.text("data", bits(s.intprm[0], &words));
        }
        S::InsideSite => {
            a.word("site", &s.refname);
            a.text("objtype", object(s.objtype));
            a.word("objname", &s.objname);
        }
        S::GeomDist | S::GeomNormal | S::GeomFromTo => {
            a.word(if s.objtype == ObjType::Body { "body1" } else { "geom1" }, &s.objname);
            a.word(if s.reftype == ObjType::Body { "body2" } else { "geom2" }, &s.refname);
        }
        S::Contact => contact(s, a),
        S::Tactile => {
            a.word("mesh", &s.objname);
            a.word("geom", &s.refname);
        }
        S::User => user(s, a),
        S::Plugin => {
            if let Some(plugin) = &s.plugin {
                plugin::attributes(plugin, a);
            }
            for (kind, name, [type_attribute, name_attribute]) in [
                (s.objtype, &s.objname, ["objtype", "objname"]),
                (s.reftype, &s.refname, ["reftype", "refname"]),
            ] {
                if kind != ObjType::Unknown {
                    a.text(type_attribute, object(kind));
                    a.word(name_attribute, name);
                }
            }
        }
        _ if s.element.starts_with("frame") => {
            a.text("objtype", object(s.objtype));
            a.word("objname", &s.objname);
            if s.reftype != ObjType::Unknown {
                a.text("reftype", object(s.reftype));
                a.word("refname", &s.refname);
            }
        }
        _ => {
            let attribute = match s.objtype {
                ObjType::Joint => "joint",
                ObjType::Tendon => "tendon",
                ObjType::Actuator => "actuator",
                ObjType::Body => "body",
                _ => "site",
            };
            a.word(attribute, &s.objname);
        }
    }
}

fn contact(s: &Sensor, a: &mut Attributes) {
    let first = match s.objtype {
        ObjType::Site => "site",
        ObjType::Body => "body1",
        ObjType::XBody => "subtree1",
        _ => "geom1",
    };
    let second = match s.reftype {
        ObjType::Body => "body2",
        ObjType::XBody => "subtree2",
        _ => "geom2",
    };
    a.word(first, &s.objname);
    a.word(second, &s.refname);
    let words = ["found", "force", "torque", "dist", "pos", "normal", "tangent"];
    a.text("data", bits(s.intprm[0], &words));
    let reduce = ["none", "mindist", "maxforce", "netforce"];
    let index = usize::try_from(s.intprm[1]).unwrap_or(0);
    a.text("reduce", *reduce.get(index).unwrap_or(&"none"));
    a.number("num", s.intprm[2]);
}

fn user(s: &Sensor, a: &mut Attributes) {
    if s.objtype != ObjType::Unknown {
        a.text("objtype", object(s.objtype));
        a.word("objname", &s.objname);
    }
    a.number("dim", s.dim);
    a.text(
        "needstage",
        match s.needstage {
            SensorStage::None => "none",
            SensorStage::Pos => "pos",
            SensorStage::Vel => "vel",
            SensorStage::Acc => "acc",
        },
    );
    a.text(
        "datatype",
        match s.datatype {
            DataType::Real => "real",
            DataType::Positive => "positive",
            DataType::Axis => "axis",
            DataType::Quaternion => "quaternion",
        },
    );
}

/// Keywords of the set bits.
fn bits(bits: i32, words: &[&str]) -> String {
    let set = words.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
    set.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}
