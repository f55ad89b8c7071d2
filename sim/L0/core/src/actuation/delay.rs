//! Controls that arrive late: past controls of an actuator, and reading them (`mj_readCtrl`).

use crate::history::{self, HistoryError, Ring, Shape};
use crate::math::at;
use crate::{Data, Model};
use sim_types::Interpolation;
use std::ops::Range;

/// Where the past controls of actuator `i` are in `history`, if it keeps any.
fn buffer(m: &Model, i: usize) -> Option<(Range<usize>, Shape)> {
    let shape = Shape::new(*m.actuator_history.get(2 * i)?, 1)?;
    let start = at(&m.actuator_historyadr, i);
    Some((start..start + shape.len(), shape))
}

/// The control of actuator `id` as it acts at `time`: what it was `actuator_delay` before.
///
/// `interp` says how to read between samples; `None` takes the actuator's own way. An actuator
/// without past controls gives its control now.
///
/// # Panics
/// When there is no actuator `id`.
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
    let Some((place, shape)) = buffer(m, id) else { return d.ctrl[id] };
    let interp = interp.unwrap_or_else(|| history::interpolation(m.actuator_history[2 * id + 1]));
    let mut value = [0.0];
    let ring = Ring::new(&d.history[place], shape);
    ring.read(time - m.actuator_delay[id], interp, &mut value);
    value[0]
}

/// Replaces the past controls of actuator `id`, oldest first; without `times`, those of the buffer
/// stay.
///
/// # Errors
/// When the actuator keeps no past controls, when there are not as many as it keeps, or when the
/// times do not increase. The data stays as it was then.
#[doc(alias = "mj_initCtrlHistory")]
pub fn mj_init_ctrl_history(
    m: &Model,
    d: &mut Data,
    id: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let (place, shape) = buffer(m, id).ok_or(HistoryError::NoHistory)?;
    let user = d.history[place.start];
    history::init(&mut d.history[place], shape, times, values, user)
}

/// Past controls of new data: zero, at the times of the steps before the first.
pub(crate) fn reset_history(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        if let Some((place, shape)) = buffer(m, i) {
            let last = -m.opt.timestep;
            history::reset(&mut d.history[place], shape, 0.0, |back| last * (back + 1) as f64);
        }
    }
}

/// Adds the present controls to those of the past.
pub(crate) fn record(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        if let Some((place, shape)) = buffer(m, i) {
            history::insert(&mut d.history[place], shape, d.time)[0] = d.ctrl[i];
        }
    }
}
