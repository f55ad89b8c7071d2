//! Triangulation of the facets that are not simplicial (qh_triangulate).

use super::lists::TAIL;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Replaces each facet that is not simplicial by triangles at its newest vertex.
    ///
    /// The ridges at that vertex give two triangles without area, which are removed afterwards.
    pub(super) fn triangulate(&mut self) -> Result<(), HullError> {
        self.vertex_list.new = TAIL;
        let (mut first_facet, mut first_vertex) = (None, NONE);
        let mut at = self.first_facet();
        while let Some(facet) = at {
            at = self.facet_after(facet);
            if self.facets[facet].visible || self.facets[facet].simplicial {
                continue;
            }
            self.triangulate_facet(facet)?;
            if first_facet.is_none() {
                first_facet = Some(facet);
                first_vertex = self.vertex_list.new;
            }
            self.vertex_list.new = NONE;
            self.reset_lists();
        }
        self.remove_null_triangles(first_facet)?;
        let mut vertex = first_vertex;
        while vertex != NONE && vertex != TAIL {
            let v = &mut self.vertices[vertex];
            v.neighbors.retain(|facet| !self.facets[facet].visible);
            vertex = v.next;
        }
        let mut at = first_facet;
        while let Some(facet) = at {
            at = self.facet_after(facet);
            if self.facets[facet].visible {
                self.delete_facet(facet);
            }
        }
        self.facet_list.visible_count = 0;
        Ok(())
    }

    fn triangulate_facet(&mut self, facet: u32) -> Result<(), HullError> {
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            self.facets[neighbor].seen = false;
            self.facets[neighbor].coplanar_horizon = false;
        }
        self.facet_list.visible = TAIL;
        self.facet_list.new = TAIL;
        let apex = self.facets[facet].vertices[0];
        self.make_facets_at_ridges(facet, apex)?;
        self.retire_facet(facet, NONE);
        self.match_new_facets()?;
        let mut at = self.first_new();
        while let Some(triangle) = at {
            for k in 0..self.facets[triangle].vertices.len() {
                let vertex = self.facets[triangle].vertices[k];
                self.vertices[vertex].neighbors.push(triangle);
            }
            at = self.facet_after(triangle);
        }
        Ok(())
    }

    /// Links the two neighbors of each triangle that contains its first vertex twice.
    fn remove_null_triangles(&mut self, first: Option<u32>) -> Result<(), HullError> {
        let mut at = first;
        while let Some(facet) = at {
            at = self.facet_after(facet);
            let f = &self.facets[facet];
            if f.visible {
                continue;
            }
            if !f.ridges.is_empty() {
                return Err(HullError::Topology("a triangle still has ridges"));
            }
            if f.vertices[0] != f.vertices[1] {
                continue;
            }
            let [one, other, _] = *f.neighbors else {
                return Err(HullError::Topology("a triangle has no three neighbors"));
            };
            let mirrored = self.facets[one].neighbors.contains(&other)
                || self.facets[other].neighbors.contains(&one);
            if mirrored {
                return Err(HullError::Topology("two triangles have the same vertices"));
            }
            self.replace_neighbor(other, facet, one)?;
            self.replace_neighbor(one, facet, other)?;
            self.retire_facet(facet, NONE);
        }
        Ok(())
    }
}
