//! Sensors, evaluated after the stage that they need (`mj_sensorPos`, `mj_sensorVel`,
//! `mj_sensorAcc`).

mod acceleration;
mod camera;
mod contact;
mod distance;
mod history;
mod limit;
mod position;
mod range;
mod tactile;
mod touch;
mod velocity;

pub(crate) use contact::Match;
pub use history::{mj_init_sensor_history, mj_read_sensor};
pub(crate) use history::{record, reset_history};
pub(crate) use range::RangeWork;

use crate::math::at;
use crate::rne::mj_rne_post_constraint;
use crate::sleep::sensor_sleeps;
use crate::velocity::mj_subtree_vel;
use crate::{Data, Model};
use sim_types::{DataType, DisableBit, SensorStage, SensorType};
use std::ops::Range;

/// Evaluates the sensors that depend on positions.
#[doc(alias = "mj_sensorPos")]
pub fn mj_sensor_pos(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Pos);
}

/// Evaluates the sensors that depend on velocities.
#[doc(alias = "mj_sensorVel")]
pub fn mj_sensor_vel(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Vel);
}

/// Evaluates the sensors that depend on accelerations and forces.
#[doc(alias = "mj_sensorAcc")]
pub fn mj_sensor_acc(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Acc);
}

/// A reading: up to four numbers.
type Reading = [f64; 4];

/// Evaluates the sensors of one stage.
fn run(m: &Model, d: &mut Data, stage: SensorStage) {
    if m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    // readings leave the data while sensors look at it
    let mut readings = std::mem::take(&mut d.sensordata);
    let sleepers = d.sleepers(m);
    let mut user = false;
    for i in 0..m.nsensor {
        if m.sensor_needstage[i] != stage || sleepers && sensor_sleeps(m, d, i) {
            continue;
        }
        let out = &mut readings[place(m, i)];
        match m.sensor_type[i] {
            SensorType::User => {
                user = true;
                out.fill(0.0);
            }
            SensorType::Plugin => {}
            _ if m.sensor_history[2 * i] > 0 => history::read_or_compute(m, d, i, out),
            _ => compute(m, d, i, out),
        }
    }
    d.sensordata = readings;
    if user {
        user_sensors(m, d, stage);
    }
}

/// Where the reading of sensor `i` is in `sensordata`.
fn place(m: &Model, i: usize) -> Range<usize> {
    let start = at(&m.sensor_adr, i);
    start..start + at(&m.sensor_dim, i)
}

/// Reads sensor `i` now, whatever its delay.
#[doc(alias = "mj_computeSensor")]
fn compute(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    match m.sensor_type[i] {
        SensorType::Rangefinder => range::read(m, d, i, out),
        SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
            distance::read(m, d, i, out);
        }
        SensorType::Touch => out.fill(touch::read(m, d, i)),
        SensorType::Contact => contact::read(m, d, i, out),
        SensorType::Tactile => tactile::read(m, d, i, out),
        _ => {
            let reading = match m.sensor_needstage[i] {
                SensorStage::Pos => position::read(m, d, i),
                SensorStage::Vel => velocity::read(m, d, i),
                SensorStage::Acc => acceleration::read(m, d, i),
                SensorStage::None => return,
            };
            if let Some(reading) = reading.get(..out.len()) {
                out.copy_from_slice(reading);
            }
        }
    }
    cut_off(m, i, out);
}

/// Keeps a reading within the sensor's cutoff.
fn cut_off(m: &Model, i: usize, reading: &mut [f64]) {
    let cutoff = m.sensor_cutoff[i];
    // these have another use for it
    let ignored = matches!(m.sensor_type[i], SensorType::Contact | SensorType::GeomFromTo);
    if cutoff <= 0.0 || ignored {
        return;
    }
    for value in reading {
        match m.sensor_datatype[i] {
            DataType::Real => *value = value.max(-cutoff).min(cutoff),
            DataType::Positive => *value = value.min(cutoff),
            DataType::Axis | DataType::Quaternion => {}
        }
    }
}

/// Lets the application fill its sensors, with everything computed that they may want.
fn user_sensors(m: &Model, d: &mut Data, stage: SensorStage) {
    if stage == SensorStage::Vel && !d.flg_subtreevel {
        mj_subtree_vel(m, d);
    }
    if stage == SensorStage::Acc && !d.flg_rnepost {
        mj_rne_post_constraint(m, d);
    }
    if let Some(sensor) = &m.hooks.cb_sensor {
        (**sensor)(m, d, stage);
    }
    for i in 0..m.nsensor {
        if m.sensor_type[i] == SensorType::User && m.sensor_needstage[i] == stage {
            cut_off(m, i, &mut d.sensordata[place(m, i)]);
        }
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
