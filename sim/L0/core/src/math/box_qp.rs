//! Box-constrained quadratic programs (`mju_boxQP`): minimise `½ xᵀ H x + gᵀ x` subject to
//! `lower ≤ x ≤ upper`, by the projected Newton method of Tassa, Mansard and Todorov, "Control-limited
//! differential dynamic programming", 2014.

use super::{cholesky, dot};
use sim_types::MINVAL;

/// Solver settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Maximum number of Newton iterations.
    pub max_iterations: usize,
    /// Termination threshold of the squared norm of the free gradient.
    pub min_gradient: f64,
    /// Factor of the step length in each backtracking step.
    pub backtrack: f64,
    /// Minimum step length of the line search.
    pub min_step: f64,
    /// Armijo parameter: required fraction of the decrease predicted by the slope.
    pub armijo: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_iterations: 100,
            min_gradient: 1e-16,
            backtrack: 0.5,
            min_step: 1e-22,
            armijo: 0.1,
        }
    }
}

/// Termination status of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The free gradient is below the threshold, and some bounds are active.
    SmallGradient,
    /// No bound is active: the solution is the unconstrained minimum.
    Unbounded,
    /// Every coordinate is at a bound.
    AllClamped,
    /// The maximum number of iterations was reached.
    MaxIterations,
    /// The line search reached the minimum step length.
    MaxLineSearch,
}

/// Error of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoxQpError {
    /// `H` restricted to the free coordinates is not positive definite.
    #[error("H is not positive definite on the free coordinates")]
    NotPositiveDefinite,
    /// The Newton step is not a descent direction: `H` or `g` are not finite or badly scaled.
    #[error("no descent direction was found")]
    NoDescent,
    /// The lengths of the arguments are inconsistent.
    #[error("for {n} unknowns, H must have {n}² entries and every vector {n}")]
    Length {
        /// Number of unknowns.
        n: usize,
    },
    /// A lower bound is not below its upper bound.
    #[error("lower bound {index} is not below its upper bound")]
    Bounds {
        /// Index of the coordinate.
        index: usize,
    },
}

/// Reusable buffers of the solver, with the free set and its factor after a solve.
#[derive(Debug, Clone, Default)]
pub struct Work {
    factor: Vec<f64>,
    free: Vec<usize>,
    clamped: Vec<bool>,
    before: Vec<bool>,
    gradient: Vec<f64>,
    search: Vec<f64>,
    candidate: Vec<f64>,
    temporary: Vec<f64>,
}

impl Work {
    /// Indices of the free coordinates, increasing.
    #[must_use]
    pub fn free(&self) -> &[usize] {
        &self.free
    }

    /// Cholesky factor of `H` restricted to the free coordinates, row-major lower triangle.
    #[must_use]
    pub fn factor(&self) -> &[f64] {
        &self.factor[..self.free.len() * self.free.len()]
    }

    fn resize(&mut self, n: usize) {
        self.factor.resize(n * n, 0.0);
        self.free.clear();
        self.free.extend(0..n);
        self.clamped.resize(n, false);
        self.before.resize(n, false);
        for v in [&mut self.gradient, &mut self.search, &mut self.candidate, &mut self.temporary] {
            v.resize(n, 0.0);
        }
    }
}

/// A box-constrained quadratic program. Absent bounds are infinite.
#[derive(Debug, Clone, Copy)]
pub struct BoxQp<'a> {
    /// Symmetric quadratic term, row-major `n × n` with both triangles.
    pub h: &'a [f64],
    /// Linear term.
    pub g: &'a [f64],
    /// Lower bounds.
    pub lower: Option<&'a [f64]>,
    /// Upper bounds.
    pub upper: Option<&'a [f64]>,
}

