//! Vector normalization with the compiler's threshold (mjuu_normvec).

/// Lengths and masses below this are treated as zero in the compiler (`mjEPS`).
pub(crate) const EPS: f64 = 1e-14;

/// Normalizes `v` and returns its previous length; a vector below the threshold is unchanged and
/// returns 0.
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
