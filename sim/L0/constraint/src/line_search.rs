//! Exact line search (`PrimalSearch`): Newton's method on the cost along the search direction until
//! the minimum is bracketed, then bracketed Newton steps and bisection.

use crate::parallel::join;
use crate::problem::{ContactRows, Problem};
use crate::vector::{Terms, heap_bytes, resize_to, sum_lanes, sums};
use sim_simd::lanes::{FourLanes, Lanes, with_four_lanes};
use sim_types::{ConstraintType, MINVAL};

/// Number of rows from which on the cost is evaluated on two threads.
const MIN_PARALLEL_ROWS: usize = 8000;

/// Cost and its first two derivatives at a step size `alpha`.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

/// Coefficients of an elliptic contact along the line. `U(α) = U + α V` are the residuals mapped to
/// the regular cone; `uu`, `uv`, `vv` are products of their tangential parts.
#[derive(Debug, Clone, Copy, Default)]
struct Cone {
    /// Quadratic cost of the bottom zone: coefficients of 1, α, α².
    quad: [f64; 3],
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    dm: f64,
    mu: f64,
}

/// Buffers of the line search and statistics of its last call.
#[derive(Debug, Default)]
pub(crate) struct LineSearch {
    /// `J search`.
    pub(crate) jv: Vec<f64>,
    /// `M search`.
    pub(crate) mv: Vec<f64>,
    /// `D` of each row, zero in the rows of elliptic contacts; empty if these follow all other rows.
    weight: Vec<f64>,
    cones: Vec<Cone>,
    /// End of the rows that do not belong to an elliptic contact.
    scalar_end: usize,
    /// Gauss cost and equality rows, which are quadratic for all α.
    quad_gauss: [f64; 3],
    /// Number of cost evaluations.
    pub(crate) evaluations: usize,
    /// Scaled slope at the returned step; one if it was not evaluated.
    pub(crate) slope: f64,
}

/// Input of the line search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub jaref: &'a [f64],
    /// Gauss cost at `alpha = 0`.
    pub gauss: f64,
    /// Tolerance of the scaled slope.
    pub tolerance: f64,
    pub iterations: usize,
    pub scale: f64,
}

