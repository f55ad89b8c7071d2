//! Edge–edge contacts.

use super::response::{ContactParams, PreviousPositions, enforce_distance};
use crate::particle::{Particle, ParticleStore, cross, dot, scale, sub};
use nalgebra::Vector3;

/// A candidate contact of two edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeEdge {
    /// Ends of the first and of the second edge.
    pub(super) at: [u32; 4],
    pub(super) distance: f64,
    /// 1 if the second edge is on the side of the first to which `u × v` points, −1 otherwise.
    pub(super) side: f64,
}

/// Closest points of two edges as parameters in [0, 1], and whether both are interior.
struct ClosestPoints {
    s: f64,
    t: f64,
    inside: bool,
}

/// Squared sine of the angle below which edges count as parallel and have no common normal.
const PARALLEL: f64 = 1e-6;

/// Closest points of two edges `p + s·u` and `q + t·v`, with `r = p − q` (Ericson 2005, "Real-time
/// collision detection", 5.1.9).
fn closest(u: [f64; 3], v: [f64; 3], r: [f64; 3]) -> ClosestPoints {
    let (a, e, f) = (dot(u, u), dot(v, v), dot(v, r));
    // a degenerate edge whose ends are one particle has its whole weight at the second end, which
    // is stored last
    let parameter = |n: f64, d: f64| if d > 0.0 { (n / d).clamp(0.0, 1.0) } else { 1.0 };
    let (b, c) = (dot(u, v), dot(u, r));
    let area = a * e - b * b;
    let not_parallel = area > PARALLEL * a * e;
    let mut s = if not_parallel { parameter(b * f - c * e, area) } else { 0.0 };
    let mut t = parameter(b * s + f, e);
    s = parameter(b * t - c, a);
    t = parameter(b * s + f, e);
    let between = |x: f64| x > 0.0 && x < 1.0;
    ClosestPoints { s, t, inside: not_parallel && between(s) && between(t) }
}

/// Vector from the closest point of the first edge to that of the second.
pub(super) fn offset([p, q]: [[Vector3<f64>; 2]; 2]) -> Vector3<f64> {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let closest = closest(u.into(), v.into(), (p[0] - q[0]).into());
    q[0] + v * closest.t - p[0] - u * closest.s
}

impl EdgeEdge {
    pub(super) fn solve(
        &self,
        x: &impl ParticleStore,
        previous: &(impl PreviousPositions + ?Sized),
        params: ContactParams,
    ) {
        let [a, b, c, d] = self.at.map(|i| x.load(i));
        let point = |p: Particle| [p[0], p[1], p[2]];
        let (u, v) = (sub(b, a), sub(d, c));
        let closest = closest(u, v, sub(a, c));
        let point_on =
            |from: [f64; 3], by: [f64; 3], s: f64| [0, 1, 2].map(|k| from[k] + s * by[k]);
        let (p, q) = (point_on(point(a), u, closest.s), point_on(point(c), v, closest.t));
        let offset = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        // for interior points the normal has the side at detection, so that edges that passed
        // through each other are separated again
        let mut n = if closest.inside { scale(self.side, cross(u, v)) } else { offset };
        let length = dot(n, n).sqrt();
        if length <= 1e-150 {
            return;
        }
        n = scale(length.recip(), n);
        let weights = [closest.s - 1.0, -closest.s, 1.0 - closest.t, closest.t];
        enforce_distance(x, previous, self.at, weights, n, dot(n, offset), self.distance, params);
    }
}

#[cfg(test)]
mod tests {
    use super::{closest, offset};
    use nalgebra::Vector3;

    #[test]
    fn closest_points_agree_with_a_search() {
        let edge = |k: usize| {
            let at = |i: usize| {
                let x = (k * 7 + i) as f64;
                Vector3::new((x * 1.7).sin(), (x * 2.3).cos(), (x * 0.9).sin())
            };
            [at(0), at(3)]
        };
        for k in 0..40 {
            let (p, q) = (edge(k), edge(k + 1));
            let found = offset([p, q]).norm();
            let mut min = f64::INFINITY;
            for i in 0..=100 {
                for j in 0..=100 {
                    let (s, t) = (f64::from(i) / 100.0, f64::from(j) / 100.0);
                    let distance = q[0] + (q[1] - q[0]) * t - p[0] - (p[1] - p[0]) * s;
                    min = min.min(distance.norm());
                }
            }
            assert!(found <= min + 1e-12 && min < found + 0.03, "{k}: {found} {min}");
        }
    }

    #[test]
    fn degenerate_and_parallel_edges_have_closest_points() {
        let points = closest([0.0; 3], [2.0, 0.0, 0.0], [0.5, 0.0, 1.0]);
        assert!(points.s == 1.0 && points.t == 0.25 && !points.inside);
        let points = closest([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 1.0, 0.0]);
        assert!(points.s == 0.0 && points.t == 1.0 && !points.inside);
        assert_eq!(closest([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]).t, 1.0);
    }
}
