//! Little-endian integers and floats in a byte slice.

/// The `u32` at byte offset `at`, if it is within the slice.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

/// The `i32` at byte offset `at`, if it is within the slice.
pub(super) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    u32_at(bytes, at).map(u32::cast_signed)
}

/// The slice as `f32` values; up to three trailing bytes are ignored.
pub(super) fn f32s(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&word| f32::from_le_bytes(word))
}

/// The slice as `i32` values; up to three trailing bytes are ignored.
pub(super) fn i32s(bytes: &[u8]) -> impl Iterator<Item = i32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word))
}
