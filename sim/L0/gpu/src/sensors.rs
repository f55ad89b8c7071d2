//! Tables of sensors, and which of them kernels can read.

use crate::GpuBatchError;
use crate::fill::{self, Placed, array};
use crate::table::Tables;
use sim_core::Model;
use sim_core::math::pose::Pose;
use sim_types::{CamLightMode, DataType, DisableBit, ObjType, SensorType};

/// What sensors need to be kept to the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Poses, velocities and axes.
    pub motion: bool,
    /// Contacts and their forces.
    pub contacts: bool,
}

/// A sensor as kernels see it.
struct Sensor {
    stage: usize,
    code: usize,
    id: usize,
    frame: Placed,
    reference: Option<Placed>,
    /// Half sizes of a site that feels touch.
    size: [f64; 3],
    adr: usize,
    dim: usize,
    range: [f64; 2],
}

const NOWHERE: Placed = (0, Pose::IDENTITY);
const FAR: f64 = 1e30;

/// Names of what kernels can read, in the order of their codes, with the stage.
const CODES: [(&str, usize); 37] = [
    ("S_CLOCK", 0),
    ("S_QPOS", 0),
    ("S_QVEL", 0),
    ("S_BALLQUAT", 0),
    ("S_BALLVEL", 0),
    ("S_GYRO", 0),
    ("S_VELOCIMETER", 0),
    ("S_POS", 0),
    ("S_QUAT", 0),
    ("S_X", 0),
    ("S_Y", 0),
    ("S_Z", 0),
    ("S_LINVEL", 0),
    ("S_ANGVEL", 0),
    ("S_MAGNETOMETER", 0),
    ("S_SUBCOM", 0),
    ("S_SUBVEL", 0),
    ("S_SUBMOM", 0),
    ("S_ACTFRC", 1),
    ("S_JNTFRC", 1),
    ("S_ACTPOS", 1),
    ("S_ACTVEL", 1),
    ("S_TENPOS", 1),
    ("S_TENVEL", 1),
    ("S_TENFRC", 1),
    ("S_ENERGYPOS", 1),
    ("S_ENERGYVEL", 1),
    ("S_LIMITPOS", 2),
    ("S_LIMITVEL", 2),
    ("S_LIMITFRC", 2),
    ("S_TOUCH", 2),
    ("S_FORCE", 2),
    ("S_TORQUE", 2),
    ("S_LINACC", 2),
    ("S_ANGACC", 2),
    ("S_ACCELEROMETER", 2),
    ("S_NONE", 3),
];

fn code(kind: SensorType) -> Option<&'static str> {
    Some(match kind {
        SensorType::Clock => "S_CLOCK",
        SensorType::JointPos => "S_QPOS",
        SensorType::JointVel => "S_QVEL",
        SensorType::BallQuat => "S_BALLQUAT",
        SensorType::BallAngVel => "S_BALLVEL",
        SensorType::Gyro => "S_GYRO",
        SensorType::Velocimeter => "S_VELOCIMETER",
        SensorType::FramePos => "S_POS",
        SensorType::FrameQuat => "S_QUAT",
        SensorType::FrameXAxis => "S_X",
        SensorType::FrameYAxis => "S_Y",
        SensorType::FrameZAxis => "S_Z",
        SensorType::FrameLinVel => "S_LINVEL",
        SensorType::FrameAngVel => "S_ANGVEL",
        SensorType::ActuatorFrc => "S_ACTFRC",
        SensorType::JointActFrc => "S_JNTFRC",
        SensorType::ActuatorPos => "S_ACTPOS",
        SensorType::ActuatorVel => "S_ACTVEL",
        SensorType::TendonPos => "S_TENPOS",
        SensorType::TendonVel => "S_TENVEL",
        SensorType::Magnetometer => "S_MAGNETOMETER",
        SensorType::SubtreeCom => "S_SUBCOM",
        SensorType::SubtreeLinVel => "S_SUBVEL",
        SensorType::SubtreeAngMom => "S_SUBMOM",
        SensorType::TendonActFrc => "S_TENFRC",
        SensorType::JointLimitPos | SensorType::TendonLimitPos => "S_LIMITPOS",
        SensorType::JointLimitVel | SensorType::TendonLimitVel => "S_LIMITVEL",
        SensorType::JointLimitFrc | SensorType::TendonLimitFrc => "S_LIMITFRC",
        SensorType::EPotential => "S_ENERGYPOS",
        SensorType::EKinetic => "S_ENERGYVEL",
        SensorType::Force => "S_FORCE",
        SensorType::Torque => "S_TORQUE",
        SensorType::Touch => "S_TOUCH",
        SensorType::FrameLinAcc => "S_LINACC",
        SensorType::FrameAngAcc => "S_ANGACC",
        SensorType::Accelerometer => "S_ACCELEROMETER",
        _ => return None,
    })
}

