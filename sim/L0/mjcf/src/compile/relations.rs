//! Elements that refer to others by name: pairs, excludes, actuators, sensors, keyframes.

use super::Context;
use super::body::Tree;
use super::order::Order;
use crate::error::ErrorKind;
use crate::spec::{Actuator, Exclude, Pair, Sensor, Tri};
use sim_core::Model;
use sim_core::math::quat::{self, IDENTITY};
use sim_core::types::{
    BiasType, DataType, DynType, GainType, JointType, ObjType, SensorStage, SensorType,
    TransmissionType,
};

/// Everything that refers by name, resolved.
#[derive(Debug, Default)]
pub(super) struct Relations<'a> {
    pub(super) pairs: Vec<PairOut<'a>>,
    pub(super) excludes: Vec<ExcludeOut<'a>>,
    pub(super) actuators: Vec<ActuatorOut<'a>>,
    pub(super) sensors: Vec<SensorOut<'a>>,
    /// Number of keyframes, including the ones that `size nkey` adds.
    pub(super) nkey: usize,
}

/// A contact pair; geoms are ordered by their bodies.
#[derive(Debug)]
pub(super) struct PairOut<'a> {
    pub(super) spec: &'a Pair,
    pub(super) geom1: usize,
    pub(super) geom2: usize,
    pub(super) signature: i32,
}

/// An excluded body pair.
#[derive(Debug)]
pub(super) struct ExcludeOut<'a> {
    pub(super) spec: &'a Exclude,
    pub(super) signature: i32,
}

/// An actuator.
#[derive(Debug)]
pub(super) struct ActuatorOut<'a> {
    pub(super) spec: &'a Actuator,
    pub(super) target: usize,
    pub(super) ctrllimited: bool,
    pub(super) forcelimited: bool,
    pub(super) actlimited: bool,
    pub(super) actdim: usize,
}

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

/// Resolves names; pairs and excludes are sorted by signature.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    tree: &Tree<'a>,
) -> Relations<'a> {
    let spec = context.spec;
    let mut out = Relations {
        pairs: spec.pairs.iter().filter_map(|p| pair(context, order, tree, p)).collect(),
        excludes: spec.excludes.iter().filter_map(|e| exclude(context, order, e)).collect(),
        actuators: spec.actuators.iter().filter_map(|a| actuator(context, order, a)).collect(),
        sensors: spec.sensors.iter().filter_map(|s| sensor(context, order, tree, s)).collect(),
        nkey: spec.keys.len().max(usize::try_from(spec.size.nkey).unwrap_or(0)),
    };
    out.pairs.sort_by_key(|p| p.signature);
    out.excludes.sort_by_key(|e| e.signature);
    out
}

/// Two body ids in one number, the smaller in the upper half.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "body ids fit in 16 bits"
)]
fn signature(body1: usize, body2: usize) -> i32 {
    ((body1.min(body2) << 16) + body1.max(body2)) as u32 as i32
}

fn pair<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    tree: &Tree<'a>,
    p: &'a Pair,
) -> Option<PairOut<'a>> {
    if !matches!(p.condim, 1 | 3 | 4 | 6) {
        context.invalid(
            p.origin,
            "pair",
            Some("condim"),
            format!("{} is not 1, 3, 4 or 6", p.condim),
        );
    }
    let geom1 = order.find(context, &order.geom, "geom", &p.geom1, (p.origin, "pair", "geom1"));
    let geom2 = order.find(context, &order.geom, "geom", &p.geom2, (p.origin, "pair", "geom2"));
    let (geom1, geom2) = (geom1?, geom2?);
    let (body1, body2) = (tree.geoms[geom1].body, tree.geoms[geom2].body);
    let (geom1, geom2) = if body1 > body2 { (geom2, geom1) } else { (geom1, geom2) };
    Some(PairOut { spec: p, geom1, geom2, signature: signature(body1, body2) })
}

fn exclude<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    e: &'a Exclude,
) -> Option<ExcludeOut<'a>> {
    let body1 = order.find(context, &order.body, "body", &e.body1, (e.origin, "exclude", "body1"));
    let body2 = order.find(context, &order.body, "body", &e.body2, (e.origin, "exclude", "body2"));
    Some(ExcludeOut { spec: e, signature: signature(body1?, body2?) })
}

