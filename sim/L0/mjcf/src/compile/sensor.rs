//! Sensors.

use super::Context;
use super::body::Tree;
use super::lower::{id, optional, user};
use super::order::Order;
use super::relations::Relations;
use crate::error::ErrorKind;
use crate::spec::Sensor;
use sim_core::Model;
use sim_core::types::{DataType, JointType, ObjType, SensorStage, SensorType};

/// A sensor.
#[derive(Debug)]
pub(super) struct SensorOut<'a> {
    pub(super) spec: &'a Sensor,
    pub(super) object: Option<usize>,
    pub(super) reference: Option<usize>,
    pub(super) dim: usize,
    pub(super) stage: SensorStage,
    pub(super) datatype: DataType,
}

pub(super) fn sensor<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    tree: &Tree<'a>,
    s: &'a Sensor,
) -> Option<SensorOut<'a>> {
    let (origin, element) = (s.origin, s.element);
    context.check_user(origin, element, &s.user, context.spec.size.nuser_sensor, "nuser_sensor");
    for (name, value) in [("noise", s.noise), ("cutoff", s.cutoff)] {
        if value < 0.0 {
            context.invalid(origin, element, Some(name), "cannot be negative");
        }
    }
    let Some((dim, stage, datatype)) = reading(s.stype) else {
        let kind = ErrorKind::Unsupported(format!("a sensor of type {:?}", s.stype));
        context.error(origin, element, None, kind);
        return None;
    };
    if s.cutoff > 0.0 && matches!(datatype, DataType::Axis | DataType::Quaternion) {
        context.invalid(
            origin,
            element,
            Some("cutoff"),
            "cannot be applied to an axis or quaternion",
        );
    }
    let object = match s.objtype {
        ObjType::Unknown => None,
        kind => {
            let frame = s.element.starts_with("frame");
            let attribute = if frame { "objname" } else { object_name(kind) };
            Some(find(context, order, kind, &s.objname, (origin, element, attribute))?)
        }
    };
    let reference = match s.reftype {
        ObjType::Unknown => None,
        kind => Some(find(context, order, kind, &s.refname, (origin, element, "refname"))?),
    };
    let joint = object.filter(|_| s.objtype == ObjType::Joint).map(|id| tree.joints[id].spec.jtype);
    let ball = matches!(s.stype, SensorType::BallQuat | SensorType::BallAngVel);
    let message = match joint {
        Some(JointType::Ball) if !ball => "needs a hinge or slide joint, and this is a ball joint",
        Some(JointType::Free) if !ball => "needs a hinge or slide joint, and this is a free joint",
        Some(JointType::Hinge | JointType::Slide | JointType::Free) if ball => "needs a ball joint",
        _ => "",
    };
    if !message.is_empty() {
        context.invalid(origin, element, Some("joint"), message);
    }
    Some(SensorOut { spec: s, object, reference, dim, stage, datatype })
}

const fn object_name(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body | ObjType::XBody => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        _ => "actuator",
    }
}

fn find(
    context: &mut Context<'_, '_>,
    order: &Order<'_>,
    kind: ObjType,
    name: &str,
    place: (crate::spec::Origin, &str, &str),
) -> Option<usize> {
    let names = match kind {
        ObjType::Body | ObjType::XBody => &order.body,
        ObjType::Joint => &order.joint,
        ObjType::Geom => &order.geom,
        ObjType::Site => &order.site,
        ObjType::Camera => &order.camera,
        _ => &order.actuator,
    };
    order.find(context, names, object_name(kind), name, place)
}

/// How many numbers a sensor reads, when, and of what kind; `None` if it cannot be compiled yet.
const fn reading(sensor: SensorType) -> Option<(usize, SensorStage, DataType)> {
    use DataType::{Axis, Quaternion, Real};
    use SensorStage::{Acc, Pos, Vel};
    use SensorType as S;
    Some(match sensor {
        S::JointPos | S::ActuatorPos | S::EPotential | S::EKinetic | S::Clock => (1, Pos, Real),
        S::JointVel | S::ActuatorVel => (1, Vel, Real),
        S::JointActFrc | S::ActuatorFrc => (1, Acc, Real),
        S::BallQuat | S::FrameQuat => (4, Pos, Quaternion),
        S::FrameXAxis | S::FrameYAxis | S::FrameZAxis => (3, Pos, Axis),
        S::Magnetometer | S::FramePos | S::SubtreeCom => (3, Pos, Real),
        S::Velocimeter | S::Gyro | S::BallAngVel => (3, Vel, Real),
        S::FrameLinVel | S::FrameAngVel | S::SubtreeLinVel | S::SubtreeAngMom => (3, Vel, Real),
        S::Accelerometer | S::Force | S::Torque => (3, Acc, Real),
        S::FrameLinAcc | S::FrameAngAcc => (3, Acc, Real),
        _ => return None,
    })
}

/// Fills the arrays of sensors.
pub(super) fn lower(relations: &Relations<'_>, m: &mut Model) {
    m.sensor_plugin.fill(-1);
    m.sensor_historyadr.fill(-1);
    let mut adr = 0;
    for (i, x) in relations.sensors.iter().enumerate() {
        let s = x.spec;
        m.sensor_type[i] = s.stype;
        m.sensor_datatype[i] = x.datatype;
        m.sensor_needstage[i] = x.stage;
        m.sensor_objtype[i] = s.objtype;
        m.sensor_objid[i] = optional(x.object);
        m.sensor_reftype[i] = if x.reference.is_some() { s.reftype } else { ObjType::Unknown };
        m.sensor_refid[i] = optional(x.reference);
        m.sensor_dim[i] = id(x.dim);
        m.sensor_adr[i] = id(adr);
        adr += x.dim;
        m.sensor_cutoff[i] = s.cutoff;
        m.sensor_noise[i] = s.noise;
        user(&mut m.sensor_user, i, m.nuser_sensor, &s.user);
    }
}
