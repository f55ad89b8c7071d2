//! Compilation of sensors (mjCSensor).

use super::Context;
use super::actuator::CompiledActuator;
use super::body::Tree;
use super::lower::{id, optional, row, user};
use super::nontree::NonTreeElements;
use super::plugin::Plugins;
use super::symbols::SymbolTable;
use super::tendon::CompiledTendon;
use crate::spec::Sensor;
use sim_core::types::{DataType, GeomType, JointType, ObjType, SensorStage, SensorType};
use sim_core::{Capabilities, Model};

/// Maximum number of samples of a history buffer.
const MAX_SAMPLES: i32 = 1 << 24;
/// Maximum dimension of a sensor.
const MAX_DIM: usize = 1 << 28;
/// Dimension of each `data` field of a rangefinder (mjtRayDataField).
const RAY_SIZES: [usize; 6] = [1, 3, 3, 3, 3, 1];
/// Dimension of each `data` field of a contact sensor (mjtConDataField).
const CONTACT_SIZES: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// A compiled sensor.
#[derive(Debug)]
pub(super) struct CompiledSensor<'a> {
    pub(super) spec: &'a Sensor,
    pub(super) object: Option<usize>,
    pub(super) reference: Option<usize>,
    pub(super) dim: usize,
    pub(super) stage: SensorStage,
    pub(super) datatype: DataType,
    pub(super) plugin: Option<usize>,
}

impl CompiledSensor<'_> {
    /// Length of its history buffer: user value, cursor, times and readings.
    pub(super) fn history(&self) -> usize {
        match usize::try_from(self.spec.nsample) {
            Ok(samples) if samples > 0 => {
                samples.saturating_mul(self.dim.saturating_add(1)).saturating_add(2)
            }
            _ => 0,
        }
    }
}

/// Objects that sensors refer to.
pub(super) struct Objects<'o, 't, 'a> {
    pub(super) symbols: &'o SymbolTable<'a>,
    pub(super) plugins: &'o Plugins<'a>,
    pub(super) tree: &'t Tree<'a>,
    pub(super) tendons: &'o [CompiledTendon<'a>],
    /// Number of vertices of each mesh.
    pub(super) vertices: &'o [usize],
}

pub(super) fn sensor<'a>(
    context: &mut Context<'a, '_>,
    objects: &Objects<'_, '_, 'a>,
    s: &'a Sensor,
) -> Option<CompiledSensor<'a>> {
    let (origin, element) = (s.origin, s.element);
    context.check_user(origin, element, &s.user, context.spec.size.nuser_sensor, "nuser_sensor");
    check_values(context, s);
    let find = |context: &mut Context<'_, '_>, kind, name: &str, attribute| {
        objects.symbols.find_object(context, kind, name, (origin, element, attribute))
    };
    let object = match s.objtype {
        ObjType::Unknown => None,
        kind => Some(find(context, kind, &s.objname, object_attribute(s))?),
    };
    let reference = match s.reftype {
        ObjType::Unknown => None,
        kind => Some(find(context, kind, &s.refname, reference_attribute(s))?),
    };
    if let Some((kind, word)) = required_kind(s.stype)
        && s.objtype != kind
    {
        context.invalid(origin, element, None, format!("must be attached to {word}"));
        return None;
    }
    check_target(context, objects, s, object, reference);
    let sensing = (Capabilities::SENSOR, "sensors");
    let plugin = objects.plugins.find(context, s.plugin.as_deref(), sensing);
    let mut dim = dimension(objects, s, object);
    let (stage, datatype) = match s.stype {
        SensorType::User => (s.needstage, s.datatype),
        SensorType::Plugin => {
            let readings = objects.plugins.sensor(context, plugin?, origin)?;
            dim = readings.0;
            (readings.1, DataType::Real)
        }
        stype => (stage(stype), datatype(stype)),
    };
    if dim > MAX_DIM {
        let message = format!("dimension {dim} exceeds the maximum of {MAX_DIM}");
        context.invalid(origin, element, None, message);
        return None;
    }
    let direction = datatype == DataType::Axis && s.stype != SensorType::GeomNormal;
    if s.cutoff > 0.0 && (direction || datatype == DataType::Quaternion) {
        let message = "cannot be applied to an axis or quaternion";
        context.invalid(origin, element, Some("cutoff"), message);
    }
    Some(CompiledSensor { spec: s, object, reference, dim, stage, datatype, plugin })
}

