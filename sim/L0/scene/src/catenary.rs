//! Catenary of a string of given length between two points (`mjv_catenary`).
//!
//! With horizontal distance h, height difference v and length l, the catenary parameter a satisfies
//! 2 a sinh(h / 2a) = √(l² - v²). With b = a / h the equation is solved in the form
//! 1/√(2 b sinh(1 / 2b) - 1) = 1/√(√(l² - v²)/h - 1), whose left side is nearly linear in b, by Newton's
//! method with backtracking.

use sim_core::math::vec3::{self, Vec3};
use sim_core::types::MINVAL;

/// Residual at which Newton's method stops.
const TOLERANCE: f64 = 1e-9;

/// Points along a hanging string: `count` of a catenary, three if the string is nearly vertical, or the two
/// ends if they are farther apart than `length`.
pub(crate) fn points(ends: [Vec3; 2], gravity: Vec3, length: f64, count: usize) -> Vec<Vec3> {
    let [start, end] = ends;
    if vec3::distance(start, end) > length {
        return vec![start, end];
    }
    let (up, _) = vec3::normalize(vec3::scale(gravity, -1.0));
    let chord = vec3::sub(end, start);
    // horizontal unit vector of the plane of the string
    let (across, norm) = vec3::normalize(vec3::sub(chord, vec3::scale(up, vec3::dot(up, chord))));
    let across = if norm < MINVAL { [0.0; 3] } else { across };
    let (h, v) = (vec3::dot(chord, across), vec3::dot(chord, up));
    let point = |horizontal: f64, vertical: f64| {
        vec3::add_scaled(vec3::add_scaled(start, across, horizontal), up, vertical)
    };
    if length > 100.0 * h {
        // a bead that slides on the string
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        let bead = h * down / (2.0 * down - v);
        let middle = vec3::add_scaled(vec3::add_scaled(start, up, down), across, bead);
        return vec![start, middle, end];
    }
    let a = flatness(v, h, length) * h;
    let h_offset = -0.5 * (((length + v) / (length - v)).ln() * a - h);
    let v_offset = -cosh_sinh(h_offset / a).0 * a;
    let mut path = Vec::with_capacity(count);
    if count > 1 {
        path.push(start);
    }
    for i in 1..count.saturating_sub(1) {
        let horizontal = i as f64 * h / count as f64;
        path.push(point(horizontal, a * cosh_sinh((horizontal - h_offset) / a).0 + v_offset));
    }
    path.push(end);
    path
}

/// Hyperbolic cosine and sine.
fn cosh_sinh(x: f64) -> (f64, f64) {
    let e = x.exp();
    (0.5 * (e + 1.0 / e), 0.5 * (e - 1.0 / e))
}

/// Residual of the catenary equation at `b`, and its derivative.
fn residual(b: f64, intercept: f64) -> (f64, f64) {
    let a = 0.5 / b;
    let (cosh, sinh) = cosh_sinh(a);
    let excess = 2.0 * b * sinh - 1.0;
    (1.0 / excess.sqrt() - intercept, (a * cosh - sinh) * excess.powf(-1.5))
}

/// Ratio b of the catenary parameter to the horizontal distance.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let intercept = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let mut b = intercept / 24.0_f64.sqrt();
    for _ in 0..50 {
        let (value, slope) = residual(b, intercept);
        if value.abs() < TOLERANCE {
            break;
        }
        let mut step = -value / slope;
        for _ in 0..10 {
            if residual(b + step, intercept).0.abs() < value.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::points;
    use sim_core::math::vec3;

    #[test]
    fn length_of_the_catenary_is_that_of_the_string() {
        let (start, end) = ([0.0; 3], [1.0, 0.5, 0.3]);
        let path = points([start, end], [0.0, 0.0, -9.81], 2.0, 2000);
        let length: f64 = path.windows(2).map(|p| vec3::distance(p[0], p[1])).sum();
        assert!((length - 2.0).abs() < 1e-3, "{length}");
        assert_eq!((path[0], path[1999]), (start, end));
        let lowest = path.iter().fold(0.0_f64, |low, p| low.min(p[2]));
        assert!(lowest < -0.3);
    }

    #[test]
    fn taut_string_is_straight() {
        assert_eq!(points([[0.0; 3], [2.0, 0.0, 0.0]], [0.0, 0.0, -1.0], 1.0, 30).len(), 2);
    }

    #[test]
    fn vertical_string_hangs_as_a_bead() {
        let path = points([[0.0; 3], [0.0, 0.0, 1.0]], [0.0, 0.0, -1.0], 3.0, 30);
        assert_eq!(path.len(), 3);
        assert!((path[1][2] + 1.0).abs() < 1e-12);
    }
}
