//! Sensors that are read late or now and then: past readings, and reading them (`mj_readSensor`).

use super::{compute, place};
use crate::history::{self, HistoryError, Ring, Shape};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{Interpolation, SensorType};
use std::ops::Range;

/// Where the past readings of sensor `i` are in `history`, if it keeps any.
fn buffer(m: &Model, i: usize) -> Option<(Range<usize>, Shape)> {
    let shape = Shape::new(*m.sensor_history.get(2 * i)?, at(&m.sensor_dim, i))?;
    let start = at(&m.sensor_historyadr, i);
    Some((start..start + shape.len(), shape))
}

/// The reading that sensor `id` reports at `time`: what it read `sensor_delay` before.
///
/// `interp` says how to read between samples; `None` takes the sensor's own way. A sensor without
/// past readings gives its last one.
///
/// # Panics
/// When there is no sensor `id`, or `out` does not have its `sensor_dim` numbers.
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
        return out.copy_from_slice(&d.sensordata[place(m, id)]);
    };
    let interp = interp.unwrap_or_else(|| history::interpolation(m.sensor_history[2 * id + 1]));
    Ring::new(&d.history[buffer], shape).read(time - m.sensor_delay[id], interp, out);
}

/// Replaces the past readings of sensor `id`, oldest first; without `times`, those of the buffer
/// stay. `phase` is the time of the last sample of a sensor with an interval.
///
/// # Errors
/// When the sensor keeps no past readings, when there are not as many as it keeps, or when the
/// times do not increase. The data stays as it was then.
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

/// Past readings of new data: zero, at the times of the samples before the first.
pub(crate) fn reset_history(m: &Model, d: &mut Data) {
    let h = m.opt.timestep;
    for i in 0..m.nsensor {
        let Some((buffer, shape)) = buffer(m, i) else { continue };
        let [period, phase] = rows::<2>(&m.sensor_interval)[i];
        let buffer = &mut d.history[buffer];
        if period > 0.0 {
            let last = if phase == 0.0 { -period } else { phase };
            // samples are taken at the first step after their time
            let at = |back: usize| ((last - back as f64 * period) / h).ceil() * h;
            history::reset(buffer, shape, last, at);
        } else {
            history::reset(buffer, shape, -h, |back| -h * (back + 1) as f64);
        }
    }
}

/// Whether the interval of sensor `i` since its last sample is over.
fn due(m: &Model, last: f64, i: usize, now: f64) -> bool {
    last + m.sensor_interval[2 * i] <= now
}

/// The reading of a sensor that keeps past ones: one of those if it is late or not due.
pub(super) fn read_or_compute(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    let waiting = || {
        m.sensor_interval[2 * i] > 0.0 && !due(m, d.history[at(&m.sensor_historyadr, i)], i, d.time)
    };
    if m.sensor_delay[i] > 0.0 || waiting() {
        mj_read_sensor(m, d, i, d.time, None, out);
    } else {
        compute(m, d, i, out);
    }
}

/// Adds the present readings to those of the past, for every sensor that is due.
pub(crate) fn record(m: &Model, d: &mut Data) {
    // the buffers leave the data while sensors look at it
    let mut past = std::mem::take(&mut d.history);
    for i in 0..m.nsensor {
        let Some((buffer, shape)) = buffer(m, i) else { continue };
        let buffer = &mut past[buffer];
        let period = m.sensor_interval[2 * i];
        if period > 0.0 {
            if !due(m, buffer[0], i, d.time) {
                continue;
            }
            buffer[0] += period;
        }
        let slot = history::insert(buffer, shape, d.time);
        let own = !matches!(m.sensor_type[i], SensorType::User | SensorType::Plugin);
        if own && m.sensor_delay[i] > 0.0 {
            compute(m, d, i, slot);
        } else {
            // the last reading is the present one
            slot.copy_from_slice(&d.sensordata[place(m, i)]);
        }
    }
    d.history = past;
}
