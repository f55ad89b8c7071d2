//! The step: a small dense box-constrained quadratic program.
//!
//! `minimize ½ xᵀ (H + λ I) x − gᵀ x  subject to  lower ≤ x ≤ upper`. Usually no bound is active, or
//! the gradient predicts the active set, and one factorization suffices. Otherwise a primal–dual
//! active-set method updates the whole active set by the signs of bound violations and multipliers
//! (Hintermüller, Ito and Kunisch 2002). It can cycle; after a few updates a primal active-set method
//! takes over, which changes one variable at a time (Nocedal and Wright, algorithm 16.3).

/// A problem, in rows of `stride`.
pub(super) struct BoxQp<'a> {
    pub n: usize,
    pub stride: usize,
    /// Symmetric, both triangles.
    pub h: &'a [f64],
    pub g: &'a [f64],
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    pub damping: f64,
}

/// Scratch memory: a copy of the matrix, a point, and the active set: -1 for a variable at its lower
/// bound, 1 at its upper bound, 0 if free.
pub(super) struct Scratch<'a> {
    pub matrix: &'a mut [f64],
    pub point: &'a mut [f64],
    pub active: &'a mut [i8],
}

/// Updates of the primal–dual method before the primal method takes over.
const MAX_PRIMAL_DUAL: usize = 6;

impl BoxQp<'_> {
    /// Computes the minimizer `x`; returns the reduction `gᵀ x − ½ xᵀ H x` of the undamped objective.
    #[inline(always)]
    pub(super) fn solve(&self, scratch: &mut Scratch<'_>, x: &mut [f64]) -> f64 {
        let mut has_active = self.predict_active_set(scratch);
        for _ in 0..MAX_PRIMAL_DUAL {
            self.solve_free(scratch, has_active, x);
            if !self.update_active_set(scratch, has_active, x) {
                return self.reduction(has_active, x);
            }
            has_active = true;
        }
        self.solve_primal(scratch, x);
        self.reduction(true, x)
    }

    /// Reduction of the undamped objective from zero to the solution `x` of the damped problem.
    #[inline(always)]
    fn reduction(&self, has_active: bool, x: &[f64]) -> f64 {
        let mut reduction = 0.0;
        for i in 0..self.n {
            // free variables have no multiplier: `H x + λ x = g`
            let multiplier = if has_active { self.multiplier(i, &x[..self.n]) } else { 0.0 };
            reduction += 0.5 * x[i] * (self.g[i] + multiplier + self.damping * x[i]);
        }
        reduction
    }

    /// Initializes the active set with the variables at a bound whose gradient points outwards;
    /// whether there are any.
    #[inline(always)]
    fn predict_active_set(&self, scratch: &mut Scratch<'_>) -> bool {
        let mut has_active = false;
        for i in 0..self.n {
            let active = i8::from(self.upper[i] <= 0.0 && self.g[i] > 0.0)
                - i8::from(self.lower[i] >= 0.0 && self.g[i] < 0.0);
            scratch.active[i] = active;
            has_active |= active != 0;
        }
        has_active
    }

    /// Primal active-set method: from zero, moves to the minimizer over the free variables, activates
    /// the first blocking bound, and at the minimizer releases the most negative multiplier.
    #[cold]
    fn solve_primal(&self, scratch: &mut Scratch<'_>, x: &mut [f64]) {
        let n = self.n;
        self.predict_active_set(scratch);
        scratch.point[..n].fill(0.0);
        for _ in 0..10 * (n + 1) {
            self.solve_free(scratch, true, x);
            // step length to the first blocking bound
            let (mut alpha, mut blocking) = (1.0, None);
            for i in (0..n).filter(|&i| scratch.active[i] == 0) {
                let bound = if x[i] > self.upper[i] {
                    self.upper[i]
                } else if x[i] < self.lower[i] {
                    self.lower[i]
                } else {
                    continue;
                };
                let to_bound = (bound - scratch.point[i]) / (x[i] - scratch.point[i]);
                if to_bound < alpha {
                    (alpha, blocking) = (to_bound.max(0.0), Some((i, bound)));
                }
            }
            for i in 0..n {
                scratch.point[i] += alpha * (x[i] - scratch.point[i]);
            }
            if let Some((i, bound)) = blocking {
                scratch.point[i] = bound;
                scratch.active[i] = if x[i] > bound { 1 } else { -1 };
                continue;
            }
            let signed =
                |i: usize| self.multiplier(i, &scratch.point[..n]) * f64::from(scratch.active[i]);
            let least = (0..n).map(|i| (signed(i), i)).min_by(|a, b| a.0.total_cmp(&b.0));
            match least {
                Some((multiplier, i)) if multiplier < 0.0 => scratch.active[i] = 0,
                _ => break,
            }
        }
        for i in 0..n {
            x[i] = scratch.point[i].max(self.lower[i]).min(self.upper[i]);
        }
    }

    /// Multiplier of the bounds of a variable: `g − (H + λ I) x`.
    #[inline(always)]
    fn multiplier(&self, i: usize, x: &[f64]) -> f64 {
        let row = &self.h[i * self.stride..][..self.n];
        let product: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
        self.g[i] - product - self.damping * x[i]
    }

    /// Minimizer over the free variables, with the active ones at their bounds.
    #[inline(always)]
    fn solve_free(&self, scratch: &mut Scratch<'_>, has_active: bool, x: &mut [f64]) {
        let (n, stride) = (self.n, self.stride);
        scratch.matrix[..n * stride].copy_from_slice(&self.h[..n * stride]);
        x[..stride].copy_from_slice(&self.g[..stride]);
        for i in 0..n {
            scratch.matrix[i * stride + i] += self.damping;
        }
        if has_active {
            self.fix_active(scratch, x);
        }
        solve_in_place(n, stride, &mut scratch.matrix[..n * stride], &mut x[..stride]);
    }

    /// Eliminates active variables from the system: their rows become `x = bound`.
    #[inline(never)]
    fn fix_active(&self, scratch: &mut Scratch<'_>, x: &mut [f64]) {
        let (n, stride) = (self.n, self.stride);
        for i in 0..n {
            let bound = match scratch.active[i] {
                0 => continue,
                1 => self.upper[i],
                _ => self.lower[i],
            };
            for j in 0..n {
                if scratch.active[j] == 0 {
                    x[j] -= self.h[j * stride + i] * bound;
                }
                scratch.matrix[j * stride + i] = 0.0;
                scratch.matrix[i * stride + j] = 0.0;
            }
            scratch.matrix[i * stride + i] = 1.0;
            x[i] = bound;
        }
    }

    /// Activates violated bounds and releases bounds with a negative multiplier; whether the set
    /// changed.
    #[inline(always)]
    fn update_active_set(&self, scratch: &mut Scratch<'_>, has_active: bool, x: &[f64]) -> bool {
        let mut changed = false;
        for i in 0..self.n {
            if scratch.active[i] == 0 {
                let active = i8::from(x[i] > self.upper[i]) - i8::from(x[i] < self.lower[i]);
                scratch.active[i] = active;
                changed |= active != 0;
            } else if has_active
                && self.multiplier(i, &x[..self.n]) * f64::from(scratch.active[i]) < 0.0
            {
                scratch.active[i] = 0;
                changed = true;
            }
        }
        changed
    }
}

