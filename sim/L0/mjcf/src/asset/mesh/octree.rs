//! Signed distances on an octree around a mesh (mjCOctree).
//!
//! Cells that the surface crosses are cut into eight, down to a fixed level; then cells are cut
//! until neighbours differ by one level at most. Corners in the middle of a coarser neighbour's
//! side take the mean of that side's corners, so that the field is continuous.

use super::bvh::Bvh;
use super::distance::Surface;
use sim_core::math::vec3::{Vec3, cross, dot, sub};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Cells of this level are not cut.
const DEEPEST: i32 = 6;
/// Side of the root in units of half the smallest cell.
const UNITS: u16 = 1 << (DEEPEST + 1);
/// The root is larger than the bounding box.
const MARGIN: f64 = 1.1;
/// Corners closer than this to a side lie in it.
const ON_SIDE: f64 = 1e-9;

/// Cells around a surface, with the distance at their corners.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Octree {
    /// Distance from the root of each node.
    pub depth: Vec<i32>,
    /// Children of each node, −1 for none.
    pub child: Vec<[i32; 8]>,
    /// Centre and half size of each node.
    pub aabb: Vec<[f64; 6]>,
    /// Signed distance at the corners of each node.
    pub coeff: Vec<[f64; 8]>,
}

impl Octree {
    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.len() * (4 + 32 + 48 + 64)
    }

    /// Builds the tree over a mesh with bounding box `aamm`.
    pub(super) fn new(points: &[Vec3], faces: &[[i32; 3]], aamm: [f64; 6], bvh: &Bvh) -> Self {
        let triangles: Vec<[Vec3; 3]> =
            faces.iter().map(|f| f.map(|v| points[v as usize])).collect();
        let mut cells = Cells::default();
        cells.grow(&triangles, root(aamm));
        cells.balance();
        let hanging = cells.hanging();
        let values = cells.distances(&hanging, &Surface { points, faces, bvh });
        Self {
            depth: cells.nodes.iter().map(|n| n.level).collect(),
            child: cells.nodes.iter().map(|n| n.child).collect(),
            aabb: cells
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
            coeff: cells.nodes.iter().map(|n| n.corner.map(|v| values[v as usize])).collect(),
        }
    }
}

/// The box of the root.
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
    /// The parent and the place in it.
    parent: Option<(usize, usize)>,
    child: [i32; 8],
    corner: [u32; 8],
    aamm: [f64; 6],
    /// Lowest corner in whole units.
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

/// A tree that grows.
#[derive(Default)]
struct Cells {
    nodes: Vec<Node>,
    corners: Vec<Vec3>,
    known: HashMap<[u16; 3], u32>,
}

impl Cells {
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
            *self.known.entry(key).or_insert_with(|| {
                self.corners
                    .push(std::array::from_fn(|k| if upper(k) { aamm[k + 3] } else { aamm[k] }));
                (self.corners.len() - 1) as u32
            })
        });
        self.nodes.push(Node { level, parent, child: [-1; 8], corner, aamm, origin });
    }

    /// Cuts a node into eight.
    fn cut(&mut self, node: usize) {
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

    /// Cuts every cell that the surface crosses, level by level.
    fn grow(&mut self, triangles: &[[Vec3; 3]], root: [f64; 6]) {
        self.push(0, None, root, [0; 3]);
        let all: Rc<Vec<u32>> = Rc::new((0..triangles.len() as u32).collect());
        let mut queue = VecDeque::from([(0, all)]);
        while let Some((node, candidates)) = queue.pop_front() {
            if self.nodes[node].level >= DEEPEST {
                continue;
            }
            let aamm = self.nodes[node].aamm;
            let crossing: Vec<u32> = candidates
                .iter()
                .copied()
                .filter(|&t| crosses(&triangles[t as usize], &aamm))
                .collect();
            if crossing.is_empty() {
                continue;
            }
            let crossing = Rc::new(crossing);
            let first = self.nodes.len();
            self.cut(node);
            queue.extend((first..first + 8).map(|child| (child, Rc::clone(&crossing))));
        }
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].is_leaf()).collect()
    }

    /// The leaf, or node of the same size, on the other side of a face of a node.
    fn neighbor(&self, node: usize, axis: usize, upper: bool) -> Option<usize> {
        // Climb until the way leads to a sibling.
        let mut at = node;
        let mut result = loop {
            let (parent, slot) = self.nodes[at].parent?;
            if upper != (slot >> axis & 1 == 1) {
                break usize::try_from(self.nodes[parent].child[slot ^ (1 << axis)]).ok()?;
            }
            at = parent;
        };
        // Then go down along the shared face.
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

    /// Cuts cells until neighbours differ by one level at most.
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
                    self.cut(node);
                }
            }
        }
    }

    /// For each corner that hangs in the side of a coarser cell, the corners of that side or edge.
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
                    let place = upper << axis
                        | (i & 1) << ((axis + 1) % 3)
                        | (i >> 1 & 1) << ((axis + 2) % 3);
                    let corner = self.nodes[leaf].corner[place];
                    if hanging[corner as usize].is_empty() {
                        hanging[corner as usize] = self.side(corner, other);
                    }
                }
            }
        }
        hanging
    }

    /// The corners of a node between which a corner lies; none if it is a corner of the node.
    fn side(&self, corner: u32, node: usize) -> Vec<u32> {
        let at = self.corners[corner as usize];
        let node = &self.nodes[node];
        let near = |x: f64, y: f64| (x - y).abs() < ON_SIDE;
        let low: [bool; 3] = std::array::from_fn(|k| near(at[k], node.aamm[k]));
        let high: [bool; 3] = std::array::from_fn(|k| near(at[k], node.aamm[k + 3]));
        let free: Vec<usize> = (0..3).filter(|&k| !low[k] && !high[k]).collect();
        let fixed: usize = (0..3).filter(|&k| high[k] && !free.contains(&k)).map(|k| 1 << k).sum();
        match *free.as_slice() {
            [k] => [0, 1].map(|bit| node.corner[fixed | bit << k]).to_vec(),
            [a, b] => {
                // Around the fixed axis: the one after it changes fastest.
                let axis = 3 - a - b;
                let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
                (0..4).map(|j| node.corner[fixed | (j & 1) << first | (j >> 1) << second]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value at each corner, from the root down. A mean is taken of what is known by then.
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

/// Whether a triangle meets a box: M. Schwarz, H.-P. Seidel, "Fast parallel surface and solid
/// voxelization on GPUs", ACM TOG 29 (2010).
fn crosses(v: &[Vec3; 3], aamm: &[f64; 6]) -> bool {
    for k in 0..3 {
        if v.iter().all(|p| p[k] < aamm[k]) || v.iter().all(|p| p[k] > aamm[k + 3]) {
            return false;
        }
    }
    let edge = [sub(v[1], v[0]), sub(v[2], v[1]), sub(v[0], v[2])];
    let normal = cross(edge[0], edge[1]);
    let low = [aamm[0], aamm[1], aamm[2]];
    let size = sub([aamm[3], aamm[4], aamm[5]], low);

    // The plane passes between the two corners that are furthest along the normal.
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
            let across = [-edge[i][c] * sign, edge[i][b] * sign];
            let d = -(across[0] * v[i][b] + across[1] * v[i][c])
                + (size[b] * across[0]).max(0.0)
                + (size[c] * across[1]).max(0.0);
            if across[0] * low[b] + across[1] * low[c] + d < 0.0 {
                return false;
            }
        }
    }
    true
}
