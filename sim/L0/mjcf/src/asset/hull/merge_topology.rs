//! Vertices, neighbors and ridges of a merged facet (qh_mergesimplex, qh_mergeneighbors,
//! qh_mergeridges, qh_mergevertices).

use super::{Builder, HullError};

impl Builder<'_> {
    /// Merges a facet of three vertices.
    pub(super) fn merge_simplex(
        &mut self,
        gone: u32,
        keep: u32,
        apex: bool,
    ) -> Result<(), HullError> {
        let (opposite, added) = self.add_opposite_vertex(gone, keep, apex)?;
        for k in 0..self.facets[gone].vertices.len() {
            let vertex = self.facets[gone].vertices[k];
            self.leave_facet(vertex, gone, keep, vertex == opposite && added)?;
        }
        let mut k = 0;
        while let Some(&ridge) = self.facets[gone].ridges.get(k) {
            let other = self.ridges[ridge].other(gone);
            if other == keep {
                self.delete_ridge(ridge);
                self.facets[keep].neighbors.swap_delete(gone);
                continue;
            }
            k += 1;
            self.facets[keep].add_ridge(ridge);
            if self.are_neighbors(other, keep) {
                self.drop_shared_neighbor(other, gone, keep)?;
            } else {
                self.facets[keep].neighbors.push(other);
                self.replace_neighbor(other, gone, keep)?;
            }
            self.ridges[ridge].replace_facet(gone, keep);
        }
        Ok(())
    }

    /// Whether two facets are neighbors, by the shorter of their lists.
    fn are_neighbors(&self, one: u32, other: u32) -> bool {
        let (a, b) = (&self.facets[one].neighbors, &self.facets[other].neighbors);
        if a.len() < b.len() { a.contains(&other) } else { b.contains(&one) }
    }

    /// Adds the vertex of `gone` that is not on the shared ridge to `keep`; also returns whether it
    /// is a new vertex of `keep`.
    fn add_opposite_vertex(
        &mut self,
        gone: u32,
        keep: u32,
        apex: bool,
    ) -> Result<(u32, bool), HullError> {
        if apex {
            let opposite = self.facets[gone].vertices[0];
            if !self.facets[keep].new {
                self.renew_vertices(keep);
            }
            let added = self.facets[keep].vertices.first() != Some(&opposite);
            if added {
                self.facets[keep].vertices.insert(0, opposite);
            }
            return Ok((opposite, added));
        }
        let g = &self.facets[gone];
        let shared = g.ridges.iter().find(|&&r| self.ridges[r].other(gone) == keep);
        let ends = shared.map_or([super::NONE; 2], |&r| self.ridges[r].vertices);
        let opposite = g.vertices.iter().copied().find(|v| !ends.contains(v));
        let opposite = opposite.ok_or(HullError::Topology("a facet has two vertices"))?;
        if shared.is_some() {
            for vertex in ends {
                self.vertices[vertex].deleted_ridge = true;
            }
        }
        let added = self.add_vertex(keep, opposite);
        if !self.facets[keep].new {
            self.renew_vertices(keep);
        } else {
            self.renew_vertex(opposite);
        }
        Ok((opposite, added))
    }

    /// Inserts a vertex into a facet's list by age; false if it is there already.
    fn add_vertex(&mut self, facet: u32, vertex: u32) -> bool {
        let vertices = &mut self.facets[facet].vertices;
        let at = vertices.iter().position(|&v| v <= vertex).unwrap_or(vertices.len());
        let added = vertices.get(at) != Some(&vertex);
        if added {
            vertices.insert(at, vertex);
        }
        added
    }

    /// Updates the facets of a vertex of `gone`. A vertex left with one facet is deleted.
    fn leave_facet(
        &mut self,
        vertex: u32,
        gone: u32,
        keep: u32,
        added: bool,
    ) -> Result<(), HullError> {
        let neighbors = &mut self.vertices[vertex].neighbors;
        if added {
            return if neighbors.replace(gone, keep) {
                Ok(())
            } else {
                Err(HullError::Topology("a vertex does not list its facet"))
            };
        }
        neighbors.swap_delete(gone);
        if neighbors.len() < 2 {
            self.facets[keep].vertices.delete(vertex);
            self.delete_vertex(vertex);
        }
        Ok(())
    }

    /// Removes `gone` from the neighbors of a facet that is also a neighbor of `keep`. The first
    /// neighbor of a new facet stays its horizon facet.
    fn drop_shared_neighbor(
        &mut self,
        neighbor: u32,
        gone: u32,
        keep: u32,
    ) -> Result<(), HullError> {
        self.make_ridges(neighbor);
        if self.facets[neighbor].neighbors.first() == Some(&gone) {
            self.facets[neighbor].neighbors.swap_delete(keep);
            self.replace_neighbor(neighbor, gone, keep)?;
        } else {
            self.facets[neighbor].neighbors.swap_delete(gone);
        }
        Ok(())
    }

    /// Merges a facet of more than three vertices.
    pub(super) fn merge_polygon(&mut self, gone: u32, keep: u32) -> Result<(), HullError> {
        let mark = self.next_vertex_visit();
        for &vertex in self.facets[keep].vertices.iter() {
            self.vertices[vertex].visit = mark;
        }
        self.merge_neighbors(gone, keep)?;
        self.merge_vertices(gone, keep)?;
        self.merge_ridges(gone, keep);
        for k in 0..self.facets[gone].vertices.len() {
            let vertex = self.facets[gone].vertices[k];
            let added = self.vertices[vertex].visit != mark;
            self.leave_facet(vertex, gone, keep, added)?;
        }
        if !self.facets[keep].new {
            self.renew_vertices(keep);
        }
        Ok(())
    }

    fn merge_neighbors(&mut self, gone: u32, keep: u32) -> Result<(), HullError> {
        let visit = self.next_visit();
        for k in 0..self.facets[keep].neighbors.len() {
            let neighbor = self.facets[keep].neighbors[k];
            self.facets[neighbor].visit = visit;
        }
        for k in 0..self.facets[gone].neighbors.len() {
            let neighbor = self.facets[gone].neighbors[k];
            if self.facets[neighbor].visit == visit {
                self.drop_shared_neighbor(neighbor, gone, keep)?;
            } else if neighbor != keep {
                self.facets[keep].neighbors.push(neighbor);
                self.replace_neighbor(neighbor, gone, keep)?;
            }
        }
        self.facets[gone].neighbors.swap_delete(keep);
        self.facets[keep].neighbors.swap_delete(gone);
        Ok(())
    }

    /// Sets the vertices of `keep` to those of both facets, newest first.
    fn merge_vertices(&mut self, gone: u32, keep: u32) -> Result<(), HullError> {
        let mut union = std::mem::take(&mut self.scratch);
        union.clear();
        let (g, k) = (&self.facets[gone].vertices, &self.facets[keep].vertices);
        let limit = (g.len() + k.len()).saturating_sub(2);
        let mut at = 0;
        for &vertex in g.iter() {
            while at < k.len() && k[at] > vertex {
                union.push(k[at]);
                at += 1;
            }
            at += usize::from(k.get(at) == Some(&vertex));
            union.push(vertex);
        }
        union.extend_from_slice(&k[at..]);
        let shares_ridge = union.len() <= limit;
        self.facets[keep].vertices.assign(&union);
        self.scratch = union;
        if shares_ridge { Ok(()) } else { Err(HullError::Topology("merged facets share no edge")) }
    }

    fn merge_ridges(&mut self, gone: u32, keep: u32) {
        let mut k = 0;
        while let Some(&ridge) = self.facets[keep].ridges.get(k) {
            if self.ridges[ridge].other(keep) == gone {
                self.delete_ridge(ridge);
            } else {
                k += 1;
            }
        }
        for k in 0..self.facets[gone].ridges.len() {
            let ridge = self.facets[gone].ridges[k];
            self.ridges[ridge].replace_facet(gone, keep);
            self.facets[keep].add_ridge(ridge);
        }
    }
}