fn check_values(context: &mut Context<'_, '_>, s: &Sensor) {
    let mut invalid = |attribute, message: &str| {
        context.invalid(s.origin, s.element, Some(attribute), message);
    };
    for (name, value) in [("noise", s.noise), ("cutoff", s.cutoff)] {
        if value < 0.0 {
            invalid(name, "must not be negative");
        }
    }
    let [period, phase] = s.interval;
    if period < 0.0 {
        invalid("interval", "the first value (the period) must not be negative");
    } else if phase > 0.0 {
        invalid("interval", "the second value (the phase) must not be positive");
    } else if period > 0.0 && phase <= -period {
        invalid("interval", "the second value (the phase) must be greater than minus the period");
    }
    if s.delay > 0.0 && s.nsample <= 0 {
        invalid("delay", "requires a history buffer: set `nsample`");
    }
    if s.nsample > MAX_SAMPLES {
        invalid("nsample", "must be at most 16777216");
    }
    for (attribute, message) in parameter_errors(s) {
        invalid(attribute, &message);
    }
    if s.stype == SensorType::User {
        match (s.datatype, s.dim) {
            (_, dim) if dim < 0 => invalid("dim", "must not be negative"),
            (DataType::Axis, dim) if dim != 3 => invalid("dim", "must be 3 for an axis"),
            (DataType::Quaternion, dim) if dim != 4 => invalid("dim", "must be 4 for a quaternion"),
            _ => {}
        }
    }
}

/// Object type that a sensor requires; `None` if several are possible.
const fn required_kind(sensor: SensorType) -> Option<(ObjType, &'static str)> {
    use SensorType as S;
    Some(match sensor {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => {
            (ObjType::Site, "a site")
        }
        S::Magnetometer | S::CamProjection => (ObjType::Site, "a site"),
        S::JointPos | S::JointVel | S::JointActFrc | S::BallQuat | S::BallAngVel => {
            (ObjType::Joint, "a joint")
        }
        S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => (ObjType::Joint, "a joint"),
        S::TendonPos | S::TendonVel | S::TendonActFrc => (ObjType::Tendon, "a tendon"),
        S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => (ObjType::Tendon, "a tendon"),
        S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => (ObjType::Actuator, "an actuator"),
        S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom => (ObjType::Body, "a body"),
        S::Tactile => (ObjType::Mesh, "a mesh"),
        _ => return None,
    })
}

/// Object type that a sensor requires, if it is unique.
pub(crate) fn sensor_objtype(sensor: SensorType) -> Option<ObjType> {
    required_kind(sensor).map(|(kind, _)| kind)
}

/// Errors of the integer parameters, which the reader checks but an edited spec may get wrong.
fn parameter_errors(s: &Sensor) -> Vec<(&'static str, String)> {
    let mut errors = Vec::new();
    let fields = match s.stype {
        SensorType::Rangefinder => RAY_SIZES.len(),
        SensorType::Contact => CONTACT_SIZES.len(),
        _ => return errors,
    };
    let [bits, reduction, count] = s.intprm;
    if bits <= 0 {
        errors.push(("data", format!("data spec (intprm[0]) must be positive, got {bits}")));
    } else if bits >> fields != 0 {
        let message = format!("data spec intprm[0]={bits} has bits beyond the {fields} fields");
        errors.push(("data", message));
    }
    if s.stype == SensorType::Contact {
        if !(0..4).contains(&reduction) {
            errors.push(("reduce", format!("intprm[1] must be 0 to 3, got {reduction}")));
        }
        if count <= 0 {
            errors.push(("num", format!("num (intprm[2]) must be positive, got {count}")));
        }
        let first = [ObjType::Unknown, ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site];
        if !first.contains(&s.objtype) {
            errors.push(("objtype", "must be a body, a subtree, a geom or a site".to_owned()));
        }
        if !first[..4].contains(&s.reftype) {
            errors.push(("reftype", "must be a body, a subtree or a geom".to_owned()));
        }
    }
    errors
}

