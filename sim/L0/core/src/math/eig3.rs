//! Eigenvalue decomposition of a symmetric 3 × 3 matrix (`mju_eig3`), by Jacobi rotations that are
//! accumulated in a quaternion, so that the matrix of eigenvectors is a proper rotation.

use super::mat3::{self, Mat3};
use super::quat::{self, Quat};
use super::vec3::Vec3;
use sim_types::MINVAL;
use std::f64::consts::FRAC_1_SQRT_2;

/// Off-diagonal entries, angles and differences of eigenvalues below this value are treated as zero.
const EPSILON: f64 = 1000.0 * MINVAL;
/// Maximum number of Jacobi rotations; usually fewer than 10 are needed.
const MAX_ROTATIONS: usize = 500;

/// An eigendecomposition `A = V diag(values) Vᵀ`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eigen3 {
    /// Eigenvalues in decreasing order.
    pub values: Vec3,
    /// Eigenvectors in the columns.
    pub vectors: Mat3,
    /// The same rotation as a quaternion.
    pub quat: Quat,
    /// Number of Jacobi rotations.
    pub rotations: usize,
}

/// Decomposes a symmetric matrix.
#[doc(alias = "mju_eig3")]
#[must_use]
pub fn eig3(a: &Mat3) -> Eigen3 {
    let mut q = quat::IDENTITY;
    let mut rotations = 0;
    let mut d = *a;
    while rotations < MAX_ROTATIONS {
        let v = quat::to_mat(q);
        d = mat3::mul(&mat3::mul(&mat3::transpose(&v), a), &v);
        let Some(turn) = rotation(&d) else { break };
        q = quat::normalize(quat::mul(q, turn));
        rotations += 1;
    }
    let mut values = [d[0], d[4], d[8]];
    for first in [0, 1, 0] {
        if values[first] + EPSILON < values[first + 1] {
            values.swap(first, first + 1);
            // a rotation by 90° about the third axis swaps the other two
            let mut quarter = [FRAC_1_SQRT_2, 0.0, 0.0, 0.0];
            quarter[(first + 2) % 3 + 1] = FRAC_1_SQRT_2;
            q = quat::normalize(quat::mul(q, quarter));
        }
    }
    Eigen3 { values, vectors: quat::to_mat(q), quat: q, rotations }
}

/// The Jacobi rotation that eliminates the largest off-diagonal entry; `None` at convergence.
fn rotation(d: &Mat3) -> Option<Quat> {
    let (xy, xz, yz) = (d[1].abs(), d[2].abs(), d[5].abs());
    let (row, col, axis) = if xy > xz && xy > yz {
        (0, 1, 2)
    } else if xz > yz {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let entry = d[3 * row + col];
    // a NaN ends the iteration as well
    if entry.abs() < EPSILON || entry.is_nan() {
        return None;
    }
    let tau = (d[4 * col] - d[4 * row]) / (2.0 * entry);
    let sign = if tau >= 0.0 { 1.0 } else { -1.0 };
    let tangent = sign / (tau.abs() + (1.0 + tau * tau).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    if cosine > 1.0 - EPSILON {
        return None;
    }
    let half = (0.5 - 0.5 * cosine).sqrt();
    let sine = if (tau >= 0.0) == (axis == 1) { half } else { -half };
    let mut turn = [(1.0 - sine * sine).sqrt(), 0.0, 0.0, 0.0];
    turn[axis + 1] = sine;
    Some(quat::normalize(turn))
}
