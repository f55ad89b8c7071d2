//! Assignment of points to the outside sets and coplanar sets of facets (qh_partitionall,
//! qh_partitionvisible, qh_partitionpoint, qh_partitioncoplanar).

use super::search::Best;
use super::{Builder, HullError, NONE};

/// Multiple of the bound on outside distances beyond which a coplanar point becomes an outside
/// point again.
const REPARTITION_RATIO: f64 = 30.0;

impl Builder<'_> {
    /// Assigns all points but the vertices of the initial simplex.
    pub(super) fn partition_all(&mut self, corners: &[u32; 4]) -> Result<(), HullError> {
        let mut rest: Vec<u32> =
            (0..self.points.len() as u32).filter(|point| !corners.contains(point)).collect();
        let least = self.tolerance.search_stop(self.merges, self.max_outside);
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &mut self.facets[facet];
            let mut best = NONE;
            let mut furthest = 0.0;
            let mut kept = 0;
            for i in 0..rest.len() {
                let point = rest[i];
                let distance = f.distance(self.points[point as usize]);
                if distance < least {
                    rest[kept] = point;
                    kept += 1;
                    continue;
                }
                self.outside_count += 1;
                if best == NONE {
                    (best, furthest) = (point, distance);
                } else if distance > furthest {
                    f.outside.push(best);
                    (best, furthest) = (point, distance);
                } else {
                    f.outside.push(point);
                }
            }
            if best != NONE {
                f.outside.push(best);
                f.furthest = furthest;
            }
            rest.truncate(kept);
            at = self.facet_after(facet);
        }
        self.search_all_new = true;
        for point in rest {
            self.partition_point(point, self.facet_list.head)?;
        }
        self.search_all_new = false;
        Ok(())
    }

    /// Assigns the points of visible facets and of deleted vertices to the new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        let mut at = self.first_visible();
        while let Some(visible) = at {
            let f = &mut self.facets[visible];
            if !f.outside.is_empty() || !f.coplanar.is_empty() {
                let outside = std::mem::take(&mut f.outside);
                let coplanar = std::mem::take(&mut f.coplanar);
                let mut start = self.replacement(visible)?;
                if start == NONE {
                    start = self.facet_list.new;
                }
                if self.listed(start).is_none() {
                    return Err(HullError::Topology("all new facets were merged"));
                }
                self.outside_count -= outside.len() as isize;
                for &point in &outside {
                    self.partition_point(point, start)?;
                }
                for &point in &coplanar {
                    self.partition_coplanar(point, start, None, self.search_all_new)?;
                }
                // The memory of the sets is reused with the facet.
                self.facets[visible].outside = outside;
                self.facets[visible].coplanar = coplanar;
            }
            at = self.visible_after(visible);
        }
        for i in 0..self.deleted_vertices.len() {
            let vertex = self.deleted_vertices[i];
            if !self.vertices[vertex].partitioned {
                if self.first_new().is_none() {
                    return Err(HullError::Topology("all new facets were merged"));
                }
                let point = self.vertices[vertex].point;
                self.partition_coplanar(point, self.facet_list.new, None, true)?;
                self.vertices[vertex].partitioned = true;
            }
        }
        Ok(())
    }

    /// Assigns a point to the outside set or coplanar set of its best facet.
    pub(super) fn partition_point(&mut self, point: u32, start: u32) -> Result<(), HullError> {
        let best = if self.search_all_new {
            self.find_best_new(point, start, false)?
        } else {
            self.find_best(point, start, false, true)?
        };
        if self.facets[best.facet].visible {
            return Err(HullError::Topology("a point is above a deleted facet"));
        }
        let near = best.distance >= -self.tolerance.near_inside;
        if best.outside || (self.narrow && near) {
            self.add_outside(point, best);
        } else if near {
            self.partition_coplanar(point, best.facet, Some(best.distance), self.search_all_new)?;
        }
        Ok(())
    }

    /// Adds a point to the outside set of a facet, and the facet to those to be processed.
    fn add_outside(&mut self, point: u32, best: Best) {
        let min_outside = self.tolerance.min_outside;
        let f = &mut self.facets[best.facet];
        let mut newly_outside = false;
        if f.outside.is_empty() {
            f.outside.push(point);
            newly_outside = !self.narrow || best.distance > min_outside;
            f.furthest = best.distance;
        } else if f.furthest < best.distance {
            f.outside.push(point);
            newly_outside = self.narrow && f.furthest < min_outside && best.distance >= min_outside;
            f.furthest = best.distance;
        } else {
            f.outside.insert(f.outside.len() - 1, point);
        }
        self.outside_count += 1;
        if !newly_outside || self.facet_list.next == best.facet {
            return;
        }
        if f.new {
            if self.facets[self.facet_list.next].new {
                self.facet_list.next = self.facet_list.new;
            }
        } else {
            self.move_to_end(best.facet);
            if self.facet_list.new != NONE {
                self.facets[best.facet].new = true;
            }
        }
    }

    /// Adds a point to the coplanar set of its best facet, at `distance` from `facet` if known.
    ///
    /// A point that is far above the facet is partitioned as an outside point instead.
    pub(super) fn partition_coplanar(
        &mut self,
        point: u32,
        facet: u32,
        distance: Option<f64>,
        all_new: bool,
    ) -> Result<(), HullError> {
        self.had_coplanar = true;
        let (best, above) = if let Some(distance) = distance {
            (facet, distance)
        } else {
            let best = if all_new {
                self.find_best_new(point, facet, true)?
            } else {
                self.find_best(point, facet, true, false)?
            };
            if best.distance < -self.tolerance.near_inside {
                self.repartitioned = NONE;
                return Ok(());
            }
            (best.facet, best.distance)
        };
        if self.facets[best].visible {
            return Err(HullError::Topology("a point is coplanar with a deleted facet"));
        }
        if above > self.max_outside {
            let mut repartition =
                distance.is_none() && facet != best && self.cosine(facet, best) < 0.0;
            if !repartition && above > self.outside_bound * REPARTITION_RATIO {
                if facet == best {
                    if self.repartitioned == facet {
                        return Err(HullError::Topology("a point is repartitioned repeatedly"));
                    }
                    self.repartitioned = facet;
                }
                repartition = true;
            }
            if repartition {
                let search_all_new = std::mem::replace(&mut self.search_all_new, false);
                self.partition_point(point, best)?;
                self.search_all_new = search_all_new;
                self.repartitioned = NONE;
                return Ok(());
            }
            self.repartitioned = NONE;
            self.max_outside = above;
        }
        let p = |point: u32| self.points[point as usize];
        let f = &mut self.facets[best];
        match f.coplanar.last().map(|&last| f.distance(p(last))) {
            Some(nearest) if nearest >= above => f.coplanar.insert(f.coplanar.len() - 1, point),
            _ => f.coplanar.push(point),
        }
        Ok(())
    }
}
