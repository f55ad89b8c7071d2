//! Particle–triangle contacts.

use super::MAX_CONTACTS;
use super::hash_grid::HashGrid;
use super::response::{ContactParams, PreviousPositions, enforce_distance};
use crate::body::Body;
use crate::particle::{Particle, ParticleStore, add, cross, dot, scale, sub};
use nalgebra::Vector3;

/// A candidate contact of a particle and a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParticleTriangle {
    /// The particle and the vertices of the triangle.
    pub(super) at: [u32; 4],
    pub(super) distance: f64,
    /// 1 if the particle is on the side of the normal, −1 otherwise.
    pub(super) side: f64,
}

/// Detects particles within `detection_distance` of triangles that they are not part of.
pub(super) fn detect(
    body: &Body,
    at: &[Vector3<f64>],
    detection_distance: f64,
    grid: &HashGrid,
    contacts: &mut Vec<ParticleTriangle>,
) {
    let margin = Vector3::repeat(detection_distance);
    for t in &body.triangles {
        let limit = contacts.len() + MAX_CONTACTS;
        let x = t.map(|i| at[i as usize]);
        let min = x[0].inf(&x[1]).inf(&x[2]) - margin;
        let max = x[0].sup(&x[1]).sup(&x[2]) + margin;
        grid.visit(at, min, max, |p| {
            add_candidate(body, detection_distance, (p, at[p as usize]), *t, x, limit, contacts);
        });
    }
}

/// Adds a candidate if the particle is near the triangle and the list is below its limit.
fn add_candidate(
    body: &Body,
    detection_distance: f64,
    (p, y): (u32, Vector3<f64>),
    t: [u32; 3],
    x: [Vector3<f64>; 3],
    limit: usize,
    contacts: &mut Vec<ParticleTriangle>,
) {
    if t.contains(&p) || contacts.len() >= limit {
        return;
    }
    let d = offset(y, x);
    if d.norm_squared() >= detection_distance * detection_distance {
        return;
    }
    let rest_distance = offset(body.rest[p as usize], t.map(|i| body.rest[i as usize])).norm();
    let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
    let side = if normal.dot(&(y - x[0])) < 0.0 { -1.0 } else { 1.0 };
    let distance = body.contact_distance.min(rest_distance);
    contacts.push(ParticleTriangle { at: [p, t[0], t[1], t[2]], distance, side });
}

/// Vector from the closest point of a triangle to `y`.
pub(super) fn offset(y: Vector3<f64>, x: [Vector3<f64>; 3]) -> Vector3<f64> {
    let b = closest_point(y.into(), x.map(Into::into));
    y - b[0] * x[0] - b[1] * x[1] - b[2] * x[2]
}

/// Barycentric coordinates of the point of a triangle closest to `y`, by Voronoi regions of
/// vertices, edges and face (Ericson 2005, "Real-time collision detection", 5.1.5).
fn closest_point(y: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (ab, ac, ay) = (minus(b, a), minus(c, a), minus(y, a));
    let (d1, d2) = (dot(ab, ay), dot(ac, ay));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let by = minus(y, b);
    let (d3, d4) = (dot(ab, by), dot(ac, by));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cy = minus(y, c);
    let (d5, d6) = (dot(ab, cy), dot(ac, cy));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    let (e, f) = (d4 - d3, d5 - d6);
    if va <= 0.0 && e >= 0.0 && f >= 0.0 && e + f > 0.0 {
        let w = e / (e + f);
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    if sum > 0.0 { [va / sum, vb / sum, vc / sum] } else { [1.0, 0.0, 0.0] }
}

impl ParticleTriangle {
    pub(super) fn solve(
        &self,
        x: &impl ParticleStore,
        previous: &(impl PreviousPositions + ?Sized),
        params: ContactParams,
    ) {
        let [y, a, b, c] = self.at.map(|i| x.load(i));
        let point = |p: Particle| [p[0], p[1], p[2]];
        let w = closest_point(point(y), [point(a), point(b), point(c)]);
        let closest = add(add(scale(w[0], point(a)), scale(w[1], point(b))), scale(w[2], point(c)));
        let d = [y[0] - closest[0], y[1] - closest[1], y[2] - closest[2]];
        let inside = w.iter().all(|&w| w > 0.0);
        // over the face the normal has the side at detection, so that a particle that passed
        // through is moved back; elsewhere it points from the closest point
        let mut n = if inside { scale(self.side, cross(sub(b, a), sub(c, a))) } else { d };
        let length = dot(n, n).sqrt();
        if length <= 1e-150 {
            return;
        }
        n = scale(length.recip(), n);
        let c = [1.0, -w[0], -w[1], -w[2]];
        enforce_distance(x, previous, self.at, c, n, dot(n, d), self.distance, params);
    }
}

#[cfg(test)]
mod tests {
    use super::closest_point;

    #[test]
    fn closest_point_agrees_with_a_search() {
        let t = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.1], [0.3, 0.9, -0.2]];
        let at = |w: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|k| w[0] * t[0][k] + w[1] * t[1][k] + w[2] * t[2][k])
        };
        let distance = |y: [f64; 3], p: [f64; 3]| -> f64 {
            (0..3).map(|k| (y[k] - p[k]).powi(2)).sum::<f64>().sqrt()
        };
        for k in 0..1000 {
            // points on a lattice around the triangle
            let y = [k % 10, k / 10 % 10, k / 100].map(|i| f64::from(i) * 0.3 - 1.0);
            let w = closest_point(y, t);
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-12 && w.iter().all(|&w| w >= 0.0));
            let found = distance(y, at(w));
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    assert!(found <= distance(y, at([1.0 - u - v, u, v])) + 1e-12, "{y:?}");
                }
            }
        }
    }
}
