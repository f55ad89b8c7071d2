//! Indexed loads with a single bounds check.

/// Loads `values[indices[k]]` for each `k`, with one bounds check for all of them.
///
/// # Panics
/// If an index is out of range.
///
/// ```
/// assert_eq!(sim_simd::gather(&[1.0, 2.0, 3.0], &[2, 0]), [3.0, 1.0]);
/// ```
#[inline(always)]
#[must_use]
pub fn gather<const N: usize>(values: &[f64], indices: &[u32; N]) -> [f64; N] {
    let last = u32::try_from(values.len()).map_or(u32::MAX, |len| len.saturating_sub(1));
    let inside = indices.iter().fold(!values.is_empty(), |inside, &index| inside & (index <= last));
    assert!(inside || N == 0, "index out of range for {} values", values.len());
    // SAFETY: all indices were checked against the length.
    indices.map(|index| unsafe { *values.get_unchecked(index as usize) })
}

#[cfg(test)]
mod tests {
    use super::gather;

    #[test]
    fn values_are_in_the_order_of_the_indices() {
        assert_eq!(gather(&[1.0, 2.0, 3.0], &[2, 0, 2, 1]), [3.0, 1.0, 3.0, 2.0]);
        assert_eq!(gather(&[], &[]), [0.0; 0]);
    }

    #[test]
    #[should_panic = "index out of range for 3 values"]
    fn index_past_the_end_panics() {
        let _ = gather(&[1.0, 2.0, 3.0], &[2, 3]);
    }

    #[test]
    #[should_panic = "index out of range for 0 values"]
    fn index_into_an_empty_slice_panics() {
        let _ = gather(&[], &[0]);
    }
}
