//! Tables of sensors, and which of them kernels support (mj_sensorPos, mj_sensorVel, mj_sensorAcc).

mod contact;
mod distance;
mod ray;
mod tactile;

use super::constraint::{self, BodyFrame};
use super::signed_distance::SignedDistances;
use super::{FAR, array, history};
use crate::GpuBatchError;
use crate::layout::ModelTables;
pub(crate) use distance::DistanceSensors;
use sim_core::Model;
use sim_core::math::pose::Pose;
use sim_types::{CamLightMode, DataType, DisableBit, ObjType, SensorType};

/// What sensors need to be kept until the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sensors {
    /// Number of sensors.
    pub count: usize,
    /// Whether body poses and velocities and motion axes are read after the solver.
    pub body_motion: bool,
    /// Whether contacts are read after the solver.
    pub contacts: bool,
    /// Whether there are rangefinders.
    pub rangefinders: bool,
    /// Whether they may hit meshes or height fields.
    pub ray_surfaces: bool,
    /// Whether a sensor has a buffer of samples.
    pub history: bool,
    /// Number of contact sensors, which are not among the others.
    pub contact_sensors: usize,
    /// Whether sensors read signed distance fields.
    pub fields: bool,
    /// Number of tactile sensors, which are not among the others.
    pub tactile: usize,
}

/// A sensor as kernels see it.
#[derive(Clone, Copy, Debug)]
struct Sensor {
    /// Index of the model.
    index: usize,
    kind: Kind,
    id: usize,
    frame: BodyFrame,
    reference: Option<BodyFrame>,
    /// Half sizes of the site of a touch sensor.
    size: [f64; 3],
    adr: usize,
    dim: usize,
    range: [f64; 2],
}

const WORLD: BodyFrame = (0, Pose::IDENTITY);

/// Sensor types of kernels, in the order of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Clock,
    JointPos,
    JointVel,
    BallQuat,
    BallAngVel,
    Gyro,
    Velocimeter,
    FramePos,
    FrameQuat,
    FrameXAxis,
    FrameYAxis,
    FrameZAxis,
    FrameLinVel,
    FrameAngVel,
    Magnetometer,
    Rangefinder,
    SubtreeCom,
    SubtreeLinVel,
    SubtreeAngMom,
    ActuatorFrc,
    JointActFrc,
    ActuatorPos,
    ActuatorVel,
    TendonPos,
    TendonVel,
    TendonActFrc,
    EPotential,
    EKinetic,
    LimitPos,
    LimitVel,
    LimitFrc,
    Touch,
    Force,
    Torque,
    FrameLinAcc,
    FrameAngAcc,
    Accelerometer,
}

/// Part of the step after which a sensor is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SensorStage {
    PosVel,
    Force,
    Acc,
}

/// Types by code, with the names of the codes and the stages.
const KINDS: [(Kind, &str, SensorStage); 37] = {
    use SensorStage::{Acc, Force, PosVel};
    [
        (Kind::Clock, "S_CLOCK", PosVel),
        (Kind::JointPos, "S_JOINTPOS", PosVel),
        (Kind::JointVel, "S_JOINTVEL", PosVel),
        (Kind::BallQuat, "S_BALLQUAT", PosVel),
        (Kind::BallAngVel, "S_BALLANGVEL", PosVel),
        (Kind::Gyro, "S_GYRO", PosVel),
        (Kind::Velocimeter, "S_VELOCIMETER", PosVel),
        (Kind::FramePos, "S_FRAMEPOS", PosVel),
        (Kind::FrameQuat, "S_FRAMEQUAT", PosVel),
        (Kind::FrameXAxis, "S_FRAMEXAXIS", PosVel),
        (Kind::FrameYAxis, "S_FRAMEYAXIS", PosVel),
        (Kind::FrameZAxis, "S_FRAMEZAXIS", PosVel),
        (Kind::FrameLinVel, "S_FRAMELINVEL", PosVel),
        (Kind::FrameAngVel, "S_FRAMEANGVEL", PosVel),
        (Kind::Magnetometer, "S_MAGNETOMETER", PosVel),
        (Kind::Rangefinder, "S_RANGEFINDER", PosVel),
        (Kind::SubtreeCom, "S_SUBTREECOM", PosVel),
        (Kind::SubtreeLinVel, "S_SUBTREELINVEL", PosVel),
        (Kind::SubtreeAngMom, "S_SUBTREEANGMOM", PosVel),
        (Kind::ActuatorFrc, "S_ACTUATORFRC", Force),
        (Kind::JointActFrc, "S_JOINTACTFRC", Force),
        (Kind::ActuatorPos, "S_ACTUATORPOS", Force),
        (Kind::ActuatorVel, "S_ACTUATORVEL", Force),
        (Kind::TendonPos, "S_TENDONPOS", Force),
        (Kind::TendonVel, "S_TENDONVEL", Force),
        (Kind::TendonActFrc, "S_TENDONACTFRC", Force),
        (Kind::EPotential, "S_E_POTENTIAL", Force),
        (Kind::EKinetic, "S_E_KINETIC", Force),
        (Kind::LimitPos, "S_LIMITPOS", Acc),
        (Kind::LimitVel, "S_LIMITVEL", Acc),
        (Kind::LimitFrc, "S_LIMITFRC", Acc),
        (Kind::Touch, "S_TOUCH", Acc),
        (Kind::Force, "S_FORCE", Acc),
        (Kind::Torque, "S_TORQUE", Acc),
        (Kind::FrameLinAcc, "S_FRAMELINACC", Acc),
        (Kind::FrameAngAcc, "S_FRAMEANGACC", Acc),
        (Kind::Accelerometer, "S_ACCELEROMETER", Acc),
    ]
};

