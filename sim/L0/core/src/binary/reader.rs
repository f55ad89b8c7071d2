//! Reader of the binary format, and its errors.

use crate::field::Element;

/// Error of loading a compiled model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// The data does not start with [`Model::MAGIC`](crate::Model::MAGIC).
    #[error("this is not a compiled model")]
    Foreign,
    /// The format version or the field tables differ from those of this library.
    #[error("this model was compiled by another version of the library: compile it again")]
    Version,
    /// The data ends too early.
    #[error("the file is truncated")]
    Truncated,
    /// The CRC-32 does not match.
    #[error("the file is corrupt: its checksum does not match")]
    Checksum,
    /// A plugin cannot be used.
    #[error("plugin: {0}")]
    Plugin(String),
    /// An array has invalid values.
    #[error("the file is corrupt: {0}")]
    Invalid(String),
}

/// Sequential reader of little-endian values.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn bytes(&mut self, n: usize) -> Result<&'a [u8], BinaryError> {
        let (head, tail) = self.0.split_at_checked(n).ok_or(BinaryError::Truncated)?;
        self.0 = tail;
        Ok(head)
    }

    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], BinaryError> {
        let (head, tail) = self.0.split_first_chunk().ok_or(BinaryError::Truncated)?;
        self.0 = tail;
        Ok(*head)
    }

    pub(super) fn u32(&mut self) -> Result<u32, BinaryError> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, BinaryError> {
        self.fixed().map(u64::from_le_bytes)
    }

    pub(super) fn reals(&mut self, n: usize) -> Result<Vec<f64>, BinaryError> {
        let mut values = Vec::new();
        self.array(&mut values, "options", &[n])?;
        Ok(values)
    }

    /// Reads an array whose number of elements is the product of `shape`.
    #[inline(never)]
    pub(crate) fn array<T: Element>(
        &mut self,
        array: &mut Vec<T>,
        name: &str,
        shape: &[usize],
    ) -> Result<(), BinaryError> {
        let length = shape.iter().try_fold(T::BYTES, |n, &factor| n.checked_mul(factor));
        let bytes = self.bytes(length.ok_or(BinaryError::Truncated)?)?;
        *array = T::get(bytes).ok_or_else(|| invalid(name))?;
        Ok(())
    }

    /// Reads a number in double precision.
    pub(crate) fn real(&mut self) -> Result<f64, BinaryError> {
        self.fixed().map(f64::from_le_bytes)
    }

    /// Reads an array that is preceded by its number of elements, which must be `length` if that is given.
    #[inline(never)]
    pub(crate) fn sized_array<T: Element>(
        &mut self,
        array: &mut Vec<T>,
        name: &str,
        length: Option<usize>,
    ) -> Result<(), BinaryError> {
        let given = usize::try_from(self.u64()?).map_err(|_| invalid(name))?;
        if length.is_some_and(|length| length != given) {
            return Err(invalid(name));
        }
        self.array(array, name, &[given])
    }

    /// The bytes that were not read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// The error for an array or size with invalid values.
pub(crate) fn invalid(name: &str) -> BinaryError {
    BinaryError::Invalid(format!("invalid values in {name}"))
}
