//! Four lanes in a vector of AVX2.

use super::{Kernel, Lanes, Mask, operators};
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Neg, Not};

/// Four lanes. Private to the parent module: a value exists only if the CPU supports AVX2.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(super) struct F64x4(__m256d);

/// Lanes with all bits set or none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mask4(__m256d);

operators! {
    F64x4:
    Add add _mm256_add_pd;
    Sub sub _mm256_sub_pd;
    Mul mul _mm256_mul_pd;
    Div div _mm256_div_pd;
}

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl BitAnd for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_and_pd(self.0, other.0) })
    }
}

impl BitOr for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_or_pd(self.0, other.0) })
    }
}

impl Not for Mask4 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_andnot_pd(self.0, Self::all_lanes().0) })
    }
}

impl Mask for Mask4 {
    #[inline(always)]
    fn none() -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_setzero_pd() })
    }

    #[inline(always)]
    fn all_lanes() -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm256_castsi256_pd(_mm256_set1_epi64x(-1)) })
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: the CPU supports the instructions of the type.
        unsafe { _mm256_movemask_pd(self.0) as u32 }
    }
}

// SAFETY of all blocks below: the CPU supports the instructions of the type.
#[allow(clippy::undocumented_unsafe_blocks, reason = "one reason for all of them, above")]
impl Lanes for F64x4 {
    const COUNT: usize = 4;
    type Mask = Mask4;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn as_slice(&self) -> &[f64] {
        // the vector has the layout of an array of four numbers
        unsafe { &*std::ptr::from_ref(self).cast::<[f64; 4]>() }
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        // the vector has the layout of an array of four numbers
        unsafe { &mut *std::ptr::from_mut(self).cast::<[f64; 4]>() }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }

    #[inline(always)]
    fn floor(self) -> Self {
        Self(unsafe { _mm256_floor_pd(self.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Mask4 {
        Mask4(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn le(self, other: Self) -> Mask4 {
        Mask4(unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: Mask4, other: Self) -> Self {
        Self(unsafe { _mm256_blendv_pd(other.0, self.0, mask.0) })
    }

    #[inline(always)]
    fn masked(self, mask: Mask4) -> Self {
        Self(unsafe { _mm256_and_pd(self.0, mask.0) })
    }

    #[inline(always)]
    fn add_masked(self, mask: Mask4, other: Self) -> Self {
        (self + other).select(mask, self)
    }

    #[inline(always)]
    fn vectorize<K: Kernel>(kernel: K) -> K::Output {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        unsafe { with_avx2(kernel) }
    }
}
