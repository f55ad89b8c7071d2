//! Tables of delayed and periodically sampled controls and sensors, whose buffers are part of the state.

use crate::layout::ModelTables;
use sim_core::Model;

/// Adds the tables of the buffers of controls, if the model has buffers at all.
pub(crate) fn controls(m: &Model, t: &mut ModelTables) {
    if m.nhistory == 0 {
        return;
    }
    let samples = |i: usize| m.actuator_history[2 * i].max(0) as usize;
    let adr = |i: usize| match samples(i) {
        0 => usize::MAX,
        _ => m.actuator_historyadr[i].max(0) as usize,
    };
    t.size("NHISTORY", m.nhistory);
    t.indices("ACT_HISTORY_ADR", (0..m.nu).map(adr));
    t.indices("ACT_HISTORY_SAMPLES", (0..m.nu).map(samples));
    t.indices(
        "ACT_HISTORY_INTERP",
        (0..m.nu).map(|i| interpolation(m.actuator_history[2 * i + 1])),
    );
    let delayed = |i: usize| samples(i) > 0 && m.actuator_delay[i] != 0.0;
    t.indices("ACT_HISTORY_DELAYED", (0..m.nu).map(|i| usize::from(delayed(i))));
    t.scalars("ACT_DELAY", m.actuator_delay.iter().copied());
}

/// Adds the tables of the buffers of the sensors `all`, if there are any, in their order. Returns whether there are.
pub(crate) fn sensors(m: &Model, all: &[usize], t: &mut ModelTables) -> bool {
    let samples = |&i: &usize| m.sensor_history[2 * i].max(0) as usize;
    if all.iter().all(|i| samples(i) == 0) {
        return false;
    }
    let adr = |i: &usize| match samples(i) {
        0 => usize::MAX,
        _ => m.sensor_historyadr[*i].max(0) as usize,
    };
    t.indices("SENSOR_HISTORY_ADR", all.iter().map(adr));
    t.indices("SENSOR_HISTORY_SAMPLES", all.iter().map(samples));
    let interp = |i: &usize| interpolation(m.sensor_history[2 * i + 1]);
    t.indices("SENSOR_HISTORY_INTERP", all.iter().map(interp));
    t.scalars("SENSOR_DELAY", all.iter().map(|&i| m.sensor_delay[i]));
    t.scalars("SENSOR_PERIOD", all.iter().map(|&i| m.sensor_interval[2 * i]));
    true
}

/// Code of an interpolation: sample and hold, linear, cubic.
fn interpolation(code: i32) -> usize {
    code.clamp(0, 2) as usize
}
