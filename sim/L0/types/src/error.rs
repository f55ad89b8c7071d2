//! Errors of a simulation step.

use crate::{Integrator, Warning};

/// A feature of a model that is loaded but not simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unsupported {
    /// Sensors of plugins without an instance.
    Sensor,
    /// The discrete inverse dynamics of the Runge–Kutta integrator.
    DiscreteRungeKutta,
}

impl Unsupported {
    /// MJCF that disables the feature.
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
            Self::Sensor => "sensors of plugins without an instance",
            Self::DiscreteRungeKutta => "the discrete inverse dynamics of Runge–Kutta",
        })
    }
}

/// Error of a simulation step. The state is the one in which the error was detected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The model needs a feature that is not supported.
    #[error("not supported: {0}; to simulate the model without it, write {remedy}", remedy = .0.remedy())]
    Unsupported(Unsupported),
    /// The state diverged and `autoreset` is disabled.
    #[error("the simulation diverged at t = {time}: {warning} at index {index}")]
    Diverged {
        /// Warning that identifies the array: `qpos`, `qvel` or `qacc`.
        warning: Warning,
        /// Index of the first invalid entry.
        index: usize,
        /// Simulation time, s.
        time: f64,
    },
    /// The joint-space inertia matrix is singular and `autoreset` is disabled.
    #[error("the inertia matrix is singular at t = {time}: dof {dof} has no inertia")]
    SingularMassMatrix {
        /// Dof of the last pivot below `mjMINVAL`.
        dof: usize,
        /// Simulation time, s.
        time: f64,
    },
    /// The order of the Runge–Kutta method is not implemented.
    #[error("the Runge–Kutta method of order {order} is not implemented; use order 4")]
    RungeKuttaOrder {
        /// Requested order.
        order: usize,
    },
    /// `mj_implicit` was called for a model with another integrator.
    #[error(
        "mj_implicit needs the integrator implicit or implicitfast; the model has {integrator:?}"
    )]
    NotImplicit {
        /// Integrator of the model.
        integrator: Integrator,
    },
    /// A matrix is not positive definite.
    #[error("Cholesky factorization failed: pivot {index} is {value}")]
    CholeskyFailed {
        /// Row of the failing pivot.
        index: usize,
        /// Its value.
        value: f64,
    },
}
