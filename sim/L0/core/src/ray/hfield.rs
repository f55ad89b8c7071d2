//! Ray intersection with height fields (`mj_rayHfield`): base box, surface triangles and side walls.

use super::mesh::triangle;
use super::shape::{box_faces, face_normal, first_face};
use super::{SurfaceHit, to_local};
use crate::collision::HeightField;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::{Data, Model};

impl HeightField<'_> {
    /// Elevation of a sample, between 0 and 1.
    fn sample(&self, row: usize, col: usize) -> f64 {
        f64::from(self.data[row * self.ncol + col])
    }

    /// Distance between samples along x and y, m.
    fn spacing(&self) -> [f64; 2] {
        [2.0 * self.size[0] / (self.ncol - 1) as f64, 2.0 * self.size[1] / (self.nrow - 1) as f64]
    }

    /// Position of a sample in the field's frame, from the distances between samples.
    fn vertex(&self, [dx, dy]: [f64; 2], row: usize, col: usize) -> Vec3 {
        [
            dx * col as f64 - self.size[0],
            dy * row as f64 - self.size[1],
            self.sample(row, col) * self.size[2],
        ]
    }
}

/// First intersection of a ray with the height field of a geom.
pub(super) fn intersect(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
) -> Option<SurfaceHit> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let field = HeightField::of(m, id)?;
    if field.nrow < 2 || field.ncol < 2 {
        return None;
    }
    let mat = &rows::<9>(&d.geom_xmat)[geom];
    let (p, v) = to_local(rows::<3>(&d.geom_xpos)[geom], mat, point, vec);
    let [sx, sy, high, deep] = field.size;

    // the base box below zero
    let shifted = |up: f64| [p[0], p[1], p[2] - up];
    let mut best = first_face(&box_faces([sx, sy, 0.5 * deep], shifted(-0.5 * deep), v));
    let mut take = |hit: SurfaceHit| {
        if best.is_none_or(|best| hit.0 < best.0) {
            best = Some(hit);
        }
    };
    // the bounding box of the surface
    let faces = box_faces([sx, sy, 0.5 * high], shifted(0.5 * high), v);
    if let Some((first, _)) = first_face(&faces) {
        let last = faces.iter().flatten().copied().fold(first, f64::max);
        let start = if last > first { first } else { 0.0 };
        intersect_surface(&field, p, v, [start, last], &mut take);
        intersect_walls(&field, p, v, &faces, &mut take);
    }
    best.map(|(x, normal)| (x, mat3::mul_vec(mat, vec3::normalize(normal).0)))
}

/// Smallest ratio of the components along y and x at which the part of a ray above a row is computed, with an error far
/// below the size of a cell.
const MIN_SLOPE: f64 = 1e-6;

/// Intersects the triangles of the cells below an interval of the ray.
fn intersect_surface(
    field: &HeightField<'_>,
    p: Vec3,
    v: Vec3,
    interval: [f64; 2],
    take: &mut impl FnMut(SurfaceHit),
) {
    let spacing = field.spacing();
    let range = |axis: usize, count: usize, interval: [f64; 2]| {
        let cells = interval.map(|x| (p[axis] + x * v[axis] + field.size[axis]) / spacing[axis]);
        let (low, high) =
            (cells[0].min(cells[1]).floor() - 1.0, cells[0].max(cells[1]).ceil() + 1.0);
        let last = (count - 1) as f64;
        low.clamp(0.0, last) as usize..high.clamp(0.0, last) as usize
    };
    // rays nearly along a row cross all its cells
    let is_steep = v[1].abs() > MIN_SLOPE * v[0].abs();
    for row in range(1, field.nrow, interval) {
        // the part of the interval above this row
        let above = if is_steep {
            [row, row + 1].map(|k| {
                let y = spacing[1] * k as f64 - field.size[1];
                ((y - p[1]) / v[1]).max(interval[0]).min(interval[1])
            })
        } else {
            interval
        };
        for col in range(0, field.ncol, above) {
            let vertex = |row: usize, col: usize| field.vertex(spacing, row, col);
            let corner = vertex(row, col);
            let far = vertex(row + 1, col + 1);
            let (right, up) = (vertex(row, col + 1), vertex(row + 1, col));
            for corners in [[corner, right, far], [corner, far, up]] {
                if let Some((x, normal)) = triangle(&corners, p, v)
                    && x >= 0.0
                {
                    take((x, normal));
                }
            }
        }
    }
}

/// Intersects the four side walls, which end at the surface.
fn intersect_walls(
    field: &HeightField<'_>,
    p: Vec3,
    v: Vec3,
    faces: &[Option<f64>; 6],
    take: &mut impl FnMut(SurfaceHit),
) {
    let spacing = field.spacing();
    for (face, x) in faces[..4].iter().enumerate() {
        let Some(x) = *x else { continue };
        // horizontal axis along the wall
        let along = if face < 2 { 1 } else { 0 };
        let count = if along == 1 { field.nrow } else { field.ncol };
        let position = (p[along] + x * v[along] + field.size[along]) / spacing[along];
        let cell = position.floor().clamp(0.0, (count - 2) as f64);
        let sample = |k: usize| match face {
            0 => field.sample(k, 0),
            1 => field.sample(k, field.ncol - 1),
            2 => field.sample(0, k),
            _ => field.sample(field.nrow - 1, k),
        };
        let (low, high) = (sample(cell as usize), sample(cell as usize + 1));
        let height = (p[2] + x * v[2]) / field.size[2];
        if height < low * (cell + 1.0 - position) + high * (position - cell) {
            take((x, face_normal(face)));
        }
    }
}
