//! How a search goes, and how it went.

use crate::Error;

/// How a search goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Distance from a target, in metres, at which it counts as met.
    pub position_tolerance: f64,
    /// Angle from a target, in radians, at which it counts as met.
    pub orientation_tolerance: f64,
    /// Steps of one attempt; where none met the targets, the best one may take as many again.
    pub max_iterations: usize,
    /// Further attempts, from other starts, when one ends away from the targets.
    pub restarts: usize,
    /// Where those starts come from: the same seed gives the same bits.
    pub seed: u64,
    /// Metres that count as much as one radian, where a target cannot be met and both have to be
    /// traded; `None` takes three tenths of the reach of the first chain.
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

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Status {
    /// There was no search yet.
    #[default]
    Unsolved,
    /// Every target is met.
    Converged,
    /// A target is farther away than its chain can stretch; the closest point found is left.
    OutOfReach,
    /// No attempt came nearer by a small motion within limits, so the closest point found is left. Either
    /// the targets cannot be met, or the starts that were tried did not lead there.
    LocalMinimum,
    /// The best attempt was still getting nearer when its steps ran out.
    IterationLimit,
    /// A target, or its number, makes no sense: not finite, a quaternion of length zero, a weight that
    /// is not positive, one target too few or too many. Nothing was changed.
    InvalidTarget,
    /// The start is not finite or not as long as the model's `qpos`. Nothing was changed.
    InvalidStart,
}

impl Status {
    /// Whether every target is met.
    #[must_use]
    pub fn converged(self) -> bool {
        self == Self::Converged
    }

    /// What happened, in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Unsolved => "not solved yet",
            Self::Converged => "converged",
            Self::OutOfReach => "out of reach: this is the closest point found",
            Self::LocalMinimum => "local minimum: this is the closest point found",
            Self::IterationLimit => "iteration limit: still getting nearer",
            Self::InvalidTarget => "invalid target",
            Self::InvalidStart => "invalid start",
        }
    }
}

/// How a search went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Why it ended.
    pub status: Status,
    /// Largest distance from a target that is left, in metres.
    pub position_error: f64,
    /// Largest angle from a target that is left, in radians.
    pub orientation_error: f64,
    /// Steps of all attempts.
    pub iterations: usize,
    /// Attempts after the first.
    pub restarts: usize,
}

impl Outcome {
    pub(super) const fn refused(status: Status) -> Self {
        let (position_error, orientation_error) = (f64::NAN, f64::NAN);
        Self { status, position_error, orientation_error, iterations: 0, restarts: 0 }
    }
}
