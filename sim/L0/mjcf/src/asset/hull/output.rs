//! Read-out of the triangulated hull in the order of its lists (mjCMesh::MakeGraph).

use super::lists::TAIL;
use super::{Builder, Hull, HullError, NONE};

impl Builder<'_> {
    /// Vertices, faces and edges of the hull.
    pub(super) fn output(&mut self) -> Result<Hull, HullError> {
        self.build_vertex_neighbors();
        let mut vertices = Vec::with_capacity(self.vertex_list.count);
        let mut local = vec![NONE; self.vertices.0.len()];
        let mut at = self.vertex_list.head;
        while at != TAIL {
            local[at as usize] = vertices.len() as u32;
            vertices.push(at);
            at = self.vertices[at].next;
        }
        let mut neighbors = Vec::with_capacity(vertices.len());
        let mut edges = 0;
        for &vertex in &vertices {
            let list = self.adjacent_vertices(vertex);
            edges += list.len();
            neighbors.push(list.iter().map(|&v| local[v as usize]).collect::<Vec<u32>>());
            self.scratch = list;
        }
        let mut faces = Vec::with_capacity(self.facet_list.count);
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            let [a, b, c] = *f.vertices else {
                return Err(HullError::Topology("a facet is not a triangle"));
            };
            let face = if f.top_orient { [b, a, c] } else { [a, b, c] };
            faces.push(face.map(|v| self.vertices[v].point));
            at = self.facet_after(facet);
        }
        if edges != 3 * faces.len() || neighbors.iter().flatten().any(|&v| v == NONE) {
            return Err(HullError::Topology("the surface is not closed"));
        }
        let vertices = vertices.into_iter().map(|v| self.vertices[v].point).collect();
        Ok(Hull { vertices, faces, neighbors })
    }

    /// Vertices that share a facet with `vertex`, in the order of the facets.
    fn adjacent_vertices(&mut self, vertex: u32) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        let mark = self.next_vertex_visit();
        self.vertices[vertex].visit = mark;
        for k in 0..self.vertices[vertex].neighbors.len() {
            let facet = self.vertices[vertex].neighbors[k];
            for &v in self.facets[facet].vertices.iter() {
                if std::mem::replace(&mut self.vertices[v].visit, mark) != mark {
                    list.push(v);
                }
            }
        }
        list
    }
}
