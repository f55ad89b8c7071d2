//! Topology of a flex: edges, flaps, surface fragments, layers and pairs for internal collisions.

use super::super::body::Tree;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Local edges of a segment, triangle and tetrahedron.
const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];
/// Local boundary fragments of a segment, triangle and tetrahedron.
const FRAGMENTS: [&[&[usize]]; 3] = [
    &[&[0], &[1]],
    &[&[0, 1], &[2, 0], &[1, 2]],
    &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]],
];

/// Number of edges of an element of a dimension.
pub(super) const fn element_edges(dim: usize) -> usize {
    EDGES[dim - 1].len()
}

/// Edges, surface and neighbourhood of the elements of a flex.
#[derive(Debug, Default)]
pub(super) struct Topology {
    /// Vertices of the edges, the smaller first, in the order of their first occurrence.
    pub(super) edges: Vec<[i32; 2]>,
    /// Edge of each local edge of each element.
    pub(super) elemedge: Vec<i32>,
    /// For triangles, the edge vertices in the order of the first triangle and the opposite vertices of the two
    /// triangles; −1 at the boundary.
    pub(super) flaps: Vec<[i32; 4]>,
    /// Vertices of the boundary fragments.
    pub(super) shell: Vec<i32>,
    /// Distance of each element from the boundary, in elements; zero except for tetrahedra.
    pub(super) layer: Vec<i32>,
    /// Element and vertex of each pair that internal collision tests.
    pub(super) evpair: Vec<[i32; 2]>,
    nvert: usize,
}

/// A boundary fragment of an element, ordered by its sorted vertices.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fragment {
    sorted: [i32; 3],
    element: usize,
    vertices: [i32; 3],
}

/// Two elements with a common fragment.
struct Neighbours {
    elements: [usize; 2],
    common: [i32; 3],
}

impl Topology {
    pub(super) fn new(dim: usize, nvert: usize, elem: &[i32]) -> Self {
        let mut topology = Self { nvert, ..Self::default() };
        topology.find_edges(dim, elem);
        topology.find_surface(dim, elem);
        topology
    }

    fn find_edges(&mut self, dim: usize, elem: &[i32]) {
        let mut known: HashMap<[i32; 2], usize> = HashMap::new();
        for element in elem.chunks(dim + 1) {
            for &[a, b] in EDGES[dim - 1] {
                let (a, b) = (element[a], element[b]);
                let opposite = if dim == 2 {
                    element.iter().copied().find(|&v| v != a && v != b)
                } else {
                    None
                };
                let edge = match known.entry([a.min(b), a.max(b)]) {
                    Entry::Vacant(slot) => {
                        self.edges.push(*slot.key());
                        if let Some(opposite) = opposite {
                            self.flaps.push([a, b, opposite, -1]);
                        }
                        *slot.insert(self.edges.len() - 1)
                    }
                    Entry::Occupied(slot) => {
                        if let Some(opposite) = opposite {
                            self.flaps[*slot.get()][3] = opposite;
                        }
                        *slot.get()
                    }
                };
                self.elemedge.push(edge as i32);
            }
        }
    }

    fn find_surface(&mut self, dim: usize, elem: &[i32]) {
        let nelem = elem.len() / (dim + 1);
        let mut fragments = Vec::with_capacity(elem.len());
        for (element, corners) in elem.chunks(dim + 1).enumerate() {
            for local in FRAGMENTS[dim - 1] {
                let mut vertices = [-1; 3];
                for (to, &k) in vertices.iter_mut().zip(*local) {
                    *to = corners[k];
                }
                let mut sorted = vertices;
                sorted[..dim].sort_unstable();
                fragments.push(Fragment { sorted, element, vertices });
            }
        }
        fragments.sort_unstable();
        let mut border = vec![false; nelem];
        let mut neighbours = Vec::new();
        for same in fragments.chunk_by(|a, b| a.sorted == b.sorted) {
            if let [only] = same {
                border[only.element] = true;
                self.shell.extend(&only.vertices[..dim]);
            }
            for pair in same.windows(2) {
                let elements = [pair[0].element, pair[1].element];
                neighbours.push(Neighbours { elements, common: pair[0].sorted });
            }
        }
        self.layer = if dim == 3 { layers(&border, &neighbours) } else { vec![0; nelem] };
        if dim < 3 {
            self.find_pairs(dim, elem, &border, &neighbours);
        }
    }

    /// Pairs of an element at the boundary and the vertex of a neighbour that is not on their common fragment.
    fn find_pairs(&mut self, dim: usize, elem: &[i32], border: &[bool], neighbours: &[Neighbours]) {
        for Neighbours { elements, common } in neighbours {
            if !elements.iter().any(|&e| border[e]) {
                continue;
            }
            for [one, other] in [[0, 1], [1, 0]] {
                let corners = &elem[elements[one] * (dim + 1)..][..=dim];
                if let Some(&v) = corners.iter().find(|v| !common[..dim].contains(v)) {
                    self.evpair.push([elements[other] as i32, v]);
                }
            }
        }
    }

    /// Entries of the Jacobians of edge lengths and of vertex strains: dofs that move an edge, and dofs that move a
    /// vertex or one of its neighbours.
    pub(super) fn jacobian_entries(&self, tree: &Tree<'_>, bodies: &[usize]) -> [usize; 2] {
        let mut visited = vec![0; tree.bodies.len()];
        let mut stamp = 0;
        let mut count = |list: &mut dyn Iterator<Item = usize>| {
            stamp += 1;
            let mut dofs = 0;
            for mut b in list {
                while b > 0 && visited[b] != stamp {
                    visited[b] = stamp;
                    dofs += tree.bodies[b].dofnum;
                    b = tree.bodies[b].parent;
                }
            }
            dofs
        };
        let ends = |edge: &[i32; 2]| edge.map(|v| bodies[v as usize]);
        let edges = self.edges.iter().map(|edge| count(&mut ends(edge).into_iter())).sum();
        let mut adjacent = vec![Vec::new(); self.nvert];
        for &[a, b] in &self.edges {
            adjacent[a as usize].push(b as usize);
            adjacent[b as usize].push(a as usize);
        }
        let around = |(v, list): (usize, &Vec<usize>)| {
            count(&mut std::iter::once(v).chain(list.iter().copied()).map(|v| bodies[v]))
        };
        [edges, adjacent.iter().enumerate().map(around).sum()]
    }
}

/// Distance of each element from the boundary; the number of elements plus one if there is no path to it.
fn layers(border: &[bool], neighbours: &[Neighbours]) -> Vec<i32> {
    let unreachable = border.len() as i32 + 1;
    let mut layer: Vec<i32> =
        border.iter().map(|&border| if border { 0 } else { unreachable }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for Neighbours { elements: [a, b], .. } in neighbours {
            for (near, far) in [(*a, *b), (*b, *a)] {
                if layer[far] > layer[near] + 1 {
                    layer[far] = layer[near] + 1;
                    changed = true;
                }
            }
        }
    }
    layer
}
