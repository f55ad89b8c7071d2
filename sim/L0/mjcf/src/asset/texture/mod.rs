//! Textures (mjCTexture): bytes of pixels, of one image or of six on a cube.

mod cube;
mod pattern;

use super::error::AssetError;
use super::image::{Image, MAX_IMAGE_BYTES};
pub use sim_core::types::{ColorSpace, TextureType};

/// A pattern that needs no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// From one colour to the other.
    Gradient,
    /// Two by two squares.
    Checker,
    /// One colour.
    Flat,
}

/// What is drawn over a pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// Lines along the border.
    Edge,
    /// Lines through the middle.
    Cross,
    /// Random dots.
    Random,
}

/// Where the pixels come from.
#[derive(Debug, Clone, Copy)]
pub enum TextureSource<'a> {
    /// A pattern.
    Pattern(Pattern),
    /// One image, decoded with the texture's number of channels and flips.
    Image(&'a Image),
    /// Images of the sides right, left, up, down, front, back.
    Sides([Option<&'a Image>; 6]),
}

/// Everything else that decides a texture.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureOptions {
    /// What it is put on.
    pub kind: TextureType,
    /// How colours are to be understood.
    pub colorspace: ColorSpace,
    /// Bytes of a pixel.
    pub nchannel: usize,
    /// Pixels in a row of a pattern.
    pub width: i64,
    /// Rows of a flat pattern.
    pub height: i64,
    /// First colour of a pattern, and of sides without an image.
    pub rgb1: [f64; 3],
    /// Second colour of a pattern.
    pub rgb2: [f64; 3],
    /// What is drawn over a pattern.
    pub mark: Mark,
    /// Its colour.
    pub markrgb: [f64; 3],
    /// Share of random dots.
    pub random: f64,
    /// Rows and columns of sides in one image of a cube.
    pub gridsize: [i64; 2],
    /// Which side stands in each place of the grid: one of `.RLUDFB`.
    pub gridlayout: String,
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self {
            kind: TextureType::Cube,
            colorspace: ColorSpace::default(),
            nchannel: 3,
            width: 0,
            height: 0,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            mark: Mark::default(),
            markrgb: [0.0; 3],
            random: 0.01,
            gridsize: [1, 1],
            gridlayout: ".".repeat(12),
        }
    }
}

/// A texture as the model stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// What it is put on.
    pub kind: TextureType,
    /// How colours are to be understood.
    pub colorspace: ColorSpace,
    /// Number of rows; six sides stand below each other.
    pub height: usize,
    /// Pixels in a row.
    pub width: usize,
    /// Bytes of a pixel.
    pub nchannel: usize,
    /// The pixels.
    pub data: Vec<u8>,
}

/// Makes a texture.
///
/// # Errors
///
/// When sizes do not fit or the source cannot be used for this kind of texture.
pub fn compile_texture(
    options: &TextureOptions,
    source: TextureSource<'_>,
) -> Result<Texture, AssetError> {
    match (source, options.kind) {
        (TextureSource::Pattern(pattern), _) => pattern::make(options, pattern),
        (TextureSource::Image(image), TextureType::TwoD) => Ok(Texture {
            kind: options.kind,
            colorspace: resolve(options.colorspace, image),
            height: image.height,
            width: image.width,
            nchannel: image.nchannel,
            data: image.data.clone(),
        }),
        (TextureSource::Image(image), _) => cube::from_image(options, image),
        (TextureSource::Sides(_), TextureType::TwoD) => {
            Err(AssetError::invalid("a 2d texture has one file; six files make a cube or a skybox"))
        }
        (TextureSource::Sides(sides), _) => cube::from_sides(options, &sides),
    }
}

/// The colour space of a texture made from an image.
fn resolve(wanted: ColorSpace, image: &Image) -> ColorSpace {
    match (wanted, image.srgb) {
        (ColorSpace::Auto, true) => ColorSpace::Srgb,
        (ColorSpace::Auto, false) => ColorSpace::Linear,
        (wanted, _) => wanted,
    }
}

/// A colour of three numbers from 0 to 1 as bytes.
fn bytes(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as u8)
}

/// Number of bytes of a texture.
fn size(width: usize, height: usize, nchannel: usize) -> Result<usize, AssetError> {
    width
        .checked_mul(height)
        .and_then(|n| n.checked_mul(nchannel))
        .filter(|n| *n <= MAX_IMAGE_BYTES)
        .ok_or(AssetError::TooLarge { what: "texture in bytes", limit: MAX_IMAGE_BYTES })
}
