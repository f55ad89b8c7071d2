//! Closest point on a triangle: C. Ericson, "Real-Time Collision Detection"
//! (2005), section 5.1.5.

use crate::math::vec3::{Vec3, add_scaled, cross, dot, normalize, scale, sub};
use sim_types::MINVAL;

/// The point of a triangle closest to `p`.
pub(super) fn closest_on_triangle(p: Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (sub(*b, *a), sub(*c, *a), sub(p, *a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = sub(p, *b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return add_scaled(*a, ab, d1 / (d1 - d3));
    }
    let cp = sub(p, *c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return add_scaled(*a, ac, d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 {
        return add_scaled(*b, sub(*c, *b), along / (along + back));
    }
    let sum = 1.0 / (va + vb + vc);
    add_scaled(add_scaled(*a, ab, vb * sum), ac, vc * sum)
}

/// Outward unit normal of a triangle; `None` if it is degenerate.
pub(super) fn normal([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    let across = cross(sub(*b, *a), sub(*c, *a));
    let longest = [sub(*b, *a), sub(*c, *b), sub(*a, *c)].map(|e| dot(e, e));
    let longest = longest.into_iter().fold(0.0, f64::max);
    let (unit, length) = normalize(across);
    (length > MINVAL * longest && length > 0.0 && length.is_finite()).then_some(unit)
}

/// Centroid of a triangle.
pub(super) fn centroid([a, b, c]: &[Vec3; 3]) -> Vec3 {
    scale([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], 1.0 / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3::{add, distance};

    /// Against a fine grid of points on the triangle.
    #[test]
    fn closest_point_agrees_with_sampling() {
        let corners = [[0.1, 0.0, 0.2], [1.0, 0.3, -0.1], [0.2, 0.9, 0.4]];
        for k in 0..200_u32 {
            let p = [2, 3, 5].map(|base| 3.0 * crate::math::random::halton(k, base) - 1.0);
            let best = distance(p, closest_on_triangle(p, &corners));
            let mut least = f64::INFINITY;
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                    let x = add(
                        scale(corners[0], 1.0 - u - v),
                        add(scale(corners[1], u), scale(corners[2], v)),
                    );
                    least = least.min(distance(p, x));
                }
            }
            assert!(best <= least + 1e-12 && least < best + 0.03, "{best} {least}");
        }
    }
}
