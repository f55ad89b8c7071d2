//! Search for the facet that a point is furthest above (qh_findbest, qh_findbestnew,
//! qh_findbesthorizon).

use super::{Builder, HullError, NONE};
use sim_core::math::vec3::Vec3;

/// Result of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) facet: u32,
    /// Signed distance of the point from the facet.
    pub(super) distance: f64,
    /// The point is outside the hull.
    pub(super) outside: bool,
}

/// Distance below that of any point.
const FAR_BELOW: f64 = -f64::MAX / 2.0;

impl Builder<'_> {
    /// Walks from `start` to neighbors of larger distance.
    ///
    /// With `only_new`, only new facets are visited. Unless `exhaustive`, any facet that the point
    /// is outside of is accepted.
    pub(super) fn find_best(
        &mut self,
        point: u32,
        start: u32,
        exhaustive: bool,
        only_new: bool,
    ) -> Result<Best, HullError> {
        let p = self.points[point as usize];
        let visit = self.next_visit();
        let accept = if exhaustive { f64::INFINITY } else { self.tolerance.min_outside };
        let (mut facet, mut distance) = (NONE, FAR_BELOW);
        if !self.facets[start].flipped {
            facet = start;
            distance = self.facets[start].distance(p);
            if distance >= accept {
                return Ok(Best { facet, distance, outside: true });
            }
        }
        self.facets[start].visit = visit;
        let mut at = start;
        while let Some((neighbor, d)) = self.better_neighbor(p, at, visit, distance, only_new) {
            (facet, distance) = (neighbor, d);
            if distance >= accept {
                return Ok(Best { facet, distance, outside: true });
            }
            at = neighbor;
        }
        let mut search_horizon = true;
        if only_new {
            let from = if facet == NONE {
                Some(self.facet_list.new)
            } else if !self.not_sharp && distance < -self.tolerance.dist_round {
                self.not_sharp = !self.new_facets_are_sharp();
                self.search_all_new |= !self.not_sharp;
                (!self.not_sharp).then_some(facet)
            } else {
                None
            };
            if let Some(from) = from {
                let best = self.find_best_new(point, from, exhaustive)?;
                (facet, distance) = (best.facet, best.distance);
                search_horizon = false;
            }
        }
        if facet == NONE {
            return Err(HullError::Topology("all facets near a point are flipped"));
        }
        if search_horizon {
            (facet, distance) = self.find_best_horizon::<false>(p, facet, distance);
        }
        Ok(Best { facet, distance, outside: distance >= self.tolerance.min_outside })
    }

    /// The first neighbor that has not been visited and is further below the point than `distance`.
    #[inline]
    fn better_neighbor(
        &mut self,
        p: Vec3,
        facet: u32,
        visit: u32,
        distance: f64,
        only_new: bool,
    ) -> Option<(u32, f64)> {
        for k in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[k];
            let n = &mut self.facets[neighbor];
            if (only_new && !n.new) || n.visit == visit {
                continue;
            }
            n.visit = visit;
            if !n.flipped {
                let d = n.distance(p);
                if d > distance {
                    return Some((neighbor, d));
                }
            }
        }
        None
    }

    /// Tests all facets from `start` to the end of the list, then the other new facets.
    pub(super) fn find_best_new(
        &mut self,
        point: u32,
        start: u32,
        exhaustive: bool,
    ) -> Result<Best, HullError> {
        let p = self.points[point as usize];
        let first = self.listed(start);
        if first.is_none() {
            return Err(HullError::Topology("all new facets were merged"));
        }
        let accept = if exhaustive {
            f64::INFINITY
        } else {
            self.tolerance.search_stop(self.merges, self.max_outside)
        };
        let visit = self.next_visit();
        let (mut best, mut distance) = (NONE, FAR_BELOW);
        for (from, second) in [(first, false), (self.first_new(), true)] {
            let mut at = from;
            while let Some(facet) = at {
                if second && facet == start {
                    break;
                }
                let f = &mut self.facets[facet];
                f.visit = visit;
                if !f.flipped {
                    let d = f.distance(p);
                    if d > distance {
                        (best, distance) = (facet, d);
                        if d >= accept {
                            return Ok(Best { facet, distance, outside: true });
                        }
                    }
                }
                at = self.facet_after(facet);
            }
        }
        let from = if best == NONE { start } else { best };
        let (facet, distance) = self.find_best_horizon::<false>(p, from, distance);
        Ok(Best { facet, distance, outside: distance >= self.tolerance.min_outside })
    }

    /// Searches the facets that are connected to `start` through facets of nearly the same
    /// distance. In `CHECK` mode also updates `max_outside` of the facets.
    pub(super) fn find_best_horizon<const CHECK: bool>(
        &mut self,
        p: Vec3,
        start: u32,
        distance: f64,
    ) -> (u32, f64) {
        let (mut best, mut distance) = (start, distance);
        let visit = self.next_visit();
        let width = self.tolerance.search_distance(self.merges, self.max_outside);
        let mut limit = distance - width;
        if CHECK {
            let f = &mut self.facets[start];
            if distance > f.max_outside {
                f.max_outside = distance;
            }
            if limit > -width {
                limit = -width;
            }
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        self.facets[start].visit = visit;
        let mut pending = NONE;
        let mut at = start;
        loop {
            let f = &self.facets[at];
            let wide = CHECK && f.merges > 10 && f.neighbors.len() > 100;
            let lowest = if wide { 5.0 * limit } else { limit };
            for k in 0..self.facets[at].neighbors.len() {
                let neighbor = self.facets[at].neighbors[k];
                let n = &mut self.facets[neighbor];
                if n.visit == visit {
                    continue;
                }
                n.visit = visit;
                if !n.flipped {
                    let d = n.distance(p);
                    if d > distance {
                        if !CHECK {
                            limit = d - width;
                            if d > distance + width {
                                stack.clear();
                            }
                        }
                        (best, distance) = (neighbor, d);
                    } else if d < if CHECK { lowest } else { limit } {
                        continue;
                    }
                    if CHECK && d > n.max_outside {
                        n.max_outside = d;
                    }
                }
                if pending != NONE {
                    stack.push(pending);
                }
                pending = neighbor;
            }
            if pending != NONE {
                at = std::mem::replace(&mut pending, NONE);
            } else if let Some(last) = stack.pop() {
                at = last;
            } else {
                break;
            }
        }
        self.stack = stack;
        (best, distance)
    }

    /// Whether the normals of the new facets are not all in one octant (qh_sharpnewfacets).
    fn new_facets_are_sharp(&self) -> bool {
        let octant = |facet: u32| self.facets[facet].normal.map(|x| x > 0.0);
        let Some(first) = self.first_new() else {
            return false;
        };
        let expected = octant(first);
        let mut at = self.facet_after(first);
        while let Some(facet) = at {
            if octant(facet) != expected {
                return true;
            }
            at = self.facet_after(facet);
        }
        false
    }
}
