//! Bounding volumes of the faces of a mesh.

use crate::asset::norm::EPS;
use sim_core::math::vec3::{Vec3, cross, dot, sub};

/// A binary tree of boxes in preorder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bvh {
    /// Centre and half size of each box.
    pub aabb: Vec<[f64; 6]>,
    /// The two children of each node, −1 for none.
    pub child: Vec<[i32; 2]>,
    /// The face of a leaf, −1 for an inner node.
    pub nodeid: Vec<i32>,
    /// Distance from the root.
    pub depth: Vec<i32>,
}

/// A face as the builder sees it.
#[derive(Clone, Copy)]
struct Leaf {
    id: i32,
    /// Place of the circumcentre among all along each axis; those closer than rounding to the one
    /// before them are in the order of the faces.
    place: [u32; 3],
    low: Vec3,
    high: Vec3,
}

impl Bvh {
    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodeid.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodeid.is_empty()
    }

    pub(super) fn size_bytes(&self) -> usize {
        64 * self.len()
    }

    /// Builds the tree of the faces.
    pub(super) fn new(points: &[Vec3], faces: &[[i32; 3]]) -> Self {
        let corners = |f: &[i32; 3]| f.map(|v| points[v as usize]);
        let centers: Vec<Vec3> = faces.iter().map(|f| circumcenter(corners(f))).collect();
        let mut leaves: Vec<Leaf> = faces
            .iter()
            .enumerate()
            .map(|(i, f)| {
                let [a, b, c] = corners(f);
                let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
                for k in 0..3 {
                    let least = a[k].min(b[k]).min(c[k]);
                    let most = a[k].max(b[k]).max(c[k]);
                    // Through centre and half size, as boxes are stored.
                    let (center, half) = (0.5 * (least + most), 0.5 * (most - least));
                    low[k] = center - half;
                    high[k] = center + half;
                }
                Leaf { id: i as i32, place: [0; 3], low, high }
            })
            .collect();
        let mut order: Vec<(f64, u32)> = Vec::with_capacity(faces.len());
        for axis in 0..3 {
            order.clear();
            order.extend(centers.iter().zip(0..).map(|(c, i)| (c[axis], i)));
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut place = 0;
            let apart = |a: f64, b: f64| b.is_nan() || (b - a).abs() > EPS;
            for tied in order.chunk_by_mut(|a, b| !apart(a.0, b.0)) {
                tied.sort_unstable_by_key(|&(_, i)| i);
                for &mut (_, i) in tied {
                    leaves[i as usize].place[axis] = place;
                    place += 1;
                }
            }
        }
        let mut tree = Self::default();
        tree.aabb.reserve(2 * leaves.len());
        tree.child.reserve(2 * leaves.len());
        tree.nodeid.reserve(2 * leaves.len());
        tree.depth.reserve(2 * leaves.len());
        if !leaves.is_empty() {
            tree.build(&mut leaves, 0);
        }
        tree
    }

    /// Adds a node over `leaves` and returns its index. Halving bounds the recursion by the
    /// logarithm of the number of faces.
    fn build(&mut self, leaves: &mut [Leaf], depth: i32) -> i32 {
        let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
        for leaf in leaves.iter() {
            for k in 0..3 {
                low[k] = low[k].min(leaf.low[k]);
                high[k] = high[k].max(leaf.high[k]);
            }
        }
        for k in 0..3 {
            if (low[k] - high[k]).abs() < EPS {
                low[k] -= EPS;
                high[k] += EPS;
            }
        }
        let index = self.len();
        let mut aabb = [0.0; 6];
        for k in 0..3 {
            aabb[k] = (high[k] + low[k]) / 2.0;
            aabb[k + 3] = (high[k] - low[k]) / 2.0;
        }
        self.aabb.push(aabb);
        self.child.push([-1, -1]);
        self.nodeid.push(-1);
        self.depth.push(depth);
        if let [leaf] = leaves {
            self.nodeid[index] = leaf.id;
            return index as i32;
        }

        // Split at the median of the longest side.
        let edge = sub(high, low);
        let mut axis = usize::from(edge[1] >= edge[0] + EPS);
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        let half = leaves.len() / 2;
        leaves.select_nth_unstable_by_key(half, |leaf| leaf.place[axis]);
        let (left, right) = leaves.split_at_mut(half);
        self.child[index][0] = self.build(left, depth + 1);
        self.child[index][1] = self.build(right, depth + 1);
        index as i32
    }
}

/// The point with the same distance to three points; not a number if they are in a line.
fn circumcenter([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (a, b) = (sub(p, r), sub(q, r));
    let normal = cross(a, b);
    let (aa, bb) = (dot(a, a), dot(b, b));
    let area = dot(normal, normal).sqrt();
    let across = cross(std::array::from_fn(|k| aa * b[k] - bb * a[k]), normal);
    std::array::from_fn(|k| across[k] / (2.0 * area * area) + r[k])
}
