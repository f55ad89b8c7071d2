//! Merging new facets that are not clearly convex with their neighbours.

use super::Builder;
use super::facets::Broken;
use sim_core::math::vec3::Vec3;

/// How two neighbours fail to be convex; coplanar ones are merged first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Flaw {
    Coplanar,
    Concave,
    ConcaveCoplanar,
}

/// Two facets to merge.
#[derive(Debug, Clone, Copy)]
struct Merge {
    flaw: Flaw,
    distance: f64,
    facets: [u32; 2],
}

/// The best neighbour to merge a facet into.
#[derive(Debug, Clone, Copy)]
struct Best {
    facet: u32,
    distance: f64,
    low: f64,
    high: f64,
}

/// Facets with many more corners than this are merged by their centre alone.
const MANY_CORNERS: u32 = 26;
/// The centre of a facet with more corners than this does not change with one more.
const SETTLED_CORNERS: u32 = 8;

impl Builder<'_> {
    /// Restores convexity among the new facets and their neighbours.
    pub(super) fn premerge(&mut self) -> Result<(), Broken> {
        if self.clearly_convex() {
            return Ok(());
        }
        // New facets in the plane of the facet behind the horizon become part of it.
        for facet in self.fresh.clone() {
            let base = self.facets.facets[facet as usize].edge;
            let horizon = self.facets.across(base);
            let f = &self.facets.facets[horizon as usize];
            let join = f.coplanar_horizon && f.alive && horizon != facet;
            if join && self.facets.facets[facet as usize].alive {
                self.absorb(facet, horizon)?;
            }
        }
        for facet in self.fresh.clone() {
            if self.facets.facets[facet as usize].alive
                && self.facets.facets[facet as usize].flipped
            {
                let best = self.best_neighbor(facet).ok_or(Broken)?;
                self.max_outside = self.max_outside.max(best.high);
                self.absorb(facet, best.facet)?;
            }
        }
        let mut rounds = 0;
        loop {
            let merges = self.flaws();
            if merges.is_empty() {
                break;
            }
            for merge in merges {
                let [a, b] = merge.facets;
                if self.facets.facets[a as usize].alive && self.facets.facets[b as usize].alive {
                    self.repair(a, b)?;
                }
            }
            rounds += 1;
            if rounds > self.facets.facets.len() {
                return Err(Broken);
            }
        }
        self.fresh.retain(|&f| self.facets.facets[f as usize].alive);
        Ok(())
    }

    /// Whether every new triangle is convex with its neighbours beyond doubt, the common case.
    fn clearly_convex(&self) -> bool {
        let limit = -2.0 * self.tolerance.round;
        let edge = |e: u32| self.facets.edges[e as usize];
        let all_simple = self.fresh.iter().all(|&facet| {
            let f = &self.facets.facets[facet as usize];
            let horizon = &self.facets.facets[self.facets.across(f.edge) as usize];
            !f.flipped && !horizon.merged && !horizon.coplanar_horizon
        });
        all_simple
            && self.fresh.iter().all(|&facet| {
                let base = self.facets.facets[facet as usize].edge;
                let (a, b) = (edge(base).origin, self.facets.destination(base));
                // The two neighbours in the ring, each with the corner it does not share.
                let next = self.facets.across(edge(base).next);
                let prev = self.facets.across(edge(base).prev);
                let beyond = edge(edge(edge(base).twin).prev).origin;
                self.facets.distance(self.point_of(a), next) < limit
                    && self.facets.distance(self.point_of(b), prev) < limit
                    && self.facets.distance(self.point_of(beyond), facet) < limit
            })
    }

    /// Merges `gone` into `keep`, which counts as new from now on.
    fn absorb(&mut self, gone: u32, keep: u32) -> Result<(), Broken> {
        self.merges += 1;
        let f = &mut self.facets.facets[keep as usize];
        if f.center.is_some() && f.degree > SETTLED_CORNERS {
            f.keep_center = true;
        } else if f.degree <= 3 {
            f.keep_center = false;
        }
        if !f.keep_center {
            f.center = None;
        }
        let mut lost = Vec::new();
        let dropped = self.facets.absorb(gone, keep, &mut lost)?;
        self.alive_vertices = self.alive_vertices.saturating_sub(dropped);
        self.visible.extend_from_slice(&lost);

        // The merged facet goes to the end of the list.
        self.facets.facets[keep as usize].tested = false;
        if self.facets.facets[keep as usize].fresh {
            self.fresh.retain(|&f| f != keep);
        }
        self.facets.facets[keep as usize].fresh = true;
        self.fresh.push(keep);
        Ok(())
    }

    /// Pairs of neighbours that are not convex, the harmless ones first.
    fn flaws(&mut self) -> Vec<Merge> {
        let mut found = Vec::new();
        let mut edges = std::mem::take(&mut self.edges);
        for i in 0..self.fresh.len() {
            let facet = self.fresh[i];
            let f = &mut self.facets.facets[facet as usize];
            if !f.alive || f.tested {
                continue;
            }
            f.tested = true;
            self.facets.edges_of(facet, &mut edges);
            self.visit += 1;
            for &e in &edges {
                let neighbor = self.facets.across(e);
                let visited = &mut self.facets.facets[neighbor as usize].visit;
                if std::mem::replace(visited, self.visit) == self.visit {
                    continue;
                }
                let dist = self.center_distance(facet, neighbor);
                let back = self.center_distance(neighbor, facet);
                let radius = self.tolerance.centrum;
                let concave = dist > radius || back > radius;
                let within = |d: f64| (-radius..=radius).contains(&d);
                let coplanar = within(dist) || within(back);
                let (flaw, distance) = match (concave, coplanar) {
                    (false, false) => continue,
                    (true, true) => (Flaw::ConcaveCoplanar, dist.max(back)),
                    (true, false) => (Flaw::Concave, dist.max(back)),
                    (false, true) => (Flaw::Coplanar, dist.abs().min(back.abs())),
                };
                let facets = if flaw == Flaw::ConcaveCoplanar && dist <= back {
                    [neighbor, facet]
                } else {
                    [facet, neighbor]
                };
                found.push(Merge { flaw, distance, facets });
            }
        }
        self.edges = edges;
        found.sort_by(|a, b| a.flaw.cmp(&b.flaw).then(a.distance.total_cmp(&b.distance)));
        found
    }

    /// Height of a facet's centre above another facet.
    fn center_distance(&mut self, facet: u32, above: u32) -> f64 {
        let center = match self.facets.facets[facet as usize].center {
            Some(center) => center,
            None => {
                let center = self.center(facet);
                self.facets.facets[facet as usize].center = Some(center);
                center
            }
        };
        self.facets.distance(center, above)
    }

    fn center(&mut self, facet: u32) -> Vec3 {
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

    /// Merges one of two facets into its best neighbour, whichever does less harm.
    fn repair(&mut self, a: u32, b: u32) -> Result<(), Broken> {
        let (new, other) = if self.facets.facets[a as usize].fresh { (a, b) } else { (b, a) };
        let first = self.best_neighbor(new).ok_or(Broken)?;
        let second = self.best_neighbor(other).ok_or(Broken)?;
        let spare_old = !self.facets.facets[other as usize].fresh
            && ((first.low >= -self.tolerance.min_visible && first.high <= self.max_outside)
                || first.distance * 1.5 < second.distance);
        let (gone, best) = if first.distance < second.distance || spare_old {
            (new, first)
        } else {
            (other, second)
        };
        self.max_outside = self.max_outside.max(best.high);
        self.absorb(gone, best.facet)
    }

    /// The neighbour whose plane is nearest to a facet's corners.
    fn best_neighbor(&mut self, facet: u32) -> Option<Best> {
        let mut edges = std::mem::take(&mut self.edges);
        self.facets.edges_of(facet, &mut edges);
        let by_center = self.facets.facets[facet as usize].degree > MANY_CORNERS;
        let mut best: Option<Best> = None;
        for &e in &edges {
            let neighbor = self.facets.across(e);
            if neighbor == facet {
                continue;
            }
            let (low, high, distance) = if by_center {
                let d = 3.0 * self.center_distance(facet, neighbor);
                (d.min(0.0), d.max(0.0), d.abs())
            } else {
                self.spread(&edges, neighbor)
            };
            if best.is_none_or(|b| distance < b.distance) {
                best = Some(Best { facet: neighbor, distance, low, high });
            }
        }
        if by_center && let Some(b) = &mut best {
            (b.low, b.high, _) = self.spread(&edges, b.facet);
        }
        self.edges = edges;
        best
    }

    /// Lowest and highest corner of some edges above a facet, and the larger of the two in size.
    fn spread(&self, edges: &[u32], facet: u32) -> (f64, f64, f64) {
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
