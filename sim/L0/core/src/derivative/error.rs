//! Why derivatives could not be taken.

use sim_types::StepError;

/// Why finite differences could not be taken. The state is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DerivativeError {
    /// The model's integrator has stages of its own, which cannot be skipped.
    #[error(
        "finite differences need a one-stage integrator; write <option integrator=\"Euler\"/> instead of RK4"
    )]
    RungeKutta,
    /// Controls or sensors with delay: the past is part of the state, but not of the derivatives.
    #[error("there are no derivatives of controls or sensors with delay; remove their `nsample`")]
    Delay,
    /// Friction without slip is no function of the acceleration.
    #[error(
        "inverse dynamics has no derivatives with the no-slip solver; write <option noslip_iterations=\"0\"/>"
    )]
    NoSlip,
    /// The length of the step is not a positive number.
    #[error("the step of a finite difference must be positive and finite, not {0}")]
    Step(f64),
    /// An output has the wrong number of entries.
    #[error("the matrix {name} needs {needed} entries, not {given}")]
    Length {
        /// The matrix.
        name: &'static str,
        /// Rows times columns.
        needed: usize,
        /// What it has.
        given: usize,
    },
    /// The dynamics could not be evaluated near the state.
    #[error(transparent)]
    Dynamics(#[from] StepError),
}

/// Fails unless an output that is wanted has the right number of entries.
pub(super) fn check_length(
    name: &'static str,
    output: Option<&[f64]>,
    needed: usize,
) -> Result<(), DerivativeError> {
    match output {
        Some(output) if output.len() != needed => {
            Err(DerivativeError::Length { name, needed, given: output.len() })
        }
        _ => Ok(()),
    }
}

/// Fails unless this can be the step of a finite difference.
pub(super) fn check_step(eps: f64) -> Result<(), DerivativeError> {
    if eps > 0.0 && eps.is_finite() { Ok(()) } else { Err(DerivativeError::Step(eps)) }
}
