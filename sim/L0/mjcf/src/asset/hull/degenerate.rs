//! Facets with too few neighbors or without own vertices, which arise from merges
//! (qh_test_redundant_neighbors, qh_degen_redundant_facet, qh_merge_degenredundant).

use super::merge_queue::MergeKind;
use super::{Builder, HullError, NONE};

/// Number of neighbors of a triangle; a facet with fewer is degenerate.
const MIN_NEIGHBORS: usize = 3;
const DELETED_NEIGHBOR: HullError = HullError::Topology("a facet has a deleted neighbor");

impl Builder<'_> {
    /// Queues neighbors whose vertices all belong to `facet`.
    pub(super) fn test_redundant_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facets[facet].neighbors.len() < MIN_NEIGHBORS {
            return self.queue_merge(MergeKind::Degenerate, facet, facet, 0.0);
        }
        let mark = self.next_vertex_visit();
        for &vertex in self.facets[facet].vertices.iter() {
            self.vertices[vertex].visit = mark;
        }
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            let n = &self.facets[neighbor];
            if n.visible {
                return Err(DELETED_NEIGHBOR);
            }
            if n.degenerate || n.redundant || (self.facets[facet].flipped && !n.flipped) {
                continue;
            }
            if n.vertices.iter().all(|&v| self.vertices[v].visit == mark) {
                self.queue_merge(MergeKind::Redundant, neighbor, facet, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues neighbors of `facet` that have too few neighbors.
    pub(super) fn test_degenerate_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            let n = &self.facets[neighbor];
            if n.visible {
                return Err(DELETED_NEIGHBOR);
            }
            if !n.degenerate && !n.redundant && n.neighbors.len() < MIN_NEIGHBORS {
                self.queue_merge(MergeKind::Degenerate, neighbor, neighbor, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues `facet` if its vertices all belong to a neighbor or if it has too few neighbors.
    pub(super) fn test_degenerate(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facets[facet].flipped {
            return Ok(());
        }
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            if self.facets[neighbor].flipped {
                continue;
            }
            if self.facets[neighbor].visible {
                return Err(DELETED_NEIGHBOR);
            }
            if self.facets[neighbor].vertices.len() < self.facets[facet].vertices.len() {
                continue;
            }
            let mark = self.next_vertex_visit();
            for &vertex in self.facets[neighbor].vertices.iter() {
                self.vertices[vertex].visit = mark;
            }
            let vertices = &self.facets[facet].vertices;
            if vertices.iter().all(|&v| self.vertices[v].visit == mark) {
                return self.queue_merge(MergeKind::Redundant, facet, neighbor, 0.0);
            }
        }
        if self.facets[facet].neighbors.len() < MIN_NEIGHBORS {
            self.queue_merge(MergeKind::Degenerate, facet, facet, 0.0)?;
        }
        Ok(())
    }

    /// Merges the queued degenerate and redundant facets; returns whether there were any.
    pub(super) fn merge_degenerate(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        while let Some(merge) = self.queue.degenerate.pop() {
            let facet = merge.facet;
            if self.facets[facet].visible {
                continue;
            }
            self.facets[facet].degenerate = false;
            self.facets[facet].redundant = false;
            if merge.kind == MergeKind::Redundant {
                let target = self.replacement(merge.other)?;
                if target == NONE {
                    return Err(HullError::Topology("a redundant facet has no replacement"));
                }
                if target != facet {
                    self.merge_facet(facet, target, merge.kind, None, false)?;
                    merged = true;
                }
            } else if self.facets[facet].neighbors.is_empty() {
                self.delete_isolated(facet);
                merged = true;
            } else if self.facets[facet].neighbors.len() < MIN_NEIGHBORS {
                let best = self.best_neighbor(facet)?;
                self.merge_facet(facet, best.facet, merge.kind, Some(best.range), false)?;
                merged = true;
            }
        }
        Ok(merged)
    }

    /// Deletes a facet without neighbors.
    fn delete_isolated(&mut self, facet: u32) {
        self.retire_facet(facet, NONE);
        for k in 0..self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[k];
            self.vertices[vertex].neighbors.swap_delete(facet);
            if self.vertices[vertex].neighbors.is_empty() {
                self.delete_vertex(vertex);
            }
        }
    }
}
