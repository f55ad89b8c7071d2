//! Merge of new facets into horizon facets that are coplanar with the apex (qh_mergecycle_all,
//! qh_mergecycle).
//!
//! The new facets at the ridges between one visible facet and one horizon facet form a cycle,
//! which is merged at once.

use super::merge::MAX_MERGES;
use super::merge_queue::MergeKind;
use super::tolerance::MAX_NEW_CENTRUM;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Merges the new facets without planes; returns whether there were any.
    pub(super) fn merge_coplanar_horizon(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        let mut at = self.first_new();
        while let Some(facet) = at {
            let mut next = self.facet_after(facet);
            if !self.facets[facet].has_normal {
                let horizon = self.facets[facet].neighbors[0];
                if self.facets[facet].link == facet {
                    for k in [1, 2] {
                        let vertex = self.facets[facet].vertices[k];
                        self.vertices[vertex].deleted_ridge = true;
                    }
                    self.facets[horizon].link = NONE;
                    self.merge_facet(facet, horizon, MergeKind::CoplanarHorizon, None, true)?;
                } else {
                    let members = self.cycle(facet)?;
                    while let Some(f) = next
                        && members.contains(&f)
                    {
                        next = self.facet_after(f);
                    }
                    self.facets[horizon].link = NONE;
                    self.merge_cycle(&members, horizon)?;
                }
                merged = true;
            }
            at = next;
        }
        if merged {
            let mut at = self.first_new();
            while let Some(facet) = at {
                if self.facets[facet].coplanar_horizon {
                    self.test_redundant_neighbors(facet)?;
                    self.facets[facet].coplanar_horizon = false;
                }
                at = self.facet_after(facet);
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// The facets of a cycle, from the successor of `facet` to `facet`.
    fn cycle(&self, facet: u32) -> Result<Vec<u32>, HullError> {
        let mut members = Vec::new();
        let mut at = facet;
        loop {
            at = self.facets[at].link;
            if at == NONE || self.facets[at].visible || members.len() > self.facets.0.len() {
                return Err(HullError::Topology("facets of a cycle were deleted"));
            }
            members.push(at);
            if at == facet {
                return Ok(members);
            }
        }
    }

    /// Merges a cycle of new facets into their horizon facet.
    fn merge_cycle(&mut self, members: &[u32], horizon: u32) -> Result<(), HullError> {
        self.merges += 1;
        self.build_vertex_neighbors();
        let apex = self.facets[members[0]].vertices[0];
        self.make_ridges(horizon);
        let inside = self.merge_cycle_neighbors(members, horizon)?;
        self.merge_cycle_ridges(members, horizon, inside)?;
        self.merge_cycle_vertices(members, horizon, inside);
        if self.facets[horizon].vertices.first() != Some(&apex) {
            self.facets[horizon].vertices.insert(0, apex);
        }
        if !self.facets[horizon].new {
            self.renew_vertices(horizon);
        }
        self.move_to_end(horizon);
        for &member in members {
            self.retire_facet(member, horizon);
        }
        let h = &mut self.facets[horizon];
        h.new = true;
        h.simplicial = false;
        h.new_merge = true;
        if h.vertices.len() <= MAX_NEW_CENTRUM {
            h.centrum = None;
        }
        h.merges = (usize::from(h.merges) + members.len()).min(usize::from(MAX_MERGES)) as u16;
        Ok(())
    }

    /// Merges the neighbors; returns the visit number of the members.
    fn merge_cycle_neighbors(&mut self, members: &[u32], horizon: u32) -> Result<u32, HullError> {
        let inside = self.next_visit();
        for &member in members {
            self.facets[member].visit = inside;
        }
        let visit = self.next_visit();
        let mut neighbors = std::mem::take(&mut self.facets[horizon].neighbors);
        neighbors.retain(|n| self.facets[n].visit != inside);
        self.facets[horizon].visit = visit;
        for &neighbor in neighbors.iter() {
            self.facets[neighbor].visit = visit;
        }
        self.facets[horizon].neighbors = neighbors;
        for &member in members {
            for k in 0..self.facets[member].neighbors.len() {
                let neighbor = self.facets[member].neighbors[k];
                let n = &mut self.facets[neighbor];
                if n.visit == inside {
                    continue;
                }
                let known = std::mem::replace(&mut n.visit, visit) == visit;
                match (n.simplicial, known) {
                    (true, true) => {
                        self.make_ridges(neighbor);
                        self.facets[neighbor].neighbors.swap_delete(member);
                    }
                    (true, false) => {
                        self.facets[horizon].neighbors.push(neighbor);
                        self.replace_neighbor(neighbor, member, horizon)?;
                        let ridges = &self.facets[neighbor].ridges;
                        let of_member = |r: u32| {
                            self.ridges[r].top == member || self.ridges[r].bottom == member
                        };
                        if let Some(r) = ridges.iter().copied().find(|&r| of_member(r)) {
                            self.ridges[r].replace_facet(member, horizon);
                        }
                    }
                    (false, _) => {
                        n.neighbors.swap_delete(member);
                        if !known {
                            n.neighbors.push(horizon);
                            self.facets[horizon].neighbors.push(neighbor);
                        }
                    }
                }
            }
        }
        Ok(inside)
    }

    fn merge_cycle_ridges(
        &mut self,
        members: &[u32],
        horizon: u32,
        inside: u32,
    ) -> Result<(), HullError> {
        let mut ridges = std::mem::take(&mut self.facets[horizon].ridges);
        ridges.retain(|r| self.facets[self.ridges[r].other(horizon)].visit != inside);
        self.facets[horizon].ridges = ridges;
        for &member in members {
            for k in 0..self.facets[member].ridges.len() {
                let ridge = self.facets[member].ridges[k];
                let r = self.ridges[ridge];
                if r.top != member && r.bottom != member {
                    if r.top != horizon && r.bottom != horizon {
                        return Err(HullError::Topology("a ridge does not list its facet"));
                    }
                    self.facets[horizon].add_ridge(ridge);
                    continue;
                }
                self.ridges[ridge].replace_facet(member, horizon);
                let neighbor = r.other(member);
                if neighbor == horizon {
                    continue;
                }
                if self.facets[neighbor].visit == inside {
                    self.facets[neighbor].ridges.swap_delete(ridge);
                } else {
                    self.facets[horizon].add_ridge(ridge);
                }
            }
            self.facets[member].ridges.clear();
            if !self.facets[member].simplicial {
                continue;
            }
            for k in 0..self.facets[member].neighbors.len() {
                let n = &self.facets[self.facets[member].neighbors[k]];
                if n.visit != inside && n.simplicial {
                    self.create_ridge(member, k, horizon, false);
                }
            }
        }
        Ok(())
    }

    fn merge_cycle_vertices(&mut self, members: &[u32], horizon: u32, inside: u32) {
        self.facets[horizon].visit = inside;
        let mark = self.next_vertex_visit();
        let apex = self.facets[members[0]].vertices[0];
        self.vertices[apex].visit = mark;
        let mut vertices = Vec::new();
        for &member in members {
            for &vertex in self.facets[member].vertices.iter() {
                let v = &mut self.vertices[vertex];
                if v.visit != mark {
                    v.visit = mark;
                    vertices.push(vertex);
                }
            }
        }
        vertices.push(apex);
        for vertex in vertices {
            let v = &mut self.vertices[vertex];
            v.deleted_ridge = true;
            v.neighbors.retain(|f| self.facets[f].visit != inside);
            v.neighbors.push(horizon);
            if v.neighbors.len() < 2 {
                self.facets[horizon].vertices.delete(vertex);
                self.delete_vertex(vertex);
            }
        }
    }
}
