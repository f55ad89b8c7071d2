//! Vectors whose lanes are independent computations: the same program for several environments at once.
//!
//! [`Lanes`] is implemented for vectors of AVX-512 and AVX2, and for a portable array. Their types are private:
//! generic code gets one of them from [`with_lanes`], which selects by the features of the CPU, so that a value of
//! a type proves that the CPU supports its instructions. All implementations perform IEEE operations without fused
//! multiply-add: the result of a lane does not depend on the number of lanes, nor on the values of other lanes.
//!
//! ```
//! use sim_simd::lanes::{Kernel, Lanes, Visitor, with_lanes};
//!
//! struct Square<V>(V);
//! impl<V: Lanes> Kernel for Square<V> {
//!     type Output = V;
//!     #[inline(always)]
//!     fn run(self) -> V {
//!         self.0 * self.0
//!     }
//! }
//! struct Main;
//! impl Visitor for Main {
//!     type Output = f64;
//!     fn visit<V: Lanes>(self) -> f64 {
//!         V::vectorize(Square(V::splat(3.0))).as_slice()[0]
//!     }
//! }
//! assert_eq!(with_lanes(None, Main), 9.0);
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// A computation that is compiled with the instructions of its vectors, see [`Lanes::vectorize`].
pub trait Kernel {
    /// Result of the computation.
    type Output;

    /// Runs the computation. Implementations and their callees must be marked `#[inline(always)]`: only code that is
    /// inlined into [`Lanes::vectorize`] is compiled with the target features.
    fn run(self) -> Self::Output;
}

/// A computation that is generic over the type of vectors.
pub trait Visitor {
    /// Result of the computation.
    type Output;

    /// Runs the computation with vectors of type `V`.
    fn visit<V: Lanes>(self) -> Self::Output;
}

/// A truth value per lane.
pub trait Mask:
    Copy + Debug + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// All lanes false.
    fn none() -> Self;

    /// All lanes true.
    fn all_lanes() -> Self;

    /// Lane `k` in bit `k`.
    fn bits(self) -> u32;

    /// Whether some lane is true.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// A vector of `COUNT` numbers, one per lane.
pub trait Lanes:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// Number of lanes.
    const COUNT: usize;

    /// Result of a comparison.
    type Mask: Mask;

    /// The same number in all lanes.
    fn splat(x: f64) -> Self;

    /// The lanes.
    fn as_slice(&self) -> &[f64];

    /// The lanes, mutable.
    fn as_mut_slice(&mut self) -> &mut [f64];

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// Largest integer not above the number.
    fn floor(self) -> Self;

    /// `self` if it is greater than `other`, else `other`.
    fn max(self, other: Self) -> Self;

    /// `self` if it is less than `other`, else `other`.
    fn min(self, other: Self) -> Self;

    /// `self < other`.
    fn lt(self, other: Self) -> Self::Mask;

    /// `self <= other`.
    fn le(self, other: Self) -> Self::Mask;

    /// `self` in the lanes of the mask, `other` in the others.
    fn select(self, mask: Self::Mask, other: Self) -> Self;

    /// `self` in the lanes of the mask, zero in the others.
    fn masked(self, mask: Self::Mask) -> Self;

    /// `self + other` in the lanes of the mask, `self` in the others.
    fn add_masked(self, mask: Self::Mask, other: Self) -> Self;

    /// Runs a kernel that is compiled with the instructions of this type.
    fn vectorize<K: Kernel>(kernel: K) -> K::Output;

    /// `self > other`.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    /// `self >= other`.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }

    /// Zero in all lanes.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// The numbers of a slice, one per lane.
    ///
    /// # Panics
    /// If the slice does not have as many numbers as there are lanes.
    #[inline(always)]
    fn load(x: &[f64]) -> Self {
        let mut vector = Self::zero();
        vector.as_mut_slice().copy_from_slice(x);
        vector
    }

    /// Up to as many numbers as there are lanes, and zeros in the other lanes.
    #[inline(always)]
    fn load_padded(x: &[f64]) -> Self {
        let mut vector = Self::zero();
        // a loop of constant length: the compiler would call a library function for a copy of unknown length
        for lane in 0..Self::COUNT {
            if let Some(&x) = x.get(lane) {
                vector.set(lane, x);
            }
        }
        vector
    }

    /// Writes the leading lanes to a slice of at most as many numbers as there are lanes.
    #[inline(always)]
    fn store(self, x: &mut [f64]) {
        for lane in 0..Self::COUNT {
            if let Some(x) = x.get_mut(lane) {
                *x = self.get(lane);
            }
        }
    }

    /// The number in a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    fn get(&self, lane: usize) -> f64 {
        self.as_slice()[lane]
    }

    /// Sets the number in a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline(always)]
    fn set(&mut self, lane: usize, x: f64) {
        self.as_mut_slice()[lane] = x;
    }
}

/// A set of vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// Eight lanes in vectors of 512 bits.
    Avx512,
    /// Four lanes in vectors of 256 bits.
    Avx2,
    /// Four lanes in an array.
    Portable,
}

impl InstructionSet {
    /// Whether the CPU supports the instructions.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => crate::has_avx2(),
            Self::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// Runs a computation with the widest vectors that the CPU supports, or with the given instruction set if the CPU
/// supports it.
pub fn with_lanes<W: Visitor>(set: Option<InstructionSet>, visitor: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let may_use = |candidate: InstructionSet| {
            set.is_none_or(|set| set == candidate) && candidate.is_supported()
        };
        if may_use(InstructionSet::Avx512) {
            return visitor.visit::<avx512::F64x8>();
        }
        if may_use(InstructionSet::Avx2) {
            return visitor.visit::<avx2::F64x4>();
        }
    }
    let _ = set;
    visitor.visit::<portable::F64x4>()
}

/// A computation with vectors of four lanes: the lanes are entries of the same vectors, whose number of partial sums must
/// not depend on the CPU.
pub trait FourLanes {
    /// Result of the computation.
    type Output;

    /// Runs the computation. Implementations and their callees must be marked `#[inline(always)]`: only code that is
    /// inlined into [`with_four_lanes`] is compiled with the target features.
    fn run<V: Lanes>(self) -> Self::Output;
}

/// Runs a computation with vectors of AVX2 if the CPU supports it, else with arrays.
#[inline]
pub fn with_four_lanes<K: FourLanes>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: FourLanes>(kernel: K) -> K::Output {
            kernel.run::<avx2::F64x4>()
        }
        if crate::has_avx2() {
            // SAFETY: the CPU supports AVX2.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run::<portable::F64x4>()
}

/// Implements an operator trait by an intrinsic.
#[cfg(target_arch = "x86_64")]
macro_rules! operators {
    ($vector:ident: $($trait:ident $method:ident $intrinsic:ident;)*) => {
        $(
            impl std::ops::$trait for $vector {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: the CPU supports the instructions of the type.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        )*
        impl std::ops::AddAssign for $vector {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl std::ops::SubAssign for $vector {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use operators;
