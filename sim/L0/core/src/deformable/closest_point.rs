//! The deepest contact point of an edge or a triangle of a deformable body with a geom.

use super::SurfacePoint;
use crate::Model;
use crate::collision::{ContactPoint, Narrow, Shape, local_aabb, sphere_contact};
use crate::math::vec3::{Vec3, add_scaled, dot, sub};

/// Maximum number of alternating projections between the element and the core of the geom.
const MAX_ITERATIONS: usize = 8;

/// An edge or a triangle of a deformable body at its current position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub particles: [u32; 3],
    pub x: [Vec3; 3],
    /// 2 for an edge, 3 for a triangle.
    pub count: usize,
}

impl Element {
    /// Point of the element closest to `point`, as weights and as a position.
    fn closest_point(&self, point: Vec3) -> (SurfacePoint, Vec3) {
        let [a, b, c] = self.x;
        let weights = if self.count == 2 {
            closest_on_segment(point, a, b)
        } else {
            closest_on_triangle(point, a, b, c)
        };
        let location = SurfacePoint { particles: self.particles, weights, count: self.count };
        let position = [0, 1, 2].map(|k| weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k]);
        (location, position)
    }

    /// Deepest contact point of the element, inflated by `radius`, with a geom; `None` if their
    /// distance is above `margin`.
    ///
    /// Alternating projections (von Neumann) between the element and the core of the geom, which is
    /// inset by the smallest half-size of its bounding box. For convex sets they converge to the
    /// pair of closest points.
    pub(super) fn deepest_contact(
        &self,
        m: &Model,
        (geom, shape): (usize, &Shape<'_>),
        radius: f64,
        margin: f64,
        work: &mut Narrow,
    ) -> Option<(SurfacePoint, ContactPoint)> {
        let inset = local_aabb(m, geom).map_or(0.0, |b| b[3].min(b[4]).min(b[5]));
        let centroid = if self.count == 2 { [0.5, 0.5, 0.0] } else { [1.0 / 3.0; 3] };
        let mut position = [0, 1, 2].map(|k| (0..3).map(|i| centroid[i] * self.x[i][k]).sum());
        // if the element is within `margin`, no point of it is farther than this from the geom
        let size = (0..self.count).map(|k| dot(sub(self.x[k], position), sub(self.x[k], position)));
        let max_distance = margin + 2.0 * size.fold(0.0, f64::max).sqrt();
        for _ in 0..MAX_ITERATIONS {
            let point = sphere_contact(m, (geom, shape), (position, radius), max_distance, work)?;
            let inside = add_scaled(position, point.normal, -(radius + point.dist + inset));
            let before = position;
            position = self.closest_point(inside).1;
            let moved = sub(position, before);
            if dot(moved, moved) < 1e-20 {
                break;
            }
        }
        let point = sphere_contact(m, (geom, shape), (position, radius), margin, work)?;
        Some((self.closest_point(position).0, point))
    }
}

/// Barycentric coordinates of the point of a segment closest to `point`.
fn closest_on_segment(point: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let along = sub(b, a);
    let length = dot(along, along);
    let t = if length > 0.0 { (dot(sub(point, a), along) / length).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t, 0.0]
}

/// Barycentric coordinates of the point of a triangle closest to `point`.
fn closest_on_triangle(point: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (u, v, w) = (sub(b, a), sub(c, a), sub(point, a));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let area = uu * vv - uv * uv;
    if area > 0.0 {
        let (s, t) = ((vv * uw - uv * vw) / area, (uu * vw - uv * uw) / area);
        if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
            return [1.0 - s - t, s, t];
        }
    }
    // outside: the closest point of the three sides
    let sides = [
        closest_on_segment(point, a, b),
        {
            let [p, q, _] = closest_on_segment(point, b, c);
            [0.0, p, q]
        },
        {
            let [p, q, _] = closest_on_segment(point, c, a);
            [q, 0.0, p]
        },
    ];
    let distance_squared = |w: &Vec3| {
        let d = [0, 1, 2].map(|k| w[0] * a[k] + w[1] * b[k] + w[2] * c[k] - point[k]);
        dot(d, d)
    };
    let nearest = sides.iter().min_by(|p, q| distance_squared(p).total_cmp(&distance_squared(q)));
    nearest.copied().unwrap_or([1.0, 0.0, 0.0])
}

#[cfg(test)]
mod tests {
    use super::{closest_on_segment, closest_on_triangle};

    #[test]
    fn closest_points_of_segments_and_triangles() {
        let [a, b, c] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(closest_on_triangle([0.25, 0.25, 3.0], a, b, c), [0.5, 0.25, 0.25]);
        assert_eq!(closest_on_triangle([-1.0, -1.0, 0.0], a, b, c), [1.0, 0.0, 0.0]);
        assert_eq!(closest_on_triangle([0.5, -2.0, 0.0], a, b, c), [0.5, 0.5, 0.0]);
        assert_eq!(closest_on_triangle([2.0, 2.0, 1.0], a, b, c), [0.0, 0.5, 0.5]);
        assert_eq!(closest_on_triangle([-1.0, 0.25, 0.0], a, b, c), [0.75, 0.0, 0.25]);
        assert_eq!(closest_on_segment([2.0, 1.0, 0.0], a, b), [0.0, 1.0, 0.0]);
        assert_eq!(closest_on_segment([0.0; 3], a, a), [1.0, 0.0, 0.0]);
    }
}
