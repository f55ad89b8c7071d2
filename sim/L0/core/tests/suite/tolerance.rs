//! Tolerances of the test suite, and the comparison that uses them.

/// The same formula in another order of operations.
pub(crate) const ROUNDING: f64 = 1e-12;
/// Two algorithms for the same quantity.
pub(crate) const ALGORITHM: f64 = 1e-9;
/// A solve against another solve: error of the solution, for a well-conditioned matrix.
pub(crate) const SOLVE: f64 = 1e-12;
/// A solve with the inertia of a hundred links, whose condition number is large.
pub(crate) const SOLVE_DEEP: f64 = 1e-10;
/// A central difference with step [`CENTRAL`].
pub(crate) const DIFFERENCE: f64 = 1e-7;
/// Step of a central difference.
pub(crate) const CENTRAL: f64 = 1e-5;
/// A one-sided difference with step [`FORWARD`].
pub(crate) const ONE_SIDED: f64 = 1e-5;
/// Step of a one-sided difference.
pub(crate) const FORWARD: f64 = 1e-7;
/// Energy drift of an RK4 trajectory, relative to the energy exchanged.
pub(crate) const ENERGY_DRIFT: f64 = 1e-8;
/// The same with quaternions, which RK4 integrates with lower order.
pub(crate) const ENERGY_DRIFT_QUATERNION: f64 = 1e-6;
/// Momentum drift of an RK4 trajectory.
pub(crate) const MOMENTUM_DRIFT: f64 = 1e-7;
/// Two trajectories of a hundred steps that differ by rounding at every step.
pub(crate) const TRAJECTORY: f64 = 1e-8;

/// The minimum of a quadratic program, whose solver terminates at a gradient of 1e-8.
pub(crate) const MINIMUM: f64 = 1e-7;
/// The optimum of a constraint problem, found by two methods that iterate until the cost stops improving: a
/// cost error of 1e-16 is an error of 1e-8 in the solution.
pub(crate) const OPTIMUM: f64 = 1e-7;
/// The same by a Gauss–Seidel method.
pub(crate) const OPTIMUM_DUAL: f64 = 1e-5;
/// A matrix reconstructed from its eigendecomposition. Rotations with a cosine within 1e-12 of one are skipped:
/// an angle of 1.4e-6, times a difference of eigenvalues of at most six times the largest entry, in two of
/// three planes.
pub(crate) const EIGEN: f64 = 2e-5;

/// Lower bound of the magnitude that errors are relative to.
const FLOOR: f64 = 1e-3;

/// Largest absolute value of an array.
pub(crate) fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

/// Asserts that two arrays agree, relative to their largest absolute value.
#[track_caller]
pub(crate) fn close(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{what}: lengths differ");
    let scale = largest(want).max(largest(got)).max(FLOOR);
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let error = (g - w).abs() / scale;
        assert!(error <= tolerance, "{what}[{i}]: {g} is not {w}: relative error {error:e}");
    }
}