/// Checks the requirements of a sensor on its objects.
fn check_target(
    context: &mut Context<'_, '_>,
    objects: &Objects<'_, '_, '_>,
    s: &Sensor,
    object: Option<usize>,
    reference: Option<usize>,
) {
    use SensorType as S;
    let joint = object.filter(|_| s.objtype == ObjType::Joint).map(|id| &objects.tree.joints[id]);
    let scalar = matches!(s.stype, S::JointPos | S::JointVel | S::JointActFrc);
    let ball = matches!(s.stype, S::BallQuat | S::BallAngVel);
    let limit = matches!(s.stype, S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc);
    let message = match joint.map(|j| j.spec.jtype) {
        Some(JointType::Ball) if scalar => {
            "requires a hinge or slide joint, but this is a ball joint"
        }
        Some(JointType::Free) if scalar => {
            "requires a hinge or slide joint, but this is a free joint"
        }
        Some(JointType::Hinge | JointType::Slide | JointType::Free) if ball => {
            "requires a ball joint"
        }
        Some(_) if limit && joint.is_some_and(|j| !j.limited) => {
            "requires a limited joint: set the `range` of the joint"
        }
        _ => "",
    };
    if !message.is_empty() {
        context.invalid(s.origin, s.element, Some("joint"), message);
    }
    let limit = matches!(s.stype, S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc);
    if limit && object.and_then(|id| objects.tendons.get(id)).is_some_and(|t| !t.limited) {
        let message = "requires a limited tendon: set the `range` of the tendon";
        context.invalid(s.origin, s.element, Some("tendon"), message);
    }
    if matches!(s.stype, S::GeomDist | S::GeomNormal | S::GeomFromTo) {
        if s.objtype == s.reftype && object == reference {
            context.invalid(s.origin, s.element, None, "the two objects must be different");
        }
        for (kind, id, attribute) in [(s.objtype, object, "geom1"), (s.reftype, reference, "geom2")]
        {
            let geom = id.filter(|_| kind == ObjType::Geom).map(|id| objects.tree.geoms[id].spec);
            if geom.is_some_and(|g| g.gtype == GeomType::HField) {
                let message = "distances to height fields are not supported";
                context.invalid(s.origin, s.element, Some(attribute), message);
            }
        }
    }
    if s.stype == S::CamProjection
        && reference.is_some_and(|id| objects.tree.cameras[id].spec.resolution.contains(&0))
    {
        let message = "requires a camera with a `resolution`";
        context.invalid(s.origin, s.element, Some("camera"), message);
    }
}

/// Name of the attribute of the sensed object.
fn object_attribute(s: &Sensor) -> &'static str {
    use SensorType as S;
    match (s.stype, s.objtype) {
        (S::GeomDist | S::GeomNormal | S::GeomFromTo | S::Contact, ObjType::Body) => "body1",
        (S::GeomDist | S::GeomNormal | S::GeomFromTo | S::Contact, ObjType::Geom) => "geom1",
        (S::Contact, ObjType::XBody) => "subtree1",
        (S::User | S::Plugin | S::InsideSite, _) => "objname",
        _ if s.element.starts_with("frame") => "objname",
        (_, ObjType::Body | ObjType::XBody) => "body",
        (_, ObjType::Joint) => "joint",
        (_, ObjType::Tendon) => "tendon",
        (_, ObjType::Camera) => "camera",
        (_, ObjType::Mesh) => "mesh",
        (_, ObjType::Actuator) => "actuator",
        _ => "site",
    }
}

/// Name of the attribute of the reference object.
fn reference_attribute(s: &Sensor) -> &'static str {
    use SensorType as S;
    match (s.stype, s.reftype) {
        (S::GeomDist | S::GeomNormal | S::GeomFromTo | S::Contact, ObjType::Body) => "body2",
        (S::GeomDist | S::GeomNormal | S::GeomFromTo | S::Contact, ObjType::Geom) => "geom2",
        (S::Contact, ObjType::XBody) => "subtree2",
        (S::InsideSite, _) => "site",
        (S::CamProjection, _) => "camera",
        (S::Tactile, _) => "geom",
        _ => "refname",
    }
}

