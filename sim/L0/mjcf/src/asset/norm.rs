//! Unit vectors, with the compiler's idea of zero.

/// Lengths and masses below this count as zero in the compiler (`mjEPS`).
pub(crate) const EPS: f64 = 1e-14;

/// Scales to unit length and returns the former length; a tiny vector stays as it is and counts 0.
pub(crate) fn normalize<const N: usize>(v: &mut [f64; N]) -> f64 {
    let square: f64 = v.iter().map(|x| x * x).sum();
    if square < EPS {
        return 0.0;
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPS {
        for x in v {
            *x /= length;
        }
    }
    length
}
