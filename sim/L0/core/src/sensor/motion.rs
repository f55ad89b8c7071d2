//! Sensors that follow from the motion of the bodies, without contacts and constraint rows: another engine, such as
//! one that steps several environments in SIMD lanes, has computed the motion.

use super::run;
use crate::kinematics::attached_frames;
use crate::rne::rne_from_external_wrenches;
use crate::{Data, Model};
use sim_types::{ObjType, SensorStage, SensorType};

/// What the sensors of a model need beside positions, velocities and accelerations, see
/// [`motion_sensor_inputs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MotionSensorInputs {
    /// Wrenches of contacts on bodies (`cfrc_ext`).
    pub wrenches: bool,
}

/// What [`mj_sensors_from_motion`] needs for the sensors of a model. `None` if a sensor reads contacts, distances of
/// geoms, constraint rows, cameras, energies or lengths of actuators, has a delay or is computed by a callback or a
/// plugin.
#[must_use]
pub fn motion_sensor_inputs(m: &Model) -> Option<MotionSensorInputs> {
    use SensorType::{
        Accelerometer, ActuatorFrc, BallAngVel, BallQuat, Clock, Force, FrameAngAcc, FrameAngVel,
        FrameLinAcc, FrameLinVel, FramePos, FrameQuat, FrameXAxis, FrameYAxis, FrameZAxis, Gyro,
        InsideSite, JointActFrc, JointPos, JointVel, Magnetometer, SubtreeAngMom, SubtreeCom,
        SubtreeLinVel, TendonActFrc, TendonPos, TendonVel, Torque, Velocimeter,
    };
    let mut inputs = MotionSensorInputs::default();
    for i in 0..m.nsensor {
        match m.sensor_type[i] {
            Force | Torque => inputs.wrenches = true,
            Accelerometer | Velocimeter | Gyro | Magnetometer | Clock | JointPos | JointVel
            | BallQuat | BallAngVel | TendonPos | TendonVel | ActuatorFrc | JointActFrc
            | TendonActFrc | SubtreeCom | SubtreeLinVel | SubtreeAngMom => {}
            FramePos | FrameQuat | FrameXAxis | FrameYAxis | FrameZAxis | FrameLinVel
            | FrameAngVel | FrameLinAcc | FrameAngAcc | InsideSite => {
                let is_camera = |kind: ObjType| kind == ObjType::Camera;
                if is_camera(m.sensor_objtype[i]) || is_camera(m.sensor_reftype[i]) {
                    return None;
                }
            }
            _ => return None,
        }
        if m.sensor_history[2 * i] > 0 {
            return None;
        }
    }
    Some(inputs)
}

/// Evaluates all sensors from the motion of the bodies, for models with [`motion_sensor_inputs`].
///
/// Reads `time`, `qpos`, `qvel`, `qacc`, `xpos`, `xquat`, `xmat`, `subtree_com`, `cinert`, `cdof`, `cdof_dot`, `cvel`,
/// `ten_length`, `ten_velocity`, `actuator_force`, `qfrc_actuator` and, for sensors of forces, `cfrc_ext`, all of the
/// same state. Writes the poses of inertial frames, geoms and sites, the results of [`mj_subtree_vel`] and
/// [`mj_rne_post_constraint`] without `cfrc_ext` if a sensor reads them, and `sensordata`.
///
/// [`mj_subtree_vel`]: crate::mj_subtree_vel
/// [`mj_rne_post_constraint`]: crate::mj_rne_post_constraint
pub fn mj_sensors_from_motion(m: &Model, d: &mut Data) {
    attached_frames(m, d);
    d.flg_subtreevel = false;
    run(m, d, SensorStage::Pos);
    run(m, d, SensorStage::Vel);
    if (0..m.nsensor).any(|i| m.sensor_needstage[i] == SensorStage::Acc) {
        // the sensors of this stage would compute `cfrc_ext` from contacts
        rne_from_external_wrenches(m, d);
        run(m, d, SensorStage::Acc);
    }
    d.flg_rnepost = false;
    d.flg_subtreevel = false;
}
