//! Sensors, evaluated after the stage that they need (`mj_sensorPos`, `mj_sensorVel`,
//! `mj_sensorAcc`).

mod acceleration;
mod camera;
mod limit;
mod position;
mod velocity;

use crate::math::at;
use crate::{Data, Model};
use sim_types::{DataType, DisableBit, SensorStage, SensorType};

/// Evaluates the sensors that depend on positions.
#[doc(alias = "mj_sensorPos")]
pub fn mj_sensor_pos(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Pos, position::read);
}

/// Evaluates the sensors that depend on velocities.
#[doc(alias = "mj_sensorVel")]
pub fn mj_sensor_vel(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Vel, velocity::read);
}

/// Evaluates the sensors that depend on accelerations and forces.
#[doc(alias = "mj_sensorAcc")]
pub fn mj_sensor_acc(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Acc, acceleration::read);
}

/// A reading: up to four numbers.
type Reading = [f64; 4];

/// Evaluates the sensors of one stage and applies their cutoffs.
fn run(
    m: &Model,
    d: &mut Data,
    stage: SensorStage,
    read: impl Fn(&Model, &mut Data, usize) -> Reading,
) {
    if m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    for i in 0..m.nsensor {
        if m.sensor_needstage[i] != stage {
            continue;
        }
        let dim = at(&m.sensor_dim, i);
        // The application fills these; larger ones are refused by the constraint stage.
        if m.sensor_type[i] == SensorType::User || dim > size_of::<Reading>() / size_of::<f64>() {
            continue;
        }
        let mut reading = read(m, d, i);
        let cutoff = m.sensor_cutoff[i];
        if cutoff > 0.0 {
            for value in &mut reading[..dim] {
                match m.sensor_datatype[i] {
                    DataType::Real => *value = value.max(-cutoff).min(cutoff),
                    DataType::Positive => *value = value.min(cutoff),
                    DataType::Axis | DataType::Quaternion => {}
                }
            }
        }
        let adr = at(&m.sensor_adr, i);
        d.sensordata[adr..adr + dim].copy_from_slice(&reading[..dim]);
    }
}

/// One number.
fn scalar(x: f64) -> Reading {
    [x, 0.0, 0.0, 0.0]
}

/// Three numbers.
fn vector(v: [f64; 3]) -> Reading {
    [v[0], v[1], v[2], 0.0]
}

/// The element that sensor `i` measures against, if it names one.
fn reference(m: &Model, i: usize) -> Option<usize> {
    usize::try_from(m.sensor_refid[i]).ok()
}
