//! Length ranges of muscles that the model does not specify.

use super::Context;
use crate::error::ErrorKind;
use sim_core::{Model, set_length_ranges};

/// Computes the missing length ranges, and reports a failed search at the actuator's element.
pub(super) fn set(context: &mut Context<'_, '_>, m: &mut Model) {
    let Err(error) = set_length_ranges(m, &context.spec.compiler.lengthrange) else {
        return;
    };
    let Some(actuator) = context.spec.actuators.get(error.actuator()) else {
        return;
    };
    let kind = ErrorKind::Invalid(error.to_string());
    context.error(actuator.origin, actuator.element, Some("lengthrange"), kind);
}