impl LineSearch {
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.jv, self.mv, self.weight, self.cones)
    }

    pub(crate) fn resize(&mut self, nv: usize, nefc: usize, contacts: usize) {
        resize_to(&mut self.jv, nefc);
        resize_to(&mut self.mv, nv);
        self.cones.reserve(contacts);
        if contacts > 0 {
            self.weight.clear();
            self.weight.reserve(nefc);
        }
    }

    /// Computes the coefficients along the line of equality rows and elliptic contacts (`PrimalPrepare`). `slope` and
    /// `curvature` are those of the Gauss cost.
    fn prepare(&mut self, problem: &Problem<'_>, line: &Line<'_>, slope: f64, curvature: f64) {
        let rows = &problem.rows;
        let nefc = problem.nefc();
        let Self { jv, weight, cones, scalar_end, quad_gauss, .. } = self;
        *quad_gauss = [line.gauss, slope, 0.5 * curvature];
        let (jaref, jv, d) = (&line.jaref[..nefc], &jv[..nefc], &rows.d[..nefc]);
        let ne = rows.ne;
        // equality rows are quadratic for all α
        let equality = equality_cost(&d[..ne], &jaref[..ne], &jv[..ne]);
        for (total, sum) in quad_gauss.iter_mut().zip(equality) {
            *total += sum;
        }
        cones.clear();
        // rows after the last one outside elliptic contacts are not summed
        let mut next = ne;
        *scalar_end = ne + rows.nf;
        for contact in problem.contacts {
            let row = contact.row;
            if rows.kind[row] != ConstraintType::ContactElliptic {
                continue;
            }
            if next < row {
                *scalar_end = row;
            }
            next = row + contact.dim;
            let mu = contact.mu;
            let mut cone = Cone {
                u0: jaref[row] * mu,
                v0: jv[row] * mu,
                dm: d[row] / ((mu * mu) * (1.0 + (mu * mu))),
                mu,
                ..Cone::default()
            };
            for j in 0..contact.dim {
                let i = row + j;
                let quad = quadratic(d[i], jaref[i], jv[i]);
                for (total, quad) in cone.quad.iter_mut().zip(quad) {
                    *total += quad;
                }
                if j > 0 {
                    let (u, v) =
                        (jaref[i] * contact.friction[j - 1], jv[i] * contact.friction[j - 1]);
                    cone.uu += u * u;
                    cone.uv += u * v;
                    cone.vv += v * v;
                }
            }
            cones.push(cone);
        }
        if next < nefc {
            *scalar_end = nefc;
        }
        // rows of elliptic contacts between others are excluded from their sum
        weight.clear();
        let elliptic = |contact: &&ContactRows| {
            contact.row < *scalar_end && rows.kind[contact.row] == ConstraintType::ContactElliptic
        };
        for contact in problem.contacts.iter().filter(elliptic) {
            if weight.is_empty() {
                weight.extend_from_slice(&d[..*scalar_end]);
            }
            weight[contact.row..contact.row + contact.dim].fill(0.0);
        }
    }

    /// Cost, slope and curvature at `alpha` (`PrimalEval`).
    fn eval(&mut self, problem: &Problem<'_>, jaref: &[f64], alpha: f64) -> Point {
        self.evaluations += 1;
        let rows = &problem.rows;
        let mut quad = self.quad_gauss;
        let tail = rows.ne + rows.nf..self.scalar_end;
        if rows.nf > 0 {
            quad = self.add_friction(problem, jaref, alpha, quad);
        }
        // limits and contacts
        let d = if self.weight.is_empty() { rows.d } else { &self.weight };
        let sums = one_sided(&d[tail.clone()], &jaref[tail.clone()], &self.jv[tail], alpha);
        for (total, sum) in quad.iter_mut().zip(sums) {
            *total += sum;
        }
        let mut point = Point { alpha, ..Point::default() };
        for cone in &self.cones {
            cone.add(alpha, &mut quad, &mut point);
        }
        point.cost += alpha * alpha * quad[2] + alpha * quad[1] + quad[0];
        point.slope += 2.0 * alpha * quad[2] + quad[1];
        point.curvature += 2.0 * quad[2];
        // the cost is convex: a non-positive curvature is round-off
        if point.curvature <= 0.0 {
            point.curvature = MINVAL;
        }
        point
    }

    /// Adds the coefficients of 1, α and α² of the cost of dry friction at `alpha`.
    fn add_friction(
        &self,
        problem: &Problem<'_>,
        jaref: &[f64],
        alpha: f64,
        sum: [f64; 3],
    ) -> [f64; 3] {
        let rows = &problem.rows;
        let range = rows.ne..rows.ne + rows.nf;
        let vectors =
            [rows.d, rows.r, rows.frictionloss, jaref, &self.jv].map(|x| &x[range.clone()]);
        with_four_lanes(FrictionRows { vectors, alpha, sum })
    }

    /// Minimises the cost along a search direction with the given [`products`] and `jv`. Returns the step size, zero if
    /// the cost does not decrease.
    pub(crate) fn search(
        &mut self,
        problem: &Problem<'_>,
        line: &Line<'_>,
        [squared, ma, smooth, curvature]: [f64; 4],
    ) -> f64 {
        let length = squared.sqrt();
        self.evaluations = 0;
        self.slope = 1.0;
        if length < MINVAL {
            return 0.0;
        }
        let gtol = line.tolerance * length / line.scale;
        self.prepare(problem, line, ma - smooth, curvature);
        let (alpha, slope) = self.minimise(problem, line, gtol);
        if let Some(slope) = slope {
            self.slope = slope.abs() * (line.scale / length);
        }
        alpha
    }

    /// Returns the step size and, if evaluated, the slope at it.
    fn minimise(
        &mut self,
        problem: &Problem<'_>,
        line: &Line<'_>,
        gtol: f64,
    ) -> (f64, Option<f64>) {
        let jaref = line.jaref;
        let limit = line.iterations;
        let p0 = self.eval(problem, jaref, 0.0);
        let mut p1 = self.eval(problem, jaref, p0.newton());
        if p1.slope.abs() < gtol {
            return p1.result();
        }
        // one-sided Newton steps until the slope changes sign
        let direction = if p1.slope < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = p0;
        while p1.slope * direction <= -gtol && self.evaluations < limit {
            p2 = p1;
            p1 = self.eval(problem, jaref, p1.newton());
            if p1.slope.abs() < gtol {
                return p1.result();
            }
        }
        if self.evaluations >= limit {
            return p1.result();
        }
        // the minimum is bracketed by p1 and p2
        let mut p2_next = p1;
        let mut p1_next = self.eval(problem, jaref, p1.newton());
        while self.evaluations < limit {
            let middle = self.eval(problem, jaref, 0.5 * (p1.alpha + p2.alpha));
            let candidates = [p1_next, p2_next, middle];
            let mut best: Option<&Point> = None;
            for candidate in &candidates {
                if candidate.slope.abs() < gtol && best.is_none_or(|b| candidate.cost < b.cost) {
                    best = Some(candidate);
                }
            }
            if let Some(best) = best {
                return best.result();
            }
            let moved1 = p1.update_bracket(&candidates);
            if moved1 {
                p1_next = self.eval(problem, jaref, p1.newton());
            }
            let moved2 = p2.update_bracket(&candidates);
            if moved2 {
                p2_next = self.eval(problem, jaref, p2.newton());
            }
            if !moved1 && !moved2 {
                return middle.result();
            }
        }
        if p1.cost <= p2.cost && p1.cost < p0.cost {
            p1.result()
        } else if p2.cost <= p1.cost && p2.cost < p0.cost {
            p2.result()
        } else {
            (0.0, None)
        }
    }
}

