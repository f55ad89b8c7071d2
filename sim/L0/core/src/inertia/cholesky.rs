//! Dense Cholesky factorisation in place, for small systems and as a reference in tests.

use nalgebra::{DMatrix, DVector};
use sim_types::StepError;

/// Overwrites the lower triangle of a symmetric positive definite matrix with its Cholesky factor.
/// The upper triangle is not accessed.
///
/// # Errors
/// [`StepError::CholeskyFailed`] when a pivot is not positive.
///
/// ```
/// use nalgebra::{DMatrix, DVector};
/// use sim_core::{cholesky_in_place, cholesky_solve_in_place};
/// let mut a = DMatrix::from_row_slice(2, 2, &[4.0, 2.0, 2.0, 3.0]);
/// let mut x = DVector::from_vec(vec![2.0, 5.0]);
/// cholesky_in_place(&mut a)?;
/// cholesky_solve_in_place(&a, &mut x);
/// assert!((x - DVector::from_vec(vec![-0.5, 2.0])).norm() < 1e-15);
/// # Ok::<(), sim_core::types::StepError>(())
/// ```
pub fn cholesky_in_place(m: &mut DMatrix<f64>) -> Result<(), StepError> {
    let n = m.nrows();
    for j in 0..n {
        let mut pivot = m[(j, j)];
        for k in 0..j {
            pivot -= m[(j, k)] * m[(j, k)];
        }
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(StepError::CholeskyFailed { index: j, value: pivot });
        }
        let pivot = pivot.sqrt();
        m[(j, j)] = pivot;
        for i in j + 1..n {
            let mut value = m[(i, j)];
            for k in 0..j {
                value -= m[(i, k)] * m[(j, k)];
            }
            m[(i, j)] = value / pivot;
        }
    }
    Ok(())
}

/// Solves `L Lᵀ x = b` in place, with the factor that [`cholesky_in_place`] left in `m`.
pub fn cholesky_solve_in_place(m: &DMatrix<f64>, x: &mut DVector<f64>) {
    let n = m.nrows();
    for i in 0..n {
        let mut value = x[i];
        for k in 0..i {
            value -= m[(i, k)] * x[k];
        }
        x[i] = value / m[(i, i)];
    }
    for i in (0..n).rev() {
        let mut value = x[i];
        for k in i + 1..n {
            value -= m[(k, i)] * x[k];
        }
        x[i] = value / m[(i, i)];
    }
}
