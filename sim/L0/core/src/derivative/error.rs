//! Error type of the finite-difference derivatives.

use sim_types::StepError;

/// Error of the finite-difference derivatives. The state is unchanged when it is returned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DerivativeError {
    /// The integrator is RK4, whose internal stages cannot be skipped.
    #[error(
        "finite differences need a one-stage integrator; write <option integrator=\"Euler\"/> instead of RK4"
    )]
    RungeKutta,
    /// The model has delayed controls or sensors, whose history buffers are not part of the derivatives.
    #[error(
        "finite differences do not support delayed controls or sensors; remove their `nsample`"
    )]
    Delay,
    /// The no-slip solver is enabled; its friction forces are not a function of the acceleration.
    #[error(
        "derivatives of inverse dynamics do not support the no-slip solver; write <option noslip_iterations=\"0\"/>"
    )]
    NoSlip,
    /// The finite-difference step is not positive and finite.
    #[error("the finite-difference step must be positive and finite, not {0}")]
    Step(f64),
    /// An output matrix has the wrong length.
    #[error("the matrix {name} needs {needed} entries, not {given}")]
    Length {
        /// Name of the matrix.
        name: &'static str,
        /// Required length, rows times columns.
        needed: usize,
        /// Length of the slice that was passed.
        given: usize,
    },
    /// The dynamics could not be evaluated at the state or at a perturbed one.
    #[error(transparent)]
    Dynamics(#[from] StepError),
}

/// Returns an error unless the output is absent or has the required length.
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

/// Returns an error unless the step is positive and finite.
pub(super) fn check_step(eps: f64) -> Result<(), DerivativeError> {
    if eps > 0.0 && eps.is_finite() { Ok(()) } else { Err(DerivativeError::Step(eps)) }
}
