//! Halton sequence and standard normal samples (`mju_Halton`, `mju_standardNormal`).

/// Element `index` of the low-discrepancy Halton sequence of the given base, in `[0, 1)`. Zero for a base
/// below 2.
///
/// ```
/// assert_eq!([1, 2, 3].map(|k| sim_core::math::random::halton(k, 2)), [0.5, 0.25, 0.75]);
/// ```
#[doc(alias = "mju_Halton")]
#[must_use]
pub const fn halton(index: u32, base: u32) -> f64 {
    if base < 2 {
        return 0.0;
    }
    // `f64::from` is not constant; these conversions are exact as well
    let b = base as f64;
    let (mut rest, mut digit, mut sum) = (index, 1.0 / b, 0.0);
    while rest > 0 {
        sum += digit * (rest % base) as f64;
        digit /= b;
        rest /= base;
    }
    sum
}

/// Two independent samples of the standard normal distribution from a source of uniform samples in `[0, 1]`
/// (Marsaglia polar method). Zeros if 100 pairs in a row are outside the unit circle.
#[doc(alias = "mju_standardNormal")]
pub fn standard_normal(mut uniform: impl FnMut() -> f64) -> [f64; 2] {
    // the probability of 100 rejections of a uniform source is 1e-67
    for _ in 0..100 {
        let (x, y) = (2.0 * uniform() - 1.0, 2.0 * uniform() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            let scale = (-2.0 * square.ln() / square).sqrt();
            return [x * scale, y * scale];
        }
    }
    [0.0; 2]
}
