//! Check of the finished hull: no point may be far above it and no vertex far below a facet
//! (qh_outcoplanar, qh_check_maxout).

use super::lists::TAIL;
use super::tolerance::WIDE_RATIO;
use super::{Builder, HullError, NONE};

impl Builder<'_> {
    /// Makes the remaining outside points of a narrow hull coplanar points.
    pub(super) fn outside_to_coplanar(&mut self) -> Result<(), HullError> {
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let mut k = 0;
            while let Some(&point) = self.facets[facet].outside.get(k) {
                k += 1;
                self.outside_count -= 1;
                let distance = self.facets[facet].distance(self.points[point as usize]);
                self.partition_coplanar(point, facet, Some(distance), self.search_all_new)?;
            }
            self.facets[facet].outside.clear();
            at = self.facet_after(facet);
        }
        Ok(())
    }

    /// Checks the distances of all vertices and coplanar points.
    ///
    /// A hull without merges and coplanar points is convex beyond rounding errors.
    pub(super) fn check_distances(&mut self) -> Result<(), HullError> {
        if self.all_clearly_convex && !self.had_coplanar {
            return Ok(());
        }
        let one_merge = self.tolerance.one_merge;
        let bound = one_merge + self.tolerance.dist_round;
        let vertex_base = self.min_vertex.min(-bound);
        let outside_base = self.max_outside.max(bound);
        if self.has_vertex_neighbors {
            self.min_vertex = self.lowest_vertex();
        }
        self.max_outside = self.highest_point();
        let wide = one_merge * WIDE_RATIO * 10.0;
        let failed = if self.max_outside / outside_base > WIDE_RATIO {
            true
        } else if outside_base > wide {
            self.max_outside > wide
        } else if self.min_vertex / vertex_base > WIDE_RATIO {
            true
        } else {
            vertex_base < -wide && self.min_vertex < -wide
        };
        if failed { Err(HullError::Wide) } else { Ok(()) }
    }

    /// Smallest distance of a vertex from its facets, at most 0.
    fn lowest_vertex(&self) -> f64 {
        let mut lowest = 0.0;
        let mut vertex = self.vertex_list.head;
        while vertex != TAIL {
            let p = self.vertex_point(vertex);
            for &facet in self.vertices[vertex].neighbors.iter() {
                let distance = self.facets[facet].distance(p);
                if distance < lowest {
                    lowest = distance;
                }
            }
            vertex = self.vertices[vertex].next;
        }
        lowest
    }

    /// Largest distance of a vertex or coplanar point from its best facet, at least 0.
    fn highest_point(&mut self) -> f64 {
        let facet_of = self.facets_of_points();
        let mut highest = 0.0;
        for (point, &facet) in facet_of.iter().enumerate() {
            if facet != NONE {
                let p = self.points[point];
                let distance = self.facets[facet].distance(p);
                let (_, distance) = self.find_best_horizon::<true>(p, facet, distance);
                if distance >= highest {
                    highest = distance;
                }
            }
        }
        if highest > self.tolerance.dist_round {
            let mut at = self.first_facet();
            while let Some(facet) = at {
                highest = highest.max(self.facets[facet].max_outside);
                at = self.facet_after(facet);
            }
        }
        highest
    }

    /// The facet of each vertex and coplanar point, or null.
    fn facets_of_points(&mut self) -> Vec<u32> {
        let mut facet_of = vec![NONE; self.points.len()];
        let mark = self.next_vertex_visit();
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            for &vertex in f.vertices.iter() {
                let v = &mut self.vertices[vertex];
                if std::mem::replace(&mut v.visit, mark) != mark {
                    facet_of[v.point as usize] = facet;
                }
            }
            for &point in f.coplanar.iter().chain(&f.outside) {
                facet_of[point as usize] = facet;
            }
            at = self.facet_after(facet);
        }
        facet_of
    }
}
