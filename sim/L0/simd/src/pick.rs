//! Numbers picked from a list.

/// The numbers at some places of a list, with one look at whether all places are in it.
///
/// # Panics
/// If a place is outside of the list.
#[inline(always)]
#[must_use]
pub fn pick<const N: usize>(values: &[f64], places: &[u32; N]) -> [f64; N] {
    let last = u32::try_from(values.len()).map_or(u32::MAX, |len| len.saturating_sub(1));
    let inside = places.iter().fold(!values.is_empty(), |inside, &place| inside & (place <= last));
    assert!(inside || N == 0, "a place is outside of {} values", values.len());
    // SAFETY: no place is beyond the last value.
    places.map(|place| unsafe { *values.get_unchecked(place as usize) })
}

#[cfg(test)]
mod tests {
    use super::pick;

    #[test]
    fn values_come_in_the_order_of_their_places() {
        assert_eq!(pick(&[1.0, 2.0, 3.0], &[2, 0, 2, 1]), [3.0, 1.0, 3.0, 2.0]);
        assert_eq!(pick(&[], &[]), [0.0; 0]);
    }

    #[test]
    #[should_panic = "a place is outside of 3 values"]
    fn a_place_beyond_the_end_is_refused() {
        let _ = pick(&[1.0, 2.0, 3.0], &[2, 3]);
    }

    #[test]
    #[should_panic = "a place is outside of 0 values"]
    fn an_empty_list_has_no_places() {
        let _ = pick(&[], &[0]);
    }
}
