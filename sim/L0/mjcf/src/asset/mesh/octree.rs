//! Signed distances on an octree around a mesh (mjCOctree).
//!
//! OctreeBuilder that the surface intersects are subdivided down to a fixed level; then the octree
//! is balanced until neighbors differ by at most one level. Hanging vertices (in the face or edge
//! of a coarser neighbor) take the mean of that face's or edge's vertices, so that the field is
//! continuous.

use super::bvh::Bvh;
use super::distance::Surface;
use sim_core::math::vec3::{Vec3, cross, dot, sub};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Maximum subdivision level.
const MAX_LEVEL: i32 = 6;
/// Side of the root in integer units of half the smallest cell.
const UNITS: u16 = 1 << (MAX_LEVEL + 1);
/// Size of the root relative to the bounding box.
const MARGIN: f64 = 1.1;
/// Distance below which a vertex lies in a face of a cell.
const ON_FACE: f64 = 1e-9;

/// Octree with the signed distance at the vertices of its builder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Octree {
    /// Depth of each node.
    pub depth: Vec<i32>,
    /// Children of each node, −1 for none.
    pub child: Vec<[i32; 8]>,
    /// Center and half-sizes of each node.
    pub aabb: Vec<[f64; 6]>,
    /// Signed distance at the eight vertices of each node.
    pub coeff: Vec<[f64; 8]>,
}

impl Octree {
    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Whether the tree has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.len() * (4 + 32 + 48 + 64)
    }

    /// Builds the octree of a mesh with bounding box `aamm`.
    pub(super) fn new(points: &[Vec3], faces: &[[i32; 3]], aamm: [f64; 6], bvh: &Bvh) -> Self {
        let triangles: Vec<[Vec3; 3]> =
            faces.iter().map(|f| f.map(|v| points[v as usize])).collect();
        let mut builder = OctreeBuilder::default();
        builder.refine(&triangles, root(aamm));
        builder.balance();
        let hanging = builder.hanging();
        let values = builder.distances(&hanging, &Surface { points, faces, bvh });
        Self {
            depth: builder.nodes.iter().map(|n| n.level).collect(),
            child: builder.nodes.iter().map(|n| n.child).collect(),
            aabb: builder
                .nodes
                .iter()
                .map(|n| {
                    let mut aabb = [0.0; 6];
                    for k in 0..3 {
                        aabb[k] = (n.aamm[k] + n.aamm[k + 3]) / 2.0;
                        aabb[k + 3] = (n.aamm[k + 3] - n.aamm[k]) / 2.0;
                    }
                    aabb
                })
                .collect(),
            coeff: builder.nodes.iter().map(|n| n.corner.map(|v| values[v as usize])).collect(),
        }
    }
}

/// Bounds of the root cell.
fn root(aamm: [f64; 6]) -> [f64; 6] {
    let mut root = [0.0; 6];
    for k in 0..3 {
        let center = (aamm[k] + aamm[k + 3]) / 2.0;
        let half = (aamm[k + 3] - aamm[k]) / 2.0;
        root[k] = center - MARGIN * half;
        root[k + 3] = center + MARGIN * half;
    }
    root
}

/// A cell.
struct Node {
    level: i32,
    /// Parent and child index in it.
    parent: Option<(usize, usize)>,
    child: [i32; 8],
    corner: [u32; 8],
    aamm: [f64; 6],
    /// Minimum corner in integer units.
    origin: [u16; 3],
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.child[0] == -1
    }

    fn center(&self) -> Vec3 {
        std::array::from_fn(|k| (self.aamm[k] + self.aamm[k + 3]) / 2.0)
    }
}

/// Octree under construction.
#[derive(Default)]
struct OctreeBuilder {
    nodes: Vec<Node>,
    corners: Vec<Vec3>,
    corner_index: HashMap<[u16; 3], u32>,
}

