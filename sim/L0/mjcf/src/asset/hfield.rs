//! Height fields (mjCHField): elevation data normalized to [0, 1], bottom row first.

use super::bytes::{f32s, i32_at};
use super::content_type::ImageFormat;
use super::error::AssetError;
use super::image::decode_png;

const FORMAT: &str = "MuJoCo height field";
/// Maximum number of samples of a height field.
const MAX_SAMPLES: usize = 1 << 28;
/// Elevation ranges below this are not normalized.
const MIN_RANGE: f64 = super::normalize::EPS;

/// A height field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HField {
    /// Number of rows.
    pub nrow: usize,
    /// Number of columns.
    pub ncol: usize,
    /// Elevations, row-major.
    pub data: Vec<f32>,
}

impl HField {
    /// Height field from MJCF elevation data, top row first; all zero if `elevation` is empty.
    ///
    /// # Errors
    ///
    /// The sizes do not match or an elevation is not finite.
    pub fn from_elevation(nrow: i64, ncol: i64, elevation: &[f32]) -> Result<Self, AssetError> {
        let (Ok(rows), Ok(cols)) = (usize::try_from(nrow), usize::try_from(ncol)) else {
            return Err(AssetError::invalid("nrow and ncol must be positive"));
        };
        let count = sample_count(rows, cols)?;
        if elevation.is_empty() {
            return Self { nrow: rows, ncol: cols, data: vec![0.0; count] }.normalized();
        }
        if elevation.len() != count {
            return Err(AssetError::invalid(format!(
                "elevation requires nrow*ncol = {count} numbers, found {}",
                elevation.len()
            )));
        }
        let data = elevation.chunks_exact(cols).rev().flatten().copied().collect();
        Self { nrow: rows, ncol: cols, data }.normalized()
    }

    /// Decodes a file: a grayscale PNG, or MuJoCo's binary format (rows, columns, elevations).
    ///
    /// # Errors
    ///
    /// The file is malformed or an elevation is not finite.
    pub fn decode(format: ImageFormat, bytes: &[u8]) -> Result<Self, AssetError> {
        match format {
            ImageFormat::Png => {
                let image = decode_png(bytes, 1)?;
                sample_count(image.height, image.width)?;
                let rows = image.data.chunks_exact(image.width).rev();
                let data = rows.flatten().map(|&x| f32::from(x)).collect();
                Self { nrow: image.height, ncol: image.width, data }.normalized()
            }
            ImageFormat::Custom => Self::decode_custom(bytes)?.normalized(),
            ImageFormat::Ktx => Err(AssetError::Unsupported("image/ktx".to_owned())),
        }
    }

    fn decode_custom(bytes: &[u8]) -> Result<Self, AssetError> {
        let (Some(nrow), Some(ncol)) = (i32_at(bytes, 0), i32_at(bytes, 4)) else {
            return Err(AssetError::format(FORMAT, "the file is shorter than its header"));
        };
        let (Ok(rows), Ok(cols)) = (usize::try_from(nrow), usize::try_from(ncol)) else {
            return Err(AssetError::format(FORMAT, "the number of rows or columns is negative"));
        };
        let count = sample_count(rows, cols)?;
        if bytes.len() - 8 != 4 * count {
            return Err(AssetError::format(
                FORMAT,
                format!(
                    "{rows} rows and {cols} columns require {} bytes of data, found {}",
                    4 * count,
                    bytes.len() - 8
                ),
            ));
        }
        Ok(Self { nrow: rows, ncol: cols, data: f32s(&bytes[8..]).collect() })
    }

    /// Memory used, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        4 * self.data.len() + size_of::<Self>()
    }

    /// Maps the elevations linearly to [0, 1].
    fn normalized(mut self) -> Result<Self, AssetError> {
        let (mut low, mut high) = (1e10_f32, -1e10_f32);
        for &x in &self.data {
            if !x.is_finite() {
                return Err(AssetError::invalid("an elevation of the height field is not finite"));
            }
            low = low.min(x);
            high = high.max(x);
        }
        let range = high - low;
        if low > high || !range.is_finite() {
            return Err(AssetError::invalid("the elevations of the height field are out of range"));
        }
        for x in &mut self.data {
            *x -= low;
            if f64::from(range) > MIN_RANGE {
                *x /= range;
            }
        }
        Ok(self)
    }
}

/// Number of samples of a height field.
fn sample_count(nrow: usize, ncol: usize) -> Result<usize, AssetError> {
    if nrow == 0 || ncol == 0 {
        return Err(AssetError::invalid("a height field needs at least one row and one column"));
    }
    nrow.checked_mul(ncol).filter(|n| *n <= MAX_SAMPLES).ok_or(AssetError::TooLarge {
        what: "number of samples of the height field",
        limit: MAX_SAMPLES,
    })
}

/// Checks that the sizes of a height field are positive: x and y radius, maximum elevation, base
/// depth.
///
/// # Errors
///
/// A size is not positive.
pub fn check_hfield_size(size: [f64; 4]) -> Result<(), AssetError> {
    if size.iter().all(|&s| s > 0.0) {
        Ok(())
    } else {
        Err(AssetError::invalid("the four sizes of a height field must be positive"))
    }
}
