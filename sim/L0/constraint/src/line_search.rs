//! Exact line search: Newton's method on the cost along a direction, then a bracket.

use crate::problem::Problem;
use crate::vector::{Lane, dot, fit, held, lane_scaled, lane_sum, norm};
use sim_simd::dispatch;
use sim_types::{ConstraintType, MINVAL};

/// A point on the line.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

/// An elliptic contact along the line, in the coordinates in which its cone is round.
#[derive(Debug, Clone, Copy, Default)]
struct Cone {
    /// Cost in the bottom zone.
    quad: [f64; 3],
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    dm: f64,
    mu: f64,
}

/// Memory of the line search, and its last result.
#[derive(Debug, Default)]
pub(crate) struct LineSearch {
    /// `J search`.
    pub(crate) jv: Vec<f64>,
    /// `M search`.
    pub(crate) mv: Vec<f64>,
    /// Coefficients of each row's quadratic cost along the line.
    q0: Vec<f64>,
    q1: Vec<f64>,
    q2: Vec<f64>,
    cones: Vec<Cone>,
    /// The part that is quadratic everywhere: Gauss and equalities.
    quad: [f64; 3],
    /// Evaluations done.
    pub(crate) evaluations: usize,
    /// Scaled slope at the result; one if it was not computed.
    pub(crate) slope: f64,
}

/// Where the search starts and how far it may go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub jaref: &'a [f64],
    pub ma: &'a [f64],
    pub search: &'a [f64],
    /// Gauss cost at the start.
    pub gauss: f64,
    pub tolerance: f64,
    pub iterations: usize,
    pub scale: f64,
}

