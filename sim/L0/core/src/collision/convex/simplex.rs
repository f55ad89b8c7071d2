//! Distance subalgorithm of GJK: the point of a simplex closest to the origin, in barycentric coordinates.
//! Vertices outside its supporting face get exactly zero.
//!
//! Signed-volumes method of Montanari, Petrinic and Barbieri, "Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects", ACM ToG 36(3), 2017.

use sim_simd::{Vector3, dispatch};
use sim_types::MINVAL;

/// The closest point of a segment.
#[inline(always)]
pub(super) fn on_segment(a: Vector3, b: Vector3) -> [f64; 4] {
    let [p, q] = segment(a, b);
    [p, q, 0.0, 0.0]
}

/// The closest point of a triangle.
#[inline(always)]
pub(super) fn on_triangle(a: Vector3, b: Vector3, c: Vector3) -> [f64; 4] {
    let [p, q, r] = triangle(a, b, c);
    [p, q, r, 0.0]
}

/// The closest point of a tetrahedron.
///
/// MuJoCo 3.8.0 does not clear the weight of the fourth vertex when the closest point is on the opposite
/// face, so that the caller takes the origin to be inside the tetrahedron. `mujoco_defects` reproduces
/// this.
#[inline(always)]
pub(super) fn on_tetrahedron([a, b, c, d]: [Vector3; 4], mujoco_defects: bool) -> [f64; 4] {
    // signed volumes of the origin with each face; their sum is that of the tetrahedron
    let volumes = [-det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)];
    let total = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    let inner = |k: usize| same_sign(total, volumes[k]);
    if inner(0) && inner(1) && inner(2) && inner(3) {
        return [volumes[0] / total, volumes[1] / total, volumes[2] / total, volumes[3] / total];
    }

    // the origin is beyond at least one face: the closest of these contains the closest point
    let (mut best, mut lambda) = (f64::MAX, [0.0; 4]);
    if !inner(0) {
        let (square, [p, q, r]) = closest_on(b, c, d);
        (best, lambda) = (square, [0.0, p, q, r]);
    }
    if !inner(1) {
        let (square, [p, q, r]) = closest_on(a, c, d);
        if square < best {
            (best, lambda) = (square, [p, 0.0, q, r]);
        }
    }
    if !inner(2) {
        let (square, [p, q, r]) = closest_on(a, b, d);
        if square < best {
            (best, lambda) = (square, [p, q, 0.0, r]);
        }
    }
    if !inner(3) {
        let (square, [p, q, r]) = closest_on(a, b, c);
        if square < best {
            lambda = [p, q, r, if mujoco_defects { lambda[3] } else { 0.0 }];
        }
    }
    lambda
}

/// The closest point of a triangle: its squared distance and its coordinates.
#[inline(always)]
fn closest_on(a: Vector3, b: Vector3, c: Vector3) -> (f64, [f64; 3]) {
    let weights = triangle(a, b, c);
    let point = combine(weights, a, b, c);
    (point.dot(point), weights)
}

/// `u a + v b + w c`.
#[inline(always)]
pub(super) fn combine([u, v, w]: [f64; 3], a: Vector3, b: Vector3, c: Vector3) -> Vector3 {
    a.scale(u).add_scaled(b, v).add_scaled(c, w)
}

/// Determinant of the matrix with these columns.
#[inline(always)]
pub(super) fn det(a: Vector3, b: Vector3, c: Vector3) -> f64 {
    a.dot(b.cross(c))
}

/// Whether both are positive or both negative.
#[inline(always)]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

// not inlined: both versions at each of five call sites would be 20 kB of code
#[inline(never)]
fn triangle(a: Vector3, b: Vector3, c: Vector3) -> [f64; 3] {
    dispatch!(closest_on_triangle(a: Vector3, b: Vector3, c: Vector3) -> [f64; 3])
}