impl Kind {
    /// The type of a sensor, if kernels support it; limits of joints and tendons share a type.
    fn of(sensor: SensorType) -> Option<Self> {
        Some(match sensor {
            SensorType::JointLimitPos | SensorType::TendonLimitPos => Self::LimitPos,
            SensorType::JointLimitVel | SensorType::TendonLimitVel => Self::LimitVel,
            SensorType::JointLimitFrc | SensorType::TendonLimitFrc => Self::LimitFrc,
            SensorType::Clock => Self::Clock,
            SensorType::JointPos => Self::JointPos,
            SensorType::JointVel => Self::JointVel,
            SensorType::BallQuat => Self::BallQuat,
            SensorType::BallAngVel => Self::BallAngVel,
            SensorType::Gyro => Self::Gyro,
            SensorType::Velocimeter => Self::Velocimeter,
            SensorType::FramePos => Self::FramePos,
            SensorType::FrameQuat => Self::FrameQuat,
            SensorType::FrameXAxis => Self::FrameXAxis,
            SensorType::FrameYAxis => Self::FrameYAxis,
            SensorType::FrameZAxis => Self::FrameZAxis,
            SensorType::FrameLinVel => Self::FrameLinVel,
            SensorType::FrameAngVel => Self::FrameAngVel,
            SensorType::Magnetometer => Self::Magnetometer,
            SensorType::Rangefinder => Self::Rangefinder,
            SensorType::SubtreeCom => Self::SubtreeCom,
            SensorType::SubtreeLinVel => Self::SubtreeLinVel,
            SensorType::SubtreeAngMom => Self::SubtreeAngMom,
            SensorType::ActuatorFrc => Self::ActuatorFrc,
            SensorType::JointActFrc => Self::JointActFrc,
            SensorType::ActuatorPos => Self::ActuatorPos,
            SensorType::ActuatorVel => Self::ActuatorVel,
            SensorType::TendonPos => Self::TendonPos,
            SensorType::TendonVel => Self::TendonVel,
            SensorType::TendonActFrc => Self::TendonActFrc,
            SensorType::EPotential => Self::EPotential,
            SensorType::EKinetic => Self::EKinetic,
            SensorType::Touch => Self::Touch,
            SensorType::Force => Self::Force,
            SensorType::Torque => Self::Torque,
            SensorType::FrameLinAcc => Self::FrameLinAcc,
            SensorType::FrameAngAcc => Self::FrameAngAcc,
            SensorType::Accelerometer => Self::Accelerometer,
            _ => return None,
        })
    }

    fn stage(self) -> SensorStage {
        KINDS[self as usize].2
    }

    fn is_limit(self) -> bool {
        matches!(self, Self::LimitPos | Self::LimitVel | Self::LimitFrc)
    }

    fn is_subtree(self) -> bool {
        matches!(self, Self::SubtreeCom | Self::SubtreeLinVel | Self::SubtreeAngMom)
    }

    fn is_interaction(self) -> bool {
        matches!(self, Self::Force | Self::Torque)
    }

    /// Whether the sensor is attached to a frame.
    fn has_frame(self) -> bool {
        let code = self as usize;
        (Self::Gyro as usize..=Self::Rangefinder as usize).contains(&code)
            || self.stage() == SensorStage::Acc && !self.is_limit()
    }
}

