//! Eight lanes in a vector of AVX-512.

use super::{Kernel, Lanes, Mask, operators};
use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Neg, Not};

/// Eight lanes. Private to the parent module: a value exists only if the CPU supports AVX-512.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(super) struct F64x8(__m512d);

/// A bit per lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mask8(__mmask8);

operators! {
    F64x8:
    Add add _mm512_add_pd;
    Sub sub _mm512_sub_pd;
    Mul mul _mm512_mul_pd;
    Div div _mm512_div_pd;
}

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the CPU supports the instructions of the type.
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

impl BitAnd for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Mask8 {
    #[inline(always)]
    fn none() -> Self {
        Self(0)
    }

    #[inline(always)]
    fn all_lanes() -> Self {
        Self(0xff)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

// SAFETY of all blocks below: the CPU supports the instructions of the type.
#[allow(clippy::undocumented_unsafe_blocks, reason = "one reason for all of them, above")]
impl Lanes for F64x8 {
    const COUNT: usize = 8;
    type Mask = Mask8;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn as_slice(&self) -> &[f64] {
        // the vector has the layout of an array of eight numbers
        unsafe { &*std::ptr::from_ref(self).cast::<[f64; 8]>() }
    }

    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        // the vector has the layout of an array of eight numbers
        unsafe { &mut *std::ptr::from_mut(self).cast::<[f64; 8]>() }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn floor(self) -> Self {
        Self(unsafe {
            _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.0)
        })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Mask8 {
        Mask8(unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn le(self, other: Self) -> Mask8 {
        Mask8(unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: Mask8, other: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(mask.0, other.0, self.0) })
    }

    #[inline(always)]
    fn masked(self, mask: Mask8) -> Self {
        Self(unsafe { _mm512_maskz_mov_pd(mask.0, self.0) })
    }

    #[inline(always)]
    fn add_masked(self, mask: Mask8, other: Self) -> Self {
        Self(unsafe { _mm512_mask_add_pd(self.0, mask.0, self.0, other.0) })
    }

    #[inline(always)]
    fn vectorize<K: Kernel>(kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        unsafe { with_avx512(kernel) }
    }
}
