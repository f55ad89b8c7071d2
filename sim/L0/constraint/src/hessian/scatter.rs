//! Scatter-add of weighted outer products into the supernodes of a sparse matrix.

use super::symbolic::{LANES, Segment, Symbolic};
use crate::vector::{F64x4, axpy4};

/// `Σ weight leftᵀ right`, a symmetric matrix of low rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct OuterProducts<'a> {
    pub left: &'a [F64x4],
    pub right: &'a [F64x4],
    pub weight: &'a [f64],
    /// Number of SIMD vectors of a row.
    pub stride: usize,
}

/// Adds the terms to the matrix at the columns of the segments.
#[inline(always)]
pub(super) fn scatter(
    symbolic: &Symbolic,
    segments: (u32, u32),
    terms: &OuterProducts<'_>,
    columns: &mut Vec<F64x4>,
    h: &mut [F64x4],
) {
    scatter_from(symbolic, segments, terms, columns, h, 0);
}

/// [`scatter`] with a slice of the matrix that starts at address `shift`.
#[inline(always)]
pub(super) fn scatter_from(
    symbolic: &Symbolic,
    segments: (u32, u32),
    terms: &OuterProducts<'_>,
    columns: &mut Vec<F64x4>,
    h: &mut [F64x4],
    shift: usize,
) {
    for segment in &symbolic.segments[segments.0 as usize..segments.1 as usize] {
        let Segment { supernode, start, end, posadr } = *segment;
        let (start, end) = (start as usize, end as usize);
        let supernode = &symbolic.supernodes[supernode as usize];
        let (stride, adr) = (supernode.stride as usize, supernode.adr as usize - shift);
        let rows = &mut h[adr..adr + supernode.width as usize * stride];
        let rows = rows.as_flattened_mut();
        let pos = &symbolic.pos[posadr as usize..posadr as usize + end];
        let mut a = start;
        while a < end {
            let count = (end - a).min(LANES);
            load_columns(terms, a, columns);
            // row address of each of the four columns
            let mut row = [0; LANES];
            for k in 0..count {
                row[k] = (pos[a + k] - supernode.outside) as usize * stride * LANES;
            }
            let chunks = (a + count).div_ceil(LANES);
            let mut chunk = 0;
            while chunk < chunks {
                // two vectors at once where possible
                let sums = if chunk + 1 < chunks {
                    product::<2>(terms, columns, chunk)
                } else {
                    let [only] = product::<1>(terms, columns, chunk);
                    [only; 2]
                };
                for sum in sums.iter().take(chunks - chunk) {
                    let pos = &pos[chunk * LANES..end.min((chunk + 1) * LANES)];
                    add(&sum[..count], pos, &row, rows);
                    chunk += 1;
                }
            }
            a += count;
        }
    }
}

/// Loads four columns of the left rows, starting at `a`, multiplied by the weights.
#[inline(always)]
fn load_columns(terms: &OuterProducts<'_>, a: usize, columns: &mut Vec<F64x4>) {
    columns.clear();
    let rows = terms.left.chunks_exact(terms.stride);
    columns.extend(rows.zip(terms.weight).map(|(row, &weight)| {
        let row = &row.as_flattened()[a..];
        let mut lane = [0.0; LANES];
        match row.first_chunk::<LANES>() {
            Some(row) => lane = *row,
            None => lane[..row.len()].copy_from_slice(row),
        }
        axpy4([0.0; LANES], lane, weight)
    }));
}

/// Products of four left columns and `N` vectors of right columns.
#[inline(always)]
fn product<const N: usize>(
    terms: &OuterProducts<'_>,
    columns: &[F64x4],
    chunk: usize,
) -> [[F64x4; LANES]; N] {
    let mut sum = [[[0.0; LANES]; LANES]; N];
    for (row, factor) in terms.right.chunks_exact(terms.stride).zip(columns) {
        let Some(right) = row[chunk..].first_chunk::<N>() else {
            return sum;
        };
        for k in 0..LANES {
            for n in 0..N {
                sum[n][k] = axpy4(sum[n][k], right[n], factor[k]);
            }
        }
    }
    sum
}

/// Adds the sums to their matrix rows; contiguous positions use one vector operation.
#[inline(always)]
fn add(sum: &[F64x4], pos: &[u32], row: &[usize; LANES], rows: &mut [f64]) {
    if let [first, .., last] = *pos
        && pos.len() == LANES
        && last - first == LANES as u32 - 1
    {
        for (sum, &row) in sum.iter().zip(row) {
            if let Some(target) = rows[row + first as usize..].first_chunk_mut::<LANES>() {
                *target = axpy4(*target, *sum, 1.0);
            }
        }
        return;
    }
    for (sum, &row) in sum.iter().zip(row) {
        for (&value, &pos) in sum.iter().zip(pos) {
            rows[row + pos as usize] += value;
        }
    }
}
