//! Heap memory of vectors.

/// Bytes allocated by a vector.
pub(crate) fn heap_bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}
