//! Cone of new facets from the horizon to a point (qh_makenewfacets, qh_matchnewfacets,
//! qh_makenewplanes, qh_update_vertexneighbors_cone).

use super::lists::TAIL;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Replaces the visible facets by new facets from the horizon to `point`.
    pub(super) fn build_cone(&mut self, point: u32) -> Result<(), HullError> {
        self.make_new_facets(point)?;
        self.match_new_facets()?;
        let mut at = self.first_new();
        while let Some(facet) = at {
            if !self.facets[facet].merge_horizon {
                self.set_plane(facet);
            }
            at = self.facet_after(facet);
        }
        self.update_vertex_neighbors();
        Ok(())
    }

    fn make_new_facets(&mut self, point: u32) -> Result<(), HullError> {
        self.facet_list.new = TAIL;
        self.vertex_list.new = TAIL;
        let apex = self.create_vertex(point);
        self.append_vertex(apex);
        // A visible facet without new facets is replaced by the last new facet of another one:
        // that of the last facet with ridges takes precedence.
        let (mut last, mut last_at_ridge) = (NONE, NONE);
        let mut at = self.first_visible();
        while let Some(visible) = at {
            for k in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[k];
                self.facets[neighbor].seen = false;
            }
            if self.facets[visible].has_ridges {
                last_at_ridge = self.make_facets_at_ridges(visible, apex)?;
            }
            if self.facets[visible].simplicial {
                last = self.make_facets_at_neighbors(visible, apex)?;
            }
            if last_at_ridge != NONE {
                last = last_at_ridge;
            }
            let f = &mut self.facets[visible];
            if last != NONE {
                f.link = last;
            }
            f.ridges.clear();
            f.neighbors.clear();
            at = self.visible_after(visible);
        }
        Ok(())
    }

    /// Creates a facet at each horizon ridge of a visible facet and returns the last one, or null
    /// (qh_makenew_nonsimplicial).
    pub(super) fn make_facets_at_ridges(
        &mut self,
        visible: u32,
        apex: u32,
    ) -> Result<u32, HullError> {
        let mut last = NONE;
        for k in 0..self.facets[visible].ridges.len() {
            let ridge = self.facets[visible].ridges[k];
            let neighbor = self.ridges[ridge].other(visible);
            if self.facets[neighbor].visible {
                self.facets[neighbor].seen = true;
                continue;
            }
            let top_orient = self.ridges[ridge].top == visible;
            let [a, b] = self.ridges[ridge].vertices;
            let facet = self.make_new_facet([apex, a, b], top_orient, neighbor);
            last = facet;
            let seen = std::mem::replace(&mut self.facets[neighbor].seen, true);
            if self.facets[neighbor].coplanar_horizon {
                self.facets[facet].merge_horizon = true;
                if seen {
                    let first = self.facets[neighbor].link;
                    self.facets[facet].link = self.facets[first].link;
                    self.facets[first].link = facet;
                } else {
                    self.facets[facet].link = facet;
                    self.facets[neighbor].link = facet;
                }
            }
            let simplicial = self.facets[neighbor].simplicial;
            if !seen {
                self.replace_neighbor(neighbor, visible, facet)?;
            } else if simplicial {
                return Err(HullError::Topology("two ridges between a pair of triangles"));
            } else {
                self.facets[neighbor].neighbors.push(facet);
            }
            if simplicial {
                self.facets[neighbor].ridges.swap_delete(ridge);
            } else {
                self.facets[facet].add_ridge(ridge);
                self.ridges[ridge].replace_facet(visible, facet);
            }
        }
        Ok(last)
    }

    /// Creates a facet at each simplicial horizon facet of a simplicial visible facet and returns
    /// the last one, or null (qh_makenew_simplicial).
    fn make_facets_at_neighbors(&mut self, visible: u32, apex: u32) -> Result<u32, HullError> {
        let mut last = NONE;
        for k in 0..self.facets[visible].neighbors.len() {
            let neighbor = self.facets[visible].neighbors[k];
            let n = &self.facets[neighbor];
            if n.seen || n.visible {
                continue;
            }
            let skip = n.neighbors.position(visible).filter(|&skip| skip < n.vertices.len());
            let skip = skip.ok_or(HullError::Topology("a neighbor relation is not mutual"))?;
            let mut vertices = [apex; 3];
            let others = (0..n.vertices.len()).filter(|&i| i != skip);
            for (vertex, i) in vertices[1..].iter_mut().zip(others) {
                *vertex = n.vertices[i];
            }
            let top_orient = if n.top_orient { skip % 2 == 1 } else { skip % 2 == 0 };
            let coplanar = n.coplanar_horizon;
            let facet = self.make_new_facet(vertices, top_orient, neighbor);
            last = facet;
            if coplanar {
                self.facets[facet].merge_horizon = true;
                self.facets[facet].link = facet;
            }
            self.facets[neighbor].neighbors[skip] = facet;
        }
        Ok(last)
    }

    fn make_new_facet(&mut self, vertices: [u32; 3], top_orient: bool, horizon: u32) -> u32 {
        for vertex in vertices {
            self.renew_vertex(vertex);
        }
        let facet = self.create_facet();
        let f = &mut self.facets[facet];
        f.vertices.assign(&vertices);
        f.top_orient = top_orient;
        f.neighbors.push(horizon);
        self.append_facet(facet);
        facet
    }

    pub(super) fn replace_neighbor(
        &mut self,
        facet: u32,
        old: u32,
        new: u32,
    ) -> Result<(), HullError> {
        if self.facets[facet].neighbors.replace(old, new) {
            Ok(())
        } else {
            Err(HullError::Topology("a neighbor relation is not mutual"))
        }
    }

    /// Links the new facets that share an edge to the apex.
    ///
    /// Each edge is shared by two facets. More than two occur if the horizon passes a vertex
    /// twice.
    pub(super) fn match_new_facets(&mut self) -> Result<(), HullError> {
        const DUPLICATE: HullError = HullError::Topology("more than two facets share an edge");
        let mut at = self.first_new();
        while let Some(facet) = at {
            let horizon = self.facets[facet].neighbors[0];
            self.facets[facet].neighbors.assign(&[horizon, NONE, NONE]);
            at = self.facet_after(facet);
        }
        let mut open = 0_usize;
        let mut failed = false;
        let mut at = self.first_new();
        while let Some(facet) = at {
            for skip in [1, 2] {
                let shared = self.facets[facet].vertices[3 - skip];
                let other = self.vertices[shared].match_facet;
                if other == NONE {
                    self.vertices[shared].match_facet = facet;
                    open += 1;
                    continue;
                }
                let o = &self.facets[other];
                let other_skip = if o.vertices[1] == shared { 2 } else { 1 };
                let same = skip == other_skip;
                let opposite = self.facets[facet].top_orient != o.top_orient;
                if same != opposite || o.neighbors[other_skip] != NONE {
                    failed = true;
                    continue;
                }
                self.facets[other].neighbors[other_skip] = facet;
                self.facets[facet].neighbors[skip] = other;
                open -= 1;
            }
            at = self.facet_after(facet);
        }
        let mut at = self.first_new();
        while let Some(facet) = at {
            for k in 1..3 {
                let vertex = self.facets[facet].vertices[k];
                self.vertices[vertex].match_facet = NONE;
            }
            at = self.facet_after(facet);
        }
        if failed || open != 0 { Err(DUPLICATE) } else { Ok(()) }
    }

    /// Updates the facets of vertices for the new and visible facets, and collects the vertices
    /// that belong to visible facets only.
    fn update_vertex_neighbors(&mut self) {
        if self.has_vertex_neighbors {
            let mut vertex = self.vertex_list.new;
            while vertex != TAIL {
                let mut k = 0;
                while let Some(&facet) = self.vertices[vertex].neighbors.get(k) {
                    if self.facets[facet].visible {
                        self.vertices[vertex].neighbors.swap_remove(k);
                    } else {
                        k += 1;
                    }
                }
                vertex = self.vertices[vertex].next;
            }
            let mut at = self.first_new();
            while let Some(facet) = at {
                for k in 0..self.facets[facet].vertices.len() {
                    let vertex = self.facets[facet].vertices[k];
                    self.vertices[vertex].neighbors.push(facet);
                }
                at = self.facet_after(facet);
            }
        }
        let mut at = self.first_visible();
        while let Some(visible) = at {
            for k in 0..self.facets[visible].vertices.len() {
                let vertex = self.facets[visible].vertices[k];
                let v = &self.vertices[vertex];
                if v.new || v.deleted {
                    continue;
                }
                let survives = self.has_vertex_neighbors
                    && v.neighbors.iter().any(|&f| !self.facets[f].visible);
                if survives {
                    self.vertices[vertex].neighbors.swap_delete(visible);
                } else {
                    self.delete_vertex(vertex);
                }
            }
            at = self.visible_after(visible);
        }
    }

    /// Marks a vertex as deleted; its point is assigned to a facet later.
    pub(super) fn delete_vertex(&mut self, vertex: u32) {
        self.vertices[vertex].deleted = true;
        self.deleted_vertices.push(vertex);
    }

    /// Builds the lists of facets at each vertex, unless they exist (qh_vertexneighbors).
    pub(super) fn build_vertex_neighbors(&mut self) {
        if self.has_vertex_neighbors {
            return;
        }
        self.has_vertex_neighbors = true;
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            if !f.visible {
                for &vertex in f.vertices.iter() {
                    self.vertices[vertex].neighbors.push(facet);
                }
            }
            at = self.facet_after(facet);
        }
    }
}
