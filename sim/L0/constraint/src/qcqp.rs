//! Quadratically constrained quadratic program (`mju_QCQP`): a quadratic function minimised over an
//! ellipsoid, here the friction of one contact at a given normal force.

/// Maximum number of Newton iterations on the Lagrange multiplier.
const ITERATIONS: usize = 20;
/// Tolerance for determinants, pivots, the constraint violation and the Newton step.
const TOLERANCE: f64 = 1e-10;

/// Minimises `½ xᵀ A x + xᵀ b` over `Σ (xᵢ / dᵢ)² ≤ r²`, for `N` up to 5. Returns the minimum and, if it is on the
/// boundary, `Σ (xᵢ / dᵢ)²`. If `A` is singular the result is zero.
#[doc(alias = "mju_QCQP")]
#[inline(always)]
pub(crate) fn minimise<const N: usize>(
    a: &[[f64; N]; N],
    b: &[f64; N],
    d: &[f64; N],
    r: f64,
) -> ([f64; N], Option<f64>) {
    // rescale so that the ellipsoid becomes a sphere of radius r
    let (mut scaled_a, mut scaled_b) = ([[0.0; N]; N], [0.0; N]);
    for i in 0..N {
        scaled_b[i] = b[i] * d[i];
        for j in 0..N {
            scaled_a[i][j] = a[i][j] * d[i] * d[j];
        }
    }
    let (mut multiplier, square) = (0.0, r * r);
    let mut solution = Solved { w: [0.0; N], det: 1.0, curvature: 0.0, square: 0.0 };
    for _ in 0..ITERATIONS {
        let solved = match N {
            2 => solve2(&scaled_a, &scaled_b, multiplier),
            3 => solve3(&scaled_a, &scaled_b, multiplier),
            _ => solve_cholesky(&scaled_a, &scaled_b, multiplier),
        };
        let Some(solved) = solved else {
            return ([0.0; N], None);
        };
        solution = solved;
        let Solved { det, curvature, square: norm, .. } = solved;
        // |x|² − r², multiplied by det²
        let violation = norm - square * (det * det);
        if violation < TOLERANCE * (det * det) {
            break;
        }
        let step = det * violation / (2.0 * curvature);
        // NaN terminates too
        if step.is_nan() || step < TOLERANCE {
            break;
        }
        multiplier += step;
    }
    let inverse = 1.0 / solution.det;
    let mut x = solution.w;
    for i in 0..N {
        x[i] *= d[i] * inverse;
    }
    (x, (multiplier != 0.0).then_some(solution.square * inverse * inverse))
}

/// Solution `x = −(A + λI)⁻¹ b` as a fraction, so that a Newton step needs a single division.
#[derive(Clone, Copy)]
struct Solved<const N: usize> {
    /// `x det`.
    w: [f64; N],
    /// A common denominator of the inverse matrix.
    det: f64,
    /// `xᵀ (A + λI)⁻¹ x det³`.
    curvature: f64,
    /// `|x|² det²`.
    square: f64,
}

/// The solution for `λ = multiplier`, or `None` if the matrix is singular.
#[inline(always)]
fn solve2<const N: usize>(a: &[[f64; N]; N], b: &[f64; N], multiplier: f64) -> Option<Solved<N>> {
    let (a11, a22, a12) = (a[0][0] + multiplier, a[1][1] + multiplier, a[0][1]);
    let det = a11 * a22 - a12 * a12;
    if det < TOLERANCE {
        return None;
    }
    let (x, y) = (a12 * b[1] - a22 * b[0], a12 * b[0] - a11 * b[1]);
    let curvature = a22 * x * x - 2.0 * a12 * x * y + a11 * y * y;
    let w = std::array::from_fn(|i| [x, y][i]);
    Some(Solved { w, det, curvature, square: x * x + y * y })
}

#[inline(always)]
fn solve3<const N: usize>(a: &[[f64; N]; N], b: &[f64; N], multiplier: f64) -> Option<Solved<N>> {
    let [a11, a22, a33] = [0, 1, 2].map(|i| a[i][i] + multiplier);
    let (a12, a13, a23) = (a[0][1], a[0][2], a[1][2]);
    let (p11, p22, p33) = (a22 * a33 - a23 * a23, a11 * a33 - a13 * a13, a11 * a22 - a12 * a12);
    let (p12, p13, p23) = (a13 * a23 - a12 * a33, a12 * a23 - a13 * a22, a12 * a13 - a23 * a11);
    let det = a11 * p11 + a12 * p12 + a13 * p13;
    if det < TOLERANCE {
        return None;
    }
    let times = |v: [f64; 3]| {
        [
            p11 * v[0] + p12 * v[1] + p13 * v[2],
            p12 * v[0] + p22 * v[1] + p23 * v[2],
            p13 * v[0] + p23 * v[1] + p33 * v[2],
        ]
    };
    let x = times([-b[0], -b[1], -b[2]]);
    let [px, py, pz] = times(x);
    let curvature = x[0] * px + x[1] * py + x[2] * pz;
    let square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    Some(Solved { w: std::array::from_fn(|i| x[i]), det, curvature, square })
}

