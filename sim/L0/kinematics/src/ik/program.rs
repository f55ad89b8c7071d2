//! The step: a quadratic program with bounds, small and dense.
//!
//! `minimise ½ xᵀ (H + λ I) x − gᵀ x  with  low ≤ x ≤ high`. Almost always no bound is met, or those
//! that are met are guessed right from the gradient; then one factorisation is all. Otherwise the
//! set of unknowns at bounds is corrected by the signs of steps and multipliers, all at once, until
//! it stays the same (Hintermüller, Ito and Kunisch 2002). This can go in circles; then the set is
//! changed one unknown at a time, which cannot (Nocedal and Wright, algorithm 16.3).

/// The numbers of a program, in rows of `stride`.
pub(super) struct Program<'a> {
    pub n: usize,
    pub stride: usize,
    /// Symmetric, both triangles.
    pub h: &'a [f64],
    pub g: &'a [f64],
    pub low: &'a [f64],
    pub high: &'a [f64],
    pub damping: f64,
}

/// Memory: a copy of the matrix, a point, and for each unknown whether it is at its lower (-1) or
/// upper (1) bound.
pub(super) struct Memory<'a> {
    pub matrix: &'a mut [f64],
    pub point: &'a mut [f64],
    pub side: &'a mut [i8],
}

/// Corrections of the whole set before it is changed one by one.
const MAX_CORRECTIONS: usize = 6;

impl Program<'_> {
    /// Finds the minimum; returns by how much `½ xᵀ H x − gᵀ x` is below zero there.
    #[inline(always)]
    pub(super) fn solve(&self, memory: &mut Memory<'_>, x: &mut [f64]) -> f64 {
        let mut held = self.guess(memory);
        for _ in 0..MAX_CORRECTIONS {
            self.solve_free(memory, held, x);
            if !self.correct(memory, held, x) {
                return self.fall(held, x);
            }
            held = true;
        }
        self.solve_carefully(memory, x);
        self.fall(true, x)
    }

    /// How far the undamped program falls from zero to `x`, which solves the damped one.
    #[inline(always)]
    fn fall(&self, held: bool, x: &[f64]) -> f64 {
        let mut fall = 0.0;
        for i in 0..self.n {
            // what is pushed by nothing has `H x + λ x = g`
            let push = if held { self.push(i, &x[..self.n]) } else { 0.0 };
            fall += 0.5 * x[i] * (self.g[i] + push + self.damping * x[i]);
        }
        fall
    }

    /// Holds unknowns that are at a bound and pressed against it; whether there are any.
    #[inline(always)]
    fn guess(&self, memory: &mut Memory<'_>) -> bool {
        let mut held = false;
        for i in 0..self.n {
            let side = i8::from(self.high[i] <= 0.0 && self.g[i] > 0.0)
                - i8::from(self.low[i] >= 0.0 && self.g[i] < 0.0);
            memory.side[i] = side;
            held |= side != 0;
        }
        held
    }

    /// Goes from nothing to the minimum over the free unknowns, holds the first that meets a bound,
    /// and at the minimum lets go of the one that is held worst.
    #[cold]
    fn solve_carefully(&self, memory: &mut Memory<'_>, x: &mut [f64]) {
        let n = self.n;
        self.guess(memory);
        memory.point[..n].fill(0.0);
        for _ in 0..10 * (n + 1) {
            self.solve_free(memory, true, x);
            // how far it is to the first bound
            let (mut share, mut first) = (1.0, None);
            for i in (0..n).filter(|&i| memory.side[i] == 0) {
                let bound = if x[i] > self.high[i] {
                    self.high[i]
                } else if x[i] < self.low[i] {
                    self.low[i]
                } else {
                    continue;
                };
                let to_bound = (bound - memory.point[i]) / (x[i] - memory.point[i]);
                if to_bound < share {
                    (share, first) = (to_bound.max(0.0), Some((i, bound)));
                }
            }
            for i in 0..n {
                memory.point[i] += share * (x[i] - memory.point[i]);
            }
            if let Some((i, bound)) = first {
                memory.point[i] = bound;
                memory.side[i] = if x[i] > bound { 1 } else { -1 };
                continue;
            }
            let worst = (0..n)
                .map(|i| (self.push(i, &memory.point[..n]) * f64::from(memory.side[i]), i))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            match worst {
                Some((push, i)) if push < 0.0 => memory.side[i] = 0,
                _ => break,
            }
        }
        for i in 0..n {
            x[i] = memory.point[i].max(self.low[i]).min(self.high[i]);
        }
    }

    /// How strongly the program pushes an unknown up.
    #[inline(always)]
    fn push(&self, i: usize, x: &[f64]) -> f64 {
        let row = &self.h[i * self.stride..][..self.n];
        let product: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
        self.g[i] - product - self.damping * x[i]
    }

    /// The minimum over the free unknowns, with the others at their bounds.
    #[inline(always)]
    fn solve_free(&self, memory: &mut Memory<'_>, held: bool, x: &mut [f64]) {
        let (n, stride) = (self.n, self.stride);
        memory.matrix[..n * stride].copy_from_slice(&self.h[..n * stride]);
        x[..stride].copy_from_slice(&self.g[..stride]);
        for i in 0..n {
            memory.matrix[i * stride + i] += self.damping;
        }
        if held {
            self.hold(memory, x);
        }
        solve_in_place(n, stride, &mut memory.matrix[..n * stride], &mut x[..stride]);
    }

    /// Takes unknowns at bounds out of the system: their rows say only where they are.
    #[inline(never)]
    fn hold(&self, memory: &mut Memory<'_>, x: &mut [f64]) {
        let (n, stride) = (self.n, self.stride);
        for i in 0..n {
            let bound = match memory.side[i] {
                0 => continue,
                1 => self.high[i],
                _ => self.low[i],
            };
            for j in 0..n {
                if memory.side[j] == 0 {
                    x[j] -= self.h[j * stride + i] * bound;
                }
                memory.matrix[j * stride + i] = 0.0;
                memory.matrix[i * stride + j] = 0.0;
            }
            memory.matrix[i * stride + i] = 1.0;
            x[i] = bound;
        }
    }

    /// Moves unknowns that are past a bound to it, and lets go of those that a bound does not hold.
    /// Whether anything changed.
    #[inline(always)]
    fn correct(&self, memory: &mut Memory<'_>, held: bool, x: &[f64]) -> bool {
        let mut changed = false;
        for i in 0..self.n {
            if memory.side[i] == 0 {
                let side = i8::from(x[i] > self.high[i]) - i8::from(x[i] < self.low[i]);
                memory.side[i] = side;
                changed |= side != 0;
            } else if held && self.push(i, &x[..self.n]) * f64::from(memory.side[i]) < 0.0 {
                memory.side[i] = 0;
                changed = true;
            }
        }
        changed
    }
}

