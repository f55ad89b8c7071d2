//! Facets of the hull in a half-edge data structure.

use super::NONE;
use sim_core::math::vec3::Vec3;

/// Half-edge, counterclockwise around its facet.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfEdge {
    pub(super) origin: u32,
    pub(super) twin: u32,
    pub(super) next: u32,
    pub(super) prev: u32,
    pub(super) facet: u32,
}

/// A facet of the hull and its outside set.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    pub(super) edge: u32,
    pub(super) degree: u32,
    /// Result of merging facets (not simplicial), even if three vertices are left.
    pub(super) merged: bool,
    pub(super) normal: Vec3,
    pub(super) offset: f64,
    pub(super) alive: bool,
    /// Created or merged for the current point.
    pub(super) newfacet: bool,
    /// Its ridges have been tested for convexity.
    pub(super) tested: bool,
    /// Horizon facet that is coplanar with the current point.
    pub(super) coplanar_horizon: bool,
    pub(super) flipped: bool,
    /// Centrum: mean of the vertices, projected to the plane.
    pub(super) centrum: Option<Vec3>,
    pub(super) keep_centrum: bool,
    /// Outside set; the furthest point is last.
    pub(super) outside: Vec<u32>,
    pub(super) furthest: f64,
    pub(super) queue_id: u32,
    pub(super) visit: u32,
    /// Facet that replaces a deleted one: start of the search when its outside set is
    /// repartitioned.
    pub(super) replacement: u32,
}

/// A vertex of the hull; newer vertices have larger indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) point: u32,
    pub(super) alive: bool,
    /// Time stamp of the last facet created at this vertex.
    pub(super) timestamp: u32,
    pub(super) visit: u32,
}

/// Facets, half-edges and vertices of the hull.
#[derive(Debug, Default)]
pub(super) struct Facets {
    pub(super) edges: Vec<HalfEdge>,
    pub(super) facets: Vec<Facet>,
    pub(super) vertices: Vec<Vertex>,
    /// Number of vertices deleted by merges.
    deleted: usize,
}

/// The surface is no longer a closed manifold of simple polygons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TopologyError;

impl Facets {
    /// The initial simplex. Facet i is opposite to the i-th newest vertex.
    pub(super) fn simplex(points: &[Vec3], corners: [u32; 4]) -> Self {
        let mut all = Self::default();
        debug_assert!(corners.iter().all(|&i| (i as usize) < points.len()));
        for (i, &point) in corners.iter().enumerate() {
            all.vertices.push(Vertex { point, alive: true, timestamp: 3 - i as u32, visit: 0 });
        }
        for (i, loop_) in [[1, 2, 0], [3, 1, 0], [2, 3, 0], [3, 2, 1]].into_iter().enumerate() {
            debug_assert!(!loop_.contains(&(3 - i as u32)));
            all.triangle(loop_);
        }
        for e in 0..all.edges.len() {
            let (from, to) = (all.edges[e].origin, all.destination(e as u32));
            let twin = (0..all.edges.len() as u32)
                .find(|&t| all.edges[t as usize].origin == to && all.destination(t) == from);
            all.edges[e].twin = twin.unwrap_or(NONE);
        }
        all
    }

    /// Adds a triangle whose half-edges have no twins yet.
    pub(super) fn triangle(&mut self, corners: [u32; 3]) -> u32 {
        let (facet, first) = (self.facets.len() as u32, self.edges.len() as u32);
        for (k, &origin) in corners.iter().enumerate() {
            let at = |k: usize| first + (k % 3) as u32;
            self.edges.push(HalfEdge {
                origin,
                twin: NONE,
                next: at(k + 1),
                prev: at(k + 2),
                facet,
            });
        }
        self.facets.push(Facet {
            edge: first,
            degree: 3,
            merged: false,
            normal: [0.0; 3],
            offset: 0.0,
            alive: true,
            newfacet: false,
            tested: false,
            coplanar_horizon: false,
            flipped: false,
            centrum: None,
            keep_centrum: false,
            outside: Vec::new(),
            furthest: 0.0,
            queue_id: 0,
            visit: 0,
            replacement: NONE,
        });
        facet
    }

