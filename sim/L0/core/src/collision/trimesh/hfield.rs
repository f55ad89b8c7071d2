//! A triangle mesh against a height field: mesh vertices below the surface and samples inside the mesh; if
//! there are none, intersecting triangles.

use super::convex::aabb_in_mesh;
use super::sphere::{escape_direction, surface_contact};
use super::surface::Surface;
use super::triangle_shape::TriangleShape;
use super::{Query, TrimeshWork};
use crate::collision::convex::{CcdWork, hfield_convex};
use crate::collision::manifold::ContactPoint;
use crate::collision::shape::HeightField;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, normalize, sub};

/// Smallest upward component of a contact normal.
const MIN_UP: f64 = 0.1;

/// Collects the contacts, with normals from the height field to the mesh.
pub(super) fn collide(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    let Some(grid) = query.other.hfield else { return };
    add_vertices(surface, query, &grid, work);
    if surface.closed {
        add_samples(surface, query, &grid, work);
    }
    if work.found.is_empty() {
        add_intersections(surface, query, work, ccd);
    }
}

/// Adds the mesh vertices below the surface.
fn add_vertices(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    grid: &HeightField<'_>,
    work: &mut TrimeshWork,
) {
    let field = query.other;
    for vertex in surface.mesh.vertices {
        let world = surface.world(vertex.map(f64::from));
        let point = mat3::mul_transpose_vec(field.mat, sub(world, field.pos));
        let Some((height, normal)) = elevation(grid, point) else { continue };
        let dist = (point[2] - height) * normal[2];
        if dist <= query.margin && point[2] >= -grid.size[3] {
            let normal = mat3::mul_vec(field.mat, normal);
            let pos = add_scaled(world, normal, -0.5 * dist);
            work.add(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Height and normal of the surface at a point in the field's frame; `None` outside the field.
fn elevation(grid: &HeightField<'_>, point: Vec3) -> Option<(f64, Vec3)> {
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
    // each cell is split along its diagonal from the first corner
    let (along_x, along_y) =
        if v >= u { (high - z(0, 1), z(0, 1) - low) } else { (z(1, 0) - low, high - z(1, 0)) };
    let (dx, dy) = (2.0 * x / columns as f64, 2.0 * y / rows as f64);
    let (normal, _) = normalize(cross([dx, 0.0, along_x], [0.0, dy, along_y]));
    Some((low + u * along_x + v * along_y, normal))
}

/// Position of a sample in the field's frame.
fn sample(grid: &HeightField<'_>, row: usize, column: usize) -> Vec3 {
    let [x, y, top, _] = grid.size;
    let coordinate = |k: usize, count: usize, half: f64| {
        2.0 * half * k as f64 / count.saturating_sub(1).max(1) as f64 - half
    };
    let height = grid.data.get(row * grid.ncol + column).copied().unwrap_or(0.0);
    [coordinate(column, grid.ncol, x), coordinate(row, grid.nrow, y), f64::from(height) * top]
}

/// Adds the samples of the height field inside the mesh.
fn add_samples(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    grid: &HeightField<'_>,
    work: &mut TrimeshWork,
) {
    let field = query.other;
    let Some([x, y, z, half @ ..]) = surface.mesh.aabb() else { return };
    let centre = mat3::mul_transpose_vec(field.mat, sub(surface.world([x, y, z]), field.pos));
    let abs_rot = mat3::mul(&mat3::transpose(field.mat), surface.mat).map(f64::abs);
    let extent = mat3::mul_vec(&abs_rot, half);
    let range = |k: usize, count: usize| {
        let last = count.saturating_sub(1) as f64;
        let line = |x: f64| ((x + grid.size[k]) / (2.0 * grid.size[k]) * last).clamp(0.0, last);
        let (low, high) = (line(centre[k] - extent[k]).ceil(), line(centre[k] + extent[k]).floor());
        low as usize..(high as usize + 1).min(count)
    };
    for row in range(1, grid.nrow) {
        for column in range(0, grid.ncol) {
            let world = add(mat3::mul_vec(field.mat, sample(grid, row, column)), field.pos);
            let point = surface.local(world);
            let Some(closest) = surface.closest_point(point, f64::INFINITY) else { continue };
            if let Some(out) = escape_direction(surface, point, &closest) {
                let found = surface_contact(surface, closest.point, out, closest.dist);
                // the ground never pushes downward
                if dot(found.normal, mat3::column(field.mat, 2)) > MIN_UP {
                    work.add(found);
                }
            }
        }
    }
}

/// Adds the contacts of triangles with the prisms of the field.
fn add_intersections(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    let (centre, half) = aabb_in_mesh(surface, query);
    surface.visit_box(centre, half, query.margin, |_, corners, normal| {
        let triangle = TriangleShape::new(corners, normal, surface.pos, surface.mat);
        work.single.clear();
        let shape = triangle.shape(surface.mat);
        hfield_convex(query.other, &shape, query.margin, &query.opt, ccd, &mut work.single);
        for k in 0..work.single.as_slice().len() {
            let found = work.single.as_slice()[k];
            // only upward normals against front faces: the sides of prisms are not part of the surface
            let up = dot(found.normal, mat3::column(query.other.mat, 2));
            let front = dot(mat3::mul_transpose_vec(surface.mat, found.normal), normal);
            if up > MIN_UP && front < 0.0 {
                work.add(found);
            }
        }
    });
}
