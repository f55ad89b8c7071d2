//! All tolerances of the comparison, by stage.

use sim_core::Stage;

/// Relative tolerance of reals in a compiled model.
pub const MODEL: f64 = 1e-10;
/// Relative tolerance of single-precision reals in a compiled model.
pub const MODEL_F32: f64 = 1e-6;
/// Relative tolerance of functions of the state.
pub const FUNCTION: f64 = 1e-10;
/// Relative tolerance of finite differences: a rounding error of 1e-14 divided by a step of 1e-6, with
/// a margin for the convergence error of the solvers.
pub const DIFFERENCE: f64 = 1e-5;
/// Relative tolerance of contacts computed in closed form.
pub const ANALYTIC: f64 = 1e-8;
/// Relative tolerance of contacts computed by an iteration (GJK, EPA, SDF descent).
pub const ITERATIVE: f64 = 1e-5;
/// A contact whose distance is within this of its margin may exist in one engine only, m.
pub const DETECTION: f64 = 1e-6;
/// Relative tolerance of the constraint solver's result.
pub const SOLVED: f64 = 1e-6;
/// Relative tolerance of the scene: one unit in the last place of single precision.
pub const SCENE: f64 = 1.2e-7;
/// Relative tolerance of the scene from our own forward dynamics, whose results may round differently.
pub const SCENE_OWN: f64 = 1e-6;
/// Relative tolerance of selected points; meshes are stored in single precision.
pub const SELECT: f64 = 1e-6;
/// Lower bound of an array's scale, the largest magnitude of its entries.
pub const MIN_SCALE: f64 = 1e-3;
/// Allowed drift of a trajectory as a multiple of the drift of the oracle's perturbed runs.
pub const DRIFT_FACTOR: f64 = 10.0;
/// Additional allowed drift, relative to the scale of the trajectory.
pub const DRIFT_OFFSET: f64 = 1e-9;

/// Relative tolerance of the arrays that a stage writes, or `None` for arrays that are inputs of both
/// engines or not results of forward dynamics.
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
        Stage::Collision => Some(ITERATIVE),
        Stage::MakeConstraint
        | Stage::Island
        | Stage::ProjectConstraint
        | Stage::ReferenceConstraint => Some(1e-8),
        // `qacc` has its own comparison, and later stages start from the oracle's
        Stage::FwdConstraint | Stage::RnePostConstraint => Some(1e-10),
        Stage::Sensor => Some(1e-9),
    }
}

/// Factor on every tolerance from the environment; `SIM_TOL_SCALE=0` prints all residuals.
#[must_use]
pub fn scale() -> f64 {
    std::env::var("SIM_TOL_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}
