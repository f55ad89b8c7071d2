//! Merge of a facet into a neighbor, which keeps its plane (qh_mergefacet).

use super::lists::TAIL;
use super::merge_queue::MergeKind;
use super::tolerance::{MAX_NEW_CENTRUM, WIDE_RATIO};
use super::{Builder, HullError, NONE};

/// Maximum of the counter of merges of a facet.
pub(super) const MAX_MERGES: u16 = 511;
/// Number of vertices beyond which the best neighbor is searched at nonconvex ridges first.
const MANY_VERTICES: usize = 18;
/// Number of vertices beyond which the centrum replaces the vertices in the search for the best
/// neighbor.
const TEST_CENTRUM: usize = 26;

/// Neighbor with the smallest distance of vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestNeighbor {
    pub(super) facet: u32,
    pub(super) distance: f64,
    /// Minimum and maximum signed distance of the vertices from the neighbor's plane.
    pub(super) range: [f64; 2],
}

impl Builder<'_> {
    /// The neighbor into which a facet is merged with the smallest change (qh_findbestneighbor).
    pub(super) fn best_neighbor(&mut self, facet: u32) -> Result<BestNeighbor, HullError> {
        let size = self.facets[facet].vertices.len();
        let by_centrum = size > TEST_CENTRUM;
        let mut best = BestNeighbor { facet: NONE, distance: f64::MAX, range: [0.0; 2] };
        if size > MANY_VERTICES {
            for k in 0..self.facets[facet].ridges.len() {
                let ridge = self.ridges[self.facets[facet].ridges[k]];
                if ridge.nonconvex {
                    self.improve_best(&mut best, facet, ridge.other(facet), by_centrum);
                }
            }
        }
        if best.facet == NONE {
            for k in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[k];
                self.improve_best(&mut best, facet, neighbor, by_centrum);
            }
        }
        if best.facet == NONE {
            return Err(HullError::Topology("a facet has no neighbors"));
        }
        if by_centrum {
            best.range = self.vertex_range(facet, best.facet);
        }
        Ok(best)
    }

    fn improve_best(
        &mut self,
        best: &mut BestNeighbor,
        facet: u32,
        neighbor: u32,
        by_centrum: bool,
    ) {
        let flipped = |f: u32| self.facets[f].flipped;
        if flipped(facet) && flipped(neighbor) && best.facet != NONE && !flipped(best.facet) {
            return;
        }
        let range = if by_centrum {
            let centrum = self.centrum(facet);
            let distance = 3.0 * self.facets[neighbor].distance(centrum);
            if distance < 0.0 { [distance, 0.0] } else { [0.0, distance] }
        } else {
            self.vertex_range(facet, neighbor)
        };
        let [low, high] = range;
        let distance = if high > -low { high } else { -low };
        if distance < best.distance {
            *best = BestNeighbor { facet: neighbor, distance, range };
        }
    }

    /// Minimum and maximum distance of a facet's vertices from a neighbor's plane, and 0 for the
    /// shared vertices (qh_getdistance).
    fn vertex_range(&mut self, facet: u32, neighbor: u32) -> [f64; 2] {
        let (f, n) = (&self.facets[facet], &self.facets[neighbor]);
        for &v in f.vertices.iter() {
            self.vertices[v].seen = false;
        }
        for &v in n.vertices.iter() {
            self.vertices[v].seen = true;
        }
        let (mut low, mut high) = (0.0, 0.0);
        for &v in f.vertices.iter().filter(|&&v| !self.vertices[v].seen) {
            let distance = n.distance(self.vertex_point(v));
            if distance < low {
                low = distance;
            } else if distance > high {
                high = distance;
            }
        }
        [low, high]
    }

    /// Merges `gone` into `keep`.
    ///
    /// `range` is the minimum and maximum distance of the vertices of `gone` from `keep`. With
    /// `apex`, `gone` is a new facet and `keep` its horizon facet.
    pub(super) fn merge_facet(
        &mut self,
        gone: u32,
        keep: u32,
        kind: MergeKind,
        range: Option<[f64; 2]>,
        apex: bool,
    ) -> Result<(), HullError> {
        self.merges += 1;
        self.check_merge(gone, keep, range)?;
        self.build_vertex_neighbors();
        self.make_ridges(gone);
        self.make_ridges(keep);
        if let Some([low, high]) = range {
            self.max_outside = self.max_outside.max(high);
            self.min_vertex = self.min_vertex.min(low);
            let wide = self.tolerance.wide_facet;
            let k = &mut self.facets[keep];
            k.max_outside = k.max_outside.max(high);
            k.keep_centrum |= high > wide || low < -wide;
        }
        let merges = self.facets[gone].merges + self.facets[keep].merges + 1;
        self.facets[keep].merges = merges.min(MAX_MERGES);
        self.facets[keep].new_merge = true;
        self.update_tested(gone, keep);
        if self.facets[gone].vertices.len() == 3 {
            self.merge_simplex(gone, keep, apex)?;
        } else {
            self.merge_polygon(gone, keep)?;
        }
        self.move_to_end(keep);
        self.facets[keep].new = true;
        self.facets[keep].tested = false;
        if kind != MergeKind::CoplanarHorizon {
            self.test_redundant_neighbors(keep)?;
            self.test_degenerate_neighbors(gone)?;
            self.test_degenerate(keep)?;
        }
        self.retire_facet(gone, keep);
        Ok(())
    }

    fn check_merge(&self, gone: u32, keep: u32, range: Option<[f64; 2]>) -> Result<(), HullError> {
        let (g, k) = (&self.facets[gone], &self.facets[keep]);
        if let Some([low, high]) = range {
            let limit = (WIDE_RATIO * self.tolerance.one_merge).max(g.max_outside);
            let limit = limit.max(k.max_outside);
            if high > limit || -low > limit {
                return Err(HullError::Wide);
            }
        }
        if gone == keep || g.visible || k.visible {
            return Err(HullError::Topology("a deleted facet is merged"));
        }
        if self.facet_list.count - self.facet_list.visible_count <= 4 {
            return Err(HullError::Topology("only four facets are left"));
        }
        Ok(())
    }

    /// Gives a simplicial facet a ridge to each neighbor (qh_makeridges).
    pub(super) fn make_ridges(&mut self, facet: u32) {
        if !self.facets[facet].simplicial {
            return;
        }
        self.facets[facet].simplicial = false;
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            self.facets[neighbor].seen = false;
        }
        for k in 0..self.facets[facet].ridges.len() {
            let other = self.ridges[self.facets[facet].ridges[k]].other(facet);
            self.facets[other].seen = true;
        }
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            if !self.facets[neighbor].seen {
                let tested = self.facets[facet].tested;
                self.create_ridge(facet, k, facet, tested);
            }
        }
    }

    /// Creates the ridge of `facet` opposite to its k-th vertex, between `owner` and the k-th
    /// neighbor.
    pub(super) fn create_ridge(&mut self, facet: u32, k: usize, owner: u32, tested: bool) {
        let f = &self.facets[facet];
        let neighbor = f.neighbors[k];
        let mut vertices = [NONE; 2];
        let others = (0..f.vertices.len()).filter(|&i| i != k);
        for (vertex, i) in vertices.iter_mut().zip(others) {
            *vertex = f.vertices[i];
        }
        let (top, bottom) =
            if f.top_orient ^ (k % 2 == 1) { (owner, neighbor) } else { (neighbor, owner) };
        let ridge = self.ridges.push(super::arena::Ridge {
            vertices,
            top,
            bottom,
            nonconvex: false,
            tested,
        });
        self.facets[owner].add_ridge(ridge);
        self.facets[neighbor].add_ridge(ridge);
    }

    /// Marks what must be tested after a merge and drops the centrum, unless it is to be kept.
    ///
    /// The centrum of a facet with many vertices hardly changes, so it is not recomputed.
    fn update_tested(&mut self, gone: u32, keep: u32) {
        for &ridge in self.facets[gone].ridges.iter() {
            self.ridges[ridge].tested = false;
        }
        let k = &mut self.facets[keep];
        k.tested = false;
        if k.centrum.is_none() {
            return;
        }
        let size = k.vertices.len();
        if size > MAX_NEW_CENTRUM {
            k.keep_centrum = true;
        } else if k.keep_centrum && size == 3 {
            k.keep_centrum = false;
        }
        if !k.keep_centrum {
            k.centrum = None;
            for &ridge in k.ridges.iter() {
                self.ridges[ridge].tested = false;
            }
        }
    }

    /// Deletes a ridge from its two facets (qh_delridge_merge).
    pub(super) fn delete_ridge(&mut self, ridge: u32) {
        let r = self.ridges[ridge];
        if r.nonconvex {
            self.pass_on_nonconvex(ridge);
        }
        for vertex in r.vertices {
            self.vertices[vertex].deleted_ridge = true;
        }
        self.facets[r.top].ridges.swap_delete(ridge);
        self.facets[r.bottom].ridges.swap_delete(ridge);
    }

    /// Marks another ridge between the same facets as nonconvex (qh_copynonconvex).
    pub(super) fn pass_on_nonconvex(&mut self, ridge: u32) {
        self.ridges[ridge].nonconvex = false;
        let (top, bottom) = (self.ridges[ridge].top, self.ridges[ridge].bottom);
        let other = self.facets[top].ridges.iter().copied().find(|&r| {
            r != ridge && (self.ridges[r].top == bottom || self.ridges[r].bottom == bottom)
        });
        if let Some(other) = other {
            self.ridges[other].nonconvex = true;
        }
    }

    /// The first vertex after those of the last point, or none at the end of the list.
    pub(super) fn first_new_vertex(&self) -> Option<u32> {
        let vertex = self.vertex_list.new;
        (vertex != NONE && vertex != TAIL).then_some(vertex)
    }
}
