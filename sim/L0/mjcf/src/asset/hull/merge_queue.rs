//! Convexity tests of new facets and the order of merges (qh_premerge, qh_checkzero,
//! qh_getmergeset, qh_test_centrum_merge, qh_all_merges).

use super::{Builder, HullError};
use std::cmp::Ordering;

/// Reason of a merge, in the order of processing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MergeKind {
    /// A centrum is within the rounding error of the other facet.
    Coplanar,
    /// A centrum is above the other facet.
    Concave,
    /// One centrum is above, the other within the rounding error.
    ConcaveCoplanar,
    /// The interior point is above the facet.
    Flipped,
    /// The facet has fewer than three neighbors.
    Degenerate,
    /// The vertices of the facet belong to a neighbor.
    Redundant,
    /// The horizon facet is coplanar with the apex.
    CoplanarHorizon,
}

/// A facet to merge because of its relation to another facet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Merge {
    pub(super) kind: MergeKind,
    pub(super) facet: u32,
    pub(super) other: u32,
    pub(super) distance: f64,
}

/// Queued merges; the last is processed first.
#[derive(Debug, Default)]
pub(super) struct MergeQueue {
    /// Flipped facets and pairs that are not convex.
    pub(super) facets: Vec<Merge>,
    /// Degenerate and redundant facets.
    pub(super) degenerate: Vec<Merge>,
}

