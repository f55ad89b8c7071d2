//! Queries on the surface of a posed triangle mesh: closest point, side, and normal cone.

use super::closest::{closest_on_triangle, normal};
use super::mesh::TriMesh;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3, dot, sub};

/// A triangle mesh with its world pose.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub mesh: TriMesh<'a>,
    pub pos: Vec3,
    pub mat: &'a Mat3,
    /// Whether the surface is closed: every edge belongs to two triangles.
    pub closed: bool,
}

/// Closest point of a surface, in the mesh frame.
#[derive(Clone, Copy)]
pub(super) struct ClosestPoint {
    pub point: Vec3,
    /// Signed distance, negative behind the surface, m.
    pub dist: f64,
    /// Normal of the triangle that determines the sign.
    pub normal: Vec3,
}

/// Relative distance below which points coincide.
const COINCIDENT: f64 = 1e-6;
/// Tolerance on the sine of the angle between an edge and the tangent plane.
const SLACK: f64 = 1e-3;

impl Surface<'_> {
    /// World to mesh coordinates.
    pub(super) fn local(&self, point: Vec3) -> Vec3 {
        mat3::mul_transpose_vec(self.mat, sub(point, self.pos))
    }

    /// Mesh to world coordinates.
    pub(super) fn world(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(self.mat, point), self.pos)
    }

    /// Visits the non-degenerate triangles whose boxes are within `margin` of a box (centre, half-extents) in
    /// the mesh frame.
    pub(super) fn visit_box(
        &self,
        centre: Vec3,
        half: Vec3,
        margin: f64,
        mut visit: impl FnMut(usize, &[Vec3; 3], Vec3),
    ) {
        let overlaps = |aabb: &[f64; 6]| {
            (0..3).all(|k| (aabb[k] - centre[k]).abs() <= aabb[k + 3] + half[k] + margin)
        };
        self.mesh.traverse(overlaps, |face| {
            let corners = self.mesh.corners(face);
            if let Some(normal) = normal(&corners) {
                visit(face, &corners, normal);
            }
        });
    }

    /// The closest point of the surface within `max`, in the mesh frame.
    pub(super) fn closest_point(&self, point: Vec3, max: f64) -> Option<ClosestPoint> {
        let mut best: Option<ClosestPoint> = None;
        let limit = std::cell::Cell::new(max);
        let in_range = |aabb: &[f64; 6]| {
            let away: Vec3 =
                std::array::from_fn(|k| ((point[k] - aabb[k]).abs() - aabb[k + 3]).max(0.0));
            vec3::norm(away) <= limit.get()
        };
        self.mesh.traverse(in_range, |face| {
            let corners = self.mesh.corners(face);
            let Some(normal) = normal(&corners) else { return };
            let at = closest_on_triangle(point, &corners);
            let offset = sub(point, at);
            let dist = vec3::norm(offset);
            let tie = COINCIDENT * (vec3::distance(corners[0], corners[1]) + dist);
            // signed distance of the query point from the plane of the triangle
            let height = dot(offset, normal);
            // at shared edges and vertices the triangles are equally close: the one with the largest absolute
            // height determines the sign
            let better = best.is_none_or(|b| {
                let higher = height.abs() > dot(sub(point, b.point), b.normal).abs();
                dist < b.dist.abs() - tie || (dist < b.dist.abs() + tie && higher)
            });
            if dist <= limit.get() + tie && better {
                best = Some(ClosestPoint { point: at, dist: dist.copysign(height), normal });
                limit.set(limit.get().min(dist + tie));
            }
        });
        best
    }

    /// Whether a direction is in the normal cone of the surface at one of its points, in the mesh frame: some
    /// triangle there faces it, and no edge there points along it.
    ///
    /// It rejects contacts with interior edges, where the adjacent triangle continues the surface and has the
    /// contact itself.
    pub(super) fn in_normal_cone(&self, point: Vec3, direction: Vec3, size: f64) -> bool {
        let (mut faces, mut blocked) = (false, false);
        let tolerance = COINCIDENT * size;
        self.visit_box(point, [0.0; 3], tolerance, |_, corners, normal| {
            if vec3::distance(point, closest_on_triangle(point, corners)) > 2.0 * tolerance {
                return;
            }
            faces |= dot(direction, normal) > 0.0;
            for corner in corners {
                let along = sub(*corner, point);
                blocked |= dot(direction, along) > SLACK * vec3::norm(along) + tolerance;
            }
        });
        faces && !blocked
    }
}
