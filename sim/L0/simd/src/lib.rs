//! Runtime dispatch to the processor's vector instructions.
//!
//! Programs are built for the oldest processor they may meet. [`dispatch!`] calls a function in a
//! second version, compiled for a newer one, if the machine has it. The arithmetic is the same in
//! both: no operation is fused or reordered, so results do not depend on the processor.
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

mod boxes;
mod frames;
mod hull;
mod pick;

pub use boxes::{Boxes, batch_aabb_overlap_4, batch_aabb_overlap_8};
pub use frames::{Local, place_frames};
pub use hull::HullMap;
pub use pick::pick;

/// Whether the machine has 256-bit integer and real vectors.
#[cfg(target_arch = "x86_64")]
#[inline]
#[must_use]
pub fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

/// Calls a function with variables of this scope, in the version compiled for the best
/// instructions that this machine has: `dispatch!(f(a: A, b: B) -> R)`.
///
/// The function must be marked `#[inline(always)]`, and so must what it calls: only code that is
/// inlined here is compiled a second time.
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
                // SAFETY: the machine has the instructions that the function is compiled for.
                unsafe { with_avx2($($argument),*) }
            } else {
                $function($($argument),*)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        $function($($argument),*)
    }};
}
