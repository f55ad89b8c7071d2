//! `sensor` section.

use super::Reader;
use super::actuator::INTERPOLATIONS;
use super::attributes::Keywords;
use crate::error::ErrorKind;
use crate::spec::Sensor;
use crate::xml::NodeId;
use sim_core::types::{DataType, ObjType, SensorStage, SensorType};

/// Attributes by which a sensor refers to its objects.
#[derive(Clone, Copy)]
enum Target {
    /// One object type, named by the attribute of that type.
    One(&'static str, ObjType),
    /// An object with a frame (`objtype`, `objname`), optionally relative to another.
    Frame,
    /// An object with a frame, tested against the volume of a site.
    InSite,
    /// A site projected to a camera image.
    InCamera,
    /// Rays from a site or from the pixels of a camera.
    Rays,
    /// Two geoms or bodies.
    Distance,
    /// Contacts that match up to two criteria.
    Contacts,
    /// A mesh of tactile points and a geom.
    Tactile,
    /// User-defined sensor.
    User,
    /// Sensor of a plugin.
    Plugin,
    /// No object: a global quantity.
    Global,
}

const SITE: Target = Target::One("site", ObjType::Site);
const JOINT: Target = Target::One("joint", ObjType::Joint);
const TENDON: Target = Target::One("tendon", ObjType::Tendon);
const ACTUATOR: Target = Target::One("actuator", ObjType::Actuator);
const BODY: Target = Target::One("body", ObjType::Body);

/// All sensor types.
const SENSORS: &[(&str, SensorType, Target)] = &[
    ("touch", SensorType::Touch, SITE),
    ("accelerometer", SensorType::Accelerometer, SITE),
    ("velocimeter", SensorType::Velocimeter, SITE),
    ("gyro", SensorType::Gyro, SITE),
    ("force", SensorType::Force, SITE),
    ("torque", SensorType::Torque, SITE),
    ("magnetometer", SensorType::Magnetometer, SITE),
    ("camprojection", SensorType::CamProjection, Target::InCamera),
    ("rangefinder", SensorType::Rangefinder, Target::Rays),
    ("jointpos", SensorType::JointPos, JOINT),
    ("jointvel", SensorType::JointVel, JOINT),
    ("jointactuatorfrc", SensorType::JointActFrc, JOINT),
    ("tendonpos", SensorType::TendonPos, TENDON),
    ("tendonvel", SensorType::TendonVel, TENDON),
    ("tendonactuatorfrc", SensorType::TendonActFrc, TENDON),
    ("ballquat", SensorType::BallQuat, JOINT),
    ("ballangvel", SensorType::BallAngVel, JOINT),
    ("jointlimitpos", SensorType::JointLimitPos, JOINT),
    ("jointlimitvel", SensorType::JointLimitVel, JOINT),
    ("jointlimitfrc", SensorType::JointLimitFrc, JOINT),
    ("tendonlimitpos", SensorType::TendonLimitPos, TENDON),
    ("tendonlimitvel", SensorType::TendonLimitVel, TENDON),
    ("tendonlimitfrc", SensorType::TendonLimitFrc, TENDON),
    ("actuatorpos", SensorType::ActuatorPos, ACTUATOR),
    ("actuatorvel", SensorType::ActuatorVel, ACTUATOR),
    ("actuatorfrc", SensorType::ActuatorFrc, ACTUATOR),
    ("framepos", SensorType::FramePos, Target::Frame),
    ("framequat", SensorType::FrameQuat, Target::Frame),
    ("framexaxis", SensorType::FrameXAxis, Target::Frame),
    ("frameyaxis", SensorType::FrameYAxis, Target::Frame),
    ("framezaxis", SensorType::FrameZAxis, Target::Frame),
    ("framelinvel", SensorType::FrameLinVel, Target::Frame),
    ("frameangvel", SensorType::FrameAngVel, Target::Frame),
    ("framelinacc", SensorType::FrameLinAcc, Target::Frame),
    ("frameangacc", SensorType::FrameAngAcc, Target::Frame),
    ("subtreecom", SensorType::SubtreeCom, BODY),
    ("subtreelinvel", SensorType::SubtreeLinVel, BODY),
    ("subtreeangmom", SensorType::SubtreeAngMom, BODY),
    ("insidesite", SensorType::InsideSite, Target::InSite),
    ("distance", SensorType::GeomDist, Target::Distance),
    ("normal", SensorType::GeomNormal, Target::Distance),
    ("fromto", SensorType::GeomFromTo, Target::Distance),
    ("contact", SensorType::Contact, Target::Contacts),
    ("e_potential", SensorType::EPotential, Target::Global),
    ("e_kinetic", SensorType::EKinetic, Target::Global),
    ("clock", SensorType::Clock, Target::Global),
    ("tactile", SensorType::Tactile, Target::Tactile),
    ("user", SensorType::User, Target::User),
    ("plugin", SensorType::Plugin, Target::Plugin),
];

/// MJCF element name of a sensor type.
pub(crate) fn sensor_element(stype: SensorType) -> &'static str {
    SENSORS.iter().find(|row| row.1 == stype).map_or("plugin", |row| row.0)
}

