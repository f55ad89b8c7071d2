//! Which facet a point is outside of.

use super::{Builder, HullError, NONE};

/// After this many merges facets are no longer thin, and all new ones are searched.
const MANY_MERGES: usize = 50;

impl Builder<'_> {
    /// Gives every point to the first facet of the simplex that it is clearly outside of.
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
                put(&mut f.outside, &mut f.furthest, point, distance);
                false
            });
        }
        self.fresh = vec![0, 1, 2, 3];
        for point in rest {
            let (facet, distance) = self.best_new(point, 0);
            self.give(point, facet, distance);
        }
        self.fresh.clear();
        // The facet with the furthest point of all comes first.
        let mut order = [0, 1, 2, 3];
        let reach = |&f: &u32| {
            let f = &self.facets.facets[f as usize];
            if f.outside.is_empty() { 0.0 } else { f.furthest }
        };
        let mut first = 0;
        for k in 1..4 {
            if reach(&order[k]) > reach(&order[first]) {
                first = k;
            }
        }
        order[..=first].rotate_right(1);
        self.queue.clear();
        for facet in order {
            self.enqueue(facet);
        }
    }

    /// Finds new homes for the points outside of facets that are gone.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        if self.fresh.is_empty() {
            return Err(HullError::Degenerate);
        }
        for i in 0..self.fresh.len() {
            self.enqueue(self.fresh[i]);
        }
        let all = self.merges > MANY_MERGES
            || self.fresh.iter().any(|&f| self.facets.facets[f as usize].merged);
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
                start = self.fresh[0];
            }
            let index = self.fresh.iter().position(|&f| f == start).unwrap_or(0);
            for point in outside {
                let (facet, distance) =
                    if all { self.best_new(point, index) } else { self.best_near(point, index) };
                self.give(point, facet, distance);
            }
        }
        for &f in &self.fresh {
            self.facets.facets[f as usize].fresh = false;
        }
        Ok(())
    }

    /// Puts a point into the outside set of its facet, or drops it.
    fn give(&mut self, point: u32, facet: u32, distance: f64) {
        let min = self.tolerance.min_outside;
        if distance < min && !(self.narrow && distance >= -self.tolerance.min_visible) {
            return;
        }
        let f = &mut self.facets.facets[facet as usize];
        let was = if f.outside.is_empty() { f64::MIN } else { f.furthest };
        put(&mut f.outside, &mut f.furthest, point, distance);
        // A facet that was passed over has to be visited again.
        if was < min && distance >= min && !f.fresh {
            self.enqueue(facet);
        }
    }

    /// Walks around the ring of new triangles to one that the point is outside of.
    fn best_near(&mut self, point: u32, start: usize) -> (u32, f64) {
        let min = self.tolerance.min_outside;
        let mut facet = self.fresh[start];
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
                let neighbor = self.facets.across(e);
                let f = &mut self.facets.facets[neighbor as usize];
                if !f.fresh || f.visit == self.visit {
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
            self.best_new(point, start)
        } else {
            self.best_horizon(point, facet, best)
        }
    }

    /// Searches all new facets.
    fn best_new(&mut self, point: u32, start: usize) -> (u32, f64) {
        let factor = if self.merges > MANY_MERGES { 2.0 } else { 1.0 };
        let far = factor * (2.0 * self.tolerance.min_outside).max(self.max_outside);
        let (mut facet, mut best) = (self.fresh[start], f64::MIN);
        for k in 0..self.fresh.len() {
            let candidate = self.fresh[(start + k) % self.fresh.len()];
            let distance = self.distance(point, candidate);
            if distance > best {
                (facet, best) = (candidate, distance);
                if best >= far {
                    return (facet, best);
                }
            }
        }
        self.best_horizon(point, facet, best)
    }

    /// Looks at neighbours, new and old, that are about as high above the point.
    fn best_horizon(&mut self, point: u32, start: u32, distance: f64) -> (u32, f64) {
        let factor = if self.merges > MANY_MERGES { 2.0 } else { 1.0 };
        let reach =
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
                let neighbor = self.facets.across(e);
                if self.facets.facets[neighbor as usize].visit == self.visit {
                    continue;
                }
                self.facets.facets[neighbor as usize].visit = self.visit;
                let distance = self.distance(point, neighbor);
                if distance > best {
                    (facet, best) = (neighbor, distance);
                } else if distance < best - reach {
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
fn put(outside: &mut Vec<u32>, furthest: &mut f64, point: u32, distance: f64) {
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
