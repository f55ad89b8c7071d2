//! The triangles of a mesh and a distance field (`mjc_MeshSDF`): on each triangle that comes near,
//! the field is made least from several points.

use super::descent::frank_wolfe;
use super::field::Field;
use super::frame::{Frame, Map};
use super::{Found, SdfOptions};
use crate::collision::shape::Shape;
use crate::collision::soup::Soup;
use crate::collision::touch::{MAX_TOUCHES, Touches};
use crate::math::random::halton;
use crate::math::vec3::{Vec3, add, add_scaled, cross, distance, dot, norm, normalize, scale, sub};
use sim_types::MINVAL;

/// Where the triangles of a mesh dip into a field.
#[doc(alias = "mjc_MeshSDF")]
pub(crate) fn mesh_sdf(
    mesh: &Shape<'_>,
    soup: &Soup<'_>,
    sdf: &Shape<'_>,
    field: &Field<'_>,
    opt: SdfOptions,
    out: &mut Touches,
) {
    let frame = Frame::new(sdf.pos, sdf.mat);
    let map = Map::new(&Frame::new(mesh.pos, mesh.mat), &frame);
    let mut found = Candidates { points: [([0.0; 3], 0.0); MAX_TOUCHES], count: 0 };
    soup.walk(
        |aabb| {
            let [x, y, z, half @ ..] = *aabb;
            field.distance(map.apply([x, y, z])) < norm(half)
        },
        |face| {
            let corners = soup.corners(face).map(|corner| map.apply(corner));
            if comes_near(&corners, field) {
                found.search(&corners, field, opt);
            }
        },
    );
    let mut touches = Found::new(frame, out);
    for &(point, dist) in &found.points[..found.count] {
        touches.add(point, dist, |x| field.gradient(x));
    }
}

/// Points of triangles inside the field, with its value.
struct Candidates {
    points: [(Vec3, f64); MAX_TOUCHES],
    count: usize,
}

impl Candidates {
    /// Searches a triangle from points spread over it.
    fn search(&mut self, corners: &[Vec3; 3], field: &Field<'_>, opt: SdfOptions) {
        for start in 1..=opt.starts.max(1) {
            let Some(slot) = self.points.get_mut(self.count) else { return };
            let [mut u, mut v] = [2, 3].map(|base| halton(start, base));
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let w = 1.0 - u - v;
            let mut x =
                std::array::from_fn(|k| w * corners[0][k] + u * corners[1][k] + v * corners[2][k]);
            let dist = frank_wolfe(&mut x, corners, field, opt.iterations);
            if dist < 0.0 {
                *slot = (x, dist);
                self.count += 1;
            }
        }
    }
}

/// Whether a triangle may dip into a field: by its circle, or far from the surface by the sphere
/// through its corners and a fourth point.
#[doc(alias = "triangleIntersect")]
fn comes_near(corners: &[Vec3; 3], field: &Field<'_>) -> bool {
    /// Lower pyramids have spheres too large to tell anything.
    const LEAST_HEIGHT: f64 = 0.1;
    const FLATNESS: f64 = 10.0;
    let [p, q, r] = *corners;
    let (e1, e2) = (sub(q, p), sub(r, p));
    let centre = add_scaled(add_scaled(scale(p, 1.0 / 3.0), q, 1.0 / 3.0), r, 1.0 / 3.0);
    let there = field.distance(centre);
    let height = -there / FLATNESS;
    if height.abs() < LEAST_HEIGHT {
        return there < circumradius(corners);
    }
    let (normal, _) = normalize(cross(e1, e2));
    let apex = add_scaled(centre, normal, -height);
    let v = corners.map(|corner| sub(corner, apex));
    let faces = [cross(v[1], v[2]), cross(v[2], v[0]), cross(v[0], v[1])];
    let mut middle = scale(faces[0], dot(v[0], v[0]));
    for k in 1..3 {
        middle = add_scaled(middle, faces[k], dot(v[k], v[k]));
    }
    let volume = 2.0 * dot(v[0], faces[0]);
    if volume.abs() < MINVAL {
        return there < norm(e1);
    }
    let middle = scale(middle, 1.0 / volume);
    field.distance(add(middle, apex)) < norm(middle)
}

/// Radius of the circle through three points.
fn circumradius([p, q, r]: &[Vec3; 3]) -> f64 {
    let [a, b, c] = [distance(*p, *q), distance(*q, *r), distance(*r, *p)];
    let s = (a + b + c) / 2.0;
    let area = (s * (s - a) * (s - b) * (s - c)).sqrt();
    // Heron's product can come out negative for a sliver
    a * b * c / (4.0 * area.max(MINVAL))
}
