//! Length ranges of actuators that the model does not give.

use super::Context;
use crate::error::ErrorKind;
use sim_core::{LengthRangeError, Model, set_length_ranges};

/// Finds the length ranges that muscles need.
pub(super) fn set(context: &mut Context<'_, '_>, m: &mut Model) {
    let Err(error) = set_length_ranges(m, &context.spec.compiler.lengthrange) else {
        return;
    };
    let Some(actuator) = context.spec.actuators.get(error.actuator()) else {
        return;
    };
    let kind = match error {
        LengthRangeError::Unsupported { what, .. } => {
            ErrorKind::Unsupported(format!("the search for a length range with {what}"))
        }
        error => ErrorKind::Invalid(error.to_string()),
    };
    context.error(actuator.origin, actuator.element, Some("lengthrange"), kind);
}
