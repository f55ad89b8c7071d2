//! SIMD vectors of eight single-precision numbers.

/// Entries of a vector.
pub(super) const LANES: usize = 8;

/// Vector of eight numbers, aligned so that no load crosses a cache line.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct F32x8(pub [f32; LANES]);

impl F32x8 {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    /// `self + a x`.
    #[inline(always)]
    pub(super) fn add_scaled(self, x: Self, a: f32) -> Self {
        self.add_product(x, Self([a; LANES]))
    }

    /// `self + x y`, entry by entry.
    #[inline(always)]
    pub(super) fn add_product(mut self, x: Self, y: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] += x.0[lane] * y.0[lane];
        }
        self
    }

    /// `self + x`.
    #[inline(always)]
    pub(super) fn plus(mut self, x: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] += x.0[lane];
        }
        self
    }

    /// `self − x`.
    #[inline(always)]
    pub(super) fn minus(mut self, x: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] -= x.0[lane];
        }
        self
    }

    /// The sum of all entries.
    #[inline(always)]
    pub(super) fn sum(self) -> f32 {
        let x = self.0;
        sum4([x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7]])
    }
}

#[inline(always)]
fn sum4(x: [f32; 4]) -> f32 {
    (x[0] + x[2]) + (x[1] + x[3])
}

/// The sums of the entries of six vectors, and two zeros.
#[inline(always)]
pub(super) fn sum_six(x: [F32x8; 6]) -> F32x8 {
    // not by `map`, which would copy them by a library call
    F32x8(sim_simd::sum_six(&[x[0].0, x[1].0, x[2].0, x[3].0, x[4].0, x[5].0]))
}

/// Sums of products in double precision, one for each lane.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sum([f64; LANES]);

impl Sum {
    /// Adds `x y`.
    #[inline(always)]
    pub(super) fn add(&mut self, x: F32x8, y: F32x8) {
        for lane in 0..LANES {
            self.0[lane] += f64::from(x.0[lane]) * f64::from(y.0[lane]);
        }
    }

    /// Horizontal sum of the eight lanes. Not inlined: otherwise the compiler chooses the vector layout
    /// of the accumulation loop to suit this reduction.
    #[inline(never)]
    pub(super) fn total(&self) -> f64 {
        let x = &self.0;
        ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
    }
}
