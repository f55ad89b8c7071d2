//! Delayed and periodically sampled sensors: the history buffer of a sensor and reads from it
//! (`mj_readSensor`, `mj_initSensorHistory`).

use super::{compute, data_range};
use crate::history::{self, HistoryError, Ring, Shape};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{Interpolation, SensorType};
use std::ops::Range;

/// Range of the history buffer of sensor `i` in `Data::history`, and its shape; `None` without a buffer.
fn buffer(m: &Model, i: usize) -> Option<(Range<usize>, Shape)> {
    let shape = Shape::new(*m.sensor_history.get(2 * i)?, at(&m.sensor_dim, i))?;
    let start = at(&m.sensor_historyadr, i);
    Some((start..start + shape.len(), shape))
}

/// Writes the reading that sensor `id` reports at `time`, its value at `time - sensor_delay`, to `out`.
///
/// `interp` is the interpolation between samples; `None` selects the one in `sensor_history`. A sensor
/// without a history buffer returns its entries of `sensordata`.
///
/// # Panics
/// If `id` is out of range, or the length of `out` is not `sensor_dim`.
#[doc(alias = "mj_readSensor")]
pub fn mj_read_sensor(
    m: &Model,
    d: &Data,
    id: usize,
    time: f64,
    interp: Option<Interpolation>,
    out: &mut [f64],
) {
    let Some((buffer, shape)) = buffer(m, id) else {
        return out.copy_from_slice(&d.sensordata[data_range(m, id)]);
    };
    let interp = interp.unwrap_or_else(|| history::interpolation(m.sensor_history[2 * id + 1]));
    Ring::new(&d.history[buffer], shape).read(time - m.sensor_delay[id], interp, out);
}

/// Sets the history of sensor `id`, oldest sample first; without `times` the sample times in the buffer are
/// kept. `phase` is the time of the last sample of a sensor with an interval.
///
/// # Errors
/// If the sensor has no history buffer, if the number of values differs from the buffer's, or if the times
/// are not strictly increasing. The data is unchanged then.
#[doc(alias = "mj_initSensorHistory")]
pub fn mj_init_sensor_history(
    m: &Model,
    d: &mut Data,
    id: usize,
    times: Option<&[f64]>,
    values: &[f64],
    phase: f64,
) -> Result<(), HistoryError> {
    let (buffer, shape) = buffer(m, id).ok_or(HistoryError::NoHistory)?;
    history::init(&mut d.history[buffer], shape, times, values, phase)
}

/// Resets the sensor histories: zero readings at the sample times before time 0.
pub(crate) fn reset_history(m: &Model, d: &mut Data) {
    let h = m.opt.timestep;
    for i in 0..m.nsensor {
        let Some((buffer, shape)) = buffer(m, i) else { continue };
        let [period, phase] = rows::<2>(&m.sensor_interval)[i];
        let buffer = &mut d.history[buffer];
        if period > 0.0 {
            let last = if phase == 0.0 { -period } else { phase };
            // a sample is taken at the first step at or after its nominal time
            let at = |back: usize| ((last - back as f64 * period) / h).ceil() * h;
            history::reset(buffer, shape, last, at);
        } else {
            history::reset(buffer, shape, -h, |back| -h * (back + 1) as f64);
        }
    }
}

/// Whether the sampling interval of sensor `i` since its last sample has elapsed.
fn sample_due(m: &Model, last: f64, i: usize, now: f64) -> bool {
    last + m.sensor_interval[2 * i] <= now
}

/// Reading of a sensor with a history buffer: from the buffer if it is delayed or its interval has not
/// elapsed, computed otherwise.
pub(super) fn read_or_compute(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    let between_samples = || {
        let last = d.history[at(&m.sensor_historyadr, i)];
        m.sensor_interval[2 * i] > 0.0 && !sample_due(m, last, i, d.time)
    };
    if m.sensor_delay[i] > 0.0 || between_samples() {
        mj_read_sensor(m, d, i, d.time, None, out);
    } else {
        compute(m, d, i, out);
    }
}

/// Appends the current readings to the history of every sensor whose interval has elapsed.
pub(crate) fn record(m: &Model, d: &mut Data) {
    // taken out so that the sensors can borrow the data
    let mut history = std::mem::take(&mut d.history);
    for i in 0..m.nsensor {
        let Some((buffer, shape)) = buffer(m, i) else { continue };
        let buffer = &mut history[buffer];
        let period = m.sensor_interval[2 * i];
        if period > 0.0 {
            if !sample_due(m, buffer[0], i, d.time) {
                continue;
            }
            buffer[0] += period;
        }
        let slot = history::insert(buffer, shape, d.time);
        let built_in = !matches!(m.sensor_type[i], SensorType::User | SensorType::Plugin);
        if built_in && m.sensor_delay[i] > 0.0 {
            compute(m, d, i, slot);
        } else {
            // sensordata holds the undelayed reading
            slot.copy_from_slice(&d.sensordata[data_range(m, i)]);
        }
    }
    d.history = history;
}
