//! Spheres, boxes and capsules against a triangle with a radius.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::Shape;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// A triangle inflated by a radius.
pub(super) struct Triangle {
    pub corners: [Vec3; 3],
    pub radius: f64,
}

/// Sign of the area of a triangle in the plane.
fn area_sign(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    let area = (p[0] - r[0]) * (q[1] - r[1]) - (q[0] - r[0]) * (p[1] - r[1]);
    if area > 0.0 {
        1.0
    } else if area < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Nearest point of a segment in the plane, and its distance.
fn nearest_on_segment(p: [f64; 2], u: [f64; 2], v: [f64; 2]) -> ([f64; 2], f64) {
    let (uv, up) = ([v[0] - u[0], v[1] - u[1]], [p[0] - u[0], p[1] - u[1]]);
    let square = uv[0] * uv[0] + uv[1] * uv[1];
    let along = (uv[0] * up[0] + uv[1] * up[1]) / square.max(MINVAL);
    let nearest = if along <= 0.0 {
        u
    } else if along >= 1.0 {
        v
    } else {
        [u[0] + along * uv[0], u[1] + along * uv[1]]
    };
    let offset = [nearest[0] - p[0], nearest[1] - p[1]];
    (nearest, (offset[0] * offset[0] + offset[1] * offset[1]).sqrt())
}

impl Triangle {
    /// Adds the contact of a sphere; the normal points from the sphere to the triangle.
    #[doc(alias = "mjraw_SphereTriangle")]
    pub(super) fn sphere(&self, centre: Vec3, radius: f64, margin: f64, out: &mut Manifold) {
        let bound = margin + radius + self.radius;
        let [origin, second, third] = self.corners;
        let s = vec3::sub(centre, origin);
        let (a, b) = (vec3::sub(second, origin), vec3::sub(third, origin));
        let (normal, _) = vec3::normalize(vec3::cross(a, b));
        let height = vec3::dot(normal, s);
        if height.abs() > bound {
            return;
        }
        let projected = vec3::add_scaled(s, normal, -height);
        let (x, length) = vec3::normalize(a);
        let (y, _) = vec3::normalize(vec3::cross(normal, a));
        let flat = |v: Vec3| [vec3::dot(x, v), vec3::dot(y, v)];
        let corners = [[0.0; 2], [length, 0.0], flat(b)];
        let p = flat(projected);
        let sides = [0, 1, 2].map(|k| area_sign(p, corners[k], corners[(k + 1) % 3]));
        let nearest = if sides[0] == sides[1] && sides[1] == sides[2] {
            projected
        } else {
            let found = [0, 1, 2].map(|k| nearest_on_segment(p, corners[k], corners[(k + 1) % 3]));
            let best = if found[0].1 < found[1].1 && found[0].1 < found[2].1 {
                0
            } else if found[1].1 < found[2].1 {
                1
            } else {
                2
            };
            let [u, v] = found[best].0;
            vec3::add_scaled(vec3::scale(x, u), y, v)
        };
        let (normal, distance) = vec3::normalize(vec3::sub(nearest, s));
        if distance > bound {
            return;
        }
        let dist = distance - radius - self.radius;
        let pos = vec3::add_scaled(centre, normal, radius + dist / 2.0);
        out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
    }

    /// Adds the contacts of a box: the corners of the triangle in the box, and the corners of the box.
    #[doc(alias = "mjraw_BoxTriangle")]
    pub(super) fn cuboid(&self, cuboid: &Shape<'_>, margin: f64, out: &mut Manifold) {
        let (size, contact_distance) = (cuboid.size, margin + self.radius);
        for corner in self.corners {
            let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(corner, cuboid.pos));
            let excess = [0, 1, 2].map(|k| local[k].abs() - size[k]);
            let mut axis = 0;
            for k in 1..3 {
                if excess[k] > excess[axis] {
                    axis = k;
                }
            }
            let dist = excess[axis] - self.radius;
            if dist > margin || (0..3).any(|k| local[k].abs() > size[k] + contact_distance) {
                continue;
            }
            let mut face = [0.0; 3];
            face[axis] = if local[axis] > 0.0 { 1.0 } else { -1.0 };
            let normal = mat3::mul_vec(cuboid.mat, face);
            let pos = vec3::add_scaled(corner, normal, -(self.radius + dist * 0.5));
            out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
        }
        for i in 0..8 {
            let local = [0, 1, 2].map(|k| if i >> k & 1 == 1 { size[k] } else { -size[k] });
            let corner = vec3::add(mat3::mul_vec(cuboid.mat, local), cuboid.pos);
            self.sphere(corner, 0.0, margin, out);
        }
    }

    /// Adds the contacts of a capsule: its ends, and the corners of the triangle beside its segment.
    #[doc(alias = "mjraw_CapsuleTriangle")]
    pub(super) fn capsule(&self, capsule: &Shape<'_>, margin: f64, out: &mut Manifold) {
        let [radius, half, _] = capsule.size;
        let axis = mat3::column(capsule.mat, 2);
        let ends = [-half, half].map(|s| vec3::add_scaled(capsule.pos, axis, s));
        for end in ends {
            self.sphere(end, radius, margin, out);
        }
        let segment = vec3::sub(ends[1], ends[0]);
        for corner in self.corners {
            let along = vec3::dot(vec3::sub(corner, ends[0]), segment) / (4.0 * half * half);
            // an undefined position on a segment of length zero is skipped too
            if !(along > MINVAL && along < 1.0 - MINVAL) {
                continue;
            }
            let closest = vec3::add_scaled(ends[0], segment, along);
            let (normal, distance) = vec3::normalize(vec3::sub(corner, closest));
            if distance > radius + self.radius + margin {
                continue;
            }
            let sum = vec3::add(closest, corner);
            let pos = vec3::scale(vec3::add_scaled(sum, normal, radius - self.radius), 0.5);
            let dist = distance - radius - self.radius;
            out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
        }
    }
}
