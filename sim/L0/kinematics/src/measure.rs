//! How well a Jacobian can move the tip: singular values and what follows from them.

/// The singular values of a Jacobian, largest first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingularValues {
    values: [f64; 6],
    count: usize,
}

/// Sweeps of rotations before giving up; convergence is quadratic and takes about six.
const SWEEPS: usize = 40;

impl SingularValues {
    /// The singular values of a Jacobian: as many as it has columns, at most six.
    ///
    /// They are small ones to full relative accuracy: the columns are first brought to a triangle by
    /// rotations, and its rows made orthogonal by one-sided Jacobi rotations.
    #[must_use]
    pub fn of(jac: &[[f64; 6]]) -> Self {
        let count = jac.len().min(6);
        if jac.iter().flatten().any(|x| !x.is_finite()) {
            return Self { values: [f64::NAN; 6], count };
        }
        let mut rows = triangle(jac);
        for _ in 0..SWEEPS {
            let mut turned = false;
            for i in 0..6 {
                for j in i + 1..6 {
                    turned |= make_orthogonal(&mut rows, i, j);
                }
            }
            if !turned {
                break;
            }
        }
        let mut values = rows.map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt());
        values.sort_by(|a, b| b.total_cmp(a));
        Self { values, count }
    }

    /// The values, largest first.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }

    /// Yoshikawa's measure: the product of all values, which is `√det(J Jᵀ)` for six joints or more.
    /// Zero at a singular pose.
    #[must_use]
    pub fn manipulability(&self) -> f64 {
        self.values().iter().product()
    }

    /// The largest value over the smallest; infinite at a singular pose.
    #[must_use]
    pub fn condition_number(&self) -> f64 {
        match self.values() {
            [] => 1.0,
            [.., last] if *last == 0.0 => f64::INFINITY,
            [.., last] => self.values[0] / last,
        }
    }

    /// Whether the smallest value is not above a threshold, or not a number.
    #[must_use]
    pub fn is_singular(&self, threshold: f64) -> bool {
        self.values().last().is_some_and(|last| last.is_nan() || *last <= threshold)
    }

    /// How many values are above a share of the largest.
    #[must_use]
    pub fn rank(&self, share: f64) -> usize {
        self.values().iter().filter(|&&x| x > share * self.values[0]).count()
    }
}

/// The triangle `L` with `L Lᵀ = J Jᵀ`, column by column, by rotations that clear each new column.
fn triangle(jac: &[[f64; 6]]) -> [[f64; 6]; 6] {
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

/// Rotates two rows so that they become orthogonal; whether that was needed.
fn make_orthogonal(rows: &mut [[f64; 6]; 6], i: usize, j: usize) -> bool {
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
    use crate::random::Random;
    use nalgebra::DMatrix;

    #[test]
    fn agrees_with_a_singular_value_decomposition() {
        let mut random = Random::new(3);
        for n in 1..12 {
            for _ in 0..50 {
                let jac: Vec<[f64; 6]> =
                    (0..n).map(|_| std::array::from_fn(|_| random.between(-1.0, 1.0))).collect();
                let matrix = DMatrix::from_fn(6, n, |row, column| jac[column][row]);
                let wanted = matrix.svd(false, false).singular_values;
                let found = SingularValues::of(&jac);
                assert_eq!(found.values().len(), wanted.len());
                for (a, b) in found.values().iter().zip(&wanted) {
                    assert!((a - b).abs() < 1e-13, "{found:?} {wanted}");
                }
            }
        }
    }

    #[test]
    fn dependent_columns_are_singular() {
        let jac = [[1.0, 0.0, 2.0, 0.0, 0.0, 1.0], [2.0, 0.0, 4.0, 0.0, 0.0, 2.0]];
        let found = SingularValues::of(&jac);
        assert!(found.is_singular(1e-12) && found.manipulability() < 1e-15);
        assert!(found.condition_number() > 1e14);
        assert_eq!(found.rank(1e-9), 1);
        assert!(SingularValues::of(&[[f64::NAN; 6]]).is_singular(1e-6));
        assert!(!SingularValues::of(&[]).is_singular(1e-6));
    }
}
