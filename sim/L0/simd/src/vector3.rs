//! A vector of three numbers in two registers of two numbers each.
//!
//! An array of three numbers is read and written in pieces that the compiler chooses independently in each function; a read that
//! is wider than the write before it waits until the write has reached the cache. Here every access is of the same
//! width. All operations round as those on three scalars in the order given by the formula.

#[cfg(not(target_arch = "x86_64"))]
use portable::Pair;
#[cfg(target_arch = "x86_64")]
use sse2::Pair;

/// A vector `(x, y, z)`.
#[derive(Debug, Clone, Copy)]
pub struct Vector3 {
    xy: Pair,
    /// The second number is unused, and not always zero.
    z: Pair,
}

impl Default for Vector3 {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<[f64; 3]> for Vector3 {
    #[inline(always)]
    fn from([x, y, z]: [f64; 3]) -> Self {
        // twice, because a zero would be an instruction more (`vmovq`, which Valgrind 3.19 does not decode)
        Self { xy: Pair::new(x, y), z: Pair::new(z, z) }
    }
}

impl From<Vector3> for [f64; 3] {
    #[inline(always)]
    fn from(v: Vector3) -> Self {
        [v.x(), v.y(), v.z()]
    }
}

#[allow(clippy::should_implement_trait, reason = "formulas of methods read from left to right")]
impl Vector3 {
    /// The zero vector.
    pub const ZERO: Self = Self { xy: Pair::ZERO, z: Pair::ZERO };

    /// The first component.
    #[inline(always)]
    #[must_use]
    pub fn x(self) -> f64 {
        self.xy.low()
    }

    /// The second component.
    #[inline(always)]
    #[must_use]
    pub fn y(self) -> f64 {
        self.xy.high()
    }

    /// The third component.
    #[inline(always)]
    #[must_use]
    pub fn z(self) -> f64 {
        self.z.low()
    }

    /// `a + b`.
    #[inline(always)]
    #[must_use]
    pub fn add(self, b: Self) -> Self {
        Self { xy: self.xy.add(b.xy), z: self.z.add(b.z) }
    }

    /// `a - b`.
    #[inline(always)]
    #[must_use]
    pub fn sub(self, b: Self) -> Self {
        Self { xy: self.xy.sub(b.xy), z: self.z.sub(b.z) }
    }

    /// `s a`.
    #[inline(always)]
    #[must_use]
    pub fn scale(self, s: f64) -> Self {
        let s = Pair::new(s, s);
        Self { xy: self.xy.mul(s), z: self.z.mul(s) }
    }

    /// `a / s`.
    #[inline(always)]
    #[must_use]
    pub fn divide(self, s: f64) -> Self {
        let s = Pair::new(s, s);
        Self { xy: self.xy.div(s), z: self.z.div(s) }
    }

    /// `a + s b`.
    #[inline(always)]
    #[must_use]
    pub fn add_scaled(self, b: Self, s: f64) -> Self {
        self.add(b.scale(s))
    }

    /// The products of the components.
    #[inline(always)]
    #[must_use]
    pub fn component_mul(self, b: Self) -> Self {
        Self { xy: self.xy.mul(b.xy), z: self.z.mul(b.z) }
    }

    /// `a · b`.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, b: Self) -> f64 {
        let p = self.component_mul(b);
        p.x() + p.y() + p.z()
    }

    /// `a × b`.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, b: Self) -> Self {
        let first = self.xy.high_low(self.z).mul(b.z.low_low(b.xy));
        let second = self.z.low_low(self.xy).mul(b.xy.high_low(b.z));
        let third = self.xy.mul(b.xy.swap());
        Self { xy: first.sub(second), z: third.sub(third.swap()) }
    }

    /// `A v` for a row-major matrix.
    #[inline(always)]
    #[must_use]
    pub fn transformed(self, a: &[f64; 9]) -> Self {
        let column = |k: usize| Self::from([a[k], a[k + 3], a[k + 6]]);
        self.combination(column(0), column(1), column(2))
    }

    /// `Aᵀ v` for a row-major matrix.
    #[inline(always)]
    #[must_use]
    pub fn transformed_by_transpose(self, a: &[f64; 9]) -> Self {
        let row = |k: usize| Self::from([a[3 * k], a[3 * k + 1], a[3 * k + 2]]);
        self.combination(row(0), row(1), row(2))
    }

    /// `x a + y b + z c`.
    #[inline(always)]
    fn combination(self, a: Self, b: Self, c: Self) -> Self {
        let (x, y, z) =
            (self.xy.low_low(self.xy), self.xy.high_high(self.xy), self.z.low_low(self.z));
        let sum = |a: Pair, b: Pair, c: Pair| a.mul(x).add(b.mul(y)).add(c.mul(z));
        Self { xy: sum(a.xy, b.xy, c.xy), z: sum(a.z, b.z, c.z) }
    }

    /// Components with the sign of those of `b`, positive where those are zero of either sign; `a` is positive.
    #[inline(always)]
    #[must_use]
    pub fn with_signs_of(self, b: Self) -> Self {
        Self { xy: self.xy.with_signs_of(b.xy), z: self.z.with_signs_of(b.z) }
    }

    /// Bit `k` is set if component `k` is positive.
    #[inline(always)]
    #[must_use]
    pub fn positive_bits(self) -> u32 {
        self.xy.positive_bits() | (self.z.positive_bits() & 1) << 2
    }

    /// Whether the magnitude of each component is below a limit.
    #[inline(always)]
    #[must_use]
    pub fn is_below(self, limit: f64) -> bool {
        self.x().abs() < limit && self.y().abs() < limit && self.z().abs() < limit
    }
}

