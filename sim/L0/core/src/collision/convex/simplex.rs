//! Distance subalgorithm of GJK: the point of a simplex closest to the origin, in barycentric coordinates.
//!
//! Signed-volumes method of Montanari, Petrinic and Barbieri, "Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects", ACM ToG 36(3), 2017.

use crate::math::vec3::{Vec3, add_scaled, cross, dot, scale, sub};
use sim_types::MINVAL;

/// Barycentric coordinates of the closest point; vertices outside its supporting face get exactly zero.
///
/// MuJoCo 3.8.0 does not clear the weight of the fourth vertex when the closest point is on the opposite
/// face, so that the caller takes the origin to be inside the tetrahedron. `mujoco_defects` reproduces
/// this.
pub(super) fn closest(vertices: &[Vec3], mujoco_defects: bool) -> [f64; 4] {
    match *vertices {
        [a, b] => {
            let [p, q] = segment(a, b);
            [p, q, 0.0, 0.0]
        }
        [a, b, c] => {
            let [p, q, r] = triangle(a, b, c);
            [p, q, r, 0.0]
        }
        [a, b, c, d] => tetrahedron([a, b, c, d], mujoco_defects),
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// `Σ weightᵢ pointᵢ`.
#[inline(always)]
pub(super) fn combine<const N: usize>(weights: [f64; N], points: [Vec3; N]) -> Vec3 {
    let mut sum = scale(points[0], weights[0]);
    for k in 1..N {
        sum = add_scaled(sum, points[k], weights[k]);
    }
    sum
}

/// Determinant of the matrix with these columns.
#[inline(always)]
pub(super) fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Whether both are positive or both negative.
#[inline(always)]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

fn tetrahedron(s: [Vec3; 4], mujoco_defects: bool) -> [f64; 4] {
    // signed volumes of the origin with each face; their sum is that of the tetrahedron
    let volumes = [
        -det(s[1], s[2], s[3]),
        det(s[0], s[2], s[3]),
        -det(s[0], s[1], s[3]),
        det(s[0], s[1], s[2]),
    ];
    let total = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    let inner = volumes.map(|volume| same_sign(total, volume));
    if inner == [true; 4] {
        return volumes.map(|volume| volume / total);
    }

    // the origin is beyond at least one face: the closest of these contains the closest point
    let (mut best, mut lambda) = (f64::MAX, [0.0; 4]);
    let mut try_face = |opposite: usize, side: [usize; 3]| {
        if inner[opposite] {
            return;
        }
        let corners = [s[side[0]], s[side[1]], s[side[2]]];
        let weights = triangle(corners[0], corners[1], corners[2]);
        let point = combine(weights, corners);
        let square = dot(point, point);
        if opposite == 0 || square < best {
            best = square;
            if opposite < 3 || !mujoco_defects {
                lambda[opposite] = 0.0;
            }
            lambda[side[0]] = weights[0];
            lambda[side[1]] = weights[1];
            lambda[side[2]] = weights[2];
        }
    };
    try_face(0, [1, 2, 3]);
    try_face(1, [0, 2, 3]);
    try_face(2, [0, 1, 3]);
    try_face(3, [0, 1, 2]);
    lambda
}

fn triangle(a: Vec3, b: Vec3, c: Vec3) -> [f64; 3] {
    let Some(p) = project_on_plane(a, b, c) else {
        let [s, t] = segment(a, b);
        return [s, t, 0.0];
    };
    let (total, areas) = areas(a, b, c, p);
    let inner = areas.map(|area| same_sign(total, area));
    if inner == [true; 3] {
        return areas.map(|area| area / total);
    }

    let s = [a, b, c];
    let (mut best, mut lambda) = (f64::MAX, [0.0; 3]);
    let mut try_edge = |opposite: usize, side: [usize; 2]| {
        if inner[opposite] {
            return;
        }
        let ends = [s[side[0]], s[side[1]]];
        let weights = segment(ends[0], ends[1]);
        let point = combine(weights, ends);
        let square = dot(point, point);
        if opposite == 0 || square < best {
            best = square;
            lambda[opposite] = 0.0;
            lambda[side[0]] = weights[0];
            lambda[side[1]] = weights[1];
        }
    };
    try_edge(0, [1, 2]);
    try_edge(1, [0, 2]);
    try_edge(2, [0, 1]);
    lambda
}

#[inline]
fn segment(a: Vec3, b: Vec3) -> [f64; 2] {
    let along = sub(b, a);
    let p = add_scaled(b, along, -(dot(b, along) / dot(along, along)));

    // project onto the axis of largest extent
    let (mut axis, mut total) = (0, a[0] - b[0]);
    for k in 1..3 {
        let extent = a[k] - b[k];
        if extent.abs() >= total.abs() {
            (axis, total) = (k, extent);
        }
    }
    let parts = [p[axis] - b[axis], a[axis] - p[axis]];
    if same_sign(total, parts[0]) && same_sign(total, parts[1]) {
        parts.map(|part| part / total)
    } else {
        [0.0, 1.0]
    }
}

/// Projection of the origin onto the plane through three points; `None` if they are collinear.
///
/// The normal is recomputed at another vertex when the first is too short to divide by.
#[inline(always)]
pub(super) fn project_on_plane(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (ab, bc) = (sub(b, a), sub(c, b));
    let n = cross(bc, ab);
    let (offset, square) = (dot(n, b), dot(n, n));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(scale(n, offset / square));
    }
    let ac = sub(c, a);
    let n = cross(ab, ac);
    let (offset, square) = (dot(n, a), dot(n, n));
    if square == 0.0 {
        return None;
    }
    if offset != 0.0 && square > MINVAL {
        return Some(scale(n, offset / square));
    }
    let n = cross(ac, bc);
    Some(scale(n, dot(n, c) / dot(n, n)))
}

/// Barycentric coordinates of `p` in the plane of a triangle.
pub(super) fn affine(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> [f64; 3] {
    let (total, areas) = areas(a, b, c, p);
    areas.map(|area| area / total)
}

/// Twice the signed areas of a triangle, and of the three triangles of `p` with its edges, projected along
/// the coordinate axis for which the triangle's area is largest.
#[inline(always)]
fn areas(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> (f64, [f64; 3]) {
    let minor = |x: usize, y: usize| {
        b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x]
    };
    let minors = [minor(1, 2), minor(0, 2), minor(0, 1)];
    let size = minors.map(f64::abs);
    let (total, x, y) = if size[0] >= size[1] && size[0] >= size[2] {
        (minors[0], 1, 2)
    } else if size[1] >= size[2] {
        (minors[1], 0, 2)
    } else {
        (minors[2], 0, 1)
    };
    let area = |q: Vec3, r: Vec3| {
        p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y]
    };
    (total, [area(b, c), area(c, a), area(a, b)])
}
