//! A height field against a convex solid (`mjc_ConvexHField`): every triangle under the solid is the
//! top of a prism, and each prism is a convex solid.

use super::super::shape::{HeightField, Shape};
use super::super::touch::{MAX_TOUCHES, Touches};
use super::support::Solid;
use super::{CcdOptions, CcdWork, penetration};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, sub};
use std::ops::RangeInclusive;

/// Where a height field touches a convex solid.
#[doc(alias = "mjc_ConvexHField")]
pub(crate) fn hfield_convex(
    field: &Shape<'_>,
    other: &Shape<'_>,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Touches,
) {
    let (Some(grid), Some(mut prism)) = (field.hfield, Solid::new(field, 0.0)) else { return };
    let Some(mut solid) = Solid::new(other, 0.0) else { return };

    // everything in the frame of the field
    solid.pos = mat3::mul_transpose_vec(field.mat, sub(other.pos, field.pos));
    solid.mat = mat3::mul(&mat3::transpose(field.mat), other.mat);
    let radius = other.rbound + margin;
    let [x, y, top, base] = grid.size;
    let reach = |k: usize| (solid.pos[k] - radius, solid.pos[k] + radius);
    if outside(reach(0), -x, x) || outside(reach(1), -y, y) || outside(reach(2), -base, top) {
        return;
    }
    let bounds = bounding_box(&mut solid);
    let near = |k: usize| (bounds[k].0 - margin, bounds[k].1 + margin);
    if outside(near(0), -x, x) || outside(near(1), -y, y) || outside(near(2), -base, top) {
        return;
    }
    solid.margin = margin;
    let columns = cells(bounds[0], x, grid.ncol);
    let rows = cells(bounds[1], y, grid.nrow);
    let lowest = bounds[2].0;

    for corner in &mut prism.prism {
        corner[2] = -base;
    }
    let start = out.as_slice().len();
    for row in *rows.start()..*rows.end() {
        for first in [row + 1, row] {
            next_corner(&grid, &mut prism.prism, first, *columns.start(), margin);
        }
        for column in columns.start() + 1..=*columns.end() {
            for upper in [row + 1, row] {
                next_corner(&grid, &mut prism.prism, upper, column, margin);
                if prism.prism[3..].iter().all(|corner| corner[2] < lowest) {
                    continue;
                }
                let before = out.as_slice().len();
                penetration(&mut prism, &mut solid, 0.0, &opt.query(1), work, out);
                for touch in &mut out.as_mut_slice()[before..] {
                    touch.normal = mat3::mul_vec(field.mat, touch.normal);
                    touch.pos = add(mat3::mul_vec(field.mat, touch.pos), field.pos);
                }
                if out.as_slice().len() - start >= MAX_TOUCHES {
                    return;
                }
            }
        }
    }
}

/// Whether an interval and another have no point in common.
fn outside((low, high): (f64, f64), min: f64, max: f64) -> bool {
    max < low || min > high
}

/// The least and greatest coordinate of a solid along each axis.
fn bounding_box(solid: &mut Solid<'_>) -> [(f64, f64); 3] {
    [0, 1, 2].map(|k| {
        let mut dir = [0.0; 3];
        dir[k] = 1.0;
        let high = solid.support(dir)[k];
        dir[k] = -1.0;
        let low = solid.support(dir)[k];
        (low, high)
    })
}

/// The grid lines around an interval, along an axis with so many samples.
fn cells((low, high): (f64, f64), half: f64, samples: usize) -> RangeInclusive<usize> {
    let last = samples.saturating_sub(1);
    let line = |x: f64| (x + half) / (2.0 * half) * last as f64;
    let index = |x: f64| (x as usize).min(last);
    index(line(low).floor())..=index(line(high).ceil())
}

/// Puts a sample at the end of the prism and drops the oldest.
fn next_corner(
    grid: &HeightField<'_>,
    prism: &mut [Vec3; 6],
    row: usize,
    column: usize,
    margin: f64,
) {
    prism.copy_within(1..3, 0);
    prism.copy_within(4..6, 3);
    let [x, y, top, _] = grid.size;
    let step = |half: f64, samples: usize| 2.0 * half / samples.saturating_sub(1) as f64;
    let height = grid.data.get(row * grid.ncol + column).copied().unwrap_or(0.0);
    let px = step(x, grid.ncol) * column as f64 - x;
    let py = step(y, grid.nrow) * row as f64 - y;
    prism[2] = [px, py, prism[2][2]];
    prism[5] = [px, py, f64::from(height) * top + margin];
}