/// Object types with a frame.
const FRAME_TYPES: Keywords<ObjType> = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::XBody),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
];

/// All named object types.
const OBJECT_TYPES: Keywords<ObjType> = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::XBody),
    ("joint", ObjType::Joint),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
    ("light", ObjType::Light),
    ("flex", ObjType::Flex),
    ("mesh", ObjType::Mesh),
    ("skin", ObjType::Skin),
    ("hfield", ObjType::HField),
    ("texture", ObjType::Texture),
    ("material", ObjType::Material),
    ("pair", ObjType::Pair),
    ("exclude", ObjType::Exclude),
    ("equality", ObjType::Equality),
    ("tendon", ObjType::Tendon),
    ("actuator", ObjType::Actuator),
    ("sensor", ObjType::Sensor),
    ("numeric", ObjType::Numeric),
    ("text", ObjType::Text),
    ("tuple", ObjType::Tuple),
    ("key", ObjType::Key),
];

/// Data fields of a rangefinder, by bit (mjtRayDataField).
const RAY_DATA: [&str; 6] = ["dist", "dir", "origin", "point", "normal", "depth"];
/// Data fields of a contact sensor, by bit (mjtConDataField).
const CONTACT_DATA: [&str; 7] = ["found", "force", "torque", "dist", "pos", "normal", "tangent"];

