//! Triangles on a height field: vertices of the mesh below the ground and samples of the ground
//! inside of the mesh; where there are none, triangles that cross.

use super::facet::Facet;
use super::solid::local_box;
use super::sphere::{touch, way_out};
use super::surface::Surface;
use super::{Query, TriangleWork};
use crate::collision::convex::{CcdWork, hfield_convex};
use crate::collision::shape::HeightField;
use crate::collision::touch::Touch;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, normalize, sub};

/// Least upward part of a height field's normal where triangles cross it.
const LEAST_UP: f64 = 0.1;

/// Collects the contacts of triangles, from the height field to them.
pub(super) fn collide(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    let Some(grid) = query.other.hfield else { return };
    vertices(surface, query, &grid, work);
    if surface.closed {
        samples(surface, query, &grid, work);
    }
    if work.found.is_empty() {
        prisms(surface, query, work, ccd);
    }
}

/// Collects the vertices below the ground.
fn vertices(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    grid: &HeightField<'_>,
    work: &mut TriangleWork,
) {
    let field = query.other;
    for vertex in surface.soup.vertices {
        let world = surface.world(vertex.map(f64::from));
        let point = mat3::mul_transpose_vec(field.mat, sub(world, field.pos));
        let Some((height, normal)) = ground(grid, point) else { continue };
        let dist = (point[2] - height) * normal[2];
        if dist <= query.margin && point[2] >= -grid.size[3] {
            let normal = mat3::mul_vec(field.mat, normal);
            let pos = add_scaled(world, normal, -0.5 * dist);
            work.add(Touch { dist, pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Height and normal of the ground below a point of the field's frame; nothing beside the field.
fn ground(grid: &HeightField<'_>, point: Vec3) -> Option<(f64, Vec3)> {
    let [x, y, ..] = grid.size;
    let (columns, rows) = (grid.ncol.checked_sub(1)?, grid.nrow.checked_sub(1)?);
    let (at_x, at_y) = ((point[0] + x) / (2.0 * x), (point[1] + y) / (2.0 * y));
    let inside = |at: f64| (0.0..=1.0).contains(&at);
    if !inside(at_x) || !inside(at_y) || columns == 0 || rows == 0 {
        return None;
    }
    let (at_x, at_y) = (at_x * columns as f64, at_y * rows as f64);
    let (column, row) = ((at_x as usize).min(columns - 1), (at_y as usize).min(rows - 1));
    let (u, v) = (at_x - column as f64, at_y - row as f64);
    let z = |right: usize, up: usize| sample(grid, row + up, column + right)[2];
    let (low, high) = (z(0, 0), z(1, 1));
    // each cell is cut from its first corner to the opposite one
    let (along_x, along_y) =
        if v >= u { (high - z(0, 1), z(0, 1) - low) } else { (z(1, 0) - low, high - z(1, 0)) };
    let (wide, deep) = (2.0 * x / columns as f64, 2.0 * y / rows as f64);
    let (normal, _) = normalize(cross([wide, 0.0, along_x], [0.0, deep, along_y]));
    Some((low + u * along_x + v * along_y, normal))
}

/// A sample of the ground.
fn sample(grid: &HeightField<'_>, row: usize, column: usize) -> Vec3 {
    let [x, y, top, _] = grid.size;
    let place = |k: usize, count: usize, half: f64| {
        2.0 * half * k as f64 / count.saturating_sub(1).max(1) as f64 - half
    };
    let height = grid.data.get(row * grid.ncol + column).copied().unwrap_or(0.0);
    [place(column, grid.ncol, x), place(row, grid.nrow, y), f64::from(height) * top]
}

/// Collects the samples of the ground inside of the mesh.
fn samples(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    grid: &HeightField<'_>,
    work: &mut TriangleWork,
) {
    let field = query.other;
    let Some([x, y, z, half @ ..]) = surface.soup.bounds() else { return };
    let centre = mat3::mul_transpose_vec(field.mat, sub(surface.world([x, y, z]), field.pos));
    let turn = mat3::mul(&mat3::transpose(field.mat), surface.mat).map(f64::abs);
    let reach = mat3::mul_vec(&turn, half);
    let range = |k: usize, count: usize| {
        let last = count.saturating_sub(1) as f64;
        let line = |x: f64| ((x + grid.size[k]) / (2.0 * grid.size[k]) * last).clamp(0.0, last);
        let (low, high) = (line(centre[k] - reach[k]).ceil(), line(centre[k] + reach[k]).floor());
        low as usize..(high as usize + 1).min(count)
    };
    for row in range(1, grid.nrow) {
        for column in range(0, grid.ncol) {
            let world = add(mat3::mul_vec(field.mat, sample(grid, row, column)), field.pos);
            let point = surface.local(world);
            let Some(nearest) = surface.nearest(point, f64::INFINITY) else { continue };
            if let Some(out) = way_out(surface, point, &nearest) {
                let found = touch(surface, nearest.point, out, nearest.dist);
                // what is above most of the mesh does not push it down
                if dot(found.normal, mat3::column(field.mat, 2)) > LEAST_UP {
                    work.add(found);
                }
            }
        }
    }
}

/// Collects the contacts of triangles with the prisms of the field.
fn prisms(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    let (centre, half) = local_box(surface, query);
    surface.near(centre, half, query.margin, |_, corners, normal| {
        let facet = Facet::new(corners, normal, surface.pos, surface.mat);
        work.one.clear();
        let shape = facet.shape(surface.mat);
        hfield_convex(query.other, &shape, query.margin, &query.opt, ccd, &mut work.one);
        for k in 0..work.one.as_slice().len() {
            let found = work.one.as_slice()[k];
            // the ground pushes upward, against fronts; the sides of prisms are no surface
            let up = dot(found.normal, mat3::column(query.other.mat, 2));
            let front = dot(mat3::mul_transpose_vec(surface.mat, found.normal), normal);
            if up > LEAST_UP && front < 0.0 {
                work.add(found);
            }
        }
    });
}