impl OctreeBuilder {
    fn push(
        &mut self,
        level: i32,
        parent: Option<(usize, usize)>,
        aamm: [f64; 6],
        origin: [u16; 3],
    ) {
        let side = UNITS >> level;
        let corner = std::array::from_fn(|i| {
            let upper = |k: usize| i >> k & 1 == 1;
            let key = std::array::from_fn(|k| origin[k] + if upper(k) { side } else { 0 });
            *self.corner_index.entry(key).or_insert_with(|| {
                self.corners
                    .push(std::array::from_fn(|k| if upper(k) { aamm[k + 3] } else { aamm[k] }));
                (self.corners.len() - 1) as u32
            })
        });
        self.nodes.push(Node { level, parent, child: [-1; 8], corner, aamm, origin });
    }

    /// Splits a node into eight children.
    fn subdivide(&mut self, node: usize) {
        let (level, aamm, origin) =
            (self.nodes[node].level + 1, self.nodes[node].aamm, self.nodes[node].origin);
        let side = UNITS >> level;
        for slot in 0..8 {
            let mut inner = aamm;
            let mut at = origin;
            for k in 0..3 {
                let middle = (aamm[k] + aamm[k + 3]) / 2.0;
                if slot >> k & 1 == 1 {
                    inner[k] = middle;
                    at[k] += side;
                } else {
                    inner[k + 3] = middle;
                }
            }
            self.nodes[node].child[slot] = self.nodes.len() as i32;
            self.push(level, Some((node, slot)), inner, at);
        }
    }