#[inline(always)]
fn solve_cholesky<const N: usize>(
    a: &[[f64; N]; N],
    b: &[f64; N],
    multiplier: f64,
) -> Option<Solved<N>> {
    let mut l = *a;
    for i in 0..N {
        l[i][i] += multiplier;
    }
    for j in 0..N {
        for i in j..N {
            let mut value = l[i][j];
            for k in 0..j {
                value -= l[i][k] * l[j][k];
            }
            if i == j {
                if value < TOLERANCE {
                    return None;
                }
                l[i][j] = value.sqrt();
            } else {
                l[i][j] = value / l[j][j];
            }
        }
    }
    // xᵀ (L Lᵀ)⁻¹ x = |L⁻¹ x|² needs the forward substitution only
    let forward = |v: &mut [f64; N]| {
        for i in 0..N {
            for k in 0..i {
                v[i] -= l[i][k] * v[k];
            }
            v[i] /= l[i][i];
        }
    };
    let mut x = b.map(|b| -b);
    forward(&mut x);
    for i in (0..N).rev() {
        for k in i + 1..N {
            x[i] -= l[k][i] * x[k];
        }
        x[i] /= l[i][i];
    }
    let mut half = x;
    forward(&mut half);
    let square = |v: &[f64; N]| v.iter().map(|v| v * v).sum();
    Some(Solved { w: x, det: 1.0, curvature: square(&half), square: square(&x) })
}

#[cfg(test)]
mod tests {
    use super::minimise;

    /// The gradient is opposite to the ellipsoid's normal, or zero inside.
    fn check<const N: usize>(r: f64, boundary: bool) {
        let d: [f64; N] = std::array::from_fn(|i| [0.7, 1.3, 0.5, 2.0, 0.9][i]);
        let mut a = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..N {
                a[i][j] = 0.3 / (1.0 + i as f64 + j as f64) + f64::from(i == j);
            }
        }
        let b: [f64; N] = std::array::from_fn(|i| [1.0, -2.0, 0.5, 1.5, -0.7][i]);
        let (x, active) = minimise(&a, &b, &d, r);
        assert_eq!(active.is_some(), boundary);
        let gradient: Vec<f64> =
            (0..N).map(|i| b[i] + (0..N).map(|j| a[i][j] * x[j]).sum::<f64>()).collect();
        let inside: f64 = (0..N).map(|i| (x[i] / d[i]).powi(2)).sum::<f64>() - r * r;
        if !boundary {
            assert!(inside < 0.0);
            assert!(gradient.iter().all(|g| g.abs() < 1e-12), "{gradient:?}");
            return;
        }
        assert!(inside.abs() < 1e-9, "{inside}");
        assert!(active.is_some_and(|square| (square - inside - r * r).abs() < 1e-12));
        let multiplier = -gradient[0] * d[0] * d[0] / x[0];
        assert!(multiplier > 0.0);
        for i in 0..N {
            assert!((gradient[i] + multiplier * x[i] / (d[i] * d[i])).abs() < 1e-8);
        }
    }

    #[test]
    fn minimum_satisfies_the_kkt_conditions() {
        for (r, boundary) in [(0.5, true), (100.0, false)] {
            check::<2>(r, boundary);
            check::<3>(r, boundary);
            check::<4>(r, boundary);
            check::<5>(r, boundary);
        }
    }

    fn minimise_constant<const N: usize>(a: f64) -> ([f64; N], Option<f64>) {
        minimise(&[[a; N]; N], &[1.0; N], &[1.0; N], 1.0)
    }

    #[test]
    fn singular_matrix_gives_zero() {
        assert_eq!(minimise_constant::<2>(0.0), ([0.0; 2], None));
        assert_eq!(minimise_constant::<3>(0.0), ([0.0; 3], None));
        assert_eq!(minimise_constant::<5>(0.0), ([0.0; 5], None));
    }

    #[test]
    fn nan_terminates() {
        let ends = |x: f64| x.is_nan() || x == 0.0;
        assert!(ends(minimise_constant::<2>(f64::NAN).0[0]));
        assert!(ends(minimise_constant::<3>(f64::NAN).0[0]));
        assert!(ends(minimise_constant::<5>(f64::NAN).0[0]));
    }
}
