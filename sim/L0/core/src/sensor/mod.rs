//! Sensors, evaluated after the pipeline stage given by `sensor_needstage` (`mj_sensorPos`, `mj_sensorVel`,
//! `mj_sensorAcc`).

mod acceleration;
mod buffers;
mod camera;
mod contact;
mod distance;
mod history;
mod limit;
mod motion;
mod position;
mod rangefinder;
mod tactile;
mod touch;
mod velocity;

pub(crate) use buffers::{MatchedContact, RangefinderScratch};
pub use camera::PixelRays;
pub use history::{mj_init_sensor_history, mj_read_sensor};
pub(crate) use history::{record, reset_history};
pub use motion::{MotionSensorInputs, mj_sensors_from_motion, motion_sensor_inputs};
pub use rangefinder::RayFields;

use crate::math::at;
use crate::plugin::stages;
use crate::rne::mj_rne_post_constraint;
use crate::sleep::sensor_asleep;
use crate::velocity::mj_subtree_vel;
use crate::{Data, Model};
use sim_types::{DataType, DisableBit, SensorStage, SensorType};
use std::ops::Range;

/// Evaluates the sensors of the position stage.
///
/// Reads the results of the position stage. Writes their entries of `sensordata`.
#[doc(alias = "mj_sensorPos")]
pub fn mj_sensor_pos(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Pos);
}

/// Evaluates the sensors of the velocity stage. Calls [`mj_subtree_vel`] if a sensor needs it.
///
/// Reads the results of the position and velocity stages. Writes their entries of `sensordata`.
#[doc(alias = "mj_sensorVel")]
pub fn mj_sensor_vel(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Vel);
}

/// Evaluates the sensors of the acceleration stage. Calls [`mj_rne_post_constraint`] if a sensor needs it.
///
/// Reads the results of all stages. Writes their entries of `sensordata`.
#[doc(alias = "mj_sensorAcc")]
pub fn mj_sensor_acc(m: &Model, d: &mut Data) {
    run(m, d, SensorStage::Acc);
}

/// Output of a sensor with up to four values; the rest is zero.
type Reading = [f64; 4];

/// Evaluates the sensors of one stage.
fn run(m: &Model, d: &mut Data, stage: SensorStage) {
    if m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    // taken out so that the sensors can borrow the data
    let mut sensordata = std::mem::take(&mut d.sensordata);
    let any_asleep = d.any_asleep(m);
    let mut user = false;
    for i in 0..m.nsensor {
        if m.sensor_needstage[i] != stage || any_asleep && sensor_asleep(m, d, i) {
            continue;
        }
        let out = &mut sensordata[data_range(m, i)];
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
    d.sensordata = sensordata;
    if user {
        user_sensors(m, d, stage);
    }
    for i in 0..m.nplugin {
        if stages::senses(m, i, stage) {
            plugin_sensors(m, d, i, stage);
        }
    }
}

/// Range of sensor `i` in `sensordata`.
fn data_range(m: &Model, i: usize) -> Range<usize> {
    let start = at(&m.sensor_adr, i);
    start..start + at(&m.sensor_dim, i)
}

/// Computes the current reading of sensor `i`, ignoring its delay and interval.
#[doc(alias = "mj_computeSensor")]
fn compute(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    match m.sensor_type[i] {
        SensorType::Rangefinder => rangefinder::read(m, d, i, out),
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
    apply_cutoff(m, i, out);
}

/// Clamps a reading to `sensor_cutoff`, if it is positive.
fn apply_cutoff(m: &Model, i: usize, reading: &mut [f64]) {
    let cutoff = m.sensor_cutoff[i];
    // these types use the cutoff differently
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

/// Calls the sensor callback for the user sensors of a stage, after the lazily computed quantities they may
/// read.
fn user_sensors(m: &Model, d: &mut Data, stage: SensorStage) {
    compute_lazy(m, d, stage);
    if let Some(sensor) = &m.hooks.cb_sensor {
        (**sensor)(m, d, stage);
    }
    for i in 0..m.nsensor {
        if m.sensor_type[i] == SensorType::User && m.sensor_needstage[i] == stage {
            apply_cutoff(m, i, &mut d.sensordata[data_range(m, i)]);
        }
    }
}

/// Computes the quantities of a stage that are computed on demand.
fn compute_lazy(m: &Model, d: &mut Data, stage: SensorStage) {
    if stage == SensorStage::Vel && !d.flg_subtreevel {
        mj_subtree_vel(m, d);
    }
    if stage == SensorStage::Acc && !d.flg_rnepost {
        mj_rne_post_constraint(m, d);
    }
}

/// Computes the sensors of a plugin instance.
fn plugin_sensors(m: &Model, d: &mut Data, instance: usize, stage: SensorStage) {
    compute_lazy(m, d, stage);
    stages::sense(m, d, instance);
    for j in 0..m.nsensor {
        let own = m.sensor_type[j] == SensorType::Plugin
            && usize::try_from(m.sensor_plugin[j]) == Ok(instance);
        if own && m.sensor_needstage[j] == stage {
            apply_cutoff(m, j, &mut d.sensordata[data_range(m, j)]);
        }
    }
}

/// A reading with one value.
fn scalar(x: f64) -> Reading {
    [x, 0.0, 0.0, 0.0]
}

/// A reading with three values.
fn vector(v: [f64; 3]) -> Reading {
    [v[0], v[1], v[2], 0.0]
}

/// The reference object of sensor `i`, if it has one.
fn reference(m: &Model, i: usize) -> Option<usize> {
    usize::try_from(m.sensor_refid[i]).ok()
}