impl Reader<'_> {
    pub(super) fn sensors(&mut self, id: NodeId) {
        for child in self.children(id) {
            let name = self.name(child);
            if let Some(&(element, stype, target)) = SENSORS.iter().find(|row| row.0 == name) {
                self.sensor(child, element, stype, target);
            }
        }
    }

    fn sensor(&mut self, id: NodeId, element: &'static str, stype: SensorType, target: Target) {
        let origin = self.origin(id);
        let mut sensor = Sensor { element, stype, origin, ..Sensor::default() };
        let s = &mut sensor;
        self.text(id, "name", &mut s.name);
        self.real(id, "cutoff", &mut s.cutoff);
        self.real(id, "noise", &mut s.noise);
        self.int(id, "nsample", &mut s.nsample);
        self.keyword(id, "interp", INTERPOLATIONS, &mut s.interp);
        self.real(id, "delay", &mut s.delay);
        self.vector(id, "interval", &mut s.interval);
        self.user(id, &mut s.user);
        match target {
            Target::One(attribute, objtype) => {
                s.objtype = objtype;
                self.text(id, attribute, &mut s.objname);
            }
            Target::Frame => {
                self.frame_type(id, "objtype", &mut s.objtype);
                self.text(id, "objname", &mut s.objname);
                let kind = self.dom.attr(id, "reftype").is_some();
                if self.text(id, "refname", &mut s.refname) != kind {
                    let missing = if kind { "refname" } else { "reftype" };
                    self.error(id, Some(missing), ErrorKind::MissingAttribute);
                }
                self.frame_type(id, "reftype", &mut s.reftype);
            }
            Target::InSite => {
                self.frame_type(id, "objtype", &mut s.objtype);
                self.text(id, "objname", &mut s.objname);
                s.reftype = ObjType::Site;
                self.text(id, "site", &mut s.refname);
            }
            Target::InCamera => {
                (s.objtype, s.reftype) = (ObjType::Site, ObjType::Camera);
                self.text(id, "site", &mut s.objname);
                self.text(id, "camera", &mut s.refname);
            }
            Target::Rays => self.rays(id, s),
            Target::Distance => {
                self.one_of(id, &["body1", "geom1"], &mut s.objtype, &mut s.objname, true);
                self.one_of(id, &["body2", "geom2"], &mut s.reftype, &mut s.refname, true);
            }
            Target::Contacts => self.contacts(id, s),
            Target::Tactile => {
                (s.objtype, s.reftype) = (ObjType::Mesh, ObjType::Geom);
                self.text(id, "mesh", &mut s.objname);
                self.text(id, "geom", &mut s.refname);
            }
            Target::User => self.user_sensor(id, s),
            Target::Plugin => {
                s.plugin = Some(self.plugin_ref(id));
                self.optional_object(id, ["objtype", "objname"], &mut s.objtype, &mut s.objname);
                self.optional_object(id, ["reftype", "refname"], &mut s.reftype, &mut s.refname);
            }
            Target::Global => {}
        }
        self.spec.sensors.push(sensor);
    }

    fn rays(&mut self, id: NodeId, s: &mut Sensor) {
        self.one_of(id, &["site", "camera"], &mut s.objtype, &mut s.objname, true);
        s.intprm[0] = self.data_bits(id, &RAY_DATA);
    }

    fn contacts(&mut self, id: NodeId, s: &mut Sensor) {
        let first = ["site", "body1", "subtree1", "geom1"];
        self.one_of(id, &first, &mut s.objtype, &mut s.objname, false);
        let second = ["body2", "subtree2", "geom2"];
        self.one_of(id, &second, &mut s.reftype, &mut s.refname, false);
        s.intprm = [self.data_bits(id, &CONTACT_DATA), 0, 1];
        self.keyword(
            id,
            "reduce",
            &[("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)],
            &mut s.intprm[1],
        );
        if self.int(id, "num", &mut s.intprm[2]) && s.intprm[2] <= 0 {
            self.invalid(id, Some("num"), "must be positive");
        }
    }

    fn user_sensor(&mut self, id: NodeId, s: &mut Sensor) {
        self.optional_object(id, ["objtype", "objname"], &mut s.objtype, &mut s.objname);
        self.int(id, "dim", &mut s.dim);
        self.keyword(
            id,
            "needstage",
            &[
                ("none", SensorStage::None),
                ("pos", SensorStage::Pos),
                ("vel", SensorStage::Vel),
                ("acc", SensorStage::Acc),
            ],
            &mut s.needstage,
        );
        self.keyword(
            id,
            "datatype",
            &[
                ("real", DataType::Real),
                ("positive", DataType::Positive),
                ("axis", DataType::Axis),
                ("quaternion", DataType::Quaternion),
            ],
            &mut s.datatype,
        );
    }

    /// An object of any type, whose type and name are both given or both absent.
    fn optional_object(
        &mut self,
        id: NodeId,
        [type_attribute, name_attribute]: [&str; 2],
        kind: &mut ObjType,
        name: &mut String,
    ) {
        let typed = self.dom.attr(id, type_attribute).is_some();
        if self.text(id, name_attribute, name) != typed {
            let missing = if typed { name_attribute } else { type_attribute };
            self.error(id, Some(missing), ErrorKind::MissingAttribute);
        }
        self.object_type(id, type_attribute, kind);
    }

    /// Reads one of several exclusive attributes, which determines the object type.
    fn one_of(
        &mut self,
        id: NodeId,
        attributes: &[&str],
        kind: &mut ObjType,
        name: &mut String,
        required: bool,
    ) {
        let given: Vec<&str> =
            attributes.iter().copied().filter(|a| self.dom.attr(id, a).is_some()).collect();
        let list = attributes.join("`, `");
        match given[..] {
            [] if required => self.invalid(id, None, format!("requires one of `{list}`")),
            [] => {}
            [attribute] => {
                self.text(id, attribute, name);
                *kind = match attribute.trim_end_matches(['1', '2']) {
                    "site" => ObjType::Site,
                    "camera" => ObjType::Camera,
                    "geom" => ObjType::Geom,
                    "subtree" => ObjType::XBody,
                    _ => ObjType::Body,
                };
            }
            [_, second, ..] => {
                self.invalid(id, Some(second), format!("is exclusive: use only one of `{list}`"));
            }
        }
    }

    /// Bit mask of `data`; the keywords must be in the order of the bits.
    fn data_bits(&mut self, id: NodeId, words: &[&str]) -> i32 {
        let text = self.dom.attr(id, "data").unwrap_or_default();
        let bits: Vec<usize> = text
            .split_ascii_whitespace()
            .filter_map(|word| words.iter().position(|w| *w == word))
            .collect();
        if bits.windows(2).any(|pair| pair[0] >= pair[1]) {
            let message = format!("must be in the order {}", words.join(", "));
            self.invalid(id, Some("data"), message);
        }
        if bits.is_empty() { 1 } else { bits.iter().fold(0, |all, bit| all | 1 << bit) }
    }

    fn frame_type(&mut self, id: NodeId, attribute: &str, target: &mut ObjType) {
        self.object_type_of(id, attribute, FRAME_TYPES, target);
    }

    /// Type of a named object.
    pub(super) fn object_type(&mut self, id: NodeId, attribute: &str, target: &mut ObjType) {
        self.object_type_of(id, attribute, OBJECT_TYPES, target);
    }

    fn object_type_of(
        &mut self,
        id: NodeId,
        attribute: &str,
        words: Keywords<ObjType>,
        target: &mut ObjType,
    ) {
        if self.keyword(id, attribute, words, target) {
            return;
        }
        // As in MuJoCo, an empty type is allowed and the reference is ignored.
        if let Some(word) = self.dom.attr(id, attribute).filter(|word| !word.is_empty()) {
            let allowed: Vec<_> = words.iter().map(|(w, _)| (*w).to_owned()).collect();
            let suggestion =
                crate::schema::nearest(word, words.iter().map(|(w, _)| *w)).map(ToOwned::to_owned);
            let kind = ErrorKind::BadKeyword { word: word.to_owned(), allowed, suggestion };
            self.error(id, Some(attribute), kind);
        }
    }
}
