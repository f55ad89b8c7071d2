//! Exact line search of all lanes (`PrimalSearch`): each lane performs the steps of the scalar search, and waits
//! while others need more of them.

use crate::cone::LineCone;
use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

/// Cost and its first two derivatives at a step size.
#[derive(Debug, Clone, Copy)]
struct Point<V> {
    alpha: V,
    cost: V,
    slope: V,
    curvature: V,
}

impl<V: Lanes> Point<V> {
    /// Step size of the Newton step from this point.
    #[inline(always)]
    fn newton(&self) -> V {
        self.alpha - self.slope / self.curvature
    }

    /// `self` in the lanes of the mask, `other` in the others.
    #[inline(always)]
    fn select(self, mask: V::Mask, other: Self) -> Self {
        Self {
            alpha: self.alpha.select(mask, other.alpha),
            cost: self.cost.select(mask, other.cost),
            slope: self.slope.select(mask, other.slope),
            curvature: self.curvature.select(mask, other.curvature),
        }
    }

    /// Replaces the point by the candidate with the smallest slope magnitude on the same side of the minimum, in
    /// the given lanes. Returns the lanes in which it was replaced.
    #[inline(always)]
    fn update_bracket(&mut self, candidates: &[Self; 3], lanes: V::Mask) -> V::Mask {
        let zero = V::zero();
        let mut moved = V::Mask::none();
        for candidate in candidates {
            let (own, new) = (self.slope, candidate.slope);
            let left = own.lt(zero) & new.lt(zero) & own.lt(new);
            let right = own.gt(zero) & new.gt(zero) & own.gt(new);
            let take = (left | right) & lanes;
            *self = candidate.select(take, *self);
            moved = moved | take;
        }
        moved
    }
}

/// Rows along a line.
#[derive(Debug, Clone)]
pub(crate) struct Lines<V> {
    /// Rows that are quadratic on one side: residual, direction, and the coefficients of the cost.
    pub one_sided: Vec<[V; 5]>,
    /// Opposite edges of friction pyramids, which are such rows.
    pub edges: Vec<[[V; 5]; 2]>,
    /// Rows of dry friction: the same, then the largest force and the residual of the bounds.
    pub friction: Vec<([V; 5], f64, V)>,
    pub cones: Vec<LineCone<V>>,
}

impl<V> Default for Lines<V> {
    fn default() -> Self {
        let empty = Vec::new();
        Self { one_sided: empty, edges: Vec::new(), friction: Vec::new(), cones: Vec::new() }
    }
}

/// Cost along a line.
pub(crate) struct Line<'a, V> {
    pub rows: &'a Lines<V>,
    /// Gauss cost: coefficients of 1, α, α².
    pub gauss: [V; 3],
    /// Tolerance of the slope.
    pub gtol: V,
    /// Maximum number of evaluations.
    pub limit: f64,
}

