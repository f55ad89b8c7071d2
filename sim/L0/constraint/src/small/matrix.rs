//! Dense matrices of small problems: rows of `S` SIMD vectors, padded with zeros.
//!
//! Vectors stay whole SIMD vectors between the steps of a factorisation or substitution: a vector load after a scalar
//! store of one of its elements would stall (store forwarding).

use crate::vector::{F64x4, axpy4, mul_add4, pad, sum4};
use sim_types::MINVAL;

/// Row of a matrix, or a vector.
pub(super) type Row<const S: usize> = [F64x4; S];

/// Entry of a row.
#[inline(always)]
pub(super) fn entry<const S: usize>(row: &Row<S>, k: usize) -> f64 {
    row[k / 4][k % 4]
}

/// Pads a vector with zeros.
#[inline(always)]
pub(super) fn padded<const S: usize>(x: &[f64]) -> Row<S> {
    let (chunks, rest) = x.as_chunks::<4>();
    let mut row = [[0.0; 4]; S];
    for s in 0..S {
        row[s] = chunks.get(s).copied().unwrap_or_else(|| {
            let is_rest = s == chunks.len();
            if is_rest { pad(rest) } else { [0.0; 4] }
        });
    }
    row
}

/// Copies a vector without its padding.
#[inline(always)]
pub(super) fn store<const S: usize>(row: &Row<S>, x: &mut [f64]) {
    for (to, from) in x.iter_mut().zip(row.as_flattened()) {
        *to = *from;
    }
}

/// `y + a x`.
#[inline(always)]
pub(super) fn add_scaled<const S: usize>(mut y: Row<S>, x: &Row<S>, a: f64) -> Row<S> {
    for s in 0..S {
        y[s] = axpy4(y[s], x[s], a);
    }
    y
}

/// Inner product.
#[inline(always)]
pub(super) fn dot<const S: usize>(x: &Row<S>, y: &Row<S>) -> f64 {
    let mut sum = [0.0; 4];
    for s in 0..S {
        sum = mul_add4(sum, x[s], y[s]);
    }
    sum4(sum)
}

/// Inner product, summed in the order of [`crate::vector::long_dot`].
#[inline(always)]
pub(super) fn long_dot<const S: usize>(x: &Row<S>, y: &Row<S>) -> f64 {
    let mut sum = [[0.0; 4]; 2];
    for s in 0..S {
        sum[s % 2] = mul_add4(sum[s % 2], x[s], y[s]);
    }
    sum4(axpy4(sum[0], sum[1], 1.0))
}

/// `x − y`.
#[inline(always)]
pub(super) fn difference<const S: usize>(x: &Row<S>, y: &Row<S>) -> Row<S> {
    add_scaled(*x, y, -1.0)
}

/// `Aᵀ x` for the rows of `A`.
#[inline(always)]
pub(super) fn mul_transposed<const S: usize>(a: &[Row<S>], x: &[f64]) -> Row<S> {
    let mut out = [[0.0; 4]; S];
    for (row, &x) in a.iter().zip(x) {
        out = add_scaled(out, row, x);
    }
    out
}

/// `out = A x` for the rows of `A`.
#[inline(always)]
pub(super) fn mul<const S: usize>(a: &[Row<S>], x: &Row<S>, out: &mut [f64]) {
    for (row, out) in a.iter().zip(out) {
        *out = dot(row, x);
    }
}

/// Adds `left rightᵀ`, scaled, to the lower triangle; entries right of the diagonal are undefined.
#[inline(always)]
pub(super) fn add_product<const S: usize>(
    h: &mut [Row<S>],
    left: &Row<S>,
    right: &Row<S>,
    scale: f64,
) {
    for block in 0..S {
        for (a, h) in h.iter_mut().enumerate().skip(4 * block).take(4) {
            let factor = scale * left[block][a % 4];
            for s in 0..=block {
                h[s] = axpy4(h[s], right[s], factor);
            }
        }
    }
}

/// Inverse diagonal of a factor, and whether all pivots were positive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pivots<const S: usize> {
    inverse: Row<S>,
    pub are_positive: bool,
}

impl<const S: usize> Default for Pivots<S> {
    fn default() -> Self {
        Self { inverse: [[0.0; 4]; S], are_positive: false }
    }
}

/// Factors the matrix whose lower triangle is in `rows` as `Lᵀ D L`, from the last row to the first. Writes the rows
/// and the columns of `L`, both without the diagonal.
#[inline(always)]
pub(super) fn factor<const S: usize>(rows: &mut [Row<S>], columns: &mut [Row<S>]) -> Pivots<S> {
    let mut pivots = Pivots { inverse: [[0.0; 4]; S], are_positive: true };
    columns.fill([[0.0; 4]; S]);
    for k in (0..rows.len()).rev() {
        let (above, row) = rows.split_at_mut(k);
        let Some(row) = row.first_mut() else {
            continue;
        };
        let pivot = entry(row, k);
        let bad = pivot.is_nan() || pivot < MINVAL;
        pivots.are_positive &= !bad;
        let inverse = 1.0 / if bad { MINVAL } else { pivot };
        pivots.inverse[k / 4][k % 4] = inverse;
        for block in 0..S {
            for (a, above) in above.iter_mut().enumerate().skip(4 * block).take(4) {
                let factor = -(row[block][a % 4] * inverse);
                for s in 0..=block {
                    above[s] = axpy4(above[s], row[s], factor);
                }
            }
        }
        for s in 0..S {
            for lane in 0..4 {
                let scaled = row[s][lane] * inverse;
                row[s][lane] = if 4 * s + lane < k { scaled } else { 0.0 };
            }
        }
        for (a, column) in columns.iter_mut().enumerate().take(k) {
            column[k / 4][k % 4] = entry(row, a);
        }
    }
    pivots
}

/// The solution `x` of `Lᵀ D L x = b`.
#[inline(always)]
pub(super) fn substitute<const S: usize>(
    rows: &[Row<S>],
    columns: &[Row<S>],
    pivots: &Pivots<S>,
    b: &Row<S>,
) -> Row<S> {
    let mut x = *b;
    for (k, row) in rows.iter().enumerate().rev() {
        let value = entry(&x, k);
        x = add_scaled(x, row, -value);
    }
    for s in 0..S {
        for lane in 0..4 {
            x[s][lane] *= pivots.inverse[s][lane];
        }
    }
    for (k, column) in columns.iter().enumerate() {
        let value = entry(&x, k);
        x = add_scaled(x, column, -value);
    }
    x
}
