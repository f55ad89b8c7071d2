//! Runtime dispatch to the processor's vector instructions.
//!
//! Programs are built for the oldest processor they may meet. [`dispatch`] runs a function compiled
//! a second time for a newer one, if the machine has it. The arithmetic is the same in both: no
//! operation is fused or reordered, so results do not depend on the processor.
//!
//! ```
//! #[inline(always)]
//! fn scale(factor: f64, values: &mut [f64]) {
//!     for v in values {
//!         *v *= factor;
//!     }
//! }
//! let mut values = [1.0, 2.0, 3.0];
//! sim_simd::dispatch(scale, 2.0, &mut values);
//! assert_eq!(values, [2.0, 4.0, 6.0]);
//! ```

/// Calls `f(a, b)`, in a version compiled for the best instructions that this machine has.
///
/// `f` must be a function marked `#[inline(always)]`, and so must what it calls: only code that is
/// inlined here is compiled a second time.
#[inline]
pub fn dispatch<A, B, R>(f: impl FnOnce(A, B) -> R, a: A, b: B) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has the instructions that `with_avx2` is compiled for.
        return unsafe { with_avx2(f, a, b) };
    }
    f(a, b)
}

/// The second version: 256-bit vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<A, B, R>(f: impl FnOnce(A, B) -> R, a: A, b: B) -> R {
    f(a, b)
}
