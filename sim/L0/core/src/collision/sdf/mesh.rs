//! Triangles of a mesh against a signed distance field (`mjc_MeshSDF`): the field is minimized on each
//! triangle that may intersect it, from several starting points.

use super::field::Field;
use super::four_points::frank_wolfe4;
use super::pose::{Pose, Transform};
use super::{ContactCollector, SdfOptions};
use crate::collision::manifold::{MAX_CONTACT_POINTS, Manifold};
use crate::collision::shape::Shape;
use crate::collision::trimesh::TriMesh;
use crate::math::random::halton;
use crate::math::vec3::{Vec3, add, add_scaled, cross, distance, dot, norm, normalize, scale, sub};
use sim_types::MINVAL;

/// Adds the contacts of the triangles of a mesh with a signed distance field.
#[doc(alias = "mjc_MeshSDF")]
pub(crate) fn mesh_sdf(
    shape: &Shape<'_>,
    mesh: &TriMesh<'_>,
    sdf: &Shape<'_>,
    field: &Field<'_>,
    opt: SdfOptions,
    out: &mut Manifold,
) {
    let pose = Pose::new(sdf.pos, sdf.mat);
    let to_sdf = Transform::new(&Pose::new(shape.pos, shape.mat), &pose);
    let mut found = Candidates::default();
    mesh.traverse(
        |aabb| {
            let [x, y, z, half @ ..] = *aabb;
            field.distance(to_sdf.apply([x, y, z])) < norm(half)
        },
        |face| {
            let corners = mesh.corners(face).map(|corner| to_sdf.apply(corner));
            if may_intersect(&corners, field) {
                found.search(&corners, field, opt);
            }
        },
    );
    let mut contacts = ContactCollector::new(pose, out);
    for &(point, dist) in found.as_slice() {
        contacts.add(point, dist, |x| field.gradient(x));
    }
}

/// The first starting points; each takes ten divisions.
static START_POINTS: [[f64; 3]; 64] = {
    let mut points = [[0.0; 3]; 64];
    let mut k = 0;
    while k < points.len() {
        points[k] = start_point(k as u32);
        k += 1;
    }
    points
};

/// Barycentric coordinates of a starting point: a Halton point, reflected into the triangle.
const fn start_point(index: u32) -> [f64; 3] {
    let (mut u, mut v) = (halton(index, 2), halton(index, 3));
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    [1.0 - u - v, u, v]
}

/// Points of triangles with negative distance, and the distance.
pub(super) struct Candidates {
    points: [(Vec3, f64); MAX_CONTACT_POINTS],
    count: usize,
}

impl Default for Candidates {
    fn default() -> Self {
        Self { points: [([0.0; 3], 0.0); MAX_CONTACT_POINTS], count: 0 }
    }
}

impl Candidates {
    /// The points found so far.
    pub(super) fn as_slice(&self) -> &[(Vec3, f64)] {
        &self.points[..self.count]
    }

    /// Minimizes the field on a triangle from Halton points.
    pub(super) fn search(&mut self, corners: &[Vec3; 3], field: &Field<'_>, opt: SdfOptions) {
        let last = opt.init_points.max(1);
        for first in (1..=last).step_by(4) {
            let mut points = [[0.0; 4]; 3];
            for (k, start) in (first..first + 4).enumerate() {
                let tabulated = START_POINTS.get(start as usize).copied();
                let [w, u, v] = tabulated.unwrap_or_else(|| start_point(start));
                for (i, points) in points.iter_mut().enumerate() {
                    points[k] = w * corners[0][i] + u * corners[1][i] + v * corners[2][i];
                }
            }
            let ([x, y, z], values) = frank_wolfe4(&points, corners, field, opt.iterations);
            for k in 0..(last - first + 1).min(4) as usize {
                let Some(slot) = self.points.get_mut(self.count) else { return };
                if values[k] < 0.0 {
                    *slot = ([x[k], y[k], z[k]], values[k]);
                    self.count += 1;
                }
            }
        }
    }
}

/// Conservative test of a triangle against a field: by its circumcircle, or far from the surface by the
/// circumsphere of its vertices and a fourth point.
#[doc(alias = "triangleIntersect")]
pub(super) fn may_intersect(corners: &[Vec3; 3], field: &Field<'_>) -> bool {
    /// Height below which the circumsphere is too large to be useful, m.
    const MIN_HEIGHT: f64 = 0.1;
    const FLATNESS: f64 = 10.0;
    let [p, q, r] = *corners;
    let (e1, e2) = (sub(q, p), sub(r, p));
    let centre = add_scaled(add_scaled(scale(p, 1.0 / 3.0), q, 1.0 / 3.0), r, 1.0 / 3.0);
    let at_centre = field.distance(centre);
    let height = -at_centre / FLATNESS;
    if height.abs() < MIN_HEIGHT {
        return at_centre < circumradius(corners);
    }
    let (normal, _) = normalize(cross(e1, e2));
    let apex = add_scaled(centre, normal, -height);
    let v = corners.map(|corner| sub(corner, apex));
    let faces = [cross(v[1], v[2]), cross(v[2], v[0]), cross(v[0], v[1])];
    let mut circumcentre = scale(faces[0], dot(v[0], v[0]));
    for k in 1..3 {
        circumcentre = add_scaled(circumcentre, faces[k], dot(v[k], v[k]));
    }
    let volume = 2.0 * dot(v[0], faces[0]);
    if volume.abs() < MINVAL {
        return at_centre < norm(e1);
    }
    let circumcentre = scale(circumcentre, 1.0 / volume);
    field.distance(add(circumcentre, apex)) < norm(circumcentre)
}

/// Circumradius of a triangle.
fn circumradius([p, q, r]: &[Vec3; 3]) -> f64 {
    let [a, b, c] = [distance(*p, *q), distance(*q, *r), distance(*r, *p)];
    let s = (a + b + c) / 2.0;
    let area = (s * (s - a) * (s - b) * (s - c)).sqrt();
    // Heron's product can be negative for slivers
    a * b * c / (4.0 * area.max(MINVAL))
}