/// Solves a positive definite system in place by an LDLᵀ factorization; `x` is the right-hand side on
/// entry.
#[inline(always)]
fn solve_in_place(n: usize, stride: usize, matrix: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        let (head, tail) = matrix.split_at_mut((k + 1) * stride);
        let pivot_row = &mut head[k * stride..];
        let inverse = 1.0 / pivot_row[k].max(f64::MIN_POSITIVE);
        for (i, row) in (k + 1..n).zip(tail.chunks_exact_mut(stride)) {
            let factor = pivot_row[i] * inverse;
            for j in 0..stride {
                row[j] -= factor * pivot_row[j];
            }
            x[i] -= factor * x[k];
        }
        // the back substitution needs the inverse pivot
        pivot_row[k] = inverse;
    }
    for k in (0..n).rev() {
        let value = x[k] * matrix[k * stride + k];
        x[k] = value;
        for i in 0..k {
            x[i] -= matrix[i * stride + k] * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BoxQp, Scratch};
    use crate::rng::Rng;
    use sim_core::math::box_qp;

    /// Random problems, many with active bounds.
    #[test]
    fn agrees_with_the_projected_newton_solver_of_sim_core() {
        let mut rng = Rng::new(9);
        for trial in 0..2000_usize {
            let n = 1 + trial % 9;
            let stride = n.next_multiple_of(4).max(8);
            let rows: Vec<f64> = (0..6 * n).map(|_| rng.between(-1.0, 1.0)).collect();
            let mut h = vec![0.0; n * stride];
            for i in 0..n {
                for j in 0..n {
                    h[i * stride + j] = (0..6).map(|r| rows[r * n + i] * rows[r * n + j]).sum();
                }
            }
            let damping = 0.01;
            let mut fill = |low: f64, high: f64| -> Vec<f64> {
                (0..stride).map(|_| rng.between(low, high)).collect()
            };
            let (mut g, mut lower, upper) = (fill(-1.0, 1.0), fill(-0.5, 0.0), fill(0.01, 0.5));
            g[n..].fill(0.0);
            lower[0] = 0.0;
            let qp = BoxQp { n, stride, h: &h, g: &g, lower: &lower, upper: &upper, damping };
            let (mut matrix, mut active) = (vec![0.0; n * stride], vec![0; stride]);
            let (mut x, mut point) = (vec![0.0; stride], vec![0.0; stride]);
            let mut scratch =
                Scratch { matrix: &mut matrix, point: &mut point, active: &mut active };
            qp.solve(&mut scratch, &mut x);
            let mut primal = vec![0.0; stride];
            qp.solve_primal(&mut scratch, &mut primal);

            let mut dense = vec![0.0; n * n];
            for i in 0..n {
                dense[i * n..(i + 1) * n].copy_from_slice(&h[i * stride..i * stride + n]);
                dense[i * n + i] += damping;
            }
            let negative: Vec<f64> = g[..n].iter().map(|x| -x).collect();
            let reference = box_qp::BoxQp {
                h: &dense,
                g: &negative,
                lower: Some(&lower[..n]),
                upper: Some(&upper[..n]),
            };
            let mut expected = vec![0.0; n];
            reference.solve(&mut expected, &mut box_qp::Work::default()).unwrap();
            for ((a, b), c) in x.iter().zip(&expected).zip(&primal) {
                assert!((a - b).abs() < 1e-6, "{trial}: {x:?} {expected:?}");
                assert!((c - b).abs() < 1e-6, "{trial}: {primal:?} {expected:?}");
            }
        }
    }
}
