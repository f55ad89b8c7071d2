//! Bounding volume hierarchy of the faces of a mesh (mjCBoundingVolumeHierarchy).

use crate::asset::normalize::EPS;
use sim_core::math::vec3::{Vec3, cross, dot, sub};
use std::cmp::Ordering;

/// Bounding volume hierarchy: a binary tree of axis-aligned boxes, nodes in preorder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bvh {
    /// Center and half-sizes of each box.
    pub aabb: Vec<[f64; 6]>,
    /// The two children of each node, −1 for none.
    pub child: Vec<[i32; 2]>,
    /// Face of a leaf, −1 for an inner node.
    pub nodeid: Vec<i32>,
    /// Depth of each node.
    pub depth: Vec<i32>,
}

/// An element during construction.
#[derive(Clone, Copy)]
pub(crate) struct Leaf<R> {
    pub(crate) id: i32,
    /// Sort key along each axis; equal keys are ordered by id.
    pub(crate) rank: [R; 3],
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

impl Bvh {
    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodeid.len()
    }

    /// Whether the tree has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodeid.is_empty()
    }

    pub(super) fn size_bytes(&self) -> usize {
        64 * self.len()
    }

    /// Builds the tree over `leaves`, whose ranks are ordered by `compare`.
    pub(crate) fn from_leaves<R>(
        leaves: &mut [Leaf<R>],
        compare: impl Fn(&R, &R) -> Ordering + Copy,
    ) -> Self {
        let mut tree = Self::default();
        tree.aabb.reserve(2 * leaves.len());
        tree.child.reserve(2 * leaves.len());
        tree.nodeid.reserve(2 * leaves.len());
        tree.depth.reserve(2 * leaves.len());
        if !leaves.is_empty() {
            tree.build(leaves, 0, compare);
        }
        tree
    }

    /// Builds the tree over the faces of a mesh.
    ///
    /// Faces are ranked by their circumcenters; coordinates that differ by less than `EPS` are
    /// ranked by face index.
    pub(super) fn new(points: &[Vec3], faces: &[[i32; 3]]) -> Self {
        let corners = |f: &[i32; 3]| f.map(|v| points[v as usize]);
        let centers: Vec<Vec3> = faces.iter().map(|f| circumcenter(corners(f))).collect();
        let leaves: Vec<Leaf<u32>> = faces
            .iter()
            .enumerate()
            .map(|(i, f)| {
                let [a, b, c] = corners(f);
                let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
                for k in 0..3 {
                    let least = a[k].min(b[k]).min(c[k]);
                    let most = a[k].max(b[k]).max(c[k]);
                    // Computed from center and half-size, to round like the stored boxes.
                    let (center, half) = (0.5 * (least + most), 0.5 * (most - least));
                    low[k] = center - half;
                    high[k] = center + half;
                }
                Leaf { id: i as i32, rank: [0; 3], low, high }
            })
            .collect();
        Self::ranked_by(leaves, &centers)
    }

    /// Builds the tree over `leaves`, ranked by `centers`; coordinates that differ by less than `EPS` are ranked by
    /// index.
    pub(crate) fn ranked_by(mut leaves: Vec<Leaf<u32>>, centers: &[Vec3]) -> Self {
        let mut order: Vec<(f64, u32)> = Vec::with_capacity(leaves.len());
        for axis in 0..3 {
            order.clear();
            order.extend(centers.iter().zip(0..).map(|(c, i)| (c[axis], i)));
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut rank = 0;
            let distinct = |a: f64, b: f64| b.is_nan() || (b - a).abs() > EPS;
            for tied in order.chunk_by_mut(|a, b| !distinct(a.0, b.0)) {
                tied.sort_unstable_by_key(|&(_, i)| i);
                for &mut (_, i) in tied {
                    leaves[i as usize].rank[axis] = rank;
                    rank += 1;
                }
            }
        }
        Self::from_leaves(&mut leaves, Ord::cmp)
    }

    /// Adds a node over `leaves` and returns its index. The median split bounds the recursion depth
    /// by the logarithm of the number of leaves.
    fn build<R>(
        &mut self,
        leaves: &mut [Leaf<R>],
        depth: i32,
        compare: impl Fn(&R, &R) -> Ordering + Copy,
    ) -> i32 {
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
        leaves.select_nth_unstable_by(half, |a, b| {
            compare(&a.rank[axis], &b.rank[axis]).then(a.id.cmp(&b.id))
        });
        let (left, right) = leaves.split_at_mut(half);
        self.child[index][0] = self.build(left, depth + 1, compare);
        self.child[index][1] = self.build(right, depth + 1, compare);
        index as i32
    }
}

/// Circumcenter of a triangle; NaN if the vertices are collinear.
fn circumcenter([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (a, b) = (sub(p, r), sub(q, r));
    let normal = cross(a, b);
    let (aa, bb) = (dot(a, a), dot(b, b));
    let area = dot(normal, normal).sqrt();
    let across = cross(std::array::from_fn(|k| aa * b[k] - bb * a[k]), normal);
    std::array::from_fn(|k| across[k] / (2.0 * area * area) + r[k])
}