    pub(super) fn destination(&self, edge: u32) -> u32 {
        self.edges[self.edges[edge as usize].next as usize].origin
    }

    /// The facet on the other side of an edge.
    pub(super) fn neighbor(&self, edge: u32) -> u32 {
        self.edges[self.edges[edge as usize].twin as usize].facet
    }

    /// Reverses the orientation of every facet.
    pub(super) fn reverse_orientation(&mut self) {
        let origins: Vec<u32> = (0..self.edges.len() as u32).map(|e| self.destination(e)).collect();
        for (edge, origin) in self.edges.iter_mut().zip(origins) {
            std::mem::swap(&mut edge.next, &mut edge.prev);
            edge.origin = origin;
        }
    }

    /// Half-edges of a facet. Those of a simplicial facet are ordered by their opposite vertex,
    /// newest first.
    pub(super) fn edges_of(&self, facet: u32, out: &mut Vec<u32>) {
        out.clear();
        let first = self.facets[facet as usize].edge;
        let mut e = first;
        loop {
            out.push(e);
            e = self.edges[e as usize].next;
            if e == first || out.len() > self.edges.len() {
                break;
            }
        }
        if !self.facets[facet as usize].merged {
            let opposite = |e: u32| self.edges[self.edges[e as usize].prev as usize].origin;
            out.sort_unstable_by_key(|&e| std::cmp::Reverse(opposite(e)));
        }
    }

    /// Whether a facet on either side of an edge is not simplicial.
    pub(super) fn is_ridge(&self, edge: u32) -> bool {
        let merged = |facet: u32| self.facets[facet as usize].merged;
        merged(self.edges[edge as usize].facet) || merged(self.neighbor(edge))
    }

