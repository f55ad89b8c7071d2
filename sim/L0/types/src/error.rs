//! What can go wrong while stepping.

use crate::Warning;

/// A part of a model that the engine can load but not simulate yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unsupported {
    /// Sensors that plugins read.
    Sensor,
    /// The discrete inverse dynamics of the Runge–Kutta integrator.
    DiscreteRungeKutta,
}

impl Unsupported {
    /// The MJCF that makes a model steppable without the missing part.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Sensor => r#"<option><flag sensor="disable"/></option>"#,
            Self::DiscreteRungeKutta => r#"<option><flag invdiscrete="disable"/></option>"#,
        }
    }
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sensor => "sensors of plugins",
            Self::DiscreteRungeKutta => "the discrete inverse dynamics of Runge–Kutta",
        })
    }
}

/// Why a step could not be taken. The state stays as it was when the trouble was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The model needs something that is not built yet.
    #[error("this version does not simulate {0}; to step the model without, write {remedy}", remedy = .0.remedy())]
    Unsupported(Unsupported),
    /// The state diverged, and the model asks not to be reset (`autoreset` disabled).
    #[error("the simulation diverged at t = {time}: {warning} at index {index}")]
    Diverged {
        /// Which array holds the bad number.
        warning: Warning,
        /// Index of the first bad entry.
        index: usize,
        /// Simulation time.
        time: f64,
    },
    /// A matrix that must be positive definite is not.
    #[error("Cholesky factorization failed: pivot {index} is {value}")]
    CholeskyFailed {
        /// Row of the failing pivot.
        index: usize,
        /// Its value.
        value: f64,
    },
}
