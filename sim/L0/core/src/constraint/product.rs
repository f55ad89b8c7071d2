//! Products with the constraint Jacobian (`mj_mulJacVec`, `mj_mulJacTVec`).

use crate::Data;

/// `result = J x`.
///
/// # Panics
/// If a slice is too short.
#[doc(alias = "mj_mulJacVec")]
pub fn mj_mul_jac_vec(d: &Data, x: &[f64], result: &mut [f64]) {
    sim_constraint::multiply_jacobian(
        &d.efc_J_rownnz,
        &d.efc_J_rowadr,
        &d.efc_J_rowsuper,
        &d.efc_J_colind,
        &d.efc_J,
        x,
        &mut result[..d.nefc],
    );
}

/// `result = Jᵀ x`.
///
/// # Panics
/// If a slice is too short.
#[doc(alias = "mj_mulJacTVec")]
pub fn mj_mul_jac_t_vec(d: &Data, x: &[f64], result: &mut [f64]) {
    result.fill(0.0);
    for (row, &x) in x[..d.nefc].iter().enumerate() {
        let (columns, entries) = row_of(d, row);
        for (&dof, j) in columns.iter().zip(entries) {
            result[dof as usize] += j * x;
        }
    }
}

/// Columns and values of a row of the Jacobian.
pub(super) fn row_of(d: &Data, row: usize) -> (&[i32], &[f64]) {
    let start = d.efc_J_rowadr[row] as usize;
    let end = start + d.efc_J_rownnz[row] as usize;
    (&d.efc_J_colind[start..end], &d.efc_J[start..end])
}
