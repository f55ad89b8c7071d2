//! Adding a point to the hull: visible facets, horizon and the sequence of steps (qh_addpoint,
//! qh_findhorizon).

use super::tolerance::many_merges;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Adds `point`, which is in the outside set of `facet`, to the hull.
    pub(super) fn add_point(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.outside_bound = self.tolerance.outside_bound(self.max_outside);
        self.find_horizon(point, facet)?;
        self.build_cone(point)?;
        self.merge_new_facets()?;
        self.search_all_new = many_merges(self.merges) || self.has_merged_new_facet();
        self.partition_visible()?;
        self.search_all_new = false;
        self.not_sharp = false;
        self.delete_visible();
        self.reset_lists();
        Ok(())
    }

    fn has_merged_new_facet(&self) -> bool {
        let mut at = self.first_new();
        while let Some(facet) = at {
            if !self.facets[facet].simplicial {
                return true;
            }
            at = self.facet_after(facet);
        }
        false
    }

    /// Moves the facets visible from the point to the end of the list, in breadth-first order, and
    /// marks the horizon facets that are coplanar with the point.
    fn find_horizon(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        let p = self.points[point as usize];
        let tolerance = self.tolerance;
        self.move_to_end(facet);
        self.facet_list.visible = facet;
        self.facet_list.visible_count = 1;
        self.facets[facet].visible = true;
        self.facets[facet].link = NONE;
        let visit = self.next_visit();
        let mut has_horizon = false;
        let mut at = Some(facet);
        while let Some(visible) = at {
            self.facets[visible].visit = visit;
            for k in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[k];
                let n = &mut self.facets[neighbor];
                if n.visit == visit {
                    continue;
                }
                n.visit = visit;
                let distance = n.distance(p);
                if distance > tolerance.min_visible {
                    n.visible = true;
                    n.link = NONE;
                    self.move_to_end(neighbor);
                    self.facet_list.visible_count += 1;
                    continue;
                }
                has_horizon = true;
                n.coplanar_horizon = distance >= -tolerance.max_coplanar;
                if n.coplanar_horizon && distance > 0.0 {
                    n.max_outside = n.max_outside.max(distance);
                    self.max_outside = self.max_outside.max(distance);
                } else if n.coplanar_horizon {
                    self.min_vertex = self.min_vertex.min(distance);
                }
            }
            at = self.visible_after(visible);
        }
        if has_horizon { Ok(()) } else { Err(HullError::Topology("a point is above all facets")) }
    }

    /// Deletes the visible facets and the deleted vertices (qh_deletevisible).
    fn delete_visible(&mut self) {
        while let Some(facet) = self.first_visible() {
            self.delete_facet(facet);
        }
        self.facet_list.visible_count = 0;
        for i in 0..self.deleted_vertices.len() {
            let vertex = self.deleted_vertices[i];
            self.remove_vertex(vertex);
        }
        self.deleted_vertices.clear();
    }
}
