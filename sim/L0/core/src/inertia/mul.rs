//! Products with the inertia matrix and conversion to dense form (`mj_mulM`, `mj_mulM2`,
//! `mj_addM`, `mj_fullM`).

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

/// Converts a sparse matrix in the layout of `qM` (`nM` entries, addresses `dof_Madr`) to a dense
/// symmetric `nv × nv` matrix.
///
/// Any matrix with this sparsity can be converted; `inertia_matrix` is the shorter form for the
/// inertia matrix of some data.
///
/// # Panics
/// If a slice is too short.
#[doc(alias = "mj_fullM")]
pub fn mj_full_m(m: &Model, dst: &mut [f64], qm: &[f64]) {
    let nv = m.nv;
    dst[..nv * nv].fill(0.0);
    for i in 0..nv {
        let mut adr = at(&m.dof_Madr, i);
        let mut dof = Some(i);
        // from the dof to the root
        while let Some(j) = dof {
            dst[i * nv + j] = qm[adr];
            dst[j * nv + i] = qm[adr];
            adr += 1;
            dof = usize::try_from(m.dof_parentid[j]).ok();
        }
    }
}

/// The inertia matrix `M` as a dense symmetric matrix.
#[must_use]
pub fn inertia_matrix(m: &Model, d: &Data) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(m.nv, m.nv);
    mj_add_m(m, d, dense.as_mut_slice());
    dense
}
