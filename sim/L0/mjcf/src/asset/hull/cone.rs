//! Adding a point: the visible facets are replaced by a cone of new facets from the horizon ridges
//! to the point.

use super::facets::Vertex;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Adds `point`, which is in the outside set of `facet`, to the hull.
    pub(super) fn add_point(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.find_horizon(point, facet)?;
        self.build_cone(point)?;
        self.premerge().map_err(|_| HullError::Degenerate)?;
        self.partition_visible()
    }

    /// Collects the facets visible from the point and marks coplanar horizon facets.
    fn find_horizon(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.visit += 1;
        self.visible.clear();
        self.visible.push(facet);
        self.facets.facets[facet as usize].visit = self.visit;
        self.facets.facets[facet as usize].alive = false;
        let mut horizon = 0;
        let mut edges = std::mem::take(&mut self.edges);
        let mut at = 0;
        while let Some(&seen) = self.visible.get(at) {
            at += 1;
            self.facets.edges_of(seen, &mut edges);
            for &e in &edges {
                let neighbor = self.facets.neighbor(e);
                if self.facets.facets[neighbor as usize].visit == self.visit {
                    continue;
                }
                let distance = self.distance(point, neighbor);
                let f = &mut self.facets.facets[neighbor as usize];
                f.visit = self.visit;
                if distance > self.tolerance.min_visible {
                    f.alive = false;
                    self.visible.push(neighbor);
                } else {
                    horizon += 1;
                    f.coplanar_horizon = distance >= -self.tolerance.min_visible;
                    if f.coplanar_horizon {
                        self.max_outside = self.max_outside.max(distance);
                    }
                }
            }
        }
        self.edges = edges;
        if horizon == 0 { Err(HullError::Degenerate) } else { Ok(()) }
    }

    /// Creates a new facet from each horizon ridge to the point.
    fn build_cone(&mut self, point: u32) -> Result<(), HullError> {
        let apex = self.facets.vertices.len() as u32;
        self.timestamp += 1;
        let timestamp = self.timestamp;
        let visit = self.visit;
        self.facets.vertices.push(Vertex { point, alive: true, timestamp, visit });
        self.alive_vertices += 1;
        self.cone_from.resize(self.facets.vertices.len(), NONE);
        self.cone_to.resize(self.facets.vertices.len(), NONE);
        self.new_facets.clear();
        let mut edges = std::mem::take(&mut self.edges);
        let mut around = Vec::new();
        let mut last_at_ridge = None;
        for i in 0..self.visible.len() {
            let seen = self.visible[i];
            self.facets.edges_of(seen, &mut edges);
            // Ridges of non-simplicial facets come first.
            edges.sort_by_key(|&e| !self.facets.is_ridge(e));
            for &e in &edges {
                let outer = self.facets.edges[e as usize].twin;
                if !self.facets.facets[self.facets.edges[outer as usize].facet as usize].alive {
                    continue;
                }
                let (a, b) = (self.facets.edges[e as usize].origin, self.facets.destination(e));
                if self.cone_from[a as usize] != NONE || self.cone_to[b as usize] != NONE {
                    return Err(HullError::Degenerate);
                }
                let facet = self.facets.triangle([a, b, apex]);
                if self.facets.is_ridge(e) {
                    last_at_ridge = Some(facet);
                }
                let base = self.facets.facets[facet as usize].edge;
                self.facets.edges[base as usize].twin = outer;
                self.facets.edges[outer as usize].twin = base;
                self.cone_to[b as usize] = base + 1;
                self.cone_from[a as usize] = base + 2;
                around.push(a);
                self.new_facets.push(facet);
                self.stamp_vertices([a.max(b), a.min(b)]);
            }
            self.facets.facets[seen as usize].replacement =
                last_at_ridge.or(self.new_facets.last().copied()).unwrap_or(NONE);
        }
        // Adjacent new facets share the edge to the apex.
        let mut closed = true;
        for &a in &around {
            let (from, to) = (self.cone_from[a as usize], self.cone_to[a as usize]);
            if to == NONE {
                closed = false;
                break;
            }
            self.facets.edges[from as usize].twin = to;
            self.facets.edges[to as usize].twin = from;
        }
        for &a in &around {
            self.cone_from[a as usize] = NONE;
            self.cone_to[a as usize] = NONE;
        }
        if !closed {
            return Err(HullError::Degenerate);
        }
        // Vertices that are not on the horizon are deleted.
        for i in 0..self.visible.len() {
            self.facets.edges_of(self.visible[i], &mut edges);
            for &e in &edges {
                let v = self.facets.edges[e as usize].origin;
                let vertex = &mut self.facets.vertices[v as usize];
                if vertex.visit != visit && vertex.alive {
                    vertex.alive = false;
                    self.alive_vertices -= 1;
                }
            }
        }
        self.edges = edges;
        for i in 0..self.new_facets.len() {
            self.finish_facet(self.new_facets[i]);
        }
        Ok(())
    }

    /// Updates the time stamps of vertices of a new facet.
    fn stamp_vertices(&mut self, corners: [u32; 2]) {
        for v in corners {
            let vertex = &mut self.facets.vertices[v as usize];
            if vertex.visit != self.visit {
                vertex.visit = self.visit;
                self.timestamp += 1;
                vertex.timestamp = self.timestamp;
            }
        }
    }

    /// Computes the plane of a new triangle.
    fn finish_facet(&mut self, facet: u32) {
        self.facets.set_plane(self.points, facet);
        let inside = self.facets.distance(self.interior, facet);
        let f = &mut self.facets.facets[facet as usize];
        f.newfacet = true;
        f.flipped |= inside >= 0.0;
    }
}