impl LineSearch {
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        held!(self.jv, self.mv, self.q0, self.q1, self.q2, self.cones)
    }

    pub(crate) fn resize(&mut self, nv: usize, nefc: usize, contacts: usize) {
        for v in [&mut self.jv, &mut self.q0, &mut self.q1, &mut self.q2] {
            fit(v, nefc);
        }
        fit(&mut self.mv, nv);
        self.cones.reserve(contacts);
    }

    /// Prepares the costs along the line; `jv` and `mv` are set.
    fn prepare(&mut self, problem: &Problem<'_>, line: &Line<'_>) {
        let rows = &problem.rows;
        let nefc = problem.nefc();
        let Self { jv, mv, q0, q1, q2, cones, quad, .. } = self;
        let slope = dot(line.search, line.ma) - dot(problem.qfrc_smooth, line.search);
        *quad = [line.gauss, slope, 0.5 * dot(line.search, mv)];
        let (jaref, jv, d) = (&line.jaref[..nefc], &jv[..nefc], &rows.d[..nefc]);
        let (q0, q1, q2) = (&mut q0[..nefc], &mut q1[..nefc], &mut q2[..nefc]);
        for i in 0..nefc {
            let dj = d[i] * jaref[i];
            q0[i] = 0.5 * (jaref[i] * dj);
            q1[i] = jv[i] * dj;
            q2[i] = 0.5 * (jv[i] * d[i] * jv[i]);
        }
        for i in 0..rows.ne {
            quad[0] += q0[i];
            quad[1] += q1[i];
            quad[2] += q2[i];
        }
        cones.clear();
        for contact in problem.contacts {
            let row = contact.row;
            if rows.kind[row] != ConstraintType::ContactElliptic {
                continue;
            }
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
                cone.quad[0] += q0[i];
                cone.quad[1] += q1[i];
                cone.quad[2] += q2[i];
                // the loop over scalar rows then passes over this one
                (q0[i], q1[i], q2[i]) = (0.0, 0.0, 0.0);
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
    }

    /// Cost, slope and curvature at a point of the line.
    fn eval(&mut self, problem: &Problem<'_>, jaref: &[f64], alpha: f64) -> Point {
        self.evaluations += 1;
        let this = &*self;
        dispatch!(evaluate(this: &LineSearch, problem: &Problem<'_>, jaref: &[f64], alpha: f64) -> Point)
    }

    /// Searches along `line.search`. Returns the step, zero if there is no improvement.
    pub(crate) fn search(&mut self, problem: &Problem<'_>, line: &Line<'_>) -> f64 {
        let length = norm(line.search);
        self.evaluations = 0;
        self.slope = 1.0;
        if length < MINVAL {
            return 0.0;
        }
        let gtol = line.tolerance * length / line.scale;
        self.prepare(problem, line);
        let (alpha, slope) = self.find(problem, line, gtol);
        if let Some(slope) = slope {
            self.slope = slope.abs() * (line.scale / length);
        }
        alpha
    }

    /// The step, and the slope there.
    fn find(&mut self, problem: &Problem<'_>, line: &Line<'_>, gtol: f64) -> (f64, Option<f64>) {
        let jaref = line.jaref;
        let limit = line.iterations;
        let p0 = self.eval(problem, jaref, 0.0);
        let mut p1 = self.eval(problem, jaref, p0.newton());
        if p1.slope.abs() < gtol {
            return p1.result();
        }
        // Newton's steps until the slope changes its sign
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
        // the minimum is between p1 and p2
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
            let moved1 = p1.tighten(&candidates);
            if moved1 {
                p1_next = self.eval(problem, jaref, p1.newton());
            }
            let moved2 = p2.tighten(&candidates);
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
    /// Where Newton's method goes from here.
    #[inline(always)]
    fn newton(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }

    fn result(&self) -> (f64, Option<f64>) {
        (self.alpha, Some(self.slope))
    }

    /// Moves to the flattest candidate on the same side of the minimum. Returns whether there was
    /// one.
    fn tighten(&mut self, candidates: &[Point; 3]) -> bool {
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

/// `sum + q` in the lanes in which `x` is negative.
#[inline(always)]
fn lane_where_negative(sum: Lane, x: Lane, q: Lane) -> Lane {
    let pick = |lane: usize| if x[lane] < 0.0 { q[lane] } else { 0.0 };
    [sum[0] + pick(0), sum[1] + pick(1), sum[2] + pick(2), sum[3] + pick(3)]
}

#[inline(always)]
fn evaluate(line: &LineSearch, problem: &Problem<'_>, jaref: &[f64], alpha: f64) -> Point {
    let rows = &problem.rows;
    let nefc = jaref.len();
    let (ne, friction_end) = (rows.ne, rows.ne + rows.nf);
    let mut quad = line.quad;
    for i in ne..friction_end {
        let (start, dir, f) = (jaref[i], line.jv[i], rows.frictionloss[i]);
        let (x, rf) = (start + alpha * dir, rows.r[i] * f);
        if -rf < x && x < rf {
            quad[0] += line.q0[i];
            quad[1] += line.q1[i];
            quad[2] += line.q2[i];
        } else if x <= -rf {
            quad[0] += f * (-0.5 * rf - start);
            quad[1] += -f * dir;
        } else {
            quad[0] += f * (-0.5 * rf + start);
            quad[1] += f * dir;
        }
    }
    // limits and contacts: what is violated counts
    let tail = friction_end..nefc;
    let (start, dir) =
        (jaref[tail.clone()].as_chunks::<4>(), line.jv[tail.clone()].as_chunks::<4>());
    let (q0, q1) = (line.q0[tail.clone()].as_chunks::<4>(), line.q1[tail.clone()].as_chunks::<4>());
    let q2 = line.q2[tail].as_chunks::<4>();
    let mut sum = [[0.0; 4]; 3];
    for k in 0..start.0.len() {
        let x = lane_scaled(start.0[k], dir.0[k], alpha);
        sum[0] = lane_where_negative(sum[0], x, q0.0[k]);
        sum[1] = lane_where_negative(sum[1], x, q1.0[k]);
        sum[2] = lane_where_negative(sum[2], x, q2.0[k]);
    }
    for lane in 0..start.1.len() {
        if start.1[lane] + alpha * dir.1[lane] < 0.0 {
            sum[0][lane & 3] += q0.1[lane];
            sum[1][lane & 3] += q1.1[lane];
            sum[2][lane & 3] += q2.1[lane];
        }
    }
    for (total, sum) in quad.iter_mut().zip(&sum) {
        *total += lane_sum(*sum);
    }
    let mut point = Point { alpha, ..Point::default() };
    for cone in &line.cones {
        cone.add(alpha, &mut quad, &mut point);
    }
    point.cost += alpha * alpha * quad[2] + alpha * quad[1] + quad[0];
    point.slope += 2.0 * alpha * quad[2] + quad[1];
    point.curvature += 2.0 * quad[2];
    // the cost is convex, so this is rounding
    if point.curvature <= 0.0 {
        point.curvature = MINVAL;
    }
    point
}

impl Cone {
    /// Adds the cost at a point: to the quadratic in the bottom zone, to the point in the middle.
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
                let (outside, outside1) = (n - mu * t, v0 - mu * t1);
                point.cost += 0.5 * dm * outside * outside;
                point.slope += dm * outside * outside1;
                point.curvature += dm * (outside1 * outside1 + outside * (-mu * t2));
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
