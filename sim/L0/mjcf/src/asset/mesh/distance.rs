//! Signed distance from a point to a triangle mesh.
//!
//! The closest point on a triangle is found from its Voronoi regions: C. Ericson, "Real-Time
//! Collision Detection" (2005), section 5.1.5.

use super::bvh::Bvh;
use crate::asset::normalize::normalize;
use sim_core::math::vec3::{Vec3, cross, dot, sub};

/// A triangle mesh with its BVH, for distance queries.
pub(super) struct Surface<'a> {
    pub(super) points: &'a [Vec3],
    pub(super) faces: &'a [[i32; 3]],
    pub(super) bvh: &'a Bvh,
}

/// Closest point so far: squared distance, face, coordinates along two edges of the face.
#[derive(Clone, Copy)]
struct ClosestFace {
    square: f64,
    face: Option<usize>,
    at: [f64; 2],
}

impl Surface<'_> {
    /// Signed distance of a point, negative inside.
    pub(super) fn signed_distance(&self, point: Vec3) -> f64 {
        if self.bvh.is_empty() {
            return 0.0;
        }
        // Adjacent faces are equally close and the choice among them determines the sign, so the
        // second search takes the first such face in tree order. The first search visits closer
        // boxes first to find the distance quickly.
        let mut best = ClosestFace { square: 1e20, face: None, at: [0.0; 2] };
        self.search::<true>(0, point, &mut best);
        best.square = best.square.next_up();
        self.search::<false>(0, point, &mut best);

        let distance = best.square.sqrt();
        let Some(face) = best.face else {
            return distance;
        };
        let [a, b, c] = self.corners(face);
        let (ab, ac) = (sub(b, a), sub(c, a));
        let [u, v] = best.at;
        let closest: Vec3 = std::array::from_fn(|k| a[k] + u * ab[k] + v * ac[k]);
        let mut normal = cross(ab, ac);
        let height = dot(sub(point, closest), normal);
        let length = normalize(&mut normal);
        if height > 1e-12 * length * distance { distance } else { -distance }
    }

    fn corners(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|v| self.points[v as usize])
    }

    /// Searches a subtree for a closer face. The tree is balanced, so the recursion is shallow.
    fn search<const CLOSEST_FIRST: bool>(&self, node: usize, point: Vec3, best: &mut ClosestFace) {
        if box_distance(point, &self.bvh.aabb[node]) >= best.square {
            return;
        }
        let mut children = self.bvh.child[node];
        if children == [-1, -1] {
            if let Ok(face) = usize::try_from(self.bvh.nodeid[node]) {
                let (square, at) = triangle_distance(point, self.corners(face));
                if square < best.square {
                    *best = ClosestFace { square, face: Some(face), at };
                }
            }
            return;
        }
        if CLOSEST_FIRST {
            let distance = |child: i32| {
                usize::try_from(child).map_or(f64::MAX, |c| box_distance(point, &self.bvh.aabb[c]))
            };
            if distance(children[1]) < distance(children[0]) {
                children.swap(0, 1);
            }
        }
        for child in children {
            if let Ok(child) = usize::try_from(child) {
                self.search::<CLOSEST_FIRST>(child, point, best);
            }
        }
    }
}

/// Squared distance from a point to a box.
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

/// Squared distance from a point to a triangle, and the closest point's coordinates along its two
/// edges.
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