/// Adds the tables of all sensors but those of distances. `geoms` are those of collision detection.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a sensor that kernels do not support.
pub(crate) fn sensors(
    m: &Model,
    geoms: &[usize],
    fields: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<Sensors, GpuBatchError> {
    let off = m.opt.disabled(DisableBit::Sensor);
    let enabled = (0..m.nsensor).filter(|&i| !off && !distance::is_distance(m, i));
    let is_contact = |&i: &usize| m.sensor_type[i] == SensorType::Contact;
    let (contacts, others): (Vec<_>, Vec<_>) = enabled.partition(is_contact);
    let is_tactile = |&i: &usize| m.sensor_type[i] == SensorType::Tactile;
    let (tactile, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_tactile);
    let mut all = Vec::new();
    for i in others {
        all.extend(parts(m, sensor(m, i)?)?);
    }
    all.sort_by_key(|s: &Sensor| s.kind.stage());
    let history = history::sensors(m, &all.iter().map(|s| s.index).collect::<Vec<_>>(), t);
    for (code, (_, name, _)) in KINDS.iter().enumerate() {
        t.size(name, code);
    }
    t.size("NSENSOR", all.len());
    let count_before = |stage: SensorStage| all.iter().filter(|s| s.kind.stage() < stage).count();
    let stages = [0, count_before(SensorStage::Force), count_before(SensorStage::Acc), all.len()];
    t.indices("SENSOR_STAGE_ADR", stages);
    t.indices("SENSOR_TYPE", all.iter().map(|s| s.kind as usize));
    t.indices("SENSOR_ID", all.iter().map(|s| s.id));
    t.indices("SENSOR_ADR", all.iter().map(|s| s.adr));
    t.indices("SENSOR_DIM", all.iter().map(|s| s.dim));
    t.indices("SENSOR_BODY", all.iter().map(|s| s.frame.0));
    t.vec4s("SENSOR_POS", all.iter().map(|s| s.frame.1.pos));
    t.vec4s("SENSOR_QUAT", all.iter().map(|s| s.frame.1.quat));
    t.indices("SENSOR_REFBODY", all.iter().map(|s| s.reference.map_or(usize::MAX, |f| f.0)));
    let reference =
        |s: &Sensor| s.reference.map_or(Pose { pos: s.size, ..Pose::IDENTITY }, |f| f.1);
    t.vec4s("SENSOR_REFPOS", all.iter().map(|s| reference(s).pos));
    t.vec4s("SENSOR_REFQUAT", all.iter().map(|s| reference(s).quat));
    t.scalars("SENSOR_CUTOFF_MIN", all.iter().map(|s| s.range[0]));
    t.scalars("SENSOR_CUTOFF_MAX", all.iter().map(|s| s.range[1]));
    t.scalars("MAGNETIC", m.opt.magnetic);
    // the compiler removes the code of sensors that the model does not have
    let any = |test: &dyn Fn(Kind) -> bool| all.iter().any(|s| test(s.kind));
    t.flag("SENSE_SUBTREE", any(&Kind::is_subtree));
    t.flag("SENSE_ENERGY", any(&|kind| matches!(kind, Kind::EPotential | Kind::EKinetic)));
    t.flag("SENSE_LIMIT", any(&Kind::is_limit));
    t.flag("SENSE_TOUCH", any(&|kind| kind == Kind::Touch));
    t.flag("SENSE_INTERACTION", any(&Kind::is_interaction));
    let rangefinders = any(&|kind| kind == Kind::Rangefinder);
    let ray_surfaces = ray::geoms(m, rangefinders, fields, t)?;
    let at_sites = contact::sensors(m, &contacts, geoms, t)?;
    let tactile_fields = tactile::sensors(m, &tactile, geoms, fields, t)?;
    let accelerations = any(&|kind| kind.stage() == SensorStage::Acc && !kind.is_limit());
    let forces = any(&|kind| kind.is_interaction() || kind == Kind::Touch);
    Ok(Sensors {
        count: all.len(),
        body_motion: accelerations || at_sites || !tactile.is_empty(),
        contacts: forces || !contacts.is_empty(),
        rangefinders,
        ray_surfaces: ray_surfaces.any,
        fields: ray_surfaces.fields || tactile_fields,
        history,
        contact_sensors: contacts.len(),
        tactile: tactile.len(),
    })
}

/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a sensor with a delay or an interval.
fn check_history(m: &Model, i: usize) -> Result<(), GpuBatchError> {
    if m.sensor_history[2 * i] == 0 && m.sensor_delay[i] == 0.0 {
        return Ok(());
    }
    Err(GpuBatchError::Unsupported {
        what: format!("sensor {i} has a delay"),
        instead: "write <flag sensor=\"disable\"/> to step it without sensors",
    })
}

fn sensor(m: &Model, i: usize) -> Result<Sensor, GpuBatchError> {
    let sensor_type = m.sensor_type[i];
    let refuse = |what: String| {
        let instead = "write <flag sensor=\"disable\"/> to step it without sensors";
        Err(GpuBatchError::Unsupported { what, instead })
    };
    let Some(kind) = Kind::of(sensor_type) else {
        return refuse(format!("sensor {i} is a {sensor_type:?}"));
    };
    let object = m.sensor_objid[i].max(0) as usize;
    let mut size = [0.0; 3];
    let id = match sensor_type {
        SensorType::JointPos | SensorType::BallQuat => m.jnt_qposadr[object] as usize,
        SensorType::JointVel | SensorType::BallAngVel | SensorType::JointActFrc => {
            m.jnt_dofadr[object] as usize
        }
        SensorType::Touch => {
            size = array(&m.site_size, object);
            m.site_type[object] as usize
        }
        SensorType::JointLimitPos
        | SensorType::JointLimitVel
        | SensorType::JointLimitFrc
        | SensorType::TendonLimitPos
        | SensorType::TendonLimitVel
        | SensorType::TendonLimitFrc => {
            let tendon = m.sensor_objtype[i] == ObjType::Tendon;
            constraint::limited(m).iter().position(|&l| l == (tendon, object)).unwrap_or(usize::MAX)
        }
        _ => object,
    };
    let mut own = WORLD;
    if kind.has_frame() {
        match frame(m, sensor_type, m.sensor_objtype[i], object) {
            Some(frame) => own = frame,
            None => return refuse(format!("sensor {i} is on a {:?}", m.sensor_objtype[i])),
        }
    }
    let mut reference = None;
    if let Ok(id) = usize::try_from(m.sensor_refid[i]) {
        reference = frame(m, sensor_type, m.sensor_reftype[i], id);
        if reference.is_none() {
            return refuse(format!("sensor {i} refers to a {:?}", m.sensor_reftype[i]));
        }
    }
    let cutoff = m.sensor_cutoff[i];
    let range = match m.sensor_datatype[i] {
        DataType::Real if cutoff > 0.0 => [-cutoff, cutoff],
        DataType::Positive if cutoff > 0.0 => [-FAR, cutoff],
        _ => [-FAR, FAR],
    };
    let (adr, dim) = (m.sensor_adr[i] as usize, m.sensor_dim[i] as usize);
    Ok(Sensor { index: i, kind, id, frame: own, reference, size, adr, dim, range })
}

/// Splits rangefinders into parts that fit a `vec4`.
fn parts(m: &Model, sensor: Sensor) -> Result<Vec<Sensor>, GpuBatchError> {
    let i = sensor.index;
    if sensor.kind != Kind::Rangefinder {
        return Ok(vec![sensor]);
    }
    let instead = "write <flag sensor=\"disable\"/> to step it without sensors";
    let Some(parts) = ray::parts(m, i) else {
        let what = format!("sensor {i} is a rangefinder of a camera");
        return Err(GpuBatchError::Unsupported { what, instead });
    };
    if parts.len() > 1 && m.sensor_history[2 * i] > 0 {
        let what = format!("sensor {i} is a rangefinder with several vectors and a delay");
        return Err(GpuBatchError::Unsupported { what, instead });
    }
    let part = |part: ray::Part| Sensor {
        id: part.code,
        adr: sensor.adr + part.offset,
        dim: part.dim,
        ..sensor
    };
    Ok(parts.into_iter().map(part).collect())
}

/// The frame of an object; `None` if it is not fixed to a body.
fn frame(m: &Model, sensor: SensorType, kind: ObjType, id: usize) -> Option<BodyFrame> {
    let (body, pose) = match kind {
        ObjType::Body => (id, m.inertial_frame(id)),
        ObjType::XBody => (id, Pose::IDENTITY),
        ObjType::Geom => (m.geom_bodyid[id] as usize, m.geom_frame(id)),
        ObjType::Site => (m.site_bodyid[id] as usize, m.site_frame(id)),
        // tracking and targeting cameras rotate by themselves
        ObjType::Camera if m.cam_mode[id] == CamLightMode::Fixed => {
            let pose = Pose { pos: array(&m.cam_pos, id), quat: array(&m.cam_quat, id) };
            (m.cam_bodyid[id] as usize, pose)
        }
        _ => return None,
    };
    // orientations are those of the file, also where the frame coincides with the body frame
    let quat = match (sensor, kind) {
        (SensorType::FrameQuat, ObjType::Body) => array(&m.body_iquat, id),
        (SensorType::FrameQuat, ObjType::Geom) => array(&m.geom_quat, id),
        (SensorType::FrameQuat, ObjType::Site) => array(&m.site_quat, id),
        _ => pose.quat,
    };
    Some((body, Pose { quat, ..pose }))
}
