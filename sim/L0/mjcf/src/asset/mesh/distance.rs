//! Signed distance from a point to a triangle mesh.
//!
//! The nearest point of a triangle is found by the region the point is in: C. Ericson, "Real-Time
//! Collision Detection" (2005), section 5.1.5.

use super::bvh::Bvh;
use crate::asset::norm::normalize;
use sim_core::math::vec3::{Vec3, cross, dot, sub};

/// A mesh to which distances are measured.
pub(super) struct Surface<'a> {
    pub(super) points: &'a [Vec3],
    pub(super) faces: &'a [[i32; 3]],
    pub(super) bvh: &'a Bvh,
}

/// The nearest point of a face: squared distance, face, coordinates along two edges.
#[derive(Clone, Copy)]
struct Nearest {
    square: f64,
    face: Option<usize>,
    at: [f64; 2],
}

impl Surface<'_> {
    /// Distance of a point, negative inside.
    pub(super) fn signed_distance(&self, point: Vec3) -> f64 {
        if self.bvh.is_empty() {
            return 0.0;
        }
        // Faces that meet are equally near, and the sign depends on which of them counts: it is
        // the first one in the order of the tree. The distance itself is found near boxes first.
        let mut nearest = Nearest { square: 1e20, face: None, at: [0.0; 2] };
        self.search::<true>(0, point, &mut nearest);
        nearest.square = nearest.square.next_up();
        self.search::<false>(0, point, &mut nearest);

        let distance = nearest.square.sqrt();
        let Some(face) = nearest.face else {
            return distance;
        };
        let [a, b, c] = self.corners(face);
        let (ab, ac) = (sub(b, a), sub(c, a));
        let [u, v] = nearest.at;
        let closest: Vec3 = std::array::from_fn(|k| a[k] + u * ab[k] + v * ac[k]);
        let mut normal = cross(ab, ac);
        let height = dot(sub(point, closest), normal);
        let length = normalize(&mut normal);
        if height > 1e-12 * length * distance { distance } else { -distance }
    }

    fn corners(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|v| self.points[v as usize])
    }

    /// Looks below a node for something nearer. The tree is balanced, so the recursion is shallow.
    fn search<const NEAR_FIRST: bool>(&self, node: usize, point: Vec3, best: &mut Nearest) {
        if box_distance(point, &self.bvh.aabb[node]) >= best.square {
            return;
        }
        let mut children = self.bvh.child[node];
        if children == [-1, -1] {
            if let Ok(face) = usize::try_from(self.bvh.nodeid[node]) {
                let (square, at) = triangle_distance(point, self.corners(face));
                if square < best.square {
                    *best = Nearest { square, face: Some(face), at };
                }
            }
            return;
        }
        if NEAR_FIRST {
            let far = |child: i32| {
                usize::try_from(child).map_or(f64::MAX, |c| box_distance(point, &self.bvh.aabb[c]))
            };
            if far(children[1]) < far(children[0]) {
                children.swap(0, 1);
            }
        }
        for child in children {
            if let Ok(child) = usize::try_from(child) {
                self.search::<NEAR_FIRST>(child, point, best);
            }
        }
    }
}

/// Squared distance to a box.
fn box_distance(point: Vec3, aabb: &[f64; 6]) -> f64 {
    let mut square = 0.0;
    for k in 0..3 {
        let (low, high) = (aabb[k] - aabb[k + 3], aabb[k] + aabb[k + 3]);
        if point[k] < low {
            square += (low - point[k]) * (low - point[k]);
        } else if point[k] > high {
            square += (point[k] - high) * (point[k] - high);
        }
    }
    square
}

/// Squared distance to a triangle, and the nearest point's coordinates along its two edges.
fn triangle_distance(p: Vec3, [a, b, c]: [Vec3; 3]) -> (f64, [f64; 2]) {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let ap = sub(p, a);
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (dot(ap, ap), [0.0, 0.0]);
    }
    let bp = sub(p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (dot(bp, bp), [1.0, 0.0]);
    }
    let from = |closest: Vec3| dot(sub(p, closest), sub(p, closest));
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let u = d1 / (d1 - d3);
        return (from(std::array::from_fn(|k| a[k] + u * ab[k])), [u, 0.0]);
    }
    let cp = sub(p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (dot(cp, cp), [0.0, 1.0]);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let v = d2 / (d2 - d6);
        return (from(std::array::from_fn(|k| a[k] + v * ac[k])), [0.0, v]);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        let bc = sub(c, b);
        return (from(std::array::from_fn(|k| b[k] + w * bc[k])), [1.0 - w, w]);
    }
    let scale = 1.0 / (va + vb + vc);
    let (u, v) = (vb * scale, vc * scale);
    (from(std::array::from_fn(|k| a[k] + u * ab[k] + v * ac[k])), [u, v])
}
