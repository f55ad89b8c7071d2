//! Little-endian numbers in a byte slice.

/// The unsigned integer at `at`, if the slice reaches that far.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// The signed integer at `at`, if the slice reaches that far.
pub(super) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    u32_at(bytes, at).map(u32::cast_signed)
}

/// All floats of a slice; a rest of less than four bytes is left out.
pub(super) fn f32s(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&word| f32::from_le_bytes(word))
}

/// All signed integers of a slice; a rest of less than four bytes is left out.
pub(super) fn i32s(bytes: &[u8]) -> impl Iterator<Item = i32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word))
}
