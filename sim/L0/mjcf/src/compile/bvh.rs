//! Bounding volume hierarchy over the geoms of one body, in the body's inertial frame.

use super::geom::GeomOut;
use super::lower::id;
use super::math::{EPS, Pose, add, conjugate, rotate, sub};

/// Centres closer than about this are equal, and the order of ids decides.
const RESOLUTION: f64 = 4.0 * EPS;

/// A binary tree of boxes in preorder.
#[derive(Debug, Default)]
pub(super) struct Bvh {
    /// Centre and half size of each box.
    pub(super) aabb: Vec<[f64; 6]>,
    /// The two children of each node, −1 for none.
    pub(super) child: Vec<[i32; 2]>,
    /// The geom of a leaf, −1 for an inner node.
    pub(super) nodeid: Vec<i32>,
    /// Distance from the root.
    pub(super) depth: Vec<i32>,
}

/// A geom as the builder sees it.
#[derive(Clone, Copy)]
struct Leaf {
    id: usize,
    /// Centre in multiples of a tiny length, so that rounding errors do not decide the order.
    rank: [f64; 3],
    low: [f64; 3],
    high: [f64; 3],
}

impl Bvh {
    /// Builds the tree of the geoms that can collide; `first` is the id of the first geom.
    pub(super) fn new(first: usize, geoms: &[GeomOut<'_>], inertial: Pose) -> Self {
        let mut leaves: Vec<Leaf> = geoms
            .iter()
            .enumerate()
            .filter(|(_, g)| g.spec.contype != 0 || g.spec.conaffinity != 0)
            .map(|(i, g)| leaf(first + i, g, inertial))
            .collect();
        let mut tree = Self::default();
        if !leaves.is_empty() {
            tree.build(&mut leaves, 0);
        }
        tree
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodeid.len()
    }

    /// Adds a node over `leaves` and returns its index. Halving bounds the recursion by the
    /// logarithm of the number of geoms.
    fn build(&mut self, leaves: &mut [Leaf], depth: i32) -> i32 {
        let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
        for leaf in leaves.iter() {
            for k in 0..3 {
                low[k] = low[k].min(leaf.low[k]);
                high[k] = high[k].max(leaf.high[k]);
            }
        }
        for k in 0..3 {
            if (high[k] - low[k]).abs() < EPS {
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
            self.nodeid[index] = id(leaf.id);
            return id(index);
        }

        // Split at the median of the longest side.
        let edge = sub(high, low);
        let mut axis = usize::from(edge[1] >= edge[0] + EPS);
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        let half = leaves.len() / 2;
        leaves.select_nth_unstable_by(half, |a, b| {
            a.rank[axis].total_cmp(&b.rank[axis]).then(a.id.cmp(&b.id))
        });
        let (left, right) = leaves.split_at_mut(half);
        self.child[index][0] = self.build(left, depth + 1);
        self.child[index][1] = self.build(right, depth + 1);
        id(index)
    }
}

/// A geom's box, by its eight corners, in the inertial frame.
fn leaf(id: usize, g: &GeomOut<'_>, inertial: Pose) -> Leaf {
    let inverse = conjugate(inertial.quat);
    let center = sub(g.pose.pos, inertial.pos);
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for corner in 0..8 {
        let mut point = [0.0; 3];
        for k in 0..3 {
            let sign = if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
            point[k] = g.aabb[k] + sign * g.aabb[k + 3];
        }
        let point = rotate(inverse, add(rotate(g.pose.quat, point), center));
        for k in 0..3 {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    Leaf { id, rank: rotate(inverse, center).map(|x| (x / RESOLUTION).round() + 0.0), low, high }
}
