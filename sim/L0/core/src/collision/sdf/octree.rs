//! Signed distance of a mesh, interpolated trilinearly in the leaves of an octree.

use crate::math::vec3::Vec3;
use std::cmp::Ordering;

/// Distance inside the root cell to which outside points are projected, m.
const INSET: f64 = 1e-6;
/// Finite-difference step of the gradient outside the root cell, m.
const STEP: f64 = 1e-8;
/// Limit on the depth of the search for a leaf.
const MAX_DEPTH: usize = 100;

/// The octree of one mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Octree<'a> {
    /// Children of each cell, relative to the root; all -1 for a leaf.
    pub child: &'a [[i32; 8]],
    /// Centre and half-extents of each cell.
    pub aabb: &'a [[f64; 6]],
    /// Distance at the corners of each cell: bit `k` of the corner index selects the upper side of axis `k`.
    pub coeff: &'a [[f64; 8]],
}

impl Octree<'_> {
    /// Signed distance. Outside the root cell: that of the projected point plus the distance to it.
    #[doc(alias = "oct_distance")]
    pub(crate) fn distance(&self, point: Vec3) -> f64 {
        let (inside, outside) = self.project(point);
        let (leaf, at) = self.leaf(inside);
        let mut sum = 0.0;
        for (j, coeff) in self.coeff[leaf].iter().enumerate() {
            sum += weight(j, 0, at[0]) * weight(j, 1, at[1]) * weight(j, 2, at[2]) * coeff;
        }
        outside.map_or(sum, |distance| sum + distance)
    }

    /// Gradient of the distance.
    ///
    /// Inside a cell it is the derivative with respect to the cell's normalized coordinates, as in MuJoCo:
    /// its length depends on the size of the cell.
    #[doc(alias = "oct_gradient")]
    pub(crate) fn gradient(&self, point: Vec3) -> Vec3 {
        let (_, outside) = self.project(point);
        if outside.is_some() {
            let here = self.distance(point);
            return std::array::from_fn(|k| {
                let mut moved = point;
                moved[k] += STEP;
                (self.distance(moved) - here) / STEP
            });
        }
        let (leaf, at) = self.leaf(point);
        let mut sum = [0.0; 3];
        for (j, coeff) in self.coeff[leaf].iter().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|k| weight(j, k, at[k]));
            let [dx, dy, dz] = [0, 1, 2].map(|k| if j >> k & 1 == 1 { 1.0 } else { -1.0 });
            sum[0] += dx * y * z * coeff;
            sum[1] += x * dy * z * coeff;
            sum[2] += x * y * dz * coeff;
        }
        sum
    }

    /// The point itself if it is inside the root cell, else its projection just inside and the distance.
    fn project(&self, point: Vec3) -> (Vec3, Option<f64>) {
        let [x, y, z, half @ ..] = self.aabb[0];
        let from = crate::math::vec3::sub(point, [x, y, z]);
        let excess: Vec3 = std::array::from_fn(|k| from[k].abs() - half[k]);
        if excess.iter().all(|&q| q <= 0.0) {
            return (point, None);
        }
        let (mut inside, mut square) = (point, 0.0);
        for k in 0..3 {
            if excess[k] >= 0.0 {
                square += excess[k] * excess[k];
                inside[k] -= (excess[k] + INSET).copysign(if from[k] > 0.0 { 1.0 } else { -1.0 });
            }
        }
        (inside, Some(square.sqrt()))
    }

    /// The leaf that contains a point of the root cell, and the normalized coordinates in it.
    fn leaf(&self, point: Vec3) -> (usize, Vec3) {
        let mut node = 0;
        for _ in 0..MAX_DEPTH {
            // the upper half also for NaN; without the divisions of the coordinates in each cell
            let centre = &self.aabb[node];
            let half = |k: usize| {
                usize::from(point[k].partial_cmp(&centre[k]) != Some(Ordering::Less)) << k
            };
            let child = self.child[node][half(0) | half(1) | half(2)];
            match usize::try_from(child) {
                Ok(child) if child < self.child.len() => node = child,
                _ => break,
            }
        }
        (node, self.normalized(node, point))
    }

    /// Coordinates of a point in a cell, from 0 to 1.
    fn normalized(&self, node: usize, point: Vec3) -> Vec3 {
        let aabb = &self.aabb[node];
        std::array::from_fn(|k| {
            let (low, high) = (aabb[k] - aabb[k + 3], aabb[k] + aabb[k + 3]);
            (point[k] - low) / (high - low)
        })
    }
}

/// Interpolation weight of corner `j` along axis `k` at a normalized coordinate.
fn weight(j: usize, k: usize, at: f64) -> f64 {
    if j >> k & 1 == 1 { at } else { 1.0 - at }
}
