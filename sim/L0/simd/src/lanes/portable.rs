//! Four lanes in an array, for CPUs without AVX2.

use super::{Kernel, Lanes, Mask};
use std::array::from_fn;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// Four lanes.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct F64x4([f64; 4]);

/// A bit per lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mask4(u8);

macro_rules! operators {
    ($($trait:ident $method:ident $operator:tt;)*) => {
        $(
            impl $trait for F64x4 {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(from_fn(|k| self.0[k] $operator other.0[k]))
                }
            }
        )*
    };
}

operators! {
    Add add +;
    Sub sub -;
    Mul mul *;
    Div div /;
}

impl AddAssign for F64x4 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for F64x4 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl BitAnd for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & 0xf)
    }
}

impl Mask for Mask4 {
    #[inline(always)]
    fn none() -> Self {
        Self(0)
    }

    #[inline(always)]
    fn all_lanes() -> Self {
        Self(0xf)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl F64x4 {
    #[inline(always)]
    fn compare(self, other: Self, holds: impl Fn(f64, f64) -> bool) -> Mask4 {
        let bit = |k: usize| u8::from(holds(self.0[k], other.0[k])) << k;
        Mask4(bit(0) | bit(1) | bit(2) | bit(3))
    }
}

impl Lanes for F64x4 {
    const COUNT: usize = 4;
    type Mask = Mask4;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    fn as_slice(&self) -> &[f64] {
        &self.0
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn floor(self) -> Self {
        Self(self.0.map(f64::floor))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|k| if self.0[k] > other.0[k] { self.0[k] } else { other.0[k] }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(from_fn(|k| if self.0[k] < other.0[k] { self.0[k] } else { other.0[k] }))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Mask4 {
        self.compare(other, |a, b| a < b)
    }

    #[inline(always)]
    fn le(self, other: Self) -> Mask4 {
        self.compare(other, |a, b| a <= b)
    }

    #[inline(always)]
    fn select(self, mask: Mask4, other: Self) -> Self {
        Self(from_fn(|k| if mask.0 >> k & 1 != 0 { self.0[k] } else { other.0[k] }))
    }

    #[inline(always)]
    fn masked(self, mask: Mask4) -> Self {
        self.select(mask, Self::splat(0.0))
    }

    #[inline(always)]
    fn add_masked(self, mask: Mask4, other: Self) -> Self {
        (self + other).select(mask, self)
    }

    #[inline(always)]
    fn vectorize<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
}
