//! The point of a simplex closest to the origin, in barycentric coordinates.
//!
//! The signed-volumes method of Montanari, Petrinic and Barbieri, "Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects", ACM ToG 36(3), 2017.

use crate::math::vec3::{Vec3, add_scaled, cross, dot, scale, sub};
use sim_types::MINVAL;

/// Barycentric coordinates of the closest point; vertices that do not carry it get exactly zero.
///
/// The reference engine does not clear the weight of the fourth vertex when the side without it
/// carries the point. All four weights are then positive, which tells the caller that the tetrahedron
/// holds the origin, though it does not. `faithful` keeps this.
pub(super) fn closest(vertices: &[Vec3], faithful: bool) -> [f64; 4] {
    match *vertices {
        [a, b] => {
            let [p, q] = segment(a, b);
            [p, q, 0.0, 0.0]
        }
        [a, b, c] => {
            let [p, q, r] = triangle(a, b, c);
            [p, q, r, 0.0]
        }
        [a, b, c, d] => tetrahedron([a, b, c, d], faithful),
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

fn tetrahedron(s: [Vec3; 4], faithful: bool) -> [f64; 4] {
    // the volumes that the origin spans with each side; their sum is that of the whole
    let volumes = [
        -det(s[1], s[2], s[3]),
        det(s[0], s[2], s[3]),
        -det(s[0], s[1], s[3]),
        det(s[0], s[1], s[2]),
    ];
    let whole = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    let inner = volumes.map(|volume| same_sign(whole, volume));
    if inner == [true; 4] {
        return volumes.map(|volume| volume / whole);
    }

    // the origin lies beyond at least one side: the best of those carries the closest point
    let (mut best, mut lambda) = (f64::MAX, [0.0; 4]);
    let mut consider = |opposite: usize, side: [usize; 3]| {
        if inner[opposite] {
            return;
        }
        let corners = [s[side[0]], s[side[1]], s[side[2]]];
        let weights = triangle(corners[0], corners[1], corners[2]);
        let point = combine(weights, corners);
        let square = dot(point, point);
        if opposite == 0 || square < best {
            best = square;
            if opposite < 3 || !faithful {
                lambda[opposite] = 0.0;
            }
            lambda[side[0]] = weights[0];
            lambda[side[1]] = weights[1];
            lambda[side[2]] = weights[2];
        }
    };
    consider(0, [1, 2, 3]);
    consider(1, [0, 2, 3]);
    consider(2, [0, 1, 3]);
    consider(3, [0, 1, 2]);
    lambda
}

fn triangle(a: Vec3, b: Vec3, c: Vec3) -> [f64; 3] {
    let Some(p) = project_on_plane(a, b, c) else {
        let [s, t] = segment(a, b);
        return [s, t, 0.0];
    };
    let (whole, areas) = areas(a, b, c, p);
    let inner = areas.map(|area| same_sign(whole, area));
    if inner == [true; 3] {
        return areas.map(|area| area / whole);
    }

    let s = [a, b, c];
    let (mut best, mut lambda) = (f64::MAX, [0.0; 3]);
    let mut consider = |opposite: usize, side: [usize; 2]| {
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
    consider(0, [1, 2]);
    consider(1, [0, 2]);
    consider(2, [0, 1]);
    lambda
}

#[inline]
fn segment(a: Vec3, b: Vec3) -> [f64; 2] {
    let along = sub(b, a);
    let p = add_scaled(b, along, -(dot(b, along) / dot(along, along)));

    // measure along the axis on which the segment is longest
    let (mut axis, mut whole) = (0, a[0] - b[0]);
    for k in 1..3 {
        let extent = a[k] - b[k];
        if extent.abs() >= whole.abs() {
            (axis, whole) = (k, extent);
        }
    }
    let parts = [p[axis] - b[axis], a[axis] - p[axis]];
    if same_sign(whole, parts[0]) && same_sign(whole, parts[1]) {
        parts.map(|part| part / whole)
    } else {
        [0.0, 1.0]
    }
}

/// The origin projected onto the plane through three points; nothing if they are on a line.
///
/// The normal is taken at another corner when the first gives too little to divide by.
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

/// Coordinates of `p` in the triangle's plane as weights of its corners.
pub(super) fn affine(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> [f64; 3] {
    let (whole, areas) = areas(a, b, c, p);
    areas.map(|area| area / whole)
}

/// Twice the signed area of the triangle, and of the three that `p` makes with its sides, all seen
/// along the axis from which the triangle looks largest.
#[inline(always)]
fn areas(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> (f64, [f64; 3]) {
    let minor = |x: usize, y: usize| {
        b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x]
    };
    let minors = [minor(1, 2), minor(0, 2), minor(0, 1)];
    let size = minors.map(f64::abs);
    let (whole, x, y) = if size[0] >= size[1] && size[0] >= size[2] {
        (minors[0], 1, 2)
    } else if size[1] >= size[2] {
        (minors[1], 0, 2)
    } else {
        (minors[2], 0, 1)
    };
    let area = |q: Vec3, r: Vec3| {
        p[x] * q[y] + p[y] * r[x] + q[x] * r[y] - p[x] * r[y] - p[y] * q[x] - r[x] * q[y]
    };
    (whole, [area(b, c), area(c, a), area(a, b)])
}