impl Point {
    /// Step size of the Newton step from this point.
    #[inline(always)]
    fn newton(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }

    fn result(&self) -> (f64, Option<f64>) {
        (self.alpha, Some(self.slope))
    }

    /// Replaces the point by the candidate with the smallest slope magnitude on the same side of the
    /// minimum. Returns whether it was replaced.
    fn update_bracket(&mut self, candidates: &[Point; 3]) -> bool {
        let mut moved = false;
        for candidate in candidates {
            let left = self.slope < 0.0 && candidate.slope < 0.0 && self.slope < candidate.slope;
            let right = self.slope > 0.0 && candidate.slope > 0.0 && self.slope > candidate.slope;
            if left || right {
                *self = *candidate;
                moved = true;
            }
        }
        moved
    }
}

/// Inner products of the search direction with itself, `Ma`, `qfrc_smooth` and `M search`.
pub(crate) fn products(search: &[f64], ma: &[f64], qfrc_smooth: &[f64], mv: &[f64]) -> [f64; 4] {
    struct Products;
    impl Terms<4, 4> for Products {
        #[inline(always)]
        fn terms<V: Lanes>([s, ma, smooth, mv]: [V; 4]) -> [V; 4] {
            [s * s, s * ma, s * smooth, s * mv]
        }
    }
    sums::<Products, 4, 4>([search, ma, qfrc_smooth, mv])
}

/// Coefficients of 1, α and α² of the cost of equality rows.
fn equality_cost(d: &[f64], jaref: &[f64], jv: &[f64]) -> [f64; 3] {
    struct Cost;
    impl Terms<3, 3> for Cost {
        #[inline(always)]
        fn terms<V: Lanes>([d, jaref, jv]: [V; 3]) -> [V; 3] {
            let dj = d * jaref;
            // a constant may be so large that its round-off hides all differences between costs
            let is_constant = jv.le(V::zero()) & jv.ge(V::zero());
            [jaref.masked(!is_constant) * dj, jv * dj, jv * d * jv]
        }
    }
    if d.is_empty() {
        return [0.0; 3];
    }
    let [quad0, quad1, quad2] = sums::<Cost, 3, 3>([d, jaref, jv]);
    [0.5 * quad0, quad1, 0.5 * quad2]
}

/// Coefficients of 1, α and α² of the quadratic cost of a row.
#[inline(always)]
fn quadratic(d: f64, jaref: f64, jv: f64) -> [f64; 3] {
    let dj = d * jaref;
    [0.5 * (jaref * dj), jv * dj, 0.5 * (jv * d * jv)]
}

/// Coefficients of 1, α and α² of the cost of those rows that are violated at `alpha`. They are not stored: that
/// would take more memory traffic than the sum.
fn one_sided(d: &[f64], jaref: &[f64], jv: &[f64], alpha: f64) -> [f64; 3] {
    if jaref.len() >= MIN_PARALLEL_ROWS {
        let middle = jaref.len() / 2;
        let ((d1, d2), (jaref1, jaref2)) = (d.split_at(middle), jaref.split_at(middle));
        let (jv1, jv2) = jv.split_at(middle);
        let (one, two) =
            join(|| sum_violated(d1, jaref1, jv1, alpha), || sum_violated(d2, jaref2, jv2, alpha));
        return std::array::from_fn(|k| one[k] + two[k]);
    }
    sum_violated(d, jaref, jv, alpha)
}

/// [`one_sided`] on this thread. Explicit vectors: the compiler turns the comparison of an array into branches.
fn sum_violated(d: &[f64], jaref: &[f64], jv: &[f64], alpha: f64) -> [f64; 3] {
    with_four_lanes(ViolatedRows { d, jaref, jv, alpha })
}

struct ViolatedRows<'a> {
    d: &'a [f64],
    jaref: &'a [f64],
    jv: &'a [f64],
    alpha: f64,
}

