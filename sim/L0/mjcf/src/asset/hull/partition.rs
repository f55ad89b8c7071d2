//! Partitioning of points into outside sets (qh_partitionall, qh_partitionvisible).

use super::{Builder, HullError, NONE};

/// Number of merges after which all new facets are searched.
const MANY_MERGES: usize = 50;

impl Builder<'_> {
    /// Assigns every point to the outside set of a facet of the initial simplex.
    pub(super) fn partition_all(&mut self) {
        let mut rest: Vec<u32> = (0..self.points.len() as u32).collect();
        for v in &self.facets.vertices {
            rest[v.point as usize] = NONE;
        }
        rest.retain(|&p| p != NONE);
        let far = 2.0 * self.tolerance.min_outside;
        for facet in 0..4 {
            rest.retain(|&point| {
                let distance = self.facets.distance(self.points[point as usize], facet);
                if distance < far {
                    return true;
                }
                let f = &mut self.facets.facets[facet as usize];
                append_outside(&mut f.outside, &mut f.furthest, point, distance);
                false
            });
        }
        self.new_facets = vec![0, 1, 2, 3];
        for point in rest {
            let (facet, distance) = self.find_best_new(point, 0);
            self.partition_point(point, facet, distance);
        }
        self.new_facets.clear();
        // The facet with the overall furthest point is processed first.
        let mut order = [0, 1, 2, 3];
        let furthest = |&f: &u32| {
            let f = &self.facets.facets[f as usize];
            if f.outside.is_empty() { 0.0 } else { f.furthest }
        };
        let mut first = 0;
        for k in 1..4 {
            if furthest(&order[k]) > furthest(&order[first]) {
                first = k;
            }
        }
        order[..=first].rotate_right(1);
        self.queue.clear();
        for facet in order {
            self.enqueue(facet);
        }
    }

    /// Repartitions the outside sets of the visible facets among the new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        if self.new_facets.is_empty() {
            return Err(HullError::Degenerate);
        }
        for i in 0..self.new_facets.len() {
            self.enqueue(self.new_facets[i]);
        }
        let all = self.merges > MANY_MERGES
            || self.new_facets.iter().any(|&f| self.facets.facets[f as usize].merged);
        for i in 0..self.visible.len() {
            let gone = self.visible[i];
            let outside = std::mem::take(&mut self.facets.facets[gone as usize].outside);
            if outside.is_empty() {
                continue;
            }
            let mut start = self.facets.facets[gone as usize].replacement;
            let mut steps = 0;
            while start != NONE && !self.facets.facets[start as usize].alive {
                start = self.facets.facets[start as usize].replacement;
                steps += 1;
                if steps > self.facets.facets.len() {
                    return Err(HullError::Degenerate);
                }
            }
            if start == NONE {
                start = self.new_facets[0];
            }
            let index = self.new_facets.iter().position(|&f| f == start).unwrap_or(0);
            for point in outside {
                let (facet, distance) = if all {
                    self.find_best_new(point, index)
                } else {
                    self.find_best(point, index)
                };
                self.partition_point(point, facet, distance);
            }
        }
        for &f in &self.new_facets {
            self.facets.facets[f as usize].newfacet = false;
        }
        Ok(())
    }

    /// Adds a point to the outside set of a facet, or discards it as interior.
    fn partition_point(&mut self, point: u32, facet: u32, distance: f64) {
        let min = self.tolerance.min_outside;
        if distance < min && !(self.narrow && distance >= -self.tolerance.min_visible) {
            return;
        }
        let f = &mut self.facets.facets[facet as usize];
        let was = if f.outside.is_empty() { f64::MIN } else { f.furthest };
        append_outside(&mut f.outside, &mut f.furthest, point, distance);
        // A facet that was already skipped must be processed again.
        if was < min && distance >= min && !f.newfacet {
            self.enqueue(facet);
        }
    }

    /// Walks over adjacent new facets in the direction of increasing distance (qh_findbest).
    fn find_best(&mut self, point: u32, start: usize) -> (u32, f64) {
        let min = self.tolerance.min_outside;
        let mut facet = self.new_facets[start];
        let mut best = self.distance(point, facet);
        if best >= min {
            return (facet, best);
        }
        self.visit += 1;
        self.facets.facets[facet as usize].visit = self.visit;
        let mut edges = std::mem::take(&mut self.edges);
        'walk: loop {
            self.facets.edges_of(facet, &mut edges);
            for &e in &edges {
                let neighbor = self.facets.neighbor(e);
                let f = &mut self.facets.facets[neighbor as usize];
                if !f.newfacet || f.visit == self.visit {
                    continue;
                }
                f.visit = self.visit;
                let distance = self.distance(point, neighbor);
                if distance > best {
                    best = distance;
                    facet = neighbor;
                    if best >= min {
                        break 'walk;
                    }
                    continue 'walk;
                }
            }
            break;
        }
        self.edges = edges;
        if best >= min {
            (facet, best)
        } else if best < -self.tolerance.round {
            self.find_best_new(point, start)
        } else {
            self.find_best_horizon(point, facet, best)
        }
    }

    /// Searches all new facets (qh_findbestnew).
    fn find_best_new(&mut self, point: u32, start: usize) -> (u32, f64) {
        let factor = if self.merges > MANY_MERGES { 2.0 } else { 1.0 };
        let far = factor * (2.0 * self.tolerance.min_outside).max(self.max_outside);
        let (mut facet, mut best) = (self.new_facets[start], f64::MIN);
        for k in 0..self.new_facets.len() {
            let candidate = self.new_facets[(start + k) % self.new_facets.len()];
            let distance = self.distance(point, candidate);
            if distance > best {
                (facet, best) = (candidate, distance);
                if best >= far {
                    return (facet, best);
                }
            }
        }
        self.find_best_horizon(point, facet, best)
    }

    /// Searches neighbors, new and old, with about the same distance (qh_findbesthorizon).
    fn find_best_horizon(&mut self, point: u32, start: u32, distance: f64) -> (u32, f64) {
        let factor = if self.merges > MANY_MERGES { 2.0 } else { 1.0 };
        let search_distance =
            factor * (self.max_outside + 2.0 * self.tolerance.round + self.tolerance.min_visible);
        let (mut facet, mut best) = (start, distance);
        self.visit += 1;
        self.facets.facets[start as usize].visit = self.visit;
        let mut edges = std::mem::take(&mut self.edges);
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(start);
        while let Some(current) = stack.pop() {
            self.facets.edges_of(current, &mut edges);
            for &e in &edges {
                let neighbor = self.facets.neighbor(e);
                if self.facets.facets[neighbor as usize].visit == self.visit {
                    continue;
                }
                self.facets.facets[neighbor as usize].visit = self.visit;
                let distance = self.distance(point, neighbor);
                if distance > best {
                    (facet, best) = (neighbor, distance);
                } else if distance < best - search_distance {
                    continue;
                }
                stack.push(neighbor);
            }
        }
        self.edges = edges;
        self.stack = stack;
        (facet, best)
    }
}

/// Adds a point to an outside set, whose furthest point is last.
fn append_outside(outside: &mut Vec<u32>, furthest: &mut f64, point: u32, distance: f64) {
    if outside.is_empty() || distance > *furthest {
        outside.push(point);
        *furthest = distance;
    } else {
        let last = outside.len() - 1;
        let top = outside[last];
        outside[last] = point;
        outside.push(top);
    }
}
