//! Finite-difference derivatives as `nalgebra` matrices.

use super::{DerivativeError, mjd_inverse_fd, mjd_transition_fd};
use crate::{Data, Model};
use nalgebra::DMatrix;

/// Linearisation of a step: `dx⁺ = A dx + B du`, `ds = C dx + D du`, with `nx = 2 nv + na`.
#[derive(Debug, Clone, PartialEq)]
#[allow(non_snake_case, reason = "control-theory names")]
pub struct TransitionMatrices {
    /// Derivative of the next state with respect to the state, `nx × nx`.
    pub A: DMatrix<f64>,
    /// Derivative of the next state with respect to the controls, `nx × nu`.
    pub B: DMatrix<f64>,
    /// Derivative of `sensordata` with respect to the state, `nsensordata × nx`.
    pub C: DMatrix<f64>,
    /// Derivative of `sensordata` with respect to the controls, `nsensordata × nu`.
    pub D: DMatrix<f64>,
}

/// Jacobians of inverse dynamics: one row for each output, one column for each dof.
#[derive(Debug, Clone, PartialEq)]
#[allow(non_snake_case, reason = "MuJoCo's argument names")]
pub struct InverseMatrices {
    /// Derivative of the force with respect to position, `nv × nv`.
    pub DfDq: DMatrix<f64>,
    /// Derivative of the force with respect to velocity, `nv × nv`.
    pub DfDv: DMatrix<f64>,
    /// Derivative of the force with respect to acceleration, `nv × nv`.
    pub DfDa: DMatrix<f64>,
    /// Derivative of `sensordata` with respect to position, `nsensordata × nv`.
    pub DsDq: DMatrix<f64>,
    /// Derivative of `sensordata` with respect to velocity, `nsensordata × nv`.
    pub DsDv: DMatrix<f64>,
    /// Derivative of `sensordata` with respect to acceleration, `nsensordata × nv`.
    pub DsDa: DMatrix<f64>,
    /// Derivative of the inertia `qM` with respect to position, `nM × nv`.
    pub DmDq: DMatrix<f64>,
}

/// Computes all four matrices of [`mjd_transition_fd`].
///
/// ```
/// # let model = sim_mjcf::load_str(r#"<mujoco><worldbody><body><joint type="slide" stiffness="2"/>
/// #     <geom size=".1" mass="1"/></body></worldbody></mujoco>"#)?;
/// let mut data = model.make_data();
/// let step = sim_core::transition_matrices(&model, &mut data, 1e-6, true)?;
/// let h = model.opt.timestep;
/// assert!((step.A[(1, 0)] + 2.0 * h).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`mjd_transition_fd`].
#[allow(non_snake_case, reason = "control-theory names")]
pub fn transition_matrices(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
) -> Result<TransitionMatrices, DerivativeError> {
    let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
    let [mut A, mut B, mut C, mut D] =
        [nx * nx, nx * nu, ns * nx, ns * nu].map(|size| vec![0.0; size]);
    let (a, b, c, s) = (Some(&mut A[..]), Some(&mut B[..]), Some(&mut C[..]), Some(&mut D[..]));
    mjd_transition_fd(m, d, eps, centered, a, b, c, s)?;
    Ok(TransitionMatrices {
        A: DMatrix::from_row_slice(nx, nx, &A),
        B: DMatrix::from_row_slice(nx, nu, &B),
        C: DMatrix::from_row_slice(ns, nx, &C),
        D: DMatrix::from_row_slice(ns, nu, &D),
    })
}

/// Computes all seven matrices of [`mjd_inverse_fd`], transposed to the usual orientation of Jacobians.
///
/// # Errors
/// As [`mjd_inverse_fd`].
pub fn inverse_matrices(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
) -> Result<InverseMatrices, DerivativeError> {
    let (nv, ns) = (m.nv, m.nsensordata);
    let mut rows = [nv, nv, nv, ns, ns, ns, m.nM].map(|width| vec![0.0; nv * width]);
    {
        let [fq, fv, fa, sq, sv, sa, mq] = rows.each_mut().map(|row| Some(&mut row[..]));
        mjd_inverse_fd(m, d, eps, actuation, fq, fv, fa, sq, sv, sa, mq)?;
    }
    // row-major flat matrices are the column-major storage of their transposes
    let [fq, fv, fa, sq, sv, sa, mq] = rows;
    Ok(InverseMatrices {
        DfDq: DMatrix::from_vec(nv, nv, fq),
        DfDv: DMatrix::from_vec(nv, nv, fv),
        DfDa: DMatrix::from_vec(nv, nv, fa),
        DsDq: DMatrix::from_vec(ns, nv, sq),
        DsDv: DMatrix::from_vec(ns, nv, sv),
        DsDa: DMatrix::from_vec(ns, nv, sa),
        DmDq: DMatrix::from_vec(m.nM, nv, mq),
    })
}