fn actuator<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    a: &'a Actuator,
) -> Option<ActuatorOut<'a>> {
    let (origin, element) = (a.origin, a.element);
    context.check_user(
        origin,
        element,
        &a.user,
        context.spec.size.nuser_actuator,
        "nuser_actuator",
    );
    let attribute = match a.trntype {
        TransmissionType::Joint | TransmissionType::Undefined => "joint",
        TransmissionType::JointInParent => "jointinparent",
        other => {
            let kind = ErrorKind::Unsupported(format!("a transmission of type {other:?}"));
            context.error(origin, element, None, kind);
            return None;
        }
    };
    let simple = a.dyntype == DynType::None
        && matches!(a.gaintype, GainType::Fixed | GainType::Affine)
        && matches!(a.biastype, BiasType::None | BiasType::Affine);
    if !simple {
        let what = format!(
            "dyntype {:?}, gaintype {:?}, biastype {:?}",
            a.dyntype, a.gaintype, a.biastype
        );
        context.error(origin, element, None, ErrorKind::Unsupported(what));
        return None;
    }
    let target =
        order.find(context, &order.joint, "joint", &a.target, (origin, element, attribute));
    let mut limit = |limited: Tri, range: [f64; 2], name: &str| {
        let active = context.limit((origin, element), name, limited, range);
        if active {
            context.check_range((origin, element), &format!("{name}range"), range);
        }
        active
    };
    let forcelimited = limit(a.forcelimited, a.forcerange, "force");
    let ctrllimited = limit(a.ctrllimited, a.ctrlrange, "ctrl");
    let actlimited = limit(a.actlimited, a.actrange, "act");
    let stateless = a.dyntype == DynType::None;
    if actlimited && stateless {
        let message = "needs an actuator with activation: dyntype is `none`";
        context.invalid(origin, element, Some("actrange"), message);
    }
    if a.actdim > 1 || (a.actdim == 1 && stateless) || (a.actdim == 0 && !stateless) {
        let message = format!("{} does not fit the dyntype; remove it", a.actdim);
        context.invalid(origin, element, Some("actdim"), message);
    }
    Some(ActuatorOut {
        spec: a,
        target: target?,
        ctrllimited,
        forcelimited,
        actlimited,
        actdim: usize::from(!stateless),
    })
}

fn sensor<'a>(
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

/// Fills the keyframes. A vector that is too short is completed from the reference state.
pub(super) fn keys(context: &mut Context<'_, '_>, order: &Order<'_>, m: &mut Model) {
    let reference = written_reference(context, order, m);
    for k in 0..m.nkey {
        let key = context.spec.keys.get(k).cloned().unwrap_or_default();
        m.key_time[k] = key.time;
        let (nq, nv, na, nu) = (m.nq, m.nv, m.na, m.nu);
        let mut fill = |name: &str, from: &[f64], to: &mut [f64], rest: &[f64]| {
            if from.len() > to.len() {
                let expected = format!("{} numbers", to.len());
                let kind = ErrorKind::WrongCount { expected, found: from.len() };
                context.error(key.origin, "key", Some(name), kind);
                return;
            }
            to[..from.len()].copy_from_slice(from);
            if !from.is_empty() && !rest.is_empty() {
                to[from.len()..].copy_from_slice(&rest[from.len()..]);
            }
        };
        m.key_qpos[k * nq..][..nq].copy_from_slice(&m.qpos0);
        fill("qpos", &key.qpos, &mut m.key_qpos[k * nq..][..nq], &reference);
        fill("qvel", &key.qvel, &mut m.key_qvel[k * nv..][..nv], &[]);
        fill("act", &key.act, &mut m.key_act[k * na..][..na], &[]);
        fill("ctrl", &key.ctrl, &mut m.key_ctrl[k * nu..][..nu], &[]);
        for j in 0..m.njnt {
            #[allow(clippy::cast_sign_loss, reason = "addresses are not negative")]
            let adr = k * nq + m.jnt_qposadr[j] as usize;
            let at = match m.jnt_type[j] {
                JointType::Ball => adr,
                JointType::Free => adr + 3,
                JointType::Slide | JointType::Hinge => continue,
            };
            let mut q = [0.0; 4];
            q.copy_from_slice(&m.key_qpos[at..at + 4]);
            m.key_qpos[at..at + 4].copy_from_slice(&quat::normalize(q));
        }
    }
}

/// What MuJoCo completes short keyframes with: references as written, before units are converted,
/// and free joints at the origin.
fn written_reference(context: &Context<'_, '_>, order: &Order<'_>, m: &Model) -> Vec<f64> {
    let mut reference = Vec::with_capacity(m.nq);
    for joint in order.bodies.iter().flat_map(|id| &context.spec.bodies[id.0].joints) {
        match joint.jtype {
            JointType::Slide | JointType::Hinge => reference.push(joint.reference),
            JointType::Ball => reference.extend(IDENTITY),
            JointType::Free => {
                reference.extend([0.0; 3]);
                reference.extend(IDENTITY);
            }
        }
    }
    reference
}