    /// Subdivides every cell that the surface intersects, breadth first.
    fn refine(&mut self, triangles: &[[Vec3; 3]], root: [f64; 6]) {
        self.push(0, None, root, [0; 3]);
        let all: Rc<Vec<u32>> = Rc::new((0..triangles.len() as u32).collect());
        let mut queue = VecDeque::from([(0, all)]);
        while let Some((node, candidates)) = queue.pop_front() {
            if self.nodes[node].level >= MAX_LEVEL {
                continue;
            }
            let aamm = self.nodes[node].aamm;
            let intersecting: Vec<u32> = candidates
                .iter()
                .copied()
                .filter(|&t| intersects(&triangles[t as usize], &aamm))
                .collect();
            if intersecting.is_empty() {
                continue;
            }
            let intersecting = Rc::new(intersecting);
            let first = self.nodes.len();
            self.subdivide(node);
            queue.extend((first..first + 8).map(|child| (child, Rc::clone(&intersecting))));
        }
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].is_leaf()).collect()
    }

    /// The leaf across a face of a node.
    fn neighbor(&self, node: usize, axis: usize, upper: bool) -> Option<usize> {
        // Ascend until the neighbor is a sibling.
        let mut at = node;
        let mut result = loop {
            let (parent, slot) = self.nodes[at].parent?;
            if upper != (slot >> axis & 1 == 1) {
                break usize::try_from(self.nodes[parent].child[slot ^ (1 << axis)]).ok()?;
            }
            at = parent;
        };
        // Then descend along the shared face.
        let center = self.nodes[node].center();
        while !self.nodes[result].is_leaf() {
            let other = self.nodes[result].center();
            let mut slot = 0;
            for k in 0..3 {
                let high = if k == axis { !upper } else { center[k] > other[k] };
                slot |= usize::from(high) << k;
            }
            result = usize::try_from(self.nodes[result].child[slot]).ok()?;
        }
        Some(result)
    }

    /// Subdivides builder until neighbors differ by at most one level.
    fn balance(&mut self) {
        loop {
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                for face in 0..6 {
                    let Some(other) = self.neighbor(leaf, face / 2, face % 2 == 1) else {
                        continue;
                    };
                    let (here, there) = (self.nodes[leaf].level, self.nodes[other].level);
                    if there > here + 1 {
                        coarse.push(leaf);
                    }
                    if here > there + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for node in coarse {
                if self.nodes[node].is_leaf() {
                    self.subdivide(node);
                }
            }
        }
    }

    /// For each hanging vertex, the vertices of the coarser face or edge that contains it.
    fn hanging(&self) -> Vec<Vec<u32>> {
        let mut hanging = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for face in 0..6 {
                let (axis, upper) = (face / 2, face % 2);
                let Some(other) = self.neighbor(leaf, axis, upper == 1) else {
                    continue;
                };
                if self.nodes[other].level >= self.nodes[leaf].level {
                    continue;
                }
                for i in 0..4 {
                    let index = upper << axis
                        | (i & 1) << ((axis + 1) % 3)
                        | (i >> 1 & 1) << ((axis + 2) % 3);
                    let corner = self.nodes[leaf].corner[index];
                    if hanging[corner as usize].is_empty() {
                        hanging[corner as usize] = self.containing_feature(corner, other);
                    }
                }
            }
        }
        hanging
    }

    /// The vertices of the face or edge of a node that contains a vertex; none if it is a vertex of
    /// the node.
    fn containing_feature(&self, corner: u32, node: usize) -> Vec<u32> {
        let at = self.corners[corner as usize];
        let node = &self.nodes[node];
        let close = |x: f64, y: f64| (x - y).abs() < ON_FACE;
        let low: [bool; 3] = std::array::from_fn(|k| close(at[k], node.aamm[k]));
        let high: [bool; 3] = std::array::from_fn(|k| close(at[k], node.aamm[k + 3]));
        let free: Vec<usize> = (0..3).filter(|&k| !low[k] && !high[k]).collect();
        let fixed: usize = (0..3).filter(|&k| high[k] && !free.contains(&k)).map(|k| 1 << k).sum();
        match *free.as_slice() {
            [k] => [0, 1].map(|bit| node.corner[fixed | bit << k]).to_vec(),
            [a, b] => {
                // The axis after the fixed one varies fastest.
                let axis = 3 - a - b;
                let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
                (0..4).map(|j| node.corner[fixed | (j & 1) << first | (j >> 1) << second]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The distance at each vertex, breadth first. A hanging vertex takes the mean of the values
    /// computed before it.
    fn distances(&self, hanging: &[Vec<u32>], surface: &Surface<'_>) -> Vec<f64> {
        let mut values = vec![0.0; self.corners.len()];
        let mut done = vec![false; self.corners.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            let node: &Node = &self.nodes[node];
            for &corner in &node.corner {
                let corner = corner as usize;
                if std::mem::replace(&mut done[corner], true) {
                    continue;
                }
                values[corner] = match hanging[corner].as_slice() {
                    [] => surface.signed_distance(self.corners[corner]),
                    around => {
                        let sum: f64 = around.iter().map(|&v| values[v as usize]).sum();
                        sum / around.len() as f64
                    }
                };
            }
            queue.extend(node.child.iter().filter_map(|&c| usize::try_from(c).ok()));
        }
        values
    }
}

/// Triangle-box intersection test: M. Schwarz, H.-P. Seidel, "Fast parallel surface and solid
/// voxelization on GPUs", ACM TOG 29 (2010).
fn intersects(v: &[Vec3; 3], aamm: &[f64; 6]) -> bool {
    for k in 0..3 {
        if v.iter().all(|p| p[k] < aamm[k]) || v.iter().all(|p| p[k] > aamm[k + 3]) {
            return false;
        }
    }
    let edge = [sub(v[1], v[0]), sub(v[2], v[1]), sub(v[0], v[2])];
    let normal = cross(edge[0], edge[1]);
    let low = [aamm[0], aamm[1], aamm[2]];
    let size = sub([aamm[3], aamm[4], aamm[5]], low);

    // The plane separates the two critical points of the box along its normal.
    let critical: Vec3 = std::array::from_fn(|k| if normal[k] > 0.0 { size[k] } else { 0.0 });
    let base = dot(normal, low);
    let one = base + dot(normal, sub(critical, v[0]));
    let other = base + dot(normal, sub(sub(size, critical), v[0]));
    if one * other > 0.0 {
        return false;
    }

    // The projections on the coordinate planes overlap.
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        for i in 0..3 {
            let edge_normal = [-edge[i][c] * sign, edge[i][b] * sign];
            let d = -(edge_normal[0] * v[i][b] + edge_normal[1] * v[i][c])
                + (size[b] * edge_normal[0]).max(0.0)
                + (size[c] * edge_normal[1]).max(0.0);
            if edge_normal[0] * low[b] + edge_normal[1] * low[c] + d < 0.0 {
                return false;
            }
        }
    }
    true
}
