//! Products with the inertia matrix, and its dense form (`mj_mulM`, `mj_mulM2`, `mj_addM`,
//! `mj_fullM`).

use super::ldl;
use crate::math::at;
use crate::{Data, Model};
use nalgebra::DMatrix;

/// `result = M x`.
#[doc(alias = "mj_mulM")]
pub fn mj_mul_m(m: &Model, d: &Data, x: &[f64], result: &mut [f64]) {
    ldl::mul(m.m_pattern(), &d.M, x, result);
}

/// `result = D^(1/2) L x` with the factorization of `M`, so that `result · result = x · M x`.
#[doc(alias = "mj_mulM2")]
pub fn mj_mul_m2(m: &Model, d: &Data, x: &[f64], result: &mut [f64]) {
    for i in 0..m.nv {
        let start = at(&m.M_rowadr, i);
        let diagonal = start + at(&m.M_rownnz, i) - 1;
        let mut sum = x[i];
        for adr in start..diagonal {
            sum += d.qLD[adr] * x[at(&m.M_colind, adr)];
        }
        result[i] = sum / d.qLDiagInv[i].sqrt();
    }
}

/// Adds `M` to a symmetric row-major `nv × nv` matrix.
#[doc(alias = "mj_addM")]
pub fn mj_add_m(m: &Model, d: &Data, dense: &mut [f64]) {
    for i in 0..m.nv {
        let start = at(&m.M_rowadr, i);
        for adr in start..start + at(&m.M_rownnz, i) {
            let j = at(&m.M_colind, adr);
            dense[i * m.nv + j] += d.M[adr];
            if i != j {
                dense[j * m.nv + i] += d.M[adr];
            }
        }
    }
}

/// The inertia matrix as a dense symmetric matrix.
#[doc(alias = "mj_fullM")]
#[must_use]
pub fn mj_full_m(m: &Model, d: &Data) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(m.nv, m.nv);
    mj_add_m(m, d, dense.as_mut_slice());
    dense
}