    /// Vertices of a facet, newest first.
    pub(super) fn corners_of(&self, facet: u32, out: &mut Vec<u32>) {
        self.edges_of(facet, out);
        for e in out.iter_mut() {
            *e = self.edges[*e as usize].origin;
        }
        out.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Signed distance of a point from a facet's plane.
    pub(super) fn distance(&self, point: Vec3, facet: u32) -> f64 {
        let f = &self.facets[facet as usize];
        let n = f.normal;
        f.offset + point[0] * n[0] + point[1] * n[1] + point[2] * n[2]
    }

    /// Computes the hyperplane of a simplicial facet from its vertices, the newest as origin.
    pub(super) fn set_plane(&mut self, points: &[Vec3], facet: u32) {
        let edge = |e: u32| self.edges[e as usize];
        let a = edge(self.facets[facet as usize].edge);
        let (b, c) = (edge(a.next), edge(a.prev));
        let mut ids = [a.origin, b.origin, c.origin];
        // Rotate so that the newest vertex is first.
        let lead = (0..3).max_by_key(|&k| ids[k]).unwrap_or(0);
        ids.rotate_left(lead);
        // Then from newest to oldest; the sign restores the orientation.
        let sign = if ids[1] > ids[2] { -1.0 } else { 1.0 };
        if sign > 0.0 {
            ids.swap(1, 2);
        }
        let [p, q, r] = ids.map(|v| points[self.vertices[v as usize].point as usize]);
        let d = |k: usize| (q[k] - p[k], r[k] - p[k]);
        let ((x1, x2), (y1, y2), (z1, z2)) = (d(0), d(1), d(2));
        let n = [y2 * z1 - z2 * y1, x1 * z2 - z1 * x2, x2 * y1 - y2 * x1];
        let norm = sign * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let f = &mut self.facets[facet as usize];
        f.normal = if norm == 0.0 { [3.0_f64.sqrt().recip(); 3] } else { n.map(|x| x / norm) };
        f.offset = -(p[0] * f.normal[0] + p[1] * f.normal[1] + p[2] * f.normal[2]);
        f.flipped = norm == 0.0;
    }

    fn delete_vertex(&mut self, vertex: u32) {
        if self.vertices[vertex as usize].alive {
            self.vertices[vertex as usize].alive = false;
            self.deleted += 1;
        }
    }

    fn link(&mut self, before: u32, after: u32) {
        self.edges[before as usize].next = after;
        self.edges[after as usize].prev = before;
    }

    fn recount(&mut self, facet: u32, edge: u32) -> Result<(), TopologyError> {
        let mut degree = 0;
        let mut e = edge;
        loop {
            self.edges[e as usize].facet = facet;
            degree += 1;
            e = self.edges[e as usize].next;
            if e == edge {
                break;
            }
            if degree as usize > self.edges.len() {
                return Err(TopologyError);
            }
        }
        let f = &mut self.facets[facet as usize];
        f.edge = edge;
        f.degree = degree;
        Ok(())
    }

    /// Merges facet `gone` into its neighbor `keep`, which keeps its plane. Deleted facets are
    /// appended to `lost`; returns the number of deleted vertices.
    pub(super) fn merge_facet(
        &mut self,
        gone: u32,
        keep: u32,
        lost: &mut Vec<u32>,
    ) -> Result<usize, TopologyError> {
        let before = self.deleted;
        let start = self.facets[gone as usize].edge;
        let shared = |all: &Self, e: u32| all.neighbor(e) == keep;
        // The first of a chain of shared edges.
        let mut s = start;
        let mut steps = 0;
        while !shared(self, s) || shared(self, self.edges[s as usize].prev) {
            s = self.edges[s as usize].next;
            steps += 1;
            if steps > 2 * self.facets[gone as usize].degree {
                return Err(TopologyError);
            }
        }
        let mut t = s;
        loop {
            let next = self.edges[t as usize].next;
            let contiguous = shared(self, next)
                && self.edges[self.edges[next as usize].twin as usize].next
                    == self.edges[t as usize].twin;
            if !contiguous {
                break;
            }
            let middle = self.edges[next as usize].origin;
            self.delete_vertex(middle);
            t = next;
        }
        let (first, last) = (self.edges[s as usize], self.edges[t as usize]);
        let before_keep = self.edges[last.twin as usize].prev;
        let after_keep = self.edges[first.twin as usize].next;
        let (before_gone, after_gone) = (first.prev, last.next);
        self.link(before_gone, after_keep);
        self.link(before_keep, after_gone);
        self.facets[gone as usize].alive = false;
        self.facets[gone as usize].replacement = keep;
        self.facets[keep as usize].merged = true;
        lost.push(gone);
        self.recount(keep, after_gone)?;
        self.remove_enclosed(keep, lost)?;
        let corners = [after_keep, after_gone];
        self.remove_redundant_vertices(keep, corners, lost)?;
        Ok(self.deleted - before)
    }

    /// Removes edges whose two sides are the same facet, and the facets enclosed by them.
    fn remove_enclosed(&mut self, keep: u32, lost: &mut Vec<u32>) -> Result<(), TopologyError> {
        loop {
            let mut loop_ = Vec::new();
            self.edges_of(keep, &mut loop_);
            let Some(e) = loop_.into_iter().find(|&e| self.neighbor(e) == keep) else {
                return Ok(());
            };
            let (edge, twin) =
                (self.edges[e as usize], self.edges[self.edges[e as usize].twin as usize]);
            let id = edge.twin;
            if edge.next == id || twin.next == e {
                // A dangling edge: delete its end vertex.
                let (tip, before, after) = if edge.next == id {
                    (twin.origin, edge.prev, twin.next)
                } else {
                    (edge.origin, twin.prev, edge.next)
                };
                self.delete_vertex(tip);
                self.link(before, after);
                self.recount(keep, after)?;
                continue;
            }
            self.link(edge.prev, twin.next);
            self.link(twin.prev, edge.next);
            let (one, other) = (twin.next, edge.next);
            let (outer, inner) = if self.enclosed_facets(keep, one).len()
                < self.enclosed_facets(keep, other).len()
            {
                (other, one)
            } else {
                (one, other)
            };
            for facet in self.enclosed_facets(keep, inner) {
                let mut corners = Vec::new();
                self.corners_of(facet, &mut corners);
                for v in corners {
                    self.delete_vertex(v);
                }
                self.facets[facet as usize].alive = false;
                self.facets[facet as usize].replacement = keep;
                lost.push(facet);
            }
            self.recount(keep, outer)?;
            let mut corners = Vec::new();
            self.corners_of(keep, &mut corners);
            for v in corners {
                if !self.vertices[v as usize].alive {
                    self.vertices[v as usize].alive = true;
                    self.deleted -= 1;
                }
            }
        }
    }

    /// Facets reachable across the boundary that contains `edge` without entering `wall`.
    fn enclosed_facets(&self, wall: u32, edge: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut pending = Vec::new();
        let mut e = edge;
        loop {
            pending.push(self.neighbor(e));
            e = self.edges[e as usize].next;
            if e == edge || pending.len() > self.edges.len() {
                break;
            }
        }
        let mut seen = std::collections::HashSet::from([wall]);
        let mut edges = Vec::new();
        while let Some(facet) = pending.pop() {
            if seen.insert(facet) {
                found.push(facet);
                self.edges_of(facet, &mut edges);
                pending.extend(edges.iter().map(|&e| self.neighbor(e)));
            }
        }
        found
    }

    /// Removes vertices with two facets (redundant vertices) and facets with two vertices after a
    /// merge.
    fn remove_redundant_vertices(
        &mut self,
        keep: u32,
        corners: [u32; 2],
        lost: &mut Vec<u32>,
    ) -> Result<(), TopologyError> {
        let mut pending = corners.to_vec();
        while let Some(n) = pending.pop() {
            if self.edges[n as usize].facet != keep || self.edges[n as usize].origin == NONE {
                continue;
            }
            let p = self.edges[n as usize].prev;
            let (tn, tp) = (self.edges[n as usize].twin, self.edges[p as usize].twin);
            let other = self.edges[tn as usize].facet;
            if other == keep
                || self.edges[tp as usize].facet != other
                || self.edges[tn as usize].next != tp
            {
                continue;
            }
            if self.facets[keep as usize].degree <= 3 {
                return Err(TopologyError);
            }
            // Merge the two edges a → v → b.
            let v = self.edges[n as usize].origin;
            self.delete_vertex(v);
            self.link(p, self.edges[n as usize].next);
            self.link(tn, self.edges[tp as usize].next);
            self.edges[p as usize].twin = tn;
            self.edges[tn as usize].twin = p;
            for (facet, edge) in [(keep, p), (other, tn)] {
                self.facets[facet as usize].edge = edge;
                self.facets[facet as usize].degree -= 1;
            }
            for dead in [n, tp] {
                self.edges[dead as usize].origin = NONE;
            }
            self.facets[other as usize].centrum = None;
            if self.facets[other as usize].degree == 2 {
                // A degenerate facet with two edges: connect its two neighbors.
                let outer = self.edges[self.edges[tn as usize].next as usize].twin;
                if self.edges[outer as usize].facet == keep {
                    return Err(TopologyError);
                }
                self.edges[p as usize].twin = outer;
                self.edges[outer as usize].twin = p;
                self.facets[other as usize].alive = false;
                self.facets[other as usize].replacement = keep;
                lost.push(other);
                pending.extend([p, self.edges[p as usize].next]);
            }
        }
        Ok(())
    }
}
