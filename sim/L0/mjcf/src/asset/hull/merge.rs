//! Merging of new facets that are coplanar or concave with a neighbor (qh_premerge).

use super::Builder;
use super::facets::TopologyError;
use sim_core::math::vec3::Vec3;

/// Type of non-convexity of two neighbors; coplanar ones are merged first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MergeKind {
    Coplanar,
    Concave,
    ConcaveCoplanar,
}

/// A pair of facets to merge.
#[derive(Debug, Clone, Copy)]
struct Merge {
    kind: MergeKind,
    distance: f64,
    facets: [u32; 2],
}

/// Best neighbor to merge a facet into.
#[derive(Debug, Clone, Copy)]
struct Best {
    facet: u32,
    distance: f64,
    low: f64,
    high: f64,
}

/// Facets with more vertices than this are tested by their centrum alone.
const MAX_VERTEX_TEST: u32 = 26;
/// Facets with more vertices than this keep their centrum when merged.
const MAX_NEW_CENTRUM: u32 = 8;

impl Builder<'_> {
    /// Restores convexity of the new facets and their neighbors.
    pub(super) fn premerge(&mut self) -> Result<(), TopologyError> {
        if self.is_convex_simplicial() {
            return Ok(());
        }
        // Merge new facets into their coplanar horizon facets.
        for facet in self.new_facets.clone() {
            let base = self.facets.facets[facet as usize].edge;
            let horizon = self.facets.neighbor(base);
            let f = &self.facets.facets[horizon as usize];
            let join = f.coplanar_horizon && f.alive && horizon != facet;
            if join && self.facets.facets[facet as usize].alive {
                self.merge_facet(facet, horizon)?;
            }
        }
        for facet in self.new_facets.clone() {
            if self.facets.facets[facet as usize].alive
                && self.facets.facets[facet as usize].flipped
            {
                let best = self.best_neighbor(facet).ok_or(TopologyError)?;
                self.max_outside = self.max_outside.max(best.high);
                self.merge_facet(facet, best.facet)?;
            }
        }
        let mut rounds = 0;
        loop {
            let merges = self.nonconvex_pairs();
            if merges.is_empty() {
                break;
            }
            for merge in merges {
                let [a, b] = merge.facets;
                if self.facets.facets[a as usize].alive && self.facets.facets[b as usize].alive {
                    self.merge_nonconvex(a, b)?;
                }
            }
            rounds += 1;
            if rounds > self.facets.facets.len() {
                return Err(TopologyError);
            }
        }
        self.new_facets.retain(|&f| self.facets.facets[f as usize].alive);
        Ok(())
    }

    /// Whether every new facet is clearly convex with its neighbors, which is the common case.
    fn is_convex_simplicial(&self) -> bool {
        let limit = -2.0 * self.tolerance.round;
        let edge = |e: u32| self.facets.edges[e as usize];
        let all_simple = self.new_facets.iter().all(|&facet| {
            let f = &self.facets.facets[facet as usize];
            let horizon = &self.facets.facets[self.facets.neighbor(f.edge) as usize];
            !f.flipped && !horizon.merged && !horizon.coplanar_horizon
        });
        all_simple
            && self.new_facets.iter().all(|&facet| {
                let base = self.facets.facets[facet as usize].edge;
                let (a, b) = (edge(base).origin, self.facets.destination(base));
                // The two adjacent new facets, each with the vertex that is not shared.
                let next = self.facets.neighbor(edge(base).next);
                let prev = self.facets.neighbor(edge(base).prev);
                let beyond = edge(edge(edge(base).twin).prev).origin;
                self.facets.distance(self.point_of(a), next) < limit
                    && self.facets.distance(self.point_of(b), prev) < limit
                    && self.facets.distance(self.point_of(beyond), facet) < limit
            })
    }

    /// Merges `gone` into `keep`, which becomes a new facet.
    fn merge_facet(&mut self, gone: u32, keep: u32) -> Result<(), TopologyError> {
        self.merges += 1;
        let f = &mut self.facets.facets[keep as usize];
        if f.centrum.is_some() && f.degree > MAX_NEW_CENTRUM {
            f.keep_centrum = true;
        } else if f.degree <= 3 {
            f.keep_centrum = false;
        }
        if !f.keep_centrum {
            f.centrum = None;
        }
        let mut lost = Vec::new();
        let dropped = self.facets.merge_facet(gone, keep, &mut lost)?;
        self.alive_vertices = self.alive_vertices.saturating_sub(dropped);
        self.visible.extend_from_slice(&lost);

        // The merged facet moves to the end of the list of new facets.
        self.facets.facets[keep as usize].tested = false;
        if self.facets.facets[keep as usize].newfacet {
            self.new_facets.retain(|&f| f != keep);
        }
        self.facets.facets[keep as usize].newfacet = true;
        self.new_facets.push(keep);
        Ok(())
    }

    /// Pairs of non-convex neighbors, sorted by type and distance.
    fn nonconvex_pairs(&mut self) -> Vec<Merge> {
        let mut found = Vec::new();
        let mut edges = std::mem::take(&mut self.edges);
        for i in 0..self.new_facets.len() {
            let facet = self.new_facets[i];
            let f = &mut self.facets.facets[facet as usize];
            if !f.alive || f.tested {
                continue;
            }
            f.tested = true;
            self.facets.edges_of(facet, &mut edges);
            self.visit += 1;
            for &e in &edges {
                let neighbor = self.facets.neighbor(e);
                let visited = &mut self.facets.facets[neighbor as usize].visit;
                if std::mem::replace(visited, self.visit) == self.visit {
                    continue;
                }
                let dist = self.centrum_distance(facet, neighbor);
                let back = self.centrum_distance(neighbor, facet);
                let radius = self.tolerance.centrum;
                let concave = dist > radius || back > radius;
                let within = |d: f64| (-radius..=radius).contains(&d);
                let coplanar = within(dist) || within(back);
                let (kind, distance) = match (concave, coplanar) {
                    (false, false) => continue,
                    (true, true) => (MergeKind::ConcaveCoplanar, dist.max(back)),
                    (true, false) => (MergeKind::Concave, dist.max(back)),
                    (false, true) => (MergeKind::Coplanar, dist.abs().min(back.abs())),
                };
                let facets = if kind == MergeKind::ConcaveCoplanar && dist <= back {
                    [neighbor, facet]
                } else {
                    [facet, neighbor]
                };
                found.push(Merge { kind, distance, facets });
            }
        }
        self.edges = edges;
        found.sort_by(|a, b| a.kind.cmp(&b.kind).then(a.distance.total_cmp(&b.distance)));
        found
    }

    /// Distance of a facet's centrum from another facet's plane.
    fn centrum_distance(&mut self, facet: u32, above: u32) -> f64 {
        let centrum = match self.facets.facets[facet as usize].centrum {
            Some(centrum) => centrum,
            None => {
                let centrum = self.centrum(facet);
                self.facets.facets[facet as usize].centrum = Some(centrum);
                centrum
            }
        };
        self.facets.distance(centrum, above)
    }

    fn centrum(&mut self, facet: u32) -> Vec3 {
        let mut corners = std::mem::take(&mut self.stack);
        self.facets.corners_of(facet, &mut corners);
        let count = corners.len() as f64;
        let mut sum = [0.0; 3];
        for &v in &corners {
            let p = self.point_of(v);
            for k in 0..3 {
                sum[k] += p[k];
            }
        }
        self.stack = corners;
        let mean = sum.map(|x| x / count);
        let height = self.facets.distance(mean, facet);
        let n = self.facets.facets[facet as usize].normal;
        std::array::from_fn(|k| mean[k] - height * n[k])
    }

    /// Merges one of two facets into its best neighbor, choosing the smaller distance.
    fn merge_nonconvex(&mut self, a: u32, b: u32) -> Result<(), TopologyError> {
        let (new, other) = if self.facets.facets[a as usize].newfacet { (a, b) } else { (b, a) };
        let first = self.best_neighbor(new).ok_or(TopologyError)?;
        let second = self.best_neighbor(other).ok_or(TopologyError)?;
        let merge_new = !self.facets.facets[other as usize].newfacet
            && ((first.low >= -self.tolerance.min_visible && first.high <= self.max_outside)
                || first.distance * 1.5 < second.distance);
        let (gone, best) = if first.distance < second.distance || merge_new {
            (new, first)
        } else {
            (other, second)
        };
        self.max_outside = self.max_outside.max(best.high);
        self.merge_facet(gone, best.facet)
    }

    /// The neighbor whose plane is closest to a facet's vertices.
    fn best_neighbor(&mut self, facet: u32) -> Option<Best> {
        let mut edges = std::mem::take(&mut self.edges);
        self.facets.edges_of(facet, &mut edges);
        let by_center = self.facets.facets[facet as usize].degree > MAX_VERTEX_TEST;
        let mut best: Option<Best> = None;
        for &e in &edges {
            let neighbor = self.facets.neighbor(e);
            if neighbor == facet {
                continue;
            }
            let (low, high, distance) = if by_center {
                let d = 3.0 * self.centrum_distance(facet, neighbor);
                (d.min(0.0), d.max(0.0), d.abs())
            } else {
                self.corner_distances(&edges, neighbor)
            };
            if best.is_none_or(|b| distance < b.distance) {
                best = Some(Best { facet: neighbor, distance, low, high });
            }
        }
        if by_center && let Some(b) = &mut best {
            (b.low, b.high, _) = self.corner_distances(&edges, b.facet);
        }
        self.edges = edges;
        best
    }

    /// Minimum and maximum distance of the vertices of `edges` from a facet, and the larger
    /// magnitude.
    fn corner_distances(&self, edges: &[u32], facet: u32) -> (f64, f64, f64) {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for &e in edges {
            let v = self.facets.edges[e as usize].origin;
            let d = self.facets.distance(self.point_of(v), facet);
            low = low.min(d);
            high = high.max(d);
        }
        (low, high, high.max(-low))
    }
}
