//! Singular values of a Jacobian, manipulability and condition number.

/// The singular values of a Jacobian, largest first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingularValues {
    values: [f64; 6],
    count: usize,
}

/// Maximum number of Jacobi sweeps; convergence is quadratic and takes about six.
const SWEEPS: usize = 40;

impl SingularValues {
    /// Computes the singular values of a Jacobian: one per column, at most six.
    ///
    /// An LQ factorization by Givens rotations is followed by one-sided Jacobi rotations, which give
    /// high relative accuracy also for small singular values.
    #[must_use]
    pub fn of(jac: &[[f64; 6]]) -> Self {
        let count = jac.len().min(6);
        if jac.iter().flatten().any(|x| !x.is_finite()) {
            return Self { values: [f64::NAN; 6], count };
        }
        let mut rows = lower_triangle(jac);
        for _ in 0..SWEEPS {
            let mut rotated = false;
            for i in 0..6 {
                for j in i + 1..6 {
                    rotated |= orthogonalize(&mut rows, i, j);
                }
            }
            if !rotated {
                break;
            }
        }
        let mut values = rows.map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt());
        values.sort_by(|a, b| b.total_cmp(a));
        Self { values, count }
    }

    /// The singular values, largest first.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }

    /// Yoshikawa's manipulability: the product of the singular values, `√det(J Jᵀ)` for six or more
    /// dofs. Zero at a singular configuration.
    #[must_use]
    pub fn manipulability(&self) -> f64 {
        self.values().iter().product()
    }

    /// Ratio of the largest to the smallest singular value; infinite at a singular configuration.
    #[must_use]
    pub fn condition_number(&self) -> f64 {
        match self.values() {
            [] => 1.0,
            [.., last] if *last == 0.0 => f64::INFINITY,
            [.., last] => self.values[0] / last,
        }
    }

    /// Whether the smallest singular value is at most `threshold`, or NaN.
    #[must_use]
    pub fn is_singular(&self, threshold: f64) -> bool {
        self.values().last().is_some_and(|last| last.is_nan() || *last <= threshold)
    }

    /// Numerical rank: the number of singular values above `tolerance` times the largest.
    #[must_use]
    pub fn rank(&self, tolerance: f64) -> usize {
        self.values().iter().filter(|&&x| x > tolerance * self.values[0]).count()
    }
}

/// The lower triangular `L` with `L Lᵀ = J Jᵀ`: Givens rotations annihilate one column after another.
fn lower_triangle(jac: &[[f64; 6]]) -> [[f64; 6]; 6] {
    let mut l = [[0.0_f64; 6]; 6];
    for column in jac {
        let mut x = *column;
        for k in 0..6 {
            let length = l[k][k].hypot(x[k]);
            if x[k] == 0.0 {
                continue;
            }
            let (cos, sin) = (l[k][k] / length, x[k] / length);
            for row in k..6 {
                (l[row][k], x[row]) =
                    (cos * l[row][k] + sin * x[row], cos * x[row] - sin * l[row][k]);
            }
        }
    }
    l
}

/// Orthogonalizes two rows by a Jacobi rotation; false if they are orthogonal already.
fn orthogonalize(rows: &mut [[f64; 6]; 6], i: usize, j: usize) -> bool {
    let dot = |a: &[f64; 6], b: &[f64; 6]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let (a, b, c) = (dot(&rows[i], &rows[i]), dot(&rows[j], &rows[j]), dot(&rows[i], &rows[j]));
    if c == 0.0 || c.abs() <= 1e-15 * (a * b).sqrt() {
        return false;
    }
    let zeta = (b - a) / (2.0 * c);
    let tan = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cos = 1.0 / tan.hypot(1.0);
    let sin = cos * tan;
    for k in 0..6 {
        let (x, y) = (rows[i][k], rows[j][k]);
        rows[i][k] = cos * x - sin * y;
        rows[j][k] = sin * x + cos * y;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::SingularValues;
    use crate::rng::Rng;
    use nalgebra::DMatrix;

    #[test]
    fn agrees_with_the_svd_of_nalgebra() {
        let mut rng = Rng::new(3);
        for n in 1..12 {
            for _ in 0..50 {
                let jac: Vec<[f64; 6]> =
                    (0..n).map(|_| std::array::from_fn(|_| rng.between(-1.0, 1.0))).collect();
                let matrix = DMatrix::from_fn(6, n, |row, column| jac[column][row]);
                let expected = matrix.svd(false, false).singular_values;
                let found = SingularValues::of(&jac);
                assert_eq!(found.values().len(), expected.len());
                for (a, b) in found.values().iter().zip(&expected) {
                    assert!((a - b).abs() < 1e-13, "{found:?} {expected}");
                }
            }
        }
    }

    #[test]
    fn linearly_dependent_columns_are_singular() {
        let jac = [[1.0, 0.0, 2.0, 0.0, 0.0, 1.0], [2.0, 0.0, 4.0, 0.0, 0.0, 2.0]];
        let found = SingularValues::of(&jac);
        assert!(found.is_singular(1e-12) && found.manipulability() < 1e-15);
        assert!(found.condition_number() > 1e14);
        assert_eq!(found.rank(1e-9), 1);
        assert!(SingularValues::of(&[[f64::NAN; 6]]).is_singular(1e-6));
        assert!(!SingularValues::of(&[]).is_singular(1e-6));
    }
}