/// Two numbers in a register of SSE2, which every CPU of this architecture has.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::{
        __m128d, _mm_add_pd, _mm_and_pd, _mm_cmpgt_pd, _mm_cmpnge_pd, _mm_cvtsd_f64, _mm_div_pd,
        _mm_movemask_pd, _mm_mul_pd, _mm_set_pd, _mm_set1_pd, _mm_setzero_pd, _mm_shuffle_pd,
        _mm_sub_pd, _mm_unpackhi_pd, _mm_unpacklo_pd, _mm_xor_pd,
    };

    #[derive(Debug, Clone, Copy)]
    #[repr(transparent)]
    pub(super) struct Pair(__m128d);

    // SAFETY of all blocks below: the CPU has SSE2, and all bits zero are a vector of zeros.
    #[allow(clippy::undocumented_unsafe_blocks, reason = "one reason for all of them, above")]
    impl Pair {
        pub(super) const ZERO: Self = Self(unsafe { std::mem::zeroed() });

        #[inline(always)]
        pub(super) fn new(low: f64, high: f64) -> Self {
            Self(unsafe { _mm_set_pd(high, low) })
        }

        #[inline(always)]
        pub(super) fn low(self) -> f64 {
            unsafe { _mm_cvtsd_f64(self.0) }
        }

        #[inline(always)]
        pub(super) fn high(self) -> f64 {
            unsafe { _mm_cvtsd_f64(_mm_unpackhi_pd(self.0, self.0)) }
        }

        #[inline(always)]
        pub(super) fn add(self, b: Self) -> Self {
            Self(unsafe { _mm_add_pd(self.0, b.0) })
        }

        #[inline(always)]
        pub(super) fn sub(self, b: Self) -> Self {
            Self(unsafe { _mm_sub_pd(self.0, b.0) })
        }

        #[inline(always)]
        pub(super) fn mul(self, b: Self) -> Self {
            Self(unsafe { _mm_mul_pd(self.0, b.0) })
        }

        #[inline(always)]
        pub(super) fn div(self, b: Self) -> Self {
            Self(unsafe { _mm_div_pd(self.0, b.0) })
        }

        /// The first numbers of both.
        #[inline(always)]
        pub(super) fn low_low(self, b: Self) -> Self {
            Self(unsafe { _mm_unpacklo_pd(self.0, b.0) })
        }

        /// The second numbers of both.
        #[inline(always)]
        pub(super) fn high_high(self, b: Self) -> Self {
            Self(unsafe { _mm_unpackhi_pd(self.0, b.0) })
        }

        /// The second number, and the first of `b`.
        #[inline(always)]
        pub(super) fn high_low(self, b: Self) -> Self {
            Self(unsafe { _mm_shuffle_pd::<1>(self.0, b.0) })
        }

        #[inline(always)]
        pub(super) fn swap(self) -> Self {
            Self(unsafe { _mm_shuffle_pd::<1>(self.0, self.0) })
        }

        #[inline(always)]
        pub(super) fn with_signs_of(self, b: Self) -> Self {
            Self(unsafe {
                let negative = _mm_cmpnge_pd(b.0, _mm_setzero_pd());
                _mm_xor_pd(self.0, _mm_and_pd(negative, _mm_set1_pd(-0.0)))
            })
        }

        #[inline(always)]
        pub(super) fn positive_bits(self) -> u32 {
            unsafe { _mm_movemask_pd(_mm_cmpgt_pd(self.0, _mm_setzero_pd())) as u32 }
        }
    }
}

/// Two numbers in an array.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "compiled for its test"))]
mod portable {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Pair([f64; 2]);

    impl Pair {
        pub(super) const ZERO: Self = Self([0.0; 2]);

        #[inline(always)]
        pub(super) fn new(low: f64, high: f64) -> Self {
            Self([low, high])
        }

        #[inline(always)]
        pub(super) fn low(self) -> f64 {
            self.0[0]
        }

        #[inline(always)]
        pub(super) fn high(self) -> f64 {
            self.0[1]
        }

        #[inline(always)]
        pub(super) fn add(self, b: Self) -> Self {
            Self([self.0[0] + b.0[0], self.0[1] + b.0[1]])
        }

        #[inline(always)]
        pub(super) fn sub(self, b: Self) -> Self {
            Self([self.0[0] - b.0[0], self.0[1] - b.0[1]])
        }

        #[inline(always)]
        pub(super) fn mul(self, b: Self) -> Self {
            Self([self.0[0] * b.0[0], self.0[1] * b.0[1]])
        }

