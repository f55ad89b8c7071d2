//! Check for model features that the pipeline does not simulate.

use crate::Model;
use sim_types::{DisableBit, SensorType, StepError, Unsupported};

/// Returns an error if the model uses a feature that is not implemented.
///
/// # Errors
/// [`StepError::Unsupported`] with the feature.
pub(crate) fn check_supported(m: &Model) -> Result<(), StepError> {
    match unsupported_feature(m) {
        Some(feature) => Err(StepError::Unsupported(feature)),
        None => Ok(()),
    }
}

fn unsupported_feature(m: &Model) -> Option<Unsupported> {
    (0..m.nsensor).any(|i| is_unsupported_sensor(m, i)).then_some(Unsupported::Sensor)
}

/// Whether sensor `i` is evaluated and belongs to a plugin of which there is no instance.
fn is_unsupported_sensor(m: &Model, i: usize) -> bool {
    // sensors with a history buffer are evaluated even if sensors are disabled
    let evaluated = !m.opt.disabled(DisableBit::Sensor) || m.sensor_history[2 * i] > 0;
    evaluated
        && m.sensor_type[i] == SensorType::Plugin
        && m.plugins.object(m.sensor_plugin[i]).is_none()
}
