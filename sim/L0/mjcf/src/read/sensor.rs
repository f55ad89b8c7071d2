//! `sensor`.

use super::Reader;
use super::attributes::Words;
use crate::error::ErrorKind;
use crate::spec::Sensor;
use crate::xml::NodeId;
use sim_core::types::{ObjType, SensorType};
use std::sync::Arc;

/// The attribute that names the sensorised object, and the object's kind.
#[derive(Clone, Copy)]
enum Target {
    /// One kind, named by the attribute of that kind.
    One(&'static str, ObjType),
    /// Anything with a frame, given by `objtype` and `objname`.
    Frame,
    /// Nothing: a property of the whole model.
    Model,
}

const SITE: Target = Target::One("site", ObjType::Site);
const JOINT: Target = Target::One("joint", ObjType::Joint);
const ACTUATOR: Target = Target::One("actuator", ObjType::Actuator);
const BODY: Target = Target::One("body", ObjType::Body);

/// Every sensor that this version reads.
const SENSORS: &[(&str, SensorType, Target)] = &[
    ("accelerometer", SensorType::Accelerometer, SITE),
    ("velocimeter", SensorType::Velocimeter, SITE),
    ("gyro", SensorType::Gyro, SITE),
    ("force", SensorType::Force, SITE),
    ("torque", SensorType::Torque, SITE),
    ("magnetometer", SensorType::Magnetometer, SITE),
    ("jointpos", SensorType::JointPos, JOINT),
    ("jointvel", SensorType::JointVel, JOINT),
    ("jointactuatorfrc", SensorType::JointActFrc, JOINT),
    ("ballquat", SensorType::BallQuat, JOINT),
    ("ballangvel", SensorType::BallAngVel, JOINT),
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
    ("e_potential", SensorType::EPotential, Target::Model),
    ("e_kinetic", SensorType::EKinetic, Target::Model),
    ("clock", SensorType::Clock, Target::Model),
];

/// Objects that have a frame.
const FRAMES: Words<ObjType> = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::XBody),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
];

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
        let mut sensor = Sensor {
            name: String::new(),
            element,
            stype,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            cutoff: 0.0,
            noise: 0.0,
            user: Arc::default(),
            origin: self.origin(id),
        };
        self.text(id, "name", &mut sensor.name);
        self.real(id, "cutoff", &mut sensor.cutoff);
        self.real(id, "noise", &mut sensor.noise);
        self.user(id, &mut sensor.user);
        match target {
            Target::One(attribute, objtype) => {
                sensor.objtype = objtype;
                self.text(id, attribute, &mut sensor.objname);
            }
            Target::Frame => {
                self.frame_kind(id, "objtype", &mut sensor.objtype);
                self.text(id, "objname", &mut sensor.objname);
                let kind = self.dom.attr(id, "reftype").is_some();
                if self.text(id, "refname", &mut sensor.refname) != kind {
                    let missing = if kind { "refname" } else { "reftype" };
                    self.error(id, Some(missing), ErrorKind::MissingAttribute);
                }
                self.frame_kind(id, "reftype", &mut sensor.reftype);
            }
            Target::Model => {}
        }
        self.spec.sensors.push(sensor);
    }

    fn frame_kind(&mut self, id: NodeId, attribute: &str, target: &mut ObjType) {
        if self.keyword(id, attribute, FRAMES, target) {
            return;
        }
        // An empty word is no kind; MuJoCo then ignores the name of the reference.
        if let Some(word) = self.dom.attr(id, attribute).filter(|word| !word.is_empty()) {
            let allowed: Vec<_> = FRAMES.iter().map(|(w, _)| (*w).to_owned()).collect();
            let suggestion =
                crate::schema::nearest(word, FRAMES.iter().map(|(w, _)| *w)).map(ToOwned::to_owned);
            let kind = ErrorKind::BadKeyword { word: word.to_owned(), allowed, suggestion };
            self.error(id, Some(attribute), kind);
        }
    }
}