        #[inline(always)]
        pub(super) fn div(self, b: Self) -> Self {
            Self([self.0[0] / b.0[0], self.0[1] / b.0[1]])
        }

        #[inline(always)]
        pub(super) fn low_low(self, b: Self) -> Self {
            Self([self.0[0], b.0[0]])
        }

        #[inline(always)]
        pub(super) fn high_high(self, b: Self) -> Self {
            Self([self.0[1], b.0[1]])
        }

        #[inline(always)]
        pub(super) fn high_low(self, b: Self) -> Self {
            Self([self.0[1], b.0[0]])
        }

        #[inline(always)]
        pub(super) fn swap(self) -> Self {
            Self([self.0[1], self.0[0]])
        }

        #[inline(always)]
        pub(super) fn with_signs_of(self, b: Self) -> Self {
            let signed = |k: usize| if b.0[k] >= 0.0 { self.0[k] } else { -self.0[k] };
            Self([signed(0), signed(1)])
        }

        #[inline(always)]
        pub(super) fn positive_bits(self) -> u32 {
            u32::from(self.0[0] > 0.0) | u32::from(self.0[1] > 0.0) << 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, Vector3, portable};

    const A: [f64; 3] = [0.3, -1.7, 2.9];
    const B: [f64; 3] = [-0.1, 0.7, 1.3];
    const M: [f64; 9] = [0.1, 0.2, -0.3, 0.7, 1.1, 1.3, -0.6, 0.9, 2.3];

    fn array(v: Vector3) -> [f64; 3] {
        v.into()
    }

    #[test]
    fn operations_round_as_scalar_formulas() {
        let (a, b) = (Vector3::from(A), Vector3::from(B));
        assert_eq!(array(a.add(b)), [A[0] + B[0], A[1] + B[1], A[2] + B[2]]);
        assert_eq!(array(a.sub(b)), [A[0] - B[0], A[1] - B[1], A[2] - B[2]]);
        assert_eq!(array(a.scale(0.7)), [0.7 * A[0], 0.7 * A[1], 0.7 * A[2]]);
        assert_eq!(array(a.divide(0.7)), [A[0] / 0.7, A[1] / 0.7, A[2] / 0.7]);
        assert_eq!(a.dot(b), A[0] * B[0] + A[1] * B[1] + A[2] * B[2]);
        let cross =
            [A[1] * B[2] - A[2] * B[1], A[2] * B[0] - A[0] * B[2], A[0] * B[1] - A[1] * B[0]];
        assert_eq!(array(a.cross(b)), cross);
        let row = |k: usize| M[3 * k] * A[0] + M[3 * k + 1] * A[1] + M[3 * k + 2] * A[2];
        assert_eq!(array(a.transformed(&M)), [row(0), row(1), row(2)]);
        let column = |k: usize| M[k] * A[0] + M[k + 3] * A[1] + M[k + 6] * A[2];
        assert_eq!(array(a.transformed_by_transpose(&M)), [column(0), column(1), column(2)]);
    }

    #[test]
    fn signs_are_positive_at_zero_of_either_sign() {
        let size = Vector3::from([1.0, 2.0, 3.0]);
        let corner = size.with_signs_of(Vector3::from([-0.0, -1.0, 0.0]));
        assert_eq!(array(corner), [1.0, -2.0, 3.0]);
        assert_eq!(corner.positive_bits(), 0b101);
        let corner = size.with_signs_of(Vector3::from([f64::NAN, 1.0, -1e-300]));
        assert_eq!(array(corner), [-1.0, 2.0, -3.0]);
        assert_eq!(corner.positive_bits(), 0b010);
        assert!(Vector3::from([0.1, -0.1, 0.0]).is_below(0.2));
        assert!(!Vector3::from([0.1, f64::NAN, 0.0]).is_below(0.2));
    }

    #[test]
    fn both_kinds_of_pair_agree() {
        let values = [0.0, -0.0, 1.5, -0.3, f64::NAN, f64::INFINITY];
        let bits = |x: f64| if x.is_nan() { 0 } else { x.to_bits() };
        for a in values {
            for b in values {
                let (p, q) = (Pair::new(a, b), Pair::new(b, 0.7));
                let (r, s) = (portable::Pair::new(a, b), portable::Pair::new(b, 0.7));
                let found = [p.add(q), p.sub(q), p.mul(q), p.div(q), p.with_signs_of(q), p.swap()];
                let expected =
                    [r.add(s), r.sub(s), r.mul(s), r.div(s), r.with_signs_of(s), r.swap()];
                for (x, y) in found.into_iter().zip(expected) {
                    assert_eq!((bits(x.low()), bits(x.high())), (bits(y.low()), bits(y.high())));
                }
                let found = [p.low_low(q), p.high_high(q), p.high_low(q), Pair::ZERO];
                let expected = [r.low_low(s), r.high_high(s), r.high_low(s), portable::Pair::ZERO];
                for (x, y) in found.into_iter().zip(expected) {
                    assert_eq!((bits(x.low()), bits(x.high())), (bits(y.low()), bits(y.high())));
                }
                assert_eq!(p.positive_bits(), r.positive_bits());
            }
        }
    }
}
