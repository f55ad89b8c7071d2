//! Decoders of images: PNG, KTX and MuJoCo's binary texture format.

use super::bytes::u32_at;
use super::content_type::ImageFormat;
use super::error::AssetError;
use png::{BitDepth, ColorType, DecodeOptions, Decoder, Limits, Transformations};
use std::io::Cursor;

/// Maximum size of a decoded image, in bytes.
pub const MAX_IMAGE_BYTES: usize = 1 << 30;

/// A decoded image, top row first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Number of channels, one byte each.
    pub nchannel: usize,
    /// The file is marked as sRGB.
    pub srgb: bool,
    /// Pixel data, row-major.
    pub data: Vec<u8>,
}

/// Options of decoding an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ImageOptions {
    /// Number of channels: 1 (gray), 3 (RGB) or 4 (RGBA).
    pub nchannel: usize,
    /// Flip horizontally.
    pub hflip: bool,
    /// Flip vertically.
    pub vflip: bool,
}

impl Default for ImageOptions {
    fn default() -> Self {
        Self { nchannel: 3, hflip: false, vflip: false }
    }
}

impl Image {
    /// Memory used, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.data.len() + size_of::<Self>()
    }

    fn flip(&mut self, options: &ImageOptions) {
        let row = self.width * self.nchannel;
        if row == 0 {
            return;
        }
        if options.hflip {
            for row in self.data.chunks_exact_mut(row) {
                for c in 0..self.width / 2 {
                    for k in 0..self.nchannel {
                        row.swap(self.nchannel * c + k, self.nchannel * (self.width - 1 - c) + k);
                    }
                }
            }
        }
        if options.vflip {
            for r in 0..self.height / 2 {
                let (top, bottom) = self.data.split_at_mut((self.height - 1 - r) * row);
                top[r * row..(r + 1) * row].swap_with_slice(&mut bottom[..row]);
            }
        }
    }
}

/// Decodes a texture image.
///
/// # Errors
///
/// The file is malformed, or the format does not support the options.
pub fn decode_image(
    format: ImageFormat,
    bytes: &[u8],
    options: &ImageOptions,
) -> Result<Image, AssetError> {
    let mut image = match format {
        ImageFormat::Png => decode_png(bytes, options.nchannel)?,
        ImageFormat::Ktx if options.hflip || options.vflip => {
            return Err(AssetError::invalid("a KTX texture cannot be flipped"));
        }
        ImageFormat::Ktx => decode_ktx(bytes)?,
        ImageFormat::Custom if options.nchannel != 3 => {
            return Err(AssetError::invalid("MuJoCo's binary texture format requires nchannel 3"));
        }
        ImageFormat::Custom => decode_custom(bytes)?,
    };
    image.flip(options);
    Ok(image)
}

/// Decodes a PNG file to 8-bit pixels with `nchannel` channels.
///
/// As in MuJoCo, one channel of a color image is the red one, and 16-bit samples are truncated to
/// their upper 8 bits.
///
/// # Errors
///
/// The file is malformed or too large, or `nchannel` is not 1, 3 or 4.
pub fn decode_png(bytes: &[u8], nchannel: usize) -> Result<Image, AssetError> {
    let bad = |e: png::DecodingError| AssetError::format("PNG", e.to_string());
    if ![1, 3, 4].contains(&nchannel) {
        return Err(AssetError::invalid(format!("nchannel must be 1, 3 or 4, found {nchannel}")));
    }
    let mut settings = DecodeOptions::default();
    settings.set_ignore_adler32(false);
    settings.set_ignore_text_chunk(true);
    settings.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(Cursor::new(bytes), settings);
    decoder.set_limits(Limits { bytes: MAX_IMAGE_BYTES });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(bad)?;
    let info = reader.info();
    let (width, height, srgb) = (info.width as usize, info.height as usize, info.srgb.is_some());
    let too_large = AssetError::TooLarge { what: "image in bytes", limit: MAX_IMAGE_BYTES };
    let pixels = width.checked_mul(height).filter(|n| *n <= MAX_IMAGE_BYTES / 4);
    let (Some(pixels), Some(size)) = (pixels, reader.output_buffer_size()) else {
        return Err(too_large);
    };
    if size > MAX_IMAGE_BYTES {
        return Err(too_large);
    }
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(bad)?;
    if frame.bit_depth != BitDepth::Eight {
        return Err(AssetError::format("PNG", "unsupported bit depth"));
    }
    raw.truncate(frame.buffer_size());
    let samples = frame.color_type.samples();
    if frame.color_type == ColorType::Indexed || raw.len() != samples * pixels {
        return Err(AssetError::format("PNG", "the image data is incomplete"));
    }
    let data = if samples == nchannel { raw } else { convert(&raw, samples, nchannel) };
    Ok(Image { width, height, nchannel, srgb, data })
}

/// Converts between numbers of channels.
fn convert(raw: &[u8], from: usize, to: usize) -> Vec<u8> {
    let mut data = Vec::with_capacity(raw.len() / from * to);
    for pixel in raw.chunks_exact(from) {
        let rgba = match *pixel {
            [gray] => [gray, gray, gray, u8::MAX],
            [gray, alpha] => [gray, gray, gray, alpha],
            [r, g, b] => [r, g, b, u8::MAX],
            [r, g, b, a, ..] => [r, g, b, a],
            [] => [0; 4],
        };
        data.extend_from_slice(&rgba[..to]);
    }
    data
}

/// Stores a KTX file undecoded, as one row of bytes; the renderer decodes it.
///
/// # Errors
///
/// The file is empty or too large.
pub fn decode_ktx(bytes: &[u8]) -> Result<Image, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::format("KTX", "the file is empty"));
    }
    if bytes.len() > MAX_IMAGE_BYTES {
        return Err(AssetError::TooLarge { what: "image in bytes", limit: MAX_IMAGE_BYTES });
    }
    let (width, data) = (bytes.len(), bytes.to_vec());
    Ok(Image { width, height: 1, nchannel: 1, srgb: false, data })
}

/// Decodes MuJoCo's binary texture format: width, height, then RGB pixels.
///
/// # Errors
///
/// The file size does not match its header.
pub fn decode_custom(bytes: &[u8]) -> Result<Image, AssetError> {
    const FORMAT: &str = "MuJoCo texture";
    let (Some(width), Some(height)) = (u32_at(bytes, 0), u32_at(bytes, 4)) else {
        return Err(AssetError::format(FORMAT, "the file is shorter than its header"));
    };
    if width == 0 || height == 0 {
        return Err(AssetError::format(FORMAT, "the width or height is zero"));
    }
    let data = &bytes[8..];
    let expected = (width as usize).checked_mul(height as usize).and_then(|n| n.checked_mul(3));
    if expected != Some(data.len()) {
        return Err(AssetError::format(
            FORMAT,
            format!("{width} by {height} pixels do not match {} bytes of data", data.len()),
        ));
    }
    let (width, height) = (width as usize, height as usize);
    Ok(Image { width, height, nchannel: 3, srgb: false, data: data.to_vec() })
}
