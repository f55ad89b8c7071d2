//! Binary part of a recording: typed arrays, coded so that DEFLATE compresses them well.
//!
//! An array of words is stored as differences to the previous row, modulo the word size, and then byte by byte:
//! first the lowest byte of all words, then the next. Both steps are exact. A constant series becomes zeros, and
//! the sign and exponent bytes of a slowly varying series become long runs.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Arrays of a recording, one after the other, each at a multiple of eight bytes.
#[derive(Default)]
pub(crate) struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// Rows of `width` single-precision values. Returns the description of the array.
    pub(crate) fn f32(&mut self, values: &[f32], width: usize) -> Value {
        let words = values.iter().map(|x| x.to_bits()).collect();
        self.words::<4>("f32", differences(words, width, u32::wrapping_sub).map(u32::to_le_bytes))
    }

    /// Rows of `width` indices.
    pub(crate) fn u32(&mut self, values: &[u32], width: usize) -> Value {
        let words = differences(values.to_vec(), width, u32::wrapping_sub);
        self.words::<4>("u32", words.map(u32::to_le_bytes))
    }

    /// Rows of `width` quantised values.
    pub(crate) fn u16(&mut self, values: &[u16], width: usize) -> Value {
        let words = differences(values.to_vec(), width, u16::wrapping_sub);
        self.words::<2>("u16", words.map(u16::to_le_bytes))
    }

    /// Rows of `width` bytes.
    pub(crate) fn u8(&mut self, values: &[u8], width: usize) -> Value {
        let words = differences(values.to_vec(), width, u8::wrapping_sub);
        self.words::<1>("u8", words.map(u8::to_le_bytes))
    }

    /// Double-precision values, stored as they are.
    pub(crate) fn f64(&mut self, values: &[f64]) -> Value {
        let at = self.align();
        self.bytes.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        json!({ "type": "f64", "at": at, "n": values.len(), "width": 1 })
    }

    /// The planes of the bytes of all words.
    fn words<const N: usize>(
        &mut self,
        kind: &str,
        (width, words): (usize, Vec<[u8; N]>),
    ) -> Value {
        let at = self.align();
        for byte in 0..N {
            self.bytes.extend(words.iter().map(|word| word[byte]));
        }
        json!({ "type": kind, "at": at, "n": words.len(), "width": width })
    }

    fn align(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.bytes.len()
    }

    /// Writes the header and the arrays: the length of the header as `u32`, the header as JSON, padding to a
    /// multiple of eight bytes, the arrays; compressed with zlib, as base64.
    pub(crate) fn write_base64(&self, header: &Value, out: &mut impl Write) -> io::Result<()> {
        let mut text = header.to_string().into_bytes();
        let length = text.len();
        text.resize((4 + length).next_multiple_of(8) - 4, b' ');
        let size = u32::try_from(text.len()).map_err(io::Error::other)?;
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&size.to_le_bytes())?;
        encoder.write_all(&text)?;
        encoder.write_all(&self.bytes)?;
        base64(&encoder.finish()?, out)
    }
}

/// Words to be written, and the length of a row.
struct Differences<T> {
    width: usize,
    words: Vec<T>,
}

impl<T> Differences<T> {
    fn map<const N: usize>(self, bytes: fn(T) -> [u8; N]) -> (usize, Vec<[u8; N]>) {
        (self.width, self.words.into_iter().map(bytes).collect())
    }
}

/// Replaces each row by its difference to the previous row.
fn differences<T: Copy>(mut words: Vec<T>, width: usize, sub: fn(T, T) -> T) -> Differences<T> {
    for i in (width..words.len()).rev() {
        words[i] = sub(words[i], words[i - width]);
    }
    Differences { width, words }
}

/// Writes bytes in the standard alphabet of RFC 4648, with padding.
fn base64(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |k: usize| u32::from(group.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= group.len() { digit } else { b'=' });
        }
    }
    out.write_all(&text)
}

#[cfg(test)]
mod tests {
    use super::{Blob, base64};

    #[test]
    fn base64_of_the_specification() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            let mut out = Vec::new();
            base64(plain.as_bytes(), &mut out).unwrap();
            assert_eq!(out, coded.as_bytes());
        }
    }

    #[test]
    fn rows_are_differences_in_planes() {
        let mut blob = Blob::default();
        let array = blob.u16(&[1, 0x0203, 5, 0x0104], 2);
        assert_eq!(blob.bytes, [1, 3, 4, 1, 0, 2, 0, 0xff]);
        assert_eq!((array["n"].as_u64(), array["width"].as_u64()), (Some(4), Some(2)));
        // the next array is aligned
        assert_eq!(blob.f32(&[1.0], 1)["at"], 8);
    }
}