/// Adds the tables of all sensors; refuses what kernels cannot read.
pub(crate) fn fill(m: &Model, t: &mut Tables) -> Result<Needs, GpuBatchError> {
    let off = m.opt.disabled(DisableBit::Sensor);
    let mut all = Vec::new();
    for i in (0..m.nsensor).filter(|_| !off) {
        all.push(sensor(m, i)?);
    }
    all.sort_by_key(|s: &Sensor| s.stage);
    for (number, (name, _)) in CODES.iter().enumerate() {
        t.constant(name, number);
    }
    t.constant("NSENSOR", all.len());
    let until = |stage: usize| all.iter().filter(|s| s.stage < stage).count();
    t.indices("SENSOR_STAGE", [0, until(1), until(2), until(3)]);
    t.indices("SENSOR_KIND", all.iter().map(|s| s.code));
    t.indices("SENSOR_ID", all.iter().map(|s| s.id));
    t.indices("SENSOR_ADR", all.iter().map(|s| s.adr));
    t.indices("SENSOR_DIM", all.iter().map(|s| s.dim));
    t.indices("SENSOR_BODY", all.iter().map(|s| s.frame.0));
    t.fours("SENSOR_POS", all.iter().map(|s| s.frame.1.pos));
    t.fours("SENSOR_QUAT", all.iter().map(|s| s.frame.1.quat));
    t.indices("SENSOR_REF", all.iter().map(|s| s.reference.map_or(usize::MAX, |f| f.0)));
    let reference =
        |s: &Sensor| s.reference.map_or(Pose { pos: s.size, ..Pose::IDENTITY }, |f| f.1);
    t.fours("SENSOR_REFPOS", all.iter().map(|s| reference(s).pos));
    t.fours("SENSOR_REFQUAT", all.iter().map(|s| reference(s).quat));
    t.numbers("SENSOR_LOW", all.iter().map(|s| s.range[0]));
    t.numbers("SENSOR_HIGH", all.iter().map(|s| s.range[1]));
    t.numbers("MAGNETIC", m.opt.magnetic);
    // what no sensor reads is left out of the kernel
    let any = |start: &str| all.iter().any(|s| CODES[s.code].0.starts_with(start));
    t.flag("SEES_SUBTREES", any("S_SUB"));
    t.flag("SEES_ENERGY", any("S_ENERGY"));
    t.flag("SEES_LIMITS", any("S_LIMIT"));
    t.flag("SEES_TOUCH", any("S_TOUCH"));
    let between = any("S_FORCE") || any("S_TORQUE");
    t.flag("SEES_BETWEEN", between);
    let touched = between || any("S_TOUCH");
    let motion = all.iter().any(|s| s.stage == 2 && !of_limit(s.code));
    Ok(Needs { motion, contacts: touched })
}

/// Whether a code is of a sensor that reads a limit.
fn of_limit(code: usize) -> bool {
    CODES[code].0.starts_with("S_LIMIT")
}

fn sensor(m: &Model, i: usize) -> Result<Sensor, GpuBatchError> {
    let kind = m.sensor_type[i];
    let refuse = |what: String| {
        let instead = "write <flag sensor=\"disable\"/> to step it without sensors";
        Err(GpuBatchError::Unsupported { what, instead })
    };
    let Some(name) = code(kind) else {
        return refuse(format!("sensor {i} is a {kind:?}"));
    };
    if m.sensor_history[2 * i] > 0 || m.sensor_delay[i] != 0.0 {
        return refuse(format!("sensor {i} reads with delay"));
    }
    let number = CODES.iter().position(|(known, _)| *known == name).unwrap_or(0);
    let object = m.sensor_objid[i].max(0) as usize;
    let mut size = [0.0; 3];
    let id = match kind {
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
            fill::limited(m).iter().position(|&l| l == (tendon, object)).unwrap_or(usize::MAX)
        }
        _ => object,
    };
    let placed = (5..15).contains(&number) || CODES[number].1 == 2 && !of_limit(number);
    let mut own = NOWHERE;
    if placed {
        match frame(m, kind, m.sensor_objtype[i], object) {
            Some(frame) => own = frame,
            None => return refuse(format!("sensor {i} is on a {:?}", m.sensor_objtype[i])),
        }
    }
    let mut reference = None;
    if let Ok(id) = usize::try_from(m.sensor_refid[i]) {
        reference = frame(m, kind, m.sensor_reftype[i], id);
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
    Ok(Sensor {
        stage: CODES[number].1,
        code: number,
        id,
        frame: own,
        reference,
        size,
        adr,
        dim,
        range,
    })
}

/// The frame that a sensor reads, or that it reads in.
fn frame(m: &Model, sensor: SensorType, kind: ObjType, id: usize) -> Option<Placed> {
    let (body, pose) = match kind {
        ObjType::Body => (id, m.inertial_frame(id)),
        ObjType::XBody => (id, Pose::IDENTITY),
        ObjType::Geom => (m.geom_bodyid[id] as usize, m.geom_frame(id)),
        ObjType::Site => (m.site_bodyid[id] as usize, m.site_frame(id)),
        // those that look after something else turn by themselves
        ObjType::Camera if m.cam_mode[id] == CamLightMode::Fixed => {
            let pose = Pose { pos: array(&m.cam_pos, id), quat: array(&m.cam_quat, id) };
            (m.cam_bodyid[id] as usize, pose)
        }
        _ => return None,
    };
    // quaternions are those of the file, also where frames coincide
    let quat = match (sensor, kind) {
        (SensorType::FrameQuat, ObjType::Body) => array(&m.body_iquat, id),
        (SensorType::FrameQuat, ObjType::Geom) => array(&m.geom_quat, id),
        (SensorType::FrameQuat, ObjType::Site) => array(&m.site_quat, id),
        _ => pose.quat,
    };
    Some((body, Pose { quat, ..pose }))
}