#[inline(always)]
fn closest_on_triangle(a: Vector3, b: Vector3, c: Vector3) -> [f64; 3] {
    let Some(p) = project_on_plane(a, b, c) else {
        let [s, t] = segment(a, b);
        return [s, t, 0.0];
    };
    let (total, [first, second, third]) = areas(a, b, c, p);
    let inner = [same_sign(total, first), same_sign(total, second), same_sign(total, third)];
    if inner[0] && inner[1] && inner[2] {
        return [first / total, second / total, third / total];
    }

    let (mut best, mut lambda) = (f64::MAX, [0.0; 3]);
    if !inner[0] {
        let [s, t] = segment(b, c);
        let point = b.scale(s).add_scaled(c, t);
        (best, lambda) = (point.dot(point), [0.0, s, t]);
    }
    if !inner[1] {
        let [s, t] = segment(a, c);
        let point = a.scale(s).add_scaled(c, t);
        let square = point.dot(point);
        if square < best {
            (best, lambda) = (square, [s, 0.0, t]);
        }
    }
    if !inner[2] {
        let [s, t] = segment(a, b);
        let point = a.scale(s).add_scaled(b, t);
        if point.dot(point) < best {
            lambda = [s, t, 0.0];
        }
    }
    lambda
}

#[inline(always)]
fn segment(a: Vector3, b: Vector3) -> [f64; 2] {
    let along = b.sub(a);
    let p = b.add_scaled(along, -(b.dot(along) / along.dot(along)));

    // project onto the axis of largest extent
    let (extent, first, second) = (a.sub(b), p.sub(b), a.sub(p));
    let mut chosen = (extent.x(), first.x(), second.x());
    if extent.y().abs() >= chosen.0.abs() {
        chosen = (extent.y(), first.y(), second.y());
    }
    if extent.z().abs() >= chosen.0.abs() {
        chosen = (extent.z(), first.z(), second.z());
    }
    let (total, first, second) = chosen;
    if same_sign(total, first) && same_sign(total, second) {
        [first / total, second / total]
    } else {
        [0.0, 1.0]
    }
}

/// Projection of the origin onto the plane through three points; `None` if they are collinear.
///
/// The normal is recomputed at another vertex when the first is too short to divide by.
#[inline(always)]
pub(super) fn project_on_plane(a: Vector3, b: Vector3, c: Vector3) -> Option<Vector3> {
    let (ab, bc) = (b.sub(a), c.sub(b));
    let n = bc.cross(ab);
    let (offset, square) = (n.dot(b), n.dot(n));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(n.scale(offset / square));
    }
    let ac = c.sub(a);
    let n = ab.cross(ac);
    let (offset, square) = (n.dot(a), n.dot(n));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(n.scale(offset / square));
    }
    let n = ac.cross(bc);
    Some(n.scale(n.dot(c) / n.dot(n)))
}

/// Barycentric coordinates of `p` in the plane of a triangle.
#[inline(always)]
pub(super) fn affine(a: Vector3, b: Vector3, c: Vector3, p: Vector3) -> [f64; 3] {
    let (total, [first, second, third]) = areas(a, b, c, p);
    [first / total, second / total, third / total]
}

/// Twice the signed areas of a triangle, and of the three triangles of `p` with its edges, projected along
/// the coordinate axis for which the triangle's area is largest.
#[inline(always)]
fn areas(a: Vector3, b: Vector3, c: Vector3, p: Vector3) -> (f64, [f64; 3]) {
    let yz = [a, b, c, p].map(|v| [v.y(), v.z()]);
    let xz = [a, b, c, p].map(|v| [v.x(), v.z()]);
    let xy = [a, b, c, p].map(|v| [v.x(), v.y()]);
    let minors = [minor(yz), minor(xz), minor(xy)];
    let size = [minors[0].abs(), minors[1].abs(), minors[2].abs()];
    if size[0] >= size[1] && size[0] >= size[2] {
        (minors[0], planar_areas(yz))
    } else if size[1] >= size[2] {
        (minors[1], planar_areas(xz))
    } else {
        (minors[2], planar_areas(xy))
    }
}

/// Twice the signed area of the triangle of the first three of four points of a plane.
#[inline(always)]
fn minor([a, b, c, _]: [[f64; 2]; 4]) -> f64 {
    b[0] * c[1] - b[1] * c[0] - a[0] * c[1] + a[1] * c[0] + a[0] * b[1] - a[1] * b[0]
}

/// Twice the signed areas of the triangles of the last of four points with two of the others.
#[inline(always)]
fn planar_areas([a, b, c, p]: [[f64; 2]; 4]) -> [f64; 3] {
    [area(p, b, c), area(p, c, a), area(p, a, b)]
}

#[inline(always)]
fn area(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    p[0] * q[1] + p[1] * r[0] + q[0] * r[1] - p[0] * r[1] - p[1] * q[0] - r[0] * q[1]
}