impl BoxQp<'_> {
    /// Finds the minimum, starting from the initial guess in `x`.
    ///
    /// # Errors
    /// If the lengths or bounds are inconsistent, or `H` is not positive definite.
    #[doc(alias = "mju_boxQP")]
    pub fn solve(&self, x: &mut [f64], work: &mut Work) -> Result<Status, BoxQpError> {
        self.solve_with(&Options::default(), x, work)
    }

    /// As [`solve`](Self::solve), with options.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[doc(alias = "mju_boxQPoption")]
    pub fn solve_with(
        &self,
        options: &Options,
        x: &mut [f64],
        work: &mut Work,
    ) -> Result<Status, BoxQpError> {
        self.check(x.len())?;
        work.resize(x.len());
        if self.lower.is_none() && self.upper.is_none() {
            return self.newton_point(x, work);
        }
        for (i, x) in x.iter_mut().enumerate() {
            *x = self.clamp(i, *x);
        }
        for iteration in 0..options.max_iterations {
            if let Some(status) = self.newton_direction(options, x, work, iteration == 0)? {
                return Ok(status);
            }
            let found = self.line_search(options, x, work)?;
            x.copy_from_slice(&work.candidate);
            if !found {
                return Ok(Status::MaxLineSearch);
            }
        }
        Ok(Status::MaxIterations)
    }

    fn check(&self, n: usize) -> Result<(), BoxQpError> {
        let bound = |b: Option<&[f64]>| b.is_none_or(|b| b.len() == n);
        if n == 0
            || n.checked_mul(n) != Some(self.h.len())
            || self.g.len() != n
            || !bound(self.lower)
            || !bound(self.upper)
        {
            return Err(BoxQpError::Length { n });
        }
        if let (Some(lower), Some(upper)) = (self.lower, self.upper)
            && let Some(index) = lower.iter().zip(upper).position(|(l, u)| l >= u)
        {
            return Err(BoxQpError::Bounds { index });
        }
        Ok(())
    }

    fn clamp(&self, i: usize, x: f64) -> f64 {
        let x = self.lower.map_or(x, |lower| x.max(lower[i]));
        self.upper.map_or(x, |upper| x.min(upper[i]))
    }

    /// `½ xᵀ H x + gᵀ x`.
    fn value(&self, x: &[f64]) -> f64 {
        let rows = self.h.chunks_exact(x.len());
        let quadratic: f64 = rows.zip(x).map(|(row, xi)| xi * dot(row, x)).sum();
        0.5 * quadratic + dot(self.g, x)
    }

    /// The unconstrained minimum, `-H⁻¹ g`.
    fn newton_point(&self, x: &mut [f64], work: &mut Work) -> Result<Status, BoxQpError> {
        work.factor.copy_from_slice(self.h);
        if cholesky::factor(&mut work.factor, x.len(), MINVAL) < x.len() {
            return Err(BoxQpError::NotPositiveDefinite);
        }
        x.copy_from_slice(self.g);
        cholesky::solve(&work.factor, x);
        x.iter_mut().for_each(|x| *x = -*x);
        Ok(Status::Unbounded)
    }

    /// Computes the free set and the Newton direction on it; returns a status if the solve terminates.
    fn newton_direction(
        &self,
        options: &Options,
        x: &[f64],
        work: &mut Work,
        first: bool,
    ) -> Result<Option<Status>, BoxQpError> {
        let n = x.len();
        for (i, row) in self.h.chunks_exact(n).enumerate() {
            work.gradient[i] = dot(row, x) + self.g[i];
        }
        std::mem::swap(&mut work.clamped, &mut work.before);
        work.free.clear();
        for i in 0..n {
            let low = self.lower.is_some_and(|lower| x[i] == lower[i]) && work.gradient[i] > 0.0;
            let high = self.upper.is_some_and(|upper| x[i] == upper[i]) && work.gradient[i] < 0.0;
            work.clamped[i] = low || high;
            if !work.clamped[i] {
                work.free.push(i);
            }
        }
        if work.free.is_empty() {
            return Ok(Some(Status::AllClamped));
        }
        let nfree = work.free.len();
        if first || work.clamped != work.before {
            for (row, &i) in work.free.iter().enumerate() {
                for (col, &j) in work.free.iter().enumerate().take(row + 1) {
                    work.factor[row * nfree + col] = self.h[i * n + j];
                }
            }
            if cholesky::factor(&mut work.factor, nfree, MINVAL) < nfree {
                return Err(BoxQpError::NotPositiveDefinite);
            }
        }
        // gradient on the free coordinates at x_free = 0: H[free, clamped] x[clamped] + g[free]
        for (i, value) in work.temporary.iter_mut().enumerate() {
            *value = if work.clamped[i] { x[i] } else { 0.0 };
        }
        for (k, &i) in work.free.iter().enumerate() {
            work.candidate[k] = dot(&self.h[i * n..(i + 1) * n], &work.temporary) + self.g[i];
        }
        cholesky::solve(&work.factor, &mut work.candidate[..nfree]);
        work.search.fill(0.0);
        for (k, &i) in work.free.iter().enumerate() {
            work.search[i] = -work.candidate[k] - x[i];
        }
        let square: f64 = work.free.iter().map(|&i| work.gradient[i] * work.gradient[i]).sum();
        Ok((square < options.min_gradient).then_some(if nfree == n {
            Status::Unbounded
        } else {
            Status::SmallGradient
        }))
    }

    /// Backtracking line search along the projected direction with the Armijo condition; returns false if the
    /// minimum step length is reached. The result is in `work.candidate`.
    fn line_search(
        &self,
        options: &Options,
        x: &[f64],
        work: &mut Work,
    ) -> Result<bool, BoxQpError> {
        let slope = dot(&work.search, &work.gradient);
        if slope.is_nan() || slope >= 0.0 {
            return Err(BoxQpError::NoDescent);
        }
        let start = self.value(x);
        let mut step = 1.0;
        loop {
            for i in 0..x.len() {
                work.candidate[i] = self.clamp(i, x[i] + step * work.search[i]);
            }
            let value = self.value(&work.candidate);
            step *= options.backtrack;
            // a backtrack factor of one or more would not terminate
            if step < options.min_step || step == 0.0 || options.backtrack >= 1.0 {
                return Ok(false);
            }
            if (value - start) / (step * slope) >= options.armijo {
                return Ok(true);
            }
            if value.is_nan() {
                return Err(BoxQpError::NoDescent);
            }
        }
    }
}
