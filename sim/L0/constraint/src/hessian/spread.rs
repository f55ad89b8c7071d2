//! Adding the product of a few dense rows to the blocks of a sparse matrix.

use super::pattern::{LANES, Part, Pattern};
use crate::vector::{Lane, lane_scaled};

/// `Σ weight leftᵀ right`, a symmetric matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub left: &'a [Lane],
    pub right: &'a [Lane],
    pub weight: &'a [f64],
    /// Vectors of a row.
    pub stride: usize,
}

/// Adds the terms to the matrix, their columns being those of the parts.
#[inline(always)]
pub(super) fn spread(
    pattern: &Pattern,
    parts: (u32, u32),
    terms: &Terms<'_>,
    four: &mut Vec<Lane>,
    h: &mut [Lane],
) {
    spread_from(pattern, parts, terms, four, h, 0);
}

/// As [`spread`], with the matrix given from an address on.
#[inline(always)]
pub(super) fn spread_from(
    pattern: &Pattern,
    parts: (u32, u32),
    terms: &Terms<'_>,
    four: &mut Vec<Lane>,
    h: &mut [Lane],
    shift: usize,
) {
    for part in &pattern.parts[parts.0 as usize..parts.1 as usize] {
        let Part { block, start, end, posadr } = *part;
        let (start, end) = (start as usize, end as usize);
        let block = &pattern.blocks[block as usize];
        let (stride, adr) = (block.stride as usize, block.adr as usize - shift);
        let rows = &mut h[adr..adr + block.width as usize * stride];
        let rows = rows.as_flattened_mut();
        let pos = &pattern.pos[posadr as usize..posadr as usize + end];
        let mut a = start;
        while a < end {
            let count = (end - a).min(LANES);
            pick(terms, a, four);
            // the row of each of the four columns
            let mut row = [0; LANES];
            for k in 0..count {
                row[k] = (pos[a + k] - block.outside) as usize * stride * LANES;
            }
            let chunks = (a + count).div_ceil(LANES);
            let mut chunk = 0;
            while chunk < chunks {
                // two vectors at once, if there are as many
                let sums = if chunk + 1 < chunks {
                    product::<2>(terms, four, chunk)
                } else {
                    let [only] = product::<1>(terms, four, chunk);
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

/// Four columns of the left rows from `a` on, weighted.
#[inline(always)]
fn pick(terms: &Terms<'_>, a: usize, four: &mut Vec<Lane>) {
    four.clear();
    let rows = terms.left.chunks_exact(terms.stride);
    four.extend(rows.zip(terms.weight).map(|(row, &weight)| {
        let row = &row.as_flattened()[a..];
        let mut lane = [0.0; LANES];
        match row.first_chunk::<LANES>() {
            Some(row) => lane = *row,
            None => lane[..row.len()].copy_from_slice(row),
        }
        lane_scaled([0.0; LANES], lane, weight)
    }));
}

/// The sums for four columns on the left and `N` vectors on the right.
#[inline(always)]
fn product<const N: usize>(terms: &Terms<'_>, four: &[Lane], chunk: usize) -> [[Lane; LANES]; N] {
    let mut sum = [[[0.0; LANES]; LANES]; N];
    for (row, factor) in terms.right.chunks_exact(terms.stride).zip(four) {
        let Some(right) = row[chunk..].first_chunk::<N>() else {
            return sum;
        };
        for k in 0..LANES {
            for n in 0..N {
                sum[n][k] = lane_scaled(sum[n][k], right[n], factor[k]);
            }
        }
    }
    sum
}

/// Adds the sums to the rows they belong to.
#[inline(always)]
fn add(sum: &[Lane], pos: &[u32], row: &[usize; LANES], rows: &mut [f64]) {
    if let [first, .., last] = *pos
        && pos.len() == LANES
        && last - first == LANES as u32 - 1
    {
        for (sum, &row) in sum.iter().zip(row) {
            if let Some(target) = rows[row + first as usize..].first_chunk_mut::<LANES>() {
                *target = lane_scaled(*target, *sum, 1.0);
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
