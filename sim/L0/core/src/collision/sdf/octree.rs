//! The signed distance of a mesh, interpolated between the corners of an octree's cells.

use crate::Model;
use crate::math::rows;
use crate::math::vec3::Vec3;

/// How far inside of the outermost cell a point outside is moved.
const INSET: f64 = 1e-6;
/// Step of the differences that stand for the gradient outside.
const STEP: f64 = 1e-8;
/// Deepest cell that is looked for.
const MAX_DEPTH: usize = 100;

/// The octree of one mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Octree<'a> {
    /// Eight sub-cells of each cell, counted from the first; -1 in all for a leaf.
    pub child: &'a [[i32; 8]],
    /// Centre and half sizes of each cell.
    pub aabb: &'a [[f64; 6]],
    /// Distance at the corners of each cell: bit `k` says that coordinate `k` is the greater.
    pub coeff: &'a [[f64; 8]],
}

impl<'a> Octree<'a> {
    /// The octree of a mesh; nothing if it has none.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (first, count) = (number(&m.mesh_octadr)?, number(&m.mesh_octnum)?);
        let tree = Self {
            child: m.oct_child.as_chunks().0.get(first..)?.get(..count)?,
            aabb: rows(&m.oct_aabb).get(first..)?.get(..count)?,
            coeff: rows(&m.oct_coeff).get(first..)?.get(..count)?,
        };
        (count > 0).then_some(tree)
    }

    /// Signed distance. Outside of the outermost cell it is that of a point just inside plus the
    /// way there.
    #[doc(alias = "oct_distance")]
    pub(crate) fn distance(&self, point: Vec3) -> f64 {
        let (inside, way) = self.project(point);
        let (leaf, at) = self.leaf(inside);
        let mut sum = 0.0;
        for (j, coeff) in self.coeff[leaf].iter().enumerate() {
            sum += side(j, 0, at[0]) * side(j, 1, at[1]) * side(j, 2, at[2]) * coeff;
        }
        way.map_or(sum, |way| sum + way)
    }

    /// The direction in which the distance grows.
    ///
    /// In a cell it is the derivative along the cell's sides, not along metres, as in the reference
    /// engine: its length depends on the size of the cell.
    #[doc(alias = "oct_gradient")]
    pub(crate) fn gradient(&self, point: Vec3) -> Vec3 {
        let (_, way) = self.project(point);
        if way.is_some() {
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
            let [x, y, z] = [0, 1, 2].map(|k| side(j, k, at[k]));
            let [dx, dy, dz] = [0, 1, 2].map(|k| if j >> k & 1 == 1 { 1.0 } else { -1.0 });
            sum[0] += dx * y * z * coeff;
            sum[1] += x * dy * z * coeff;
            sum[2] += x * y * dz * coeff;
        }
        sum
    }

    /// The point itself if the outermost cell holds it, else a point just inside and the way there.
    fn project(&self, point: Vec3) -> (Vec3, Option<f64>) {
        let [x, y, z, half @ ..] = self.aabb[0];
        let from = crate::math::vec3::sub(point, [x, y, z]);
        let beyond: Vec3 = std::array::from_fn(|k| from[k].abs() - half[k]);
        if beyond.iter().all(|&q| q <= 0.0) {
            return (point, None);
        }
        let (mut inside, mut square) = (point, 0.0);
        for k in 0..3 {
            if beyond[k] >= 0.0 {
                square += beyond[k] * beyond[k];
                inside[k] -= (beyond[k] + INSET).copysign(if from[k] > 0.0 { 1.0 } else { -1.0 });
            }
        }
        (inside, Some(square.sqrt()))
    }

    /// The leaf that holds a point of the outermost cell, and where in it, from 0 to 1.
    fn leaf(&self, point: Vec3) -> (usize, Vec3) {
        let mut node = 0;
        let mut at = self.place(node, point);
        for _ in 0..MAX_DEPTH {
            let half = |k: usize| usize::from(at[k] >= 0.5 || at[k].is_nan()) << k;
            let child = self.child[node][half(0) | half(1) | half(2)];
            match usize::try_from(child) {
                Ok(child) if child < self.child.len() => node = child,
                _ => break,
            }
            at = self.place(node, point);
        }
        (node, at)
    }

    /// Where a point is in a cell, from 0 to 1.
    fn place(&self, node: usize, point: Vec3) -> Vec3 {
        let aabb = &self.aabb[node];
        std::array::from_fn(|k| {
            let (low, high) = (aabb[k] - aabb[k + 3], aabb[k] + aabb[k + 3]);
            (point[k] - low) / (high - low)
        })
    }
}

/// Share of corner `j` along axis `k` at a place from 0 to 1.
fn side(j: usize, k: usize, at: f64) -> f64 {
    if j >> k & 1 == 1 { at } else { 1.0 - at }
}
