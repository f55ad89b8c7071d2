//! Edges against edges.

use super::push::{Manner, Past, keep_apart};
use crate::cells::{Cells, Particle, cross, dot, scale, sub};
use nalgebra::Vector3;

/// Two edges that are near, how near they may come, and which of them is above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// Ends of the one, and of the other.
    pub(super) at: [u32; 4],
    pub(super) distance: f64,
    /// 1 if the other edge is where the cross product of both points, −1 if it is behind.
    pub(super) side: f64,
}

/// Where edges are nearest: the shares of their ways, and whether both are between the ends.
struct Nearest {
    s: f64,
    t: f64,
    inside: bool,
}

/// Sine of the angle, squared, below which edges are parallel and have no common normal.
const PARALLEL: f64 = 1e-6;

/// The nearest places of two edges `p + s·u` and `q + t·v`, with `r = p − q` (Ericson 2005, "Real-time
/// collision detection", 5.1.9).
fn nearest(u: [f64; 3], v: [f64; 3], r: [f64; 3]) -> Nearest {
    let (a, e, f) = (dot(u, u), dot(v, v), dot(v, r));
    // of an edge whose ends are one particle the second end counts, which is stored last
    let share = |n: f64, d: f64| if d > 0.0 { (n / d).clamp(0.0, 1.0) } else { 1.0 };
    let (b, c) = (dot(u, v), dot(u, r));
    let area = a * e - b * b;
    let crossed = area > PARALLEL * a * e;
    let mut s = if crossed { share(b * f - c * e, area) } else { 0.0 };
    let mut t = share(b * s + f, e);
    s = share(b * t - c, a);
    t = share(b * s + f, e);
    let between = |x: f64| x > 0.0 && x < 1.0;
    Nearest { s, t, inside: crossed && between(s) && between(t) }
}

/// From the nearest place of one edge to that of the other.
pub(super) fn offset([p, q]: [[Vector3<f64>; 2]; 2]) -> Vector3<f64> {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let near = nearest(u.into(), v.into(), (p[0] - q[0]).into());
    q[0] + v * near.t - p[0] - u * near.s
}

impl Crossing {
    pub(super) fn solve(&self, x: &impl Cells, past: &(impl Past + ?Sized), manner: Manner) {
        let [a, b, c, d] = self.at.map(|i| x.load(i));
        let point = |p: Particle| [p[0], p[1], p[2]];
        let (u, v) = (sub(b, a), sub(d, c));
        let near = nearest(u, v, sub(a, c));
        let place = |from: [f64; 3], by: [f64; 3], s: f64| [0, 1, 2].map(|k| from[k] + s * by[k]);
        let (p, q) = (place(point(a), u, near.s), place(point(c), v, near.t));
        let way = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        // where they cross, the side counts, so that what went through is brought back
        let mut n = if near.inside { scale(self.side, cross(u, v)) } else { way };
        let length = dot(n, n).sqrt();
        if length <= 1e-150 {
            return;
        }
        n = scale(length.recip(), n);
        let weights = [near.s - 1.0, -near.s, 1.0 - near.t, near.t];
        keep_apart(x, past, self.at, weights, n, dot(n, way), self.distance, manner);
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, offset};
    use nalgebra::Vector3;

    #[test]
    fn the_nearest_places_beat_a_search() {
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
            let mut least = f64::INFINITY;
            for i in 0..=100 {
                for j in 0..=100 {
                    let (s, t) = (f64::from(i) / 100.0, f64::from(j) / 100.0);
                    let far = q[0] + (q[1] - q[0]) * t - p[0] - (p[1] - p[0]) * s;
                    least = least.min(far.norm());
                }
            }
            assert!(found <= least + 1e-12 && least < found + 0.03, "{k}: {found} {least}");
        }
    }

    #[test]
    fn edges_without_length_or_angle_have_nearest_places() {
        let near = nearest([0.0; 3], [2.0, 0.0, 0.0], [0.5, 0.0, 1.0]);
        assert!(near.s == 1.0 && near.t == 0.25 && !near.inside);
        let near = nearest([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 1.0, 0.0]);
        assert!(near.s == 0.0 && near.t == 1.0 && !near.inside);
        assert_eq!(nearest([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]).t, 1.0);
    }
}