/// `sensor_dim`.
fn dimension(objects: &Objects<'_, '_, '_>, s: &Sensor, object: Option<usize>) -> usize {
    use SensorType as S;
    let sizes = |list: &[usize]| -> usize {
        list.iter().enumerate().filter(|(bit, _)| s.intprm[0] >> bit & 1 == 1).map(|(_, n)| n).sum()
    };
    match s.stype {
        S::BallQuat | S::FrameQuat => 4,
        S::CamProjection => 2,
        S::GeomFromTo => 6,
        S::Magnetometer | S::FramePos | S::SubtreeCom | S::GeomNormal => 3,
        S::FrameXAxis | S::FrameYAxis | S::FrameZAxis => 3,
        S::Velocimeter | S::Gyro | S::BallAngVel => 3,
        S::FrameLinVel | S::FrameAngVel | S::SubtreeLinVel | S::SubtreeAngMom => 3,
        S::Accelerometer | S::Force | S::Torque | S::FrameLinAcc | S::FrameAngAcc => 3,
        S::Contact => {
            sizes(&CONTACT_SIZES).saturating_mul(usize::try_from(s.intprm[2]).unwrap_or(0))
        }
        S::Rangefinder => {
            let camera = object.filter(|_| s.objtype == ObjType::Camera);
            let rays = camera.map_or(1, |id| {
                let [w, h] = objects.tree.cameras[id].spec.resolution;
                usize::try_from(w).unwrap_or(0).saturating_mul(usize::try_from(h).unwrap_or(0))
            });
            sizes(&RAY_SIZES).saturating_mul(rays)
        }
        S::Tactile => 3 * object.and_then(|id| objects.vertices.get(id)).copied().unwrap_or(0),
        S::User => usize::try_from(s.dim).unwrap_or(0),
        _ => 1,
    }
}

/// `sensor_needstage`.
const fn stage(sensor: SensorType) -> SensorStage {
    use SensorType as S;
    match sensor {
        S::Touch | S::Accelerometer | S::Force | S::Torque | S::Contact | S::Tactile => {
            SensorStage::Acc
        }
        S::ActuatorFrc | S::JointActFrc | S::TendonActFrc | S::JointLimitFrc => SensorStage::Acc,
        S::TendonLimitFrc | S::FrameLinAcc | S::FrameAngAcc => SensorStage::Acc,
        S::Velocimeter | S::Gyro | S::JointVel | S::TendonVel | S::ActuatorVel => SensorStage::Vel,
        S::BallAngVel | S::JointLimitVel | S::TendonLimitVel | S::FrameLinVel => SensorStage::Vel,
        S::FrameAngVel | S::SubtreeLinVel | S::SubtreeAngMom => SensorStage::Vel,
        _ => SensorStage::Pos,
    }
}

/// `sensor_datatype`.
const fn datatype(sensor: SensorType) -> DataType {
    use SensorType as S;
    match sensor {
        S::Touch | S::InsideSite => DataType::Positive,
        S::FrameXAxis | S::FrameYAxis | S::FrameZAxis | S::GeomNormal => DataType::Axis,
        S::BallQuat | S::FrameQuat => DataType::Quaternion,
        _ => DataType::Real,
    }
}

/// Fills the sensor arrays of the model.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    let mut adr = 0;
    // History buffers of actuators precede those of sensors.
    let mut history = nontree.actuators.iter().map(CompiledActuator::history).sum::<usize>();
    for (i, x) in nontree.sensors.iter().enumerate() {
        let s = x.spec;
        m.sensor_type[i] = s.stype;
        m.sensor_plugin[i] = optional(x.plugin);
        m.sensor_datatype[i] = x.datatype;
        m.sensor_needstage[i] = x.stage;
        m.sensor_objtype[i] = s.objtype;
        m.sensor_objid[i] = optional(x.object);
        m.sensor_reftype[i] = s.reftype;
        m.sensor_refid[i] = optional(x.reference);
        m.sensor_dim[i] = id(x.dim);
        m.sensor_adr[i] = id(adr);
        adr += x.dim;
        m.sensor_cutoff[i] = s.cutoff;
        m.sensor_noise[i] = s.noise;
        row(&mut m.sensor_intprm, i, &s.intprm);
        m.sensor_delay[i] = s.delay;
        row(&mut m.sensor_interval, i, &s.interval);
        row(&mut m.sensor_history, i, &[s.nsample, s.interp as i32]);
        m.sensor_historyadr[i] = if x.history() == 0 { -1 } else { id(history) };
        history += x.history();
        user(&mut m.sensor_user, i, m.nuser_sensor, &s.user);
    }
}
