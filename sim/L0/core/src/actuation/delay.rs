//! Delayed controls: the history buffer of an actuator and reads from it (`mj_readCtrl`,
//! `mj_initCtrlHistory`).

use crate::history::{self, HistoryError, Ring, Shape};
use crate::math::at;
use crate::{Data, Model};
use sim_types::Interpolation;
use std::ops::Range;

/// Range of the history buffer of actuator `i` in `Data::history`, and its shape; `None` without a buffer.
fn buffer(m: &Model, i: usize) -> Option<(Range<usize>, Shape)> {
    let shape = Shape::new(*m.actuator_history.get(2 * i)?, 1)?;
    let start = at(&m.actuator_historyadr, i);
    Some((start..start + shape.len(), shape))
}

/// The control applied by actuator `id` at `time`: its control at `time - actuator_delay`.
///
/// `interp` is the interpolation between samples; `None` selects the one in `actuator_history`. An actuator
/// without a history buffer returns `ctrl[id]`.
///
/// # Panics
/// If `id` is out of range.
///
/// ```
/// use sim_core::mj_read_ctrl;
/// # let model = sim_mjcf::load_str(r#"<mujoco><option timestep=".01"><flag contact="disable"/></option>
/// #   <worldbody><body><joint name="j"/><geom size=".1" pos="1 0 0"/></body></worldbody>
/// #   <actuator><motor joint="j" nsample="4" delay=".02"/></actuator></mujoco>"#).unwrap();
/// let mut data = model.make_data();
/// data.ctrl[0] = 1.0;
/// data.step(&model)?;
/// assert_eq!(mj_read_ctrl(&model, &data, 0, 0.01, None), 0.0);
/// assert_eq!(mj_read_ctrl(&model, &data, 0, 0.02, None), 1.0);
/// # Ok::<(), sim_core::types::StepError>(())
/// ```
#[doc(alias = "mj_readCtrl")]
#[must_use]
pub fn mj_read_ctrl(
    m: &Model,
    d: &Data,
    id: usize,
    time: f64,
    interp: Option<Interpolation>,
) -> f64 {
    let Some((range, shape)) = buffer(m, id) else { return d.ctrl[id] };
    let interp = interp.unwrap_or_else(|| history::interpolation(m.actuator_history[2 * id + 1]));
    let mut value = [0.0];
    let ring = Ring::new(&d.history[range], shape);
    ring.read(time - m.actuator_delay[id], interp, &mut value);
    value[0]
}

/// Sets the control history of actuator `id`, oldest sample first; without `times` the sample times in the
/// buffer are kept.
///
/// # Errors
/// If the actuator has no history buffer, if the number of samples differs from the buffer's, or if the
/// times are not strictly increasing. The data is unchanged then.
#[doc(alias = "mj_initCtrlHistory")]
pub fn mj_init_ctrl_history(
    m: &Model,
    d: &mut Data,
    id: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let (range, shape) = buffer(m, id).ok_or(HistoryError::NoHistory)?;
    let user = d.history[range.start];
    history::init(&mut d.history[range], shape, times, values, user)
}

/// Resets the control histories: zero controls at the times of the steps before time 0.
pub(crate) fn reset_history(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        if let Some((range, shape)) = buffer(m, i) {
            let last = -m.opt.timestep;
            history::reset(&mut d.history[range], shape, 0.0, |back| last * (back + 1) as f64);
        }
    }
}

/// Appends `ctrl` at the current time to the control histories.
pub(crate) fn record(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        if let Some((range, shape)) = buffer(m, i) {
            history::insert(&mut d.history[range], shape, d.time)[0] = d.ctrl[i];
        }
    }
}
