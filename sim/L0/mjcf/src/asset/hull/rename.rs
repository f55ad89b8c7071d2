//! Removal of vertices that became redundant by merges (qh_reducevertices,
//! qh_rename_sharedvertex, qh_renamevertex).
//!
//! A vertex in the middle of the edge between two merged facets is replaced by an end of the edge.

use super::{Builder, HullError};
use crate::asset::hull::arena::Ridge;

impl Builder<'_> {
    /// Removes redundant vertices of merged facets; returns whether degenerate facets were merged,
    /// so that the new facets must be tested again.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_degenerate()?;
        while self.remove_extra_vertices()? || self.rename_vertices()? {
            merged = true;
        }
        let mut at = self.first_new_vertex();
        while let Some(vertex) = at {
            let v = &mut self.vertices[vertex];
            if !v.deleted {
                v.deleted_ridge = false;
            }
            at = Some(v.next).filter(|&next| next != super::lists::TAIL);
        }
        Ok(merged)
    }

    /// Removes vertices without ridges from merged facets; returns true after a merge of degenerate
    /// facets, which stops the traversal.
    fn remove_extra_vertices(&mut self) -> Result<bool, HullError> {
        let mut at = self.first_new();
        while let Some(facet) = at {
            if self.facets[facet].new_merge && self.remove_vertices_without_ridge(facet) {
                self.test_degenerate(facet)?;
                if self.merge_degenerate()? {
                    return Ok(true);
                }
            }
            at = self.facet_after(facet);
        }
        Ok(false)
    }

    fn remove_vertices_without_ridge(&mut self, facet: u32) -> bool {
        let f = &self.facets[facet];
        if f.simplicial {
            return false;
        }
        for &vertex in f.vertices.iter() {
            self.vertices[vertex].seen = false;
        }
        for &ridge in f.ridges.iter() {
            for vertex in self.ridges[ridge].vertices {
                self.vertices[vertex].seen = true;
            }
        }
        let mut removed = false;
        let mut k = 0;
        while let Some(&vertex) = self.facets[facet].vertices.get(k) {
            if self.vertices[vertex].seen {
                k += 1;
                continue;
            }
            removed = true;
            self.facets[facet].vertices.remove(k);
            self.vertices[vertex].neighbors.swap_delete(facet);
            if self.vertices[vertex].neighbors.is_empty() {
                self.delete_vertex(vertex);
            }
        }
        removed
    }

    /// Renames redundant vertices of merged facets; returns true after a merge of degenerate
    /// facets, which stops the traversal.
    fn rename_vertices(&mut self) -> Result<bool, HullError> {
        let mut at = self.first_new();
        while let Some(facet) = at {
            if std::mem::replace(&mut self.facets[facet].new_merge, false) {
                let mut k = 0;
                while let Some(&vertex) = self.facets[facet].vertices.get(k) {
                    if !self.vertices[vertex].deleted_ridge
                        || !self.rename_shared_vertex(vertex, facet)?
                    {
                        k += 1;
                    } else if self.merge_degenerate()? {
                        return Ok(true);
                    }
                }
            }
            at = self.facet_after(facet);
        }
        Ok(false)
    }

    /// Renames a vertex with two facets to another vertex that they share, if there is one.
    fn rename_shared_vertex(&mut self, vertex: u32, facet: u32) -> Result<bool, HullError> {
        let other = match *self.vertices[vertex].neighbors {
            [one, other] if one == facet => other,
            [other, _] => other,
            _ => return Ok(false),
        };
        let (f, o) = (&self.facets[facet], &self.facets[other]);
        let contains = |r: &Ridge| r.other(facet) == other && r.vertices.contains(&vertex);
        let ridges: Vec<u32> =
            f.ridges.iter().copied().filter(|&r| contains(&self.ridges[r])).collect();
        // Both lists are sorted, newest first.
        let mut rest = o.vertices.iter().copied().peekable();
        let mut shared = |v: u32| {
            while rest.next_if(|&w| w > v).is_some() {}
            rest.peek() == Some(&v)
        };
        let mut candidates: Vec<u32> = f.vertices.iter().copied().filter(|&v| shared(v)).collect();
        if let Some(at) = candidates.iter().position(|&v| v == vertex) {
            candidates.swap_remove(at);
        }
        let Some(target) = self.find_new_vertex(vertex, candidates, &ridges) else {
            return Ok(false);
        };
        self.rename_vertex(vertex, target, &ridges, facet)?;
        Ok(true)
    }

    /// The vertex to which `vertex` can be renamed without two ridges between the same vertices
    /// (qh_find_newvertex).
    fn find_new_vertex(
        &mut self,
        vertex: u32,
        mut candidates: Vec<u32>,
        ridges: &[u32],
    ) -> Option<u32> {
        for &candidate in &candidates {
            let contains = |&&r: &&u32| self.ridges[r].vertices.contains(&candidate);
            let count = ridges.iter().filter(contains).count();
            self.vertices[candidate].ridge_count = count as u32;
        }
        let mut k = 0;
        while let Some(&candidate) = candidates.get(k) {
            if self.vertices[candidate].ridge_count == 0 {
                candidates.swap_remove(k);
            } else {
                k += 1;
            }
        }
        candidates.sort_by_key(|&v| self.vertices[v].ridge_count);
        candidates.into_iter().find(|&candidate| {
            let found = self.ridges_of_vertex(candidate);
            !found.iter().any(|&r| {
                let end = other_end(&self.ridges[r], candidate);
                ridges.iter().any(|&s| s != r && other_end(&self.ridges[s], vertex) == end)
            })
        })
    }

    /// Ridges of a vertex (qh_vertexridges).
    fn ridges_of_vertex(&mut self, vertex: u32) -> Vec<u32> {
        let visit = self.next_visit();
        for &facet in self.vertices[vertex].neighbors.iter() {
            self.facets[facet].visit = visit;
        }
        let mut found = Vec::new();
        let neighbors = &self.vertices[vertex].neighbors;
        for &facet in &neighbors[..neighbors.len().saturating_sub(1)] {
            for &ridge in self.facets[facet].ridges.iter() {
                let r = &self.ridges[ridge];
                if self.facets[r.other(facet)].visit == visit && r.vertices.contains(&vertex) {
                    found.push(ridge);
                }
            }
            self.facets[facet].visit = 0;
        }
        found
    }

    /// Replaces `old`, a vertex with two facets, by `new` in `ridges`.
    fn rename_vertex(
        &mut self,
        old: u32,
        new: u32,
        ridges: &[u32],
        facet: u32,
    ) -> Result<(), HullError> {
        for &ridge in ridges {
            if self.rename_ridge_vertex(ridge, old, new) {
                self.check_renamed_ridge(ridge, new)?;
            }
        }
        for k in 0..self.vertices[old].neighbors.len() {
            let neighbor = self.vertices[old].neighbors[k];
            self.facets[neighbor].vertices.delete(old);
            self.test_degenerate(neighbor)?;
        }
        self.delete_vertex(old);
        self.test_degenerate(facet)
    }

    /// Replaces a vertex of a ridge. Deletes the ridge and returns false if it contains both.
    fn rename_ridge_vertex(&mut self, ridge: u32, old: u32, new: u32) -> bool {
        let r = &mut self.ridges[ridge];
        let before = usize::from(r.vertices[1] == old);
        let end = r.vertices[1 - before];
        if end == new {
            r.vertices = [new; 2];
            if r.nonconvex {
                self.pass_on_nonconvex(ridge);
            }
            self.delete_ridge(ridge);
            return false;
        }
        let after = usize::from(end > new);
        r.vertices[after] = new;
        r.vertices[1 - after] = end;
        if before != after {
            std::mem::swap(&mut r.top, &mut r.bottom);
        }
        true
    }

    /// Checks that a renamed ridge is the only one between its vertices (qh_maybe_duplicateridge).
    fn check_renamed_ridge(&self, ridge: u32, new: u32) -> Result<(), HullError> {
        let r = &self.ridges[ridge];
        let degenerate = |facet: u32| {
            let f = &self.facets[facet];
            f.vertices.len() < 3
                || (f.vertices.len() == 3 && !f.simplicial && f.vertices.contains(&new))
        };
        if degenerate(r.top) || degenerate(r.bottom) {
            return Ok(());
        }
        for facet in [r.top, r.bottom] {
            let f = &self.facets[facet];
            let duplicate = |&s: &u32| s != ridge && self.ridges[s].vertices == r.vertices;
            if !f.simplicial && f.merges > 0 && f.ridges.iter().any(duplicate) {
                return Err(HullError::Topology("two ridges connect the same vertices"));
            }
        }
        Ok(())
    }
}

fn other_end(ridge: &Ridge, vertex: u32) -> u32 {
    if ridge.vertices[0] == vertex { ridge.vertices[1] } else { ridge.vertices[0] }
}
