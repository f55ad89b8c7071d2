//! How close is close enough: one table, by stage.

use sim_core::Stage;

/// Relative tolerance of reals in a compiled model.
pub const MODEL: f64 = 1e-10;
/// Relative tolerance of single-precision reals in a compiled model.
pub const MODEL_F32: f64 = 1e-6;
/// Relative tolerance of functions of the state.
pub const FUNCTION: f64 = 1e-10;
/// Relative tolerance of difference quotients: rounding of 1e-14, relative to forces that balance, is
/// enlarged a million times by a step of 1e-6; the rest is room for the solvers.
pub const DIFFERENCE: f64 = 1e-5;
/// Relative tolerance of contacts that are found in closed form.
pub const ANALYTIC: f64 = 1e-8;
/// Relative tolerance of contacts that are found by a search.
pub const SEARCHED: f64 = 1e-5;
/// A contact this near to the distance at which contacts begin may be found or not.
pub const EDGE: f64 = 1e-6;
/// Relative tolerance of what an iterative solver finds.
pub const SOLVED: f64 = 1e-6;
/// An array smaller than this is judged as if it were this large.
pub const FLOOR: f64 = 1e-3;
/// A trajectory may drift this many times as far as the oracle's own disturbed runs.
pub const CHAOS_FACTOR: f64 = 10.0;
/// Plus this, relative to the trajectory's scale.
pub const CHAOS_SLACK: f64 = 1e-9;

/// Relative tolerance of the arrays that a stage writes, or `None` for those that are given to both
/// engines, or not a result of the forward dynamics.
#[must_use]
pub fn of(stage: Stage) -> Option<f64> {
    match stage {
        Stage::Compile
        | Stage::State
        | Stage::Input
        | Stage::Sleep
        | Stage::Inverse
        | Stage::Integrate => None,
        Stage::Kinematics
        | Stage::ComPos
        | Stage::Camlight
        | Stage::Flex
        | Stage::Tendon
        | Stage::MakeM
        | Stage::FactorM
        | Stage::Transmission
        | Stage::EnergyPos
        | Stage::FwdVelocity
        | Stage::ComVel
        | Stage::Passive
        | Stage::Rne
        | Stage::SubtreeVel
        | Stage::EnergyVel
        | Stage::FwdActuation
        | Stage::FwdAcceleration => Some(1e-10),
        Stage::Collision => Some(SEARCHED),
        Stage::MakeConstraint
        | Stage::Island
        | Stage::ProjectConstraint
        | Stage::ReferenceConstraint => Some(1e-8),
        // the acceleration is judged by itself, and later stages go on from the oracle's
        Stage::FwdConstraint | Stage::RnePostConstraint => Some(1e-10),
        Stage::Sensor => Some(1e-9),
    }
}

/// The factor on every tolerance, from the environment: `SIM_TOL_SCALE=0` shows true residuals.
#[must_use]
pub fn scale() -> f64 {
    std::env::var("SIM_TOL_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}
