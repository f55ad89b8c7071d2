//! Height fields (mjCHField): elevations in [0, 1], the bottom row first.

use super::bytes::{f32s, i32_at};
use super::content::ImageFormat;
use super::error::AssetError;
use super::image::decode_png;

const FORMAT: &str = "MuJoCo height field";
/// No height field may have more points.
const MAX_POINTS: usize = 1 << 28;
/// Ranges below this are flat .
const FLAT: f64 = super::norm::EPS;

/// A height field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HField {
    /// Number of rows.
    pub nrow: usize,
    /// Number of columns.
    pub ncol: usize,
    /// Elevations, row by row.
    pub data: Vec<f32>,
}

impl HField {
    /// Elevations as they stand in a model, the top row first; all zero if there are none.
    ///
    /// # Errors
    ///
    /// When the sizes do not agree or an elevation is not finite.
    pub fn from_elevation(nrow: i64, ncol: i64, elevation: &[f32]) -> Result<Self, AssetError> {
        let (Ok(rows), Ok(cols)) = (usize::try_from(nrow), usize::try_from(ncol)) else {
            return Err(AssetError::invalid("nrow and ncol must be positive"));
        };
        let count = points(rows, cols)?;
        if elevation.is_empty() {
            return Self { nrow: rows, ncol: cols, data: vec![0.0; count] }.normalized();
        }
        if elevation.len() != count {
            return Err(AssetError::invalid(format!(
                "elevation needs nrow*ncol = {count} numbers, found {}",
                elevation.len()
            )));
        }
        let data = elevation.chunks_exact(cols).rev().flatten().copied().collect();
        Self { nrow: rows, ncol: cols, data }.normalized()
    }

    /// Reads a file: the grey values of a PNG, or MuJoCo's format of rows, columns and numbers.
    ///
    /// # Errors
    ///
    /// When the file is malformed or an elevation is not finite.
    pub fn decode(format: ImageFormat, bytes: &[u8]) -> Result<Self, AssetError> {
        match format {
            ImageFormat::Png => {
                let image = decode_png(bytes, 1)?;
                points(image.height, image.width)?;
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
            return Err(AssetError::format(FORMAT, "it is shorter than its header"));
        };
        let (Ok(rows), Ok(cols)) = (usize::try_from(nrow), usize::try_from(ncol)) else {
            return Err(AssetError::format(FORMAT, "its number of rows or columns is negative"));
        };
        let count = points(rows, cols)?;
        if bytes.len() - 8 != 4 * count {
            return Err(AssetError::format(
                FORMAT,
                format!(
                    "{rows} rows and {cols} columns take {} bytes of data, but there are {}",
                    4 * count,
                    bytes.len() - 8
                ),
            ));
        }
        Ok(Self { nrow: rows, ncol: cols, data: f32s(&bytes[8..]).collect() })
    }

    /// Bytes of the elevations.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        4 * self.data.len() + size_of::<Self>()
    }

    /// Shifts and scales the elevations to [0, 1].
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
            if f64::from(range) > FLAT {
                *x /= range;
            }
        }
        Ok(self)
    }
}

/// Number of points of a height field.
fn points(nrow: usize, ncol: usize) -> Result<usize, AssetError> {
    if nrow == 0 || ncol == 0 {
        return Err(AssetError::invalid("a height field needs at least one row and one column"));
    }
    nrow.checked_mul(ncol).filter(|n| *n <= MAX_POINTS).ok_or(AssetError::TooLarge {
        what: "number of points of the height field",
        limit: MAX_POINTS,
    })
}

/// The sizes of a height field must be positive: two radii, elevation, depth of the base.
///
/// # Errors
///
/// When one of them is not.
pub fn check_hfield_size(size: [f64; 4]) -> Result<(), AssetError> {
    if size.iter().all(|&s| s > 0.0) {
        Ok(())
    } else {
        Err(AssetError::invalid("the four sizes of a height field must be positive"))
    }
}
