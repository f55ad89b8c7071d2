//! Quadratically constrained quadratic program (`mju_QCQP`): a quadratic function minimised over an
//! ellipsoid, here the friction of one contact at a given normal force.

/// Maximum number of Newton iterations on the Lagrange multiplier.
const ITERATIONS: usize = 20;
/// Tolerance for determinants, pivots, the constraint violation and the Newton step.
const TOLERANCE: f64 = 1e-10;

/// Minimises `½ xᵀ A x + xᵀ b` over `Σ (xᵢ / dᵢ)² ≤ r²`, for `n` up to 5; `A` is stored by rows of
/// length `n`. Returns the minimum and whether it is on the boundary. If `A` is singular the
/// result is zero.
#[doc(alias = "mju_QCQP")]
#[inline(always)]
pub(crate) fn minimise(a: &[f64], b: &[f64], d: &[f64; 5], r: f64, n: usize) -> ([f64; 5], bool) {
    // rescale so that the ellipsoid becomes a sphere of radius r
    let (mut scaled_a, mut scaled_b) = ([0.0; 25], [0.0; 5]);
    for i in 0..n {
        scaled_b[i] = b[i] * d[i];
        for j in 0..n {
            scaled_a[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    let mut multiplier = 0.0;
    let mut x = [0.0; 5];
    for _ in 0..ITERATIONS {
        let solved = match n {
            2 => solve2(&scaled_a, &scaled_b, multiplier),
            3 => solve3(&scaled_a, &scaled_b, multiplier),
            _ => solve_cholesky(&scaled_a, &scaled_b, multiplier, n),
        };
        let Some((solution, curvature)) = solved else {
            return ([0.0; 5], false);
        };
        x = solution;
        let violation = x[..n].iter().map(|x| x * x).sum::<f64>() - r * r;
        if violation < TOLERANCE {
            break;
        }
        let step = violation / (2.0 * curvature);
        // NaN terminates too
        if step.is_nan() || step < TOLERANCE {
            break;
        }
        multiplier += step;
    }
    for i in 0..n {
        x[i] *= d[i];
    }
    (x, multiplier != 0.0)
}

/// `x = −(A + λI)⁻¹ b` and `xᵀ (A + λI)⁻¹ x`, or `None` if the matrix is singular.
type Solved = Option<([f64; 5], f64)>;

#[inline(always)]
fn solve2(a: &[f64; 25], b: &[f64; 5], multiplier: f64) -> Solved {
    let (a11, a22, a12) = (a[0] + multiplier, a[3] + multiplier, a[1]);
    let det = a11 * a22 - a12 * a12;
    if det < TOLERANCE {
        return None;
    }
    let inverse = 1.0 / det;
    let (p11, p22, p12) = (a22 * inverse, a11 * inverse, -a12 * inverse);
    let (x, y) = (-p11 * b[0] - p12 * b[1], -p12 * b[0] - p22 * b[1]);
    Some(([x, y, 0.0, 0.0, 0.0], p11 * x * x + 2.0 * p12 * x * y + p22 * y * y))
}

#[inline(always)]
fn solve3(a: &[f64; 25], b: &[f64; 5], multiplier: f64) -> Solved {
    let (a11, a22, a33) = (a[0] + multiplier, a[4] + multiplier, a[8] + multiplier);
    let (a12, a13, a23) = (a[1], a[2], a[5]);
    let (p11, p22, p33) = (a22 * a33 - a23 * a23, a11 * a33 - a13 * a13, a11 * a22 - a12 * a12);
    let (p12, p13, p23) = (a13 * a23 - a12 * a33, a12 * a23 - a13 * a22, a12 * a13 - a23 * a11);
    let det = a11 * p11 + a12 * p12 + a13 * p13;
    if det < TOLERANCE {
        return None;
    }
    let inverse = 1.0 / det;
    let times = |v: [f64; 3]| {
        [
            (p11 * v[0] + p12 * v[1] + p13 * v[2]) * inverse,
            (p12 * v[0] + p22 * v[1] + p23 * v[2]) * inverse,
            (p13 * v[0] + p23 * v[1] + p33 * v[2]) * inverse,
        ]
    };
    let [x, y, z] = times([-b[0], -b[1], -b[2]]);
    let [px, py, pz] = times([x, y, z]);
    Some(([x, y, z, 0.0, 0.0], x * px + y * py + z * pz))
}

#[inline(always)]
fn solve_cholesky(a: &[f64; 25], b: &[f64; 5], multiplier: f64, n: usize) -> Solved {
    let mut l = *a;
    for i in 0..n {
        l[i * (n + 1)] += multiplier;
    }
    for j in 0..n {
        for i in j..n {
            let mut value = l[i * n + j];
            for k in 0..j {
                value -= l[i * n + k] * l[j * n + k];
            }
            if i == j {
                if value < TOLERANCE {
                    return None;
                }
                l[i * n + j] = value.sqrt();
            } else {
                l[i * n + j] = value / l[j * n + j];
            }
        }
    }
    // xᵀ (L Lᵀ)⁻¹ x = |L⁻¹ x|² needs the forward substitution only
    let forward = |v: &mut [f64; 5]| {
        for i in 0..n {
            for k in 0..i {
                v[i] -= l[i * n + k] * v[k];
            }
            v[i] /= l[i * n + i];
        }
    };
    let mut x = b.map(|b| -b);
    forward(&mut x);
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= l[k * n + i] * x[k];
        }
        x[i] /= l[i * n + i];
    }
    let mut half = x;
    forward(&mut half);
    Some((x, half[..n].iter().map(|h| h * h).sum()))
}

#[cfg(test)]
mod tests {
    use super::minimise;

    /// The gradient is opposite to the ellipsoid's normal, or zero inside.
    fn check(n: usize, r: f64, boundary: bool) {
        let d = [0.7, 1.3, 0.5, 2.0, 0.9];
        let mut a = [0.0; 25];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = 0.3 / (1.0 + i as f64 + j as f64) + f64::from(i == j);
            }
        }
        let b = [1.0, -2.0, 0.5, 1.5, -0.7];
        let (x, active) = minimise(&a, &b, &d, r, n);
        assert_eq!(active, boundary);
        let gradient: Vec<f64> =
            (0..n).map(|i| b[i] + (0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>()).collect();
        let inside: f64 = (0..n).map(|i| (x[i] / d[i]).powi(2)).sum::<f64>() - r * r;
        if !boundary {
            assert!(inside < 0.0);
            assert!(gradient.iter().all(|g| g.abs() < 1e-12), "{gradient:?}");
            return;
        }
        assert!(inside.abs() < 1e-9, "{inside}");
        let multiplier = -gradient[0] * d[0] * d[0] / x[0];
        assert!(multiplier > 0.0);
        for i in 0..n {
            assert!((gradient[i] + multiplier * x[i] / (d[i] * d[i])).abs() < 1e-8);
        }
    }

    #[test]
    fn minimum_satisfies_the_kkt_conditions() {
        for n in 2..=5 {
            check(n, 0.5, true);
            check(n, 100.0, false);
        }
    }

    #[test]
    fn singular_matrix_gives_zero() {
        for n in 2..=5 {
            assert_eq!(minimise(&[0.0; 25], &[1.0; 5], &[1.0; 5], 1.0, n), ([0.0; 5], false));
        }
    }

    #[test]
    fn nan_terminates() {
        for n in 2..=5 {
            let (x, _) = minimise(&[f64::NAN; 25], &[1.0; 5], &[1.0; 5], 1.0, n);
            assert!(x[0].is_nan() || x[0] == 0.0);
        }
    }
}
