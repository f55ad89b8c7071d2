//! A height field against a convex solid (`mjc_ConvexHField`): every triangle of the overlapped cells is
//! the top of a prism, which is tested as a convex solid.

use super::super::manifold::{MAX_CONTACT_POINTS, Manifold};
use super::super::shape::{HeightField, Shape};
use super::support::{Simplex, Solid};
use super::{CcdOptions, CcdWork, add_penetration, separation_along};
use crate::math::mat3;
use crate::math::vec3::{add, sub};
use sim_simd::Vector3;
use std::ops::RangeInclusive;

/// Contacts of a height field and a convex solid.
#[doc(alias = "mjc_ConvexHField")]
pub(crate) fn hfield_convex(
    field: &Shape<'_>,
    other: &Shape<'_>,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let Some(mut solid) = Solid::new(other, 0.0) else { return };
    // work in the frame of the height field
    solid.pos = mat3::mul_transpose_vec(field.mat, sub(other.pos, field.pos));
    solid.mat = mat3::mul(&mat3::transpose(field.mat), other.mat);
    hfield_solid(field, &mut solid, other.rbound, margin, opt, work, out);
}

/// Contacts of a height field and an element of a flex.
pub(crate) fn hfield_simplex(
    field: &Shape<'_>,
    simplex: &Simplex,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let (simplex, rbound) = simplex.localized(field.pos, field.mat);
    let mut solid = Solid::simplex(&simplex, 0.0);
    hfield_solid(field, &mut solid, rbound, margin, opt, work, out);
}

/// Contacts of a height field and a solid in its frame, which a sphere of radius `rbound` contains.
fn hfield_solid<'s>(
    field: &'s Shape<'_>,
    solid: &mut Solid<'s>,
    rbound: f64,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let (Some(grid), Some(mut prism)) = (field.hfield, Solid::new(field, 0.0)) else { return };
    let radius = rbound + margin;
    let [x, y, top, base] = grid.size;
    let sphere = |k: usize| (solid.pos[k] - radius, solid.pos[k] + radius);
    if disjoint(sphere(0), -x, x) || disjoint(sphere(1), -y, y) || disjoint(sphere(2), -base, top) {
        return;
    }
    let bounds = bounding_box(solid);
    let aabb = |k: usize| (bounds[k].0 - margin, bounds[k].1 + margin);
    if disjoint(aabb(0), -x, x) || disjoint(aabb(1), -y, y) || disjoint(aabb(2), -base, top) {
        return;
    }
    solid.margin = margin;
    let columns = cells(bounds[0], x, grid.ncol);
    let rows = cells(bounds[1], y, grid.nrow);
    let lowest = bounds[2].0;

    for corner in &mut prism.prism {
        *corner = Vector3::from([0.0, 0.0, -base]);
    }
    let query = opt.query(1);
    // the axis that separates the solid from the prism before; zero for none
    let mut axis = [0.0; 3];
    let start = out.as_slice().len();
    for row in *rows.start()..*rows.end() {
        for first in [row + 1, row] {
            push_sample(&grid, &mut prism.prism, first, *columns.start(), margin);
        }
        for column in columns.start() + 1..=*columns.end() {
            for upper in [row + 1, row] {
                push_sample(&grid, &mut prism.prism, upper, column, margin);
                if prism.prism[3..].iter().all(|corner| corner.z() < lowest) {
                    continue;
                }
                if axis != [0.0; 3]
                    && separation_along(axis, &mut prism, solid) > 2.0 * opt.tolerance
                {
                    continue;
                }
                let before = out.as_slice().len();
                add_penetration(&mut prism, solid, 0.0, &query, work, out);
                let separated = work.separation > 0.0 && solid.is_stateless();
                axis = if separated { work.axis } else { [0.0; 3] };
                for point in &mut out.as_mut_slice()[before..] {
                    point.normal = mat3::mul_vec(field.mat, point.normal);
                    point.pos = add(mat3::mul_vec(field.mat, point.pos), field.pos);
                }
                if out.as_slice().len() - start >= MAX_CONTACT_POINTS {
                    return;
                }
            }
        }
    }
}

/// Whether two intervals are disjoint.
fn disjoint((low, high): (f64, f64), min: f64, max: f64) -> bool {
    max < low || min > high
}

/// Bounds of a solid along each axis, from its support function.
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

/// Range of grid lines that encloses an interval, along an axis with `samples` samples.
fn cells((low, high): (f64, f64), half: f64, samples: usize) -> RangeInclusive<usize> {
    let last = samples.saturating_sub(1);
    let line = |x: f64| (x + half) / (2.0 * half) * last as f64;
    let index = |x: f64| (x as usize).min(last);
    index(line(low).floor())..=index(line(high).ceil())
}

/// Replaces the oldest vertex pair of the prism by the next sample.
fn push_sample(
    grid: &HeightField<'_>,
    prism: &mut [Vector3; 6],
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
    prism[2] = Vector3::from([px, py, prism[2].z()]);
    prism[5] = Vector3::from([px, py, f64::from(height) * top + margin]);
}