impl<V: Lanes> Line<'_, V> {
    #[inline(always)]
    fn eval(&self, alpha: V) -> Point<V> {
        let zero = V::zero();
        let [mut q0, mut q1, mut q2] = self.gauss;
        // two sums each: the latency of the additions would dominate
        let mut odd = [zero; 3];
        for [a, b] in &self.rows.edges {
            let active = (a[0] + alpha * a[1]).lt(zero);
            q0 = q0.add_masked(active, a[2]);
            q1 = q1.add_masked(active, a[3]);
            q2 = q2.add_masked(active, a[4]);
            let active = (b[0] + alpha * b[1]).lt(zero);
            for k in 0..3 {
                odd[k] = odd[k].add_masked(active, b[2 + k]);
            }
        }
        for a in &self.rows.one_sided {
            let active = (a[0] + alpha * a[1]).lt(zero);
            q0 = q0.add_masked(active, a[2]);
            q1 = q1.add_masked(active, a[3]);
            q2 = q2.add_masked(active, a[4]);
        }
        (q0, q1, q2) = (q0 + odd[0], q1 + odd[1], q2 + odd[2]);
        for ([jar, jv, r0, r1, r2], force, bound) in &self.rows.friction {
            let x = *jar + alpha * *jv;
            let (low, high) = (x.le(-*bound), x.ge(*bound));
            let inside = !(low | high);
            let force = V::splat(*force);
            let sign = force.select(low, -force);
            let outside = -(V::splat(0.5) * force * *bound) - sign * *jar;
            q0 += r0.select(inside, outside);
            q1 += r1.select(inside, -(sign * *jv));
            q2 = q2.add_masked(inside, *r2);
        }
        let mut quad = [q0, q1, q2];
        let mut point = [zero; 3];
        for cone in &self.rows.cones {
            cone.add(alpha, &mut quad, &mut point);
        }
        let [q0, q1, q2] = quad;
        let two = V::splat(2.0);
        let curvature = point[2] + two * q2;
        Point {
            alpha,
            cost: point[0] + (alpha * alpha * q2 + alpha * q1 + q0),
            slope: point[1] + (two * alpha * q2 + q1),
            curvature: curvature.select(curvature.gt(zero), V::splat(MINVAL)),
        }
    }

    /// Step size of the minimum in the given lanes; zero in the others, and where the cost does not decrease.
    #[inline(always)]
    pub(crate) fn minimise(&self, lanes: V::Mask) -> V {
        let (zero, one) = (V::zero(), V::splat(1.0));
        let (gtol, limit) = (self.gtol, V::splat(self.limit));
        let p0 = self.eval(zero);
        let mut p1 = self.eval(p0.newton());
        let mut evaluations = V::splat(2.0);
        // lanes whose search has not ended
        let mut active = lanes & !p1.slope.abs().lt(gtol);
        let mut alpha = p1.alpha.masked(lanes);
        if !active.any() {
            return alpha;
        }

        // one-sided Newton steps until the slope changes sign
        let direction = one.select(p1.slope.lt(zero), -one);
        let mut p2 = p0;
        loop {
            let go = active & (p1.slope * direction).le(-gtol) & evaluations.lt(limit);
            if !go.any() {
                break;
            }
            p2 = p1.select(go, p2);
            p1 = self.eval(p1.newton()).select(go, p1);
            evaluations = evaluations.add_masked(go, one);
            alpha = p1.alpha.select(go, alpha);
            active = active & !(go & p1.slope.abs().lt(gtol));
        }
        active = active & evaluations.lt(limit);
        if !active.any() {
            return alpha;
        }

        // the minimum is bracketed by p1 and p2
        let mut p2_next = p1;
        let mut p1_next = self.eval(p1.newton());
        evaluations = evaluations.add_masked(active, one);
        loop {
            let go = active & evaluations.lt(limit);
            if !go.any() {
                break;
            }
            let middle = self.eval(V::splat(0.5) * (p1.alpha + p2.alpha));
            evaluations = evaluations.add_masked(go, one);
            let candidates = [p1_next, p2_next, middle];
            let (mut best, mut found) = (middle, V::Mask::none());
            for candidate in &candidates {
                let good = candidate.slope.abs().lt(gtol);
                let better = good & (!found | candidate.cost.lt(best.cost));
                best = candidate.select(better, best);
                found = found | good;
            }
            let found = found & go;
            alpha = best.alpha.select(found, alpha);
            active = active & !found;
            let go = go & !found;
            let moved1 = p1.update_bracket(&candidates, go);
            if moved1.any() {
                p1_next = self.eval(p1.newton()).select(moved1, p1_next);
                evaluations = evaluations.add_masked(moved1, one);
            }
            let moved2 = p2.update_bracket(&candidates, go);
            if moved2.any() {
                p2_next = self.eval(p2.newton()).select(moved2, p2_next);
                evaluations = evaluations.add_masked(moved2, one);
            }
            let stuck = go & !(moved1 | moved2);
            alpha = middle.alpha.select(stuck, alpha);
            active = active & !stuck;
        }
        if active.any() {
            let first = p1.cost.le(p2.cost) & p1.cost.lt(p0.cost);
            let second = p2.cost.le(p1.cost) & p2.cost.lt(p0.cost);
            let last = p1.alpha.select(first, p2.alpha.masked(second));
            alpha = last.select(active, alpha);
        }
        alpha
    }
}
