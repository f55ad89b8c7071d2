//! SIMD kernels with runtime dispatch to the vector instructions of the CPU.
//!
//! Programs are compiled for a baseline CPU. [`dispatch!`] calls a second version of a function, compiled
//! for AVX2, if the CPU supports it. Both versions perform the same operations in the same order, without
//! fused multiply-add, so results do not depend on the CPU.
//!
//! ```
//! #[inline(always)]
//! fn scale(factor: f64, values: &mut [f64]) {
//!     for v in values {
//!         *v *= factor;
//!     }
//! }
//! fn doubled(values: &mut [f64]) {
//!     let factor = 2.0;
//!     sim_simd::dispatch!(scale(factor: f64, values: &mut [f64]));
//! }
//! let mut values = [1.0, 2.0, 3.0];
//! doubled(&mut values);
//! assert_eq!(values, [2.0, 4.0, 6.0]);
//! ```

mod aabb;
mod blocks;
mod frames;
mod gather;
mod hull;
pub mod lanes;
mod sums;
mod vector3;

pub use aabb::{AabbBatch, batch_aabb_overlap_4};
pub use blocks::{Block, mul_column_slices, mul_differences, mul_row_slices};
pub use frames::{LocalFrame, transform_frames};
pub use gather::gather;
pub use hull::HullSupport;
pub use sums::{sum_four, sum_six};
pub use vector3::Vector3;

/// Whether the CPU supports AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[must_use]
pub fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

/// Calls a function with variables of this scope, compiled for AVX2 if the CPU supports it:
/// `dispatch!(f(a: A, b: B) -> R)`.
///
/// The function and its callees must be marked `#[inline(always)]`: only code that is inlined here is
/// compiled with the target feature.
#[macro_export]
macro_rules! dispatch {
    ($function:ident($($argument:ident : $type:ty),* $(,)?) $(-> $result:ty)?) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn with_avx2($($argument: $type),*) $(-> $result)? {
                $function($($argument),*)
            }
            if $crate::has_avx2() {
                // SAFETY: the CPU supports the target features of the function.
                unsafe { with_avx2($($argument),*) }
            } else {
                $function($($argument),*)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        $function($($argument),*)
    }};
}
