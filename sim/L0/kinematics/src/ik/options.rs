//! Options and results of the inverse-kinematics solver.

use crate::Error;

/// Options of a [`Solver`](crate::Solver).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Position error at which a target counts as reached, m.
    pub position_tolerance: f64,
    /// Orientation error at which a target counts as reached, rad.
    pub orientation_tolerance: f64,
    /// Maximum number of iterations of one attempt. If no attempt converges, the best one may
    /// continue for as many again.
    pub max_iterations: usize,
    /// Maximum number of restarts from other initial configurations after a failed attempt.
    pub restarts: usize,
    /// Seed of the start table and the random restarts. The same seed gives bit-identical results.
    pub seed: u64,
    /// Length scale that weights orientation errors against position errors, m/rad. It determines
    /// the compromise if a target is unreachable; `None` is 0.3 times the reach of the first chain.
    pub metres_per_radian: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            position_tolerance: 1e-6,
            orientation_tolerance: 1e-6,
            max_iterations: 100,
            restarts: 50,
            seed: 0,
            metres_per_radian: None,
        }
    }
}

impl Options {
    pub(super) fn check(&self) -> Result<(), Error> {
        let positive = |name: &'static str, x: f64| {
            let range = "a positive number";
            if x > 0.0 && x.is_finite() { Ok(()) } else { Err(Error::Option { name, range }) }
        };
        positive("position_tolerance", self.position_tolerance)?;
        positive("orientation_tolerance", self.orientation_tolerance)?;
        positive("metres_per_radian", self.metres_per_radian.unwrap_or(1.0))
    }
}

/// Termination status of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Status {
    /// Not solved yet.
    #[default]
    Unsolved,
    /// Every target is reached within the tolerances.
    Converged,
    /// A target is farther away than the reach of its chain. The closest configuration found is
    /// returned.
    OutOfReach,
    /// All attempts ended in local minima; the closest configuration found is returned. Either the
    /// targets are unreachable, or no start led to a solution.
    LocalMinimum,
    /// The best attempt was still making progress at the iteration limit.
    IterationLimit,
    /// The number of targets is wrong, or a target is invalid: not finite, a zero quaternion, or a
    /// non-positive weight. `qpos` is unchanged.
    InvalidTarget,
    /// The initial configuration is not finite or has the wrong length. `qpos` is unchanged.
    InvalidStart,
}

impl Status {
    /// Whether every target is reached.
    #[must_use]
    pub fn converged(self) -> bool {
        self == Self::Converged
    }

    /// Description of the status.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Unsolved => "not solved yet",
            Self::Converged => "converged",
            Self::OutOfReach => "out of reach: closest configuration found",
            Self::LocalMinimum => "local minimum: closest configuration found",
            Self::IterationLimit => "iteration limit: not converged",
            Self::InvalidTarget => "invalid target",
            Self::InvalidStart => "invalid start",
        }
    }
}

/// Result of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Termination status.
    pub status: Status,
    /// Largest remaining position error of a target, m.
    pub position_error: f64,
    /// Largest remaining orientation error of a target, rad.
    pub orientation_error: f64,
    /// Number of iterations of all attempts.
    pub iterations: usize,
    /// Number of restarts.
    pub restarts: usize,
}

impl Outcome {
    pub(super) const fn invalid(status: Status) -> Self {
        let (position_error, orientation_error) = (f64::NAN, f64::NAN);
        Self { status, position_error, orientation_error, iterations: 0, restarts: 0 }
    }
}
