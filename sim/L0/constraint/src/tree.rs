//! Products and solves with the inertia, on the pattern of its tree.

use crate::problem::Inertia;

/// `out = M x`.
pub(crate) fn mul(inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
    let Inertia { rownnz, rowadr, colind, m, .. } = *inertia;
    out.fill(0.0);
    for i in 0..x.len() {
        let start = rowadr[i] as usize;
        let diagonal = start + rownnz[i] as usize - 1;
        let (row, cols) = (&m[start..diagonal], &colind[start..diagonal]);
        let xi = x[i];
        let mut sum = m[diagonal] * xi;
        for (&value, &j) in row.iter().zip(cols) {
            sum += value * x[j as usize];
            out[j as usize] += value * xi;
        }
        out[i] += sum;
    }
}

/// `x ← M⁻¹ x`, by the factor.
pub(crate) fn solve(inertia: &Inertia<'_>, x: &mut [f64]) {
    back_substitute(inertia, x);
    for (x, inverse) in x.iter_mut().zip(inertia.diag_inv) {
        *x *= inverse;
    }
    let Inertia { rownnz, rowadr, colind, ld, .. } = *inertia;
    for i in 0..x.len() {
        let start = rowadr[i] as usize;
        let end = start + rownnz[i] as usize - 1;
        let sum: f64 =
            ld[start..end].iter().zip(&colind[start..end]).map(|(&l, &j)| l * x[j as usize]).sum();
        x[i] -= sum;
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn back_substitute(inertia: &Inertia<'_>, x: &mut [f64]) {
    let Inertia { rownnz, rowadr, colind, ld, .. } = *inertia;
    for i in (0..x.len()).rev() {
        let value = x[i];
        if value == 0.0 {
            continue;
        }
        let start = rowadr[i] as usize;
        let end = start + rownnz[i] as usize - 1;
        for (&l, &j) in ld[start..end].iter().zip(&colind[start..end]) {
            x[j as usize] -= l * value;
        }
    }
}