/// Solves a positive definite system by elimination without square roots; `x` holds the right-hand
/// side before.
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
        // kept for the way back
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
    use super::{Memory, Program};
    use crate::random::Random;
    use sim_core::math::box_qp;

    /// Solves random programs, of which many have bounds that matter.
    #[test]
    fn agrees_with_a_search_by_projected_newton_steps() {
        let mut random = Random::new(9);
        for trial in 0..2000_usize {
            let n = 1 + trial % 9;
            let stride = n.next_multiple_of(4).max(8);
            let rows: Vec<f64> = (0..6 * n).map(|_| random.between(-1.0, 1.0)).collect();
            let mut h = vec![0.0; n * stride];
            for i in 0..n {
                for j in 0..n {
                    h[i * stride + j] = (0..6).map(|r| rows[r * n + i] * rows[r * n + j]).sum();
                }
            }
            let damping = 0.01;
            let mut fill = |low: f64, high: f64| -> Vec<f64> {
                (0..stride).map(|_| random.between(low, high)).collect()
            };
            let (mut g, mut low, high) = (fill(-1.0, 1.0), fill(-0.5, 0.0), fill(0.01, 0.5));
            g[n..].fill(0.0);
            low[0] = 0.0;
            let program = Program { n, stride, h: &h, g: &g, low: &low, high: &high, damping };
            let (mut matrix, mut side) = (vec![0.0; n * stride], vec![0; stride]);
            let (mut x, mut point) = (vec![0.0; stride], vec![0.0; stride]);
            let mut memory = Memory { matrix: &mut matrix, point: &mut point, side: &mut side };
            program.solve(&mut memory, &mut x);
            let mut careful = vec![0.0; stride];
            program.solve_carefully(&mut memory, &mut careful);

            let mut dense = vec![0.0; n * n];
            for i in 0..n {
                dense[i * n..(i + 1) * n].copy_from_slice(&h[i * stride..i * stride + n]);
                dense[i * n + i] += damping;
            }
            let negative: Vec<f64> = g[..n].iter().map(|x| -x).collect();
            let other = box_qp::BoxQp {
                h: &dense,
                g: &negative,
                lower: Some(&low[..n]),
                upper: Some(&high[..n]),
            };
            let mut wanted = vec![0.0; n];
            other.solve(&mut wanted, &mut box_qp::Work::default()).unwrap();
            for ((a, b), c) in x.iter().zip(&wanted).zip(&careful) {
                assert!((a - b).abs() < 1e-6, "{trial}: {x:?} {wanted:?}");
                assert!((c - b).abs() < 1e-6, "{trial}: {careful:?} {wanted:?}");
            }
        }
    }
}
