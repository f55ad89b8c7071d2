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
        let mut edges = Vec::with_capacity(3 * self.facet_list.count);
        let mut edge_adr = Vec::with_capacity(vertices.len() + 1);
        edge_adr.push(0);
        for &vertex in &vertices {
            self.append_adjacent(vertex, &mut edges);
            edge_adr.push(edges.len() as u32);
        }
        for vertex in &mut edges {
            *vertex = local[*vertex as usize];
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
        if edges.len() != 3 * faces.len() || edges.contains(&NONE) {
            return Err(HullError::Topology("the surface is not closed"));
        }
        let vertices = vertices.into_iter().map(|v| self.vertices[v].point).collect();
        Ok(Hull { vertices, faces, edges, edge_adr })
    }

    /// Appends the vertices that share a facet with `vertex`, in the order of the facets.
    fn append_adjacent(&mut self, vertex: u32, list: &mut Vec<u32>) {
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
    }
}