impl Builder<'_> {
    /// Merges new facets until all are clearly convex to their neighbors.
    pub(super) fn merge_new_facets(&mut self) -> Result<(), HullError> {
        if self.new_facets_are_convex() {
            return Ok(());
        }
        let mut merged = self.merge_coplanar_horizon()?;
        merged |= self.merge_flipped()?;
        self.scan_new_facets()?;
        self.merge_all(merged)
    }

    /// Quick test for the usual case: all new facets and their horizon facets are simplicial, and
    /// opposite vertices are clearly below.
    fn new_facets_are_convex(&mut self) -> bool {
        let convex = self.new_facets_are_simplicial() && self.opposite_vertices_are_below();
        self.all_clearly_convex &= convex;
        convex
    }

    fn new_facets_are_simplicial(&self) -> bool {
        let mut at = self.first_new();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            if !self.facets[f.neighbors[0]].simplicial || f.flipped || !f.has_normal {
                return false;
            }
            at = self.facet_after(facet);
        }
        true
    }

    fn opposite_vertices_are_below(&self) -> bool {
        let limit = -2.0 * self.tolerance.dist_round;
        let mut at = self.first_new();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            for k in [1, 2] {
                let point = self.vertex_point(f.vertices[k]);
                if self.facets[f.neighbors[k]].distance(point) >= limit {
                    return false;
                }
            }
            let horizon = &self.facets[f.neighbors[0]];
            let opposite = horizon.vertices.iter().find(|&v| !f.vertices[1..].contains(v));
            if let Some(&vertex) = opposite
                && f.distance(self.vertex_point(vertex)) >= limit
            {
                return false;
            }
            at = self.facet_after(facet);
        }
        true
    }

    /// Merges flipped facets into their best neighbors (qh_flippedmerges).
    fn merge_flipped(&mut self) -> Result<bool, HullError> {
        let mut at = self.first_new();
        while let Some(facet) = at {
            if self.facets[facet].flipped && !self.facets[facet].visible {
                self.queue_merge(MergeKind::Flipped, facet, facet, 0.0)?;
            }
            at = self.facet_after(facet);
        }
        let mut flipped = std::mem::take(&mut self.queue.facets);
        let mut merged = false;
        for merge in &flipped {
            if self.facets[merge.facet].visible {
                continue;
            }
            let best = self.best_neighbor(merge.facet)?;
            self.merge_facet(merge.facet, best.facet, merge.kind, Some(best.range), false)?;
            merged = true;
        }
        flipped.clear();
        self.queue.facets = flipped;
        self.merge_degenerate()?;
        Ok(merged)
    }

    /// Queues a merge of `facet`, unless it is queued already or one of the two is redundant
    /// (qh_appendmergeset).
    pub(super) fn queue_merge(
        &mut self,
        kind: MergeKind,
        facet: u32,
        other: u32,
        distance: f64,
    ) -> Result<(), HullError> {
        let (f, o) = (&self.facets[facet], &self.facets[other]);
        if f.redundant || o.redundant || (kind == MergeKind::Degenerate && f.degenerate) {
            return Ok(());
        }
        if o.flipped && !f.flipped {
            return Err(HullError::Topology("a facet is next to a flipped facet"));
        }
        let merge = Merge { kind, facet, other, distance };
        let queue = &mut self.queue;
        match kind {
            MergeKind::Degenerate => {
                self.facets[facet].degenerate = true;
                if queue.degenerate.last().is_none_or(|last| last.kind == kind) {
                    queue.degenerate.push(merge);
                } else {
                    queue.degenerate.insert(0, merge);
                }
            }
            MergeKind::Redundant => {
                self.facets[facet].redundant = true;
                queue.degenerate.push(merge);
            }
            _ => queue.facets.push(merge),
        }
        Ok(())
    }

    /// Tests the new facets against all their neighbors (qh_getmergeset_initial).
    fn scan_new_facets(&mut self) -> Result<(), HullError> {
        let visit = self.next_visit();
        let mut at = self.first_new();
        while let Some(facet) = at {
            self.facets[facet].visit = visit;
            for k in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[k];
                if self.facets[neighbor].visit == visit || !self.test_convex(facet, neighbor)? {
                    continue;
                }
                let ridges = &self.facets[neighbor].ridges;
                let ridge = ridges.iter().find(|&&r| self.ridges[r].other(neighbor) == facet);
                if let Some(&ridge) = ridge {
                    self.ridges[ridge].nonconvex = true;
                }
            }
            let f = &mut self.facets[facet];
            f.tested = true;
            for &ridge in f.ridges.iter() {
                self.ridges[ridge].tested = true;
            }
            at = self.facet_after(facet);
        }
        self.sort_queue();
        Ok(())
    }

    /// Tests the new facets that were changed by merges (qh_getmergeset).
    fn scan_changed_facets(&mut self) -> Result<(), HullError> {
        let visit = self.next_visit();
        let mut at = self.first_new();
        while let Some(facet) = at {
            at = self.facet_after(facet);
            if self.facets[facet].tested {
                continue;
            }
            self.facets[facet].visit = visit;
            for k in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[k];
                self.facets[neighbor].seen = false;
            }
            for k in 0..self.facets[facet].ridges.len() {
                let ridge = self.facets[facet].ridges[k];
                let r = &mut self.ridges[ridge];
                if r.tested && !r.nonconvex {
                    continue;
                }
                let neighbor = r.other(facet);
                if self.facets[neighbor].seen {
                    r.tested = true;
                    r.nonconvex = false;
                } else if self.facets[neighbor].visit != visit {
                    self.facets[neighbor].seen = true;
                    let nonconvex = self.test_convex(facet, neighbor)?;
                    self.ridges[ridge].nonconvex = nonconvex;
                    self.ridges[ridge].tested = true;
                }
            }
            self.facets[facet].tested = true;
        }
        self.sort_queue();
        Ok(())
    }

    /// Tests two facets by their centrums and queues a merge if they are not clearly convex.
    fn test_convex(&mut self, facet: u32, neighbor: u32) -> Result<bool, HullError> {
        let radius = self.tolerance.centrum_radius;
        let centrum = self.centrum(facet);
        let above = self.facets[neighbor].distance(centrum);
        let centrum = self.centrum(neighbor);
        let below = self.facets[facet].distance(centrum);
        let concave = above > radius || below > radius;
        let level = |d: f64| d >= -radius && d <= radius;
        let coplanar = level(above) || level(below);
        match (concave, coplanar) {
            (false, false) => return Ok(false),
            (true, true) if above > below => {
                self.queue_merge(MergeKind::ConcaveCoplanar, facet, neighbor, above)
            }
            (true, true) => self.queue_merge(MergeKind::ConcaveCoplanar, neighbor, facet, below),
            (true, false) => {
                self.queue_merge(MergeKind::Concave, facet, neighbor, above.max(below))
            }
            (false, true) => {
                let distance = above.abs().min(below.abs());
                self.queue_merge(MergeKind::Coplanar, facet, neighbor, distance)
            }
        }?;
        Ok(true)
    }

    /// Sorts the queue so that coplanar facets at the smallest distance are last. The order of
    /// equal merges is kept, so the last of them is processed first.
    fn sort_queue(&mut self) {
        self.queue.facets.sort_by(|a, b| match b.kind.cmp(&a.kind) {
            Ordering::Equal => b.distance.total_cmp(&a.distance),
            order => order,
        });
    }

    /// Processes the queues until all facets are convex and no vertex is redundant.
    fn merge_all(&mut self, merged_before: bool) -> Result<(), HullError> {
        let mut merged = merged_before;
        loop {
            while !self.queue.facets.is_empty() || !self.queue.degenerate.is_empty() {
                if !self.queue.degenerate.is_empty() {
                    self.merge_degenerate()?;
                    merged = true;
                }
                while let Some(merge) = self.queue.facets.pop() {
                    if !self.is_outdated(&merge) {
                        self.merge_nonconvex(&merge)?;
                        self.merge_degenerate()?;
                        merged = true;
                    }
                }
                self.scan_changed_facets()?;
            }
            if !self.has_vertex_neighbors || !merged || !self.reduce_vertices()? {
                return Ok(());
            }
            merged = false;
            self.scan_changed_facets()?;
        }
    }

    /// Whether a facet of the merge was deleted, or was changed so that it will be tested again.
    fn is_outdated(&self, merge: &Merge) -> bool {
        [merge.facet, merge.other].into_iter().any(|facet| {
            let f = &self.facets[facet];
            f.visible || (merge.kind == MergeKind::Coplanar && f.new && !f.tested)
        })
    }

    /// Merges one of two facets into its best neighbor (qh_merge_nonconvex).
    fn merge_nonconvex(&mut self, merge: &Merge) -> Result<(), HullError> {
        let (mut one, mut other) = (merge.facet, merge.other);
        if !self.facets[one].new {
            std::mem::swap(&mut one, &mut other);
        }
        let best_of_one = self.best_neighbor(one)?;
        let best_of_other = self.best_neighbor(other)?;
        let (facet, best) = if best_of_one.distance < best_of_other.distance {
            (one, best_of_one)
        } else {
            (other, best_of_other)
        };
        self.merge_facet(facet, best.facet, merge.kind, Some(best.range), false)
    }
}