impl FourLanes for ViolatedRows<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn run<V: Lanes>(self) -> [f64; 3] {
        let n = self.jaref.len();
        let alpha = V::splat(self.alpha);
        let (d, jaref, jv) = (
            self.d[..n].as_chunks::<4>(),
            self.jaref.as_chunks::<4>(),
            self.jv[..n].as_chunks::<4>(),
        );
        let mut sum = [V::zero(); 3];
        for ((d, jaref), jv) in d.0.iter().zip(jaref.0).zip(jv.0) {
            add_violated(&mut sum, V::load(d), V::load(jaref), V::load(jv), alpha);
        }
        if !jaref.1.is_empty() {
            let (d, jaref) = (V::load_padded(d.1), V::load_padded(jaref.1));
            add_violated(&mut sum, d, jaref, V::load_padded(jv.1), alpha);
        }
        let [quad0, quad1, quad2] = sum;
        [0.5 * sum_lanes(quad0), sum_lanes(quad1), 0.5 * sum_lanes(quad2)]
    }
}

/// Rows of dry friction, and the sum to which their coefficients are added.
struct FrictionRows<'a> {
    /// `D`, `R`, `frictionloss`, `Jaref` and `J search`.
    vectors: [&'a [f64]; 5],
    alpha: f64,
    sum: [f64; 3],
}

impl FourLanes for FrictionRows<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn run<V: Lanes>(self) -> [f64; 3] {
        let n = self.vectors[0].len();
        let alpha = V::splat(self.alpha);
        let [d, r, f, jaref, jv] = self.vectors.map(|x| x[..n].as_chunks::<4>());
        let mut sum = self.sum;
        for k in 0..n / 4 {
            let (d, r, f) = (V::load(&d.0[k]), V::load(&r.0[k]), V::load(&f.0[k]));
            add_friction(&mut sum, [d, r, f, V::load(&jaref.0[k]), V::load(&jv.0[k])], alpha);
        }
        if !d.1.is_empty() {
            let (d, r, f) = (V::load_padded(d.1), V::load_padded(r.1), V::load_padded(f.1));
            let (jaref, jv) = (V::load_padded(jaref.1), V::load_padded(jv.1));
            add_friction(&mut sum, [d, r, f, jaref, jv], alpha);
        }
        sum
    }
}

/// Adds the coefficients of four rows of dry friction, zero for rows of zeros, one row after the other.
#[inline(always)]
fn add_friction<V: Lanes>(sum: &mut [f64; 3], [d, r, f, jaref, jv]: [V; 5], alpha: V) {
    let (x, rf, half) = (jaref + alpha * jv, r * f, V::splat(0.5));
    let inside = (-rf).lt(x) & x.lt(rf);
    let sign = V::splat(-1.0).select(x.le(-rf), V::splat(1.0));
    let dj = d * jaref;
    let constant = (half * (jaref * dj)).select(inside, f * (sign * jaref - half * rf));
    let linear = (jv * dj).select(inside, sign * f * jv);
    let quadratic = (half * (jv * d * jv)).masked(inside);
    for lane in 0..4 {
        sum[0] += constant.get(lane);
        sum[1] += linear.get(lane);
        sum[2] += quadratic.get(lane);
    }
}

/// Adds the coefficients of four rows, the first and last of which are doubled, if they are violated.
#[inline(always)]
fn add_violated<V: Lanes>(sum: &mut [V; 3], d: V, jaref: V, jv: V, alpha: V) {
    let violated = (jaref + alpha * jv).lt(V::zero());
    let dj = d * jaref;
    sum[0] += (jaref * dj).masked(violated);
    sum[1] += (jv * dj).masked(violated);
    sum[2] += (jv * d * jv).masked(violated);
}

impl Cone {
    /// Adds the contact's cost at `alpha`: to `quad` in the bottom zone, to `point` in the middle
    /// zone.
    #[inline(always)]
    fn add(&self, alpha: f64, quad: &mut [f64; 3], point: &mut Point) {
        let Self { u0, v0, uu, uv, vv, dm, mu, .. } = *self;
        let n = u0 + alpha * v0;
        let t_squared = uu + alpha * (2.0 * uv + alpha * vv);
        let bottom = if t_squared <= 0.0 {
            n < 0.0
        } else {
            let t = t_squared.sqrt();
            if n >= mu * t {
                return;
            }
            if mu * n + t > 0.0 {
                let t1 = (uv + alpha * vv) / t;
                let t2 = vv / t - (uv + alpha * vv) * t1 / (t * t);
                let (nmt, nmt1) = (n - mu * t, v0 - mu * t1);
                point.cost += 0.5 * dm * nmt * nmt;
                point.slope += dm * nmt * nmt1;
                point.curvature += dm * (nmt1 * nmt1 + nmt * (-mu * t2));
                return;
            }
            true
        };
        if bottom {
            for k in 0..3 {
                quad[k] += self.quad[k];
            }
        }
    }
}
